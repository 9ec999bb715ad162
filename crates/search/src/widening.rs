//! Progressive widening: a node starts with its most promising move and admits more as it is visited.
//!
//! Implements N6 (Ikeda & Viennot 2014, eq. 3): `T = 1 + log N / log mu`, rounded down, where `N` is
//! the number of visits of the node and `T` the number of its moves that may be searched. Moves are
//! ordered by falling prior, so the admitted ones are a prefix and this module keeps no state per node.

use std::fmt;

/// How fast a node widens: `first_visit[i]` is the number of visits at which move `i + 2` is admitted.
///
/// The thresholds are integers worked out once, so that selection compares integers and every
/// machine admits the same moves, whatever its logarithm rounds to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Widening {
    first_visit: Vec<u64>,
}

/// `mu` must be a number above 1: at 1 every move is admitted at once, below it the formula means nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvalidMu(pub f64);

impl fmt::Display for InvalidMu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "widening.mu is {}; it must be above 1 (1.8 is the paper's value, 1.0001 searches all moves)",
            self.0
        )
    }
}

impl std::error::Error for InvalidMu {}

impl Widening {
    /// Thresholds for nodes of up to `max_moves` moves.
    pub(crate) fn new(mu: f64, max_moves: usize) -> Result<Self, InvalidMu> {
        if !(mu > 1.0 && mu.is_finite()) {
            return Err(InvalidMu(mu));
        }
        // T >= i + 1 from N >= mu^i on. Powers by multiplication, slightly below, so that an exact
        // power such as 2^13 is not missed by one rounding.
        let mut power = 1.0;
        let first_visit = (1..max_moves)
            .map(|_| {
                power *= mu;
                (power * (1.0 - 1e-12)).ceil() as u64
            })
            .collect();
        Ok(Self { first_visit })
    }

    /// How many of a node's `moves` may be selected after `visits` visits; at least one if there is one.
    #[inline]
    pub(crate) fn admitted(&self, visits: u64, moves: usize) -> usize {
        (1 + self.first_visit.partition_point(|&first| first <= visits)).min(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_paper() {
        // Worked by hand: ln 1000 / ln 1.8 = 6.9078 / 0.5878 = 11.75, so T = 12.75: twelve moves.
        assert_eq!(Widening::new(1.8, 169).unwrap().admitted(1000, 169), 12);
        // "only 7 candidate moves are searched when mu = 5" (section 4.2; 19,000 playouts): 1 + 9.85 / 1.61 = 7.12.
        assert_eq!(Widening::new(5.0, 169).unwrap().admitted(19_000, 169), 7);
    }

    #[test]
    fn an_exact_power_admits_its_move() {
        let doubling = Widening::new(2.0, 361).unwrap();
        assert_eq!(doubling.admitted(8191, 361), 13);
        assert_eq!(doubling.admitted(8192, 361), 14);
    }

    #[test]
    fn admits_one_move_at_first_and_never_more_than_there_are() {
        let slow = Widening::new(1.8, 361).unwrap();
        assert_eq!(slow.admitted(0, 361), 1);
        assert_eq!(slow.admitted(u64::MAX, 5), 5);
        assert_eq!(slow.admitted(10, 0), 0);
        assert_eq!(Widening::new(1.0001, 361).unwrap().admitted(2, 361), 361);
    }

    #[test]
    fn says_what_to_do_about_a_bad_mu() {
        assert!(Widening::new(1.0, 81).unwrap_err().to_string().contains("above 1"));
        assert!(Widening::new(f64::NAN, 81).is_err());
    }
}
