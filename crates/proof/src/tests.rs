//! The solver on games small enough to be solved by plain recursion.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kosumi_game::Rng;

use super::*;

/// A game made of nothing but a seed: every walk of `height` moves ends with a value drawn at
/// random, and moves commute now and then, so that positions meet.
struct Maze {
    height: usize,
    width: u16,
    /// Of each place in the width, how often it was chosen: walks with equal counts are equal.
    counts: Vec<u16>,
    line: Vec<u16>,
    seed: u64,
}

impl Maze {
    fn new(height: usize, width: u16, seed: u64) -> Self {
        Self { height, width, counts: vec![0; usize::from(width)], line: Vec::new(), seed }
    }

    fn key_of(&self, counts: &[u16], depth: usize) -> u64 {
        let code = counts.iter().fold(1u64, |code, &n| code * 64 + u64::from(n));
        Rng::stream(self.seed, code * 2 + (depth % 2) as u64).next_u64()
    }

    /// For the player to move, by plain recursion.
    fn is_won(&mut self) -> bool {
        if self.line.len() == self.height {
            return self.key() >> 33 & 1 == 0;
        }
        (0..self.width).any(|mv| {
            self.play(mv);
            let won = !self.is_won();
            self.undo();
            won
        })
    }
}

impl Position for Maze {
    type Move = u16;
    fn key(&self) -> u64 {
        self.key_of(&self.counts, self.line.len())
    }
    fn key_after(&self, mv: u16) -> u64 {
        let mut counts = self.counts.clone();
        counts[usize::from(mv)] += 1;
        self.key_of(&counts, self.line.len() + 1)
    }
    fn play(&mut self, mv: u16) {
        self.counts[usize::from(mv)] += 1;
        self.line.push(mv);
    }
    fn undo(&mut self) {
        let mv = self.line.pop().expect("a move was played");
        self.counts[usize::from(mv)] -= 1;
    }
}

struct Plain;
impl Evaluator<Maze> for Plain {
    fn assess(&mut self, maze: &Maze, out: &mut Vec<Candidate<u16>>) -> Assessment<u16> {
        if maze.line.len() == maze.height {
            return if maze.key() >> 33 & 1 == 0 {
                Assessment::Won(None)
            } else {
                Assessment::Lost
            };
        }
        // The numbers of a child need not be 1, but 0 is not for an evaluator to say.
        out.extend((0..maze.width).map(|mv| Candidate {
            mv,
            phi: (mv % 3) as u8,
            delta: ((mv + 1) % 3) as u8,
        }));
        Assessment::Open
    }
}

fn verdict(won: bool) -> Verdict {
    if won { Verdict::Won } else { Verdict::Lost }
}

#[test]
fn the_verdict_is_that_of_plain_recursion_with_any_memory() {
    for seed in 0..60 {
        let (height, width) = [(5, 4), (7, 3), (3, 9)][seed as usize % 3];
        let mut maze = Maze::new(height, width, seed);
        let expected = verdict(maze.is_won());
        // From a single bucket and no room for candidates to room for all.
        for bytes in [0, 300, 2_000, 1 << 20] {
            let mut solver = Solver::new(bytes);
            let found = solver.solve(&mut maze, &mut Plain, Limits::default());
            assert_eq!(found, expected, "seed {seed}, {bytes} bytes");
            assert!(maze.line.is_empty() && solver.nodes() > 0 && solver.fullness() <= 1.0);
        }
    }
}

#[test]
fn answers_win_all_the_way_down() {
    // A full table loses answers; they are searched again.
    for bytes in [500, 1 << 20] {
        for seed in 0..30 {
            let mut maze = Maze::new(7, 3, seed);
            let mut solver = Solver::new(bytes);
            while maze.line.len() < maze.height {
                let answer = solver.answer(&mut maze, &mut Plain, Limits::default());
                assert_eq!(answer.is_some(), maze.is_won(), "seed {seed}");
                match answer {
                    Some(mv) => {
                        maze.play(mv);
                        assert!(!maze.is_won(), "seed {seed}");
                    }
                    None => maze.play((seed % 3) as u16),
                }
            }
        }
    }
}

#[test]
fn an_interrupted_search_goes_on_where_it_was() {
    let mut maze = Maze::new(9, 4, 3);
    let mut whole = Solver::new(1 << 20);
    let expected = whole.solve(&mut maze, &mut Plain, Limits::default());
    let mut parts = Solver::new(1 << 20);
    let mut rounds = 0;
    let found = loop {
        let limits = Limits { nodes: Some(20), ..Limits::default() };
        let found = parts.solve(&mut maze, &mut Plain, limits);
        rounds += 1;
        if found != Verdict::Open {
            break found;
        }
        assert_eq!(parts.recall(&maze), Verdict::Open);
    };
    assert_eq!(found, expected);
    assert_eq!(parts.recall(&maze), expected);
    assert!(rounds > 2, "{rounds}");
    // Some positions are met in another order, but nothing is done twice.
    assert!(parts.nodes() < 2 * whole.nodes(), "{} {}", parts.nodes(), whole.nodes());
}

#[test]
fn stops_when_told_and_reports() {
    let mut maze = Maze::new(30, 6, 1);
    let stop = AtomicBool::new(true);
    let mut solver = Solver::new(1 << 16);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    assert_eq!(solver.solve(&mut maze, &mut Plain, limits), Verdict::Open);
    assert_eq!(solver.nodes(), 0);
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(solver.solve(&mut maze, &mut Plain, limits), Verdict::Open);
    let mut reports = Vec::new();
    let mut report = |progress: &Progress| reports.push(progress.nodes);
    let limits = Limits { nodes: Some(1000), progress: Some(&mut report), ..Limits::default() };
    assert_eq!(solver.solve(&mut maze, &mut Plain, limits), Verdict::Open);
    assert_eq!(reports, [256, 512, 768]);
    assert_eq!(solver.nodes(), 1000);
}
