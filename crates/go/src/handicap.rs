//! Handicap stones: the fixed places of GTP, and places of the same kind for free placement.

use kosumi_game::Player;

use crate::{BoardClass, Point, Position, SetupError};

/// How many fixed handicap stones a board of that size takes: GTP gives none to boards below 7
/// lines, four to even boards and to 7x7, nine to the others.
#[must_use]
pub const fn max_fixed_handicap(size: usize) -> usize {
    match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The points of `stones` fixed handicap stones, in the order of the GTP specification.
///
/// # Errors
/// Says how many stones the board takes.
pub fn fixed_handicap<C: BoardClass>(size: usize, stones: usize) -> Result<Vec<Point>, SetupError> {
    let most = max_fixed_handicap(size);
    if !(2..=most).contains(&stones) {
        let expected = match most {
            0 => "a board of at least 7 lines".to_string(),
            most => format!("2 to {most}"),
        };
        return Err(SetupError::Handicap { stones, size, expected });
    }
    let low = if size >= 13 { 3 } else { 2 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut places = corners[..stones.min(4)].to_vec();
    // From five stones on pairs of sides are added; an odd stone goes to the centre.
    places.extend(&sides[..stones.saturating_sub(4) / 2 * 2]);
    if stones > 4 && stones % 2 == 1 {
        places.push((middle, middle));
    }
    Ok(places.iter().map(|&(x, y)| Point::at::<C>(x, y)).collect())
}

/// Points for `stones` handicap stones that Black places freely: the fixed ones as far as they go,
/// then the empty point farthest from all stones and the edge, again and again.
///
/// # Errors
/// If there are less than two stones, or not one point is left free for each.
pub fn free_handicap<C: BoardClass>(size: usize, stones: usize) -> Result<Vec<Point>, SetupError> {
    let most = size * size - 1;
    if !(2..=most).contains(&stones) {
        return Err(SetupError::Handicap { stones, size, expected: format!("2 to {most}") });
    }
    let fixed = stones.min(max_fixed_handicap(size));
    let mut places = if fixed >= 2 { fixed_handicap::<C>(size, fixed)? } else { Vec::new() };
    while places.len() < stones {
        let distance = |p: &Point| {
            let (x, y) = p.xy::<C>();
            let edge = 2 * (1 + x.min(y).min(size - 1 - x).min(size - 1 - y));
            let nearest = places.iter().map(|q: &Point| {
                let (a, b) = q.xy::<C>();
                x.abs_diff(a) + y.abs_diff(b)
            });
            nearest.chain([edge]).min()
        };
        let all = (0..size).flat_map(|y| (0..size).map(move |x| Point::at::<C>(x, y)));
        let free = all.filter(|p| !places.contains(p));
        match free.max_by_key(distance) {
            Some(p) => places.push(p),
            None => break,
        }
    }
    Ok(places)
}

impl<C: BoardClass> Position<C> {
    /// Puts handicap stones for Black on an empty board and gives White the move.
    ///
    /// # Errors
    /// If a move was played, stones are there, or a point is off the board or named twice.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetupError> {
        if self.move_count() > 0 || self.board().empty_count() != self.size() * self.size() {
            return Err(SetupError::NotEmpty);
        }
        let stones: Vec<_> = points.iter().map(|&p| (Player::First, p)).collect();
        let mut placed = Self::from_stones(self.size(), *self.rules(), &stones, Player::Second)?;
        placed.set_handicap(points.len());
        *self = placed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::is_star;
    use crate::{Rules, UpTo9, UpTo19, UpTo25};
    use kosumi_game::Game;

    fn text<C: BoardClass>(size: usize, stones: usize) -> String {
        let position = Position::<C>::new(size, Rules::CHINESE).unwrap();
        let points = fixed_handicap::<C>(size, stones).unwrap();
        let names = points.iter().map(|&p| position.move_text(crate::GoMove::on(p)));
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_stones_are_those_of_gtp() {
        assert_eq!(text::<UpTo19>(19, 2), "D4 Q16");
        assert_eq!(text::<UpTo19>(19, 3), "D4 Q16 D16");
        assert_eq!(text::<UpTo19>(19, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(text::<UpTo19>(19, 6), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(text::<UpTo19>(19, 7), "D4 Q16 D16 Q4 D10 Q10 K10");
        assert_eq!(text::<UpTo19>(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(text::<UpTo9>(9, 4), "C3 G7 C7 G3");
        assert_eq!(text::<UpTo9>(8, 2), "C3 F6");
    }

    #[test]
    fn every_legal_number_fits_every_size() {
        for size in 2..=25 {
            for stones in 0..=12 {
                let fixed = fixed_handicap::<UpTo25>(size, stones);
                let fits = (2..=max_fixed_handicap(size)).contains(&stones);
                assert_eq!(fixed.is_ok(), fits, "{stones} on {size}");
                for p in fixed.unwrap_or_default() {
                    let (x, y) = p.xy::<UpTo25>();
                    assert!(is_star(size, x, y) || size < 15, "{size}: {x} {y}");
                }
                if stones >= 2 && stones < size * size {
                    let mut free = free_handicap::<UpTo25>(size, stones).unwrap();
                    free.sort_unstable();
                    free.dedup();
                    assert_eq!(free.len(), stones);
                }
            }
        }
        let error = fixed_handicap::<UpTo9>(5, 2).unwrap_err().to_string();
        assert!(error.contains("at least 7"), "{error}");
        assert!(free_handicap::<UpTo9>(3, 9).is_err());
    }

    #[test]
    fn handicap_gives_white_the_move_and_compensation() {
        let mut game = Position::<UpTo9>::new(9, Rules::CHINESE).unwrap();
        let points = fixed_handicap::<UpTo9>(9, 3).unwrap();
        game.place_handicap(&points).unwrap();
        assert_eq!(game.to_move(), Player::Second);
        assert_eq!((game.handicap(), game.white_half_points()), (3, 15 + 6));
        assert_eq!(game.place_handicap(&points), Err(SetupError::NotEmpty));
    }
}
