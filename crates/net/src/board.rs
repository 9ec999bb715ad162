//! Boards: which cells of a grid there are, on a field with a margin of one around the grid.

use std::sync::Arc;

use crate::kernel::Cells;
use crate::shape::Taps;

/// Rows and columns are at most so many, so that sums over a board fit into 32 bits.
const LONGEST: usize = 255;

/// A board of any form: cells of a grid of rows and columns. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Board(Arc<Places>);

#[derive(Debug, PartialEq, Eq)]
struct Places {
    rows: usize,
    columns: usize,
    /// The cells of the board by their numbers on the grid, row by row.
    grid: Vec<usize>,
    /// The same cells on the field, each alone.
    alone: Cells,
    /// With the cells around each, by [`Taps`].
    around: [Cells; 3],
}

impl Board {
    /// The cells of a grid for which `is_cell` of row and column holds, both from 0.
    ///
    /// # Panics
    /// There are no cells, or more than 255 rows or columns.
    #[must_use]
    pub fn new(rows: usize, columns: usize, is_cell: impl Fn(usize, usize) -> bool) -> Self {
        assert!(rows <= LONGEST && columns <= LONGEST, "a board of {rows} x {columns}");
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells: Vec<_> = cells.filter(|&(row, column)| is_cell(row, column)).collect();
        assert!(!cells.is_empty(), "a board without cells");
        let grid = cells.iter().map(|(row, column)| row * columns + column).collect();
        let wide = columns + 2;
        let field = wide * (rows + 2);
        let cells: Vec<usize> =
            cells.iter().map(|(row, column)| (row + 1) * wide + column + 1).collect();
        let around = Taps::ALL.map(|taps| {
            let step = |(down, right): &(isize, isize)| down * wide as isize + right;
            Cells::new(cells.clone(), field, taps.steps().iter().map(step).collect())
        });
        let alone = Cells::new(cells, field, vec![0]);
        Self(Arc::new(Places { rows, columns, grid, alone, around }))
    }

    /// All cells of a grid.
    ///
    /// # Panics
    /// As for [`Board::new`].
    #[must_use]
    pub fn rectangle(rows: usize, columns: usize) -> Self {
        Self::new(rows, columns, |_, _| true)
    }

    /// Rows of the grid.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.0.rows
    }

    /// Columns of the grid.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.0.columns
    }

    /// The cells of the board, in the order of the grid: row times columns plus column.
    #[must_use]
    pub fn cells(&self) -> &[usize] {
        &self.0.grid
    }

    pub(crate) fn alone(&self) -> &Cells {
        &self.0.alone
    }

    pub(crate) fn around(&self, taps: Taps) -> &Cells {
        &self.0.around[taps as usize]
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Board {}
