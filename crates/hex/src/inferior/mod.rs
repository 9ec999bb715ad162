//! Inferior cells (H3): what need not be played, and what can be filled in.
//!
//! - A cell is *dead* if no stone on it ever matters. It may be given to either colour.
//! - A set of cells is *captured* by a colour if that colour, moving second on the set, makes
//!   every stone of the opponent there dead. It may be given to its owner.
//! - A move is *dominated* by another that kills or captures its cell: the other is at least as
//!   good.
//! - A move is *vulnerable* to a reply, its *killer*, that makes it dead, perhaps by capturing
//!   further cells, the *carrier*.
//!
//! Dead cells, single killers and captured pairs are found by the graph of a colour ([`graph`]),
//! larger captured sets, and what captures with one more stone, by patterns ([`patterns`]). All
//! of these hold for every continuation and hence stay true while stones are added elsewhere;
//! that is why findings may be applied together.
//!
//! Why the moves that are left suffice. Say the mover wins by a vulnerable move x. After the
//! killer's reply the position is worth what it is with x, the killer and the carrier all the
//! opponent's; there the mover still has a winning move, which by monotony wins now as well. It
//! may be vulnerable in turn, but each step takes cells away, and with no cell left the mover,
//! whose sides are not joined, has lost. So all vulnerable moves can go at once. Dominated moves
//! go only if their dominator, or what dominates that, stays.

mod graph;
mod patterns;
mod window;

#[cfg(test)]
mod derivation;
#[cfg(test)]
mod tests;

use graph::Graph;
use patterns::Table;
use window::{Rows, Step};

use crate::{CellSet, Colour, Stones};

/// Why a cell is inferior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<const W: usize> {
    /// No stone there matters.
    Dead,
    /// It belongs to a colour as if it had a stone there.
    Captured(Colour),
    /// One of these moves is at least as good.
    Dominated {
        /// The better moves.
        by: CellSet<W>,
    },
    /// A reply makes it dead.
    Vulnerable {
        /// The replies, each of which does; with a carrier only one is named.
        killers: CellSet<W>,
        /// The cells the reply captures for that; empty if it needs none.
        carrier: CellSet<W>,
    },
}

/// What was found on a board with one colour to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Findings<const W: usize> {
    /// The stones with all dead and captured cells filled in.
    pub stones: Stones<W>,
    /// The cells that were found dead.
    pub dead: CellSet<W>,
    /// The cells captured by Black and by White.
    pub captured: [CellSet<W>; 2],
    /// Moves that lose to a killer, or win no more than others that are left.
    pub vulnerable: CellSet<W>,
    /// Moves left out for others that are at least as good.
    pub dominated: CellSet<W>,
    /// The moves to consider. One of them wins if any move does. Never empty while the board has
    /// an empty cell: if the game is decided these are all moves.
    pub moves: CellSet<W>,
    /// Who wins, where the findings alone tell.
    pub decided: Option<Colour>,
}

/// The analysis, with the memory it works in.
pub struct Inferior<const W: usize> {
    table: &'static Table,
    graphs: [Graph<W>; 2],
    /// By colour and cell: where a stone of the colour kills the cell.
    killed: [Vec<CellSet<W>>; 2],
    /// By colour: a cell and what a stone of the colour there captures.
    captures: [Vec<(usize, CellSet<W>)>; 2],
    dominators: Vec<CellSet<W>>,
    killers: Vec<CellSet<W>>,
    carriers: Vec<CellSet<W>>,
}

impl<const W: usize> Default for Inferior<W> {
    fn default() -> Self {
        Self::new()
    }
}

/// What fill-in makes of a board.
struct Filled<const W: usize> {
    stones: Stones<W>,
    dead: CellSet<W>,
    captured: [CellSet<W>; 2],
}

