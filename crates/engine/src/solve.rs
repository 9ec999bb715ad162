//! Positions of Hex solved and proven (H14), for the command line and whoever wants values.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kosumi_game::{Game, IllegalMove, ParseMoveError};
use kosumi_hex::{
    CheckError, Hex, HexMove, HexRules, HexSolver, Proof, ProofError, ProofFileError, SetupError,
    check_proof_while,
};
use kosumi_proof::{Limits, Progress};
use kosumi_record::{Colour, GameKind, GameRecord, Setup};

use crate::player::hex::{ours, theirs};

/// Why a position cannot be solved, or a proof cannot be given or believed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Stones that make no board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Numbers of stones that no game has.
    #[error(
        "{black} black and {white} white stones come from no game: \
         say who is to move to solve the position all the same"
    )]
    StoneCounts {
        /// Black stones.
        black: usize,
        /// White stones.
        white: usize,
    },
    /// Text that is no move.
    #[error(transparent)]
    NoMove(#[from] ParseMoveError),
    /// A move against the rules.
    #[error("move {number}: {error}")]
    Illegal {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        error: IllegalMove,
    },
    /// A record of another game.
    #[error("the record is of {0}: only positions of Hex can be solved")]
    OtherGame(&'static str),
    /// There is no proof.
    #[error(transparent)]
    NoProof(#[from] ProofError),
    /// The text of a proof that cannot be read.
    #[error(transparent)]
    ProofText(#[from] ProofFileError),
    /// A proof that proves nothing.
    #[error("not a proof: {0}")]
    WrongProof(CheckError),
    /// The check was ended before it was done.
    #[error("the check was interrupted: nothing is known about the proof")]
    Unchecked,
}

impl From<CheckError> for SolveError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Interrupted => Self::Unchecked,
            error => Self::WrongProof(error),
        }
    }
}

/// What a search may use, and who may end it.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions<'a> {
    /// Memory of all tables together.
    pub memory_mb: usize,
    /// Threads; more than one only help where several openings are solved.
    pub threads: usize,
    /// The most seconds to take for a position.
    pub seconds: Option<f64>,
    /// Ends all searches when it becomes true.
    pub stop: &'a AtomicBool,
    /// Whether proofs are wanted.
    pub proof: bool,
}

/// The answer to a position.
#[derive(Debug)]
#[non_exhaustive]
pub struct Solved {
    /// Who wins; `None` if the search was ended before.
    pub winner: Option<Colour>,
    /// A winning move, if the colour to move wins.
    pub best: Option<String>,
    /// The text of a proof that was asked for; it has been checked.
    pub proof: Option<String>,
    /// Positions looked at.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A position of Hex to be solved.
#[derive(Clone, Debug)]
pub struct HexProblem(Hex);

impl HexProblem {
    /// The position after moves from the empty board.
    ///
    /// # Errors
    /// There is no such board, or a move is none or against the rules.
    pub fn from_moves<'a>(
        size: usize,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, SolveError> {
        let mut position = Hex::new(size, HexRules { swap: true })?;
        for (number, text) in (1..).zip(moves) {
            let mv = position.parse_move(text)?;
            position.try_play(mv).map_err(|error| SolveError::Illegal { number, error })?;
        }
        Ok(Self(position))
    }

    /// A position as a diagram. Who is to move follows from the stones if it is not told.
    ///
    /// # Errors
    /// The diagram is none, or no game leads to so many stones and the turn is not told.
    pub fn from_diagram(text: &str, to_move: Option<Colour>) -> Result<Self, SolveError> {
        let rules = HexRules { swap: false };
        let mut position = Hex::from_diagram(text, rules, kosumi_hex::Colour::Black)?;
        let count = |wanted: kosumi_hex::Colour| {
            let points = position.points().iter();
            points.filter(|&&point| position.cell(point).colour() == Some(wanted)).count()
        };
        let (black, white) = (count(kosumi_hex::Colour::Black), count(kosumi_hex::Colour::White));
        let to_move = match to_move {
            Some(told) => told,
            None if black == white => Colour::Black,
            None if black == white + 1 => Colour::White,
            None => return Err(SolveError::StoneCounts { black, white }),
        };
        position.set_turn(theirs(to_move));
        Ok(Self(position))
    }

