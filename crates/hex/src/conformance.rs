//! Hex under the conformance suite, and its rules by hand.

use kosumi_game::testing::{Recompute, conformance};
use kosumi_game::{Game, Move, Player, Reward, Turn, zobrist_key};
use proptest::prelude::*;

use crate::geometry::{Point, key};
use crate::{Cell, Colour, Hex, HexMove, HexRules, MAX_SIZE, MIN_SIZE, SetupError};

const SWAP: HexRules = HexRules { swap: true };
const NO_SWAP: HexRules = HexRules { swap: false };

/// All places joined to `from` through cells of its colour, border included; no shared code with
/// the union-find.
fn reach(position: &Hex, from: Point) -> Vec<Point> {
    let colour = position.cell(from);
    let mut found = vec![from];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        let (c, r) = (at.column(), at.row());
        for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let (Some(c), Some(r)) = (c.checked_add_signed(dc), r.checked_add_signed(dr)) else {
                continue;
            };
            if c > position.size() + 1 || r > position.size() + 1 {
                continue;
            }
            let to = Point::new(c, r);
            if position.cell(to) == colour && !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

impl Recompute for Hex {
    fn recomputed_hashes(&self) -> (u64, u64) {
        let mut hash = zobrist_key(key::HEX, key::SIZE, self.size() as u64);
        for &point in self.points() {
            if let Some(colour) = self.cell(point).colour() {
                let place = (point.row() * 32 + point.column()) as u64;
                hash ^= zobrist_key(key::HEX, colour.index() as u64, place);
            }
        }
        let mut state = hash;
        if self.colour_to_move() == Colour::White {
            state ^= zobrist_key(key::HEX, key::WHITE_TO_MOVE, 0);
        }
        if self.is_swapped() {
            state ^= zobrist_key(key::HEX, key::SWAPPED, 0);
        }
        match self.stones() {
            0 if self.rules().swap => state ^= zobrist_key(key::HEX, key::SWAP, 0),
            1 if self.rules().swap && !self.is_swapped() => {
                state ^= zobrist_key(key::HEX, key::SWAP, 1);
            }
            _ => {}
        }
        (hash, state)
    }

    fn check_incremental(&self) {
        let stones = self.points().iter().filter(|&&p| self.cell(p) != Cell::Empty);
        assert_eq!(stones.clone().count(), self.stones());
        let mut winner = None;
        for colour in Colour::BOTH {
            let [start, goal] = self.sides(colour);
            if reach(self, start).contains(&goal) {
                assert_eq!(winner, None, "both sides won:\n{self}");
                winner = Some(colour);
            }
        }
        assert_eq!(self.winner(), winner, "\n{self}");
        for &from in stones {
            let chain = reach(self, from);
            for &to in self.points() {
                assert_eq!(
                    self.chain(from) == self.chain(to),
                    chain.contains(&to),
                    "{from} and {to}:\n{self}"
                );
            }
        }
    }
}

#[test]
fn random_games_keep_every_promise() {
    for rules in [SWAP, NO_SWAP] {
        for (size, games) in [(3, 2000), (4, 1000), (5, 500), (7, 100), (11, 10)] {
            let start = Hex::new(size, rules).unwrap();
            conformance(&start, games, 500, 1);
        }
    }
    let start = Hex::new(19, SWAP).unwrap();
    conformance(&start, 1, 60, 2);
}

#[test]
fn games_after_the_swap_keep_every_promise() {
    // The suite maps whole games from the start, so the start itself must be symmetric.
    for (size, centre, games) in [(3, "b2", 200), (5, "c3", 50)] {
        let mut start = Hex::new(size, SWAP).unwrap();
        play(&mut start, &[centre, "swap"]);
        conformance(&start, games, 100, 3);
    }
}

fn play(position: &mut Hex, moves: &[&str]) {
    for text in moves {
        let mv = position.parse_move(text).unwrap();
        position.try_play(mv).unwrap();
    }
}

#[test]
fn the_swap_exchanges_persons_and_leaves_the_stone() {
    let mut position = Hex::new(5, SWAP).unwrap();
    assert!(!position.can_swap());
    play(&mut position, &["c3"]);
    assert_eq!(position.turn(), Turn::Player(Player::Second));
    assert_eq!(position.colour_to_move(), Colour::White);
    let before = position.position_hash();
    play(&mut position, &["SWAP-pieces"]);
    assert_eq!(position.position_hash(), before);
    assert_eq!(position.cell(Point::new(3, 3)), Cell::Black);
    assert_eq!(position.turn(), Turn::Player(Player::First));
    assert_eq!(position.colour_to_move(), Colour::White);
    assert_eq!(position.colour_of(Player::Second), Colour::Black);
    assert!(!position.can_swap());
    // Black, now the second player, walks down column c.
    play(&mut position, &["a1", "c2", "a2", "c1", "a4", "c4", "b1", "c5"]);
    assert_eq!(position.winner(), Some(Colour::Black));
    assert_eq!(position.outcome(), Some(Reward::win(Player::Second)));
}

#[test]
fn the_swap_is_refused_at_any_other_time() {
    let mut position = Hex::new(5, SWAP).unwrap();
    let swap = position.swap_move();
    let error = position.try_play(swap).unwrap_err();
    assert!(error.to_string().contains("first stone"), "{error}");
    play(&mut position, &["c3", "d3"]);
    assert!(position.try_play(swap).is_err());
    let mut without = Hex::new(5, NO_SWAP).unwrap();
    play(&mut without, &["c3"]);
    let error = without.try_play(swap).unwrap_err();
    assert!(error.to_string().contains("rules.swap"), "{error}");
}

#[test]
fn what_decides_the_future_is_in_the_state_hash() {
    let mut swapped = Hex::new(5, SWAP).unwrap();
    let empty = swapped.state_hash();
    assert_ne!(empty, Hex::new(5, NO_SWAP).unwrap().state_hash());
    assert_ne!(empty, Hex::new(6, SWAP).unwrap().state_hash());
    play(&mut swapped, &["c3"]);
    let open = swapped.clone();
    let mut settled = swapped.clone();
    settled.set_turn(Colour::Black);
    settled.set_turn(Colour::White);
    assert!(open.can_swap() && !settled.can_swap());
    play(&mut swapped, &["swap"]);
    let hashes = [open, settled, swapped].map(|p| p.state_hash());
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
}

#[test]
fn hashes_never_change() {
    // Frozen: stored books and caches are keyed by these.
    let mut position = Hex::new(11, SWAP).unwrap();
    let empty = (position.position_hash(), position.state_hash());
    play(&mut position, &["a2", "swap", "k11"]);
    let later = (position.position_hash(), position.state_hash());
    assert_eq!([empty, later], FROZEN);
}
const FROZEN: [(u64, u64); 2] =
    [(4907768700177693514, 11808221777316304759), (863636591340589262, 14385718770492883642)];

#[test]
fn text_is_read_as_written_and_nothing_else() {
    for size in MIN_SIZE..=MAX_SIZE {
        let position = Hex::new(size, SWAP).unwrap();
        for index in 0..position.move_space() {
            let mv = HexMove::from_index(index);
            assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
        }
    }
    let position = Hex::new(11, SWAP).unwrap();
    let read = |text: &str| position.parse_move(text).ok().and_then(|mv| position.point(mv));
    assert_eq!(read("I10"), Some(Point::new(9, 10)));
    assert_eq!(position.parse_move("swap"), Ok(position.swap_move()));
    for bad in [
        "",
        "a",
        "a0",
        "a12",
        "l1",
        "1a",
        "a+1",
        "a01",
        "aa1",
        "é1",
        "pass",
        "a999999999999999999999",
    ] {
        let error = position.parse_move(bad).unwrap_err();
        assert!(error.to_string().contains("a1 to k11 or swap-pieces"), "{error}");
    }
}

#[test]
fn white_joins_left_and_right() {
    let position = Hex::from_diagram(
        "  a b c d
         1  B . . .
          2  . . W W
           3  W W B .
            4  . . B .",
        SWAP,
        Colour::Black,
    )
    .unwrap();
    assert_eq!(position.winner(), Some(Colour::White));
    assert_eq!(position.outcome(), Some(Reward::win(Player::Second)));
    // One step to the left at c2 and the chain is cut: b2 touches b3, but d2 does not touch b2.
    let position = Hex::from_diagram(
        ". . . .
         . W . W
         W W . .
         . . . .",
        SWAP,
        Colour::Black,
    )
    .unwrap();
    assert_eq!(position.winner(), None);
}

#[test]
fn diagrams_are_read_as_written() {
    let mut position = Hex::new(4, NO_SWAP).unwrap();
    play(&mut position, &["b1", "a2", "d4"]);
    let text = position.to_string();
    let expected = "   a b c d
 1  . B . .
  2  W . . .
   3  . . . .
    4  . . . B";
    assert_eq!(text, expected);
    let read = Hex::from_diagram(&text, NO_SWAP, Colour::White).unwrap();
    assert_eq!(read.state_hash(), position.state_hash());
    let large = Hex::new(19, NO_SWAP).unwrap();
    let read = Hex::from_diagram(&large.to_string(), NO_SWAP, Colour::Black).unwrap();
    assert_eq!(read.size(), 19);
}

#[test]
fn bad_set_ups_name_the_place() {
    let read = |text| Hex::from_diagram(text, SWAP, Colour::Black).unwrap_err();
    assert_eq!(read(""), SetupError::Size(0));
    assert_eq!(read(". . .\n. x .\n. . ."), SetupError::Diagram { line: 2, token: "x".into() });
    assert_eq!(
        read("a b c\n. . .\n. .\n. . ."),
        SetupError::NotSquare { line: 3, cells: 2, rows: 3 }
    );
    assert!(matches!(Hex::new(20, SWAP), Err(SetupError::Size(20))));
    let twice = [(Colour::Black, HexMove(4)), (Colour::White, HexMove(4))];
    let error = Hex::from_stones(3, SWAP, twice, Colour::Black).unwrap_err();
    assert_eq!(error, SetupError::Occupied(Point::new(2, 2)));
    let outside = [(Colour::Black, HexMove(9))];
    let error = Hex::from_stones(3, SWAP, outside, Colour::Black).unwrap_err();
    assert!(error.to_string().contains("3x3"), "{error}");
}

#[test]
fn a_colour_may_move_twice() {
    let mut position = Hex::new(3, SWAP).unwrap();
    for text in ["a1", "a2", "a3"] {
        position.set_turn(Colour::Black);
        play(&mut position, &[text]);
    }
    assert_eq!(position.winner(), Some(Colour::Black));
}

proptest! {
    /// Any stones in any order, colours not alternating: chains and winner as recomputed.
    #[test]
    fn set_ups_agree_with_recomputation(
        size in 3usize..=7,
        cells in prop::collection::vec(0u8..3, 49),
    ) {
        let stones = cells.iter().take(size * size).enumerate().filter_map(|(index, &bits)| {
            Some((Cell::from_bits(bits).colour()?, HexMove(index as u16)))
        });
        let position = Hex::from_stones(size, NO_SWAP, stones, Colour::White).unwrap();
        position.check_incremental();
        prop_assert_eq!(
            (position.position_hash(), position.state_hash()),
            position.recomputed_hashes()
        );
        let again = Hex::from_diagram(&position.to_string(), NO_SWAP, Colour::White).unwrap();
        prop_assert_eq!(again.state_hash(), position.state_hash());
    }

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let position = Hex::new(9, SWAP).unwrap();
        let _ = position.parse_move(&text);
        let _ = Hex::from_diagram(&text, SWAP, Colour::Black);
    }
}
