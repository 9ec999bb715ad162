//! Chains of one colour under placement of stones: union by size over the padded board.
//!
//! Stones never leave, so a union-find is exact. Union by size alone bounds the depth of a find by
//! log2 of the cells (it is 1 or 2 in practice), and a find that writes nothing can be asked of a
//! shared position. The four sides are chains from the start, so a game is won when two sides of
//! a colour are one chain.

use crate::geometry::{Geometry, POINTS, Point};

/// A side outweighs every chain of stones and so stays the root of what it joins.
const SIDE_SIZE: i16 = 1000;

/// For each place its parent, or minus the size of its chain if it is the root. Singletons and
/// empty cells are roots of size 1.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    links: [i16; POINTS],
}

impl Chains {
    /// The chains of the empty board: its sides.
    pub fn new(geometry: &Geometry) -> Self {
        let mut links = [-1; POINTS];
        let end = geometry.size + 1;
        let [[top, bottom], [left, right]] = geometry.sides;
        for i in 1..=geometry.size {
            links[Point::new(i, 0).index()] = top.0 as i16;
            links[Point::new(i, end).index()] = bottom.0 as i16;
            links[Point::new(0, i).index()] = left.0 as i16;
            links[Point::new(end, i).index()] = right.0 as i16;
        }
        for side in geometry.sides.as_flattened() {
            links[side.index()] = -SIDE_SIZE;
        }
        Self { links }
    }

    /// The place that stands for the chain of `point`.
    #[inline]
    pub fn root(&self, point: Point) -> Point {
        let mut at = point.0;
        loop {
            let link = self.links[usize::from(at)];
            if link < 0 {
                return Point(at);
            }
            at = link as u16;
        }
    }

    /// Makes one chain of the chains of two places.
    #[inline]
    pub fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (size_a, size_b) = (self.links[a.index()], self.links[b.index()]);
        let (root, other) = if size_a <= size_b { (a, b) } else { (b, a) };
        self.links[other.index()] = root.0 as i16;
        self.links[root.index()] = size_a + size_b;
    }
}
