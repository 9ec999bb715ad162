//! Alpha-beta on the circuit (H4) as the search of a player.
//!
//! It answers in the words of the tree: simulations and visits are evaluated positions. It searches
//! in one thread, and of the parameters of the search only the memory concerns it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use kosumi_game::{Game, Player};
use kosumi_hex::{
    AlphaBetaLimits, AlphaBetaParams, AlphaBetaReport, Hex, HexAlphaBeta, HexMove, RootMove, Score,
};
use kosumi_search::{
    Limits, MoveReport, Outdated, Proof, SearchParams, Snapshot, StartOptions, TreeFacts, TreeView,
};

use crate::error::EngineError;
use crate::player::searcher::{Running, Searcher};

/// A player's alpha-beta search.
pub(super) struct AlphaBeta {
    position: Hex,
    params: AlphaBetaParams,
    memory_mb: usize,
    /// What remembers; with the thread while one runs.
    mind: Option<HexAlphaBeta>,
    thread: Option<JoinHandle<HexAlphaBeta>>,
    /// The last search from this position.
    last: Option<Arc<Watch>>,
}

fn mind(position: &Hex, memory_mb: usize) -> Result<HexAlphaBeta, EngineError> {
    let size = position.size();
    HexAlphaBeta::new(size, memory_mb << 20)
        .ok_or_else(|| EngineError::Setup(format!("no Hex board of size {size}")))
}

impl AlphaBeta {
    pub(super) fn new(
        position: Hex,
        params: AlphaBetaParams,
        memory_mb: usize,
    ) -> Result<Self, EngineError> {
        let mind = Some(mind(&position, memory_mb)?);
        Ok(Self { position, params, memory_mb, mind, thread: None, last: None })
    }
}

impl Searcher<Hex> for AlphaBeta {
    fn position(&self) -> &Hex {
        &self.position
    }

    fn set_position(&mut self, position: Hex) {
        self.stop();
        self.last = None;
        self.position = position;
    }

    fn advance(&mut self, mv: HexMove) {
        self.stop();
        self.last = None;
        self.position.play(mv);
    }

    fn set_params(&mut self, params: SearchParams) -> Result<(), EngineError> {
        self.stop();
        if params.memory_mb != self.memory_mb {
            self.mind = Some(mind(&self.position, params.memory_mb)?);
            self.memory_mb = params.memory_mb;
        }
        Ok(())
    }

    fn start(
        &mut self,
        limits: Limits,
        options: &StartOptions<HexMove>,
    ) -> Result<Box<dyn Running<Hex>>, EngineError> {
        if !options.restrictions.is_empty() {
            return Err(EngineError::Unrestricted);
        }
        self.stop();
        if limits.simulations == Some(0) {
            // Asks for what is known.
            let position = &self.position;
            let idle = || Arc::new(Watch::new(position.clone(), false));
            return Ok(Box::new(Handle(self.last.get_or_insert_with(idle).clone())));
        }
        let watch = Arc::new(Watch::new(self.position.clone(), true));
        self.last = Some(Arc::clone(&watch));
        // Missing only after a panic, which has been told of.
        let mind = self.mind.take().map_or_else(|| mind(&self.position, self.memory_mb).ok(), Some);
        if let Some(mut mind) = mind {
            let (watch, params) = (Arc::clone(&watch), self.params.clone());
            self.thread = Some(std::thread::spawn(move || {
                let _ends = Ending(&watch);
                watch.run(&mut mind, &params, limits);
                mind
            }));
        } else {
            watch.end();
        }
        Ok(Box::new(Handle(watch)))
    }

