//! Decisions in memory, in little room.
//!
//! Teams repeat: from one decision to the next most moves keep the features that do not tell of the
//! last moves. So teams are cut in pieces ([`Decisions::cuts`]), each different piece is kept once, and
//! a decision is a list of numbers of pieces. One pass over them costs a fraction of finding the
//! features anew.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::decision::{Combining, Decision, Decisions};
use crate::parallel::{ordered, share_out};
use crate::prediction::PredictionOf;

/// Parts that share their pieces. Such a block is one thread's work; its size depends on nothing, so
/// that sums do not depend on the number of threads.
const BLOCK: usize = 125;

/// Decisions in memory.
#[derive(Debug)]
pub struct Condensed {
    blocks: Vec<Block>,
    features: usize,
}

/// The decisions take more memory than they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("they need more than {limit} MiB of memory")]
pub struct TooLarge {
    /// What they may take, in MiB.
    pub limit: usize,
}

/// What a pass over decisions tells.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// How often the chosen team had each feature; where gammas are added, its parts in such teams.
    pub(crate) wins: Vec<f64>,
    /// The same as it was to be expected.
    pub(crate) expected: Vec<f64>,
    pub(crate) seen: PredictionOf,
}

impl Condensed {
    /// Gathers parts of decisions in at most `memory` MiB; `done` is called after each part.
    ///
    /// # Errors
    /// That is not enough.
    pub fn gather<D: Decisions>(
        decisions: &D,
        parts: &[usize],
        threads: usize,
        memory: usize,
        done: &(dyn Fn() + Sync),
    ) -> Result<Self, TooLarge> {
        let cuts = decisions.cuts();
        let used = AtomicUsize::new(0);
        let too_large = AtomicBool::new(false);
        let blocks: Vec<(usize, &[usize])> = parts.chunks(BLOCK).enumerate().collect();
        let state = || (decisions.worker(), Vec::new());
        let all = share_out(&blocks, threads, state, |(worker, blocks), &(number, parts)| {
            let mut builder = Builder::new(&cuts);
            let mut told = 0;
            for &part in parts {
                if too_large.load(Ordering::Relaxed) {
                    return;
                }
                decisions.visit(part, worker, &mut |decision| builder.add(decision));
                let bytes = builder.block.bytes();
                let sum = used.fetch_add(bytes - told, Ordering::Relaxed) + bytes - told;
                told = bytes;
                if sum >> 20 >= memory {
                    too_large.store(true, Ordering::Relaxed);
                }
                done();
            }
            blocks.push((number, builder.finish()));
        });
        if too_large.into_inner() {
            return Err(TooLarge { limit: memory });
        }
        let blocks = ordered(all.into_iter().flat_map(|(_, blocks)| blocks));
        let features = blocks.iter().map(|block| block.features).max().unwrap_or(0);
        Ok(Self { blocks, features })
    }

    /// The largest feature and one more.
    #[must_use]
    pub fn feature_bound(&self) -> usize {
        self.features
    }

    /// How much memory they take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(Block::bytes).sum()
    }

    /// The most features of a team.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.blocks.iter().map(|block| block.degree).max().unwrap_or(0)
    }

    /// What these log-gammas make of the decisions.
    pub(crate) fn count(&self, log_gammas: &[f32], combining: Combining, threads: usize) -> Counts {
        let blocks: Vec<(usize, &Block)> = self.blocks.iter().enumerate().collect();
        let all = share_out(&blocks, threads, Vec::new, |counts, &(number, block)| {
            counts.push((number, block.count(log_gammas, combining)));
        });
        let mut sum = Counts {
            wins: vec![0.0; log_gammas.len()],
            expected: vec![0.0; log_gammas.len()],
            seen: PredictionOf::default(),
        };
        for counts in ordered(all.into_iter().flatten()) {
            let add = |sum: &mut Vec<f64>, more: &[f64]| {
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            };
            add(&mut sum.wins, &counts.wins);
            add(&mut sum.expected, &counts.expected);
            sum.seen.merge(&counts.seen);
        }
        sum
    }
}

/// The decisions of some parts.
#[derive(Debug, Default)]
struct Block {
    /// The features of all pieces, one piece after the other.
    piece_features: Vec<u32>,
    /// Where in `piece_features` each piece ends.
    piece_ends: Vec<u32>,
    /// How many pieces a team has.
    pieces: usize,
    /// The pieces of all teams, one team after the other.
    teams: Vec<u32>,
    /// Of each decision, how many teams it has and which was chosen.
    decisions: Vec<(u32, u32)>,
    features: usize,
    degree: usize,
}

impl Block {
    fn bytes(&self) -> usize {
        let words = self.piece_features.len() + self.piece_ends.len() + self.teams.len();
        4 * words + 8 * self.decisions.len()
    }

