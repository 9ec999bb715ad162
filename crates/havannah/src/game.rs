//! The game: turns, swap, draws, hashes and text.

use std::fmt;

use kosumi_game::{Game, Move, ParseMoveError, Permutation, Player, Reward, Turn, zobrist_key};

use crate::board::Board;
use crate::geometry::{Geometry, PLACES, SizeError, column, contains, for_each_place, row};

/// A colour of stones. White moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    /// The colour of the first stone.
    White = 0,
    /// The other one.
    Black = 1,
}

impl Colour {
    /// Both colours, White first.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// The other colour.
    #[inline]
    #[must_use]
    pub const fn opponent(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

/// A cell by its dense index, row by row from `a1`; the index after the last cell is the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HavannahMove(u16);

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

/// What may differ between games of Havannah.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct HavannahRules {
    /// Whether the second player may answer the first move with `swap`: the stone stays, and the
    /// players exchange colours.
    pub swap: bool,
}

impl HavannahRules {
    /// Rules with or without swap.
    #[must_use]
    pub const fn new(swap: bool) -> Self {
        Self { swap }
    }
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
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
    position_hash: u64,
}

/// Tag of the game in Zobrist keys, "HAVANNAH" in ASCII; hashes may be stored, so it stays.
const TAG: u64 = 0x4841_5641_4e4e_4148;
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
        stones: impl IntoIterator<Item = (HavannahMove, Colour)>,
        to_move: Colour,
    ) -> Result<Self, SetupError> {
        let mut game = Self::new(size, rules)?;
        for (number, (mv, colour)) in stones.into_iter().enumerate() {
            let place = game.place_of(mv).ok_or(SetupError::OffBoard(number + 1))?;
            if !game.board.is_empty(place) {
                return Err(SetupError::Occupied(game.move_text(mv)));
            }
            if game.status == Status::Won(colour.opponent()) {
                game.put(colour, place);
                if game.status == Status::Won(colour) {
                    return Err(SetupError::BothWon);
                }
            } else {
                game.put(colour, place);
            }
        }
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
        if self.colour_of(Player::First) == colour {
            Player::First
        } else {
            Player::Second
        }
    }

    /// Whether the players have exchanged colours.
    #[must_use]
    pub fn swapped(&self) -> bool {
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
        Colour::BOTH
            .into_iter()
            .find(|colour| contains(self.board.stones(colour.index()), place))
    }

    /// How many stones are on the board.
    #[must_use]
    pub fn stone_count(&self) -> usize {
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
    fn place_of(&self, mv: HavannahMove) -> Option<usize> {
        let place = self.geometry().places.get(mv.index())?;
        Some(usize::from(*place))
    }

    /// The swap answers the first stone and nothing else. A function of the position alone, so that
    /// positions set up and positions played to agree.
    fn may_swap(&self) -> bool {
        self.rules.swap
            && !self.swapped
            && self.stones == 1
            && self.turn == Player::Second
            && self
                .board
                .stones(Colour::White.index())
                .iter()
                .any(|&word| word != 0)
    }

    fn put(&mut self, colour: Colour, place: usize) {
        self.stones += 1;
        self.position_hash ^= STONE_KEYS[colour.index()][place];
        if self.board.place(colour.index(), place) {
            self.status = Status::Won(colour);
        } else if self.status == Status::Open
            && usize::from(self.stones) == self.geometry().cell_count()
        {
            self.status = Status::Drawn;
        }
    }

    /// All of [`Game::state_hash`] that is not stones.
    fn turn_key(&self) -> u64 {
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

impl Game for Havannah {
    type Move = HavannahMove;

    #[inline]
    fn turn(&self) -> Turn {
        Turn::Player(self.turn)
    }

    #[inline]
    fn outcome(&self) -> Option<Reward> {
        match self.status {
            Status::Open => None,
            Status::Won(colour) => Some(Reward::win(self.player_of(colour))),
            Status::Drawn => Some(Reward::DRAW),
        }
    }

    fn legal_moves(&self, out: &mut Vec<HavannahMove>) {
        if self.status != Status::Open {
            return;
        }
        let indices = &self.geometry().indices;
        for_each_place(self.board.empties(), |place| {
            out.push(HavannahMove(indices[place]));
        });
        if self.may_swap() {
            out.push(self.swap_move());
        }
    }

    fn is_legal(&self, mv: HavannahMove) -> bool {
        self.status == Status::Open
            && match self.place_of(mv) {
                Some(place) => self.board.is_empty(place),
                None => mv == self.swap_move() && self.may_swap(),
            }
    }

    #[inline]
    fn play(&mut self, mv: HavannahMove) {
        debug_assert!(self.is_legal(mv), "illegal {}", self.move_text(mv));
        match self.place_of(mv) {
            Some(place) => self.put(self.colour_to_move(), place),
            None => self.swapped = true,
        }
        self.turn = self.turn.opponent();
    }

    fn move_space(&self) -> usize {
        self.geometry().cell_count() + 1
    }

    #[inline]
    fn position_hash(&self) -> u64 {
        self.position_hash
    }

    #[inline]
    fn state_hash(&self) -> u64 {
        self.position_hash ^ self.turn_key()
    }

    fn symmetries(&self) -> &[Permutation] {
        &self.geometry().symmetries
    }

    fn move_text(&self, mv: HavannahMove) -> String {
        match self.row_and_column(mv) {
            Some((y, x)) => format!("{}{}", row_letter(y), x + 1),
            None => "swap".to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<HavannahMove, ParseMoveError> {
        let trimmed = text.trim();
        if trimmed.eq_ignore_ascii_case("swap") {
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
        // `parse` alone would take "+1".
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
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

#[cfg(test)]
mod tests {
    use kosumi_game::testing::{Recompute, conformance};

    use super::*;
    use crate::{MAX_SIZE, MIN_SIZE, slow};

    impl Recompute for Havannah {
        fn recomputed_hashes(&self) -> (u64, u64) {
            let mut hash = 0;
            for index in 0..self.geometry().cell_count() {
                let mv = HavannahMove::from_index(index);
                let (y, x) = self.row_and_column(mv).unwrap();
                if let Some(colour) = self.stone(mv) {
                    hash ^= zobrist_key(TAG, colour as u64, (y * 32 + x) as u64);
                }
            }
            (hash, hash ^ self.turn_key())
        }

        fn check_incremental(&self) {
            let geometry = self.geometry();
            let stone = |y, x| self.stone(self.cell(y, x).unwrap());
            let won = Colour::BOTH
                .into_iter()
                .find(|&colour| slow::has_won(self.size(), |y, x| stone(y, x) == Some(colour)));
            assert_eq!(self.winner(), won);
            let mut count = 0;
            for (index, &place) in geometry.places.iter().enumerate() {
                let place = usize::from(place);
                let here = self.stone(HavannahMove::from_index(index));
                assert_eq!(self.board.is_empty(place), here.is_none());
                count += usize::from(here.is_some());
                let Some(colour) = here else { continue };
                // Marks of the chain by flooding it.
                let (mut chain, mut next) = (vec![place], 0);
                while let Some(&at) = chain.get(next) {
                    for d in 0..6 {
                        let to = crate::geometry::step(at, d);
                        let own = geometry
                            .indices
                            .get(to)
                            .is_some_and(|&index| index != u16::MAX)
                            && contains(self.board.stones(colour.index()), to);
                        if own && !chain.contains(&to) {
                            chain.push(to);
                        }
                    }
                    next += 1;
                }
                let marks = chain
                    .iter()
                    .fold(0, |marks, &at| marks | geometry.marks[at]);
                let root = self.board.root(place);
                assert_eq!(self.board.marks(root), marks);
                assert!(chain.contains(&root));
            }
            assert_eq!(self.stone_count(), count);
            let full = count == geometry.cell_count();
            assert_eq!(self.outcome().is_some(), won.is_some() || full);
        }
    }

    #[test]
    fn conforms_at_all_sizes() {
        for size in MIN_SIZE..=MAX_SIZE {
            let games = [60, 40, 24, 16, 10, 6, 4, 3][size - MIN_SIZE];
            for swap in [false, true] {
                let start = Havannah::new(size, HavannahRules::new(swap)).unwrap();
                conformance(&start, games, usize::MAX, size as u64);
            }
        }
    }

    fn game(swap: bool, moves: &str) -> Havannah {
        let mut game = Havannah::new(4, HavannahRules::new(swap)).unwrap();
        for text in moves.split_whitespace() {
            let mv = game.parse_move(text).unwrap();
            game.try_play(mv).unwrap_or_else(|e| panic!("{e}\n{game}"));
        }
        game
    }

    #[test]
    fn after_a_swap_the_first_player_has_black() {
        let after = game(true, "d4 swap");
        assert_eq!(after.turn(), Turn::Player(Player::First));
        assert_eq!(after.colour_to_move(), Colour::Black);
        assert_eq!(after.colour_of(Player::Second), Colour::White);
        assert_eq!(
            after.stone(after.parse_move("d4").unwrap()),
            Some(Colour::White)
        );
        // The stone that was swapped is White's still, and White is the second player now.
        let bridge = game(true, "a1 swap d4 a2 d5 a3 e4 a4");
        assert_eq!(bridge.winner(), Some(Colour::White));
        assert_eq!(bridge.outcome(), Some(Reward::win(Player::Second)));
        let plain = game(true, "a1 d4 a2 d5 a3 e4 a4");
        assert_eq!(plain.outcome(), Some(Reward::win(Player::First)));
    }

    #[test]
    fn only_the_answer_to_the_first_move_may_be_a_swap() {
        for (swap, moves, allowed) in [
            (true, "", false),
            (true, "d4", true),
            (false, "d4", false),
            (true, "d4 swap", false),
            (true, "d4 swap e5", false),
            (true, "d4 e5", false),
            (true, "d4 e5 d5", false),
        ] {
            let game = game(swap, moves);
            assert_eq!(game.is_legal(game.swap_move()), allowed, "{moves}");
        }
    }

    #[test]
    fn hashes_tell_what_decides_the_future() {
        let hash = |swap, moves| game(swap, moves).state_hash();
        assert_eq!(hash(true, "a1 d4 b2 e5"), hash(true, "b2 e5 a1 d4"));
        assert_eq!(hash(true, "a1 d4"), hash(false, "a1 d4"), "no swap ahead");
        assert_ne!(hash(true, "a1"), hash(false, "a1"));
        assert_ne!(hash(true, ""), hash(false, ""));
        assert_ne!(hash(true, "a1 swap"), hash(true, "a1"));
        let (mut other, here) = (game(false, "a1"), game(false, "a1"));
        other.set_turn(Colour::White);
        assert_eq!(other.position_hash(), here.position_hash());
        assert_ne!(other.state_hash(), here.state_hash());
        // Stored hashes must stay readable.
        assert_eq!(hash(false, "d4 e5"), FROZEN);
    }
    const FROZEN: u64 = 919726281747025655;

    #[test]
    fn text_that_is_no_move() {
        let game = game(false, "");
        for text in [
            "",
            "a",
            "1",
            "a0",
            "a5",
            "h4",
            "g3",
            "g8",
            "a+1",
            "ä1",
            "a1x",
            "pass",
            "a99999999999999999999",
        ] {
            let error = game.parse_move(text).unwrap_err().to_string();
            assert!(error.contains("a1 to g7"), "{error}");
        }
        assert_eq!(game.parse_move(" G7 "), Ok(game.cell(6, 6).unwrap()));
    }

    #[test]
    fn stones_that_cannot_be_set_up() {
        let cell = |text: &str| game(false, "").parse_move(text).unwrap();
        let set_up = |stones: &[(&str, Colour)]| {
            let stones = stones.iter().map(|&(text, colour)| (cell(text), colour));
            Havannah::from_stones(4, HavannahRules::default(), stones, White)
        };
        use Colour::{Black, White};
        assert!(
            matches!(set_up(&[("a1", White), ("a1", Black)]), Err(SetupError::Occupied(cell)) if cell == "a1")
        );
        assert_eq!(
            set_up(&[("swap", White)]).unwrap_err(),
            SetupError::OffBoard(1)
        );
        let white = ["a1", "a2", "a3", "a4"].map(|text| (text, White));
        let black = ["g4", "g5", "g6", "g7"].map(|text| (text, Black));
        assert_eq!(set_up(&white).unwrap().winner(), Some(White));
        assert_eq!(
            set_up(&[white, black].concat()).unwrap_err(),
            SetupError::BothWon
        );
        let none = std::iter::empty();
        let error = Havannah::from_stones(12, HavannahRules::default(), none, White).unwrap_err();
        assert!(error.to_string().contains("3 to 10"), "{error}");
    }
}
