//! Proof and disproof numbers, from the viewpoint of the player to move.

/// How far a position is from being proven won (`phi`) and proven lost (`delta`) for the player to
/// move: about how many more positions must be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// 0 when the position is won for the player to move.
    pub phi: u32,
    /// 0 when it is lost.
    pub delta: u32,
}

/// Never to be reached. Sums stop one below, so that only proofs are infinite.
pub(crate) const INFINITE: u32 = u32::MAX;

impl Numbers {
    /// Proven: the player to move wins.
    pub const WON: Self = Self { phi: 0, delta: INFINITE };
    /// Proven: the player to move loses.
    pub const LOST: Self = Self { phi: INFINITE, delta: 0 };

    /// Whether the value is proven.
    #[inline]
    #[must_use]
    pub const fn is_settled(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether either number has reached its limit.
    #[inline]
    pub(crate) const fn reaches(self, limit: Self) -> bool {
        self.phi >= limit.phi || self.delta >= limit.delta
    }
}
