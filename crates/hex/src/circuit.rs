//! Circuit evaluation (H4): the board as an electrical network between a colour's two sides, after
//! Shannon and Anshelevich.
//!
//! For one colour a cell resists by 0 if it holds a stone of that colour, by 1 if it is empty, and
//! entirely if it holds a stone of the other; a link between two cells resists by the sum of both.
//! A chain is one node, and so is a side. Virtual connections are further links. The resistance
//! between the sides says how far the colour is from joining them, and the current through a cell
//! how much depends on it.
//!
//! The system of equations is solved by conjugate gradients: with the links of virtual connections
//! it has no band, and a few dozen steps over the links are far cheaper than a factorisation. Sums
//! are in a fixed order, so that all machines agree.

use std::cmp::Ordering;

use kosumi_game::math::ln;

use crate::{CellSet, Colour, End, Stones};

/// The current between a colour's sides at voltage 1.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Between the sides: 0 when they are joined, infinite when they never can be.
    pub resistance: f64,
    /// The part of the whole current that goes through each cell; 0 where there is a stone.
    pub share: Vec<f64>,
}

impl Flow {
    /// How much better this colour stands than the other: `ln(R_opponent / R_own)`.
    #[must_use]
    pub fn advantage(&self, opponent: &Self) -> f64 {
        match (self.resistance, opponent.resistance) {
            (0.0, _) => f64::INFINITY,
            (_, 0.0) => f64::NEG_INFINITY,
            (own, other) if own.is_infinite() && other.is_infinite() => 0.0,
            (own, _) if own.is_infinite() => f64::NEG_INFINITY,
            (_, other) if other.is_infinite() => f64::INFINITY,
            (own, other) => ln(other / own),
        }
    }
}

/// A colour's advantage by the currents of both.
pub(crate) fn advantage_of(colour: Colour, flows: &[Flow; 2]) -> f64 {
    flows[colour.index()].advantage(&flows[colour.opponent().index()])
}

/// Cells by falling current of both colours; of equal ones the first cell comes first.
pub(crate) fn by_current<const W: usize>(flows: &[Flow; 2], cells: CellSet<W>) -> Vec<u16> {
    let current = |cell: usize| flows[0].share[cell] + flows[1].share[cell];
    let mut order: Vec<(f64, u16)> =
        cells.iter().map(|cell| (current(cell), cell as u16)).collect();
    order.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
    order.into_iter().map(|(_, cell)| cell).collect()
}

/// The nodes of the two sides.
const SOURCE: usize = 0;
const SINK: usize = 1;
/// A cell of the opponent has no node.
const NOTHING: usize = usize::MAX;

/// Measures positions; keeps its buffers between them.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    /// The node of each cell.
    node: Vec<usize>,
    links: Vec<(usize, usize, f64)>,
    /// Per node; those of the sides are fixed.
    potential: Vec<f64>,
    residual: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
    /// The sum of conductances at each node.
    diagonal: Vec<f64>,
}

/// When the residual is this small against its beginning (squared), the rest changes no order.
const PRECISION: f64 = 1e-18;

