//! When a search ends, when its threads meet, and how they learn of it.

use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::Limits;
use crate::params::{FinalMove, SearchParams};
use crate::report::is_unstable;
use crate::root_moves::RootMoves;
use crate::sync::{AtomicU32, AtomicU64, Ordering};
use crate::tree::Tree;

const STOP: u32 = 1;
const RECYCLE: u32 = 2;

/// The clock is looked at every so many simulations of all threads.
const CLOCK_EVERY: u64 = 4;
/// Whether the best move can still change is looked at every so many simulations.
const EARLY_STOP_EVERY: u64 = 128;

/// What a thread does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The simulation of that number.
    Simulate(u64),
    /// Meet the other threads to recycle memory.
    Recycle,
    /// The search is over.
    Stop,
}

#[derive(Debug)]
pub(crate) struct Control {
    limits: Limits,
    begun: Instant,
    /// [`STOP`] and [`RECYCLE`]. Set by anyone with `fetch_or`, relaxed: a thread that sees a
    /// signal late runs one simulation more.
    signal: AtomicU32,
    /// Simulations handed out. `fetch_add`, relaxed: the one word that every thread writes in every
    /// simulation, so it has its cache lines to itself.
    started: Padded,
    /// Simulations that each thread has finished. Stored by that thread alone, relaxed, and apart from
    /// visits, which may come from elsewhere too.
    finished: Box<[Padded]>,
    /// Simulations to hand out; grows once if the search is extended. Written under `state`.
    simulations: AtomicU64,
    /// When to stop, in nanoseconds since `begun`; grows once if the search is extended. Written
    /// under `state`.
    deadline: AtomicU64,
    /// How long the search took and how many simulations, once it is over. Not under `state`: who
    /// asks may hold the tree's gate, for which a recycling thread waits with `state` in hand.
    took: OnceLock<(Duration, u64)>,
    state: Mutex<State>,
    changed: Condvar,
    /// Called once, by the thread that leaves last.
    at_end: Mutex<AtEnd>,
}

/// What is called when a search ends.
#[derive(Default)]
enum AtEnd {
    /// The search still runs.
    #[default]
    Nothing,
    Call(Vec<Box<dyn FnOnce() + Send>>),
    Ended,
}

impl std::fmt::Debug for AtEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AtEnd")
    }
}

#[derive(Debug)]
#[repr(align(128))]
struct Padded(AtomicU64);

#[derive(Debug)]
struct State {
    /// Threads that still search.
    active: usize,
    /// Threads that wait for the others to recycle.
    waiting: usize,
    /// Recyclings so far.
    epoch: u64,
    /// The search was extended or need not be.
    extension_decided: bool,
    /// The most visited move when last looked at, and the simulation that found it new.
    leader: Option<(u16, u64)>,
}

