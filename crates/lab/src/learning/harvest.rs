//! The patterns of played moves, counted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};

use kosumi_go::{BoardClass, Features, Position, Selection, UpTo9, UpTo13, UpTo19, UpTo25};

use super::games::GameMoves;

/// Cells of the first count; several keys share one.
const CELL_BITS: u32 = 28;

/// The keys of the `most` patterns of the selected kinds that most often surround played moves, and
/// did at least `least` times; the most frequent first.
///
/// Most patterns of a large size are unique: a first pass counts roughly in a table of fixed size, a
/// second one exactly what may be frequent.
#[must_use]
pub fn frequent_patterns(
    games: &[GameMoves],
    selection: &Selection,
    least: u32,
    most: usize,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Vec<u32> {
    let cells: Vec<AtomicU8> = (0..1usize << CELL_BITS).map(|_| AtomicU8::new(0)).collect();
    let cell = |key: u32| &cells[(key >> (32 - CELL_BITS)) as usize];
    // Counts may be lost when threads meet; the few that are do not matter.
    for_each_key(games, selection, threads, progress, &|(), key| {
        let count = cell(key).load(Ordering::Relaxed);
        cell(key).store(count.saturating_add(1), Ordering::Relaxed);
    });
    let enough = least.min(200) as u8;
    let counts = for_each_key(
        games,
        selection,
        threads,
        progress,
        &|counts: &mut HashMap<u32, u32>, key| {
            if cell(key).load(Ordering::Relaxed) >= enough {
                *counts.entry(key).or_default() += 1;
            }
        },
    );
    let mut sum: HashMap<u32, u32> = HashMap::new();
    for (key, count) in counts.into_iter().flatten() {
        *sum.entry(key).or_default() += count;
    }
    let mut frequent: Vec<(u32, u32)> =
        sum.into_iter().filter(|(_, count)| *count >= least).collect();
    frequent.sort_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
    frequent.truncate(most);
    frequent.into_iter().map(|(key, _)| key).collect()
}

/// Calls `found` with the keys of the patterns of every played move; each thread has a state.
fn for_each_key<S: Default + Send>(
    games: &[GameMoves],
    selection: &Selection,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
    found: &(dyn Fn(&mut S, u32) + Sync),
) -> Vec<S> {
    kosumi_learn::share_out(games, threads, S::default, |state, game| {
        match game.size {
            0..=9 => keys_of::<UpTo9>(game, selection, |key| found(state, key)),
            10..=13 => keys_of::<UpTo13>(game, selection, |key| found(state, key)),
            14..=19 => keys_of::<UpTo19>(game, selection, |key| found(state, key)),
            _ => keys_of::<UpTo25>(game, selection, |key| found(state, key)),
        }
        progress(1);
    })
}

fn keys_of<C: BoardClass>(game: &GameMoves, selection: &Selection, mut found: impl FnMut(u32)) {
    let mut features = Features::<C>::default();
    game.replay(|position: &Position<C>, played| {
        if let Some(p) = played.point() {
            features.pattern_keys(position, p, |kind, key| {
                if selection.has_kind(kind) {
                    found(key);
                }
            });
        }
    });
}
