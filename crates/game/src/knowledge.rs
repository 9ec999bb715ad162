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
}

impl<'a, G: Game> Context<'a, G> {
    /// The context of a node with these legal moves that reached threshold number `stage`.
    #[must_use]
    pub fn new(stage: usize, moves: &'a [G::Move]) -> Self {
        Self { stage, moves }
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

    /// Reminds a position of what was found when its stages ran, for the playout to come, and tells
    /// how the game will end by an evaluation, if there was one. The search asks at every node on a
    /// simulation's way down of which [`Knowledge::remembers`] something.
    fn recall(&self, _worker: &mut Self::Worker, _position: &mut G) -> Option<Reward> {
        None
    }

    /// Whether there may be something to recall of a node after so many stages. By default after one
    /// that ran later than at once.
    fn remembers(&self, stages: usize) -> bool {
        stages > usize::from(self.thresholds().first() == Some(&0))
    }
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
