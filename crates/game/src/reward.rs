//! Seats, turns and results, each with its viewpoint in the type.
//!
//! A [`Reward`] is absolute: how well the game went for [`Player::First`]. A [`Value`] is relative:
//! how good something is for one particular player, whoever the context says. The only way from
//! one to the other is [`Reward::value_for`], and a search calls it once, at backup.

use std::fmt;

/// A seat at the board, fixed for the whole game (not "whose turn it is").
///
/// Black in Go and Hex, White in Havannah sit first. One-player games use only `First`.
// Exhaustive on purpose: everything here is built for at most two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Player {
    /// The player who makes the first move of an even game.
    First = 0,
    /// The other one.
    Second = 1,
}

impl Player {
    /// Both seats, first to second.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other seat.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 or 1, for tables per player.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Who decides the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Turn {
    /// One of the players chooses.
    Player(Player),
    /// Nobody chooses: a die is thrown, a card is drawn ([`crate::Game::sample_chance`]).
    Chance,
}

impl Turn {
    /// The player to move, or `None` when chance decides.
    #[inline]
    #[must_use]
    pub const fn player(self) -> Option<Player> {
        match self {
            Turn::Player(player) => Some(player),
            Turn::Chance => None,
        }
    }
}

/// The result of a game or a playout in `[0, 1]`, seen from [`Player::First`]: 1 is a win for
/// `First`, 0 a win for `Second`, ½ a draw; values between leave room for margins.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Reward(f32);

impl Reward {
    /// Neither side won.
    pub const DRAW: Reward = Reward(0.5);

    /// A full win for `player`.
    #[inline]
    #[must_use]
    pub const fn win(player: Player) -> Reward {
        match player {
            Player::First => Reward(1.0),
            Player::Second => Reward(0.0),
        }
    }

    /// A result between loss (0) and win (1) for `First`; clamped to that range, NaN is a draw.
    #[inline]
    #[must_use]
    pub fn new(for_first: f32) -> Reward {
        if for_first.is_nan() { Reward::DRAW } else { Reward(for_first.clamp(0.0, 1.0)) }
    }

    /// Between this result and another, of which the other counts by `weight`, from 0 to 1.
    #[inline]
    #[must_use]
    pub fn mixed(self, other: Reward, weight: f32) -> Reward {
        Reward::new(self.0 + weight * (other.0 - self.0))
    }

    /// The result from one player's seat.
    #[inline]
    #[must_use]
    pub fn value_for(self, player: Player) -> Value {
        match player {
            Player::First => Value(self.0),
            Player::Second => Value(1.0 - self.0),
        }
    }

    /// Who won outright; `None` for draws and partial results.
    #[inline]
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        if self.0 == 1.0 {
            Some(Player::First)
        } else if self.0 == 0.0 {
            Some(Player::Second)
        } else {
            None
        }
    }
}

impl fmt::Debug for Reward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reward({} for First)", self.0)
    }
}

/// How good something is for one player, in `[0, 1]`; whose value it is follows from where it stands.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Value(f32);

impl Value {
    /// A value; clamped to `[0, 1]`, NaN becomes ½.
    #[inline]
    #[must_use]
    pub fn new(value: f32) -> Value {
        Value(if value.is_nan() { 0.5 } else { value.clamp(0.0, 1.0) })
    }

    /// The number, in `[0, 1]`.
    #[inline]
    #[must_use]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The same thing seen by the opponent.
    #[inline]
    #[must_use]
    pub fn for_opponent(self) -> Value {
        Value(1.0 - self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reward_is_seen_from_both_seats() {
        let r = Reward::new(0.75);
        assert_eq!(r.value_for(Player::First).get(), 0.75);
        assert_eq!(r.value_for(Player::Second).get(), 0.25);
        assert_eq!(r.winner(), None);
        assert_eq!(r.mixed(Reward::win(Player::Second), 0.2), Reward::new(0.6));
        assert_eq!(Reward::win(Player::Second).winner(), Some(Player::Second));
    }

    #[test]
    fn rewards_and_values_stay_in_range() {
        assert_eq!(Reward::new(7.0), Reward::win(Player::First));
        assert_eq!(Reward::new(f32::NAN), Reward::DRAW);
        assert_eq!(Value::new(-3.0).get(), 0.0);
        assert_eq!(Value::new(0.25).for_opponent().get(), 0.75);
    }
}
