//! `kosumi solve`: who wins a position of Hex, with proof.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use kosumi_engine::solve::{HexProblem, SolveOptions, Solved, check_proof_text};
use kosumi_engine::{Colour, GameKind};
use kosumi_record::{GameRecord, GameTree, read_at_most, read_whole, write_atomically};

use crate::board;
use crate::failure::usage;
use crate::interrupt::stop_flag;
use crate::output::say;

/// The most bytes of a diagram, record or proof that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Solves positions of Hex: who wins, and how
///
/// The position comes from moves, a diagram or a game record. Ctrl-C ends the search and tells what
/// is known by then.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi solve --size 5 --moves a1,c3        who wins after these moves?
  kosumi solve --size 6 --openings           the value of every first move
  kosumi solve --sgf game.sgf --before 20    the position before move 20
  kosumi solve --diagram board.txt --to-move white --proof board.proof
  kosumi solve --check board.proof           replay a proof with the rules alone")]
pub struct Arguments {
    /// Size of the board
    #[arg(short, long, value_name = "N", default_value_t = 6)]
    size: usize,
    /// Moves from the empty board, Black first
    #[arg(long, value_name = "A1,B2", value_delimiter = ',')]
    moves: Vec<String>,
    /// A file with a diagram as play and showboard print it: rows of '.', 'B' or 'X', and 'W' or 'O'
    /// ('-' reads standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "size"])]
    diagram: Option<PathBuf>,
    /// A game record ('-' reads standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "size", "diagram"])]
    sgf: Option<PathBuf>,
    /// The position of the record before this move [default: the last]
    #[arg(long, value_name = "N", requires = "sgf")]
    before: Option<usize>,
    /// Who is to move [default: as the stones tell]
    #[arg(long, value_enum, value_name = "COLOUR")]
    to_move: Option<Side>,
    /// Solve the position after each move instead
    #[arg(long)]
    openings: bool,
    /// Memory in megabytes
    #[arg(short, long, value_name = "MB", default_value_t = 256)]
    memory: usize,
    /// Threads, for openings
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// The most seconds to take for a position
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Write the checked proof to a file; with --openings, proofs into a folder
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Check a proof and do nothing else
    #[arg(long, value_name = "FILE", exclusive = true)]
    check: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Black,
    White,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(path) = &arguments.check {
        return check(path);
    }
    if arguments.seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
        anyhow::bail!(usage("--seconds expects a number above 0"));
    }
    if !(1..=1 << 20).contains(&arguments.memory) {
        anyhow::bail!(usage("--memory expects 1 to 1048576 megabytes"));
    }
    let problem = problem(arguments)?;
    let options = SolveOptions {
        memory_mb: arguments.memory,
        threads: arguments.threads,
        seconds: arguments.seconds,
        stop: stop_flag(),
        proof: arguments.proof.is_some(),
    };
    if arguments.openings {
        openings(arguments, &problem, &options)
    } else {
        single(arguments, &problem, &options)
    }
}

fn bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = if path == Path::new("-") || path == Path::new("/dev/stdin") {
        read_at_most(std::io::stdin().lock(), MOST_BYTES)
    } else {
        read_whole(path, MOST_BYTES)
    };
    bytes.with_context(|| path.display().to_string())
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(bytes_of(path)?).with_context(|| path.display().to_string())
}

