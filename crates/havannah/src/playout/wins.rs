//! Cells where a colour would win at once, found as stones are placed.
//!
//! A cell that wins for a colour goes on doing so until a stone is on it, because chains only grow.
//! So it is enough to find cells when they begin to win. After a stone at `p` this can be
//! - cells next to `p`,
//! - the sixth cell around a stone next to `p` (a filled ring), and
//! - cells next to a chain that `p` joined to another one, or that got a new corner or edge by `p`.
//!
//! The last kind may be far away. For rings it is enough to look around all joined chains but one,
//! since the cell touches two of them; for bridges and forks, around the chains that gained.

use crate::board::Board;
use crate::geometry::{
    LAYER_ROWS, Layer, PLACES, STRIDE, column, contains, for_each_place, row, step,
};
use crate::ring::{ALL_AROUND, CODE_BITS, code_around};

kosumi_game::choices! {
    /// Where playouts look for cells that win at once after each stone.
    pub enum WinReach {
        /// Next to the stone; misses wins that begin far away.
        Near = "near",
        /// Next to the chains that changed; misses nothing.
        Chains = "chains",
    }
}

/// The winning cells of both colours. Some may have stones by now; those are dropped when met.
#[derive(Clone, Debug)]
pub(crate) struct Wins {
    reach: WinReach,
    cells: [Vec<u16>; 2],
    /// Chains as circular lists: the next stone of each stone's chain.
    next: Box<[u16; PLACES]>,
}

impl Wins {
    pub fn new(reach: WinReach) -> Self {
        Self { reach, cells: [Vec::new(), Vec::new()], next: Box::new([0; PLACES]) }
    }

    /// Finds all winning cells of a position.
    pub fn begin(&mut self, board: &Board) {
        for colour in 0..2 {
            self.cells[colour].clear();
            for_each_place(board.empties(), |place| {
                if board.would_win(colour, place) {
                    self.cells[colour].push(place as u16);
                }
            });
            if self.reach == WinReach::Chains {
                self.link_chains(board, colour);
            }
        }
    }

    fn link_chains(&mut self, board: &Board, colour: usize) {
        let stones = board.stones(colour);
        for_each_place(stones, |stone| self.next[stone] = stone as u16);
        for_each_place(stones, |stone| {
            let root = board.root(stone);
            if root != stone {
                self.next.swap(root, stone);
            }
        });
    }

    /// A cell where `colour` wins at once, if one is known.
    #[inline]
    pub fn find(&mut self, board: &Board, colour: usize) -> Option<usize> {
        while let Some(&place) = self.cells[colour].last() {
            if board.is_empty(place.into()) {
                return Some(place.into());
            }
            self.cells[colour].pop();
        }
        None
    }

    /// As [`Board::place`], and finds the cells that begin to win by it.
    #[inline]
    pub fn place(&mut self, board: &mut Board, colour: usize, place: usize) -> bool {
        let around = board.around(colour, place);
        let runs = usize::from(around.runs);
        let mut stones = [0; 3];
        let mut before = [(0, 0); 3];
        for run in 0..runs {
            stones[run] = place.wrapping_add_signed(around.to_run[run].into());
            let root = board.root(stones[run]);
            before[run] = (board.marks(root), board.rank(root));
        }
        if board.place(colour, place) {
            return true;
        }
        let mut rest = board.empties_around(place);
        while rest != 0 {
            let cell = step(place, rest.trailing_zeros() as usize);
            rest &= rest - 1;
            let next_to_cell = board.around(colour, cell);
            // Filled rings are looked for below.
            if (next_to_cell.runs > 1 || board.geometry.marks[cell] != 0)
                && board.would_join(next_to_cell, cell)
            {
                self.add(colour, cell);
            }
        }
        if around.runs > 0 {
            self.fill(board, colour, place, around.circle);
            if self.reach == WinReach::Chains {
                self.look_far(board, colour, &stones[..runs], &before[..runs], place);
            }
        } else {
            self.next[place] = place as u16;
        }
        false
    }

    /// Looks around the chains that `place` changed, one stone of each given, and links them.
    /// `before` has their marks and ranks before the stone.
    #[inline]
    fn look_far(
        &mut self,
        board: &Board,
        colour: usize,
        stones: &[usize],
        before: &[(u16, u16)],
        place: usize,
    ) {
        let marks = board.marks(board.root(place));
        // Of the joined chains, one that is probably the largest need not be walked for rings.
        let largest = (0..stones.len()).max_by_key(|&run| before[run].1);
        let mut near = Near::new();
        for (run, &stone) in stones.iter().enumerate() {
            if before[run].0 != marks || Some(run) != largest {
                self.add_chain(&mut near, stone);
            }
        }
        self.test(board, colour, &near);
        self.next[place] = place as u16;
        for &stone in stones {
            self.next.swap(place, stone);
        }
    }

    fn add_chain(&self, near: &mut Near, stone: usize) {
        let mut at = stone;
        loop {
            near.add_around(at);
            at = self.next[at].into();
            if at == stone {
                return;
            }
        }
    }

