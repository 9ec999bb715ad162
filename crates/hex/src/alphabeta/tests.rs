use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kosumi_game::params::{ParamValue, PerLevel};
use kosumi_game::{Game, Rng};
use kosumi_proof::Position;

use super::judge::{Assess, Judge};
use super::search::{Budget, Searcher, Task, Window};
use super::*;
use crate::plain::{random_stones, winner};
use crate::solver::board::Board;
use crate::{Circuit, Colour, HexRules, Stones};

/// All moves, and the bare circuit: an evaluation that depends on nothing but the board.
struct Bare;

impl Assess<1> for Bare {
    fn assess(&mut self, board: &Board<1>, out: &mut Vec<u16>) -> Score {
        let (stones, to_move) = (board.stones(), board.to_move());
        if let Some(winner) = stones.winner() {
            return if winner == to_move { Score::WON } else { Score::LOST };
        }
        out.extend(stones.empty().iter().map(|cell| cell as u16));
        let mut circuit = Circuit::new();
        let [own, other] =
            [to_move, to_move.opponent()].map(|colour| circuit.flow(stones, colour, []));
        Score::of_circuit(own.advantage(&other))
    }
}

fn minimax(judge: &mut impl Assess<1>, board: &mut Board<1>, depth: u8) -> Score {
    let mut moves = Vec::new();
    let still = judge.assess(board, &mut moves);
    if depth == 0 || moves.is_empty() {
        return still;
    }
    let after = |mv: u16| {
        board.play(mv);
        let score = -minimax(judge, board, depth - 1);
        board.undo();
        score
    };
    moves.into_iter().map(after).max().unwrap()
}

fn endless() -> Budget<'static> {
    Budget { begun: Instant::now(), time: None, stop: None, evaluated: u64::MAX }
}

fn alphabeta<J: Assess<1>>(judge: J, board: &mut Board<1>, depths: &[u8], bytes: usize) -> Score {
    let mut searcher = Searcher::new(judge, bytes);
    let task = Task { budget: endless(), widths: &PerLevel::constant(361.0) };
    let score = |depth: &u8| searcher.search(board, (0, *depth), Window::FULL, &task).unwrap();
    depths.iter().map(score).last().unwrap()
}

#[test]
fn it_agrees_with_minimax_with_and_without_a_table() {
    let mut rng = Rng::new(1);
    for turn in 0..60 {
        let stones = random_stones(4, 3 + turn % 8, &mut rng);
        let board = &mut Board::new(stones, Colour::BOTH[turn % 2]);
        for depth in 1..=3 {
            let expected = minimax(&mut Bare, board, depth);
            let depths: Vec<u8> = (1..=depth).collect();
            // No table, one that forgets most, one that keeps all.
            for bytes in [0, 960, 1 << 20] {
                assert_eq!(alphabeta(Bare, board, &depths, bytes), expected, "{stones:?} {depth}");
            }
        }
    }
}

#[test]
fn it_agrees_with_minimax_on_what_is_known_of_positions() {
    let mut rng = Rng::new(2);
    for turn in 0..30 {
        let stones = random_stones(5, 2 + turn % 6, &mut rng);
        let board = &mut Board::new(stones, Colour::BOTH[turn % 2]);
        for depth in 1..=3 {
            let mut judge = Judge::new(5).unwrap();
            let expected = minimax(&mut judge, board, depth);
            let judge = Judge::new(5).unwrap();
            assert_eq!(alphabeta(judge, board, &[depth], 0), expected, "{stones:?} {depth}");
        }
    }
}

fn position(stones: &Stones<1>, to_move: Colour) -> Hex {
    let of =
        |colour: Colour| stones.of(colour).iter().map(move |cell| (colour, HexMove(cell as u16)));
    let all = of(Colour::Black).chain(of(Colour::White));
    Hex::from_stones(stones.lattice().size, HexRules::default(), all, to_move).unwrap()
}

#[test]
fn what_it_calls_won_and_lost_is_and_its_moves_win() {
    let mut rng = Rng::new(3);
    for widths in ["361", "1", "3,2,1"] {
        let widths = PerLevel::parse(widths, None).unwrap();
        let params = AlphaBetaParams { widths, ..AlphaBetaParams::default() };
        let mut players = [4, 5].map(|size| HexAlphaBeta::new(size, 1 << 20).unwrap());
        for turn in 0..120 {
            let size = 4 + turn % 2;
            let count = if size == 4 { turn % 10 } else { 6 + turn % 10 };
            let stones = random_stones::<1>(size, count, &mut rng);
            let to_move = Colour::BOTH[turn / 2 % 2];
            if stones.winner().is_some() {
                continue;
            }
            let position = position(&stones, to_move);
            let limits = AlphaBetaLimits::default();
            let report = players[size - 4].search(&position, &params, limits).unwrap();
            let wins = winner(&stones, to_move) == to_move;
            // Without a limit the search goes on until it knows.
            assert_eq!(report.score, if wins { Score::WON } else { Score::LOST }, "{stones:?}");
            let best = report.best().unwrap();
            assert_eq!(best.line[0], best.mv);
            let mut after = stones;
            after.place(to_move, usize::from(best.mv.0));
            assert_eq!(winner(&after, to_move.opponent()) == to_move, wins, "{stones:?}");
        }
    }
}

