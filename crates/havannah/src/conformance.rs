//! The conformance suite with everything recomputed from the stones, and the rules by example.

use kosumi_game::testing::{Recompute, conformance};
use kosumi_game::{Game, Move, Player, Reward, Turn, zobrist_key};

use crate::geometry::{contains, step};
use crate::position::TAG;
use crate::{Colour, Havannah, HavannahMove, HavannahRules, MAX_SIZE, MIN_SIZE, SetupError, slow};

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
        (hash, hash ^ self.future_hash())
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
                    let to = step(at, d);
                    let own = geometry.indices.get(to).is_some_and(|&index| index != u16::MAX)
                        && contains(self.board.stones(colour.index()), to);
                    if own && !chain.contains(&to) {
                        chain.push(to);
                    }
                }
                next += 1;
            }
            let marks = chain.iter().fold(0, |marks, &at| marks | geometry.marks[at]);
            let root = self.board.root(place);
            assert_eq!(self.board.marks(root), marks);
            assert!(chain.contains(&root));
        }
        assert_eq!(self.stones(), count);
        let full = count == geometry.cell_count();
        assert_eq!(self.outcome().is_some(), won.is_some() || full);
    }
}

#[test]
fn conforms_at_all_sizes() {
    for size in MIN_SIZE..=MAX_SIZE {
        let games = [60, 40, 24, 16, 10, 6, 4, 3][size - MIN_SIZE];
        for swap in [false, true] {
            let start = Havannah::new(size, HavannahRules { swap }).unwrap();
            conformance(&start, games, usize::MAX, size as u64);
        }
    }
}

fn game(swap: bool, moves: &str) -> Havannah {
    let mut game = Havannah::new(4, HavannahRules { swap }).unwrap();
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
    assert_eq!(after.stone(after.parse_move("d4").unwrap()), Some(Colour::White));
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
        let stones = stones.iter().map(|&(text, colour)| (colour, cell(text)));
        Havannah::from_stones(4, HavannahRules::default(), stones, White)
    };
    use Colour::{Black, White};
    assert!(
        matches!(set_up(&[("a1", White), ("a1", Black)]), Err(SetupError::Occupied(cell)) if cell == "a1")
    );
    assert_eq!(set_up(&[("swap", White)]).unwrap_err(), SetupError::OffBoard(1));
    let white = ["a1", "a2", "a3", "a4"].map(|text| (text, White));
    let black = ["g4", "g5", "g6", "g7"].map(|text| (text, Black));
    assert_eq!(set_up(&white).unwrap().winner(), Some(White));
    assert_eq!(set_up(&[white, black].concat()).unwrap_err(), SetupError::BothWon);
    let none = std::iter::empty();
    let error = Havannah::from_stones(12, HavannahRules::default(), none, White).unwrap_err();
    assert!(error.to_string().contains("3 to 10"), "{error}");
}
