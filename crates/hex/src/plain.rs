//! A plain solver, the oracle of tests: alpha-beta over stones with a table, no virtual
//! connections, no inferior cells. Compiled for tests only.
//!
//! - [`winner`] tells who wins a position with a given colour to move. Boards of 4x4 take no
//!   time, 5x5 with 6 stones and 6x6 with 14 stones some milliseconds.
//! - [`Plain`] keeps its table between questions about one board and goal.
//! - [`Plain::joining`] asks the same of two ends and a carrier instead of two sides and a board.
//!
//! Its one deduction: a colour that wins after a move of the opponent, on a set of cells, wins
//! as well after any other move outside of this set. The tests hold it against a minimax that
//! lacks it.

use kosumi_game::{Move, Rng};
use rustc_hash::FxHashMap;

use crate::{CellSet, Colour, Hex, HexMove, HexRules, Lattice, MAX_SIZE, Stones};

/// Who wins if `to_move` is to move.
pub(crate) fn winner<const W: usize>(stones: &Stones<W>, to_move: Colour) -> Colour {
    Plain::sides(stones.lattice()).winner(stones, to_move)
}

/// The game, without swap, whose stones these are.
pub(crate) fn hex<const W: usize>(stones: &Stones<W>, to_move: Colour) -> Hex {
    let of = |colour: Colour| {
        stones.of(colour).iter().map(move |cell| (colour, HexMove::from_index(cell)))
    };
    let rules = HexRules { swap: false };
    let all = of(Colour::Black).chain(of(Colour::White));
    Hex::from_stones(stones.lattice().size, rules, all, to_move).unwrap()
}

/// A random board with `count` stones, colours in turn; it may be won.
pub(crate) fn random_stones<const W: usize>(size: usize, count: usize, rng: &mut Rng) -> Stones<W> {
    let mut stones = Stones::empty_board(size).unwrap();
    let mut cells: Vec<usize> = (0..size * size).collect();
    rng.shuffle(&mut cells);
    for (turn, cell) in cells.into_iter().take(count).enumerate() {
        stones.place(Colour::BOTH[turn % 2], cell);
    }
    stones
}

/// The game of one colour that joins two ends, `start` and `goal`, against one that hinders it.
pub(crate) struct Plain<const W: usize> {
    lattice: &'static Lattice<W>,
    start: CellSet<W>,
    goal: CellSet<W>,
    /// The cells beside the sides of the colour, which join what they touch.
    sides: [CellSet<W>; 2],
    table: FxHashMap<(CellSet<W>, CellSet<W>, bool), (bool, CellSet<W>)>,
}

impl<const W: usize> Plain<W> {
    /// Black's two sides.
    pub fn sides(lattice: &'static Lattice<W>) -> Self {
        Self::joining(lattice, Colour::Black, lattice.beside[Colour::Black.index()])
    }

    /// Who wins if `to_move` is to move; for [`Plain::sides`].
    pub fn winner(&mut self, stones: &Stones<W>, to_move: Colour) -> Colour {
        let black = to_move == Colour::Black;
        let joins = self.joins(stones.of(Colour::Black), stones.empty(), black);
        if joins { Colour::Black } else { Colour::White }
    }

    /// Two ends of a colour: each a set of cells any of which will do, for a side those beside
    /// it, for a cell itself (give it to `own` even if it is empty).
    pub fn joining(
        lattice: &'static Lattice<W>,
        colour: Colour,
        [start, goal]: [CellSet<W>; 2],
    ) -> Self {
        let sides = lattice.beside[colour.index()];
        Self { lattice, start, goal, sides, table: FxHashMap::default() }
    }

    /// Whether `region` joins the ends, along the sides of the colour too.
    fn joined(&self, region: CellSet<W>) -> bool {
        let mut reached = self.lattice.flood(self.start, region);
        for side in [self.sides[0], self.sides[1], self.sides[0]] {
            if !reached.is_disjoint(&side) {
                reached = self.lattice.flood(reached | side, region);
            }
        }
        !reached.is_disjoint(&self.goal)
    }

    /// Whether the stones `own` get joined if moves alternate on `free`. All other cells are the
    /// opponent's. `first`: the joining colour moves first.
    pub fn joins(&mut self, own: CellSet<W>, free: CellSet<W>, first: bool) -> bool {
        self.solve(own, free, first).0
    }