impl Control {
    pub(crate) fn new(limits: Limits, threads: usize) -> Self {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX);
        Self {
            limits,
            begun: Instant::now(),
            signal: AtomicU32::new(0),
            started: Padded(AtomicU64::new(0)),
            finished: (0..threads).map(|_| Padded(AtomicU64::new(0))).collect(),
            simulations: AtomicU64::new(limits.simulations.unwrap_or(u64::MAX)),
            deadline: AtomicU64::new(limits.time.map_or(u64::MAX, |t| nanos(t.target))),
            took: OnceLock::new(),
            state: Mutex::new(State {
                active: threads,
                waiting: 0,
                epoch: 0,
                extension_decided: false,
                leader: None,
            }),
            changed: Condvar::new(),
            at_end: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked elsewhere leaves this state as it was: go on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn stop(&self) {
        self.signal.fetch_or(STOP, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.signal.load(Ordering::Relaxed) & STOP != 0
    }

    pub(crate) fn request_recycling(&self) {
        self.signal.fetch_or(RECYCLE, Ordering::Relaxed);
    }

    /// Simulations finished and seconds passed, so far or in all.
    pub(crate) fn progress(&self) -> (u64, f64) {
        let took = self.took.get().copied();
        let (time, simulations) = took.unwrap_or_else(|| (self.begun.elapsed(), self.done()));
        (simulations, time.as_secs_f64())
    }

    fn done(&self) -> u64 {
        self.finished.iter().map(|count| count.0.load(Ordering::Relaxed)).sum()
    }

    /// The thread of that number has finished a simulation.
    #[inline]
    pub(crate) fn count(&self, thread: usize) {
        let count = &self.finished[thread].0;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Calls `action` when the search ends; at once if it has ended. It must not wait for anything.
    pub(crate) fn at_end(&self, action: Box<dyn FnOnce() + Send>) {
        let mut at_end = self.at_end.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *at_end {
            AtEnd::Nothing => *at_end = AtEnd::Call(vec![action]),
            AtEnd::Call(actions) => actions.push(action),
            AtEnd::Ended => {
                drop(at_end);
                action();
            }
        }
    }

    /// What a thread does next.
    #[inline]
    pub(crate) fn next(&self, tree: &Tree, params: &SearchParams, moves: &RootMoves) -> Next {
        let signal = self.signal.load(Ordering::Relaxed);
        if signal != 0 {
            return if signal & STOP != 0 { Next::Stop } else { Next::Recycle };
        }
        let index = self.started.0.fetch_add(1, Ordering::Relaxed);
        if index >= self.simulations.load(Ordering::Relaxed)
            && !self.extend(tree, params, moves, index)
        {
            self.stop();
            return Next::Stop;
        }
        if self.limits.time.is_some()
            && index.is_multiple_of(CLOCK_EVERY)
            && self.out_of_time()
            && !self.extend(tree, params, moves, index)
        {
            self.stop();
            return Next::Stop;
        }
        if index.is_multiple_of(EARLY_STOP_EVERY)
            && index > 0
            && self.is_decided(tree, params, moves, index)
        {
            self.stop();
            return Next::Stop;
        }
        Next::Simulate(index)
    }

    fn out_of_time(&self) -> bool {
        self.begun.elapsed().as_nanos() >= u128::from(self.deadline.load(Ordering::Relaxed))
    }

    /// At a limit: extends an unstable search once (H11). True if the search goes on.
    fn extend(&self, tree: &Tree, params: &SearchParams, moves: &RootMoves, index: u64) -> bool {
        let mut state = self.lock();
        if !state.extension_decided {
            state.extension_decided = true;
            if params.extend_unstable && is_unstable(tree, moves) {
                if let Some(simulations) = self.limits.simulations {
                    self.simulations.store(simulations + simulations / 2, Ordering::Relaxed);
                }
                if let Some(time) = self.limits.time {
                    let longer = (time.target * 3 / 2).min(time.maximum);
                    self.deadline.store(longer.as_nanos() as u64, Ordering::Relaxed);
                }
            }
        }
        if self.is_flexible(params)
            && self.out_of_time()
            && is_unsettled(&state, tree, moves, index)
        {
            self.postpone();
        }
        index < self.simulations.load(Ordering::Relaxed) && !self.out_of_time()
    }

    /// Whether there is a clock that time can be borrowed from.
    fn is_flexible(&self, params: &SearchParams) -> bool {
        self.limits.flexible && params.time_extend
    }

    /// A quarter of the planned time more, but not beyond the maximum.
    fn postpone(&self) {
        if let Some(time) = self.limits.time {
            let later = (self.begun.elapsed() + time.target / 4).min(time.maximum);
            self.deadline.store(later.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    /// Whether the root is proven, has but one move, or what is left cannot change the most
    /// visited move.
    fn is_decided(
        &self,
        tree: &Tree,
        params: &SearchParams,
        moves: &RootMoves,
        index: u64,
    ) -> bool {
        let root = tree.node(tree.root());
        if self.limits == Limits::infinite() {
            return false;
        }
        if root.proof().is_some() {
            return true;
        }
        let early_stop = params.early_stop && params.final_by == FinalMove::Visits;
        let flexible = self.is_flexible(params);
        if !early_stop && !flexible {
            return false;
        }
        let Some(leaders) = tree.leaders(moves) else {
            return false;
        };
        if flexible {
            let mut state = self.lock();
            if state.leader.is_none_or(|(mv, _)| mv != leaders.most_visited) {
                // The first leader has led from the start.
                let since = state.leader.map_or(0, |_| index);
                state.leader = Some((leaders.most_visited, since));
            }
        }
        // Where time can be had, a lead in visits alone does not end the search.
        let open = flexible && leaders.disagree();
        early_stop && !open && leaders.lead > self.simulations_left(index)
    }

    /// How many simulations are still to come, by the limit or by the speed so far.
    fn simulations_left(&self, index: u64) -> u64 {
        let by_count = self.simulations.load(Ordering::Relaxed).saturating_sub(index);
        let by_time = match self.limits.time {
            None => u64::MAX,
            Some(_) => {
                let elapsed = self.begun.elapsed().as_secs_f64();
                let deadline = self.deadline.load(Ordering::Relaxed) as f64 * 1e-9;
                let left = (deadline - elapsed).max(0.0);
                // A little more than the speed so far promises: trees speed up as they settle.
                (index as f64 / elapsed.max(1e-6) * left * 1.1) as u64
            }
        };
        by_count.min(by_time)
    }

    /// Waits until all threads are between simulations; the last to come recycles for all.
    pub(crate) fn meet(&self, tree: &Tree) {
        let mut state = self.lock();
        // Another thread may have led a meeting since the signal was read.
        if self.signal.load(Ordering::Relaxed) & RECYCLE == 0 {
            return;
        }
        state.waiting += 1;
        if state.waiting == state.active {
            self.recycle(&mut state, tree);
        } else {
            let epoch = state.epoch;
            while state.epoch == epoch {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// A thread stops searching; if all others wait for it, it recycles for them.
    pub(crate) fn leave(&self, tree: &Tree) {
        let mut state = self.lock();
        state.active -= 1;
        if state.active > 0 && state.waiting == state.active {
            self.recycle(&mut state, tree);
        }
        if state.active == 0 {
            // Set once: threads leave a search once each.
            let _ = self.took.set((self.begun.elapsed(), self.done()));
            self.changed.notify_all();
            drop(state);
            let mut at_end = self.at_end.lock().unwrap_or_else(PoisonError::into_inner);
            let actions = std::mem::replace(&mut *at_end, AtEnd::Ended);
            drop(at_end);
            if let AtEnd::Call(actions) = actions {
                actions.into_iter().for_each(|action| action());
            }
        }
    }

    fn recycle(&self, state: &mut State, tree: &Tree) {
        {
            let _nobody_reads = tree.gate.write().unwrap_or_else(PoisonError::into_inner);
            tree.recycle();
        }
        self.signal.fetch_and(!RECYCLE, Ordering::Relaxed);
        state.waiting = 0;
        state.epoch += 1;
        self.changed.notify_all();
    }

    /// Whether any thread still searches.
    pub(crate) fn is_running(&self) -> bool {
        self.lock().active > 0
    }

    /// Waits until all threads have left, but no longer than this; whether they have.
    pub(crate) fn wait_for(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut state = self.lock();
        while state.active > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Waits until all threads have left.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while state.active > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Whether the move to play may well be another one soon: visits and values name different moves, or
/// the most visited one has led for less than a quarter of the search.
fn is_unsettled(state: &State, tree: &Tree, moves: &RootMoves, index: u64) -> bool {
    let since = state.leader.map_or(0, |(_, since)| since);
    let changed = since > 0 && index.saturating_sub(since) < index / 4;
    changed || tree.leaders(moves).is_some_and(|leaders| leaders.disagree())
}
