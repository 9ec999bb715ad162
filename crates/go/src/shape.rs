//! Eye shapes: which small regions a stone on the vital point kills (nakade).

use crate::class::PointSet;
use crate::{BoardClass, Point};

/// The point that makes two eyes of a region, or prevents them; `None` if the region needs no move
/// or no single one decides. Regions of 3 to 6 points: three in a row or bent, the T and the
/// square of four, the cross and the bulky five, the rabbity six.
///
/// A shape is told apart by its points, its inner edges, and the neighbours of its busiest point.
#[must_use]
pub(crate) fn vital_point<C: BoardClass>(region: &[Point]) -> Option<Point> {
    if !(3..=6).contains(&region.len()) {
        return None;
    }
    let mut set = PointSet::<C>::EMPTY;
    for &p in region {
        set.insert(p);
    }
    let degree = |p: Point| {
        let inside = |&n: &Point| set.contains(n);
        p.neighbours::<C>().iter().filter(|n| inside(n)).count()
    };
    let (mut edges, mut busiest, mut most) = (0, region[0], 0);
    for &p in region {
        let d = degree(p);
        edges += d;
        if d > most {
            (busiest, most) = (p, d);
        }
    }
    let kills = match (region.len(), edges / 2, most) {
        (3, _, _) => true,
        // T, square.
        (4, 3, 3) | (4, 4, _) => true,
        // Cross, bulky five.
        (5, 4, 4) | (5, 5, 3) => true,
        // Rabbity six.
        (6, 6, 4) => true,
        _ => false,
    };
    kills.then_some(busiest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;

    fn vital(cells: &[(usize, usize)]) -> Option<(usize, usize)> {
        let region: Vec<Point> = cells.iter().map(|&(x, y)| Point::at::<UpTo9>(x, y)).collect();
        vital_point::<UpTo9>(&region).map(|p| p.xy::<UpTo9>())
    }

    #[test]
    fn killing_shapes_have_a_vital_point() {
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0)]), Some((1, 0)));
        assert_eq!(vital(&[(0, 1), (0, 0), (1, 0)]), Some((0, 0)));
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0), (1, 1)]), Some((1, 0)));
        assert!(vital(&[(0, 0), (1, 0), (0, 1), (1, 1)]).is_some());
        let cross = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
        assert_eq!(vital(&cross), Some((1, 1)));
        let bulky = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0)];
        assert_eq!(vital(&bulky), Some((1, 0)));
        let rabbity = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
        assert_eq!(vital(&rabbity), Some((1, 1)));
    }

    #[test]
    fn living_and_tiny_shapes_have_none() {
        assert_eq!(vital(&[(0, 0), (1, 0)]), None);
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0), (3, 0)]), None);
        assert_eq!(vital(&[(0, 0), (1, 0), (1, 1), (2, 1)]), None);
        assert_eq!(vital(&[(0, 0), (1, 0), (2, 0), (3, 0), (1, 1)]), None);
        let block = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)];
        assert_eq!(vital(&block), None);
    }
}
