//! A game: positions, moves, results, hashes, symmetries and text.

use std::fmt::Debug;

use crate::{Permutation, Reward, Rng, Turn};

/// A move as a small dense number, so that searches can keep tables by move.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {
    /// The number of this move, below [`Game::move_space`] and below 65,536.
    fn index(self) -> usize;

    /// The move with that number. For indices that no [`Move::index`] gave the result is
    /// unspecified, but no panic.
    fn from_index(index: usize) -> Self;
}

/// For games that need no type of their own: the number is the move.
impl Move for u16 {
    fn index(self) -> usize {
        usize::from(self)
    }
    fn from_index(index: usize) -> Self {
        index as u16
    }
}

/// A two-player, one-player or stochastic game of perfect information.
///
/// A value of the type is a position together with all that decides its future (side to move, ko
/// history, rules). Cloning is how searches explore, so clones should be cheap and
/// [`Clone::clone_from`] should reuse what the target has allocated.
///
/// One instance lives on one board: `move_space`, the meaning of indices and the symmetries do not
/// change while moves are played.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's moves.
    type Move: Move;

    /// Who decides the next move. Meaningless once [`Game::outcome`] is known.
    fn turn(&self) -> Turn;

    /// The result, once the game is over; it never changes afterwards.
    fn outcome(&self) -> Option<Reward>;

    /// Appends every legal move to `out`, each once, in an order that depends only on the position.
    /// Nothing is appended when the game is over. Otherwise there is at least one legal move; at a
    /// chance turn these are the possible events.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Whether `mv` is among [`Game::legal_moves`]; any index below `move_space` may be asked. The
    /// default lists them all.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        legal.contains(&mv)
    }

    /// Plays a legal move. Legality is the caller's duty (debug builds may assert it); for moves
    /// that come from outside use [`Game::try_play`].
    fn play(&mut self, mv: Self::Move);

    /// Plays a move of unknown legality; on error the position is unchanged.
    ///
    /// # Errors
    /// Says why the move is not legal here.
    fn try_play(&mut self, mv: Self::Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::new(self.move_text(mv), "the game is over"));
        }
        if mv.index() >= self.move_space() || !self.is_legal(mv) {
            return Err(IllegalMove::new(self.move_text(mv), "not a legal move here"));
        }
        self.play(mv);
        Ok(())
    }

    /// All move indices are below this number, which is at most 65,536.
    fn move_space(&self) -> usize;

    /// What stands on the board and nothing else: the hash that superko compares.
    fn position_hash(&self) -> u64;

    /// The position with all that decides its future except the history of superko: side to move,
    /// ko, passes, swap. Keys never change between versions, so the hash may be stored. The default
    /// is for games in which what stands on the board tells all that.
    fn state_hash(&self) -> u64 {
        self.position_hash()
    }

    /// The symmetries of the board as permutations of move indices, the identity first.
    /// A symmetry maps games to games: same legality, same results, move by move. An empty slice,
    /// the default, means none that anybody has written down.
    fn symmetries(&self) -> &[Permutation] {
        &[]
    }

    /// Draws the next event at a chance turn. Games without chance keep the default.
    ///
    /// # Panics
    /// The default panics: a game whose turn can be [`Turn::Chance`] overrides it.
    fn sample_chance(&self, _rng: &mut Rng) -> Self::Move {
        unreachable!("a game with chance turns overrides Game::sample_chance")
    }

    /// The move in the game's usual notation, e.g. `D4` or `pass`. The default is its number.
    fn move_text(&self, mv: Self::Move) -> String {
        mv.index().to_string()
    }

    /// Reads what [`Game::move_text`] writes, ignoring case. The move need not be legal here. The
    /// default tries all moves.
    ///
    /// # Errors
    /// Names the text and what is expected instead.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError> {
        (0..self.move_space())
            .map(Self::Move::from_index)
            .find(|&mv| self.move_text(mv).eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseMoveError::new(text, "no move of this game is written so"))
    }
}

/// A move that the rules forbid here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {mv}: {reason}")]
#[non_exhaustive]
pub struct IllegalMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Which rule forbids it.
    pub reason: String,
}

impl IllegalMove {
    /// An error for `mv`, with the rule that forbids it.
    pub fn new(mv: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { mv: mv.into(), reason: reason.into() }
    }
}

/// Text that is no move on this board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a move: {expected}")]
#[non_exhaustive]
pub struct ParseMoveError {
    /// What was read.
    pub text: String,
    /// What would have been a move, e.g. "expected a1 to k11 or swap".
    pub expected: String,
}

impl ParseMoveError {
    /// An error for `text`; `expected` tells what is a move.
    pub fn new(text: &str, expected: impl Into<String>) -> Self {
        // The text comes from outside: keep the message short and on one line.
        let text: String = text.chars().filter(|c| !c.is_control()).take(24).collect();
        Self { text, expected: expected.into() }
    }
}
