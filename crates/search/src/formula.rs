//! Selection formulas, scored on slices: the statistics of all admitted moves are gathered into
//! arrays, scored in straight loops, and the best is taken.
//!
//! Implements N1 (eq. 1), N7 (eqs. 4, 5, 6), H7 (eqs. 1, 2, 3), S1 and T2 to T5 as one family:
//! a mean ([`Mean`]), a bias ([`Bias`]) and the shape terms, each chosen by a parameter, so that an
//! ablation needs no new code. Eq. 3 of H7 is `rave-inside` with bias `mohex`; eq. 6 of N7 is
//! `plain` with bias `nomitan`; its eq. 5 is `rave-inside` with `huang`; its eq. 4 is
//! `rave-outside` without exploration and with `chaslot`, where alpha and beta are `1 - w` and `w`.

use crate::params::{Bias, Mean, SearchParams};
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
    /// RAVE count, with what every move starts with.
    pub(crate) rave_count: f32,
    /// RAVE wins among them.
    pub(crate) rave_wins: f32,
    /// P(m).
    pub(crate) prior: f32,
    /// Depth over width of the subtree (or what the parameters make of it); 0 if unvisited.
    pub(crate) ratio: f32,
}

/// The statistics of the moves that may be selected at one node, one array per quantity. The
/// arrays only grow; `len` says how much of them counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    len: usize,
    edge: Vec<u16>,
    mv: Vec<u16>,
    visits: Vec<f32>,
    wins: Vec<f32>,
    rave_count: Vec<f32>,
    rave_wins: Vec<f32>,
    prior: Vec<f32>,
    ratio: Vec<f32>,
    score: Vec<f32>,
}

impl Candidates {
    /// Forgets all candidates and makes room for `room` of them.
    pub(crate) fn clear(&mut self, room: usize) {
        self.len = 0;
        if self.score.len() < room {
            self.edge.resize(room, 0);
            self.mv.resize(room, 0);
            for column in [
                &mut self.visits,
                &mut self.wins,
                &mut self.rave_count,
                &mut self.rave_wins,
                &mut self.prior,
                &mut self.ratio,
                &mut self.score,
            ] {
                column.resize(room, 0.0);
            }
        }
    }

    /// Adds a candidate; there must be room.
    #[inline]
    pub(crate) fn push(&mut self, candidate: Candidate) {
        let at = self.len;
        self.edge[at] = candidate.edge;
        self.mv[at] = candidate.mv;
        self.visits[at] = candidate.visits;
        self.wins[at] = candidate.wins;
        self.rave_count[at] = candidate.rave_count;
        self.rave_wins[at] = candidate.rave_wins;
        self.prior[at] = candidate.prior;
        self.ratio[at] = candidate.ratio;
        self.len += 1;
    }

    /// The edge with the best score; ties go to the lower move index.
    pub(crate) fn best_edge(&self) -> Option<u16> {
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        for (i, &score) in self.score[..self.len].iter().enumerate() {
            let better = match best {
                None => true,
                Some(b) => score > best_score || (score == best_score && self.mv[i] < self.mv[b]),
            };
            if better {
                (best, best_score) = (Some(i), score);
            }
        }
        best.map(|i| self.edge[i])
    }

    /// Scores and shape ratios, in the order the candidates were added.
    pub(crate) fn scores_and_ratios(&mut self) -> impl Iterator<Item = (&mut f32, f32)> {
        let len = self.len;
        self.score[..len].iter_mut().zip(self.ratio[..len].iter().copied())
    }

    #[cfg(test)]
    pub(crate) fn of(rows: &[Candidate]) -> Self {
        let mut candidates = Self::default();
        candidates.clear(rows.len());
        rows.iter().for_each(|&row| candidates.push(row));
        candidates
    }

    #[cfg(test)]
    pub(crate) fn scores(&self) -> &[f32] {
        &self.score[..self.len]
    }
}

/// What the formulas need to know of the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    /// N: visits of the node.
    pub(crate) visits: u64,
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
    rave_early_inverse: f32,
    rave_late_inverse: f32,
    bias: Bias,
    bias_weight: f32,
    bias_k: f32,
    bias_gamma: f32,
    pub(crate) shape: ShapeTerms,
}

