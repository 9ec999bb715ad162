//! Knowledge about the moves of one position: priors, virtual games, pruning and proofs.

use crate::{Game, Player, Reward, Value};

/// What a search knows about a node when it asks for knowledge.
#[derive(Debug)]
#[non_exhaustive]
pub struct Context<'a, G: Game> {
    /// Which stage is asked for: the index into [`Knowledge::thresholds`] that the node has reached.
    pub stage: usize,
    /// The node's legal moves; a [`Verdict`] speaks of them by their place in this list.
    pub moves: &'a [G::Move],
    /// P(m) of these moves as the node has them so far; empty before its moves are listed.
    pub priors: &'a [f32],
    /// The moves that led from the root of the search to the node, the last one last.
    pub line: &'a [G::Move],
    /// What the parent's evaluation says of the node, for the player to move at the node, if the
    /// parent has one.
    pub parent_value: Option<Value>,
}

impl<'a, G: Game> Context<'a, G> {
    /// The context of a node with these legal moves that reached threshold number `stage`.
    #[must_use]
    pub fn new(stage: usize, moves: &'a [G::Move]) -> Self {
        Self { stage, moves, priors: &[], line: &[], parent_value: None }
    }

    /// The same with what the search knows of the node already.
    #[must_use]
    pub fn with_node(
        self,
        priors: &'a [f32],
        line: &'a [G::Move],
        parent_value: Option<Value>,
    ) -> Self {
        Self { priors, line, parent_value, ..self }
    }
}

/// A prior in the shape of games: as if `count` games had been played with mean `value` for the
/// player to move. They steer selection and never enter the visit counters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualGames {
    /// How many games the prior is worth.
    pub count: f32,
    /// Their mean result for the player to move.
    pub value: Value,
}

/// What knowledge says about a node. The caller owns the buffers and resets them before each call,
/// so knowledge fills in only what it has an opinion on.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verdict {
    /// P(m) by place in [`Context::moves`], summing to 1 over the moves that are not pruned.
    /// Empty means no opinion (uniform).
    pub priors: Vec<f32>,
    /// Virtual games by place in [`Context::moves`]; empty means none.
    pub virtual_games: Vec<VirtualGames>,
    /// Places in [`Context::moves`] that need not be searched (inferior or losing moves). At least
    /// one move must remain unless `winner` is set. Where the player to move is the winner, what
    /// remains are moves that win: the root's is played.
    pub pruned: Vec<u16>,
    /// The proven winner of the position, if knowledge found one.
    pub winner: Option<Player>,
    /// How the game will end by an evaluation, if there is one.
    pub estimate: Option<Reward>,
}

impl Verdict {
    /// An empty verdict: no opinion on anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Back to no opinion; the memory is kept.
    pub fn clear(&mut self) {
        self.priors.clear();
        self.virtual_games.clear();
        self.pruned.clear();
        self.winner = None;
        self.estimate = None;
    }

    /// Priors of pruned moves become 0, and the sum of the others 1. Where nothing is left there is no
    /// opinion.
    pub fn share_out_priors(&mut self) {
        if self.priors.is_empty() {
            return;
        }
        for &place in &self.pruned {
            self.priors[usize::from(place)] = 0.0;
        }
        let total: f32 = self.priors.iter().sum();
        if total > 0.0 {
            self.priors.iter_mut().for_each(|prior| *prior /= total);
        } else {
            self.priors.clear();
        }
    }
}

/// Priors, pruning and proofs for the nodes of a search.
///
/// Knowledge has prices: each stage runs once per node when its visits reach the stage's
/// threshold, and may find the node already searched for a while.
pub trait Knowledge<G: Game>: Send + Sync + 'static {
    /// Scratch memory of one thread.
    type Worker: Send;

    /// A new thread's scratch memory.
    fn worker(&self) -> Self::Worker;

    /// The visits at which each stage runs, rising. A stage at 0 runs when the node's moves are
    /// first listed. No stages: the search never asks.
    fn thresholds(&self) -> &[u64];

    /// Judges `position`, which is not over, into the empty `verdict`. The result may depend only
    /// on the arguments and on what the worker was asked before.
    fn assess(
        &self,
        worker: &mut Self::Worker,
        position: &G,
        context: &Context<'_, G>,
        verdict: &mut Verdict,
    );
}

/// No opinion on any move.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoKnowledge;

impl<G: Game> Knowledge<G> for NoKnowledge {
    type Worker = ();

    fn worker(&self) {}

    fn thresholds(&self) -> &[u64] {
        &[]
    }

    fn assess(&self, (): &mut (), _: &G, _: &Context<'_, G>, _: &mut Verdict) {}
}
