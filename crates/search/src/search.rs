//! The search as its users see it: a position, a tree, limits, and a handle while it runs.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLockReadGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::arena::{LINE_WORDS, NONE};
use crate::beside::{Beside, Pace};
use crate::control::Control;
use crate::criticality::Criticality;
use crate::delta::{Absent, MergeError, Merged, TreeDelta, Weight};
use crate::formula::Formula;
use crate::limits::Limits;
use crate::params::SearchParams;
use crate::rave::rave_unit;
use crate::report::{Snapshot, TreeView};
use crate::root_moves::{Restriction, RootMoves};
use crate::sync::Ordering;
use crate::tree::Tree;
use crate::verify::{Inconsistent, TreeFacts};
use crate::widening::{InvalidMu, Widening};
use crate::worker::{EvaluateAt, Job, Worker};
use kosumi_game::{Game, Knowledge, Move, Player, Playout, Prover};

/// Why a search cannot be set up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The widening parameter makes no sense.
    #[error(transparent)]
    Widening(#[from] InvalidMu),
    /// The game's move indices do not fit into 16 bits.
    #[error("the game has {0} moves; at most 65536 can be searched")]
    MoveSpace(usize),
    /// The system has not so much memory to promise.
    #[error("search.memory is {0}: the system does not give {0} MB; choose less")]
    Memory(usize),
    /// All moves of the root are to be avoided.
    #[error("no move is left to search: all legal moves are to be avoided")]
    NothingAllowed,
    /// There must be a thread.
    #[error("search.threads is 0; it must be at least 1")]
    NoThreads,
}

/// A Monte-Carlo tree search for one game, playout policy and knowledge.
///
/// The tree lives as long as the search and follows the game ([`Search::advance`]). Searching
/// happens in background threads; every method that changes something ends a running search first.
pub struct Search<G: Game, P: Playout<G>, K: Knowledge<G>> {
    params: SearchParams,
    position: G,
    root_mover: Option<Player>,
    tree: Arc<Tree>,
    knowledge: Arc<K>,
    new_playout: Arc<dyn Fn() -> P + Send + Sync>,
    workers: Vec<Worker<G, P, K>>,
    beside: Option<Arc<Beside<G>>>,
    evaluation: Option<EvaluateAt<G>>,
    running: Option<Running<G, P, K>>,
    streams_used: u64,
}

/// What one search asks for besides its limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StartOptions<M> {
    /// Moves that may not be chosen near the root, or the only ones that may.
    pub restrictions: Vec<Restriction<M>>,
}

impl<M> Default for StartOptions<M> {
    fn default() -> Self {
        Self { restrictions: Vec::new() }
    }
}

/// The search of a handle has another root by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search has moved on to another position")]
pub struct Outdated;

struct Running<G: Game, P, K: Knowledge<G>> {
    job: Arc<Job<G>>,
    threads: Vec<JoinHandle<Worker<G, P, K>>>,
    /// The thread of a prover that has one.
    prover: Option<JoinHandle<()>>,
}

impl<G: Game, P: Playout<G>, K: Knowledge<G>> fmt::Debug for Search<G, P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("params", &self.params)
            .field("running", &self.running.is_some())
            .finish_non_exhaustive()
    }
}

