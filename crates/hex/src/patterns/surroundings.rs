//! What all moves of a position have around them.

use super::code::{Codes, Extent, OFFSETS, PatternKey};
use super::table::PatternTable;
use crate::geometry::Point;
use crate::{Colour, Hex};

/// The codes around all cells of a position, who is to move, and the opponent's last move.
#[derive(Clone, Debug)]
pub struct Surroundings {
    codes: Codes,
    to_move: Colour,
    last: Option<Point>,
}

impl Surroundings {
    /// Those of a position.
    #[must_use]
    pub fn of(position: &Hex) -> Self {
        let to_move = position.colour_to_move();
        // A stone of one's own, after a move out of turn, is nothing to answer.
        let last = position.last_stone().filter(|&at| position.cell(at) != to_move.cell());
        Self { codes: Codes::of(position), to_move, last }
    }

    /// The patterns of an extent around a move: the global one, and the local one if the
    /// last move is in it.
    #[must_use]
    pub fn keys(&self, at: Point, extent: Extent) -> (PatternKey, Option<PatternKey>) {
        let key = |last| PatternKey::new(self.codes.at(at), self.to_move, extent, last);
        let last = self.place_of_last(at).filter(|place| *place < extent.cells());
        (key(None), last.map(|place| key(Some(place))))
    }

    /// The numbers of the largest known patterns around a move, global and local.
    #[inline]
    #[must_use]
    pub fn known(&self, at: Point, table: &PatternTable) -> (Option<u32>, Option<u32>) {
        let largest = |last| table.largest(self.codes.at(at), self.to_move, last);
        let local = self.place_of_last(at).and_then(|place| largest(Some(place)));
        (largest(None), local)
    }

    pub(crate) fn code(&self, at: Point) -> u64 {
        self.codes.at(at)
    }

    pub(crate) fn to_move(&self) -> Colour {
        self.to_move
    }

    /// The place of the last move around a cell, if it is so near.
    #[inline]
    fn place_of_last(&self, at: Point) -> Option<usize> {
        let step = self.last?.index() as isize - at.index() as isize;
        // Cells are at most 18 columns apart, so a step within two cells is never another one
        // around the end of a row of 21.
        OFFSETS.iter().position(|offset| *offset == step)
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Game;

    use super::*;
    use crate::HexRules;

    #[test]
    fn local_patterns_are_around_the_last_move() {
        let mut game = Hex::new(7, HexRules { swap: false }).unwrap();
        assert!(Surroundings::of(&game).last.is_none());
        game.play(game.parse_move("d4").unwrap());
        let around = Surroundings::of(&game);
        let last = Point::new(4, 4);
        let mut near = [0; 3];
        for &at in game.points().iter().filter(|&&at| at != last) {
            for (extent, near) in Extent::ALL.into_iter().zip(&mut near) {
                let (global, local) = around.keys(at, extent);
                assert_eq!(global.last(), None);
                if let Some(local) = local {
                    *near += 1;
                    assert_eq!(
                        local.content(local.last().unwrap()),
                        super::super::Content::Opponent
                    );
                }
            }
        }
        assert_eq!(near, [6, 12, 18]);
        // White again: the stone on d4 is White's now to see as Black's, and nothing to answer.
        game.set_turn(Colour::Black);
        assert!(Surroundings::of(&game).last.is_none());
    }
}