    /// The features of each piece.
    fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.piece_ends.iter().map(move |&end| {
            let piece = &self.piece_features[from as usize..end as usize];
            from = end;
            piece
        })
    }

    fn count(&self, log_gammas: &[f32], combining: Combining) -> Counts {
        match combining {
            Combining::Product => self.count_as::<true>(log_gammas),
            Combining::Sum => self.count_as::<false>(log_gammas),
        }
    }

    fn count_as<const PRODUCT: bool>(&self, log_gammas: &[f32]) -> Counts {
        let strength = |piece: &[u32]| {
            let log_gammas = piece.iter().map(|&feature| f64::from(log_gammas[feature as usize]));
            // A piece beyond all reason must not overflow with the others of its team.
            if PRODUCT {
                log_gammas.sum::<f64>().clamp(-100.0, 100.0).exp()
            } else {
                log_gammas.map(f64::exp).sum()
            }
        };
        let strengths: Vec<f64> = self.pieces().map(strength).collect();
        // The shares of the teams of each piece; where gammas are added, those over the strengths.
        let mut shares = vec![0.0; strengths.len()];
        let mut won = vec![0.0; strengths.len()];
        let mut seen = PredictionOf::default();
        let (mut team_strengths, mut ranked) = (Vec::new(), Vec::new());
        let mut teams = self.teams.chunks_exact(self.pieces);
        for &(count, chosen) in &self.decisions {
            let these = teams.clone().take(count as usize);
            team_strengths.clear();
            team_strengths.extend(these.clone().map(|team| {
                let pieces = team.iter().map(|&piece| strengths[piece as usize]);
                if PRODUCT { pieces.product() } else { some(pieces.sum()) }
            }));
            let sum: f64 = team_strengths.iter().sum();
            for (team, &strength) in these.zip(&team_strengths) {
                let share = if PRODUCT { strength / sum } else { 1.0 / sum };
                team.iter().for_each(|&piece| shares[piece as usize] += share);
            }
            let strength = team_strengths[chosen as usize];
            if let Some(team) = teams.clone().nth(chosen as usize) {
                let part = if PRODUCT { 1.0 } else { 1.0 / strength };
                team.iter().for_each(|&piece| won[piece as usize] += part);
            }
            ranked.clear();
            ranked.extend(team_strengths.iter().map(|&strength| strength as f32));
            seen.add(&ranked, chosen as usize, (strength / sum).ln());
            if count > 0 {
                teams.nth(count as usize - 1);
            }
        }
        let mut counts = Counts {
            wins: vec![0.0; log_gammas.len()],
            expected: vec![0.0; log_gammas.len()],
            seen,
        };
        for (piece, (&share, &won)) in self.pieces().zip(shares.iter().zip(&won)) {
            for &feature in piece {
                let feature = feature as usize;
                let part = if PRODUCT { 1.0 } else { f64::from(log_gammas[feature]).exp() };
                counts.expected[feature] += share * part;
                counts.wins[feature] += won * part;
            }
        }
        counts
    }
}

/// A team without members has strength 1.
fn some(sum: f64) -> f64 {
    if sum == 0.0 { 1.0 } else { sum }
}