impl<G, P, K> Search<G, P, K>
where
    G: Game,
    P: Playout<G> + 'static,
    K: Knowledge<G>,
    K::Worker: 'static,
{
    /// A search from `position`. `new_playout` is called once by each thread.
    ///
    /// # Errors
    /// Parameters or games that cannot be searched.
    pub fn new(
        position: G,
        params: SearchParams,
        new_playout: impl Fn() -> P + Send + Sync + 'static,
        knowledge: K,
    ) -> Result<Self, SearchError> {
        check(&position, &params)?;
        Ok(Self {
            tree: new_tree(&params)?,
            root_mover: other_player(&position),
            position,
            params,
            knowledge: Arc::new(knowledge),
            new_playout: Arc::new(new_playout),
            workers: Vec::new(),
            beside: None,
            evaluation: None,
            running: None,
            streams_used: 0,
        })
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The parameters.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Changes the parameters. The tree is kept if its memory stays the same and what RAVE counts in.
    ///
    /// # Errors
    /// Parameters that cannot be searched with; the old ones stay.
    pub fn set_params(&mut self, params: SearchParams) -> Result<(), SearchError> {
        self.stop();
        check(&self.position, &params)?;
        if lines(&params) != lines(&self.params) {
            self.tree = new_tree(&params)?;
            self.root_mover = other_player(&self.position);
        } else if rave_unit(&params) != rave_unit(&self.params) {
            self.tree.clear();
            self.root_mover = other_player(&self.position);
        }
        if params.seed != self.params.seed {
            self.streams_used = 0;
        }
        self.params = params;
        Ok(())
    }

    /// Lets a prover work beside the search from now on, or none (H14).
    pub fn set_prover(&mut self, prover: Option<(Box<dyn Prover<G>>, Pace)>) {
        self.stop();
        self.beside = prover.map(|(prover, pace)| Arc::new(Beside::new(prover, pace)));
    }

    /// Lets an evaluator look at nodes from now on, or none. The tree is forgotten.
    pub fn set_evaluator(&mut self, evaluation: Option<EvaluateAt<G>>) {
        self.stop();
        self.tree.clear();
        self.root_mover = other_player(&self.position);
        self.evaluation = evaluation;
    }

    /// Ends a running search and gives the memory of tree and threads back; the tree becomes as small
    /// as a tree can be. For a search that is about to be dropped or replaced.
    pub fn free_memory(&mut self) {
        self.stop();
        self.workers.clear();
        if let Ok(tree) = Tree::new(0) {
            self.tree = Arc::new(tree);
            self.root_mover = other_player(&self.position);
        }
    }

    /// Puts up another position and forgets the tree.
    pub fn set_position(&mut self, position: G) {
        self.stop();
        self.tree.clear();
        self.root_mover = other_player(&position);
        self.position = position;
    }

    /// Plays a legal move and keeps the part of the tree below it, unless `tree.reuse` is off.
    pub fn advance(&mut self, mv: G::Move) {
        self.stop();
        let mover = self.position.turn().player();
        let child = self.tree.node(self.tree.root()).links().and_then(|links| {
            let edge = self.tree.edges(links).find(|edge| usize::from(edge.mv()) == mv.index())?;
            Some(edge.child()).filter(|&child| child != NONE)
        });
        self.position.play(mv);
        match child {
            Some(child) if self.params.reuse_tree => {
                self.tree.advance(mv.index() as u16, child);
                self.root_mover = mover;
            }
            _ => {
                self.tree.clear();
                self.root_mover = other_player(&self.position);
            }
        }
    }

    /// Starts searching in the background. A search that still runs is ended first.
    pub fn start(&mut self, limits: Limits) -> SearchHandle<G> {
        self.launch(limits, RootMoves::new(&self.position, &[]))
    }

    /// Starts searching with restrictions. A tree that is proven already is forgotten, for the proof
    /// may rest on other moves.
    ///
    /// # Errors
    /// No move of the root is left.
    pub fn start_with(
        &mut self,
        limits: Limits,
        options: &StartOptions<G::Move>,
    ) -> Result<SearchHandle<G>, SearchError> {
        self.stop();
        let moves = RootMoves::new(&self.position, &options.restrictions);
        if moves.restricts() {
            let mut legal = Vec::new();
            self.position.legal_moves(&mut legal);
            let allowed = |mv: &G::Move| {
                moves.player().is_none_or(|player| moves.allows(0, player, mv.index() as u16))
            };
            if !legal.iter().any(allowed) {
                return Err(SearchError::NothingAllowed);
            }
            if self.tree.node(self.tree.root()).proof().is_some() {
                self.tree.clear();
                self.root_mover = other_player(&self.position);
            }
        }
        Ok(self.launch(limits, moves))
    }

    fn launch(&mut self, limits: Limits, root_moves: RootMoves) -> SearchHandle<G> {
        self.stop();
        let (noise, alpha) = (self.params.noise, self.params.noise_alpha);
        let noise_seed = self.params.seed ^ self.position.state_hash();
        let root_moves = root_moves.with_noise(&self.position, noise, alpha, noise_seed);
        let threads = self.params.threads.max(1);
        let mu = self.params.widening_mu;
        let widening =
            (mu > 1.0).then(|| Widening::new(mu, self.position.move_space()).ok()).flatten();
        let weight = self.params.criticality_weight;
        let criticality =
            (weight > 0.0).then(|| Criticality::new(weight, self.position.move_space()));
        let job = Arc::new(Job {
            tree: Arc::clone(&self.tree),
            root: self.position.clone(),
            root_mover: self.root_mover,
            formula: Formula::new(&self.params),
            widening,
            criticality,
            first_stream: self.streams_used,
            control: Control::new(limits, threads),
            evaluation: self.evaluation.clone(),
            root_moves,
            epoch: self.tree.epoch(),
            params: self.params.clone(),
            beside: self.beside.clone(),
        });
        if let Some(beside) = &self.beside {
            beside.begin();
        }
        self.workers.truncate(threads);
        let threads = (0..threads).map(|number| {
            let job = Arc::clone(&job);
            let worker = self.workers.pop();
            let (new_playout, knowledge) =
                (Arc::clone(&self.new_playout), Arc::clone(&self.knowledge));
            std::thread::spawn(move || {
                // A panic must not leave the other threads and the caller waiting.
                let guard = LeaveOnPanic(&job);
                // Made here, where it works: what the allocator gives a thread is not between
                // other threads' things.
                let mut worker = worker.unwrap_or_else(|| Worker::new(knowledge, new_playout()));
                worker.run(&job, number);
                std::mem::forget(guard);
                worker
            })
        });
        let threads = threads.collect();
        let own_thread = self.beside.as_ref().filter(|beside| beside.has_own_thread());
        let prover = own_thread.map(|beside| {
            let (beside, job) = (Arc::clone(beside), Arc::clone(&job));
            std::thread::spawn(move || beside.run(&job.tree, &job.root, &job.control))
        });
        self.running = Some(Running { job: Arc::clone(&job), threads, prover });
        SearchHandle { job }
    }

    /// Searches and waits for the result.
    pub fn run(&mut self, limits: Limits) -> Snapshot<G::Move> {
        let handle = self.start(limits);
        self.finish();
        handle.snapshot().expect("the search stands where it was")
    }

    /// Ends a running search, if there is one.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.job.control.stop();
        }
        self.finish();
    }

    /// Waits until a running search, if there is one, has reached its limits.
    ///
    /// # Panics
    /// When a thread of the search panicked (in a game, playout or knowledge).
    pub fn finish(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        for thread in running.threads {
            match thread.join() {
                Ok(worker) => self.workers.push(worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        running.job.control.stop();
        if let Some(Err(panic)) = running.prover.map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        self.streams_used += running.job.control.progress().0;
    }

    /// Recomputes the whole tree from its nodes and compares: visits, sums, depth, width, proofs,
    /// no virtual loss. Ends a running search first. Slow; for tests and doubts.
    ///
    /// # Errors
    /// The first node whose incremental state is wrong.
    pub fn verify(&mut self) -> Result<TreeFacts, Inconsistent> {
        self.stop();
        self.tree.verify(&self.position, self.root_mover)
    }
}

impl<G: Game, P: Playout<G>, K: Knowledge<G>> Drop for Search<G, P, K> {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.job.control.stop();
            for thread in running.threads {
                // Its panic was its own; there is nobody to tell.
                let _ = thread.join();
            }
            if let Some(thread) = running.prover {
                let _ = thread.join();
            }
        }
    }
}

