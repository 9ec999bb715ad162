//! The 3x3 code of a point: the colours of its eight neighbours in 16 bits.
//!
//! Two bits per neighbour: empty 0, black 1, white 2, border 3. The four neighbours beside it are
//! the low byte, the diagonal ones the high byte, each in the order of [`Point::neighbours`] and
//! [`Point::diagonals`]. A border point reads as a stone of either colour, which is what eyes need.

#[cfg(doc)]
use crate::Point;
use kosumi_game::Player;

/// What stands on a point, as in the code.
pub(crate) const EMPTY: u8 = 0;
/// The border.
pub(crate) const BORDER: u8 = 3;

/// The colour of a player's stones: 1 for Black, 2 for White.
#[inline(always)]
pub(crate) const fn stone(player: Player) -> u8 {
    1 + player as u8
}

/// The colours around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub(crate) u16);

impl Code {
    /// Whether a point beside it is empty.
    #[inline(always)]
    #[must_use]
    pub const fn has_empty_neighbour(self) -> bool {
        (self.0 | self.0 >> 1) & 0x55 != 0x55
    }

    /// Bit `2 k` is set if neighbour `k` beside the point is empty.
    #[inline(always)]
    pub(crate) const fn empty_neighbours(self) -> u16 {
        !(self.0 | self.0 >> 1) & 0x55
    }

    /// How many points beside it are empty.
    #[inline(always)]
    pub(crate) const fn empty_count(self) -> u32 {
        let free = self.empty_neighbours() as u32;
        let pairs = (free & 0x11) + (free >> 2 & 0x11);
        (pairs + (pairs >> 4)) & 7
    }

    /// Bit `2 k` is set if neighbour `k` beside the point is a stone of `player`.
    #[inline(always)]
    pub(crate) const fn stones_beside(self, player: Player) -> u16 {
        let (low, high) = (self.0, self.0 >> 1);
        match player {
            Player::First => low & !high & 0x55,
            Player::Second => high & !low & 0x55,
        }
    }

    /// Whether all points beside it are `player`'s stones or border.
    #[inline(always)]
    #[must_use]
    pub const fn is_surrounded_by(self, player: Player) -> bool {
        let mask = 0x55 << player as u16;
        self.0 & mask == mask
    }

    /// Whether the point is an eye of `player` as playouts see it: surrounded, and the opponent has
    /// less than two of the diagonal points, none at the border.
    #[inline]
    #[must_use]
    pub const fn is_eye_of(self, player: Player) -> bool {
        self.is_surrounded_by(player) && !self.is_false_eye(player)
    }

    /// Whether the opponent holds enough diagonal points to break a surrounded point.
    #[inline]
    #[must_use]
    pub const fn is_false_eye(self, player: Player) -> bool {
        let low = self.0 >> 8;
        let high = low >> 1;
        let enemy = match player {
            Player::First => high & !low & 0x55,
            Player::Second => low & !high & 0x55,
        };
        let border = low & high & 0x55;
        if border != 0 { enemy != 0 } else { enemy & enemy.wrapping_sub(1) != 0 }
    }

    /// The code with black and white exchanged.
    #[must_use]
    pub const fn colours_exchanged(self) -> Code {
        Code((self.0 & 0x5555) << 1 | self.0 >> 1 & 0x5555)
    }
}
