//! A position of Hex (H1): stones, chains, the colour to move and who holds it.

use kosumi_game::{Player, zobrist_key};

use crate::chains::Chains;
use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE, POINTS, Point, geometry, key};
use crate::{Cell, Colour, HexMove, HexRules};

/// Where the swap stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swap {
    /// Not possible any more, or never.
    Settled,
    /// The first stone is still to come.
    Ahead,
    /// The player to move may swap.
    Possible,
}

/// A position of Hex with all that decides its future.
///
/// Colours belong to the board and [`Player`]s are persons: `First` starts with Black, and a swap
/// exchanges the two persons while the stone stays. So after `a1 swap-pieces` White is to move in
/// the hands of `First`, and if Black joins top and bottom the game is won by `Second`. Turns and
/// rewards speak of persons throughout, as a search needs it.
#[derive(Clone, Debug)]
pub struct Hex {
    geometry: &'static Geometry,
    hash: u64,
    /// The padded board as the bits of [`Cell`].
    cells: [u8; POINTS],
    chains: Chains,
    stones: u16,
    last: Option<Point>,
    to_move: Colour,
    /// Who holds Black.
    black: Player,
    swap: Swap,
    winner: Option<Colour>,
    rules: HexRules,
}

/// Why a position could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There is no board of that size.
    #[error("no Hex board of size {0}: choose {MIN_SIZE} to {MAX_SIZE}")]
    Size(usize),
    /// Two stones on one cell.
    #[error("two stones on {0}: give each cell at most once")]
    Occupied(Point),
    /// A stone that is on no cell of the board.
    #[error("move {index} of the set-up is no cell of a {size}x{size} board")]
    OffBoard {
        /// The index of the move.
        index: usize,
        /// The size of the board.
        size: usize,
    },
    /// A line of a diagram that is neither a row nor a line of column letters.
    #[error("line {line} of the diagram: '{token}' is no cell; write '.', 'B' or 'W'")]
    Diagram {
        /// The line, from 1.
        line: usize,
        /// What was read there.
        token: String,
    },
    /// A row of a diagram that is longer or shorter than the board is high.
    #[error("line {line} of the diagram has {cells} cells, but there are {rows} rows")]
    NotSquare {
        /// The line, from 1.
        line: usize,
        /// How many cells it has.
        cells: usize,
        /// How many rows the diagram has.
        rows: usize,
    },
}

impl Hex {
    /// The empty board of `size` x `size`, Black to move.
    ///
    /// # Errors
    /// If the size is not from [`MIN_SIZE`] to [`MAX_SIZE`].
    pub fn new(size: usize, rules: HexRules) -> Result<Self, SetupError> {
        let geometry = geometry(size).ok_or(SetupError::Size(size))?;
        Ok(Self {
            geometry,
            hash: geometry.empty_key,
            cells: geometry.empty,
            chains: Chains::new(geometry),
            stones: 0,
            last: None,
            to_move: Colour::Black,
            black: Player::First,
            swap: if rules.swap { Swap::Ahead } else { Swap::Settled },
            winner: None,
            rules,
        })
    }

    /// A board with stones on it, in any number of each colour. The swap is no longer possible and
    /// `First` holds Black.
    ///
    /// # Errors
    /// If there is no such board, or a stone stands outside or on another.
    pub fn from_stones(
        size: usize,
        rules: HexRules,
        stones: impl IntoIterator<Item = (Colour, HexMove)>,
        to_move: Colour,
    ) -> Result<Self, SetupError> {
        let mut position = Self::new(size, rules)?;
        position.swap = Swap::Settled;
        for (colour, mv) in stones {
            let index = usize::from(mv.0);
            let point = position.point(mv).ok_or(SetupError::OffBoard { index, size })?;
            if position.cell(point) != Cell::Empty {
                return Err(SetupError::Occupied(point));
            }
            position.to_move = colour;
            position.place(point);
        }
        position.to_move = to_move;
        position.last = None;
        Ok(position)
    }

    /// The number of rows and of columns.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.geometry.size
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> HexRules {
        self.rules
    }

    /// What a cell or a piece of the border holds.
    #[inline]
    #[must_use]
    pub fn cell(&self, at: Point) -> Cell {
        Cell::from_bits(self.cells[at.index()])
    }

