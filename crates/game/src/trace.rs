//! What was played in one simulation, in order: the raw material of RAVE and of replies.

use crate::Player;

/// One move of a simulation: who played it and its index, packed into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedMove(u32);

impl TracedMove {
    /// A move by `player`.
    #[inline]
    #[must_use]
    pub const fn new(player: Player, index: usize) -> Self {
        Self((index as u32) << 1 | player as u32)
    }

    /// Who played it.
    #[inline]
    #[must_use]
    pub const fn player(self) -> Player {
        if self.0 & 1 == 0 { Player::First } else { Player::Second }
    }

    /// Its index, see [`crate::Move::index`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

/// The moves of one simulation from the root on: first those of the tree, then the playout's.
/// Chance events are left out.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    moves: Vec<TracedMove>,
}

impl Trace {
    /// An empty trace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all moves and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }

    /// Appends a move by `player`.
    #[inline]
    pub fn push(&mut self, player: Player, index: usize) {
        self.moves.push(TracedMove::new(player, index));
    }

    /// All moves so far, in the order they were played.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> &[TracedMove] {
        &self.moves
    }

    /// How many moves there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether nothing was played.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traced_move_keeps_player_and_index() {
        for player in Player::BOTH {
            let mv = TracedMove::new(player, 65_535);
            assert_eq!((mv.player(), mv.index()), (player, 65_535));
        }
    }
}
