//! The tree's memory: one flat array of 64-byte lines, reserved whole, touched as the tree grows.
//!
//! Nodes, edges and move orders are carved from the same lines, so that a budget in megabytes is
//! one number and cannot be exceeded by a bad split. Threads take blocks of lines with one
//! `fetch_update` and carve those up alone. Nothing is freed singly: [`crate::recycle`] compacts.

use std::io;

use crate::sync::{AtomicU64, Ordering};

/// Words in a line: 64 bytes, the size of a node and of a cache line.
pub(crate) const LINE_WORDS: usize = 8;

/// The number of a line. Line 0 is never handed out, so 0 means "nothing".
pub(crate) type LineId = u32;

/// "Nothing", as a line number.
pub(crate) const NONE: LineId = 0;

/// How many lines a thread takes at a time: 256 KiB, so that the part of a block that a large
/// node's edges do not fit into is a few per cent.
const BLOCK_LINES: u32 = 4096;

#[derive(Debug)]
pub(crate) struct Arena {
    words: Words,
    /// First line that no thread has taken. Written by `fetch_update` (any thread) and by
    /// [`Arena::truncate`] (nobody else running). Relaxed: what is in the lines is published by
    /// the links to them, not by this counter.
    next: AtomicU64,
    lines: u32,
    block_lines: u32,
}

/// The lines that one thread has taken and not yet used.
#[derive(Debug, Default)]
pub(crate) struct Reserve {
    next: LineId,
    end: LineId,
}

impl Arena {
    /// An arena of `lines` lines (at least 2). Memory is mapped when first touched; an error means
    /// that the system has not so much to promise.
    pub(crate) fn new(lines: u32) -> io::Result<Self> {
        let lines = lines.max(2);
        Ok(Self {
            words: Words::zeroed(lines as usize * LINE_WORDS)?,
            next: AtomicU64::new(1),
            lines,
            // A small arena must not be used up by the threads' reserves.
            block_lines: BLOCK_LINES.min(lines / 64).max(1),
        })
    }

    pub(crate) fn lines(&self) -> u32 {
        self.lines
    }

    /// Lines taken so far, counting what threads hold in reserve.
    pub(crate) fn used(&self) -> u32 {
        self.next.load(Ordering::Relaxed).min(u64::from(self.lines)) as u32
    }

    /// The words of `lines` lines from `id` on.
    #[inline]
    pub(crate) fn words(&self, id: LineId, words: usize) -> &[AtomicU64] {
        let start = id as usize * LINE_WORDS;
        &self.words.all()[start..start + words]
    }

    /// Takes `lines` lines, or `None` when the arena is full. Their content is whatever was there.
    #[inline]
    pub(crate) fn allocate(&self, reserve: &mut Reserve, lines: u32) -> Option<LineId> {
        if reserve.end - reserve.next < lines {
            let block = lines.max(self.block_lines);
            let start = self
                .next
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                    (next + u64::from(block) <= u64::from(self.lines))
                        .then(|| next + u64::from(block))
                })
                .ok()? as u32;
            *reserve = Reserve { next: start, end: start + block };
        }
        let id = reserve.next;
        reserve.next += lines;
        Some(id)
    }

    /// Gives back the latest allocation of this reserve (a race was lost).
    #[inline]
    pub(crate) fn give_back(&self, reserve: &mut Reserve, id: LineId, lines: u32) {
        debug_assert_eq!(reserve.next, id + lines);
        reserve.next = id;
    }

    /// All lines from `next` on are free again. Only while no other thread uses the arena, and all
    /// reserves taken before are void.
    pub(crate) fn truncate(&self, next: u32) {
        self.next.store(u64::from(next.max(1)), Ordering::Relaxed);
    }

    /// Moves one line. Only while no other thread uses the arena.
    pub(crate) fn copy_line(&self, from: LineId, to: LineId) {
        let (from, to) = (self.words(from, LINE_WORDS), self.words(to, LINE_WORDS));
        for (from, to) in from.iter().zip(to) {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Zeroed words in pages of their own: lines are cache lines, and nothing is resident before it is
/// touched.
#[cfg(not(loom))]
#[derive(Debug)]
struct Words {
    map: memmap2::MmapMut,
    count: usize,
}

#[cfg(not(loom))]
impl Words {
    fn zeroed(count: usize) -> io::Result<Self> {
        let map = memmap2::MmapMut::map_anon(count * size_of::<AtomicU64>())?;
        // A tree is read all over: large pages spare look-ups of addresses. Only a wish.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, count })
    }

    #[inline]
    #[allow(unsafe_code)]
    fn all(&self) -> &[AtomicU64] {
        // SAFETY: the map is page-aligned, `count` words long, zeroed by the system and lives as
        // long as `self`; `AtomicU64` has the size and bit validity of `u64`, and all access is
        // through these shared atomics: nobody makes a `&mut` of the map.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}

#[cfg(loom)]
#[derive(Debug)]
struct Words(Box<[AtomicU64]>);

#[cfg(loom)]
impl Words {
    fn zeroed(count: usize) -> io::Result<Self> {
        Ok(Self((0..count).map(|_| AtomicU64::new(0)).collect()))
    }

    fn all(&self) -> &[AtomicU64] {
        &self.0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn hands_out_every_line_once_and_then_none() {
        let arena = Arena::new(200).expect("memory");
        let mut reserves = [Reserve::default(), Reserve::default()];
        let mut seen = [false; 200];
        let mut turn = 0;
        while let Some(id) = arena.allocate(&mut reserves[turn % 2], 1) {
            assert!(id != NONE && !std::mem::replace(&mut seen[id as usize], true));
            turn += 1;
        }
        assert!(turn >= 196, "{turn}");
        assert!(arena.used() <= 200);
        assert!(arena.allocate(&mut Reserve::default(), 300).is_none());
    }

    #[test]
    fn a_lost_race_gives_its_lines_back() {
        let arena = Arena::new(1000).expect("memory");
        let mut reserve = Reserve::default();
        let id = arena.allocate(&mut reserve, 3).unwrap();
        arena.give_back(&mut reserve, id, 3);
        assert_eq!(arena.allocate(&mut reserve, 2), Some(id));
    }

    #[test]
    fn lines_move_whole() {
        let arena = Arena::new(4).expect("memory");
        arena.words(2, LINE_WORDS)[5].store(7, Ordering::Relaxed);
        arena.copy_line(2, 1);
        assert_eq!(arena.words(1, LINE_WORDS)[5].load(Ordering::Relaxed), 7);
        arena.truncate(2);
        assert_eq!(arena.used(), 2);
    }
}