    /// Whether the ends get joined, and the free cells that the one who succeeds needs.
    fn solve(&mut self, own: CellSet<W>, free: CellSet<W>, turn: bool) -> (bool, CellSet<W>) {
        if self.joined(own) {
            return (true, CellSet::EMPTY);
        }
        if !self.joined(own | free) {
            return (false, CellSet::EMPTY);
        }
        if let Some(&known) = self.table.get(&(own, free, turn)) {
            return known;
        }
        let mut candidates = free;
        let mut carrier = CellSet::EMPTY;
        for cell in self.order(own, free) {
            if !candidates.contains(cell) {
                continue;
            }
            let mine = if turn { own.with(cell) } else { own };
            let (joined, needed) = self.solve(mine, free.without(cell), !turn);
            if joined == turn {
                let result = (turn, needed.with(cell));
                self.table.insert((own, free, turn), result);
                return result;
            }
            candidates &= needed;
            carrier |= needed;
        }
        self.table.insert((own, free, turn), (!turn, carrier));
        (!turn, carrier)
    }

    /// The free cells, those on short ways between the ends first.
    fn order(&self, own: CellSet<W>, free: CellSet<W>) -> Vec<usize> {
        let from = |end: CellSet<W>| {
            let mut steps = [u16::MAX / 2; MAX_SIZE * MAX_SIZE];
            let (mut reached, mut front) = (CellSet::EMPTY, end & (own | free));
            for step in 1.. {
                let near = self.lattice.flood(front, own);
                let fresh = (self.lattice.grown(near) | front) & free;
                for cell in (fresh - reached).iter() {
                    steps[cell] = step;
                }
                if fresh.is_subset(&reached) {
                    break;
                }
                reached |= fresh;
                front = self.lattice.grown(reached) & (own | free);
            }
            steps
        };
        let (start, goal) = (from(self.start), from(self.goal));
        let mut cells: Vec<usize> = free.iter().collect();
        cells.sort_by_key(|&cell| start[cell] + goal[cell]);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hex, HexRules};

    fn minimax(stones: &Stones<1>, to_move: Colour) -> Colour {
        if let Some(winner) = stones.winner() {
            return winner;
        }
        let wins = stones.empty().iter().any(|cell| {
            let mut next = *stones;
            next.place(to_move, cell);
            minimax(&next, to_move.opponent()) == to_move
        });
        if wins { to_move } else { to_move.opponent() }
    }

    #[test]
    fn it_agrees_with_minimax() {
        let mut rng = Rng::new(1);
        for turn in 0..400 {
            let size = 3 + turn % 2;
            let stones = random_stones::<1>(size, size * size - 9 + turn % 5, &mut rng);
            for to_move in Colour::BOTH {
                assert_eq!(winner(&stones, to_move), minimax(&stones, to_move), "{stones:?}");
            }
        }
    }

    #[test]
    fn the_short_diagonal_wins_and_the_acute_corner_loses() {
        // The known openings of 4x4 (Black to open): all of the short diagonal win.
        let wins = |size: usize| -> Vec<usize> {
            let wins = |cell: &usize| {
                let mut stones = Stones::<1>::empty_board(size).unwrap();
                stones.place(Colour::Black, *cell);
                winner(&stones, Colour::White) == Colour::Black
            };
            (0..size * size).filter(wins).collect()
        };
        assert_eq!(wins(4), [3, 6, 9, 12], "d1, c2, b3, a4");
    }

    #[test]
    fn a_bridge_joins_on_its_two_cells_only() {
        let text = ". . . .\n . . B .\n . . . .\n . . . .";
        let position = Hex::from_diagram(text, HexRules::default(), Colour::Black).unwrap();
        let stones = Stones::<1>::new(&position).unwrap();
        let (own, lattice) = (stones.of(Colour::Black), stones.lattice());
        let mut bridge =
            Plain::joining(lattice, Colour::Black, [CellSet::of(6), lattice.beside[0][0]]);
        let cells: CellSet<1> = [2, 3].into_iter().collect();
        assert!(bridge.joins(own, cells, false));
        assert!(!bridge.joins(own, CellSet::of(2), false));
        assert!(bridge.joins(own, CellSet::of(2), true));
    }
}
