//! The rules of Havannah as moves: placement, swap, the end, and the notation.

use kosumi_game::{Game, IllegalMove, Move, ParseMoveError, Permutation, Reward, Turn};

use crate::Havannah;
use crate::geometry::for_each_place;
use crate::position::Status;

kosumi_game::parameters! {
    /// The rules in force.
    #[derive(Copy, Eq)]
    pub struct HavannahRules {
        /// Whether the second player may answer the first move with `swap`: the stone stays, and
        /// the players exchange colours.
        swap "rules.swap": bool = true;
    }
}

/// A cell by its dense index, row by row from `a1`; the index after the last cell is the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HavannahMove(pub(crate) u16);

impl Move for HavannahMove {
    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }

    #[inline]
    fn from_index(index: usize) -> Self {
        Self(index as u16)
    }
}

impl Game for Havannah {
    type Move = HavannahMove;

    #[inline]
    fn turn(&self) -> Turn {
        Turn::Player(self.player_to_move())
    }

    /// A win for the player who holds the colour that has won.
    #[inline]
    fn outcome(&self) -> Option<Reward> {
        match self.status() {
            Status::Open => None,
            Status::Won(colour) => Some(Reward::win(self.player_of(colour))),
            Status::Drawn => Some(Reward::DRAW),
        }
    }

    fn legal_moves(&self, out: &mut Vec<HavannahMove>) {
        if self.status() != Status::Open {
            return;
        }
        let indices = &self.geometry().indices;
        for_each_place(self.board.empties(), |place| {
            out.push(HavannahMove(indices[place]));
        });
        if self.can_swap() {
            out.push(self.swap_move());
        }
    }

    fn is_legal(&self, mv: HavannahMove) -> bool {
        self.status() == Status::Open
            && match self.place_of(mv) {
                Some(place) => self.board.is_empty(place),
                None => mv == self.swap_move() && self.can_swap(),
            }
    }

    #[inline]
    fn play(&mut self, mv: HavannahMove) {
        debug_assert!(self.is_legal(mv), "illegal {}", self.move_text(mv));
        match self.place_of(mv) {
            Some(place) => self.place(place),
            None => self.swap(),
        }
    }

    fn try_play(&mut self, mv: HavannahMove) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            let reason = if self.status() != Status::Open {
                "the game is over"
            } else if self.place_of(mv).is_some() {
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
        self.geometry().cell_count() + 1
    }

    #[inline]
    fn position_hash(&self) -> u64 {
        self.stones_hash()
    }

    #[inline]
    fn state_hash(&self) -> u64 {
        self.stones_hash() ^ self.future_hash()
    }

    fn symmetries(&self) -> &[Permutation] {
        &self.geometry().symmetries
    }

    fn move_text(&self, mv: HavannahMove) -> String {
        match self.row_and_column(mv) {
            Some((y, x)) => format!("{}{}", row_letter(y), x + 1),
            None if mv == self.swap_move() => "swap".to_string(),
            None => format!("move {}", mv.0),
        }
    }

    /// Reads `a1` and the like, and `swap`, also as `swap-pieces` or `swap-sides`.
    fn parse_move(&self, text: &str) -> Result<HavannahMove, ParseMoveError> {
        let trimmed = text.trim();
        let is_swap = |word: &&str| trimmed.eq_ignore_ascii_case(word);
        if ["swap", "swap-pieces", "swap-sides"].iter().any(is_swap) {
            return Ok(self.swap_move());
        }
        self.parse_cell(trimmed).ok_or_else(|| {
            let last = self.geometry().diameter();
            let bottom = row_letter(last - 1);
            ParseMoveError::new(
                text,
                format!(
                    "expected a row from a to {bottom} and a column from 1 to {last} less than {} \
                     apart, a1 to {bottom}{last}, or swap",
                    self.size()
                ),
            )
        })
    }
}

impl Havannah {
    fn parse_cell(&self, text: &str) -> Option<HavannahMove> {
        let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
        let digits = &text[1..];
        // `parse` alone would take "+1", and "01" is nobody's notation.
        if !digits.starts_with(|digit: char| ('1'..='9').contains(&digit)) {
            return None;
        }
        let number: usize = digits.parse().ok()?;
        let y = usize::from(letter.to_ascii_lowercase() - b'a');
        self.cell(y, number.checked_sub(1)?)
    }
}

/// The letter of a row, from 0.
pub(crate) fn row_letter(y: usize) -> char {
    char::from(b'a' + y as u8)
}
