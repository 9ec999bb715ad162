//! What the surroundings of one cell tell of it, whatever the rest of the board: for marking
//! patterns as prunable (H8).

use super::patterns::Table;
use super::window::{NEIGHBOURS, RADIUS, Step, Window, ring_of};
use crate::{Cell, Colour};

/// What a cell is by its surroundings alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// No stone there matters.
    Dead,
    /// It belongs to a colour as if it had a stone there.
    Captured(Colour),
    /// Some other move is at least as good for the mover. Two moves may dominate each other: who
    /// prunes by this must keep one of them.
    Dominated {
        /// The better move, so many columns to the right and rows down.
        by: (i32, i32),
    },
    /// Some reply makes it dead.
    Vulnerable,
}

/// Classifies an empty cell for a colour to move. `look` tells what stands so many columns to the
/// right and rows down, sides being stones of their colour, or `None` where that is not known.
pub fn local_kind(look: impl Fn(i32, i32) -> Option<Cell>, to_move: Colour) -> Option<LocalKind> {
    let table = Table::get();
    let (window, known_empty) = cut(&look, Step::HERE);
    let ring = ring_of(window.of[0]) | ring_of(window.of[1]) << 6;
    if table.is_dead(ring) {
        return Some(LocalKind::Dead);
    }
    let mut better = killer(table, ring, known_empty, to_move);
    // The cell may be any of a set's: look from all cells the set may be anchored at.
    let near = (0..49).map(Step::to).filter(|step| step.distance() < RADIUS);
    for anchor in near {
        let (window, known_empty) = cut(&look, anchor);
        if known_empty >> Step::HERE.bit() & 1 == 0 {
            continue;
        }
        let here = 1 << Step::HERE.minus(anchor).bit();
        for colour in Colour::BOTH {
            let found = table.matches(window, colour.index()).filter(|found| {
                found.set & here != 0 && (found.set | found.missing) & !known_empty == 0
            });
            for found in found {
                if found.missing == 0 {
                    return Some(LocalKind::Captured(colour));
                }
                if colour == to_move {
                    better.get_or_insert(anchor.plus(Step::to(found.missing.trailing_zeros())));
                }
            }
        }
    }
    if let Some(Step { right, down }) = better {
        return Some(LocalKind::Dominated { by: (right, down) });
    }
    killer(table, ring, known_empty, to_move.opponent()).map(|_| LocalKind::Vulnerable)
}

/// The neighbour on which a stone of the colour kills the middle cell, if there is one.
fn killer(table: &Table, ring: usize, known_empty: u64, colour: Colour) -> Option<Step> {
    let killers = usize::from(table.killers(ring, colour.index())) & ring_of(known_empty);
    NEIGHBOURS.get(killers.trailing_zeros() as usize).copied()
}

/// The window around a cell, and which of its cells are known to be empty.
fn cut(look: impl Fn(i32, i32) -> Option<Cell>, at: Step) -> (Window, u64) {
    let mut window = Window::default();
    let mut known_empty = 0;
    for bit in 0..49 {
        let step = Step::to(bit);
        match look(at.right + step.right, at.down + step.down) {
            Some(Cell::Empty) => known_empty |= 1 << bit,
            Some(Cell::Black) => window.of[0] |= 1 << bit,
            Some(Cell::White) => window.of[1] |= 1 << bit,
            Some(Cell::Corner) | None => {}
        }
    }
    (window, known_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six neighbours clockwise from the right, as `B`, `W`, `.` and `*` for not known.
    fn of_ring(ring: &str, to_move: Colour) -> Option<LocalKind> {
        local_kind(
            |right, down| {
                let step = Step { right, down };
                if step == Step::HERE {
                    return Some(Cell::Empty);
                }
                let at = NEIGHBOURS.iter().position(|&neighbour| neighbour == step)?;
                match ring.as_bytes()[at] {
                    b'B' => Some(Cell::Black),
                    b'W' => Some(Cell::White),
                    b'.' => Some(Cell::Empty),
                    _ => None,
                }
            },
            to_move,
        )
    }

    #[test]
    fn six_neighbours() {
        use Colour::{Black, White};
        assert_eq!(of_ring("BBBB**", Black), Some(LocalKind::Dead));
        assert_eq!(of_ring("BB*WW*", White), Some(LocalKind::Dead));
        assert_eq!(of_ring("BB*W**", White), None);
        // White's stone on the empty cell makes the pattern above complete.
        assert_eq!(of_ring("BB*W.*", White), Some(LocalKind::Dominated { by: (0, -1) }));
        assert_eq!(of_ring("BB*W.*", Black), Some(LocalKind::Vulnerable));
        assert_eq!(of_ring("......", Black), None);
    }
}
