//! The rules of Hex (H1): placement, swap, the win, and the notation of moves.

use kosumi_game::{Game, IllegalMove, Move, ParseMoveError, Permutation, Reward, Turn};

use crate::geometry::Point;
use crate::{Cell, Hex};

kosumi_game::parameters! {
    /// The rules in force.
    #[derive(Copy, Eq)]
    pub struct HexRules {
        /// Whether the second player may take over Black after the first stone.
        swap "rules.swap": bool = true;
    }
}

/// A move on a board of `n` x `n`: a cell, numbered row by row from a1 = 0, or the swap, number
/// `n`². What it means depends on the size; [`Hex::point`] and [`Hex::move_at`] translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HexMove(pub(crate) u16);

impl Move for HexMove {
    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }

    #[inline]
    fn from_index(index: usize) -> Self {
        Self(index as u16)
    }
}

/// How the swap is written.
const SWAP_TEXT: &str = "swap-pieces";

impl Game for Hex {
    type Move = HexMove;

    /// The person who holds the colour to move, see [`Hex::colour_of`].
    #[inline]
    fn turn(&self) -> Turn {
        Turn::Player(self.player_of(self.colour_to_move()))
    }

    /// A win for the person who holds the colour that joined its sides.
    #[inline]
    fn outcome(&self) -> Option<Reward> {
        self.winner().map(|colour| Reward::win(self.player_of(colour)))
    }

    fn legal_moves(&self, out: &mut Vec<HexMove>) {
        if self.winner().is_some() {
            return;
        }
        let cells = self.cells();
        out.extend(
            (0u16..)
                .zip(&self.geometry().points)
                .filter(|(_, point)| cells[point.index()] == Cell::Empty as u8)
                .map(|(index, _)| HexMove(index)),
        );
        if self.can_swap() {
            out.push(self.swap_move());
        }
    }

    fn is_legal(&self, mv: HexMove) -> bool {
        if self.winner().is_some() {
            return false;
        }
        match self.point(mv) {
            Some(point) => self.cell(point) == Cell::Empty,
            None => mv == self.swap_move() && self.can_swap(),
        }
    }

    #[inline]
    fn play(&mut self, mv: HexMove) {
        debug_assert!(self.is_legal(mv), "{}", self.move_text(mv));
        match self.point(mv) {
            Some(point) => self.place(point),
            None => self.swap(),
        }
    }

    fn try_play(&mut self, mv: HexMove) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            let reason = if self.winner().is_some() {
                "the game is over"
            } else if self.point(mv).is_some() {
                "the cell is occupied"
            } else if mv != self.swap_move() {
                "not on this board"
            } else if self.rules().swap {
                "the swap is only possible as the answer to the first stone"
            } else {
                "the swap rule is off (rules.swap)"
            };
            return Err(IllegalMove::new(self.move_text(mv), reason));
        }
        self.play(mv);
        Ok(())
    }

    fn move_space(&self) -> usize {
        self.size() * self.size() + 1
    }

    fn position_hash(&self) -> u64 {
        self.stones_hash()
    }

    fn state_hash(&self) -> u64 {
        self.stones_hash() ^ self.future_hash()
    }

    fn symmetries(&self) -> &[Permutation] {
        &self.geometry().symmetries
    }

    fn move_text(&self, mv: HexMove) -> String {
        match self.point(mv) {
            Some(point) => point.to_string(),
            None if mv == self.swap_move() => SWAP_TEXT.to_string(),
            None => format!("move {}", mv.0),
        }
    }

    /// Reads `a1` and the like, and `swap-pieces`, also as `swap` or `swap-sides`.
    fn parse_move(&self, text: &str) -> Result<HexMove, ParseMoveError> {
        let lower = text.trim().to_ascii_lowercase();
        if matches!(lower.as_str(), SWAP_TEXT | "swap" | "swap-sides") {
            return Ok(self.swap_move());
        }
        let cell = || {
            let mut chars = lower.chars();
            let letter = chars.next().filter(char::is_ascii_lowercase)?;
            let digits = chars.as_str();
            // `parse` alone would also take "+1", and "01" is nobody's notation.
            if !digits.starts_with(|c: char| ('1'..='9').contains(&c)) {
                return None;
            }
            let row: usize = digits.parse().ok()?;
            let column = letter as usize - 'a' as usize + 1;
            (column <= self.size() && row <= self.size())
                .then(|| self.move_at(Point::new(column, row)))?
        };
        cell().ok_or_else(|| {
            let last = Point::new(self.size(), self.size());
            ParseMoveError::new(text, format!("expected a1 to {last} or {SWAP_TEXT}"))
        })
    }
}
