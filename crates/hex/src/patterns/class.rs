//! Patterns that show a move to be inferior (H8): prunable in the tree, hardly ever played in
//! playouts.

use super::code::{Content, PatternKey};
use crate::geometry::STRIDE;
use crate::inferior::{LocalKind, local_kind};
use crate::patterns::OFFSETS;
use crate::{Cell, Colour};

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
        by: u8,
    },
}

/// The place so many columns to the right and rows down.
fn place_at((right, down): (i32, i32)) -> Option<usize> {
    const REACH: i32 = 2;
    const SPAN: usize = 2 * REACH as usize + 1;
    const PLACE_OF: [[u8; SPAN]; SPAN] = {
        let mut places = [[u8::MAX; SPAN]; SPAN];
        // Two cells from this one lead nowhere beyond the padded board.
        let centre = (STRIDE / 2 * STRIDE + STRIDE / 2) as isize;
        let mut place = 0;
        while place < OFFSETS.len() {
            let at = (centre + OFFSETS[place]) as usize;
            let row = at / STRIDE + REACH as usize - STRIDE / 2;
            let column = at % STRIDE + REACH as usize - STRIDE / 2;
            places[row][column] = place as u8;
            place += 1;
        }
        places
    };
    let index = |step: i32| usize::try_from(step + REACH).ok();
    let place = *PLACE_OF.get(index(down)?)?.get(index(right)?)?;
    (place != u8::MAX).then_some(usize::from(place))
}

impl Prunable {
    /// What the inferior-cell analysis has to say about a pattern (H3). Moves that only a reply
    /// makes dead are not among it: whether they can go depends on all the others.
    #[must_use]
    pub fn of(key: PatternKey) -> Option<Self> {
        let place_of = |to| place_at(to).filter(|&place| place < key.extent().cells());
        let look = |right, down| match (right, down) {
            (0, 0) => Some(Cell::Empty),
            to => Some(match key.content(place_of(to)?) {
                Content::Empty => Cell::Empty,
                Content::Own => Cell::Black,
                Content::Opponent => Cell::White,
                Content::Corner => Cell::Corner,
            }),
        };
        match local_kind(look, Colour::Black)? {
            LocalKind::Dead => Some(Self::Dead),
            LocalKind::Captured(_) => Some(Self::Captured),
            LocalKind::Dominated { by } => place_of(by).map(|by| Self::Dominated { by: by as u8 }),
            LocalKind::Vulnerable => None,
        }
    }

    /// What the gamma of such a pattern is set to.
    pub(super) fn gamma(self) -> f32 {
        match self {
            Self::Dead | Self::Captured => 0.000_01,
            Self::Dominated { .. } => 0.000_1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{Extent, Surroundings};
    use crate::{Hex, HexRules, Point};

    fn kind(diagram: &str, at: (usize, usize)) -> Option<Prunable> {
        let position = Hex::from_diagram(diagram, HexRules::default(), Colour::Black).unwrap();
        let (key, _) = Surroundings::of(&position).keys(Point::new(at.0, at.1), Extent::Twelve);
        Prunable::of(key)
    }

    #[test]
    fn what_lies_between_stones_of_one_colour_is_dead() {
        let between = "
            . . . . .
             . . B B .
              . B . B .
               . W . . .
                . . . . .";
        assert_eq!(kind(between, (3, 3)), Some(Prunable::Dead));
    }

    #[test]
    fn an_open_board_has_nothing_prunable() {
        let open = "
            . . . . .
             . . . . .
              . . . . .
               . . B . .
                . . . . .";
        assert_eq!(kind(open, (3, 3)), None);
        assert_eq!(kind(open, (2, 3)), None);
    }
}
