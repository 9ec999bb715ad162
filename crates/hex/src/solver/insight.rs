//! The seam where knowledge comes into the solver: what an analysis says about one position.

use crate::{CellSet, Colour, End, Stones};

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
pub(super) struct Analyst;

impl Analyst {
    pub(super) fn new() -> Self {
        Self
    }

    pub(super) fn look<const W: usize>(
        &mut self,
        stones: &Stones<W>,
        _to_move: Colour,
    ) -> Insight<W> {
        Insight {
            stones: *stones,
            settled: stones.winner().map(|winner| (winner, None)),
            moves: stones.empty(),
            links: [Vec::new(), Vec::new()],
        }
    }
}
