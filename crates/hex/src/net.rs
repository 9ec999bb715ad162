//! A small net that judges positions: how good each move is, and who wins. Past the papers: what
//! patterns and playouts do not see, shapes of the whole board, it has learned from games against
//! itself.
//!
//! The net sees the board as the player to move does, who joins top and bottom: for White the board is
//! mirrored at the long diagonal and colours are exchanged. Its planes are the mover's stones with the
//! mover's sides in the margin, the other's likewise, the board without margin, and the last stone.

use kosumi_game::Game;
use kosumi_learn::{WeightFile, WeightFileError};
use kosumi_net::{Judgement, Net, Scratch};

use crate::{Colour, Hex, Point};

const PLANES: usize = 4;

/// A net of Hex, for boards of every size.
#[derive(Clone, Debug, PartialEq)]
pub struct HexNet(Net);

/// What a net says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HexJudgement {
    /// For each cell, by the number of its move, the logarithm of how good a move there is, up to a
    /// constant. Of no meaning where there are stones.
    pub strengths: Vec<f32>,
    /// The logarithm of the odds that the player to move wins.
    pub odds: f32,
}

impl HexNet {
    /// Reads a net.
    ///
    /// # Errors
    /// The file holds something else, or what it says makes no sense.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        Net::from_file(file, "hex", PLANES).map(Self)
    }

    /// A hash of what the net sees of a position: the stones, who is to move, and the last stone.
    pub(crate) fn sight(position: &Hex) -> u64 {
        let last = position.last_stone().and_then(|at| position.move_at(at));
        let last = last.map_or(0, |mv| u64::from(mv.0) + 1);
        position.state_hash() ^ last.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Judges a single position; a swap that is possible is left out of account.
    #[must_use]
    pub fn judge_once(&self, position: &Hex) -> HexJudgement {
        self.judge(&mut Scratch::default(), position)
    }

    /// Judges a position, with a thread's memory; a swap that is possible is left out of account.
    #[must_use]
    pub(crate) fn judge(&self, scratch: &mut Scratch, position: &Hex) -> HexJudgement {
        let size = position.size();
        let mover = position.colour_to_move();
        let last = position.last_stone();
        let seen = |row, column| match mover {
            Colour::Black => Point::new(column, row),
            Colour::White => Point::new(row, column),
        };
        let plane = |plane: usize, row: usize, column: usize| {
            let (rows, columns) = ((1..=size).contains(&row), (1..=size).contains(&column));
            match (plane, rows, columns) {
                (0, true, true) => position.cell(seen(row, column)).colour() == Some(mover),
                (1, true, true) => {
                    position.cell(seen(row, column)).colour() == Some(mover.opponent())
                }
                (3, true, true) => last == Some(seen(row, column)),
                (0, false, true) | (1, true, false) | (2, true, true) => true,
                _ => false,
            }
        };
        let Judgement { policy, odds, .. } = self.0.judge(scratch, (size, size), plane);
        let mut strengths = policy.clone();
        if mover == Colour::White {
            for (number, strength) in strengths.iter_mut().enumerate() {
                *strength = policy[number % size * size + number / size];
            }
        }
        HexJudgement { strengths, odds: *odds }
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Rng;

    use super::*;
    use crate::HexRules;

    impl HexNet {
        /// The program's own.
        pub(crate) fn own() -> Self {
            let bytes = include_bytes!("../../../data/hex/net.weights");
            Self::from_file(&WeightFile::from_bytes(bytes).unwrap()).unwrap()
        }
    }

    fn position(diagram: &str, to_move: Colour) -> Hex {
        Hex::from_diagram(diagram, HexRules { swap: false }, to_move).unwrap()
    }

    /// Mirrored at the long diagonal, with colours exchanged and the same moves made.
    fn game(size: usize, cells: &[(usize, usize)], mirrored: bool) -> Hex {
        let mut game = Hex::new(size, HexRules { swap: false }).unwrap();
        if mirrored {
            game.set_turn(Colour::White);
        }
        for &(column, row) in cells {
            let (column, row) = if mirrored { (row, column) } else { (column, row) };
            game.play(game.move_at(Point::new(column, row)).unwrap());
        }
        game
    }

    #[test]
    fn white_sees_what_black_would_see_in_the_mirror() {
        let (net, mut scratch, mut rng) = (HexNet::own(), Scratch::default(), Rng::new(3));
        for size in [5, 11, 13] {
            let mut cells: Vec<(usize, usize)> =
                (1..=size).flat_map(|row| (1..=size).map(move |column| (column, row))).collect();
            rng.shuffle(&mut cells);
            for count in 0..8 {
                let one = net.judge(&mut scratch, &game(size, &cells[..count], false));
                let other = net.judge(&mut scratch, &game(size, &cells[..count], true));
                assert_eq!(one.odds, other.odds);
                for (number, strength) in one.strengths.iter().enumerate() {
                    assert_eq!(*strength, other.strengths[number % size * size + number / size]);
                }
            }
        }
    }

    #[test]
    fn the_net_knows_who_has_won_and_how() {
        let (net, mut scratch) = (HexNet::own(), Scratch::default());
        // Black needs c3 only, and so does White.
        let diagram = "
            . . B . .
             . W B . .
              . W . W .
               . . B W .
                . . B . .";
        for to_move in Colour::BOTH {
            let position = position(diagram, to_move);
            let judgement = net.judge(&mut scratch, &position);
            assert!(judgement.odds > 1.0, "{to_move}: {}", judgement.odds);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let strength = |mv: &&crate::HexMove| judgement.strengths[usize::from(mv.0)];
            let best = moves.iter().max_by(|a, b| strength(a).total_cmp(&strength(b))).unwrap();
            assert_eq!(position.move_text(*best), "c3", "{to_move}");
        }
    }
}
