//! Dead regions: cells that a clique cuts off (Henderson, Arneson, Hayward: Solving 8x8 Hex).
//!
//! In the graph of a colour ([`super::graph`]) a way between the sides that enters a region and
//! leaves it through a clique could go from the one cell of the clique to the other at once. So what
//! a clique cuts off from both sides is on no shortest way, hence dead; where all of the clique is
//! joined to one side, what it cuts off from the other side is.
//!
//! Cliques that are looked at: the liberties of a chain, the cells joined to a side, and one, two or
//! three cells that touch each other.

use std::sync::OnceLock;

use super::graph::Graph;
use super::window::{NEIGHBOURS, Step};
use crate::{CellSet, Colour, MAX_SIZE, Stones};

/// How far beyond the board the surroundings of three cells reach.
const MARGIN: usize = 2;
const WIDTH: usize = MAX_SIZE + 2 * MARGIN;

/// Cells that touch each other, the first of them the lowest, with those around them in a circle.
struct Shape {
    cells: Vec<Step>,
    around: Vec<Step>,
}

/// The shapes of up to three cells.
fn shapes() -> &'static [Shape; 6] {
    static SHAPES: OnceLock<[Shape; 6]> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let step = |i: usize| NEIGHBOURS[i % 6];
        let pair = |i: usize| {
            let beyond = [i + 5, i, i + 1].map(|turn| step(i).plus(step(turn)));
            Shape {
                cells: vec![Step::HERE, step(i)],
                around: (i + 1..i + 6).map(step).chain(beyond).collect(),
            }
        };
        let triangle = |i: usize| {
            let beyond = [i + 5, i, i + 1].map(|turn| step(i).plus(step(turn)));
            let last = [i + 1, i + 2].map(|turn| step(i + 1).plus(step(turn)));
            Shape {
                cells: vec![Step::HERE, step(i), step(i + 1)],
                around: (i + 2..i + 6).map(step).chain(beyond).chain(last).collect(),
            }
        };
        let single = Shape { cells: vec![Step::HERE], around: NEIGHBOURS.to_vec() };
        [single, pair(0), pair(1), pair(2), triangle(0), triangle(1)]
    })
}

/// The walls of a colour's graph: chains and sides of the opponent, each by a number, 0 where there
/// is none.
struct Walls {
    of: [u8; WIDTH * WIDTH],
}

impl Walls {
    fn new<const W: usize>(stones: &Stones<W>, opponent: Colour) -> Self {
        let lattice = stones.lattice();
        let size = lattice.size;
        let mut walls = Self { of: [0; WIDTH * WIDTH] };
        let sides = lattice.beside[opponent.index()];
        let beyond = [[0, 1], [MARGIN + size, MARGIN + size + 1]];
        for (lines, number) in beyond.into_iter().zip(1..) {
            for line in lines {
                for at in 0..size + 2 * MARGIN {
                    let index = match opponent {
                        Colour::Black => line * WIDTH + at,
                        Colour::White => at * WIDTH + line,
                    };
                    walls.of[index] = number;
                }
            }
        }
        let mut left = stones.of(opponent);
        let mut next = 3;
        while let Some(stone) = left.first() {
            let chain = lattice.flood(CellSet::of(stone), left);
            left -= chain;
            let side = sides.iter().position(|side| !side.is_disjoint(&chain));
            let number = side.map_or(next, |side| side as u8 + 1);
            next += u8::from(side.is_none());
            for cell in chain.iter() {
                walls.of[Self::place(cell, size)] = number;
            }
        }
        walls
    }

    fn place(cell: usize, size: usize) -> usize {
        (cell / size + MARGIN) * WIDTH + cell % size + MARGIN
    }

    /// Whether one wall is met twice around the shape at `place`, so that the shape may close it.
    fn may_close(&self, shape: &Shape, place: usize) -> bool {
        let wall = |step: &Step| self.of[step.from(place, WIDTH)];
        let mut before = shape.around.last().map_or(0, wall);
        let mut met = 0u128;
        for number in shape.around.iter().map(wall) {
            if number != 0 && number != before {
                if met >> (number % 128) & 1 != 0 {
                    return true;
                }
                met |= 1 << (number % 128);
            }
            before = number;
        }
        false
    }
}

/// The empty cells that cliques cut off in the graph of a colour.
pub(super) fn cut_off<const W: usize>(
    graph: &Graph<W>,
    stones: &Stones<W>,
    colour: Colour,
) -> CellSet<W> {
    let empty = stones.empty();
    let size = stones.lattice().size;
    let board = 0..size as i32;
    let mut dead = CellSet::EMPTY;
    for number in 0..2 {
        dead |= graph.cut_off_from_side(number, empty);
    }
    for &clique in graph.liberties() {
        dead |= graph.cut_off(clique, empty);
    }
    let walls = Walls::new(stones, colour.opponent());
    for cell in empty.iter() {
        let place = Walls::place(cell, size);
        for shape in shapes().iter().filter(|shape| walls.may_close(shape, place)) {
            let clique: CellSet<W> = shape
                .cells
                .iter()
                .map(|step| ((cell % size) as i32 + step.right, (cell / size) as i32 + step.down))
                .filter(|(column, row)| board.contains(column) && board.contains(row))
                .map(|(column, row)| row as usize * size + column as usize)
                .collect();
            if clique.len() == shape.cells.len() && clique.is_subset(&empty) {
                dead |= graph.cut_off(clique, empty);
            }
        }
    }
    dead
}
