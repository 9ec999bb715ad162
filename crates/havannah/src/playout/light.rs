//! Uniform playouts: the empty cells in random order until somebody wins.

use kosumi_game::{Playout, Reward, Rng, Trace};

use crate::board::Board;
use crate::geometry::for_each_place;
use crate::{Colour, Havannah};

/// Plays uniformly random stones to the first win or a full board. Never swaps.
#[derive(Clone, Debug, Default)]
pub struct LightPlayout {
    board: Option<Board>,
    empties: Vec<u16>,
}

impl LightPlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Playout<Havannah> for LightPlayout {
    fn run(&mut self, from: &Havannah, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let board = match &mut self.board {
            Some(board) => {
                board.clone_from(&from.board);
                board
            }
            none => none.insert(from.board.clone()),
        };
        self.empties.clear();
        for_each_place(board.empties(), |place| self.empties.push(place as u16));
        let indices = &board.geometry.indices;
        let players = Colour::BOTH.map(|colour| from.player_of(colour));
        let mut colour = from.colour_to_move().index();
        // A shuffle from the back, drawn only as far as the game goes.
        for left in (1..=self.empties.len()).rev() {
            let drawn = rng.below(left as u32) as usize;
            let place = usize::from(self.empties[drawn]);
            self.empties[drawn] = self.empties[left - 1];
            trace.push(players[colour], indices[place].into());
            if board.place(colour, place) {
                return Reward::win(players[colour]);
            }
            colour ^= 1;
        }
        Reward::DRAW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HavannahRules, MAX_SIZE, MIN_SIZE};
    use kosumi_game::testing::playout_conformance;
    use kosumi_game::{Game, Player};

    #[test]
    fn conforms_at_all_sizes() {
        for size in MIN_SIZE..=MAX_SIZE {
            for swap in [false, true] {
                let mut start = Havannah::new(size, HavannahRules { swap }).unwrap();
                let rewards = playout_conformance(&start, LightPlayout::new, 300, 3, true);
                let won = rewards.iter().filter(|reward| reward.winner() == Some(Player::First));
                assert!((100..230).contains(&won.count()), "nearly even");
                // After a swap the colours are exchanged.
                start.play(start.cell(0, 1).unwrap());
                if swap {
                    start.play(start.swap_move());
                }
                playout_conformance(&start, LightPlayout::new, 100, 5, true);
            }
        }
    }
}
