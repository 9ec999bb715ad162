//! The board as analysis sees it: stones of both colours as sets of cells, in any number, with
//! cells filled in by inferior-cell reasoning counted as stones.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use crate::geometry::{MAX_SIZE, MIN_SIZE, geometry};
use crate::{CellSet, Colour, Hex};

/// What does not change on a board of one size.
#[derive(Debug)]
pub struct Lattice<const W: usize> {
    /// The number of rows and of columns.
    pub size: usize,
    /// All cells.
    pub all: CellSet<W>,
    /// The neighbours of each cell as a set.
    pub around: Box<[CellSet<W>]>,
    /// The cells beside each side, by colour: top and bottom, left and right.
    pub beside: [[CellSet<W>; 2]; 2],
}

impl<const W: usize> Lattice<W> {
    /// The lattice of a size; made once. `None` if there is no such board or it does not fit.
    #[must_use]
    pub fn of(size: usize) -> Option<&'static Self> {
        // One list for all `W`: a generic function has no statics of its own.
        static MADE: Mutex<Vec<(usize, &'static (dyn Any + Send + Sync))>> = Mutex::new(Vec::new());
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) || !CellSet::<W>::holds(size) {
            return None;
        }
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made.iter().filter(|(n, _)| *n == size).find_map(|(_, any)| any.downcast_ref());
        Some(known.unwrap_or_else(|| {
            let lattice: &'static Self = Box::leak(Box::new(Self::new(size)));
            made.push((size, lattice));
            lattice
        }))
    }

    fn new(size: usize) -> Self {
        let board = geometry(size).expect("the size was checked");
        let cell = |point: crate::Point| {
            let index = board.move_of[point.index()];
            (index != u16::MAX).then_some(usize::from(index))
        };
        let cells = 0..size * size;
        Self {
            size,
            all: cells.clone().collect(),
            around: board
                .points
                .iter()
                .map(|point| point.neighbours().into_iter().filter_map(cell).collect())
                .collect(),
            beside: [
                [
                    cells.clone().filter(|cell| cell / size == 0).collect(),
                    cells.clone().filter(|cell| cell / size == size - 1).collect(),
                ],
                [
                    cells.clone().filter(|cell| cell % size == 0).collect(),
                    cells.filter(|cell| cell % size == size - 1).collect(),
                ],
            ],
        }
    }

    /// The neighbours of all cells of a set, the set itself included.
    #[must_use]
    pub fn grown(&self, cells: CellSet<W>) -> CellSet<W> {
        cells.iter().fold(cells, |grown, cell| grown | self.around[cell])
    }

    /// What is reached from `seed` by steps within `region`; `seed` counts as far as it is inside.
    #[must_use]
    pub fn flood(&self, seed: CellSet<W>, region: CellSet<W>) -> CellSet<W> {
        let mut reached = seed & region;
        let mut fresh = reached;
        while let Some(cell) = fresh.first() {
            fresh.remove(cell);
            let step = (self.around[cell] & region) - reached;
            reached |= step;
            fresh |= step;
        }
        reached
    }
}

/// Stones of both colours, without history: who is to move is the question, not the position.
#[derive(Clone, Copy, Debug)]
pub struct Stones<const W: usize> {
    lattice: &'static Lattice<W>,
    of: [CellSet<W>; 2],
}

impl<const W: usize> PartialEq for Stones<W> {
    fn eq(&self, other: &Self) -> bool {
        self.lattice.size == other.lattice.size && self.of == other.of
    }
}
impl<const W: usize> Eq for Stones<W> {}

impl<const W: usize> Stones<W> {
    /// The stones of a position; `None` if the board does not fit into `W` words.
    #[must_use]
    pub fn new(position: &Hex) -> Option<Self> {
        let lattice = Lattice::of(position.size())?;
        let mut of = [CellSet::EMPTY; 2];
        for (cell, &point) in position.points().iter().enumerate() {
            if let Some(colour) = position.cell(point).colour() {
                of[colour.index()].insert(cell);
            }
        }
        Some(Self { lattice, of })
    }

    /// An empty board; `None` if there is no such board or it does not fit into `W` words.
    #[must_use]
    pub fn empty_board(size: usize) -> Option<Self> {
        Some(Self { lattice: Lattice::of(size)?, of: [CellSet::EMPTY; 2] })
    }

    /// The board below.
    #[inline]
    #[must_use]
    pub fn lattice(&self) -> &'static Lattice<W> {
        self.lattice
    }

    /// The stones of a colour.
    #[inline]
    #[must_use]
    pub fn of(&self, colour: Colour) -> CellSet<W> {
        self.of[colour.index()]
    }

    /// The cells without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> CellSet<W> {
        self.lattice.all - self.of[0] - self.of[1]
    }

    /// Places a stone of `colour`.
    #[inline]
    pub fn place(&mut self, colour: Colour, cell: usize) {
        debug_assert!(self.empty().contains(cell), "cell {cell} is taken");
        self.of[colour.index()].insert(cell);
    }

    /// Places stones of `colour` on all cells of a set of empty cells.
    #[inline]
    pub fn fill(&mut self, colour: Colour, cells: CellSet<W>) {
        debug_assert!(cells.is_subset(&self.empty()), "a cell is taken");
        self.of[colour.index()] |= cells;
    }

    /// The colour that has joined its sides. Only one can, but filled in boards may be read
    /// before they are checked.
    #[must_use]
    pub fn winner(&self) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|&colour| {
            let [start, goal] = self.lattice.beside[colour.index()];
            !self.lattice.flood(start, self.of(colour)).is_disjoint(&goal)
        })
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Game, Rng};

    use super::*;
    use crate::HexRules;

    #[test]
    fn stones_agree_with_the_position_through_random_games() {
        let mut rng = Rng::new(1);
        for size in [3, 5, 8, 11] {
            for _ in 0..20 {
                let mut game = Hex::new(size, HexRules { swap: false }).unwrap();
                let mut stones = Stones::<2>::empty_board(size).unwrap();
                while game.outcome().is_none() {
                    assert_eq!(stones.winner(), None);
                    let mut moves = Vec::new();
                    game.legal_moves(&mut moves);
                    let mv = moves[rng.below(moves.len() as u32) as usize];
                    stones.place(game.colour_to_move(), usize::from(mv.0));
                    game.play(mv);
                    assert_eq!(Stones::new(&game), Some(stones));
                }
                assert_eq!(stones.winner(), game.winner());
            }
        }
    }

    #[test]
    fn a_board_must_fit() {
        assert!(Lattice::<2>::of(11).is_some() && Lattice::<2>::of(12).is_none());
        assert!(Lattice::<3>::of(13).is_some() && Lattice::<3>::of(14).is_none());
        assert!(Lattice::<6>::of(19).is_some() && Lattice::<6>::of(20).is_none());
        assert!(Lattice::<6>::of(2).is_none());
    }

    #[test]
    fn a_corner_of_the_lattice() {
        let board = Lattice::<2>::of(5).unwrap();
        // a1 touches b1 and a2; e1 touches d1, d2 and e2.
        assert!(board.around[0].iter().eq([1, 5]));
        assert!(board.around[4].iter().eq([3, 8, 9]));
        let diagonal: CellSet<2> = [4, 8, 12, 16, 20].into_iter().collect();
        assert_eq!(
            board.flood(CellSet::of(4), diagonal),
            diagonal,
            "the short diagonal is a chain"
        );
    }
}
