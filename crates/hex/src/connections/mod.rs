//! Virtual connections (H2): H-search after Anshelevich with the economy of Pawlewicz, Hayward,
//! Henderson and Arneson, "Stronger Virtual Connections in Hex".
//!
//! Two ends (cells, chains, sides) of a colour are virtually connected if that colour can join
//! them with the opponent to move: a *full* connection, with the empty cells it needs as its
//! *carrier*. If the colour has to move first, it is a *semi* connection, with a *key* to begin
//! with. Neighbours are connected without any cell (base), connections in a row that share no
//! cell make one (and-rule), semis that have no cell in common make a full (or-rule). What these
//! rules do not find along a side, edge templates and ladders, is given at the start.
//!
//! There are far more connections than one can keep. A full is kept only if it shrinks what the
//! fulls of its pair of ends have in common, and a semi only if it could lead to such a full. So
//! a pair holds few connections, yet whatever cell the opponent takes, one without it remains if
//! one was found.

mod closure;
mod nodes;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
mod update;

use closure::Agenda;
use shapes::Shapes;
pub use table::Semi;
use update::Half;

use crate::{CellSet, Colour, Stones};

/// How much is kept and tried, for speed against completeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many semis a pair of ends keeps, unless a further one shrinks what they have in
    /// common. The two sides keep all.
    pub semis: usize,
    /// Whether an update looks anew for connections between ends that lost one.
    pub pull: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { semis: 32, pull: true }
    }
}

/// What a connection joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An empty cell, or the chain of a stone.
    Cell(usize),
    /// One of the two sides of the colour: 0 is the top or the left, 1 the bottom or the right.
    Side(usize),
}

/// Two ends with a full connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// One end; a chain is its lowest cell.
    pub from: End,
    /// The other end.
    pub to: End,
    /// Whether they touch, so that the carrier is empty.
    pub touching: bool,
}

/// One board and its connections.
#[derive(Clone, Debug)]
struct Level<const W: usize> {
    stones: Stones<W>,
    halves: [Half<W>; 2],
}

impl<const W: usize> Level<W> {
    fn new(stones: Stones<W>) -> Self {
        Self { stones, halves: Default::default() }
    }
}

/// The connections of both colours on a board, with those of earlier boards below for undo.
#[derive(Clone, Debug)]
pub struct Connections<const W: usize> {
    /// Boards with more and more stones. Those above `depth` only lend their memory.
    levels: Vec<Level<W>>,
    depth: usize,
    shapes: [Shapes<W>; 2],
    agenda: Agenda<W>,
    limits: Limits,
}

impl<const W: usize> Connections<W> {
    /// The connections of a board.
    #[must_use]
    pub fn new(stones: &Stones<W>, limits: Limits) -> Self {
        let mut connections = Self {
            levels: vec![Level::new(*stones)],
            depth: 0,
            shapes: Colour::BOTH.map(|colour| Shapes::new(stones.lattice(), colour)),
            agenda: Agenda::default(),
            limits,
        };
        connections.build(stones);
        connections
    }

    /// Starts again with another board.
    pub fn build(&mut self, stones: &Stones<W>) {
        if self.shapes[0].size != stones.lattice().size {
            self.shapes = Colour::BOTH.map(|colour| Shapes::new(stones.lattice(), colour));
        }
        self.depth = 0;
        let level = &mut self.levels[0];
        level.stones = *stones;
        for (half, (colour, shapes)) in
            level.halves.iter_mut().zip(Colour::BOTH.into_iter().zip(&self.shapes))
        {
            half.build(stones, colour, shapes, self.limits, &mut self.agenda);
        }
    }

    /// Goes on to a board with more stones of either colour: a move, fill-in, or both.
    ///
    /// # Panics
    /// If a stone of the present board is missing on the new one.
    pub fn play(&mut self, stones: &Stones<W>) {
        let more = |colour: Colour| self.stones().of(colour).is_subset(&stones.of(colour));
        assert!(Colour::BOTH.into_iter().all(more), "a stone has left the board");
        assert_eq!(self.stones().lattice().size, stones.lattice().size, "another board");
        if self.levels.len() == self.depth + 1 {
            self.levels.push(Level::new(*stones));
        }
        self.depth += 1;
        let (below, above) = self.levels.split_at_mut(self.depth);
        let (old, new) = (&below[self.depth - 1], &mut above[0]);
        new.stones = *stones;
        for colour in Colour::BOTH {
            let i = colour.index();
            let (before, half) = ((&old.stones, &old.halves[i]), &mut new.halves[i]);
            half.update(before, stones, colour, &self.shapes[i], self.limits, &mut self.agenda);
        }
    }

