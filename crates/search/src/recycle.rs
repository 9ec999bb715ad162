//! What happens when the memory budget is used up: the least visited subtrees become leaves again,
//! and what remains moves together.
//!
//! The threads have met at a safe point (between simulations), so this code has the tree to itself.
//! A node keeps its visits and value; only its children are forgotten, as its own simulations. Nodes
//! whose visits reach a threshold keep their children; the threshold is the lowest at which the
//! tree fits into three quarters of the memory. Since no node has more visits than its parent, what is kept
//! hangs together, and the principal variation, visited most, is forgotten last.

use crate::arena::{LINE_WORDS, LineId, NONE};
use crate::node::{Edge, Links, Shape};
use crate::sync::Ordering;
use crate::tree::{Tree, edge_lines, order_lines};

/// The part of the memory that a recycled tree may fill.
const KEEP_NUMERATOR: u64 = 3;
const KEEP_DENOMINATOR: u64 = 4;

/// What recycling did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recycled {
    /// Reachable nodes that were forgotten.
    pub(crate) forgotten: u64,
    /// Lines in use afterwards.
    pub(crate) lines: u32,
}

/// Visit counts in buckets of about 9 %: 8 per power of two.
fn bucket(visits: u64) -> usize {
    if visits < 8 {
        return visits as usize;
    }
    let power = visits.ilog2();
    (power as usize - 2) * 8 + (visits >> (power - 3) & 7) as usize
}

const BUCKETS: usize = 63 * 8;

impl Tree {
    /// Makes room. Nobody else is running, and all reserves are void afterwards.
    pub(crate) fn recycle(&self) -> Recycled {
        let threshold = self.threshold();
        let (live, forgotten) = self.prune(threshold);
        self.recompute_shapes(&live);
        let lines = self.compact(&live);
        self.prune_ledger();
        self.recycled.fetch_add(forgotten, Ordering::Relaxed);
        Recycled { forgotten, lines }
    }

    /// All nodes below `root`, parents before children, each with its place's parent in the list.
    fn nodes(&self, root: LineId, mut visit: impl FnMut(LineId) -> bool) -> Vec<LineId> {
        let mut list = vec![root];
        let mut next = 0;
        while next < list.len() {
            let id = list[next];
            next += 1;
            if visit(id)
                && let Some(links) = self.node(id).links()
            {
                list.extend(self.edges(links).map(Edge::child).filter(|&child| child != NONE));
            }
        }
        list
    }

    /// The lines that a node's children take: edges, order, and a line per child.
    fn lines_below(&self, id: LineId) -> u64 {
        let node = self.node(id);
        node.links().map_or(0, |links| {
            let order = if node.order() == NONE { 0 } else { order_lines(links.count) };
            u64::from(edge_lines(usize::from(links.count)) + order) + u64::from(node.children())
        })
    }

    /// The bucket of visits from which on nodes keep their children.
    fn threshold(&self) -> usize {
        let mut lines = vec![0u64; BUCKETS];
        self.nodes(self.root(), |id| {
            lines[bucket(self.node(id).visits())] += self.lines_below(id);
            true
        });
        let mut room = u64::from(self.arena.lines()) * KEEP_NUMERATOR / KEEP_DENOMINATOR;
        for bucket in (0..BUCKETS).rev() {
            if lines[bucket] > room {
                return bucket + 1;
            }
            room -= lines[bucket];
        }
        0
    }

    /// Turns nodes below the threshold and proven nodes into leaves. Returns the nodes that are
    /// left, parents first, and how many were forgotten.
    fn prune(&self, threshold: usize) -> (Vec<LineId>, u64) {
        let root = self.root();
        let mut forgotten = 0;
        let live = self.nodes(root, |id| {
            let node = self.node(id);
            let keep = id == root || (bucket(node.visits()) >= threshold && node.proof().is_none());
            if !keep && node.links().is_some() {
                forgotten += self.nodes(id, |_| true).len() as u64 - 1;
                node.make_leaf();
            }
            keep
        });
        (live, forgotten)
    }

