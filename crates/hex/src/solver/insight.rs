//! The seam where knowledge comes into the solver: what an analysis says about one position.

use crate::connections::Limits;
use crate::{CellSet, Colour, Connections, End, Stones};

/// What is known of a position with a colour to move. Everything must be sound, for proofs of
/// loss rest on it: a filled-in stone changes no value, and of the moves left out none was the only
/// one that wins.
#[derive(Clone, Debug)]
pub(super) struct Insight<const W: usize> {
    /// The stones, with those that are filled in.
    pub(super) stones: Stones<W>,
    /// The colour that wins, if that is settled, with the move that does it if it is this
    /// colour's turn and one is known.
    pub(super) settled: Option<(Colour, Option<usize>)>,
    /// The moves worth trying; all others lose or are no better than one of these.
    pub(super) moves: CellSet<W>,
    /// For each colour what is virtually connected, as further links of the circuit.
    pub(super) links: [Vec<(End, End)>; 2],
}

/// Looks at positions.
#[derive(Debug)]
pub(super) struct Analyst<const W: usize> {
    connections: Option<Connections<W>>,
    /// The boards that led here, without and with what was filled in: those of the connections.
    line: Vec<(Stones<W>, Stones<W>)>,
}

impl<const W: usize> Analyst<W> {
    pub(super) fn new() -> Self {
        Self { connections: None, line: Vec::new() }
    }

    pub(super) fn look(&mut self, stones: &Stones<W>, to_move: Colour) -> Insight<W> {
        let mut insight = Insight {
            stones: *stones,
            settled: stones.winner().map(|winner| (winner, None)),
            moves: stones.empty(),
            links: [Vec::new(), Vec::new()],
        };
        if insight.settled.is_some() {
            return insight;
        }
        self.connect(stones);
        let Some(connections) = &self.connections else {
            return insight;
        };
        let opponent = to_move.opponent();
        let key = connections.winning_semi(to_move).map(|semi| usize::from(semi.key));
        if key.is_some() {
            insight.settled = Some((to_move, key));
        } else if connections.won_by_connection(opponent).is_some() {
            insight.settled = Some((opponent, None));
        } else if connections.won_by_connection(to_move).is_some() {
            insight.settled = Some((to_move, None));
        } else {
            insight.moves = connections.mustplay(to_move);
            insight.links = Colour::BOTH.map(|colour| {
                let apart = connections.links(colour).filter(|link| !link.touching);
                apart.map(|link| (link.from, link.to)).collect()
            });
        }
        insight
    }

    /// Brings the connections to a board, by way of the last one that led to it.
    fn connect(&mut self, stones: &Stones<W>) {
        let leads = |before: &Stones<W>| {
            Colour::BOTH.into_iter().all(|c| before.of(c).is_subset(&stones.of(c)))
        };
        let connections =
            self.connections.get_or_insert_with(|| Connections::new(stones, Limits::default()));
        while self.line.last().is_some_and(|(before, _)| !leads(before)) {
            self.line.pop();
            connections.undo();
        }
        if self.line.is_empty() {
            connections.build(stones);
        } else {
            connections.play(stones);
        }
        self.line.push((*stones, *stones));
    }
}