/// A block under construction.
struct Builder<'a> {
    block: Block,
    cuts: &'a [u32],
    /// The first piece with some hash; others of that hash come behind it.
    numbers: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
    piece: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(cuts: &'a [u32]) -> Self {
        let block = Block { pieces: cuts.len() + 1, ..Block::default() };
        Self { block, cuts, numbers: HashMap::default(), piece: Vec::new() }
    }

    fn add(&mut self, decision: &Decision) {
        for team in decision.teams() {
            self.block.degree = self.block.degree.max(team.len());
            let mut from = 0;
            for to in self.cuts.iter().copied().chain([u32::MAX]) {
                let mut piece = std::mem::take(&mut self.piece);
                piece.clear();
                piece.extend(team.iter().filter(|&&feature| (from..to).contains(&feature)));
                let number = self.number(&piece);
                self.block.teams.push(number);
                self.piece = piece;
                from = to;
            }
        }
        self.block.features = self.block.features.max(decision.feature_bound());
        self.block.decisions.push((decision.len() as u32, decision.chosen() as u32));
    }

    /// The number of a piece, a new one perhaps.
    fn number(&mut self, piece: &[u32]) -> u32 {
        let mut hash = piece.len() as u64;
        for &feature in piece {
            hash = (hash.rotate_left(23) ^ u64::from(feature)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        hash ^= hash >> 29;
        loop {
            let block = &mut self.block;
            match self.numbers.get(&hash) {
                Some(&number) => {
                    let at = number as usize;
                    let from = if at == 0 { 0 } else { block.piece_ends[at - 1] };
                    let known = &block.piece_features[from as usize..block.piece_ends[at] as usize];
                    if known == piece {
                        return number;
                    }
                    hash = hash.wrapping_add(1);
                }
                None => {
                    let number = block.piece_ends.len() as u32;
                    block.piece_features.extend_from_slice(piece);
                    block.piece_ends.push(block.piece_features.len() as u32);
                    self.numbers.insert(hash, number);
                    return number;
                }
            }
        }
    }

    fn finish(mut self) -> Block {
        self.block.piece_features.shrink_to_fit();
        self.block.piece_ends.shrink_to_fit();
        self.block.teams.shrink_to_fit();
        self.block.decisions.shrink_to_fit();
        self.block
    }
}

/// The hasher of keys that are hashes.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Shares;
    use kosumi_game::Rng;

    /// Decisions of random teams that come again and again, cut in pieces.
    struct Cut(Vec<Vec<Decision>>, Vec<u32>);

    impl Decisions for Cut {
        type Worker = ();

        fn worker(&self) {}

        fn parts(&self) -> usize {
            self.0.len()
        }

        fn cuts(&self) -> Vec<u32> {
            self.1.clone()
        }

        fn visit(&self, part: usize, (): &mut (), visit: &mut dyn FnMut(&Decision)) {
            self.0[part].iter().for_each(visit);
        }
    }

    const FEATURES: u32 = 12;

    fn games(cuts: &[u32]) -> Cut {
        let mut rng = Rng::new(11);
        let mut decision = |_| {
            let mut decision = Decision::new();
            for _ in 0..1 + rng.below(8) {
                // Some teams are empty, and some have a feature twice.
                let members: Vec<u32> = (0..rng.below(5)).map(|_| rng.below(FEATURES)).collect();
                decision.push_team(&members);
            }
            decision.choose(rng.below(decision.len() as u32) as usize, 0);
            decision
        };
        let mut game = |_| (0..3).map(&mut decision).collect();
        Cut((0..2 * BLOCK + 7).map(&mut game).collect(), cuts.to_vec())
    }

    /// What a pass tells, straight from the decisions.
    fn plainly(games: &Cut, log_gammas: &[f32], combining: Combining) -> Counts {
        let none = vec![0.0; log_gammas.len()];
        let mut counts =
            Counts { wins: none.clone(), expected: none, seen: PredictionOf::default() };
        let mut shares = Shares::default();
        for decision in games.0.iter().flatten() {
            shares.of(decision, combining, |feature| log_gammas[feature as usize]);
            counts.seen.add(&shares.shares, decision.chosen(), shares.log_chosen);
            for (team, members) in decision.teams().enumerate() {
                for &feature in members {
                    let feature = feature as usize;
                    let part = combining.part(log_gammas[feature], shares.log_strengths[team]);
                    counts.expected[feature] += f64::from(shares.shares[team] * part);
                    if team == decision.chosen() {
                        counts.wins[feature] += f64::from(part);
                    }
                }
            }
        }
        counts
    }

    #[test]
    fn a_pass_tells_what_the_decisions_tell() {
        let log_gammas: Vec<f32> = (0..FEATURES).map(|f| (f as f32 * 1.7).sin()).collect();
        for cuts in [&[][..], &[4], &[3, 4, 9]] {
            let games = games(cuts);
            let parts: Vec<usize> = (0..games.parts()).collect();
            let condensed = Condensed::gather(&games, &parts, 2, 100, &|| ()).unwrap();
            assert_eq!(condensed.feature_bound(), FEATURES as usize);
            for combining in [Combining::Product, Combining::Sum] {
                let counts = condensed.count(&log_gammas, combining, 2);
                let plain = plainly(&games, &log_gammas, combining);
                let both = [(&counts.wins, &plain.wins), (&counts.expected, &plain.expected)];
                for (ours, theirs) in both.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
                    assert!((ours - theirs).abs() < 1e-3, "{combining:?} {ours} {theirs}");
                }
                let [ours, theirs] = [&counts.seen, &plain.seen].map(PredictionOf::log_likelihood);
                assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
                assert_eq!(counts.seen.decisions(), plain.seen.decisions());
                let alone = condensed.count(&log_gammas, combining, 1);
                assert_eq!(alone.expected, counts.expected, "threads change nothing");
            }
        }
    }

    #[test]
    fn what_comes_again_is_kept_once() {
        let mut decision = Decision::new();
        (0..100).for_each(|_| decision.push_team(&[1, 2, 3, 4, 5, 6, 7]));
        decision.choose(3, 0);
        let games = vec![vec![decision; 100]];
        let bytes = Condensed::gather(&games, &[0], 1, 100, &|| ()).unwrap().bytes();
        assert_eq!(bytes, 4 * (7 + 1) + 100 * (4 * 100 + 8));
    }

    #[test]
    fn there_is_a_limit() {
        let games = games(&[4]);
        let parts: Vec<usize> = (0..games.parts()).collect();
        let error = Condensed::gather(&games, &parts, 2, 0, &|| ()).unwrap_err();
        assert_eq!(error.to_string(), "they need more than 0 MiB of memory");
    }
}