impl Circuit {
    /// A circuit without a board.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The current of a colour, with further links between what is virtually connected. Links to
    /// cells of the opponent are left out.
    pub fn flow<const W: usize>(
        &mut self,
        stones: &Stones<W>,
        colour: Colour,
        connections: impl IntoIterator<Item = (End, End)>,
    ) -> Flow {
        let lattice = stones.lattice();
        let cells = lattice.size * lattice.size;
        let share = vec![0.0; cells];
        if !self.place_nodes(stones, colour) {
            return Flow { resistance: 0.0, share };
        }
        // Asked of the board and not of the currents, whose rounding is never quite 0.
        let [first, second] = lattice.beside[colour.index()];
        let open = lattice.all - stones.of(colour.opponent());
        if lattice.flood(first, open).is_disjoint(&second) {
            return Flow { resistance: f64::INFINITY, share };
        }
        self.links.clear();
        let (own, beside) = (stones.of(colour), lattice.beside[colour.index()]);
        let resistance = |end: End| match end {
            End::Cell(cell) if !own.contains(cell) => 1.0,
            _ => 0.0,
        };
        for cell in lattice.all.iter() {
            for (side, cells) in beside.iter().enumerate() {
                if cells.contains(cell) {
                    self.link(End::Cell(cell), End::Side(side), resistance(End::Cell(cell)));
                }
            }
            for other in lattice.around[cell].iter().filter(|&other| other > cell) {
                let (a, b) = (End::Cell(cell), End::Cell(other));
                self.link(a, b, resistance(a) + resistance(b));
            }
        }
        for (a, b) in connections {
            self.link(a, b, resistance(a) + resistance(b));
        }
        self.solve();
        self.read(share)
    }

    /// Gives every cell its node; false if the sides are joined.
    fn place_nodes<const W: usize>(&mut self, stones: &Stones<W>, colour: Colour) -> bool {
        let lattice = stones.lattice();
        let (own, [first, second]) = (stones.of(colour), lattice.beside[colour.index()]);
        self.node.clear();
        self.node.resize(lattice.size * lattice.size, NOTHING);
        let source = lattice.flood(first, own);
        if !source.is_disjoint(&second) {
            return false;
        }
        let sink = lattice.flood(second, own);
        source.iter().for_each(|cell| self.node[cell] = SOURCE);
        sink.iter().for_each(|cell| self.node[cell] = SINK);
        let mut nodes = 2;
        let mut rest = own - source - sink;
        while let Some(cell) = rest.first() {
            let chain = lattice.flood(CellSet::of(cell), own);
            chain.iter().for_each(|cell| self.node[cell] = nodes);
            nodes += 1;
            rest -= chain;
        }
        for cell in stones.empty().iter() {
            self.node[cell] = nodes;
            nodes += 1;
        }
        for per_node in [
            &mut self.potential,
            &mut self.residual,
            &mut self.direction,
            &mut self.image,
            &mut self.diagonal,
        ] {
            per_node.clear();
            per_node.resize(nodes, 0.0);
        }
        true
    }

    fn node_of(&self, end: End) -> usize {
        match end {
            End::Cell(cell) => self.node[cell],
            End::Side(0) => SOURCE,
            End::Side(_) => SINK,
        }
    }

    fn link(&mut self, a: End, b: End, resistance: f64) {
        let (a, b) = (self.node_of(a), self.node_of(b));
        // Ends without resistance between them are two chains that a virtual connection joins. A
        // short circuit would hide all other ways, so it counts as one empty cell.
        let conductance = 1.0 / if resistance > 0.0 { resistance } else { 1.0 };
        if a != b && a != NOTHING && b != NOTHING {
            self.links.push((a, b, conductance));
            self.diagonal[a] += conductance;
            self.diagonal[b] += conductance;
        }
    }

