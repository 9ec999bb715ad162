//! Playouts fill the board legally, reply as the policy says, and name the right winner.

mod common;

use std::sync::Arc;

use common::joined;
use kosumi_game::testing::scaled;
use kosumi_game::{Game, Move, Player, Playout, Reward, Rng, Trace};
use kosumi_hex::{
    Cell, Colour, Hex, HexMove, HexPlayoutParams, HexRules, LightPlayout, MAX_SIZE, MIN_SIZE,
    PatternModel, PatternPlayout, PatternWeights, Point, SavebridgePlayout,
};
use kosumi_learn::WeightFile;

/// Runs a playout twice, on a used and on a fresh policy, and checks its trace: alternating, each
/// empty cell once, the reward that of the first decided prefix and of the full board. Before
/// each move `inspect` sees the position, which may be decided, and the move.
fn check<P: Playout<Hex>>(
    start: &Hex,
    worn: &mut P,
    fresh: impl Fn() -> P,
    (seed, index): (u64, u64),
    mut inspect: impl FnMut(&Board, Point),
) -> Reward {
    let mut traces = [Trace::new(), Trace::new()];
    let reward = worn.run(start, &mut Rng::stream(seed, index), &mut traces[0]);
    let again = fresh().run(start, &mut Rng::stream(seed, index), &mut traces[1]);
    assert_eq!(reward, again, "playout {index} depends on earlier ones");
    assert_eq!(traces[0].moves(), traces[1].moves(), "playout {index}");

    let mut board = Board::new(start);
    let mut game = start.clone();
    for mv in traces[0].moves() {
        let at = start.point(HexMove::from_index(mv.index())).expect("playouts never swap");
        assert_eq!(mv.player(), start.player_of(board.to_move), "alternating");
        if game.outcome().is_none() {
            game.try_play(HexMove::from_index(mv.index())).unwrap();
        }
        inspect(&board, at);
        board.place(at);
    }
    assert_eq!(game.outcome(), Some(reward), "first decision\n{game}");
    let full = board.position(start);
    assert_eq!(full.stones(), start.points().len());
    let winner = joined(&full);
    assert_eq!(winner.len(), 1);
    assert_eq!(Reward::win(start.player_of(winner[0])), reward, "\n{full}");
    reward
}

/// Stones without rules: a playout goes on after the game is decided.
struct Board {
    size: usize,
    cells: Vec<(Point, Cell)>,
    to_move: Colour,
    last: Option<Point>,
}

impl Board {
    fn new(from: &Hex) -> Self {
        Self {
            size: from.size(),
            cells: from.points().iter().map(|&p| (p, from.cell(p))).collect(),
            to_move: from.colour_to_move(),
            last: from.last_stone(),
        }
    }

    /// The colour of a stone or of the side beyond the edge; corners belong to nobody.
    fn cell(&self, c: i32, r: i32) -> Cell {
        let n = self.size as i32;
        match ((1..=n).contains(&c), (1..=n).contains(&r)) {
            (true, true) => self.cells[((r - 1) * n + c - 1) as usize].1,
            (true, false) => Cell::Black,
            (false, true) => Cell::White,
            (false, false) => Cell::Corner,
        }
    }

    fn place(&mut self, at: Point) {
        let index = (at.row() - 1) * self.size + at.column() - 1;
        assert_eq!(self.cells[index], (at, Cell::Empty), "each cell once");
        self.cells[index].1 = self.to_move.cell();
        self.to_move = self.to_move.opponent();
        self.last = Some(at);
    }

    fn position(&self, like: &Hex) -> Hex {
        let stones =
            self.cells.iter().filter_map(|&(at, cell)| Some((cell.colour()?, like.move_at(at)?)));
        Hex::from_stones(self.size, like.rules(), stones, self.to_move).unwrap()
    }