fn middle_game() -> Hex {
    let text = "
        . . . . . . . . .
         . . . . . . . . .
          . . . . . . B . .
           . . . . . . . . .
            . . . . . . . . .
             . . . . . . . . .
              . . W . . . . . .
               . . . . . . . . .
                . . . . . . . . .";
    Hex::from_diagram(text, HexRules::default(), Colour::Black).unwrap()
}

#[test]
fn limits_are_kept() {
    let position = middle_game();
    let params = AlphaBetaParams::default();
    let search =
        |limits| HexAlphaBeta::new(9, 1 << 20).unwrap().search(&position, &params, limits).unwrap();
    for most in [0, 1, 2, 20, 100] {
        let limits = || AlphaBetaLimits { positions: Some(most), ..AlphaBetaLimits::default() };
        let report = search(limits());
        assert_eq!(report.positions, most);
        assert_eq!(report.moves.is_empty(), most == 0);
        let below: u64 = report.moves.iter().map(|mv| mv.positions).sum();
        assert_eq!(below, most.saturating_sub(1), "the root is evaluated too");
        assert_eq!(search(limits()), report, "equal searches are equal");
    }
    let stop = AtomicBool::new(true);
    let stopped = search(AlphaBetaLimits { stop: Some(&stop), ..AlphaBetaLimits::default() });
    assert_eq!((stopped.positions, stopped.best()), (0, None));
    let time = Some(Duration::ZERO);
    assert_eq!(search(AlphaBetaLimits { time, ..AlphaBetaLimits::default() }).positions, 0);
}

#[test]
fn progress_is_told_and_the_depth_is_a_limit() {
    let params = AlphaBetaParams { depth: 2, ..AlphaBetaParams::default() };
    let mut seen = Vec::new();
    let mut tell = |report: &AlphaBetaReport| seen.push((report.depth, report.positions));
    let limits = AlphaBetaLimits { progress: Some(&mut tell), ..AlphaBetaLimits::default() };
    let report =
        HexAlphaBeta::new(9, 1 << 20).unwrap().search(&middle_game(), &params, limits).unwrap();
    assert_eq!(report.depth, 2);
    assert!(seen.is_sorted() && seen.len() > 15, "{seen:?}");
    let [best, second] = [0, 1].map(|place| &report.moves[place]);
    assert!(best.score >= second.score && best.line.len() == 2, "{report:?}");
}

#[test]
fn a_table_saves_work() {
    let params = AlphaBetaParams { depth: 3, ..AlphaBetaParams::default() };
    let [none, some] = [0, 1 << 20].map(|bytes| {
        let mut player = HexAlphaBeta::new(9, bytes).unwrap();
        let report = player.search(&middle_game(), &params, AlphaBetaLimits::default()).unwrap();
        report.positions
    });
    assert!(4 * some < 3 * none, "{some} {none}");
}

fn answer(size: usize, moves: &str) -> String {
    let mut position = Hex::new(size, HexRules { swap: true }).unwrap();
    for mv in moves.split_whitespace() {
        position.play(position.parse_move(mv).unwrap());
    }
    let params = AlphaBetaParams { depth: 3, ..AlphaBetaParams::default() };
    let mut player = HexAlphaBeta::new(size, 1 << 20).unwrap();
    let report = player.search(&position, &params, AlphaBetaLimits::default()).unwrap();
    position.move_text(report.best().unwrap().mv)
}

#[test]
fn a_good_stone_is_taken_over_and_a_bad_one_is_not() {
    assert_eq!(answer(5, "c3"), "swap-pieces");
    assert_eq!(answer(9, "e5"), "swap-pieces");
    assert_ne!(answer(5, "a1"), "swap-pieces");
    assert_ne!(answer(9, "a1"), "swap-pieces");
    assert_ne!(answer(9, "i9"), "swap-pieces");
}

#[test]
fn the_first_stone_is_neither_the_best_nor_the_worst() {
    let opening = answer(9, "");
    assert!(!["e5", "a1", "i9"].contains(&opening.as_str()), "{opening}");
}

#[test]
fn other_boards_and_finished_games_have_no_answer() {
    let mut player = HexAlphaBeta::new(3, 1 << 10).unwrap();
    let params = AlphaBetaParams::default();
    let over = "W B .\nW B .\nW B .";
    let over = Hex::from_diagram(over, HexRules::default(), Colour::White).unwrap();
    assert_eq!(player.search(&over, &params, AlphaBetaLimits::default()), None);
    assert_eq!(player.search(&middle_game(), &params, AlphaBetaLimits::default()), None);
    assert!(HexAlphaBeta::new(2, 0).is_none() && HexAlphaBeta::new(20, 0).is_none());
}
