//! Positions of Hex games as decisions for the learner, and the patterns that come up in them (H8).

use std::collections::HashMap;

use kosumi_game::Game;
use kosumi_hex::{Cell, Extent, HexMove, PatternKey, PatternTable, Surroundings};
use kosumi_learn::{Decision, Decisions};

use super::games::GameMoves;
use super::phase_of;

/// The moves of these games, each among all empty cells: a move is a team of its global and its
/// local pattern, as far as they are known.
#[derive(Clone, Copy, Debug)]
pub struct HexDecisions<'a> {
    games: &'a [GameMoves],
    table: &'a PatternTable,
    skip: usize,
}

impl<'a> HexDecisions<'a> {
    /// Games seen with these patterns, without the first `skip` moves of each.
    #[must_use]
    pub fn new(games: &'a [GameMoves], table: &'a PatternTable, skip: usize) -> Self {
        Self { games, table, skip }
    }
}

/// Scratch memory of one thread.
#[derive(Debug, Default)]
pub struct HexWorker {
    decision: Decision,
    moves: Vec<HexMove>,
}

impl Decisions for HexDecisions<'_> {
    type Worker = HexWorker;

    fn worker(&self) -> HexWorker {
        HexWorker::default()
    }

    fn parts(&self) -> usize {
        self.games.len()
    }

    fn visit(&self, part: usize, worker: &mut HexWorker, visit: &mut dyn FnMut(&Decision)) {
        let HexWorker { decision, moves } = worker;
        let mut number = 0;
        self.games[part].replay_hex(|position, played| {
            number += 1;
            if number <= self.skip {
                return;
            }
            moves.clear();
            position.legal_moves(moves);
            let Some(chosen) = moves.iter().position(|&mv| mv == played) else { return };
            let around = Surroundings::of(position);
            decision.clear();
            for &mv in &*moves {
                let Some(at) = position.point(mv) else { continue };
                let (global, local) = around.known(at, self.table);
                global.into_iter().chain(local).for_each(|feature| decision.push_feature(feature));
                decision.end_team();
            }
            decision.choose(chosen, phase_of(number - 1));
            visit(decision);
        });
    }
}

/// The keys of patterns up to `extent` that most often surround moves that could be played, and did
/// at least `least` times; those of six cells, which stand in for unknown larger ones, always. At
/// most `most`, smaller ones first, and the more frequent of one extent.
///
/// Not only those of played moves: that a pattern is all over the board and nobody ever plays there
/// is what its gamma has to say.
#[must_use]
pub fn frequent_hex_patterns(
    games: &[GameMoves],
    extent: Extent,
    skip: usize,
    (least, most): (u32, usize),
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<PatternKey> {
    let extents: Vec<Extent> = Extent::ALL.into_iter().filter(|e| *e <= extent).collect();
    let counts = kosumi_learn::share_out(games, threads, HashMap::new, |counts, game| {
        let mut number = 0;
        game.replay_hex(|position, _| {
            number += 1;
            if number <= skip {
                return;
            }
            let around = Surroundings::of(position);
            let empty = position.points().iter().filter(|&&at| position.cell(at) == Cell::Empty);
            for &at in empty {
                for &extent in &extents {
                    let (global, local) = around.keys(at, extent);
                    for key in [Some(global), local].into_iter().flatten() {
                        *counts.entry(key).or_insert(0u32) += 1;
                    }
                }
            }
        });
        progress(1);
    });
    let mut sum: HashMap<PatternKey, u32> = HashMap::new();
    for (key, count) in counts.into_iter().flatten() {
        *sum.entry(key).or_default() += count;
    }
    let known = |(key, count): &(PatternKey, u32)| *count >= least || key.extent() == Extent::Six;
    let mut frequent: Vec<(PatternKey, u32)> = sum.into_iter().filter(known).collect();
    frequent.sort_by_key(|&(key, count)| (key.extent(), std::cmp::Reverse(count), key));
    frequent.truncate(most);
    frequent.into_iter().map(|(key, _)| key).collect()
}