    /// The position of a record before move number `up_to` (from 1), or at its end.
    ///
    /// # Errors
    /// The record is of another game, or a stone or move of it is impossible.
    pub fn from_record(record: &GameRecord, up_to: Option<usize>) -> Result<Self, SolveError> {
        if record.info.game != GameKind::Hex {
            return Err(SolveError::OtherGame(record.info.game.name()));
        }
        let mut position = Hex::new(usize::from(record.info.size), HexRules { swap: true })?;
        let mut number = 0;
        for (step_number, step) in record.steps.iter().enumerate() {
            if step.mv.is_some() && up_to.is_some_and(|end| number + 1 >= end) {
                break;
            }
            if !step.setup.is_empty() {
                let next = if step_number == 0 {
                    record.first_to_play()
                } else {
                    ours(position.colour_to_move())
                };
                position = edited(&position, &step.setup, step.setup.to_play.unwrap_or(next))?;
            }
            let Some(mv) = &step.mv else { continue };
            number += 1;
            if mv.mv.eq_ignore_ascii_case("resign") {
                break;
            }
            position.set_turn(theirs(mv.colour));
            let mv = position.parse_move(&mv.mv)?;
            position.try_play(mv).map_err(|error| SolveError::Illegal { number, error })?;
        }
        Ok(Self(position))
    }

    /// Gives the move to a colour.
    pub fn set_to_move(&mut self, to_move: Colour) {
        self.0.set_turn(theirs(to_move));
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// The colour to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        ours(self.0.colour_to_move())
    }

    /// The stones and their cells.
    #[must_use]
    pub fn stones(&self) -> Vec<(Colour, String)> {
        let stone = |&point| Some((ours(self.0.cell(point).colour()?), point.to_string()));
        self.0.points().iter().filter_map(stone).collect()
    }

    /// Solves the position. A swap that is still possible is left out of account.
    ///
    /// # Errors
    /// No proof could be given though one was asked for.
    pub fn solve(
        &self,
        options: &SolveOptions<'_>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Solved, SolveError> {
        let mut solver = self.solver(options.memory_mb)?;
        self.solve_with(&mut solver, options, options.memory_mb, progress)
    }

    fn solver(&self, megabytes: usize) -> Result<HexSolver, SolveError> {
        let bytes = megabytes.max(1).saturating_mul(1 << 20);
        Ok(HexSolver::new(self.size(), bytes).ok_or(SetupError::Size(self.size()))?)
    }

