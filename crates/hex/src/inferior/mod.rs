//! Inferior cells (H3): what need not be played, and what can be filled in.
//!
//! - A cell is *dead* if no stone on it ever matters. It may be given to either colour.
//! - A set of cells is *captured* by a colour if that colour, moving second on the set, makes
//!   every stone of the opponent there dead. It may be given to its owner.
//! - A cell is *permanently inferior* for a colour if the opponent captures it in a set that
//!   overlaps one of the colour's own: it may be given to the opponent.
//! - A move is *dominated* by another that kills or captures its cell: the other is at least as
//!   good.
//! - A move is *vulnerable* to a reply, its *killer*, that makes it dead, perhaps by capturing
//!   further cells, the *carrier*.
//!
//! Dead cells, single killers and captured pairs are found by the graph of a colour ([`graph`]),
//! larger captured sets, and what captures with one more stone, by patterns ([`patterns`]), and
//! dead regions by what cuts them off ([`cutset`]). All of these hold for every continuation and
//! hence stay true while stones are added elsewhere; that is why findings may be applied together.
//!
//! Why the moves that are left suffice. Say the mover wins by a vulnerable move x. After the
//! killer's reply the position is worth what it is with x, the killer and the carrier all the
//! opponent's; there the mover still has a winning move, which by monotony wins now as well. It
//! may be vulnerable in turn, but each step takes cells away, and with no cell left the mover,
//! whose sides are not joined, has lost. So all vulnerable moves can go at once. Dominated moves
//! go only if their dominator, or what dominates that, stays.

mod cutset;
mod filled;
mod graph;
mod patterns;
mod surroundings;
mod window;

#[cfg(test)]
mod derivation;
#[cfg(test)]
mod tests;

use filled::Filled;
use graph::Graph;
use patterns::Table;
pub use surroundings::{LocalKind, local_kind};
use window::Step;

use crate::{CellSet, Colour, Stones};

/// Why a cell is inferior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<const W: usize> {
    /// No stone there matters.
    Dead,
    /// It belongs to a colour as if it had a stone there.
    Captured(Colour),
    /// It was captured by a colour, but part of the set is captured by the opponent as well. It
    /// belongs to the colour all the same.
    PermanentlyInferior(Colour),
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
    /// The cells that are Black's and White's as permanently inferior for the opponent.
    pub permanent: [CellSet<W>; 2],
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

impl<const W: usize> Findings<W> {
    /// Nothing was found.
    pub(crate) fn none(stones: &Stones<W>) -> Self {
        Self {
            stones: *stones,
            dead: CellSet::EMPTY,
            captured: [CellSet::EMPTY; 2],
            permanent: [CellSet::EMPTY; 2],
            vulnerable: CellSet::EMPTY,
            dominated: CellSet::EMPTY,
            moves: stones.empty(),
            decided: stones.winner(),
        }
    }
}

/// The analysis, with the memory it works in.
pub struct Inferior<const W: usize> {
    table: &'static Table,
    graphs: [Graph<W>; 2],
    /// By colour and cell: where a stone of the colour kills the cell.
    killed: [Vec<CellSet<W>>; 2],
    /// By colour: where a stone of the colour captures something.
    captures: [CellSet<W>; 2],
    dominators: Vec<CellSet<W>>,
    killers: Vec<CellSet<W>>,
    carriers: Vec<CellSet<W>>,
}

