//! Selection formulas, scored on slices: the statistics of all admitted moves are gathered into
//! arrays, scored in straight loops, and the best is taken.
//!
//! Implements N1 (eq. 1), N7 (eqs. 4, 5, 6), H7 (eqs. 1, 2, 3), S1 and T2 to T5 as one family:
//! a mean ([`Mean`]), a bias ([`Bias`]) and the shape terms, each chosen by a parameter, so that an
//! ablation needs no new code. Eq. 3 of H7 is `rave-inside` with bias `mohex`; eq. 6 of N7 is
//! `plain` with bias `nomitan`; its eq. 5 is `rave-inside` with `huang`; its eq. 4 is
//! `rave-outside` without exploration and with `chaslot`, where alpha and beta are `1 - w` and `w`.

use crate::params::{Bias, Mean, SearchParams};
use crate::rave::rave_unit;
use crate::shape::ShapeTerms;
use kosumi_game::math::ln;

/// The statistics of one move that may be selected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    /// Place of the move's edge at its node.
    pub(crate) edge: u16,
    /// Move index, for ties.
    pub(crate) mv: u16,
    /// Visits, with virtual games and simulations on their way.
    pub(crate) visits: f32,
    /// Wins of the player to move among them.
    pub(crate) wins: f32,
    /// RAVE count.
    pub(crate) rave_count: f32,
    /// RAVE wins among them.
    pub(crate) rave_wins: f32,
    /// P(m).
    pub(crate) prior: f32,
    /// Depth over width of the subtree (or what the parameters make of it); 0 if unvisited.
    pub(crate) ratio: f32,
}

/// Candidates that are scored together, one vector register or two per quantity.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// The statistics of [`LANES`] candidates, one array per quantity.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Block {
    /// Move index (high half) and place of the edge (low half): comparing keys compares moves.
    key: [u32; LANES],
    visits: Lanes,
    wins: Lanes,
    rave_count: Lanes,
    rave_wins: Lanes,
    prior: Lanes,
    ratio: Lanes,
    score: Lanes,
}

/// The statistics of the moves that may be selected at one node, in blocks of arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    len: usize,
    /// As many as any node needed so far; the first `len` lanes count.
    blocks: Vec<Block>,
}

impl Candidates {
    /// Forgets all candidates and makes room for `room` of them.
    pub(crate) fn clear(&mut self, room: usize) {
        self.len = 0;
        if self.blocks.len() < room.div_ceil(LANES) {
            self.blocks.resize(room.div_ceil(LANES), Block::default());
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds a candidate; there must be room.
    #[inline(always)] // Measured: a call per candidate costs a seventh of a search in Havannah.
    pub(crate) fn push(&mut self, candidate: Candidate) {
        let (block, lane) = (&mut self.blocks[self.len / LANES], self.len % LANES);
        block.key[lane] = u32::from(candidate.mv) << 16 | u32::from(candidate.edge);
        block.visits[lane] = candidate.visits;
        block.wins[lane] = candidate.wins;
        block.rave_count[lane] = candidate.rave_count;
        block.rave_wins[lane] = candidate.rave_wins;
        block.prior[lane] = candidate.prior;
        block.ratio[lane] = candidate.ratio;
        self.len += 1;
    }

    /// The edge with the best score; ties go to the lower move index.
    pub(crate) fn best_edge(&self) -> Option<u16> {
        let blocks = &self.blocks[..self.len.div_ceil(LANES)];
        let mut most = [f32::NEG_INFINITY; LANES];
        for block in blocks {
            for (most, &score) in most.iter_mut().zip(&block.score) {
                *most = if score > *most { score } else { *most };
            }
        }
        let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let keys = blocks.iter().flat_map(|block| block.key.iter().zip(&block.score));
        let best = keys.take(self.len).filter(|&(_, &score)| score == most).map(|(&key, _)| key);
        best.min().map(|key| key as u16)
    }

    /// Adds to every score what `bonus` gives for the move and the visits.
    pub(crate) fn add_by_move(&mut self, bonus: impl Fn(u16, f32) -> f32) {
        for block in self.blocks() {
            for i in 0..LANES {
                block.score[i] += bonus((block.key[i] >> 16) as u16, block.visits[i]);
            }
        }
    }

    /// Replaces every prior by what `change` gives for the move and the prior.
    pub(crate) fn change_priors(&mut self, change: impl Fn(u16, f32) -> f32) {
        for block in self.blocks() {
            for (prior, key) in block.prior.iter_mut().zip(block.key) {
                *prior = change((key >> 16) as u16, *prior);
            }
        }
    }

    /// The blocks in use.
    fn blocks(&mut self) -> &mut [Block] {
        &mut self.blocks[..self.len.div_ceil(LANES)]
    }

    /// Adds to every score what `bias` gives for the prior and the visits.
    fn add(&mut self, bias: impl Fn(f32, f32) -> f32) {
        for block in self.blocks() {
            for i in 0..LANES {
                block.score[i] += bias(block.prior[i], block.visits[i]);
            }
        }
    }

    /// Lanes behind the last candidate hold remains of others: they must not win.
    fn bar_remains(&mut self) {
        let (last, used) = (self.len / LANES, self.len % LANES);
        if used > 0 {
            self.blocks[last].score[used..].fill(f32::NEG_INFINITY);
        }
    }

    /// Scores and shape ratios, in the order the candidates were added.
    pub(crate) fn scores_and_ratios(&mut self) -> impl Iterator<Item = (&mut f32, f32)> {
        self.blocks().iter_mut().flat_map(|block| block.score.iter_mut().zip(block.ratio))
    }

    #[cfg(test)]
    pub(crate) fn of(rows: &[Candidate]) -> Self {
        let mut candidates = Self::default();
        candidates.clear(rows.len());
        rows.iter().for_each(|&row| candidates.push(row));
        candidates
    }

    #[cfg(test)]
    pub(crate) fn scores(&self) -> Vec<f32> {
        self.blocks.iter().flat_map(|block| block.score).take(self.len).collect()
    }
}

/// What the formulas need to know of the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    /// N: visits of the node.
    pub(crate) visits: u64,
    /// Their mean for the player to move; any number unless first-play urgency goes by it.
    pub(crate) value: f32,
    /// Its level; the root's is 0.
    pub(crate) level: usize,
    /// Whether RAVE counts in this simulation.
    pub(crate) use_rave: bool,
}

/// A formula with its constants.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    mean: Mean,
    exploration: f32,
    fpu: f32,
    fpu_by_parent: bool,
    rave_early_inverse: f32,
    rave_late_inverse: f32,
    /// RAVE count and wins that every move starts with.
    rave_initial: (f32, f32),
    bias: Bias,
    bias_weight: f32,
    bias_k: f32,
    bias_gamma: f32,
    pub(crate) shape: ShapeTerms,
}

