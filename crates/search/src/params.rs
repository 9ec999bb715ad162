//! Everything that can be tuned about a search, one line each.

use kosumi_game::params::PerLevel;

kosumi_game::choices! {
    /// How a child's mean value is estimated.
    pub enum Mean {
        /// Its own simulations: `U + E` (N1, S1).
        Plain = "plain",
        /// RAVE mixed in, exploration outside the mix: `(1 - w) U + w R + E` (H7, eq. 1).
        RaveOutside = "rave-outside",
        /// RAVE mixed in, exploration inside the mix: `(1 - w)(U + E) + w R` (H7, eq. 2).
        RaveInside = "rave-inside",
    }
}

kosumi_game::choices! {
    /// What the prior P(m) adds to a move's score.
    pub enum Bias {
        /// Nothing.
        None = "none",
        /// `weight * sqrt(k / (N + k)) * P`, N visits of the parent (N7, eq. 6).
        Nomitan = "nomitan",
        /// `weight * P / sqrt(n + 1)`, n visits of the child (H7, eq. 3).
        Mohex = "mohex",
        /// `weight / N * P` (N7, eq. 5, Huang).
        Huang = "huang",
        /// `(gamma + weight / ln(2 + n)) * P` (N7, eq. 4, Chaslot).
        Chaslot = "chaslot",
        /// `weight * P * sqrt(N) / (n + 1)`, N visits of the parent: as programs with nets have it.
        Puct = "puct",
    }
}

kosumi_game::choices! {
    /// How the move to play is chosen when the search ends (N8).
    pub enum FinalMove {
        /// The most visited one.
        Visits = "visits",
        /// The one with the best mean among those with a fair share of the visits.
        Value = "value",
        /// `(1 - final.visit_weight) * mean + final.visit_weight * share of visits`.
        Balance = "balance",
    }
}

