//! Who has won, recomputed from the stones alone, slowly and by the words of the rules: what the
//! tests compare the board with. Stands on nothing else of the crate.

const AROUND: [(i32, i32); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];

/// Whether the colour whose stones are where `own(y, x)` says has a ring, a bridge or a fork.
pub fn has_won(size: usize, own: impl Fn(usize, usize) -> bool) -> bool {
    let stones = Stones::new(size, own);
    stones.ring() || stones.bridge_or_fork()
}

/// Whether it has a ring.
#[allow(dead_code)] // Not all test programs that include this file ask.
pub fn has_ring(size: usize, own: impl Fn(usize, usize) -> bool) -> bool {
    Stones::new(size, own).ring()
}

struct Stones {
    size: i32,
    /// The cells of the board.
    cells: Vec<(i32, i32)>,
    /// By [`Stones::at`].
    own: Vec<bool>,
}

impl Stones {
    fn new(size: usize, own: impl Fn(usize, usize) -> bool) -> Self {
        let side = 2 * size as i32 - 1;
        let mut stones =
            Self { size: size as i32, cells: Vec::new(), own: vec![false; (side * side) as usize] };
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            if stones.on_board(y, x) {
                let at = stones.at(y, x);
                stones.own[at] = own(y as usize, x as usize);
                stones.cells.push((y, x));
            }
        }
        stones
    }

    fn on_board(&self, y: i32, x: i32) -> bool {
        let side = 2 * self.size - 1;
        (0..side).contains(&y) && (0..side).contains(&x) && (y - x).abs() < self.size
    }

    fn at(&self, y: i32, x: i32) -> usize {
        (y * (2 * self.size - 1) + x) as usize
    }

    /// Adds to `reached` all cells that lead to `start` over cells for which `pass` holds, and
    /// returns them.
    fn flood(
        &self,
        start: (i32, i32),
        pass: impl Fn(usize) -> bool,
        reached: &mut [bool],
    ) -> Vec<(i32, i32)> {
        let mut found = Vec::new();
        if pass(self.at(start.0, start.1)) && !reached[self.at(start.0, start.1)] {
            reached[self.at(start.0, start.1)] = true;
            found.push(start);
        }
        let mut next = 0;
        while let Some(&(y, x)) = found.get(next) {
            for (dy, dx) in AROUND {
                let (y, x) = (y + dy, x + dx);
                if self.on_board(y, x) && pass(self.at(y, x)) && !reached[self.at(y, x)] {
                    reached[self.at(y, x)] = true;
                    found.push((y, x));
                }
            }
            next += 1;
        }
        found
    }

    fn at_rim(&self, y: i32, x: i32) -> bool {
        let off = |(dy, dx)| !self.on_board(y + dy, x + dx);
        AROUND.into_iter().any(off)
    }

    /// A cell is enclosed if, with its own stone taken off if there is one, no way over cells
    /// without own stones leads from it off the board: the stones around what can be reached then
    /// hold a closed loop. The other way round, no way leads through a loop.
    ///
    /// All cells from which such ways lead off the board are flooded at once. A cell with an own
    /// stone has a way if it lies at the rim or has a flooded neighbour.
    fn ring(&self) -> bool {
        let mut outside = vec![false; self.own.len()];
        for &(y, x) in &self.cells {
            if self.at_rim(y, x) {
                self.flood((y, x), |at| !self.own[at], &mut outside);
            }
        }
        self.cells.iter().any(|&(y, x)| {
            let leads_out = |(dy, dx)| outside[self.at(y + dy, x + dx)];
            !self.at_rim(y, x) && !outside[self.at(y, x)] && !AROUND.into_iter().any(leads_out)
        })
    }

    fn bridge_or_fork(&self) -> bool {
        let last = 2 * self.size - 2;
        let mut seen = vec![false; self.own.len()];
        self.cells.iter().any(|&cell| {
            let (mut corners, mut edges) = (0, [false; 6]);
            for (y, x) in self.flood(cell, |at| self.own[at], &mut seen) {
                let sides = [
                    y == 0,
                    y == last,
                    x == 0,
                    x == last,
                    y - x == self.size - 1,
                    x - y == self.size - 1,
                ];
                // A cell on two sides is a corner and counts for neither edge.
                match sides.iter().filter(|&&on| on).count() {
                    2 => corners += 1,
                    1 => (0..6).for_each(|side| edges[side] |= sides[side]),
                    _ => {}
                }
            }
            corners >= 2 || edges.iter().filter(|&&on| on).count() >= 3
        })
    }
}
