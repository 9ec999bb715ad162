//! Parts shared out to threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Decision, Decisions};

/// Visits the parts with several threads, each with a state of its own; the states at the end.
///
/// # Panics
/// `visit` does, on any thread.
pub fn share_out<P: Sync, S: Send>(
    parts: &[P],
    threads: usize,
    state: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &P) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = state();
        // Relaxed: the counter shares out parts and publishes nothing.
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            visit(&mut state, part);
        }
        state
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, S>| match thread.join() {
            Ok(state) => state,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().map(join).collect()
    })
}

/// Numbered results of threads in the order of their numbers.
pub(crate) fn ordered<T>(numbered: impl Iterator<Item = (usize, T)>) -> Vec<T> {
    let mut all: Vec<(usize, T)> = numbered.collect();
    all.sort_unstable_by_key(|&(number, _)| number);
    all.into_iter().map(|(_, result)| result).collect()
}

/// As [`share_out`], decision by decision.
pub(crate) fn for_each<D: Decisions, S: Send>(
    decisions: &D,
    parts: &[usize],
    threads: usize,
    state: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &Decision) + Sync,
) -> Vec<S> {
    let both = || (decisions.worker(), state());
    let all = share_out(parts, threads, both, |(worker, state), &part| {
        decisions.visit(part, worker, &mut |decision| visit(state, decision));
    });
    all.into_iter().map(|(_, state)| state).collect()
}