fn problem(arguments: &Arguments) -> anyhow::Result<HexProblem> {
    let to_move = arguments.to_move.map(|side| match side {
        Side::Black => Colour::Black,
        Side::White => Colour::White,
    });
    let mut problem = if let Some(path) = &arguments.diagram {
        let text = text_of(path)?;
        HexProblem::from_diagram(&text, to_move).map_err(usage)?
    } else if let Some(path) = &arguments.sgf {
        let name = || path.display().to_string();
        let bytes = bytes_of(path)?;
        let tree = GameTree::parse(&bytes).with_context(name)?;
        let record = GameRecord::from_tree(&tree).with_context(name)?;
        HexProblem::from_record(&record, arguments.before).map_err(usage)?
    } else {
        let moves = arguments.moves.iter().map(String::as_str).filter(|text| !text.is_empty());
        HexProblem::from_moves(arguments.size, moves).map_err(usage)?
    };
    if let Some(colour) = to_move {
        problem.set_to_move(colour);
    }
    Ok(problem)
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn progress_line(nodes: u64, numbers: (u32, u32), fullness: f64) -> String {
    let (phi, delta) = numbers;
    let full = 100.0 * fullness;
    format!("{nodes} positions, proof numbers {phi} and {delta}, table {full:.0} % full")
}

fn single(
    arguments: &Arguments,
    problem: &HexProblem,
    options: &SolveOptions<'_>,
) -> anyhow::Result<()> {
    let bar = spinner();
    let solved = problem.solve(options, &mut |now| {
        let numbers = (now.numbers.phi, now.numbers.delta);
        bar.set_message(progress_line(now.nodes, numbers, now.fullness));
    })?;
    bar.finish_and_clear();
    if let (Some(path), Some(proof)) = (&arguments.proof, &solved.proof) {
        write_atomically(path, proof.as_bytes())?;
    }
    if arguments.json {
        say!("{:#}", json(problem, &solved))?;
    } else {
        say!("{}", board::draw(GameKind::Hex, problem.size(), &problem.stones(), None))?;
        say!("{}", answer(problem, &solved))?;
    }
    match solved.winner {
        Some(_) => Ok(()),
        None => anyhow::bail!("not solved: give it more time (--seconds) or memory (--memory)"),
    }
}

fn answer(problem: &HexProblem, solved: &Solved) -> String {
    let to_move = problem.to_move();
    let cost = format!("{} positions, {:.2} seconds", solved.nodes, solved.seconds);
    match (solved.winner, &solved.best) {
        (Some(winner), Some(best)) => {
            format!("{to_move} to move: {winner} wins with {best} ({cost})")
        }
        (Some(winner), None) => format!("{to_move} to move: {winner} wins ({cost})"),
        (None, _) => format!("{to_move} to move: unknown yet ({cost})"),
    }
}

fn json(problem: &HexProblem, solved: &Solved) -> serde_json::Value {
    serde_json::json!({
        "size": problem.size(),
        "to_move": problem.to_move().to_string(),
        "winner": solved.winner.map(|winner| winner.to_string()),
        "best": solved.best,
        "positions": solved.nodes,
        "seconds": solved.seconds,
    })
}

fn openings(
    arguments: &Arguments,
    problem: &HexProblem,
    options: &SolveOptions<'_>,
) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.proof {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let bar = spinner();
    if bar.is_hidden() {
        eprintln!("solving the position after each move; Ctrl-C ends it");
    }
    let written = Mutex::new(Ok(()));
    let told = |mv: &str, solved: &Solved| {
        let winner = solved.winner.map_or("unknown".to_owned(), |winner| winner.to_string());
        let line = format!("{mv} {winner}, {} positions, {:.2} s", solved.nodes, solved.seconds);
        if bar.is_hidden() {
            eprintln!("{line}");
        } else {
            bar.println(line);
        }
        if let (Some(folder), Some(proof)) = (&arguments.proof, &solved.proof) {
            let result = write_atomically(folder.join(format!("{mv}.proof")), proof.as_bytes());
            if let (Err(error), Ok(mut written)) = (result, written.lock()) {
                *written = Err(error);
            }
        }
    };
    let found = problem.solve_openings(options, &told, &|now| {
        let numbers = (now.numbers.phi, now.numbers.delta);
        bar.set_message(progress_line(now.nodes, numbers, now.fullness));
    })?;
    bar.finish_and_clear();
    if let Ok(written) = written.into_inner() {
        written?;
    }
    if arguments.json {
        let values: serde_json::Map<_, _> = found
            .iter()
            .map(|(mv, winner)| (mv.clone(), winner.map(|winner| winner.to_string()).into()))
            .collect();
        let (size, to_move) = (problem.size(), problem.to_move().to_string());
        say!("{:#}", serde_json::json!({ "size": size, "to_move": to_move, "winners": values }))?;
    } else {
        say!("{}", board::draw_values(problem.size(), &problem.stones(), &found))?;
        say!("{} to move: b and w are moves after which black and white win", problem.to_move())?;
    }
    let open = found.iter().filter(|(_, winner)| winner.is_none()).count();
    anyhow::ensure!(open == 0, "{open} of {} openings are not solved", found.len());
    Ok(())
}

fn check(path: &Path) -> anyhow::Result<()> {
    let text = text_of(path)?;
    let (bar, stop) = (spinner(), stop_flag());
    let checked = check_proof_text(&text, &mut |done, all| {
        bar.set_message(format!("{done} of {all} nodes checked"));
        !stop.load(Ordering::Relaxed)
    });
    bar.finish_and_clear();
    let proof = checked.with_context(|| path.display().to_string())?;
    say!(
        "right: {size}x{size} with {} stones, {} to move, {} wins; {} nodes",
        proof.stones,
        proof.to_move,
        proof.winner,
        proof.nodes,
        size = proof.size
    )?;
    Ok(())
}
