//! What is known of a position without search (H2, H3, H5): inferior cells and virtual connections
//! together, for the solver and for the heavy nodes of a tree.

use std::fmt;

use crate::connections::Limits;
use crate::width::{any_width, each_width};
use crate::{CellSet, Colour, Connections, End, Hex, Inferior, Semi, Stones};

/// What is known of a position with a colour to move. Everything must be sound, for proofs of
/// loss rest on it: a filled-in stone changes no value, and of the moves left out none was the only
/// one that wins.
#[derive(Clone, Debug)]
pub(crate) struct Insight<const W: usize> {
    /// The stones, with those that are filled in.
    pub(crate) stones: Stones<W>,
    /// Who wins, if that is settled.
    pub(crate) settled: Option<Settled<W>>,
    /// The moves worth trying; all others lose or are no better than one of these.
    pub(crate) moves: CellSet<W>,
}

/// A win that needs no search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled<const W: usize> {
    pub(crate) winner: Colour,
    /// The move that does it, if it is the winner's turn and one is known.
    pub(crate) key: Option<usize>,
    /// Empty cells that are enough for it: those of the connection, and those that are filled in
    /// for the winner, where he must answer.
    pub(crate) carrier: CellSet<W>,
}

/// Looks at positions: fills in and prunes by inferior cells (H3), settles and confines by virtual
/// connections (H2) on what is filled in.
pub(crate) struct Analyst<const W: usize> {
    inferior: Inferior<W>,
    connections: Connections<W>,
    /// The boards that led here, as they were and as they were filled in. The latter are those of
    /// the connections.
    line: Vec<(Stones<W>, Stones<W>)>,
}

impl<const W: usize> Analyst<W> {
    /// For boards of that size; `None` if there is no such board or it does not fit.
    pub(crate) fn new(size: usize) -> Option<Self> {
        let empty_board = Stones::empty_board(size)?;
        Some(Self {
            inferior: Inferior::new(),
            connections: Connections::new(&empty_board, Limits::default()),
            line: Vec::new(),
        })
    }

    /// What is known with `to_move` to play.
    pub(crate) fn look(&mut self, stones: &Stones<W>, to_move: Colour) -> Insight<W> {
        let start = self.go_back(stones);
        let findings = self.inferior.analyse(&start, to_move);
        let filled = |winner| findings.stones.of(winner) - stones.of(winner);
        let mut insight = Insight { stones: findings.stones, settled: None, moves: findings.moves };
        let settled =
            |winner, key, carrier| Some(Settled { winner, key, carrier: carrier | filled(winner) });
        if let Some(winner) = findings.decided {
            // All that is empty if the mover has nothing but moves that are killed.
            let joined = findings.stones.winner().is_some();
            let open = if joined { CellSet::EMPTY } else { findings.stones.empty() };
            insight.settled = settled(winner, None, open);
            return insight;
        }
        self.go_on(stones, &findings.stones);
        let connections = &self.connections;
        let opponent = to_move.opponent();
        if let Some(semi) = connections.winning_semi(to_move) {
            insight.settled = settled(to_move, Some(usize::from(semi.key)), semi.carrier);
        } else if let Some(carrier) = connections.won_by_connection(opponent) {
            insight.settled = settled(opponent, None, carrier);
        } else if let Some(carrier) = connections.won_by_connection(to_move) {
            insight.settled = settled(to_move, None, carrier);
        } else {
            // If a move wins, one of those that are not inferior does, and so it is one of those
            // that must be played.
            insight.moves &= connections.mustplay(to_move);
        }
        insight
    }

    /// What is virtually connected on the board that was last looked at, without touching: further
    /// links of the circuit. Only where the position was not settled.
    pub(crate) fn links(&self, colour: Colour) -> impl Iterator<Item = (End, End)> {
        let apart = self.connections.links(colour).filter(|link| !link.touching);
        apart.map(|link| (link.from, link.to))
    }

    /// The semi connections between the sides on the board that was last looked at. Only where the
    /// position was not settled.
    pub(crate) fn semis(&self, colour: Colour) -> &[Semi<W>] {
        self.connections.semis(colour, End::Side(0), End::Side(1))
    }

    /// Back to the last board that leads to this one, and this one with what was filled in there:
    /// that still holds, for fill-in holds in every continuation.
    fn go_back(&mut self, stones: &Stones<W>) -> Stones<W> {
        let leads = |(before, filled): &(Stones<W>, Stones<W>)| {
            Colour::BOTH.into_iter().all(|colour| {
                before.of(colour).is_subset(&stones.of(colour))
                    && filled.of(colour).is_disjoint(&stones.of(colour.opponent()))
            })
        };
        while self.line.last().is_some_and(|board| !leads(board)) {
            self.line.pop();
            self.connections.undo();
        }
        let mut start = *stones;
        if let Some((_, filled)) = self.line.last() {
            for colour in Colour::BOTH {
                start.fill(colour, filled.of(colour) - stones.of(colour));
            }
        }
        start
    }

    /// Builds the connections of a board, upon those of the last one.
    fn go_on(&mut self, stones: &Stones<W>, filled: &Stones<W>) {
        if self.line.is_empty() {
            self.connections.build(filled);
        } else {
            self.connections.play(filled);
        }
        self.line.push((*stones, *filled));
    }
}

impl<const W: usize> fmt::Debug for Analyst<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyst").field("depth", &self.line.len()).finish_non_exhaustive()
    }
}

/// What is known of a position of any size, with its colour to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outlook {
    /// Who wins, if that needs no search.
    pub winner: Option<Colour>,
    /// The moves worth trying. Where the colour to move wins, these are moves that win; where it
    /// loses, all moves.
    pub moves: CellSet<6>,
}

any_width! {
    #[derive(Debug)]
    enum Width of Analyst()
}

impl<const W: usize> Analyst<W> {
    fn outlook(&mut self, position: &Hex) -> Option<Outlook> {
        let stones = Stones::new(position)?;
        let to_move = position.colour_to_move();
        let Insight { settled, moves, .. } = self.look(&stones, to_move);
        let all = stones.empty();
        let (winner, moves) = match settled {
            Some(Settled { winner, key: Some(key), .. }) => (Some(winner), CellSet::of(key)),
            // Who wins without a key wins even if he passes, and no stone of his own can harm him.
            Some(Settled { winner, .. }) => (Some(winner), all),
            None if moves.is_empty() => (Some(to_move.opponent()), all),
            None => (None, moves),
        };
        Some(Outlook { winner, moves: moves.iter().collect() })
    }
}

/// Looks at positions of one size: fills in and prunes by inferior cells (H3), settles and confines
/// by virtual connections (H2). Positions that follow from those before are looked at faster.
#[derive(Debug)]
pub struct HexAnalyst(Width);

impl HexAnalyst {
    /// An analyst for boards of that size; `None` if there is no such board.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        Width::new(size).map(Self)
    }

    /// What is known of a position; `None` if it has another size or is over. A swap that is
    /// possible is left out of account.
    pub fn look(&mut self, position: &Hex) -> Option<Outlook> {
        if position.winner().is_some() {
            return None;
        }
        each_width!(Width, &mut self.0, analyst => analyst.outlook(position))
    }
}