    /// By definition: the empty cells that with the opponent's last stone formed the carrier of a
    /// bridge, i.e. the neighbours of that stone whose two common neighbours with it are ours.
    fn savebridge_replies(&self) -> Vec<Point> {
        const AROUND: [(i32, i32); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        let Some(last) = self.last else {
            return Vec::new();
        };
        let (c, r) = (last.column() as i32, last.row() as i32);
        let mine = self.to_move.cell();
        let mut found = Vec::new();
        for (dc, dr) in AROUND {
            let other = (c + dc, r + dr);
            let common: Vec<Cell> = AROUND
                .iter()
                .map(|(ec, er)| (c + ec, r + er))
                .filter(|(ec, er)| AROUND.contains(&(ec - other.0, er - other.1)))
                .map(|(ec, er)| self.cell(ec, er))
                .collect();
            assert_eq!(common.len(), 2);
            if self.cell(other.0, other.1) == Cell::Empty && common == [mine, mine] {
                found.push(Point::new(other.0 as usize, other.1 as usize));
            }
        }
        found
    }
}

/// Starts of a size: empty, some moves in with the swap open, taken, or off.
fn starts(size: usize, rng: &mut Rng) -> Vec<Hex> {
    let empty = Hex::new(size, HexRules::default()).unwrap();
    let mut starts = vec![empty.clone()];
    let mut opened = empty;
    opened.play(HexMove::from_index(rng.below((size * size) as u32) as usize));
    assert!(opened.can_swap());
    starts.push(opened.clone());
    let mut swapped = opened;
    swapped.play(swapped.swap_move());
    starts.push(swapped.clone());
    let mut later = swapped;
    let mut moves = Vec::new();
    for _ in 0..rng.below((size * size / 2) as u32) {
        let before = later.clone();
        moves.clear();
        later.legal_moves(&mut moves);
        later.play(moves[rng.below(moves.len() as u32) as usize]);
        if later.outcome().is_some() {
            later = before;
            break;
        }
    }
    starts.push(later);
    starts
}

#[test]
fn light_playouts_fill_the_board_and_name_the_winner() {
    let mut worn = LightPlayout::new();
    for size in MIN_SIZE..=MAX_SIZE {
        for index in 0..scaled(100) {
            let mut rng = Rng::stream(10 + size as u64, index);
            for start in starts(size, &mut rng) {
                check(&start, &mut worn, LightPlayout::new, (1, index), |_, _| {});
            }
        }
    }
}

#[test]
fn savebridge_replies_to_every_intrusion_and_to_nothing_else() {
    let mut worn = SavebridgePlayout::new();
    let (mut saved, mut several) = (0, 0);
    for size in MIN_SIZE..=MAX_SIZE {
        for index in 0..scaled(100) {
            let mut rng = Rng::stream(20 + size as u64, index);
            for start in starts(size, &mut rng) {
                let inspect = |board: &Board, at: Point| {
                    let replies = board.savebridge_replies();
                    if !replies.is_empty() {
                        assert!(replies.contains(&at), "{at} instead of {replies:?}");
                        saved += 1;
                        several += u32::from(replies.len() > 1);
                    }
                };
                check(&start, &mut worn, SavebridgePlayout::new, (2, index), inspect);
            }
        }
    }
    assert!(saved > 1000 && several > 10, "{saved} {several}");
}

fn pattern_weights() -> Arc<PatternWeights> {
    let file = WeightFile::from_bytes(include_bytes!("../../../data/hex/playouts.weights"));
    let model = PatternModel::from_file(&file.unwrap()).unwrap();
    Arc::new(PatternWeights::new(&model, &HexPlayoutParams::default()))
}

#[test]
fn pattern_playouts_fill_the_board_and_name_the_winner() {
    let weights = pattern_weights();
    let fresh = || PatternPlayout::new(Arc::clone(&weights));
    let mut worn = fresh();
    for size in MIN_SIZE..=MAX_SIZE {
        for index in 0..scaled(50) {
            let mut rng = Rng::stream(30 + size as u64, index);
            for start in starts(size, &mut rng) {
                check(&start, &mut worn, fresh, (5, index), |_, _| {});
            }
        }
    }
}

/// What games teach about bridges: an intrusion is answered more often than not.
#[test]
fn pattern_playouts_save_most_bridges() {
    let weights = pattern_weights();
    let fresh = || PatternPlayout::new(Arc::clone(&weights));
    let (mut saved, mut attacked) = (0, 0);
    for index in 0..scaled(100) {
        let start = Hex::new(11, HexRules::default()).unwrap();
        check(&start, &mut fresh(), fresh, (6, index), |board, at| {
            let replies = board.savebridge_replies();
            attacked += u32::from(!replies.is_empty());
            saved += u32::from(replies.contains(&at));
        });
    }
    assert!(2 * saved > attacked && attacked > 100, "{saved} of {attacked}");
}

fn first_reply(start: &Hex, index: u64) -> String {
    first_move(SavebridgePlayout::new(), start, index)
}

fn first_move(mut playout: SavebridgePlayout, start: &Hex, index: u64) -> String {
    let mut trace = Trace::new();
    playout.run(start, &mut Rng::stream(3, index), &mut trace);
    start.move_text(HexMove::from_index(trace.moves()[0].index()))
}

fn diagram(text: &str, to_move: Colour, then: &str) -> Hex {
    let mut position = Hex::from_diagram(text, HexRules::default(), to_move).unwrap();
    let mv = position.parse_move(then).unwrap();
    position.try_play(mv).unwrap();
    position
}

#[test]
fn a_bridge_between_stones_is_saved() {
    let start = diagram(
        "  a b c d e
        1  . . . . .
         2  . . . B .
          3  . . . . .
           4  . . B . .
            5  . . . . .",
        Colour::White,
        "d3",
    );
    assert!((0..50).all(|i| first_reply(&start, i) == "c3"));
}

#[test]
fn a_bridge_that_is_half_broken_is_broken() {
    // White's d2 makes a bridge to c4, but d3 is Black's.
    let start = diagram(
        "  a b c d e
        1  . . . . .
         2  . . . . .
          3  . . . B .
           4  . . W . .
            5  . . . . .",
        Colour::White,
        "d2",
    );
    let with = SavebridgePlayout::with_answers(true, false);
    assert!((0..50).all(|i| first_move(with.clone(), &start, i) == "c3"));
    assert!((0..50).any(|i| first_reply(&start, i) != "c3"));
    // Black's own side is no end of a bridge of White's.
    let start = diagram(
        "  a b c d e
        1  . . B . .
         2  . . . . .
          3  . . . . .
           4  . . . . .
            5  . . . . .",
        Colour::White,
        "c2",
    );
    assert!((0..50).any(|i| first_move(with.clone(), &start, i) != "d1"));
}

#[test]
fn a_ladder_is_continued_by_both() {
    // Black on the fourth row, White below.
    let text = "  a b c d e f
        1  . . . . . .
         2  . . . . . .
          3  . . . . . .
           4  . . . . . .
            5  . B B . . .
             6  . W . . . .";
    let with = SavebridgePlayout::with_answers(false, true);
    let start = diagram(text, Colour::White, "c6");
    assert!((0..50).all(|i| first_move(with.clone(), &start, i) == "d5"), "Black goes on");
    let text = &text.replace("W . . . .", "W W . . .");
    let start = diagram(text, Colour::Black, "d5");
    assert!((0..50).all(|i| first_move(with.clone(), &start, i) == "d6"), "White goes on");
    assert!((0..50).any(|i| first_reply(&start, i) != "d6"));
}

#[test]
fn a_bridge_to_the_own_side_is_saved_and_to_the_other_there_is_none() {
    let text = "  a b c d e
        1  . . . . .
         2  . . . . .
          3  . . . . .
           4  . . B . .
            5  . . . . .";
    let start = diagram(text, Colour::White, "b5");
    assert!((0..50).all(|i| first_reply(&start, i) == "c5"));
    // White's sides are left and right: the same shape at the bottom is nothing to White.
    let start = diagram(&text.replace('B', "W"), Colour::Black, "b5");
    assert!((0..200).any(|i| first_reply(&start, i) != "c5"));
    let text = "  a b c d e
        1  . . . . .
         2  . . . . .
          3  . W . . .
           4  . . . . .
            5  . . . . .";
    let start = diagram(text, Colour::Black, "a4");
    assert!((0..50).all(|i| first_reply(&start, i) == "a3"));
}

#[test]
fn an_own_stone_is_no_intrusion() {
    let mut start = diagram(
        "  a b c d e
        1  . . . . .
         2  . . . B .
          3  . . . . .
           4  . . B . .
            5  . . . . .",
        Colour::Black,
        "d3",
    );
    start.set_turn(Colour::Black);
    assert!((0..50).any(|i| first_reply(&start, i) != "c3"));
}

#[test]
fn of_several_bridges_one_is_saved_at_random() {
    // Around c3 every second place is black, so c3 intrudes on three bridges.
    let start = diagram(
        "  a b c d e
        1  . . . . .
         2  . . . B .
          3  . B . . .
           4  . . B . .
            5  . . . . .",
        Colour::White,
        "c3",
    );
    let mut seen = std::collections::BTreeMap::new();
    for i in 0..300 {
        *seen.entry(first_reply(&start, i)).or_insert(0) += 1;
    }
    let cells: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(cells, ["b4", "c2", "d3"]);
    assert!(seen.values().all(|&n| n > 50), "{seen:?}");
}

#[test]
fn savebridge_keeps_a_chain_of_bridges() {
    // Bridges join top, d2, c4 and bottom. They hold unless a stone threatens two bridges at once.
    let mut start = Hex::from_diagram(
        "  a b c d e
        1  . . . . .
         2  . . . B .
          3  . . . . .
           4  . . B . .
            5  . . . . .",
        HexRules::default(),
        Colour::White,
    )
    .unwrap();
    let wins = |playout: &mut dyn Playout<Hex>, start: &Hex| {
        (0..1000)
            .filter(|&index| {
                let mut rng = Rng::stream(4, index);
                playout.run(start, &mut rng, &mut Trace::new()) == Reward::win(Player::First)
            })
            .count()
    };
    let [light, saved] =
        [wins(&mut LightPlayout::new(), &start), wins(&mut SavebridgePlayout::new(), &start)];
    assert!(light < 800 && saved > 950, "{light} {saved}");
    // Two white stones first, which intrude on nothing: the same.
    start.play(start.parse_move("a1").unwrap());
    start.set_turn(Colour::White);
    assert!(wins(&mut SavebridgePlayout::new(), &start) > 950);
}
