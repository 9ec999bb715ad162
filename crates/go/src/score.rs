//! Area scoring of a board as it stands: stones, and empty regions that touch one colour only.

use kosumi_game::{Player, Reward};

use crate::class::{PerPoint, PointSet};
use crate::{Board, BoardClass, Point};

impl<C: BoardClass> Board<C> {
    /// Black's area less White's.
    ///
    /// At the end of a playout nearly every empty point is a single one, which its 3x3 code
    /// decides; larger regions are filled.
    #[must_use]
    pub fn area_score(&self) -> i32 {
        let mut score =
            self.stone_count(Player::First) as i32 - self.stone_count(Player::Second) as i32;
        let mut seen = PointSet::<C>::EMPTY;
        for index in 0..self.empty_count() {
            let p = self.empty_point(index);
            let code = self.code(p);
            if !code.has_empty_neighbour() {
                score += i32::from(code.is_surrounded_by(Player::First))
                    - i32::from(code.is_surrounded_by(Player::Second));
            } else if !seen.contains(p) {
                score += self.region_score(p, &mut seen);
            }
        }
        score
    }

    /// The points of the empty region of `p`, counted for Black; 0 if both or no colours touch it.
    fn region_score(&self, p: Point, seen: &mut PointSet<C>) -> i32 {
        let mut queue = PerPoint::<C, Point>::filled(Point::NONE);
        let mut touched = [false; 2];
        let mut length = 1;
        queue.put(0, p);
        seen.insert(p);
        let mut at = 0;
        while at < length {
            for n in queue.at(at).neighbours::<C>() {
                match self.stone(n) {
                    Some(player) => touched[player.index()] = true,
                    None if self.is_empty(n) && !seen.contains(n) => {
                        seen.insert(n);
                        queue.put(length, n);
                        length += 1;
                    }
                    None => {}
                }
            }
            at += 1;
        }
        match touched {
            [true, false] => length as i32,
            [false, true] => -(length as i32),
            _ => 0,
        }
    }

    /// Who owns each point by area, into `owner`: 1 for Black, -1 for White, 0 for neither.
    pub fn area_owners(&self, owner: &mut PerPoint<C, i8>) {
        owner.fill(0);
        let mut seen = PointSet::<C>::EMPTY;
        for p in self.points() {
            match self.stone(p) {
                Some(player) => owner[p] = sign(player),
                None if !seen.contains(p) => {
                    let mut region = PointSet::EMPTY;
                    let score = self.region_score(p, &mut region);
                    for q in &region {
                        seen.insert(q);
                        owner[q] = score.signum() as i8;
                    }
                }
                None => {}
            }
        }
    }
}

const fn sign(player: Player) -> i8 {
    match player {
        Player::First => 1,
        Player::Second => -1,
    }
}

/// The result of an area score when White gets `white_half_points` halves.
#[inline]
#[must_use]
pub fn reward(area_score: i32, white_half_points: i32) -> Reward {
    match (2 * area_score).cmp(&white_half_points) {
        std::cmp::Ordering::Greater => Reward::win(Player::First),
        std::cmp::Ordering::Less => Reward::win(Player::Second),
        std::cmp::Ordering::Equal => Reward::DRAW,
    }
}

#[cfg(test)]
impl<C: BoardClass> Board<C> {
    /// Area by asking, for every point and colour, whether the colour reaches it over empty points.
    pub(crate) fn plain_area_score(&self) -> i32 {
        let reached = |player| {
            let mut reached: Vec<Point> = self.points().filter(|&p| self.has(p, player)).collect();
            let mut at = 0;
            while at < reached.len() {
                for n in reached[at].neighbours::<C>() {
                    if self.is_empty(n) && !reached.contains(&n) {
                        reached.push(n);
                    }
                }
                at += 1;
            }
            reached
        };
        let (black, white) = (reached(Player::First), reached(Player::Second));
        let only = |a: &[Point], b: &[Point]| a.iter().filter(|p| !b.contains(p)).count() as i32;
        only(&black, &white) - only(&white, &black)
    }
}