/// A running or finished search, from any thread.
#[derive(Debug)]
pub struct SearchHandle<G: Game> {
    job: Arc<Job<G>>,
}

impl<G: Game> Clone for SearchHandle<G> {
    fn clone(&self) -> Self {
        Self { job: Arc::clone(&self.job) }
    }
}

impl<G: Game> SearchHandle<G> {
    /// Ends the search; returns at once.
    pub fn stop(&self) {
        self.job.control.stop();
    }

    /// Whether it still runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.job.control.is_running()
    }

    /// Waits until it has ended.
    pub fn wait(&self) {
        self.job.control.wait();
    }

    /// Waits until it has ended, but no longer than this; whether it has.
    pub fn wait_for(&self, time: Duration) -> bool {
        self.job.control.wait_for(time)
    }

    /// Calls `action` when it ends, from a thread of the search; at once if it has ended.
    pub fn at_end(&self, action: impl FnOnce() + Send + 'static) {
        self.job.control.at_end(Box::new(action));
    }

    /// A snapshot every so often and a last one at the end; no more once the search has moved on.
    pub fn snapshots(&self, every: Duration) -> impl Iterator<Item = Snapshot<G::Move>> {
        let handle = self.clone();
        let mut ended = false;
        std::iter::from_fn(move || {
            if ended {
                return None;
            }
            ended = handle.wait_for(every);
            handle.snapshot().ok()
        })
    }

    /// The gate of the tree, which is at this search's root while it is held.
    fn look(&self) -> Result<RwLockReadGuard<'_, ()>, Outdated> {
        let gate = self.job.tree.gate.read().unwrap_or_else(PoisonError::into_inner);
        if self.job.tree.epoch() == self.job.epoch { Ok(gate) } else { Err(Outdated) }
    }

    /// What it has found so far.
    ///
    /// # Errors
    /// The search has moved on to another position.
    pub fn snapshot(&self) -> Result<Snapshot<G::Move>, Outdated> {
        let _gate = self.look()?;
        let turn = self.job.root.turn();
        let root = self.job.tree.node(self.job.tree.root());
        let mover = self.job.root_mover.unwrap_or(Player::First);
        let same_seat = turn.player().unwrap_or(Player::First) == mover;
        let shape = root.shape();
        let (simulations, seconds) = self.job.control.progress();
        Ok(Snapshot {
            turn,
            moves: self.job.tree.report_moves(
                &self.job.params,
                turn.player(),
                &self.job.root_moves,
            ),
            visits: root.visits(),
            value: if same_seat { root.mean() } else { 1.0 - root.mean() },
            simulations,
            seconds,
            depth: shape.depth,
            width: shape.width,
            proof: root.proof(),
            memory: self.job.tree.memory(),
            recycled: self.job.tree.recycled.load(Ordering::Relaxed),
        })
    }

    /// The top of the tree, `levels` deep, without children of fewer than `min_visits` visits. The
    /// tree may be growing.
    ///
    /// # Errors
    /// The search has moved on to another position.
    pub fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeView<G::Move>, Outdated> {
        let _gate = self.look()?;
        Ok(self.job.tree.view(levels, min_visits))
    }

    /// New simulations of this search at the nodes that `select` wants, for another search of the same
    /// position to [`SearchHandle::merge`]. It is given the indices of the moves from the root and
    /// the visits, and asked for a node only if it wanted the parent; the root is always told.
    /// Every simulation is told once.
    ///
    /// # Errors
    /// The search has moved on to another position.
    pub fn take_delta(
        &self,
        mut select: impl FnMut(&[u16], u64) -> bool,
    ) -> Result<TreeDelta, Outdated> {
        let _gate = self.look()?;
        let Job { tree, root, root_mover, .. } = &*self.job;
        Ok(tree.take_delta(root, *root_mover, &mut select))
    }

    /// Adds simulations that another search has made, while this one may be running. They count in
    /// visits and values and so steer this search. They are no simulations of its own: its limits
    /// and its random streams do not see them.
    ///
    /// # Errors
    /// The delta is of another position or makes no sense; or the search has moved on.
    pub fn merge(
        &self,
        delta: &TreeDelta,
        weight: Weight,
        absent: Absent,
    ) -> Result<Merged, MergeError> {
        let _gate = self.look()?;
        let Job { tree, root, root_mover, .. } = &*self.job;
        tree.merge(root, *root_mover, delta, weight, absent)
    }
}