impl<const W: usize> Inferior<W> {
    /// An analysis for boards of any size that fits.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::get(),
            graphs: [Graph::new(), Graph::new()],
            killed: [Vec::new(), Vec::new()],
            captures: [Vec::new(), Vec::new()],
            dominators: Vec::new(),
            killers: Vec::new(),
            carriers: Vec::new(),
        }
    }

    /// The stones with all dead and captured cells filled in. The winner stays the same whoever
    /// is to move.
    pub fn fill_in(&mut self, stones: &Stones<W>) -> Stones<W> {
        self.fill(stones).stones
    }

    /// Fills in, and finds the moves that `to_move` need not consider on what is left.
    pub fn analyse(&mut self, stones: &Stones<W>, to_move: Colour) -> Findings<W> {
        let Filled { stones: filled, dead, captured } = self.fill(stones);
        let mut findings = Findings {
            stones: filled,
            dead,
            captured,
            vulnerable: CellSet::EMPTY,
            dominated: CellSet::EMPTY,
            moves: stones.empty(),
            decided: filled.winner(),
        };
        if findings.decided.is_some() {
            return findings;
        }
        self.compare(&filled, to_move);
        let empty = filled.empty();
        findings.vulnerable = empty.iter().filter(|&cell| !self.killers[cell].is_empty()).collect();
        if findings.vulnerable == empty {
            findings.decided = Some(to_move.opponent());
            return findings;
        }
        findings.dominated = self.dominated(empty - findings.vulnerable);
        findings.moves = empty - findings.vulnerable - findings.dominated;
        findings
    }

    /// Each inferior cell of the findings that this analysis made last, with the reason.
    #[must_use]
    pub fn kinds(&self, findings: &Findings<W>) -> Vec<(usize, Kind<W>)> {
        let reason = |cell: usize| {
            if findings.dead.contains(cell) {
                Some(Kind::Dead)
            } else if findings.captured[0].contains(cell) {
                Some(Kind::Captured(Colour::Black))
            } else if findings.captured[1].contains(cell) {
                Some(Kind::Captured(Colour::White))
            } else if findings.vulnerable.contains(cell) {
                let (killers, carrier) = (self.killers[cell], self.carriers[cell]);
                Some(Kind::Vulnerable { killers, carrier })
            } else if findings.dominated.contains(cell) {
                Some(Kind::Dominated { by: self.dominators[cell] })
            } else {
                None
            }
        };
        let all = findings.stones.lattice().all;
        all.iter().filter_map(|cell| Some((cell, reason(cell)?))).collect()
    }

    /// Fills in until nothing more is found. Afterwards `killed` and `captures` tell of the
    /// filled board.
    fn fill(&mut self, stones: &Stones<W>) -> Filled<W> {
        let mut filled =
            Filled { stones: *stones, dead: CellSet::EMPTY, captured: [CellSet::EMPTY; 2] };
        loop {
            if self.fill_by_graph(&mut filled) {
                continue;
            }
            if filled.stones.winner().is_some() || !self.fill_by_pattern(&mut filled) {
                return filled;
            }
        }
    }

    /// Dead cells and captured pairs; whether there were any.
    fn fill_by_graph(&mut self, filled: &mut Filled<W>) -> bool {
        let empty = filled.stones.empty();
        let cells = filled.stones.lattice().around.len();
        for colour in Colour::BOTH {
            self.graphs[colour.index()].build(&filled.stones, colour);
            self.killed[colour.index()].clear();
            self.killed[colour.index()].resize(cells, CellSet::EMPTY);
        }
        let mut dead = CellSet::EMPTY;
        for cell in empty.iter() {
            let [black, white] = [0, 1].map(|colour| self.graphs[colour].say(cell, empty));
            if black.dead || white.dead {
                dead.insert(cell);
            } else {
                self.killed[0][cell] = black.by_own | white.by_other;
                self.killed[1][cell] = white.by_own | black.by_other;
            }
        }
        for cell in dead.iter() {
            // Either colour will do; that of the larger part of its neighbours helps further.
            let around = filled.stones.lattice().around[cell];
            let [black, white] =
                Colour::BOTH.map(|colour| (around & filled.stones.of(colour)).len());
            let colour = if black >= white { Colour::Black } else { Colour::White };
            filled.stones.place(colour, cell);
        }
        filled.dead |= dead;
        let mut left = empty - dead;
        for colour in Colour::BOTH {
            let killed = &self.killed[colour.index()];
            for cell in left.iter() {
                let pair = (killed[cell] & left).iter().find(|&other| killed[other].contains(cell));
                if let Some(other) = pair.filter(|_| left.contains(cell)) {
                    left = left.without(cell).without(other);
                    let pair = CellSet::of(cell).with(other);
                    filled.stones.fill(colour, pair);
                    filled.captured[colour.index()] |= pair;
                }
            }
        }
        left != empty
    }

    /// Larger captured sets; whether there were any. Where there are none, `captures` is complete.
    fn fill_by_pattern(&mut self, filled: &mut Filled<W>) -> bool {
        let size = filled.stones.lattice().size;
        let rows = Rows::new(&filled.stones);
        let mut left = filled.stones.empty();
        let empty = left;
        self.captures.iter_mut().for_each(Vec::clear);
        for cell in empty.iter() {
            let window = rows.window(cell % size, cell / size);
            let at = |bit: u32| {
                let step = Step::to(bit);
                (cell as i32 + step.down * size as i32 + step.right) as usize
            };
            for colour in Colour::BOTH {
                for found in self.table.matches(window, colour.index()) {
                    let set: CellSet<W> = bits(found.set).map(at).collect();
                    if found.missing != 0 {
                        let stone = at(found.missing.trailing_zeros());
                        self.captures[colour.index()].push((stone, set));
                    } else if set.is_subset(&left) {
                        left -= set;
                        filled.stones.fill(colour, set);
                        filled.captured[colour.index()] |= set;
                    }
                }
            }
        }
        left != empty
    }

    /// Dominators, killers and carriers of all empty cells, for one colour to move.
    fn compare(&mut self, filled: &Stones<W>, to_move: Colour) {
        let (mover, opponent) = (to_move.index(), to_move.opponent().index());
        self.dominators.clone_from(&self.killed[mover]);
        self.killers.clone_from(&self.killed[opponent]);
        self.carriers.clear();
        self.carriers.resize(self.killers.len(), CellSet::EMPTY);
        let lattice = filled.lattice();
        let empty = filled.empty();
        for colour in Colour::BOTH {
            let captures = &mut self.captures[colour.index()];
            captures.sort_unstable();
            captures.dedup();
            for group in captures.chunk_by(|a, b| a.0 == b.0) {
                let stone = group[0].0;
                let all = group.iter().fold(CellSet::EMPTY, |all, (_, set)| all | *set);
                if colour == to_move {
                    all.iter().for_each(|cell| self.dominators[cell].insert(stone));
                }
                for cell in (lattice.grown(all) & empty).without(stone).iter() {
                    // What is captured without help of the cell itself.
                    let carrier = group
                        .iter()
                        .filter(|(_, set)| !set.contains(cell))
                        .fold(CellSet::EMPTY, |carrier, (_, set)| carrier | *set);
                    let against = &self.graphs[1 - colour.index()];
                    if carrier.is_empty() || !against.is_dead_without(cell, carrier.with(stone)) {
                        continue;
                    }
                    if colour == to_move {
                        self.dominators[cell].insert(stone);
                    } else if self.killers[cell].is_empty() {
                        self.killers[cell] = CellSet::of(stone);
                        self.carriers[cell] = carrier;
                    }
                }
            }
        }
    }

    /// The cells among `moves` that can go, each for another of them that stays in the end.
    fn dominated(&self, moves: CellSet<W>) -> CellSet<W> {
        // Who stands for a cell that went; cells that stay stand for themselves.
        let mut stands: Vec<usize> = (0..self.dominators.len()).collect();
        let mut gone = CellSet::EMPTY;
        for cell in moves.iter() {
            let better = (self.dominators[cell] & moves).iter().find_map(|better| {
                let mut root = better;
                while stands[root] != root {
                    root = stands[root];
                }
                (root != cell).then_some(root)
            });
            if let Some(root) = better {
                stands[cell] = root;
                gone.insert(cell);
            }
        }
        gone
    }
}

/// The set bits of a word.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}
