//! A position: who holds which colour, whose turn it is, how the game stands, hashes, set-up.

use kosumi_game::{Game, Move, Player, zobrist_key};

use crate::board::Board;
use crate::geometry::{Geometry, PLACES, SizeError, column, contains, row};
use crate::{Colour, HavannahMove, HavannahRules};

/// Why stones could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A stone is not on a cell of this board.
    #[error("stone number {0} is not on a cell of the board")]
    OffBoard(usize),
    /// A cell was given twice.
    #[error("two stones on {0}: leave one of them out")]
    Occupied(String),
    /// No game comes to such a position.
    #[error("both colours have won: a game ends with the first win")]
    BothWon,
}

/// How the game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Open,
    Won(Colour),
    Drawn,
}

/// A position of Havannah.
///
/// A [`Player`] is a person and keeps the seat for the whole game; a [`Colour`] is what the person
/// plays. [`Player::First`] starts with White and holds Black after a swap.
#[derive(Clone, Debug)]
pub struct Havannah {
    pub(crate) board: Board,
    rules: HavannahRules,
    turn: Player,
    swapped: bool,
    status: Status,
    stones: u16,
    /// The place of the last stone played, `NO_PLACE` at first.
    last: u16,
    position_hash: u64,
}

const NO_PLACE: u16 = u16::MAX;

/// Tag of the game in Zobrist keys, "HAVANNAH" in ASCII; hashes may be stored, so it stays.
pub(crate) const TAG: u64 = 0x4841_5641_4e4e_4148;
/// Features of Zobrist keys; 0 and 1 are stones by colour.
const BLACK_TO_MOVE: u64 = 2;
const SWAPPED: u64 = 3;
const SIZE: u64 = 4;
const SWAP_AHEAD: u64 = 5;

static STONE_KEYS: [[u64; PLACES]; 2] = {
    let mut keys = [[0; PLACES]; 2];
    let mut place = 0;
    while place < PLACES {
        keys[0][place] = zobrist_key(TAG, 0, place as u64);
        keys[1][place] = zobrist_key(TAG, 1, place as u64);
        place += 1;
    }
    keys
};

impl Havannah {
    /// The empty board of a base size (cells along an edge), White to move.
    ///
    /// # Errors
    /// Sizes are [`crate::MIN_SIZE`] to [`crate::MAX_SIZE`].
    pub fn new(size: usize, rules: HavannahRules) -> Result<Self, SizeError> {
        Ok(Self {
            board: Board::new(Geometry::of(size)?),
            rules,
            turn: Player::First,
            swapped: false,
            status: Status::Open,
            stones: 0,
            last: NO_PLACE,
            position_hash: 0,
        })
    }

    /// A position with these stones, `to_move` next. Nobody has swapped: [`Player::First`] holds
    /// White.
    ///
    /// # Errors
    /// The size must be supported, the stones on different cells, and not both colours have won.
    pub fn from_stones(
        size: usize,
        rules: HavannahRules,
        stones: impl IntoIterator<Item = (Colour, HavannahMove)>,
        to_move: Colour,
    ) -> Result<Self, SetupError> {
        let mut game = Self::new(size, rules)?;
        for (number, (colour, mv)) in stones.into_iter().enumerate() {
            let place = game.place_of(mv).ok_or(SetupError::OffBoard(number + 1))?;
            if !game.board.is_empty(place) {
                return Err(SetupError::Occupied(game.move_text(mv)));
            }
            let lost = game.status == Status::Won(colour.opponent());
            game.put(colour, place);
            if lost && game.status == Status::Won(colour) {
                return Err(SetupError::BothWon);
            }
        }
        game.last = NO_PLACE;
        game.set_turn(to_move);
        Ok(game)
    }

