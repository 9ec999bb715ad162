//! How fast the engine is, and a signature of what it does.
//!
//! The positions never change, so that figures of different versions compare. The signature hashes
//! the root's visits of searches with one thread, fixed seeds and fixed numbers of simulations: it
//! is the same on every machine and in every build until the behaviour of a search changes.

use std::time::Instant;

use kosumi_record::GameKind;
use kosumi_search::Limits;
use serde::Serialize;

use crate::engine::{Engine, EngineOptions};
use crate::error::EngineError;
use crate::fnv::Fnv;
use crate::system::cpu_seconds;

/// What to measure, and for how long.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BenchOptions {
    /// Seconds for all measurements together, about.
    pub seconds: f64,
    /// Threads of the second search of each board.
    pub threads: usize,
    /// The games.
    pub games: Vec<GameKind>,
}

impl Default for BenchOptions {
    /// Everything, in three quarters of a minute, with all processors.
    fn default() -> Self {
        Self {
            seconds: 45.0,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            games: GameKind::ALL.to_vec(),
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Subject {
    /// Playouts alone, by this policy, in one thread.
    Playouts {
        /// The value of `playout.policy`.
        policy: &'static str,
    },
    /// The default preset's knowledge about the moves of a node, one stage of it, in one thread.
    Knowledge {
        /// The visits at which a node gets it.
        visits: u64,
    },
    /// The default preset's search.
    Search {
        /// Its threads.
        threads: usize,
        /// Nodes of the tree at the end.
        nodes: u64,
        /// Bytes of the tree per node, edges and all.
        bytes_per_node: f64,
    },
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Measurement {
    /// The game's name.
    pub game: &'static str,
    /// The board's size.
    pub size: usize,
    /// `empty` or `middle`.
    pub position: &'static str,
    /// What was measured.
    pub subject: Subject,
    /// Playouts, judgements or simulations.
    pub count: u64,
    /// How long they took.
    pub seconds: f64,
    /// Processor time they took, where the system tells.
    pub cpu_seconds: Option<f64>,
}

impl Measurement {
    /// Playouts, judgements or simulations per second on the wall.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.count as f64 / self.seconds.max(1e-9)
    }

    /// Playouts, judgements or simulations per second of processor time, where the system tells.
    #[must_use]
    pub fn per_cpu_second(&self) -> Option<f64> {
        self.cpu_seconds.filter(|&seconds| seconds > 0.0).map(|seconds| self.count as f64 / seconds)
    }
}

/// A board to measure on. The moves lead from the empty board to a position in the middle game.
struct Board {
    game: GameKind,
    size: usize,
    moves: &'static str,
}

const BOARDS: &[Board] = &[
    Board {
        game: GameKind::Go,
        size: 9,
        moves: "F3 D7 C5 G6 G5 F5 G4 C6 B6 B7 H6 D5 C4 G7 H7 H8 D3 E3 E2 F4",
    },
    Board {
        game: GameKind::Go,
        size: 13,
        moves: "D4 K10 K4 D10 C8 F11 C11 C10 B10 D11 B9 L6 K6 L7 H3 C5 C4 D5 E4 F6 G11 G12 H11 K7",
    },
    Board {
        game: GameKind::Go,
        size: 19,
        moves: "Q16 D4 Q4 D16 F17 C14 R6 O17 Q14 K17 C6 F3 C10 D12 F10 H17 F15 K4 O3 R17 R16 Q17 \
                P17 P18 N17 O16 P16 N18 M17 M18 L18 L17 H3 C3 H5 E7",
    },
    Board { game: GameKind::Hex, size: 11, moves: "a10 f6 g4 e5 d7 h3 h5 c8 i2 d4 e3 i4" },
    Board { game: GameKind::Hex, size: 13, moves: "a3 g7 h5 f6 e8 i4 i6 d9 j3 e5 f4 j5 c11 d10" },
    Board { game: GameKind::Havannah, size: 6, moves: "f6 d4 g8 h7 e7 f8 e5 g5 d6 i8" },
    Board { game: GameKind::Havannah, size: 8, moves: "h8 f6 i10 j9 g9 h10 g7 i7 f8 k10 e5 j12" },
];

fn policies(game: GameKind) -> &'static [&'static str] {
    match game {
        GameKind::Go => &["light", "heavy", "learned"],
        GameKind::Hex => &["light", "savebridge", "patterns"],
        GameKind::Havannah => &["light", "heavy"],
    }
}

impl Board {
    fn engine(&self, set: &[(&str, &str)]) -> Result<Engine, EngineError> {
        let mut options = EngineOptions::new(self.game);
        options.size = Some(self.size);
        options.seed = Some(1);
        let set = set.iter().map(|(k, v)| (k.to_string(), v.to_string()));
        options.set.extend(set);
        Engine::new(&options)
    }

    /// Plays the moves of the middle game.
    fn go_to_the_middle(&self, engine: &mut Engine) -> Result<(), EngineError> {
        for mv in self.moves.split_whitespace() {
            engine.play(engine.to_move(), mv)?;
        }
        Ok(())
    }
}

/// Measures everything, telling `each` as it goes.
///
/// # Errors
/// Nothing that the outside can cause: the positions and presets are part of the program.
pub fn run(
    options: &BenchOptions,
    mut each: impl FnMut(&Measurement),
) -> Result<Vec<Measurement>, EngineError> {
    let boards: Vec<&Board> =
        BOARDS.iter().filter(|board| options.games.contains(&board.game)).collect();
    // Searches get twice the time of playouts and knowledge.
    let searches = if options.threads > 1 { 4 } else { 2 };
    let mut slots = 0;
    for board in &boards {
        slots += 2 * policies(board.game).len() + board.engine(&[])?.knowledge_stages().len();
        slots += searches;
    }
    let slot = options.seconds / slots.max(1) as f64;
    let mut measurements = Vec::new();
    let mut tell = |measurement: Measurement| {
        each(&measurement);
        measurements.push(measurement);
    };
    for board in boards {
        for &policy in policies(board.game) {
            for position in ["empty", "middle"] {
                let set = [("playout.policy", policy), ("search.memory", "1")];
                let mut engine = board.engine(&set)?;
                if position == "middle" {
                    board.go_to_the_middle(&mut engine)?;
                }
                tell(board.measure(position, Subject::Playouts { policy }, || {
                    Ok(engine.playouts_for(slot))
                })?);
            }
        }
        let mut engine = board.engine(&[("search.memory", "1")])?;
        board.go_to_the_middle(&mut engine)?;
        for (stage, visits) in engine.knowledge_stages().into_iter().enumerate() {
            tell(board.measure("middle", Subject::Knowledge { visits }, || {
                Ok(engine.judgements_for(stage, slot))
            })?);
        }
        // More threads get the same work, not the same time: a larger tree is slower to search.
        let alone = board.measure_search(1, Limits::seconds(2.0 * slot))?;
        let simulations = alone.count;
        tell(alone);
        if options.threads > 1 {
            tell(board.measure_search(options.threads, Limits::simulations(simulations))?);
        }
    }
    Ok(measurements)
}

impl Board {
    fn measure(
        &self,
        position: &'static str,
        subject: Subject,
        work: impl FnOnce() -> Result<u64, EngineError>,
    ) -> Result<Measurement, EngineError> {
        let (begun, cpu_before) = (Instant::now(), cpu_seconds());
        let count = work()?;
        let seconds = begun.elapsed().as_secs_f64();
        let cpu_after = cpu_seconds();
        Ok(Measurement {
            game: self.game.name(),
            size: self.size,
            position,
            subject,
            count,
            seconds,
            cpu_seconds: cpu_before.zip(cpu_after).map(|(before, after)| after - before),
        })
    }

    fn measure_search(&self, threads: usize, limits: Limits) -> Result<Measurement, EngineError> {
        let mut engine = self.engine(&[
            ("search.threads", &threads.to_string()),
            ("stop.early", "false"),
            ("stop.extend_unstable", "false"),
        ])?;
        let mut memory = 0;
        let subject = Subject::Search { threads, nodes: 0, bytes_per_node: 0.0 };
        let mut measurement = self.measure("empty", subject, || {
            let thinking = engine.start(engine.to_move(), limits)?;
            thinking.wait();
            engine.halt()?;
            let analysis = thinking.analysis()?;
            memory = analysis.memory;
            Ok(analysis.simulations)
        })?;
        let nodes = engine.verify()?.nodes;
        measurement.subject =
            Subject::Search { threads, nodes, bytes_per_node: memory as f64 / nodes.max(1) as f64 };
        Ok(measurement)
    }
}

/// A search that the signature contains.
struct Signed {
    game: GameKind,
    size: usize,
    preset: &'static str,
    simulations: u64,
    /// Parameters beside the preset's.
    set: &'static [(&'static str, &'static str)],
    /// Moves before the search.
    moves: &'static str,
}

const fn signed(
    game: GameKind,
    size: usize,
    preset: &'static str,
    simulations: u64,
    set: &'static [(&'static str, &'static str)],
    moves: &'static str,
) -> Signed {
    Signed { game, size, preset, simulations, set, moves }
}

/// What the signature searches: small boards, every formula, every kind of playout, nets at positions
/// that they evaluate, the solver beside the search, and alpha-beta.
const SIGNED: &[Signed] = &[
    signed(GameKind::Go, 9, "strongest", 600, &[], ""),
    signed(GameKind::Go, 13, "light", 300, &[], ""),
    signed(GameKind::Go, 19, "mogo", 150, &[], ""),
    signed(GameKind::Go, 7, "nomitan", 400, &[], ""),
    signed(GameKind::Go, 9, "tsc3", 300, &[], ""),
    signed(GameKind::Go, 7, "nomitan", 300, &[("bias.kind", "huang")], "D4"),
    signed(
        GameKind::Go,
        7,
        "nomitan",
        300,
        &[("bias.kind", "chaslot"), ("uct.mean", "rave-outside"), ("rave.fade", "0.5")],
        "D4 C3",
    ),
    signed(GameKind::Hex, 11, "strongest", 1000, &[], ""),
    signed(GameKind::Hex, 11, "strongest", 300, &[], "a10 f6 g4"),
    signed(GameKind::Hex, 9, "mohex2", 1000, &[], ""),
    signed(GameKind::Hex, 9, "mohex2", 500, &[("estimate.weight", "0.4")], "a9 e5"),
    signed(GameKind::Hex, 7, "mohex1", 1000, &[], ""),
    signed(GameKind::Hex, 6, "mohex2", 1000, &[("solver.run", "between")], "a5 c3"),
    signed(GameKind::Hex, 5, "tsc4", 1000, &[], ""),
    signed(GameKind::Hex, 7, "wolve", 2000, &[], "a6 d4"),
    signed(GameKind::Havannah, 6, "strongest", 300, &[], "f6 d4"),
    signed(GameKind::Havannah, 6, "classic", 1000, &[], ""),
    signed(GameKind::Havannah, 5, "light", 1000, &[], ""),
    signed(GameKind::Havannah, 4, "uct", 1000, &[], ""),
    signed(GameKind::Havannah, 4, "tsc1", 1000, &[], ""),
];

/// A hash of what searches do: equal on all machines and in all builds of equal behaviour.
///
/// # Errors
/// Nothing that the outside can cause.
pub fn signature() -> Result<u64, EngineError> {
    let mut hash = Fnv::default();
    for &Signed { game, size, preset, simulations, set, moves } in SIGNED {
        let mut options = EngineOptions::new(game);
        options.size = Some(size);
        options.seed = Some(20);
        options.threads = Some(1);
        options.memory_mb = Some(64);
        options.preset = Some(preset.to_string());
        options.set = vec![
            ("stop.early".to_string(), "false".to_string()),
            ("stop.extend_unstable".to_string(), "false".to_string()),
        ];
        let set = set.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string()));
        options.set.extend(set);
        let mut engine = Engine::new(&options)?;
        for mv in moves.split_whitespace() {
            engine.play(engine.to_move(), mv)?;
        }
        // The second search has a tree to build on.
        for _ in 0..2 {
            let thinking = engine.start(engine.to_move(), Limits::simulations(simulations))?;
            thinking.wait();
            engine.halt()?;
            let analysis = thinking.analysis()?;
            let mut visits: Vec<(&str, u64)> =
                analysis.moves.iter().map(|mv| (mv.mv.as_str(), mv.visits)).collect();
            visits.sort_unstable();
            for (mv, visits) in visits {
                hash.add(mv.as_bytes());
                hash.add(&visits.to_le_bytes());
            }
            if let Some(best) = analysis.best() {
                engine.play(analysis.to_move, &best.mv)?;
            }
        }
    }
    Ok(hash.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_twice() {
        assert_eq!(signature().unwrap(), signature().unwrap());
    }

    #[test]
    fn every_board_has_a_middle_game() {
        for board in BOARDS {
            let mut engine = board.engine(&[("search.memory", "1")]).unwrap();
            board.go_to_the_middle(&mut engine).unwrap();
            assert_eq!(engine.result(), None);
        }
    }

    #[test]
    fn a_short_bench_measures_everything() {
        let options = BenchOptions { seconds: 0.5, threads: 2, ..BenchOptions::default() };
        let mut told = 0;
        let measured = run(&options, |_| told += 1).unwrap();
        assert_eq!(told, measured.len());
        for board in BOARDS {
            let of = |kind: fn(&Subject) -> bool| {
                let here = |m: &&Measurement| m.game == board.game.name() && m.size == board.size;
                measured.iter().filter(here).filter(|m| kind(&m.subject) && m.count > 0).count()
            };
            let policies = policies(board.game).len();
            assert_eq!(of(|s| matches!(s, Subject::Playouts { .. })), 2 * policies);
            let stages = board.engine(&[]).unwrap().knowledge_stages().len();
            assert_eq!(of(|s| matches!(s, Subject::Knowledge { .. })), stages);
        }
        let searches = |m: &&Measurement| matches!(m.subject, Subject::Search { .. });
        assert_eq!(measured.iter().filter(searches).count(), 2 * BOARDS.len());
    }
}
