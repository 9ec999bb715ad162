//! One simulation on its way: a value of its own, so that several can wait for one batch of
//! evaluations.

use crate::tree::{Step, Tree};
use kosumi_game::{Game, Player, Reward, Rng, Trace};

/// A simulation's way down from the root.
#[derive(Debug)]
pub(crate) struct Descent<G: Game> {
    /// The position at the end of the path.
    pub(crate) position: G,
    pub(crate) path: Vec<Step>,
    /// For every step of the path: length of the trace there, and who moves.
    pub(crate) plies: Vec<(usize, Option<Player>)>,
    /// The moves of the path.
    pub(crate) line: Vec<G::Move>,
    pub(crate) trace: Trace,
    pub(crate) rng: Rng,
    pub(crate) use_rave: bool,
    /// The last node of the path was proven by this simulation.
    pub(crate) proved: bool,
    /// How the game ends by the last evaluation on the path.
    pub(crate) estimate: Option<Reward>,
}

impl<G: Game> Descent<G> {
    pub(crate) fn new(position: G) -> Self {
        Self {
            position,
            path: Vec::new(),
            plies: Vec::new(),
            line: Vec::new(),
            trace: Trace::new(),
            rng: Rng::new(0),
            use_rave: false,
            proved: false,
            estimate: None,
        }
    }

    /// Back to the root, which `mover` has moved into.
    pub(crate) fn begin(&mut self, tree: &Tree, root: &G, mover: Option<Player>) {
        self.position.clone_from(root);
        self.path.clear();
        self.plies.clear();
        self.line.clear();
        self.trace.clear();
        self.proved = false;
        self.estimate = None;
        let root = Step { node: tree.root(), edge: 0, mover, made: false };
        self.path.push(root);
        self.plies.push((0, self.position.turn().player()));
    }

    /// One move further.
    #[inline]
    pub(crate) fn go_on(&mut self, step: Step, mv: G::Move) {
        self.line.push(mv);
        self.position.play(mv);
        self.path.push(step);
        self.plies.push((self.trace.len(), self.position.turn().player()));
    }

    /// Who is to move at the end of the path; `None` at a chance node.
    #[inline]
    pub(crate) fn last_turn(&self) -> Option<Player> {
        self.plies[self.plies.len() - 1].1
    }

    #[inline]
    pub(crate) fn last(&self) -> Step {
        self.path[self.path.len() - 1]
    }
}