    fn stop(&mut self) {
        if let Some(watch) = &self.last {
            watch.stop();
        }
        if let Some(thread) = self.thread.take() {
            match thread.join() {
                Ok(mind) => self.mind = Some(mind),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    }

    fn stop_for_good(&mut self) {
        // A panic of a search that is given up is of no interest.
        let _ = catch_unwind(AssertUnwindSafe(|| self.stop()));
        self.mind = None;
    }

    fn verify(&mut self) -> Result<TreeFacts, EngineError> {
        Err(EngineError::NoTree)
    }
}

impl Drop for AlphaBeta {
    fn drop(&mut self) {
        if let Some(watch) = &self.last {
            watch.stop();
        }
        if let Some(thread) = self.thread.take() {
            // Its panic was its own; there is nobody to tell.
            let _ = thread.join();
        }
    }
}

/// One search, shared between its thread and those who look at it.
struct Watch {
    root: Hex,
    begun: Instant,
    /// Set with `state` in hand, read without by the search.
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    running: bool,
    report: Option<AlphaBetaReport>,
    /// How long it took, once it is over.
    took: Option<Duration>,
}

/// Ends a search also if its thread panics.
struct Ending<'a>(&'a Watch);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Watch {
    fn new(root: Hex, running: bool) -> Self {
        Self {
            root,
            begun: Instant::now(),
            stop: AtomicBool::new(false),
            state: Mutex::new(State { running, report: None, took: None }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked elsewhere leaves this state as it was: go on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while something is so.
    fn wait_while(&self, goes_on: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while goes_on(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        let _state = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn end(&self) {
        let mut state = self.lock();
        state.running = false;
        state.took = Some(self.begun.elapsed());
        self.changed.notify_all();
    }

    fn run(&self, mind: &mut HexAlphaBeta, params: &AlphaBetaParams, limits: Limits) {
        let mut tell = |report: &AlphaBetaReport| self.lock().report = Some(report.clone());
        let report = mind.search(
            &self.root,
            params,
            AlphaBetaLimits {
                stop: Some(&self.stop),
                positions: limits.simulations,
                time: limits.time.map(|time| time.target),
                progress: Some(&mut tell),
            },
        );
        if let Some(report) = report {
            self.lock().report = Some(report);
        }
        if limits == Limits::infinite() {
            // Whoever wants an analysis without end ends it, also when nothing is left to find.
            self.wait_while(|_| !self.stop.load(Ordering::Relaxed));
        }
    }

    fn player(&self) -> Player {
        self.root.player_of(self.root.colour_to_move())
    }

    fn proof(&self, score: Score) -> Option<Proof> {
        match score {
            Score::WON => Some(Proof::Win(self.player())),
            Score::LOST => Some(Proof::Win(self.player().opponent())),
            _ => None,
        }
    }

    fn snapshot(&self) -> Snapshot<HexMove> {
        let state = self.lock();
        let mut snapshot = Snapshot::empty(self.root.turn());
        snapshot.seconds = state.took.unwrap_or_else(|| self.begun.elapsed()).as_secs_f64();
        let Some(report) = &state.report else { return snapshot };
        snapshot.moves = report.moves.iter().map(|mv| self.report(mv)).collect();
        snapshot.visits = report.positions;
        snapshot.value = report.score.chance();
        snapshot.simulations = report.positions;
        snapshot.depth = report.depth;
        snapshot.width = searched(&report.moves).count() as u32;
        snapshot.proof = self.proof(report.score);
        snapshot.memory = report.memory;
        snapshot
    }

    fn report(&self, mv: &RootMove) -> MoveReport<HexMove> {
        let mut report = MoveReport::unvisited(mv.mv);
        report.visits = visits(mv);
        report.value = mv.score.chance();
        report.depth = mv.depth;
        report.proof = self.proof(mv.score);
        report.line.clone_from(&mv.line);
        report
    }

    /// The root and its moves: alpha-beta keeps no more.
    fn tree(&self, levels: usize, min_visits: u64) -> TreeView<HexMove> {
        let state = self.lock();
        let mut root = TreeView::leaf(None);
        let Some(report) = &state.report else { return root };
        root.visits = report.positions;
        // Values are those of who moved there.
        root.value = (-report.score).chance();
        root.depth = report.depth;
        root.width = searched(&report.moves).count() as u32;
        root.proof = self.proof(report.score);
        if levels > 0 {
            let shown = searched(&report.moves).filter(|mv| visits(mv) >= min_visits);
            root.children = shown
                .map(|mv| {
                    let mut view = TreeView::leaf(Some(mv.mv));
                    view.visits = visits(mv);
                    view.value = mv.score.chance();
                    view.depth = mv.depth;
                    view.proof = self.proof(mv.score);
                    view
                })
                .collect();
            root.children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        }
        root
    }
}

fn searched(moves: &[RootMove]) -> impl Iterator<Item = &RootMove> {
    moves.iter().filter(|mv| mv.depth > 0)
}

/// What the table knew took no evaluation, yet was searched.
fn visits(mv: &RootMove) -> u64 {
    mv.positions.max(u64::from(mv.depth > 0))
}

struct Handle(Arc<Watch>);

impl Running<Hex> for Handle {
    fn stop(&self) {
        self.0.stop();
    }

    fn is_running(&self) -> bool {
        self.0.lock().running
    }

    fn wait(&self) {
        self.0.wait_while(|state| state.running);
    }

    fn wait_for(&self, time: Duration) -> bool {
        let state = self.0.lock();
        let waited = self.0.changed.wait_timeout_while(state, time, |state| state.running);
        !waited.unwrap_or_else(PoisonError::into_inner).0.running
    }

    // A search of its own keeps what it has found.
    fn snapshot(&self) -> Result<Snapshot<HexMove>, Outdated> {
        Ok(self.0.snapshot())
    }

    fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeView<HexMove>, Outdated> {
        Ok(self.0.tree(levels, min_visits))
    }
}