    /// Kirchhoff's equations for the potentials of all nodes but the sides, which hold 1 and 0.
    fn solve(&mut self) {
        // Conjugate gradients, each equation divided by its diagonal. What hangs on neither side
        // has no current into it and stays at 0.
        self.potential[SOURCE] = 1.0;
        for &(a, b, conductance) in &self.links {
            for (from, to) in [(a, b), (b, a)] {
                if from == SOURCE && to != SINK {
                    self.residual[to] += conductance;
                }
            }
        }
        let scaled = |residual: f64, diagonal: f64| {
            if diagonal > 0.0 { residual / diagonal } else { 0.0 }
        };
        let energy = |residual: &[f64], diagonal: &[f64]| -> f64 {
            residual.iter().zip(diagonal).map(|(&r, &d)| r * scaled(r, d)).sum()
        };
        for ((p, &r), &d) in self.direction.iter_mut().zip(&self.residual).zip(&self.diagonal) {
            *p = scaled(r, d);
        }
        let mut rest = energy(&self.residual, &self.diagonal);
        let enough = rest * PRECISION;
        // In exact numbers as many steps as nodes suffice.
        for _ in 0..2 * self.potential.len() {
            if rest <= enough {
                break;
            }
            self.image.fill(0.0);
            for &(a, b, conductance) in &self.links {
                let current = conductance * (self.direction[a] - self.direction[b]);
                self.image[a] += current;
                self.image[b] -= current;
            }
            self.image[SOURCE] = 0.0;
            self.image[SINK] = 0.0;
            let curvature: f64 = self.direction.iter().zip(&self.image).map(|(&p, &q)| p * q).sum();
            if curvature <= 0.0 {
                break;
            }
            let step = rest / curvature;
            for node in SINK + 1..self.potential.len() {
                self.potential[node] += step * self.direction[node];
                self.residual[node] -= step * self.image[node];
            }
            let next = energy(&self.residual, &self.diagonal);
            let turn = next / rest;
            for node in SINK + 1..self.potential.len() {
                self.direction[node] =
                    scaled(self.residual[node], self.diagonal[node]) + turn * self.direction[node];
            }
            rest = next;
        }
    }

