//! Weights of points, of which one is drawn in proportion to them.

use kosumi_game::Player;

use crate::class::PerPoint;
use crate::{BoardClass, Point};

/// Points whose weights have one sum.
const BLOCK: usize = 16;
/// Blocks of the largest class.
const BLOCKS: usize = 1024 / BLOCK;

/// A weight for each player on each point, with sums over blocks of points.
#[derive(Clone, Debug)]
pub(super) struct Field<C: BoardClass> {
    weights: PerPoint<C, [u16; 2]>,
    blocks: [[u32; 2]; BLOCKS],
    totals: [u32; 2],
}

impl<C: BoardClass> Field<C> {
    pub(super) fn new() -> Self {
        Self { weights: PerPoint::filled([0; 2]), blocks: [[0; 2]; BLOCKS], totals: [0; 2] }
    }

    /// Sets all weights to 0.
    pub(super) fn clear(&mut self) {
        self.weights.fill([0; 2]);
        self.blocks[..C::LEN.div_ceil(BLOCK)].fill([0; 2]);
        self.totals = [0; 2];
    }

    #[inline(always)]
    pub(super) fn weight(&self, p: Point, player: Player) -> u16 {
        self.weights[p][player.index()]
    }

    /// The sum of a player's weights.
    #[inline(always)]
    pub(super) fn total(&self, player: Player) -> u32 {
        self.totals[player.index()]
    }

    /// Sets the weights of a point.
    #[inline(always)]
    pub(super) fn set(&mut self, p: Point, weights: [u16; 2]) {
        let before = std::mem::replace(&mut self.weights[p], weights);
        let block = &mut self.blocks[p.index() / BLOCK % BLOCKS];
        for side in 0..2 {
            let more = u32::from(weights[side]).wrapping_sub(u32::from(before[side]));
            block[side] = block[side].wrapping_add(more);
            self.totals[side] = self.totals[side].wrapping_add(more);
        }
    }

    /// The point at which the sum of the player's weights, point by point, exceeds `at`, which is
    /// less than their total.
    #[inline]
    pub(super) fn at(&self, player: Player, mut at: u32) -> Point {
        let side = player.index();
        let mut block = 0;
        while at >= self.blocks[block][side] {
            at -= self.blocks[block][side];
            block += 1;
        }
        let mut index = block * BLOCK;
        loop {
            let weight = u32::from(self.weights.at(index)[side]);
            if at < weight {
                return Point::from_index(index);
            }
            at -= weight;
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo13;
    use kosumi_game::Rng;

    #[test]
    fn every_point_is_found_as_often_as_its_weight() {
        let mut field = Field::<UpTo13>::new();
        let mut weights = [[0u16; 2]; 256];
        let mut rng = Rng::new(3);
        for _ in 0..2000 {
            let index = rng.below(256) as usize;
            weights[index] = [rng.below(4) as u16, rng.below(3) as u16];
            field.set(Point::from_index(index), weights[index]);
        }
        for player in Player::BOTH {
            let mut found = [0u16; 256];
            for at in 0..field.total(player) {
                found[field.at(player, at).index()] += 1;
            }
            assert_eq!(found, weights.map(|pair| pair[player.index()]));
        }
        field.clear();
        assert_eq!(field.total(Player::First), 0);
    }
}