    /// Finds winning cells among those near, except by filled rings.
    #[inline]
    fn test(&mut self, board: &Board, colour: usize, near: &Near) {
        let own = board.stones(colour);
        for y in near.rows() {
            // Bit by bit the directions of geometry::DIRECTIONS.
            let (above, here, below) = (own[y - 1], own[y], own[y + 1]);
            let around = [above << 1, above, here >> 1, below >> 1, below, here << 1];
            // Cells where at least two runs begin can join chains. Others have to touch the rim.
            let (mut one, mut two) = (0, 0);
            for d in 0..6 {
                let begins = around[d] & !around[(d + 5) % 6];
                two |= one & begins;
                one |= begins;
            }
            let mut rest = near.layer[y] & board.empties()[y] & (two | one & board.geometry.rim[y]);
            while rest != 0 {
                let place = (y - 1) * STRIDE + rest.trailing_zeros() as usize - 1;
                rest &= rest - 1;
                if board.would_join(board.around(colour, place), place) {
                    self.add(colour, place);
                }
            }
        }
    }

    /// Finds the sixth cell around `place` or around an own stone next to it (`circle`) where the
    /// other five are own.
    #[inline]
    fn fill(&mut self, board: &Board, colour: usize, place: usize, circle: u8) {
        if (circle ^ 0x3f).is_power_of_two() {
            self.fill_around(board, colour, place);
        }
        // Around a stone beside `place` at most one cell is not own, so of the two cells next to
        // both at least one is.
        let mut rest = circle & (circle << 1 | circle >> 5 | circle >> 1 | circle << 5);
        while rest != 0 {
            let stone = step(place, rest.trailing_zeros() as usize);
            rest &= rest - 1;
            self.fill_around(board, colour, stone);
        }
    }

    #[inline]
    fn fill_around(&mut self, board: &Board, colour: usize, stone: usize) {
        let missing = ALL_AROUND ^ code_around(board.stones(colour), stone);
        if missing.is_power_of_two() {
            let direction = (0..6).find(|&d| missing == 1 << CODE_BITS[d]);
            let cell = direction.map(|d| step(stone, d));
            if let Some(cell) = cell.filter(|&cell| is_empty_cell(board, cell)) {
                self.add(colour, cell);
            }
        }
    }

    fn add(&mut self, colour: usize, place: usize) {
        let cells = &mut self.cells[colour];
        if !cells.contains(&(place as u16)) {
            cells.push(place as u16);
        }
    }
}

/// Whether `place`, one step from a cell and perhaps off the board, is an empty cell.
fn is_empty_cell(board: &Board, place: usize) -> bool {
    place < PLACES && column(place) < STRIDE - 1 && contains(board.empties(), place)
}

/// A set of cells and perhaps places off the board, with the rows it touches.
struct Near {
    layer: Layer,
    top: usize,
    bottom: usize,
}

impl Near {
    #[inline]
    fn new() -> Self {
        Self { layer: [0; LAYER_ROWS], top: LAYER_ROWS, bottom: 0 }
    }

    /// Adds the six places around `place`.
    #[inline]
    fn add_around(&mut self, place: usize) {
        let (y, x) = (row(place), column(place));
        self.layer[y] |= 0b11 << x;
        self.layer[y + 1] |= 0b101 << x;
        self.layer[y + 2] |= 0b11 << (x + 1);
        self.top = self.top.min(y);
        self.bottom = self.bottom.max(y + 2);
    }

    /// The rows with cells, without the padding above and below the board.
    #[inline]
    fn rows(&self) -> std::ops::RangeInclusive<usize> {
        self.top.max(1)..=self.bottom.min(LAYER_ROWS - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Geometry, MAX_SIZE, MIN_SIZE};
    use kosumi_game::Rng;

    /// Random games: after each stone the known cells are exactly those that win.
    #[test]
    fn nothing_is_missed_and_nothing_made_up() {
        let mut found = 0;
        for size in MIN_SIZE..=MAX_SIZE {
            for number in 0..150 {
                let mut rng = Rng::stream(size as u64, number);
                let mut board = Board::new(Geometry::of(size).unwrap());
                let mut places = board.geometry.places.to_vec();
                rng.shuffle(&mut places);
                let mut wins = Wins::new(WinReach::Chains);
                // Some stones are there from the beginning.
                let early = rng.below(places.len() as u32 / 3) as usize;
                for (ply, &place) in places.iter().enumerate() {
                    let colour = ply % 2;
                    if ply == early {
                        wins.begin(&board);
                    }
                    let won = if ply < early {
                        board.place(colour, place.into())
                    } else {
                        wins.place(&mut board, colour, place.into())
                    };
                    if won {
                        break;
                    }
                    if ply >= early {
                        for colour in 0..2 {
                            let mut known = wins.cells[colour].clone();
                            known.retain(|&cell| board.is_empty(cell.into()));
                            known.sort_unstable();
                            let mut right = Vec::new();
                            for_each_place(board.empties(), |cell| {
                                if board.would_win(colour, cell) {
                                    right.push(cell as u16);
                                }
                            });
                            assert_eq!(known, right, "size {size}, game {number}, ply {ply}");
                            found += right.len();
                        }
                    }
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
