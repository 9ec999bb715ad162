//! A small net that evaluates positions: how good each move is, and who wins. Past the papers: what
//! patterns and playouts do not see, shapes of the whole board, it has learned from games against
//! itself.
//!
//! The net sees the board as the player to move does, who joins top and bottom: for White the board is
//! mirrored at the long diagonal and colours are exchanged. Its planes are the mover's stones with the
//! mover's sides in the margin, the other's likewise, the board without margin, and the last stone.

use std::sync::OnceLock;

use kosumi_game::{Evaluation, Game};
use kosumi_learn::{WeightFile, WeightFileError};
use kosumi_net::{Board, GameInputs, Net, Planes, Scratch};

use crate::geometry::MAX_SIZE;
use crate::{Colour, Hex, Point};

/// The planes that a net can see.
const PLANES: [&str; 4] = ["own", "opp", "board", "last"];

/// A net of Hex, for boards of every size.
#[derive(Clone, Debug, PartialEq)]
pub struct HexNet {
    net: Net,
    /// The place of each of [`PLANES`] among those that the net sees.
    places: [Option<usize>; PLANES.len()],
}

impl HexNet {
    /// Reads a net.
    ///
    /// # Errors
    /// The file holds something else, or is not as docs/net-format.md says.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        let inputs = GameInputs { game: "hex", planes: &PLANES, scalars: &[], passes: false };
        let net = Net::from_file(file, &inputs)?;
        Ok(Self { places: net.places(PLANES), net })
    }

    /// A hash of what the net sees of a position: the stones, who is to move, and the last stone.
    pub(crate) fn key(position: &Hex) -> u64 {
        let last = position.last_stone().and_then(|at| position.move_at(at));
        let last = last.map_or(0, |mv| u64::from(mv.0) + 1);
        position.state_hash() ^ last.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Evaluates a single position: logits for each cell, by the number of its move. A swap that is possible is left out of account.
    #[must_use]
    pub fn evaluate_once(&self, position: &Hex) -> Evaluation {
        self.evaluate(&mut Scratch::default(), position)
    }

    /// Evaluates a position, with a thread's memory; a swap that is possible is left out of account.
    #[must_use]
    pub(crate) fn evaluate(&self, scratch: &mut Scratch, position: &Hex) -> Evaluation {
        let size = position.size();
        let mover = position.colour_to_move();
        let last = position.last_stone();
        let seen = |row, column| match mover {
            Colour::Black => Point::new(column, row),
            Colour::White => Point::new(row, column),
        };
        let found = self.net.evaluate(scratch, board(size), &[], |planes| {
            let [own, opp, cells, latest] = self.places.map(|place| {
                move |planes: &mut Planes<'_>, row, column| {
                    if let Some(place) = place {
                        planes.set(place, row, column);
                    }
                }
            });
            for row in 1..=size {
                for side in [0, size + 1] {
                    own(planes, side, row);
                    opp(planes, row, side);
                }
                for column in 1..=size {
                    let point = seen(row, column);
                    cells(planes, row, column);
                    match position.cell(point).colour() {
                        Some(colour) if colour == mover => own(planes, row, column),
                        Some(_) => opp(planes, row, column),
                        None => {}
                    }
                    if last == Some(point) {
                        latest(planes, row, column);
                    }
                }
            }
        });
        let mut policy = found.policy.clone();
        if mover == Colour::White {
            for (number, logit) in policy.iter_mut().enumerate() {
                *logit = found.policy[number % size * size + number / size];
            }
        }
        Evaluation { policy, value_logit: found.value_logit }
    }
}

/// The board of a size.
fn board(size: usize) -> &'static Board {
    static BOARDS: [OnceLock<Board>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
    BOARDS[size].get_or_init(|| Board::rectangle(size, size))
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
                let one = net.evaluate(&mut scratch, &game(size, &cells[..count], false));
                let other = net.evaluate(&mut scratch, &game(size, &cells[..count], true));
                assert_eq!(one.value_logit, other.value_logit);
                for (number, logit) in one.policy.iter().enumerate() {
                    assert_eq!(*logit, other.policy[number % size * size + number / size]);
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
            let evaluation = net.evaluate(&mut scratch, &position);
            assert!(evaluation.value_logit > 1.0, "{to_move}: {}", evaluation.value_logit);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let logit = |mv: &&crate::HexMove| evaluation.policy[usize::from(mv.0)];
            let best = moves.iter().max_by(|a, b| logit(a).total_cmp(&logit(b))).unwrap();
            assert_eq!(position.move_text(*best), "c3", "{to_move}");
        }
    }
}