impl Formula {
    pub(crate) fn new(params: &SearchParams) -> Self {
        // With r counted in units u, w = r / (r + n (u/early + r/late)).
        let unit = rave_unit(params);
        Self {
            mean: params.mean,
            exploration: params.exploration,
            fpu: params.fpu,
            fpu_by_parent: params.fpu_by_parent,
            rave_early_inverse: unit / params.rave_early,
            rave_late_inverse: 1.0 / params.rave_late,
            rave_initial: (
                unit * params.rave_initial_count,
                unit * params.rave_initial_count * params.rave_initial_value,
            ),
            bias: params.bias,
            bias_weight: params.bias_weight,
            bias_k: params.bias_k,
            bias_gamma: params.bias_gamma,
            shape: ShapeTerms::new(params),
        }
    }

    /// Whether RAVE statistics are used at all.
    pub(crate) fn uses_rave(&self) -> bool {
        self.mean != Mean::Plain
    }

    /// Scores all candidates.
    pub(crate) fn score(&self, candidates: &mut Candidates, parent: Parent) {
        self.score_means(candidates, parent);
        self.add_bias(candidates, parent);
        self.shape.add(candidates, parent.level);
        candidates.bar_remains();
    }

    /// Means and exploration. With w = r / (r + n g), g = 1/early + r/late (near 1 for small n,
    /// towards 0 later; with `early` 1 this is Silver's and Pachi's schedule, with MoHex's
    /// constants Fuego's), the mixture w R/r + (1 - w) W/n is (R + g W) / (r + n g), and
    /// (1 - w) times E/sqrt(n) is g E sqrt(n) / (r + n g): one division for all.
    fn score_means(&self, candidates: &mut Candidates, parent: Parent) {
        let ln_parent = ln(parent.visits.max(1) as f64) as f32;
        let explore = self.exploration * ln_parent.sqrt();
        let c4 = self.shape.c4(parent.level);
        let rave = if parent.use_rave && self.uses_rave() { 1.0 } else { 0.0 };
        let fpu = if self.fpu_by_parent { parent.value - self.fpu } else { self.fpu };
        let (initial_count, initial_wins) = self.rave_initial;
        let outside = self.mean == Mean::RaveOutside;
        for block in candidates.blocks() {
            for i in 0..LANES {
                let n = block.visits[i];
                let r = (block.rave_count[i] + initial_count) * rave;
                let g = self.rave_early_inverse + r * self.rave_late_inverse;
                let exploring = explore * (1.0 + c4 * block.ratio[i]) * n.sqrt();
                let inside = if outside { 0.0 } else { exploring };
                let rave_wins = (block.rave_wins[i] + initial_wins) * rave;
                let known = rave_wins + g * (block.wins[i] + inside);
                let beside = if outside && n > 0.0 { exploring / n } else { 0.0 };
                let score = known / (r + n * g) + beside;
                block.score[i] = if n + r > 0.0 { score } else { fpu };
            }
        }
    }

