//! Dead cells by the graph of one colour (Björnsson, Hayward, Johanson, van Rijswijck: Dead cell
//! analysis in Hex and the Shannon game).
//!
//! For a colour the board is a graph: its nodes are the empty cells and the colour's two sides,
//! two cells are joined if they are neighbours or touch one chain of the colour, and stones of
//! the opponent are gone. A cell whose neighbours are all joined to each other is on no way that
//! could not be shorter, hence dead. A stone of the colour joins all neighbours of its cell, a
//! stone of the opponent takes its cell away: so the same sets tell which stones would kill.

use crate::{CellSet, Colour, Stones};

/// The graph of one colour.
pub(super) struct Graph<const W: usize> {
    /// The cells joined to each empty cell.
    near: Vec<CellSet<W>>,
    /// The empty cells joined to each of the two sides.
    ends: [CellSet<W>; 2],
    /// The liberties of each chain that touches no side.
    liberties: Vec<CellSet<W>>,
}

/// What a graph says about one cell.
pub(super) struct Saying<const W: usize> {
    /// No stone there matters.
    pub dead: bool,
    /// Where a stone of the graph's colour kills the cell.
    pub by_own: CellSet<W>,
    /// Where a stone of the opponent kills the cell.
    pub by_other: CellSet<W>,
}

impl<const W: usize> Graph<W> {
    pub fn new() -> Self {
        Self { near: Vec::new(), ends: [CellSet::EMPTY; 2], liberties: Vec::new() }
    }

    /// Builds the graph of `colour`.
    pub fn build(&mut self, stones: &Stones<W>, colour: Colour) {
        let lattice = stones.lattice();
        let (own, empty) = (stones.of(colour), stones.empty());
        self.near.clear();
        self.liberties.clear();
        self.near.extend(lattice.around.iter().map(|&around| around & empty));
        let beside = lattice.beside[colour.index()];
        self.ends = beside.map(|cells| cells & empty);
        let mut left = own;
        while let Some(stone) = left.first() {
            let chain = lattice.flood(CellSet::of(stone), left);
            left -= chain;
            let liberties = lattice.grown(chain) & empty;
            let mut inner = true;
            for (end, beside) in self.ends.iter_mut().zip(beside) {
                if !chain.is_disjoint(&beside) {
                    *end |= liberties;
                    inner = false;
                }
            }
            if inner {
                self.join(liberties);
                self.liberties.push(liberties);
            }
        }
        // A way that leads past two cells beside a side may start at the second: they are as good
        // as joined.
        for end in self.ends {
            self.join(end);
        }
    }

    fn join(&mut self, cells: CellSet<W>) {
        for cell in cells.iter() {
            self.near[cell] |= cells.without(cell);
        }
    }

    /// What can be said of an empty cell, given its neighbours on the board.
    pub fn say(&self, cell: usize, around: CellSet<W>, empty: CellSet<W>) -> Saying<W> {
        let near = self.near[cell];
        let mut by_own = empty.without(cell);
        // A stone takes away all gaps between neighbours if each gap has its cell at one end.
        let mut by_other = by_own;
        let mut dead = true;
        let mut sides = 0;
        for end in self.ends.iter().filter(|end| end.contains(cell)) {
            sides += 1;
            by_own &= *end;
            let gaps = near - *end;
            if !gaps.is_empty() {
                dead = false;
                by_other &= only(gaps);
            }
        }
        if sides == 2 {
            // It wins on the spot.
            dead = false;
            by_other = CellSet::EMPTY;
        }
        // The neighbours on the board first: most cells are settled by two of them.
        for other in (near & around).iter().chain((near - around).iter()) {
            let closed = self.near[other].with(other);
            by_own &= closed;
            if !by_other.is_empty() {
                let gaps = near - closed;
                if !gaps.is_empty() {
                    dead = false;
                    by_other &= only(gaps).with(other);
                }
            } else if by_own.is_empty() {
                break;
            }
        }
        Saying { dead, by_own, by_other }
    }

    /// The liberties of each chain that touches no side.
    pub fn liberties(&self) -> &[CellSet<W>] {
        &self.liberties
    }

    /// The empty cells that a clique cuts off from both sides.
    pub fn cut_off(&self, clique: CellSet<W>, empty: CellSet<W>) -> CellSet<W> {
        self.not_reached(self.ends[0] | self.ends[1], empty - clique)
    }

    /// The empty cells that those joined to a side cut off from the other side.
    pub fn cut_off_from_side(&self, number: usize, empty: CellSet<W>) -> CellSet<W> {
        self.not_reached(self.ends[1 - number], empty - self.ends[number])
    }

    /// What of a region cannot be reached from some cells within it.
    fn not_reached(&self, from: CellSet<W>, mut region: CellSet<W>) -> CellSet<W> {
        let mut fresh = from & region;
        region -= fresh;
        while let Some(cell) = fresh.first() {
            fresh.remove(cell);
            let step = self.near[cell] & region;
            region -= step;
            fresh |= step;
        }
        region
    }

    /// Whether the cell is dead once the opponent has all of `taken`, the cell not among them.
    pub fn is_dead_without(&self, cell: usize, taken: CellSet<W>) -> bool {
        let near = self.near[cell] - taken;
        let mut ends = self.ends.iter().filter(|end| end.contains(cell));
        near.iter().all(|other| near.is_subset(&self.near[other].with(other)))
            && ends.clone().all(|end| near.is_subset(end))
            && ends.nth(1).is_none()
    }
}

/// The set if it has just one cell, else none.
#[inline]
fn only<const W: usize>(cells: CellSet<W>) -> CellSet<W> {
    match cells.first() {
        Some(first) if cells.without(first).is_empty() => cells,
        _ => CellSet::EMPTY,
    }
}
