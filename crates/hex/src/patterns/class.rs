//! Patterns that show a move to be inferior (H8): prunable in the tree, hardly ever played in
//! playouts.

/// Why a move with a pattern around it need not be played. Who decides is the inferior-cell
/// analysis, see [`PatternModel::classify`](super::PatternModel::classify).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prunable {
    /// The cell is dead: no stone there changes anything.
    Dead,
    /// The cell is captured by either player.
    Captured,
    /// The move at this place of the pattern is at least as good.
    Dominated {
        /// As in [`PatternKey::last`](super::PatternKey::last); the place is empty.
        by: usize,
    },
}

impl Prunable {
    /// What the gamma of such a pattern is set to.
    pub(super) fn gamma(self) -> f32 {
        match self {
            Self::Dead | Self::Captured => 0.000_01,
            Self::Dominated { .. } => 0.000_1,
        }
    }
}
