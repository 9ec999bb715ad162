//! The state of a board recomputed the plain way, for tests.

use super::*;

impl<C: BoardClass> Board<C> {
    /// The hash of the stones from scratch.
    pub(crate) fn recomputed_hash(&self) -> u64 {
        let key = |p| Some(C::keys()[Point::index(p)][self.stone(p)?.index()]);
        self.points().filter_map(key).fold(0, |a, b| a ^ b)
    }

    /// Panics unless all incremental state equals what the stones alone give.
    pub(crate) fn check(&self) {
        let mut counts = [0; 4];
        for p in self.points() {
            counts[usize::from(self.colour[p])] += 1;
            assert_eq!(self.code[p], self.plain_code(p), "3x3 code of {p:?}");
            if self.is_empty(p) {
                assert_eq!(self.empties.at(usize::from(self.place[p])), p);
                assert_eq!(self.head[p], Point::NONE);
            } else {
                self.check_chain(p);
            }
        }
        assert_eq!(counts[0], self.empty_count());
        assert_eq!(counts[1], self.stone_count(Player::First));
        assert_eq!(counts[2], self.stone_count(Player::Second));
        assert!(self.chains[Point::NONE].liberties.is_empty());
        assert_eq!(self.chains[Point::NONE].count, 0);
    }

    fn check_chain(&self, p: Point) {
        let mut chain = vec![p];
        let mut liberties = Vec::new();
        let mut at = 0;
        while at < chain.len() {
            for n in chain[at].neighbours::<C>() {
                if self.colour[n] == self.colour[p] && !chain.contains(&n) {
                    chain.push(n);
                } else if self.is_empty(n) && !liberties.contains(&n) {
                    liberties.push(n);
                }
            }
            at += 1;
        }
        chain.sort_unstable();
        liberties.sort_unstable();
        let mut stones: Vec<_> = self.chain_stones(p).collect();
        stones.sort_unstable();
        assert_eq!(stones, chain, "stones of the chain of {p:?}");
        assert!(chain.contains(&self.head(p)));
        assert!(chain.iter().all(|&s| self.head(s) == self.head(p)));
        assert!(!liberties.is_empty(), "a chain without liberties at {p:?}");
        assert_eq!(self.liberty_count(p), liberties.len());
        assert_eq!(self.liberties(p).iter().collect::<Vec<_>>(), liberties);
        assert_eq!(self.chain_size(p), chain.len());
    }
}