impl Formula {
    pub(crate) fn new(params: &SearchParams) -> Self {
        Self {
            mean: params.mean,
            exploration: params.exploration,
            fpu: params.fpu,
            rave_early_inverse: 1.0 / params.rave_early,
            rave_late_inverse: 1.0 / params.rave_late,
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

    /// Fills `candidates.score`.
    pub(crate) fn score(&self, candidates: &mut Candidates, parent: Parent) {
        self.score_means(candidates, parent);
        self.add_bias(candidates, parent);
        self.shape.add(candidates, parent.level);
    }

    fn score_means(&self, c: &mut Candidates, parent: Parent) {
        let ln_parent = ln(parent.visits.max(1) as f64) as f32;
        let explore = self.exploration * ln_parent.sqrt();
        let c4 = self.shape.c4(parent.level);
        let count = c.len;
        // One length for all columns, so that the loop below has no bounds checks.
        let (visits, wins, ratio) = (&c.visits[..count], &c.wins[..count], &c.ratio[..count]);
        let (rave_count, rave_wins) = (&c.rave_count[..count], &c.rave_wins[..count]);
        let score = &mut c.score[..count];
        let rave = parent.use_rave && self.uses_rave();
        let outside = if self.mean == Mean::RaveOutside { 1.0 } else { 0.0 };
        for i in 0..count {
            let n = visits[i];
            let r = if rave { rave_count[i] } else { 0.0 };
            // Unvisited: U + E counts 0 and all weight is on RAVE; nothing at all: the urgency.
            let own = if n > 0.0 { wins[i] / n } else { 0.0 };
            let exploring = if n > 0.0 { explore * (1.0 + c4 * ratio[i]) / n.sqrt() } else { 0.0 };
            let w = self.rave_weight(n, r);
            let mix = if r > 0.0 { w * (rave_wins[i] / r) } else { 0.0 };
            let known = (1.0 - w) * own + mix + (1.0 - w * (1.0 - outside)) * exploring;
            score[i] = if n + r > 0.0 { known } else { self.fpu };
        }
    }

    /// w = r / (r + n (1/early + r/late)): near 1 for small n, towards 0 later. With `early` 1 this
    /// is Silver's and Pachi's schedule, with MoHex's constants Fuego's.
    #[inline]
    fn rave_weight(&self, n: f32, r: f32) -> f32 {
        if r > 0.0 {
            r / (r + n * (self.rave_early_inverse + r * self.rave_late_inverse))
        } else {
            0.0
        }
    }

    fn add_bias(&self, c: &mut Candidates, parent: Parent) {
        let parent_visits = parent.visits as f32;
        let count = c.len;
        let columns = c.score[..count].iter_mut().zip(&c.prior[..count]).zip(&c.visits[..count]);
        match self.bias {
            Bias::None => {}
            Bias::Nomitan => {
                let weight =
                    self.bias_weight * (self.bias_k / (parent_visits + self.bias_k)).sqrt();
                columns.for_each(|((score, prior), _)| *score += weight * prior);
            }
            Bias::Huang => {
                let weight = self.bias_weight / parent_visits.max(1.0);
                columns.for_each(|((score, prior), _)| *score += weight * prior);
            }
            Bias::Mohex => {
                columns.for_each(|((score, prior), visits)| {
                    *score += self.bias_weight * prior / (visits + 1.0).sqrt();
                });
            }
            Bias::Chaslot => {
                columns.for_each(|((score, prior), visits)| {
                    let fading = self.bias_weight / ln(2.0 + f64::from(*visits)) as f32;
                    *score += (self.bias_gamma + fading) * prior;
                });
            }
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
        let parent = Parent { visits: parent, level: 0, use_rave: true };
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
        formula.score(&mut candidates, Parent { visits: 6, level: 0, use_rave: true });
        assert_eq!(candidates.best_edge(), Some(1));
        assert_eq!(Candidates::default().best_edge(), None);
    }
}