kosumi_game::parameters! {
    /// The parameters of a search.
    pub struct SearchParams {
        /// Threads that search one shared tree.
        threads "search.threads": usize = 1, 1..=256;
        /// Memory in megabytes: of the tree, and in an engine of all that grows with it. When the tree is full, what is visited least is recycled.
        memory_mb "search.memory": usize = 1024, 1..=262144;
        /// Seed of all randomness. Equal seeds with one thread and a fixed number of simulations give equal searches.
        seed "search.seed": u64 = 1;
        /// Keep the part of the tree below the moves played.
        reuse_tree "tree.reuse": bool = true;
        /// Visits at which a node's moves are listed and its children searched; 0: at its first visit.
        expand_at "tree.expand_at": u64 = 2, 0..=1000000;
        /// Losses that a simulation on its way counts for, so that threads spread.
        virtual_loss "tree.virtual_loss": f32 = 1.0, 0..=100;
        /// Weight of the exploration term sqrt(ln N / n) (N1: 0.9; S1: 1.414; T2's C_UCB1 is this divided by 2.828).
        exploration "uct.exploration": f32 = 0.0, 0..=100;
        /// First-play urgency: the value of a move that has neither visits nor RAVE nor virtual games.
        fpu "uct.fpu": f32 = 1.0, -100..=1000000;
        /// Such a move is worth what its parent is so far, less uct.fpu.
        fpu_by_parent "uct.fpu_by_parent": bool = false;
        /// How a child's value is estimated.
        mean "uct.mean": Mean = Mean::RaveInside;
        /// RAVE weight w = r / (r + n (1/early + r/late)): how many visits a RAVE count is worth at first.
        rave_early "rave.early": f32 = 1.0, 0.001..=1000000;
        /// RAVE weight w = r / (r + n (1/early + r/late)): after about this many visits RAVE no longer counts.
        rave_late "rave.late": f32 = 3000.0, 1..=1000000000;
        /// RAVE games that every move starts with.
        rave_initial_count "rave.initial_count": f32 = 0.0, 0..=100000;
        /// Their value.
        rave_initial_value "rave.initial_value": f32 = 0.5, 0..=1;
        /// Simulations of one thread that wait for their evaluations together; more than 1 pays where the evaluator is faster in batches.
        batch "search.batch": usize = 1, 1..=4096;
        /// Noise mixed into the priors of the root's moves, so that games differ; it counts where the prior does (bias.kind).
        noise "root.noise": f32 = 0.0, 0..=1;
        /// How even the noise is (the alpha of a Dirichlet distribution).
        noise_alpha "root.noise_alpha": f32 = 0.3, 0.001..=100;
        /// Every so many simulations RAVE is ignored in selection; 0: never.
        rave_ignore_every "rave.ignore_every": u64 = 0, 0..=1000000;
        /// RAVE of a move counts this much less at the end of a simulation than at its beginning (H15).
        rave_fade "rave.fade": f32 = 0.0, 0..=1;
        /// Criticality (H15): times this over sqrt(n + 1) is added to a move's score; 0: it is not counted.
        criticality_weight "criticality.weight": f32 = 0.0, 0..=10000;
        /// How much an evaluation by knowledge (Hex: net or circuit) of the last node that has one counts beside the playout below it; 1: it alone, and a simulation ends where it has made one.
        estimate_weight "estimate.weight": f32 = 0.0, 0..=1;
        /// What the prior adds to a move's score.
        bias "bias.kind": Bias = Bias::None;
        /// Its weight (N7: C_BT = 0.6; H7: c_pb = 2.47).
        bias_weight "bias.weight": f32 = 0.6, 0..=10000;
        /// Nomitan's K: the bias is halved after 3 K visits of the parent.
        bias_k "bias.k": f32 = 600.0, 0.001..=1000000000000.0;
        /// Chaslot's gamma: the part of the bias that never fades.
        bias_gamma "bias.gamma": f32 = 0.0, 0..=10000;
        /// Progressive widening (N6): T = 1 + ln N / ln mu moves are searched; 1 searches all moves at once.
        widening_mu "widening.mu": f64 = 1.0, 1..=1000000;
        /// Tree shape (T2): weight of depth/width; positive widens, negative deepens; one number per level.
        shape_c1 "shape.c1": PerLevel = PerLevel::constant(0.0), -1000..=1000;
        /// Tree shape (T2): weight of (p * depth - width) / width; one number per level.
        shape_c2 "shape.c2": PerLevel = PerLevel::constant(0.0), -1000..=1000;
        /// Tree shape (T2): the depth that balances a width of 1.
        shape_p "shape.p": f32 = 1.0, 0..=100000;
        /// Tree shape (T4): exploration times 1 + c4 * depth/width.
        shape_c4 "shape.c4": PerLevel = PerLevel::constant(0.0), -1000..=1000;
        /// Use width/depth in place of depth/width.
        shape_inverse "shape.inverse": bool = false;
        /// Use the ratio relative to the parent's, so that the feedback acts at every size of subtree (ours, T3).
        shape_relative "shape.relative": bool = false;
        /// How the move to play is chosen.
        final_by "final.by": FinalMove = FinalMove::Visits;
        /// Weight of visits against value in the balance.
        final_visit_weight "final.visit_weight": f32 = 0.5, 0..=1;
        /// Stop when the remaining simulations cannot change the most visited move.
        early_stop "stop.early": bool = true;
        /// Think half as long again, once, when the most visited move is not the one with the best value (H11).
        extend_unstable "stop.extend_unstable": bool = false;
        /// With a clock, think on while the best move is unsettled: another one has the better value, or it changed of late.
        time_extend "time.extend": bool = true;
        /// Seconds kept back on every move for lag.
        lag_seconds "time.lag": f64 = 0.15, 0..=60;
        /// How many further moves the remaining time is spread over, at least.
        time_moves "time.moves": f64 = 12.0, 1..=1000;
        /// How much longer than planned one move may take, with extension.
        time_stretch "time.stretch": f64 = 2.0, 1..=10;
    }
}

impl SearchParams {
    /// UCT and nothing else (N1, S1), in one thread and 64 MB: where a game of one's own begins.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            memory_mb: 64,
            mean: Mean::Plain,
            exploration: std::f32::consts::SQRT_2,
            expand_at: 1,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kosumi_game::params::Parameters;

    #[test]
    fn defaults_are_inside_their_ranges() {
        for spec in SearchParams::specs() {
            SearchParams::default().set(spec.key, &spec.default).unwrap_or_else(|e| panic!("{e}"));
            assert!(!spec.meaning.is_empty());
        }
    }
}
