//! The moves of a game, and a few of its positions, from which the others can be played again.
//!
//! A position of Go takes tens of kilobytes and a move a few bytes. So only every
//! [`SPACING`]th position is kept, and of those far back ever fewer: at most [`MOST_KEPT`], however
//! long the game is. An undo plays on from the nearest kept position before it and keeps
//! positions on its way, so that the next ones are short.

/// A position is kept after every so many moves.
const SPACING: usize = 64;
/// The most positions kept; then every second one of the older half is dropped.
const MOST_KEPT: usize = 32;

/// The moves of a game, each with the state before it as far as that is kept.
pub(super) struct History<S, M> {
    moves: Vec<M>,
    /// States with the number of moves before them, in ascending order. The first is the start of
    /// the game, if there are moves.
    kept: Vec<(usize, S)>,
}

impl<S: Clone, M> History<S, M> {
    pub(super) fn new() -> Self {
        Self { moves: Vec::new(), kept: Vec::new() }
    }

    pub(super) fn moves(&self) -> &[M] {
        &self.moves
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Appends a move that is about to be made in `state`.
    pub(super) fn push(&mut self, state: &mut S, mv: M) {
        if self.moves.len().is_multiple_of(SPACING) {
            // The game goes on with the copy: copying a position of Go sorts what superko looks at.
            let copy = state.clone();
            self.keep(self.moves.len(), std::mem::replace(state, copy));
        }
        self.moves.push(mv);
    }

    /// Takes the last move back; the state before it, made by `replay` from one that was kept.
    pub(super) fn pop(&mut self, replay: impl Fn(&mut S, &M)) -> Option<S> {
        self.moves.pop()?;
        let wanted = self.moves.len();
        while self.kept.last().is_some_and(|(at, _)| *at > wanted) {
            self.kept.pop();
        }
        if self.kept.last().is_some_and(|(at, _)| *at == wanted) {
            return self.kept.pop().map(|(_, state)| state);
        }
        let (from, mut state) = self.kept.last().cloned()?;
        for at in from..wanted {
            if at > from && at.is_multiple_of(SPACING) {
                self.keep(at, state.clone());
            }
            replay(&mut state, &self.moves[at]);
        }
        Some(state)
    }

    fn keep(&mut self, at: usize, state: S) {
        self.kept.push((at, state));
        if self.kept.len() > MOST_KEPT {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number > MOST_KEPT / 2 || number % 2 == 1
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// The state is the sum of all moves so far.
    fn played(moves: u64) -> (History<u64, u64>, u64) {
        let mut history = History::new();
        let mut state = 0;
        for mv in 0..moves {
            history.push(&mut state, mv);
            state += mv;
        }
        (history, state)
    }

    #[test]
    fn every_move_can_be_taken_back() {
        for moves in [1, 63, 64, 65, 1000, 5000] {
            let (mut history, mut state) = played(moves);
            for mv in (0..moves).rev() {
                state -= mv;
                assert_eq!(history.pop(|state, mv| *state += mv), Some(state), "{mv} of {moves}");
            }
            assert_eq!(history.pop(|_, _| {}), None);
        }
    }

    #[test]
    fn a_long_game_keeps_few_positions_and_undo_stays_short() {
        let (mut history, _) = played(1_000_000);
        assert!(history.kept.len() <= MOST_KEPT);
        let replayed = Cell::new(0);
        for _ in 0..10_000 {
            history.pop(|state, mv| {
                replayed.set(replayed.get() + 1);
                *state += mv;
            });
            assert!(history.kept.len() <= MOST_KEPT);
        }
        // Half the spacing mostly, and now and then a way from further back.
        assert!(replayed.get() < 10_000 * 10 * SPACING, "{}", replayed.get());
    }

    #[test]
    fn play_goes_on_after_an_undo() {
        let (mut history, _) = played(130);
        let mut state = 0;
        for _ in 0..2 {
            state = history.pop(|state, mv| *state += mv).unwrap();
        }
        assert_eq!(state, (0..128).sum::<u64>());
        for mv in 128..140 {
            history.push(&mut state, mv);
            state += mv;
        }
        assert_eq!(history.pop(|state, mv| *state += mv), Some((0..139).sum()));
        assert_eq!(history.moves().len(), 139);
    }
}