    fn solve_with(
        &self,
        solver: &mut HexSolver,
        options: &SolveOptions<'_>,
        megabytes: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Solved, SolveError> {
        let (began, nodes) = (Instant::now(), solver.nodes());
        // What is too long for a clock is no limit.
        let time = options.seconds.and_then(|limit| Duration::try_from_secs_f64(limit).ok());
        let limits = Limits {
            stop: Some(options.stop),
            time,
            progress: Some(progress),
            ..Limits::default()
        };
        let solution = solver.solve(&self.0, limits);
        let mut proof = None;
        if options.proof && solution.winner.is_some() {
            let limits = Limits { stop: Some(options.stop), time, ..Limits::default() };
            let found = solver.prove(&self.0, most_nodes(megabytes), limits)?;
            check_proof_while(&found, &mut |_| !options.stop.load(Ordering::Relaxed))?;
            proof = Some(found.to_string());
        }
        Ok(Solved {
            winner: solution.winner.map(ours),
            best: solution.best.map(|mv| self.0.move_text(mv)),
            proof,
            nodes: solver.nodes() - nodes,
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// Solves the position after each move, and tells of each as soon as it is solved. What is
    /// learned about one helps with the next. On an empty board one of two openings that are half a
    /// turn apart is solved.
    ///
    /// # Errors
    /// No proof could be given though one was asked for.
    pub fn solve_openings(
        &self,
        options: &SolveOptions<'_>,
        told: &(dyn Fn(&str, &Solved) + Sync),
        progress: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Vec<(String, Option<Colour>)>, SolveError> {
        let mut moves: Vec<HexMove> = Vec::new();
        self.0.legal_moves(&mut moves);
        moves.retain(|&mv| mv != self.0.swap_move());
        let turned = self.0.stones() == 0;
        let own = if turned { moves.len().div_ceil(2) } else { moves.len() };
        let threads = options.threads.clamp(1, own.max(1));
        let megabytes = options.memory_mb / threads;
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![None; moves.len()]);
        let failed = Mutex::new(None);
        let work = || -> Result<(), SolveError> {
            let mut solver = self.solver(megabytes)?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= own || options.stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let mut after = self.clone();
                after.0.play(moves[number]);
                let report = &mut |now: &Progress| progress(now);
                let solved = after.solve_with(&mut solver, options, megabytes, report)?;
                told(&self.0.move_text(moves[number]), &solved);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found[number] = solved.winner;
                if turned {
                    let other = moves.len() - 1 - number;
                    found[other] = solved.winner;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    if let Err(error) = work() {
                        next.store(own, Ordering::Relaxed);
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                });
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(moves.iter().map(|&mv| self.0.move_text(mv)).zip(found).collect())
    }
}

/// How many nodes of a proof fit beside the tables: about 200 bytes each while it is made.
fn most_nodes(megabytes: usize) -> usize {
    megabytes.max(1).saturating_mul(5000)
}

/// Adds and removes stones as set-up of a record says.
fn edited(position: &Hex, setup: &Setup, to_move: Colour) -> Result<Hex, SolveError> {
    let mut stones = Vec::new();
    let cells = |list: &[String]| {
        list.iter().map(|text| position.parse_move(text)).collect::<Result<Vec<_>, _>>()
    };
    let (black, white, empty) = (cells(&setup.black)?, cells(&setup.white)?, cells(&setup.empty)?);
    for &point in position.points() {
        if let (Some(colour), Some(mv)) = (position.cell(point).colour(), position.move_at(point))
            && ![&black, &white, &empty].into_iter().any(|list| list.contains(&mv))
        {
            stones.push((colour, mv));
        }
    }
    stones.extend(black.into_iter().map(|mv| (kosumi_hex::Colour::Black, mv)));
    stones.extend(white.into_iter().map(|mv| (kosumi_hex::Colour::White, mv)));
    let rules = HexRules { swap: false };
    Ok(Hex::from_stones(position.size(), rules, stones, theirs(to_move))?)
}

/// What a proof says that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedProof {
    /// The size of the board.
    pub size: usize,
    /// How many stones the position has.
    pub stones: usize,
    /// The colour to move.
    pub to_move: Colour,
    /// The colour that wins.
    pub winner: Colour,
    /// How many nodes the proof has.
    pub nodes: usize,
}

/// Reads a proof and replays it, with the rules alone, as long as `go_on` says so, which is told now
/// and then how many nodes of how many are checked.
///
/// # Errors
/// It cannot be read, or proves nothing, or the check was interrupted; says where.
pub fn check_proof_text(
    text: &str,
    go_on: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<CheckedProof, SolveError> {
    let proof = Proof::parse(text)?;
    check_proof_while(&proof, &mut |done| go_on(done, proof.nodes.len()))?;
    Ok(CheckedProof {
        size: proof.size,
        stones: proof.stones.iter().map(Vec::len).sum(),
        to_move: ours(proof.to_move),
        winner: ours(proof.winner),
        nodes: proof.nodes.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(stop: &AtomicBool) -> SolveOptions<'_> {
        SolveOptions { memory_mb: 4, threads: 2, seconds: None, stop, proof: true }
    }

    #[test]
    fn openings_of_4x4_are_proven() {
        let stop = AtomicBool::new(false);
        let problem = HexProblem::from_moves(4, []).unwrap();
        let proofs = Mutex::new(0);
        let told = |_: &str, solved: &Solved| {
            let checked =
                check_proof_text(solved.proof.as_deref().unwrap(), &mut |_, _| true).unwrap();
            assert_eq!(Some(checked.winner), solved.winner);
            *proofs.lock().unwrap() += 1;
        };
        let found = problem.solve_openings(&options(&stop), &told, &|_| ()).unwrap();
        let black = found.iter().filter(|(_, winner)| *winner == Some(Colour::Black));
        let black: Vec<_> = black.map(|(mv, _)| mv.as_str()).collect();
        assert_eq!(black, ["d1", "c2", "b3", "a4"]);
        assert_eq!(*proofs.lock().unwrap(), 8);
    }

    #[test]
    fn positions_of_all_kinds() {
        let record = |text: &str| {
            let tree = kosumi_record::GameTree::parse(text.as_bytes()).unwrap();
            HexProblem::from_record(&GameRecord::from_tree(&tree).unwrap(), Some(3))
        };
        let by_record = record("(;GM[11]SZ[4];B[a1];W[b2];B[c3])").unwrap();
        let by_moves = HexProblem::from_moves(4, ["a1", "b2"]).unwrap();
        let by_diagram =
            HexProblem::from_diagram("B . . .\n. W . .\n. . . .\n. . . .", None).unwrap();
        for problem in [&by_record, &by_moves, &by_diagram] {
            assert_eq!(problem.stones(), by_moves.stones());
            assert_eq!(problem.to_move(), Colour::Black);
        }
        let set_up = record("(;GM[11]SZ[4]AB[a1][a2]AW[b2]PL[W];AE[a2])").unwrap();
        assert_eq!((set_up.stones(), set_up.to_move()), (by_moves.stones(), Colour::White));
    }

    #[test]
    fn diagrams_of_other_commands_are_read() {
        let by_moves = HexProblem::from_moves(3, ["b1", "c3"]).unwrap();
        let of_play = "   a b c\n 1  . X .  1\n  2  . . .  2\n   3  . .(O) 3\n       a b c";
        let of_gtp = "= \n   a b c\n 1  . B .\n  2  . . .\n   3  . . W\n\n";
        for text in [of_play, of_gtp] {
            let problem = HexProblem::from_diagram(text, None).unwrap();
            assert_eq!(problem.stones(), by_moves.stones(), "{text}");
            assert_eq!(problem.to_move(), by_moves.to_move());
        }
    }

    #[test]
    fn bad_positions_are_named() {
        let says = |result: Result<HexProblem, SolveError>| result.unwrap_err().to_string();
        for size in [2, 30] {
            assert!(says(HexProblem::from_moves(size, [])).contains(&format!("size {size}")));
        }
        assert!(says(HexProblem::from_moves(4, ["a1", "a1"])).contains("move 2"));
        assert!(says(HexProblem::from_moves(4, ["e1"])).contains("e1"));
        for size in [2, 30] {
            let row = format!("{}\n", ". ".repeat(size));
            let diagram = row.repeat(size);
            let error = says(HexProblem::from_diagram(&diagram, None));
            assert!(error.contains(&format!("size {size}")), "{error}");
        }
        let full = "B B B\nB B B\nW W .";
        assert!(says(HexProblem::from_diagram(full, None)).contains("6 black and 2 white"));
        assert!(HexProblem::from_diagram(full, Some(Colour::Black)).is_ok());
    }

    #[test]
    fn a_finished_game_has_a_winner_and_a_stopped_search_none() {
        let stop = AtomicBool::new(false);
        let won = "W B .\nW B .\nW B .";
        for to_move in [Colour::Black, Colour::White] {
            let problem = HexProblem::from_diagram(won, Some(to_move)).unwrap();
            let solved = problem.solve(&options(&stop), &mut |_| ()).unwrap();
            assert_eq!((solved.winner, solved.best), (Some(Colour::Black), None));
            let proof = solved.proof.unwrap();
            assert!(check_proof_text(&proof, &mut |_, _| true).is_ok());
            let refused = check_proof_text(&proof, &mut |_, _| false).unwrap_err();
            assert!(matches!(refused, SolveError::Unchecked));
        }
        // Stones of the other colour reach both their sides as well, but not through.
        let both = "W B .\nW B W\nW B W";
        for to_move in [Colour::Black, Colour::White] {
            let problem = HexProblem::from_diagram(both, Some(to_move)).unwrap();
            let solved = problem.solve(&options(&stop), &mut |_| ()).unwrap();
            assert_eq!((solved.winner, solved.best), (Some(Colour::Black), None));
        }
        stop.store(true, Ordering::Relaxed);
        let problem = HexProblem::from_moves(11, ["f6"]).unwrap();
        let solved = problem.solve(&options(&stop), &mut |_| ()).unwrap();
        assert!(solved.winner.is_none() && solved.proof.is_none());
    }
}