    fn add_bias(&self, candidates: &mut Candidates, parent: Parent) {
        let parent_visits = parent.visits as f32;
        match self.bias {
            Bias::None => {}
            Bias::Nomitan => {
                let weight =
                    self.bias_weight * (self.bias_k / (parent_visits + self.bias_k)).sqrt();
                candidates.add(|prior, _| weight * prior);
            }
            Bias::Huang => {
                let weight = self.bias_weight / parent_visits.max(1.0);
                candidates.add(|prior, _| weight * prior);
            }
            Bias::Mohex => {
                candidates.add(|prior, visits| self.bias_weight * prior / (visits + 1.0).sqrt());
            }
            Bias::Puct => {
                let weight = self.bias_weight * parent_visits.sqrt();
                candidates.add(|prior, visits| weight * prior / (visits + 1.0));
            }
            Bias::Chaslot => candidates.add(|prior, visits| {
                let fading = self.bias_weight / ln(2.0 + f64::from(visits)) as f32;
                (self.bias_gamma + fading) * prior
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_game::params::PerLevel;

    /// Visits, wins, RAVE count, RAVE wins, prior.
    fn score_one(
        params: &SearchParams,
        parent: u64,
        stats: [f32; 5],
        depth: f32,
        width: f32,
    ) -> f32 {
        let formula = Formula::new(params);
        let mut candidates = Candidates::of(&[Candidate {
            visits: stats[0],
            wins: stats[1],
            rave_count: stats[2],
            rave_wins: stats[3],
            prior: stats[4],
            ratio: formula.shape.ratio(depth, width, 1.0),
            ..Default::default()
        }]);
        let parent = Parent { visits: parent, value: 0.6, level: 0, use_rave: true };
        formula.score(&mut candidates, parent);
        candidates.scores()[0]
    }

    fn close(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-5, "{a} != {b}");
    }

    #[test]
    fn eq_1_of_nomitan_is_uct() {
        // 30 wins of 40, N = 100, C = 0.9: 0.75 + 0.9 * sqrt(4.605170 / 40) = 0.75 + 0.9 * 0.339307.
        let params = SearchParams { mean: Mean::Plain, exploration: 0.9, ..Default::default() };
        close(score_one(&params, 100, [40.0, 30.0, 0.0, 0.0, 0.0], 1.0, 1.0), 1.055_376);
    }

    #[test]
    fn fading_rave_counts_in_parts_of_games() {
        let params =
            SearchParams { exploration: 0.3, rave_initial_count: 8.0, ..Default::default() };
        let fading = SearchParams { rave_fade: 0.5, ..params.clone() };
        let whole = score_one(&params, 100, [10.0, 6.0, 20.0, 15.0, 0.0], 1.0, 1.0);
        close(score_one(&fading, 100, [10.0, 6.0, 320.0, 240.0, 0.0], 1.0, 1.0), whole);
    }

    #[test]
    fn eq_6_adds_the_fading_prior() {
        // eq. 1 as above, + 0.6 * sqrt(600 / 700) * 0.2 = + 0.6 * 0.925820 * 0.2 = + 0.111098.
        let params = SearchParams {
            mean: Mean::Plain,
            exploration: 0.9,
            bias: Bias::Nomitan,
            ..Default::default()
        };
        close(score_one(&params, 100, [40.0, 30.0, 0.0, 0.0, 0.2], 1.0, 1.0), 1.166_475);
        // Halved at N = 3 K: 0.6 * 0.5 * 1 on top of 0.5 + 0.9 * sqrt(ln 1800 / 4).
        let plain = SearchParams { bias: Bias::None, ..params.clone() };
        let with = score_one(&params, 1800, [4.0, 2.0, 0.0, 0.0, 1.0], 1.0, 1.0);
        let without = score_one(&plain, 1800, [4.0, 2.0, 0.0, 0.0, 1.0], 1.0, 1.0);
        close(with - without, 0.3);
    }

    /// n = 10, 6 wins; r = 20, 15 wins; early 1, late 3000: w = 20 / (20 + 10 (1 + 20/3000)) =
    /// 20 / 30.066667 = 0.665188; U = 0.6, R = 0.75; C = 0.5, N = 50: E = 0.5 * sqrt(3.912023 / 10)
    /// = 0.312730.
    const RAVE: [f32; 5] = [10.0, 6.0, 20.0, 15.0, 0.3];

    #[test]
    fn eq_1_of_mohex_explores_outside() {
        // 0.334812 * 0.6 + 0.665188 * 0.75 + 0.312730 = 0.200887 + 0.498891 + 0.312730.
        let params =
            SearchParams { mean: Mean::RaveOutside, exploration: 0.5, ..Default::default() };
        close(score_one(&params, 50, RAVE, 1.0, 1.0), 1.012_508);
    }

    #[test]
    fn eq_2_of_mohex_explores_inside() {
        // 0.334812 * (0.6 + 0.312730) + 0.498891 = 0.305593 + 0.498891.
        let params = SearchParams { exploration: 0.5, ..Default::default() };
        close(score_one(&params, 50, RAVE, 1.0, 1.0), 0.804_484);
    }

    #[test]
    fn eq_3_of_mohex_adds_the_progressive_bias() {
        // eq. 2 + 2.47 * 0.3 / sqrt(11) = 0.804484 + 0.741 / 3.316625 = + 0.223420.
        let params = SearchParams {
            exploration: 0.5,
            bias: Bias::Mohex,
            bias_weight: 2.47,
            ..Default::default()
        };
        close(score_one(&params, 50, RAVE, 1.0, 1.0), 1.027_904);
    }

    #[test]
    fn eq_4_and_eq_5_are_members_of_the_family() {
        // Chaslot: 0.2008872 + 0.4988914 + (0.1 + 0.6 / ln 12) * 0.3, ln 12 = 2.484907.
        let chaslot = SearchParams {
            mean: Mean::RaveOutside,
            bias: Bias::Chaslot,
            bias_weight: 0.6,
            bias_gamma: 0.1,
            ..Default::default()
        };
        close(score_one(&chaslot, 50, RAVE, 1.0, 1.0), 0.802_216);
        // Huang: eq. 2 + 0.6 / 50 * 0.3 = + 0.0036.
        let huang = SearchParams {
            exploration: 0.5,
            bias: Bias::Huang,
            bias_weight: 0.6,
            ..Default::default()
        };
        close(score_one(&huang, 50, RAVE, 1.0, 1.0), 0.808_084);
    }

    #[test]
    fn puct_grows_with_the_parent() {
        // 0.75 + 0.5 * 0.2 * sqrt(144) / 41 = 0.75 + 0.029268.
        let params = SearchParams {
            mean: Mean::Plain,
            bias: Bias::Puct,
            bias_weight: 0.5,
            fpu: 0.1,
            fpu_by_parent: true,
            ..Default::default()
        };
        close(score_one(&params, 144, [40.0, 30.0, 0.0, 0.0, 0.2], 1.0, 1.0), 0.779_268);
        // The parent has 0.6: 0.6 - 0.1 + 0.5 * 0.2 * 12.
        close(score_one(&params, 144, [0.0, 0.0, 0.0, 0.0, 0.2], 1.0, 1.0), 1.7);
    }

    #[test]
    fn an_unvisited_move_relies_on_rave_and_then_on_urgency() {
        let params = SearchParams { exploration: 0.5, fpu: 0.35, ..Default::default() };
        close(score_one(&params, 50, [0.0, 0.0, 8.0, 6.0, 0.0], 1.0, 1.0), 0.75);
        close(score_one(&params, 50, [0.0; 5], 1.0, 1.0), 0.35);
        let plain = SearchParams { mean: Mean::Plain, ..params };
        close(score_one(&plain, 50, [0.0, 0.0, 8.0, 6.0, 0.0], 1.0, 1.0), 0.35);
    }

    #[test]
    fn tsc4_scales_exploration_by_shape() {
        // 0.75 + 0.9 * 0.339307 * (1 + 0.5 * 3/6) = 0.75 + 0.305376 * 1.25.
        let params = SearchParams {
            mean: Mean::Plain,
            exploration: 0.9,
            shape_c4: PerLevel::constant(0.5),
            ..Default::default()
        };
        close(score_one(&params, 100, [40.0, 30.0, 0.0, 0.0, 0.0], 3.0, 6.0), 1.131_72);
    }

    #[test]
    fn ties_go_to_the_lower_move() {
        let row = |edge, mv| Candidate { edge, mv, visits: 2.0, wins: 1.0, ..Default::default() };
        let mut candidates = Candidates::of(&[row(0, 7), row(1, 3), row(2, 5)]);
        let formula = Formula::new(&SearchParams::default());
        formula.score(&mut candidates, Parent { visits: 6, value: 0.5, level: 0, use_rave: true });
        assert_eq!(candidates.best_edge(), Some(1));
        assert_eq!(Candidates::default().best_edge(), None);
    }
}
