//! Edge templates: connections to a side that the rules of H-search do not find by themselves, or
//! find late.

use crate::{CellSet, Colour, Lattice};

/// A full connection of a cell to a side on an empty board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template<const W: usize> {
    pub cell: usize,
    /// 0 or 1.
    pub side: usize,
    /// The carrier.
    pub cells: CellSet<W>,
}

pub(super) fn templates<const W: usize>(
    _lattice: &'static Lattice<W>,
    _colour: Colour,
) -> impl Iterator<Item = Template<W>> {
    std::iter::empty()
}