    fn recompute_shapes(&self, live: &[LineId]) {
        for &id in live.iter().rev() {
            self.node(id).set_shape(self.shape_of(id));
        }
    }

    /// A node's shape from its children's.
    pub(crate) fn shape_of(&self, id: LineId) -> Shape {
        let Some(links) = self.node(id).links() else {
            return Shape::LEAF;
        };
        let children = self.edges(links).map(Edge::child).filter(|&child| child != NONE);
        let (depth, width) = children.fold((0, 0), |(depth, width), child| {
            let shape = self.node(child).shape();
            (shape.depth.max(depth), shape.width + width)
        });
        if width == 0 { Shape::LEAF } else { Shape { depth: depth + 1, width } }
    }

    /// Slides all live lines down, in their order, and returns how many there are.
    fn compact(&self, live: &[LineId]) -> u32 {
        let mut map = LineMap::new(self.arena.lines());
        map.mark(NONE, 1);
        for &id in live {
            map.mark(id, 1);
            let node = self.node(id);
            if let Some(links) = node.links() {
                map.mark(links.edges, edge_lines(usize::from(links.count)));
                if node.order() != NONE {
                    map.mark(node.order(), order_lines(links.count));
                }
            }
        }
        map.count();
        for &id in live {
            let node = self.node(id);
            if let Some(links) = node.links() {
                for edge in self.edges(links).filter(|edge| edge.child() != NONE) {
                    edge.relocate(map.new_place(edge.child()));
                }
                let order = node.order();
                let order = if order == NONE { NONE } else { map.new_place(order) };
                node.relocate(Links { edges: map.new_place(links.edges), ..links }, order);
            }
        }
        self.move_root(map.new_place(self.root()));
        let lines = map.for_each(|from, to| {
            if from != to {
                self.arena.copy_line(from, to);
            }
        });
        self.arena.truncate(lines);
        lines
    }
}

/// Which lines live, and where they go: a bit per line and a running count per 64.
struct LineMap {
    bits: Vec<u64>,
    before: Vec<u32>,
}

impl LineMap {
    fn new(lines: u32) -> Self {
        let words = (lines as usize).div_ceil(64);
        Self { bits: vec![0; words], before: vec![0; words] }
    }

    fn mark(&mut self, id: LineId, lines: u32) {
        for line in id..id + lines {
            self.bits[line as usize / 64] |= 1 << (line % 64);
        }
    }

    fn count(&mut self) {
        let mut total = 0;
        for (before, bits) in self.before.iter_mut().zip(&self.bits) {
            *before = total;
            total += bits.count_ones();
        }
    }

    fn new_place(&self, id: LineId) -> LineId {
        let word = id as usize / 64;
        let below = self.bits[word] & ((1 << (id % 64)) - 1);
        self.before[word] + below.count_ones()
    }

    /// Calls `action(from, to)` for every live line, upwards; returns how many there are.
    fn for_each(&self, mut action: impl FnMut(LineId, LineId)) -> u32 {
        let mut to = 0;
        for (word, &bits) in self.bits.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                action(word as u32 * 64 + bits.trailing_zeros(), to);
                bits &= bits - 1;
                to += 1;
            }
        }
        to
    }
}

const _: () = assert!(LINE_WORDS * 8 == 64, "children take one line each");

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn buckets_rise_with_visits() {
        let mut last = 0;
        for visits in 0..100_000 {
            let b = bucket(visits);
            assert!(b == last || b == last + 1, "{visits}");
            last = b;
        }
        assert!(bucket(u64::MAX) < BUCKETS);
    }

    #[test]
    fn a_line_map_slides_lines_together() {
        let mut map = LineMap::new(300);
        map.mark(0, 1);
        map.mark(63, 2);
        map.mark(200, 3);
        map.count();
        assert_eq!([0, 63, 64, 200, 202].map(|id| map.new_place(id)), [0, 1, 2, 3, 5]);
        let mut moves = vec![];
        assert_eq!(map.for_each(|from, to| moves.push((from, to))), 6);
        assert_eq!(moves[3], (200, 3));
    }
}
