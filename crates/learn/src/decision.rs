//! Positions as the learner sees them: teams of features and a choice.

/// One position: the legal moves as teams of features, and which of them was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// The features of all teams, one team after the other.
    features: Vec<u32>,
    /// Where in `features` each team ends.
    ends: Vec<u32>,
    chosen: u32,
    phase: u32,
}

impl Decision {
    /// No teams yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Back to no teams; the memory is kept.
    pub fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a team.
    pub fn push_team(&mut self, features: &[u32]) {
        self.features.extend_from_slice(features);
        self.end_team();
    }

    /// Adds a feature to the team that [`Decision::end_team`] will end.
    #[inline]
    pub fn push_feature(&mut self, feature: u32) {
        self.features.push(feature);
    }

    /// Ends a team.
    #[inline]
    pub fn end_team(&mut self) {
        self.ends.push(self.features.len() as u32);
    }

    /// Says which team was played, and in which phase of the game.
    ///
    /// # Panics
    /// There is no such team.
    pub fn choose(&mut self, team: usize, phase: usize) {
        assert!(team < self.ends.len(), "team {team} of {}", self.ends.len());
        self.chosen = team as u32;
        self.phase = phase as u32;
    }

    /// The number of the team that was played.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen as usize
    }

    /// The phase of the game.
    #[must_use]
    pub fn phase(&self) -> usize {
        self.phase as usize
    }

    /// How many teams there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no teams.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The teams in order.
    pub fn teams(&self) -> impl Iterator<Item = &[u32]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let team = &self.features[from as usize..end as usize];
            from = end;
            team
        })
    }

    /// The features of the team that was played.
    #[must_use]
    pub fn chosen_team(&self) -> &[u32] {
        let from = if self.chosen == 0 { 0 } else { self.ends[self.chosen as usize - 1] };
        &self.features[from as usize..self.ends[self.chosen as usize] as usize]
    }

    /// The largest feature and one more; 0 without features.
    #[must_use]
    pub fn feature_bound(&self) -> usize {
        self.features.iter().max().map_or(0, |&most| most as usize + 1)
    }
}

/// Many decisions in parts, games as a rule, that several threads can read at once.
pub trait Decisions: Sync {
    /// Scratch memory of one thread.
    type Worker: Send;

    /// A new thread's scratch memory.
    fn worker(&self) -> Self::Worker;

    /// How many parts there are.
    fn parts(&self) -> usize;

    /// Feature numbers, rising, at which to cut teams in pieces: each piece should often come up
    /// again, in other teams and decisions. [`Condensed`](crate::Condensed) keeps it once.
    fn cuts(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Calls `visit` with each decision of a part, the same every time.
    fn visit(&self, part: usize, worker: &mut Self::Worker, visit: &mut dyn FnMut(&Decision));
}

/// Decisions that lie in memory.
impl Decisions for Vec<Vec<Decision>> {
    type Worker = ();

    fn worker(&self) {}

    fn parts(&self) -> usize {
        self.len()
    }

    fn visit(&self, part: usize, (): &mut (), visit: &mut dyn FnMut(&Decision)) {
        self[part].iter().for_each(visit);
    }
}

/// How the gammas of its members make the strength of a team. A team without members has strength 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combining {
    /// They are multiplied (N2; Coulom 2007).
    #[default]
    Product,
    /// They are added (H9): each member may be the reason for the move, and the others do not
    /// strengthen it.
    Sum,
}

impl Combining {
    /// The logarithm of the strength of a team.
    #[inline]
    fn log_strength(self, team: &[u32], log_gamma: impl Fn(u32) -> f32) -> f32 {
        match (self, team) {
            (_, [one]) => log_gamma(*one),
            (Self::Product, team) => team.iter().map(|&f| log_gamma(f)).sum(),
            (Self::Sum, []) => 0.0,
            (Self::Sum, team) => {
                let most = team.iter().map(|&f| log_gamma(f)).fold(f32::NEG_INFINITY, f32::max);
                most + team.iter().map(|&f| (log_gamma(f) - most).exp()).sum::<f32>().ln()
            }
        }
    }

    /// The part that a member of this log-gamma has in a team of this log-strength: what becomes of
    /// the team's strength, relatively, when the gamma does.
    #[inline]
    pub(crate) fn part(self, log_gamma: f32, log_strength: f32) -> f32 {
        match self {
            Self::Product => 1.0,
            Self::Sum => (log_gamma - log_strength).exp(),
        }
    }
}

/// The strengths of the teams of a decision, and what they add up to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shares {
    /// The logarithm of the strength of each team.
    pub(crate) log_strengths: Vec<f32>,
    /// The share of each team: its probability.
    pub(crate) shares: Vec<f32>,
    /// The logarithm of the chosen team's share.
    pub(crate) log_chosen: f64,
}

impl Shares {
    /// Eq. 2, from the logarithms of the gammas.
    pub(crate) fn of(
        &mut self,
        decision: &Decision,
        combining: Combining,
        log_gamma: impl Fn(u32) -> f32,
    ) {
        self.log_strengths.clear();
        let log_strength = |team: &[u32]| combining.log_strength(team, &log_gamma);
        self.log_strengths.extend(decision.teams().map(log_strength));
        self.shares.clone_from(&self.log_strengths);
        // Strengths over the strongest: none overflows, and their sum is at least 1.
        let most = self.shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let chosen = self.shares[decision.chosen()] - most;
        let mut sum = 0.0;
        for share in &mut self.shares {
            *share = (*share - most).exp();
            sum += *share;
        }
        for share in &mut self.shares {
            *share /= sum;
        }
        self.log_chosen = f64::from(chosen) - f64::from(sum).ln();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_papers_example() {
        // Teams 1-2, 3-4-5 and 1-6 with gammas 1 to 6: 2, 60 and 6 of 68.
        let mut decision = Decision::new();
        decision.push_team(&[1, 2]);
        decision.push_team(&[3, 4, 5]);
        decision.push_team(&[1, 6]);
        decision.choose(1, 3);
        let mut shares = Shares::default();
        shares.of(&decision, Combining::Product, |feature| (feature as f32).ln());
        for (share, strength) in shares.shares.iter().zip([2.0, 60.0, 6.0]) {
            assert!((share - strength / 68.0).abs() < 1e-6);
        }
        assert!((shares.log_chosen - (60.0f64 / 68.0).ln()).abs() < 1e-6);
        // Added instead: 3, 12 and 7 of 22.
        shares.of(&decision, Combining::Sum, |feature| (feature as f32).ln());
        for (share, strength) in shares.shares.iter().zip([3.0, 12.0, 7.0]) {
            assert!((share - strength / 22.0).abs() < 1e-6);
        }
        assert!((Combining::Sum.part(4f32.ln(), 12f32.ln()) - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(decision.chosen_team(), [3, 4, 5]);
        assert_eq!((decision.len(), decision.phase(), decision.feature_bound()), (3, 3, 7));
    }

    #[test]
    fn huge_strengths_do_not_overflow() {
        let mut decision = Decision::new();
        decision.push_team(&[0, 0]);
        decision.push_team(&[0, 0, 0]);
        decision.choose(0, 0);
        let mut shares = Shares::default();
        shares.of(&decision, Combining::Product, |_| 200.0);
        assert_eq!(shares.shares, [0.0, 1.0]);
        assert!((shares.log_chosen + 200.0).abs() < 1e-3);
        shares.of(&decision, Combining::Sum, |_| 200.0);
        assert!((shares.shares[0] - 0.4).abs() < 1e-5, "two of five");
    }
}