    /// The board's base size.
    #[must_use]
    pub fn size(&self) -> usize {
        self.geometry().size
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> HavannahRules {
        self.rules
    }

    /// The colour that the player to move holds.
    #[inline]
    #[must_use]
    pub fn colour_to_move(&self) -> Colour {
        self.colour_of(self.turn)
    }

    /// The colour that a player holds.
    #[inline]
    #[must_use]
    pub fn colour_of(&self, player: Player) -> Colour {
        match (player, self.swapped) {
            (Player::First, false) | (Player::Second, true) => Colour::White,
            _ => Colour::Black,
        }
    }

    /// The player who holds a colour.
    #[inline]
    #[must_use]
    pub fn player_of(&self, colour: Colour) -> Player {
        if self.colour_of(Player::First) == colour { Player::First } else { Player::Second }
    }

    /// Whether the players have exchanged colours.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// Makes it `colour`'s turn, for protocols that name the colour of each move.
    pub fn set_turn(&mut self, colour: Colour) {
        self.turn = self.player_of(colour);
    }

    /// The stone on a cell; `None` on empty cells and for the swap.
    #[must_use]
    pub fn stone(&self, mv: HavannahMove) -> Option<Colour> {
        let place = self.place_of(mv)?;
        Colour::BOTH.into_iter().find(|colour| contains(self.board.stones(colour.index()), place))
    }

    /// How many stones are on the board.
    #[must_use]
    pub fn stones(&self) -> usize {
        self.stones.into()
    }

    /// The colour that has won.
    #[must_use]
    pub fn winner(&self) -> Option<Colour> {
        match self.status {
            Status::Won(colour) => Some(colour),
            _ => None,
        }
    }

    /// Whether a stone of `colour` on the cell `mv` would win at once. False for occupied cells,
    /// the swap, and when the game is over.
    #[must_use]
    pub fn would_win(&self, colour: Colour, mv: HavannahMove) -> bool {
        self.status == Status::Open
            && self.place_of(mv).is_some_and(|place| {
                self.board.is_empty(place) && self.board.would_win(colour.index(), place)
            })
    }

    /// The move that takes over the first stone.
    #[must_use]
    pub fn swap_move(&self) -> HavannahMove {
        HavannahMove::from_index(self.geometry().cell_count())
    }

    /// The cell in row `y` and column `x`, both from 0, if it is on the board.
    #[must_use]
    pub fn cell(&self, y: usize, x: usize) -> Option<HavannahMove> {
        let place = self.geometry().place(y, x)?;
        Some(HavannahMove(self.geometry().indices[place]))
    }

    /// Row and column of a cell, both from 0; `None` for the swap.
    #[must_use]
    pub fn row_and_column(&self, mv: HavannahMove) -> Option<(usize, usize)> {
        self.place_of(mv).map(|place| (row(place), column(place)))
    }

    pub(crate) fn geometry(&self) -> &'static Geometry {
        self.board.geometry
    }

    #[inline]
    pub(crate) fn place_of(&self, mv: HavannahMove) -> Option<usize> {
        let place = self.geometry().places.get(mv.index())?;
        Some(usize::from(*place))
    }

    /// Whether the second player may still exchange colours, now or after the next move.
    #[must_use]
    pub fn swap_may_come(&self) -> bool {
        self.rules.swap && !self.swapped && self.stones <= 1 && self.status == Status::Open
    }

    /// Whether `swap` is legal: it answers the first stone and nothing else. A function of the
    /// position alone, so that positions set up and positions played to agree.
    #[must_use]
    pub fn can_swap(&self) -> bool {
        let white = self.board.stones(Colour::White.index());
        self.rules.swap
            && !self.swapped
            && self.stones == 1
            && self.turn == Player::Second
            && white.iter().any(|&word| word != 0)
    }

    /// The last stone played; `None` on an empty board and after setting up.
    #[must_use]
    pub fn last_stone(&self) -> Option<HavannahMove> {
        self.last_place().map(|place| HavannahMove(self.geometry().indices[place]))
    }

    #[inline]
    pub(crate) fn last_place(&self) -> Option<usize> {
        (self.last != NO_PLACE).then_some(self.last.into())
    }

    #[inline]
    pub(crate) fn status(&self) -> Status {
        self.status
    }

    #[inline]
    pub(crate) fn player_to_move(&self) -> Player {
        self.turn
    }

    /// A stone of the colour to move on the empty cell `place`, and the turn passes.
    #[inline]
    pub(crate) fn place(&mut self, place: usize) {
        self.put(self.colour_to_move(), place);
        self.turn = self.turn.opponent();
    }

    /// The players exchange colours, and the turn passes.
    pub(crate) fn swap(&mut self) {
        self.swapped = true;
        self.turn = self.turn.opponent();
    }

    fn put(&mut self, colour: Colour, place: usize) {
        self.stones += 1;
        self.last = place as u16;
        self.position_hash ^= STONE_KEYS[colour.index()][place];
        if self.board.place(colour.index(), place) {
            self.status = Status::Won(colour);
        } else if self.status == Status::Open
            && usize::from(self.stones) == self.geometry().cell_count()
        {
            self.status = Status::Drawn;
        }
    }

    /// The stones' hash.
    #[inline]
    pub(crate) fn stones_hash(&self) -> u64 {
        self.position_hash
    }

    /// All of [`Game::state_hash`] that is not stones.
    pub(crate) fn future_hash(&self) -> u64 {
        let mut key = zobrist_key(TAG, SIZE, self.size() as u64);
        if self.colour_to_move() == Colour::Black {
            key ^= zobrist_key(TAG, BLACK_TO_MOVE, 0);
        }
        if self.swapped {
            key ^= zobrist_key(TAG, SWAPPED, 0);
        } else if self.rules.swap && self.stones <= 1 {
            key ^= zobrist_key(TAG, SWAP_AHEAD, 0);
        }
        key
    }
}