    /// Back to the board before the last [`Connections::play`]; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let possible = self.depth > 0;
        self.depth -= usize::from(possible);
        possible
    }

    /// Bytes of all boards and of what lends its memory.
    #[must_use]
    pub(crate) fn bytes(&self) -> usize {
        let halves = self.levels.iter().flat_map(|level| &level.halves);
        halves.map(|half| half.nodes.bytes() + half.table.bytes()).sum::<usize>()
            + self.agenda.bytes()
    }

    /// Frees the memory that boards above the present one have lent.
    pub(crate) fn free_unused(&mut self) {
        self.levels.truncate(self.depth + 1);
        self.agenda = Agenda::default();
    }

    /// Forgets the boards below the present one, which cannot be undone any more.
    pub(crate) fn forget_below(&mut self) {
        self.levels.drain(..self.depth);
        self.depth = 0;
    }

    /// The present board.
    #[must_use]
    pub fn stones(&self) -> &Stones<W> {
        &self.levels[self.depth].stones
    }

    fn half(&self, colour: Colour) -> &Half<W> {
        &self.levels[self.depth].halves[colour.index()]
    }

    fn node(&self, colour: Colour, end: End) -> Option<usize> {
        let nodes = &self.half(colour).nodes;
        match end {
            End::Cell(cell) if cell < nodes.cells() => nodes.of(cell),
            End::Side(side @ 0..2) => Some(nodes.cells() + side),
            _ => None,
        }
    }

    /// The full connections between two ends that are kept. Empty for ends the opponent holds
    /// and for two ends that are one chain.
    #[must_use]
    pub fn fulls(&self, colour: Colour, from: End, to: End) -> &[CellSet<W>] {
        match (self.node(colour, from), self.node(colour, to)) {
            (Some(x), Some(y)) if x != y => self.half(colour).table.fulls(x, y),
            _ => &[],
        }
    }

    /// The semi connections between two ends that are kept.
    #[must_use]
    pub fn semis(&self, colour: Colour, from: End, to: End) -> &[Semi<W>] {
        match (self.node(colour, from), self.node(colour, to)) {
            (Some(x), Some(y)) if x != y => self.half(colour).table.semis(x, y),
            _ => &[],
        }
    }

    /// The smallest carrier on which a colour joins its sides even if the opponent moves first;
    /// empty if they are joined. With it the game is won.
    #[must_use]
    pub fn won_by_connection(&self, colour: Colour) -> Option<CellSet<W>> {
        if self.half(colour).nodes.joined {
            return Some(CellSet::EMPTY);
        }
        let fulls = self.fulls(colour, End::Side(0), End::Side(1));
        fulls.iter().min_by_key(|full| full.len()).copied()
    }

    /// The smallest semi connection between the sides: with the move, the colour wins by its key.
    #[must_use]
    pub fn winning_semi(&self, colour: Colour) -> Option<Semi<W>> {
        let semis = self.semis(colour, End::Side(0), End::Side(1));
        semis.iter().min_by_key(|semi| semi.size()).copied()
    }

    /// The moves that need a thought: every empty cell outside loses, for it leaves the opponent
    /// a connection of the sides. Empty if the opponent has won by connection already.
    #[must_use]
    pub fn mustplay(&self, to_move: Colour) -> CellSet<W> {
        let opponent = to_move.opponent();
        if self.won_by_connection(opponent).is_some() {
            return CellSet::EMPTY;
        }
        let semis = self.semis(opponent, End::Side(0), End::Side(1));
        semis.iter().fold(self.stones().empty(), |rest, semi| rest & semi.carrier)
    }

    /// All pairs of ends with a full connection, for the resistance of the board.
    pub fn links(&self, colour: Colour) -> impl Iterator<Item = Link> {
        let Half { nodes, table } = self.half(colour);
        let end = move |node: u16| {
            let node = usize::from(node);
            if nodes.is_side(node) { End::Side(node - nodes.cells()) } else { End::Cell(node) }
        };
        table.pairs.iter().filter(|pair| pair.fulls.len() > 0).map(move |pair| Link {
            from: end(pair.ends[0]),
            to: end(pair.ends[1]),
            touching: table.fulls[pair.fulls.range()].iter().any(CellSet::is_empty),
        })
    }
}
