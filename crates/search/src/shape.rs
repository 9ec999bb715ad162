//! Tree shape control: selection that looks at how deep and wide the subtrees are.
//!
//! Implements T1 to T5 (Marchenko & Marchenko 2017): DWC1 = c1 · depth/width and
//! DWC2 = c2 · (p · depth − width)/width as further summands, TSC1 to TSC3 by which constants are
//! not zero, and TSC4, which scales exploration, in [`crate::formula`].
//!
//! Two things the paper does not say. Depth and width count visited children only: with children
//! allocated in advance, width would be the number of legal moves. And where siblings share their
//! constants, DWC2 = p·c2 · depth/width − c2 differs from DWC1 by a constant that no arg-max sees,
//! so TSC2 selects exactly as TSC1 with c1 = p·c2 (a test shows it) wherever every child competes
//! with its own statistics; an unvisited child has no shape and gets no term, so through first-play
//! urgency the two differ. A feedback that acts at every size is `shape.relative` (ours): the ratio
//! is divided by the parent's.

use crate::formula::Candidates;
use crate::params::SearchParams;
use kosumi_game::params::PerLevel;

/// The constants of the shape terms.
#[derive(Clone, Debug)]
pub(crate) struct ShapeTerms {
    c1: PerLevel,
    c2: PerLevel,
    p: f32,
    c4: PerLevel,
    inverse: bool,
    relative: bool,
    active: bool,
}

impl ShapeTerms {
    pub(crate) fn new(params: &SearchParams) -> Self {
        let zero = |levels: &PerLevel| levels.is_zero();
        Self {
            c1: params.shape_c1.clone(),
            c2: params.shape_c2.clone(),
            p: params.shape_p,
            c4: params.shape_c4.clone(),
            inverse: params.shape_inverse,
            relative: params.shape_relative,
            active: !(zero(&params.shape_c1) && zero(&params.shape_c2) && zero(&params.shape_c4)),
        }
    }

    /// Whether any shape term counts; if not, ratios need not be gathered.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// The ratio that enters the terms for a child whose parent's plain ratio is `parent`.
    pub(crate) fn ratio(&self, depth: f32, width: f32, parent: f32) -> f32 {
        let ratio = self.plain_ratio(depth, width);
        if self.relative && parent > 0.0 { ratio / parent } else { ratio }
    }

    /// depth/width, or its inverse.
    pub(crate) fn plain_ratio(&self, depth: f32, width: f32) -> f32 {
        if self.inverse { width / depth } else { depth / width }
    }

    /// The weight of the ratio in the exploration term on a level.
    pub(crate) fn c4(&self, level: usize) -> f32 {
        self.c4.at(level)
    }

    /// Adds DWC1 and DWC2 to the scores of visited moves.
    pub(crate) fn add(&self, candidates: &mut Candidates, level: usize) {
        if !self.active {
            return;
        }
        let (c1, c2) = (self.c1.at(level), self.c2.at(level));
        for (score, ratio) in candidates.scores_and_ratios() {
            if ratio > 0.0 {
                *score += c1 * ratio + c2 * (self.p * ratio - 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Candidate, Formula, Parent};
    use crate::params::Mean;
    use kosumi_game::params::ParamValue;

    /// Three visited branches: visits, wins, depth, width.
    const BRANCHES: [[f32; 4]; 3] =
        [[12.0, 8.0, 3.0, 6.0], [6.0, 2.0, 2.0, 3.0], [8.0, 5.0, 3.0, 2.0]];

    fn scored(params: &SearchParams) -> Candidates {
        let formula = Formula::new(params);
        let rows: Vec<Candidate> = (0..)
            .zip(BRANCHES)
            .map(|(i, [visits, wins, depth, width])| Candidate {
                edge: i,
                mv: i,
                visits,
                wins,
                ratio: formula.shape.ratio(depth, width, 0.5),
                ..Default::default()
            })
            .collect();
        let mut candidates = Candidates::of(&rows);
        let parent = Parent { visits: 26, value: 0.5, level: 0, use_rave: true };
        formula.score(&mut candidates, parent);
        candidates
    }

    fn uct(c1: f32, c2: f32, p: f32) -> SearchParams {
        SearchParams {
            mean: Mean::Plain,
            exploration: 0.2,
            shape_c1: PerLevel::constant(c1),
            shape_c2: PerLevel::constant(c2),
            shape_p: p,
            ..Default::default()
        }
    }

    #[test]
    fn tsc1_switches_to_the_narrower_branch() {
        // As in Fig. 5: UCB1 prefers branch 1 (8/12 against 5/8), TSC1 the narrower branch 3.
        assert_eq!(scored(&uct(0.0, 0.0, 1.0)).best_edge(), Some(0));
        let with = scored(&uct(0.1, 0.0, 1.0));
        assert_eq!(with.best_edge(), Some(2));
        // By hand: DWC1 of branch 3 is 0.1 * 3/2.
        let without = scored(&uct(0.0, 0.0, 1.0));
        assert!((with.scores()[2] - without.scores()[2] - 0.15).abs() < 1e-6);
    }

    #[test]
    fn dwc2_is_worked_out_by_hand() {
        // c2 = 0.3, p = 2: branch 1: 0.3 * (2*3 - 6)/6 = 0; branch 2: 0.3 * (4 - 3)/3 = 0.1.
        let (with, without) = (scored(&uct(0.0, 0.3, 2.0)), scored(&uct(0.0, 0.0, 2.0)));
        assert!((with.scores()[0] - without.scores()[0]).abs() < 1e-6);
        assert!((with.scores()[1] - without.scores()[1] - 0.1).abs() < 1e-6);
    }

    #[test]
    fn tsc2_selects_as_tsc1_with_c1_equal_to_p_times_c2() {
        for c2 in [-0.7, -0.1, 0.05, 0.4] {
            for p in [0.5, 1.0, 3.0] {
                let (one, two) = (scored(&uct(p * c2, 0.0, p)), scored(&uct(0.0, c2, p)));
                for i in 0..3 {
                    assert!((one.scores()[i] - two.scores()[i] - c2).abs() < 1e-5);
                }
                assert_eq!(one.best_edge(), two.best_edge());
            }
        }
    }

    #[test]
    fn levels_have_their_own_constants() {
        let formula = Formula::new(&SearchParams {
            shape_c1: PerLevel::parse("0.5,0", None).expect("two levels"),
            ..Default::default()
        });
        let at = |level| {
            let mut c = Candidates::of(&[Candidate { ratio: 0.5, ..Default::default() }]);
            formula.shape.add(&mut c, level);
            c.scores()[0]
        };
        assert_eq!((at(0), at(1), at(7)), (0.25, 0.0, 0.0));
    }
}