    /// The currents by the potentials.
    fn read(&mut self, mut share: Vec<f64>) -> Flow {
        let through = &mut self.image;
        through.fill(0.0);
        let mut whole = 0.0;
        for &(a, b, conductance) in &self.links {
            let current = conductance * (self.potential[a] - self.potential[b]);
            // What flows in flows out: half the sum of both is what flows through.
            through[a] += 0.5 * current.abs();
            through[b] += 0.5 * current.abs();
            if a == SOURCE || b == SOURCE {
                whole += current.abs();
            }
        }
        for (share, &node) in share.iter_mut().zip(&self.node) {
            if node != NOTHING && node > SINK {
                *share = through[node] / whole;
            }
        }
        Flow { resistance: 1.0 / whole, share }
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Rng;

    use super::*;
    use crate::{Hex, HexRules};

    fn stones(diagram: &str) -> Stones<2> {
        let rules = HexRules { swap: false };
        Stones::new(&Hex::from_diagram(diagram, rules, Colour::Black).unwrap()).unwrap()
    }

    fn flow(stones: &Stones<2>, colour: Colour) -> Flow {
        Circuit::new().flow(stones, colour, [])
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6 || a == b
    }

    #[test]
    fn a_single_way_is_a_series_of_resistors() {
        // Side 1, two links between empty cells of 2 each, side 1.
        let board = stones("W . W\nW . W\nW . W");
        let black = flow(&board, Colour::Black);
        assert!(close(black.resistance, 6.0), "{black:?}");
        assert!([1, 4, 7].iter().all(|&cell| close(black.share[cell], 1.0)));
        // White is cut in the middle by no stone: three rows of stone, empty, stone.
        let white = flow(&board, Colour::White);
        // Each row: 1 into the empty cell, 1 out; three in parallel, with the links between
        // them idle: 2 / 3. Neighbours across rows add: b1-a2, b2-a3 and c1-b2, c2-b3.
        // From the left: b1 touches a1 and a2, b2 touches a2 and a3, b3 touches a3; from the right:
        // b1 touches c1, b2 touches c1 and c2, b3 touches c2 and c3.
        // At b1, b2, b3 the left links are 2, 2, 1 and the right ones 1, 2, 2; b1-b2 and b2-b3 have
        // 1/2. By symmetry b2 is at 1/2. b1: 2(1-x) + (1/2)(1/2-x) = x, so x = 2.25/3.5 = 9/14.
        // Current out of the left: 2(5/14) + 2(1/2) + 1(9/14) = 33/14 (b3 is at 5/14).
        assert!(close(white.resistance, 14.0 / 33.0), "{white:?}");
        assert!(close(black.advantage(&white), (14.0f64 / 33.0 / 6.0).ln()));
    }

    #[test]
    fn two_ways_are_parallel_and_a_stone_is_no_resistance() {
        // b1-a2 and b1-b2 lead down to a chain at the bottom: b2-b3, a2-a3 stand on it.
        let board = stones("W . W\n. . W\nB B W");
        // Top to b1: 1. b1 to a2 and to b2: 2 each. a2 has a link to a3 (1), b2 to a3 and b3 (2).
        // a2-b2: 2. Conductances: b1 at x, a2 at y, b2 at z, the chain at 0:
        // 1 - x = (x - y)/2 + (x - z)/2; (x - y)/2 = y + (y - z)/2; (x - z)/2 = 2z + (z - y)/2.
        // So 4x = 2 + y + z, x + z = 4y, x + y = 6z: y = 7/5 z, x = 23/5 z, z = 2/16 = 1/8.
        // x = 23/40, current 17/40.
        let black = flow(&board, Colour::Black);
        assert!(close(black.resistance, 40.0 / 17.0), "{black:?}");
        assert!(close(black.share[1], 1.0) && black.share[6] == 0.0);
        // A part of 1/40 goes a2-b2 and so through both.
        assert!(close(black.share[3] + black.share[4], 18.0 / 17.0));
    }

    #[test]
    fn joined_and_cut_off() {
        let won = stones("W B .\nW B .\nW B .");
        let (black, white) = (flow(&won, Colour::Black), flow(&won, Colour::White));
        assert_eq!((black.resistance, white.resistance), (0.0, f64::INFINITY));
        assert_eq!(black.advantage(&white), f64::INFINITY);
        assert_eq!(white.advantage(&black), f64::NEG_INFINITY);
    }

    #[test]
    fn virtual_connections_are_further_links() {
        let board = stones("W . W\nW . W\nW . W");
        let mut circuit = Circuit::new();
        let links = [(End::Side(0), End::Cell(4)), (End::Cell(0), End::Cell(4))];
        // The top is joined to b2 by 1 beside the 3 by b1: 3/4, then 3. The other link is White's.
        let black = circuit.flow(&board, Colour::Black, links);
        assert!(close(black.resistance, 3.75), "{black:?}");
    }

    /// The board mirrored at the long diagonal, with colours exchanged.
    fn mirrored(stones: &Stones<2>) -> Stones<2> {
        let size = stones.lattice().size;
        let mut mirror = Stones::empty_board(size).unwrap();
        for colour in Colour::BOTH {
            for cell in stones.of(colour).iter() {
                mirror.place(colour.opponent(), cell % size * size + cell / size);
            }
        }
        mirror
    }

    #[test]
    fn the_mirror_exchanges_the_colours_and_stones_never_hurt_their_owner() {
        let mut rng = Rng::new(4);
        for size in [3, 5, 8, 11] {
            for _ in 0..20 {
                let mut board = Stones::<2>::empty_board(size).unwrap();
                let mut cells: Vec<usize> = (0..size * size).collect();
                rng.shuffle(&mut cells);
                let mut before = Colour::BOTH.map(|colour| flow(&board, colour).resistance);
                assert!(close(before[0], before[1]));
                for (number, &cell) in cells.iter().enumerate() {
                    let mover = Colour::BOTH[number % 2];
                    board.place(mover, cell);
                    let mirror = mirrored(&board);
                    let after = Colour::BOTH.map(|colour| flow(&board, colour).resistance);
                    let [own, other] = [mover.index(), mover.opponent().index()];
                    assert!(after[own] <= before[own] + 1e-6);
                    assert!(after[other] >= before[other] - 1e-6);
                    let across = flow(&mirror, Colour::White).resistance;
                    assert!(close(across, after[0]), "{across} {after:?}");
                    before = after;
                }
            }
        }
    }
}