impl<const W: usize> Default for Inferior<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const W: usize> Inferior<W> {
    /// An analysis for boards of any size that fits.
    #[must_use]
    pub fn new() -> Self {
        Self {
            table: Table::get(),
            graphs: [Graph::new(), Graph::new()],
            killed: [Vec::new(), Vec::new()],
            captures: [CellSet::EMPTY; 2],
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
        let board = self.fill(stones);
        let filled = board.stones;
        let mut findings = Findings {
            dead: board.dead,
            captured: board.captured,
            permanent: board.permanent,
            moves: stones.empty(),
            ..Findings::none(&filled)
        };
        if findings.decided.is_some() {
            return findings;
        }
        self.compare(&board, to_move);
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
            let owner = |sets: &[CellSet<W>; 2]| {
                Colour::BOTH.into_iter().find(|colour| sets[colour.index()].contains(cell))
            };
            if findings.dead.contains(cell) {
                Some(Kind::Dead)
            } else if let Some(owner) = owner(&findings.captured) {
                Some(Kind::Captured(owner))
            } else if let Some(owner) = owner(&findings.permanent) {
                Some(Kind::PermanentlyInferior(owner))
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
        let mut filled = Filled::new(stones);
        // The cheapest first, on what changed only; the graph sees the whole board.
        let mut fresh = stones.empty();
        loop {
            filled.fill_by_ring(self.table, fresh);
            let before = filled.stones.empty();
            self.fill_by_graph(&mut filled);
            if filled.stones.empty() == before {
                if filled.stones.winner().is_some() {
                    return filled;
                }
                self.fill_by_pattern(&mut filled);
                if filled.stones.empty() == before {
                    self.fill_cut_off(&mut filled);
                }
            }
            let changed = before - filled.stones.empty();
            if changed.is_empty() {
                return filled;
            }
            fresh = stones.lattice().grown(changed);
        }
    }

    /// Dead cells and captured pairs, seen by way of chains.
    fn fill_by_graph(&mut self, filled: &mut Filled<W>) {
        let lattice = filled.stones.lattice();
        let empty = filled.stones.empty();
        for colour in Colour::BOTH {
            self.graphs[colour.index()].build(&filled.stones, colour);
            self.killed[colour.index()].resize(lattice.around.len(), CellSet::EMPTY);
        }
        for cell in empty.iter() {
            let [black, white] =
                [0, 1].map(|colour| self.graphs[colour].say(cell, lattice.around[cell], empty));
            self.killed[0][cell] = black.by_own | white.by_other;
            self.killed[1][cell] = white.by_own | black.by_other;
            if black.dead || white.dead {
                filled.kill(cell);
            }
        }
        for colour in Colour::BOTH {
            let killed = &self.killed[colour.index()];
            for cell in empty.iter() {
                for other in (killed[cell] & empty).iter().filter(|&other| other > cell) {
                    if killed[other].contains(cell) {
                        filled.capture(colour, CellSet::of(cell).with(other));
                    }
                }
            }
        }
    }

    /// Dead regions. The graphs must be of this board.
    fn fill_cut_off(&self, filled: &mut Filled<W>) {
        let [black, white] = Colour::BOTH
            .map(|colour| cutset::cut_off(&self.graphs[colour.index()], &filled.stones, colour));
        (black | white).iter().for_each(|cell| filled.kill(cell));
    }

    /// Larger captured sets. Where there are none, `captures` is complete.
    fn fill_by_pattern(&mut self, filled: &mut Filled<W>) {
        let size = filled.stones.lattice().size;
        let (empty, rows) = (filled.stones.empty(), filled.rows);
        self.captures = [CellSet::EMPTY; 2];
        for cell in empty.iter() {
            let (column, row) = (cell % size, cell / size);
            if !self.table.may_match(rows.ring(column, row)) {
                continue;
            }
            let window = rows.window(column, row);
            let at = |bit: u32| Step::to(bit).from(cell, size);
            for colour in Colour::BOTH {
                for found in self.table.matches(window, colour.index()) {
                    let set: CellSet<W> = bits(found.set).map(at).collect();
                    if found.missing != 0 {
                        let stone = at(found.missing.trailing_zeros());
                        self.captures[colour.index()].insert(stone);
                    } else {
                        filled.capture(colour, set);
                    }
                }
            }
        }
    }

    /// Dominators, killers and carriers of all empty cells, for one colour to move.
    fn compare(&mut self, filled: &Filled<W>, to_move: Colour) {
        let (mover, opponent) = (to_move.index(), to_move.opponent().index());
        self.dominators.clone_from(&self.killed[mover]);
        self.killers.clone_from(&self.killed[opponent]);
        self.carriers.clear();
        self.carriers.resize(self.killers.len(), CellSet::EMPTY);
        let lattice = filled.stones.lattice();
        for colour in Colour::BOTH {
            for stone in self.captures[colour.index()].iter() {
                let next = filled.after(self.table, colour, stone);
                let captured = next.captured[colour.index()];
                let taken = captured | next.dead;
                // Chains may tell of more dead cells than the neighbours alone.
                let against = &self.graphs[1 - colour.index()];
                let beside = lattice.grown(taken) & next.stones.empty();
                let by_chains = beside
                    .iter()
                    .filter(|&cell| against.is_dead_without(cell, taken.with(stone)))
                    .collect();
                if colour == to_move {
                    for cell in (taken | by_chains).iter() {
                        self.dominators[cell].insert(stone);
                    }
                } else {
                    for cell in (next.dead | by_chains).iter() {
                        if self.killers[cell].is_empty() {
                            self.killers[cell] = CellSet::of(stone);
                            self.carriers[cell] = captured;
                        }
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
