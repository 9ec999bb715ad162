//! Parts shared out to threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Decision, Decisions};

/// Visits the parts with several threads, each with a state of its own; the states at the end.
pub(crate) fn for_each<D: Decisions, S: Send>(
    decisions: &D,
    parts: &[usize],
    threads: usize,
    state: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, &Decision) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut worker, mut state) = (decisions.worker(), state());
        // Relaxed: the counter shares out parts and publishes nothing.
        while let Some(&part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            decisions.visit(part, &mut worker, &mut |decision| visit(&mut state, decision));
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