    /// The cells of the board in the order of move indices, row by row.
    #[must_use]
    pub fn points(&self) -> &'static [Point] {
        &self.geometry.points
    }

    /// How many stones there are.
    #[must_use]
    pub fn stones(&self) -> usize {
        usize::from(self.stones)
    }

    /// The cell of the last stone that was played; `None` on an empty or set-up board.
    #[inline]
    #[must_use]
    pub fn last_stone(&self) -> Option<Point> {
        self.last
    }

    /// The colour that has joined its sides.
    #[inline]
    #[must_use]
    pub fn winner(&self) -> Option<Colour> {
        self.winner
    }

    /// A place that stands for the whole chain of a stone or side: equal for two places exactly
    /// if they are connected. An empty cell stands for itself.
    #[inline]
    #[must_use]
    pub fn chain(&self, at: Point) -> Point {
        self.chains.root(at)
    }

    /// One place on each of a colour's two sides: top and bottom, or left and right.
    #[inline]
    #[must_use]
    pub fn sides(&self, colour: Colour) -> [Point; 2] {
        self.geometry.sides[colour.index()]
    }

    /// The colour of the next stone. When the swap is possible this is White, whose holder may
    /// swap instead.
    #[inline]
    #[must_use]
    pub fn colour_to_move(&self) -> Colour {
        self.to_move
    }

    /// The colour a person holds now.
    #[inline]
    #[must_use]
    pub fn colour_of(&self, player: Player) -> Colour {
        if player == self.black { Colour::Black } else { Colour::White }
    }

    /// The person who holds a colour now.
    #[inline]
    #[must_use]
    pub fn player_of(&self, colour: Colour) -> Player {
        match colour {
            Colour::Black => self.black,
            Colour::White => self.black.opponent(),
        }
    }

    /// Whether the persons have exchanged their colours.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        self.black == Player::Second
    }

    /// Whether the player to move may swap.
    #[inline]
    #[must_use]
    pub fn can_swap(&self) -> bool {
        self.swap == Swap::Possible && self.winner.is_none()
    }

    /// Whether the swap is possible now or after the next stone, so that more than the board decides
    /// the game.
    #[must_use]
    pub fn swap_may_come(&self) -> bool {
        self.swap != Swap::Settled && self.winner.is_none()
    }

    /// Gives the move to a colour, for protocols in which one colour may play twice. A move out
    /// of turn settles the swap.
    pub fn set_turn(&mut self, colour: Colour) {
        if colour != self.to_move {
            self.to_move = colour;
            self.settle_swap();
        }
    }

    /// The colour to move gives up the swap.
    pub fn settle_swap(&mut self) {
        self.swap = Swap::Settled;
    }

    /// The swap on a board of this size.
    #[inline]
    #[must_use]
    pub fn swap_move(&self) -> HexMove {
        HexMove(self.geometry.points.len() as u16)
    }

    /// The cell of a move; `None` for the swap and for moves of larger boards.
    #[inline]
    #[must_use]
    pub fn point(&self, mv: HexMove) -> Option<Point> {
        self.geometry.points.get(usize::from(mv.0)).copied()
    }

    /// The move that places a stone on a cell; `None` for the border.
    #[inline]
    #[must_use]
    pub fn move_at(&self, at: Point) -> Option<HexMove> {
        let index = self.geometry.move_of[at.index()];
        (index != u16::MAX).then_some(HexMove(index))
    }

    pub(crate) fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    #[inline]
    pub(crate) fn cells(&self) -> &[u8; POINTS] {
        &self.cells
    }

    /// Places a stone of the colour to move on an empty cell.
    #[inline]
    pub(crate) fn place(&mut self, at: Point) {
        let colour = self.to_move;
        self.cells[at.index()] = colour.cell() as u8;
        self.hash ^= self.geometry.stone_keys[colour.index()][at.index()];
        self.stones += 1;
        self.last = Some(at);
        self.to_move = colour.opponent();
        self.swap = match self.swap {
            Swap::Ahead => Swap::Possible,
            _ => Swap::Settled,
        };
        for neighbour in at.neighbours() {
            if self.cells[neighbour.index()] == colour.cell() as u8 {
                self.chains.join(at, neighbour);
            }
        }
        let [start, goal] = self.sides(colour);
        if self.winner.is_none() && self.chains.root(start) == self.chains.root(goal) {
            self.winner = Some(colour);
        }
    }

    /// The persons exchange colours; White stays to move.
    pub(crate) fn swap(&mut self) {
        self.black = self.black.opponent();
        self.swap = Swap::Settled;
    }

    #[inline]
    pub(crate) fn stones_hash(&self) -> u64 {
        self.hash
    }

    /// The part of the state's hash that is not on the board.
    pub(crate) fn future_hash(&self) -> u64 {
        const WHITE_TO_MOVE: u64 = zobrist_key(key::HEX, key::WHITE_TO_MOVE, 0);
        const AHEAD: u64 = zobrist_key(key::HEX, key::SWAP, 0);
        const POSSIBLE: u64 = zobrist_key(key::HEX, key::SWAP, 1);
        const SWAPPED: u64 = zobrist_key(key::HEX, key::SWAPPED, 0);
        let turn = match self.to_move {
            Colour::Black => 0,
            Colour::White => WHITE_TO_MOVE,
        };
        let swap = match self.swap {
            Swap::Settled => 0,
            Swap::Ahead => AHEAD,
            Swap::Possible => POSSIBLE,
        };
        let seats = if self.is_swapped() { SWAPPED } else { 0 };
        turn ^ swap ^ seats
    }
}