struct LeaveOnPanic<'a, G: Game>(&'a Job<G>);

impl<G: Game> Drop for LeaveOnPanic<'_, G> {
    fn drop(&mut self) {
        self.0.control.stop();
        self.0.control.leave(&self.0.tree);
    }
}

fn check<G: Game>(position: &G, params: &SearchParams) -> Result<(), SearchError> {
    if position.move_space() > 1 << 16 {
        return Err(SearchError::MoveSpace(position.move_space()));
    }
    if params.threads == 0 {
        return Err(SearchError::NoThreads);
    }
    if params.widening_mu != 1.0 {
        Widening::new(params.widening_mu, 2)?;
    }
    Ok(())
}

fn new_tree(params: &SearchParams) -> Result<Arc<Tree>, SearchError> {
    let tree = Tree::new(lines(params)).map_err(|_| SearchError::Memory(params.memory_mb))?;
    Ok(Arc::new(tree))
}

/// Lines that the memory budget allows; line numbers have 32 bits.
fn lines(params: &SearchParams) -> u32 {
    let lines = params.memory_mb as u64 * (1 << 20) / (LINE_WORDS as u64 * 8);
    u32::try_from(lines).unwrap_or(u32::MAX).max(64)
}

/// Who is taken to have moved into a root that has no history.
fn other_player<G: Game>(position: &G) -> Option<Player> {
    position.turn().player().map(Player::opponent)
}
