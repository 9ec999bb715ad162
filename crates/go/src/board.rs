//! The board: stones, chains with exact liberties, 3x3 codes, empty points and simple ko, all kept
//! up to date move by move.
//!
//! A chain is known by its head, one of its stones; its stones form a ring. Chain 0 stands for
//! empty points and the border: it never has a liberty, so that playing a stone can update the
//! chains of all four neighbours without asking what they are.

use kosumi_game::Player;

use crate::class::{PerPoint, PointSet};
use crate::code::{BORDER, Code, EMPTY, stone};
use crate::{BoardClass, Point};

/// What is known of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain<C: BoardClass> {
    pub(crate) liberties: PointSet<C>,
    /// How many points `liberties` has.
    pub(crate) count: u16,
    pub(crate) stones: u16,
}

impl<C: BoardClass> Chain<C> {
    const NONE: Self = Self { liberties: PointSet::EMPTY, count: 0, stones: 0 };
}

/// Stones on a board of one class, without rules about repetition or turns.
// The chains come first: on 19x19 each is then one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Board<C: BoardClass> {
    chains: PerPoint<C, Chain<C>>,
    code: PerPoint<C, u16>,
    head: PerPoint<C, Point>,
    next: PerPoint<C, Point>,
    /// The empty points in any order, and where in that list each is.
    empties: PerPoint<C, Point>,
    place: PerPoint<C, u16>,
    colour: PerPoint<C, u8>,
    hash: u64,
    empty_count: u16,
    stones: [u16; 2],
    prisoners: [u16; 2],
    ko: Point,
    size: u8,
}

impl<C: BoardClass> Board<C> {
    /// An empty board, or `None` if the class has no board of that size.
    #[must_use]
    pub fn new(size: usize) -> Option<Self> {
        if !(2..=C::MAX_SIZE).contains(&size) {
            return None;
        }
        let mut board = Self {
            chains: PerPoint::filled(Chain::NONE),
            code: PerPoint::filled(0),
            head: PerPoint::filled(Point::NONE),
            next: PerPoint::filled(Point::NONE),
            empties: PerPoint::filled(Point::NONE),
            place: PerPoint::filled(0),
            colour: PerPoint::filled(BORDER),
            hash: 0,
            empty_count: 0,
            stones: [0; 2],
            prisoners: [0; 2],
            ko: Point::NONE,
            size: size as u8,
        };
        for p in board.points() {
            board.colour[p] = EMPTY;
            board.add_empty(p);
        }
        for p in board.points() {
            board.code[p] = board.plain_code(p);
        }
        Some(board)
    }

    /// Lines of the board.
    #[inline(always)]
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// All points from the lower left on, line by line.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<C> {
        let size = self.size();
        (0..size).flat_map(move |y| (0..size).map(move |x| Point::at::<C>(x, y)))
    }

    /// Whether the point lies on the board.
    #[inline]
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        p.index() < C::LEN && self.colour[p] != BORDER
    }

    /// Whose stone is there; `None` for empty points and the border.
    #[inline]
    #[must_use]
    pub fn stone(&self, p: Point) -> Option<Player> {
        match self.colour[p] {
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => None,
        }
    }

    /// Whether the point is on the board and empty.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self, p: Point) -> bool {
        self.colour[p] == EMPTY
    }

    /// Whether a stone of `player` is there.
    #[inline(always)]
    #[must_use]
    pub fn has(&self, p: Point, player: Player) -> bool {
        self.colour[p] == stone(player)
    }

    /// The colours around a point of the board.
    #[inline(always)]
    #[must_use]
    pub fn code(&self, p: Point) -> Code {
        Code(self.code[p])
    }

    /// The stone that stands for the chain of `p`; [`Point::NONE`] if no stone is there.
    #[inline(always)]
    #[must_use]
    pub fn head(&self, p: Point) -> Point {
        self.head[p]
    }

    /// How many liberties the chain of `p` has; 0 if no stone is there.
    #[inline(always)]
    #[must_use]
    pub fn liberty_count(&self, p: Point) -> usize {
        usize::from(self.chain(p).count)
    }

    /// The liberties of the chain of `p`.
    #[inline(always)]
    #[must_use]
    pub fn liberties(&self, p: Point) -> &PointSet<C> {
        &self.chain(p).liberties
    }

    /// How many stones the chain of `p` has; 0 if no stone is there.
    #[inline(always)]
    #[must_use]
    pub fn chain_size(&self, p: Point) -> usize {
        usize::from(self.chain(p).stones)
    }

    /// The stones of the chain of `p`.
    pub fn chain_stones(&self, p: Point) -> impl Iterator<Item = Point> + '_ {
        let head = self.head[p];
        let mut at = head;
        let mut left = self.chain_size(p);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            at = self.next[at];
            Some(at)
        })
    }

    /// The stone after `p` in the ring of its chain.
    #[inline(always)]
    pub(crate) fn next_stone(&self, p: Point) -> Point {
        self.next[p]
    }

    #[inline(always)]
    pub(crate) fn chain(&self, p: Point) -> &Chain<C> {
        &self.chains[self.head[p]]
    }

    /// How many points are empty.
    #[inline(always)]
    #[must_use]
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty_count)
    }

    /// Empty point number `index` in an order that depends on how the position came about.
    #[inline(always)]
    #[must_use]
    pub fn empty_point(&self, index: usize) -> Point {
        self.empties.at(index)
    }

    /// How many stones `player` has on the board.
    #[inline]
    #[must_use]
    pub fn stone_count(&self, player: Player) -> usize {
        usize::from(self.stones[player.index()])
    }

    /// How many stones `player` has lost, by capture or suicide.
    #[inline]
    #[must_use]
    pub fn prisoners(&self, player: Player) -> usize {
        usize::from(self.prisoners[player.index()])
    }

    /// The point that the simple ko rule closes to the player whose stone was just taken;
    /// [`Point::NONE`] if there is none.
    #[inline(always)]
    #[must_use]
    pub fn ko(&self) -> Point {
        self.ko
    }

    /// Zobrist hash of the stones. Playouts do not keep it up to date.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Opens the ko: something else was played, or a pass.
    #[inline(always)]
    pub(crate) fn forget_ko(&mut self) {
        self.ko = Point::NONE;
    }

    /// Whether a stone of `player` on the empty point `p` would stand without liberties.
    #[inline(always)]
    #[must_use]
    pub fn is_suicide(&self, p: Point, player: Player) -> bool {
        if self.code(p).has_empty_neighbour() {
            return false;
        }
        let mine = stone(player);
        let mut lives = false;
        for n in p.neighbours::<C>() {
            let (colour, atari) = (self.colour[n], self.chain(n).count == 1);
            // An own chain with another liberty, or an opponent's chain without one.
            lives |= (colour != BORDER) & ((colour == mine) != atari);
        }
        !lives
    }

    /// Whether a stone of `player` on the empty point `p` takes stones.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, p: Point, player: Player) -> bool {
        let theirs = stone(player.opponent());
        p.neighbours::<C>()
            .into_iter()
            .any(|n| self.colour[n] == theirs && self.chain(n).count == 1)
    }

    /// Whether `player` may play on `p`, by simple ko and without suicide: what playouts ask.
    #[inline(always)]
    #[must_use]
    pub fn is_playable(&self, p: Point, player: Player) -> bool {
        self.colour[p] == EMPTY && p != self.ko && !self.is_suicide(p, player)
    }

    /// Plays a stone on an empty point and takes what it captures; a chain left without liberties
    /// is taken too. Keeps the hash up to date.
    pub fn play(&mut self, p: Point, player: Player) {
        self.place_stone::<true>(p, player);
    }

    /// [`Board::play`] without the hash, for playouts.
    #[inline(always)]
    pub(crate) fn play_unhashed(&mut self, p: Point, player: Player) {
        self.place_stone::<false>(p, player);
    }

    #[inline(always)]
    fn place_stone<const HASHED: bool>(&mut self, p: Point, player: Player) {
        debug_assert!(self.is_empty(p));
        let (mine, theirs) = (stone(player), stone(player.opponent()));
        let own = self.code(p).stones_beside(player);
        let neighbours = p.neighbours::<C>();
        self.remove_empty(p);
        self.colour[p] = mine;
        self.stones[player.index()] += 1;
        self.toggle_codes(p, mine);
        if HASHED {
            self.hash ^= C::keys()[p.index()][player.index()];
        }

        let mut captures = false;
        for n in neighbours {
            let chain = &mut self.chains[self.head[n]];
            chain.count -= chain.liberties.remove(p);
            captures |= (chain.count == 0) & (self.colour[n] == theirs);
        }

        let mut head = p;
        if own == 0 {
            self.next[p] = p;
            self.chains[p] = Chain::NONE;
        } else {
            head = self.head[neighbours[own.trailing_zeros() as usize / 2]];
            let mut rest = own & (own - 1);
            while rest != 0 {
                let other = self.head[neighbours[rest.trailing_zeros() as usize / 2]];
                if other != head {
                    head = self.merge(head, other);
                }
                rest &= rest - 1;
            }
            self.next[p] = self.next[head];
            self.next[head] = p;
        }
        self.head[p] = head;
        let empty = neighbours.map(|n| u64::from(self.colour[n] == EMPTY));
        let chain = &mut self.chains[head];
        chain.stones += 1;
        for (n, empty) in neighbours.into_iter().zip(empty) {
            chain.count += chain.liberties.insert_if(n, empty);
        }

        self.ko = Point::NONE;
        if captures {
            let mut taken = 0;
            let mut last = p;
            for n in neighbours {
                if self.colour[n] == theirs && self.chain(n).count == 0 {
                    taken += self.chain(n).stones;
                    last = n;
                    self.take::<HASHED>(n, player.opponent());
                }
            }
            let chain = &self.chains[head];
            if taken == 1 && chain.stones == 1 && chain.count == 1 {
                self.ko = last;
            }
        } else if self.chains[head].count == 0 {
            self.take::<HASHED>(p, player);
        }
    }

    /// Joins two chains of a colour; the smaller one's stones change their head.
    fn merge(&mut self, a: Point, b: Point) -> Point {
        let (big, small) =
            if self.chains[a].stones >= self.chains[b].stones { (a, b) } else { (b, a) };
        let mut at = small;
        loop {
            self.head[at] = big;
            at = self.next[at];
            if at == small {
                break;
            }
        }
        let after = self.next[big];
        self.next[big] = self.next[small];
        self.next[small] = after;
        let joining = self.chains[small];
        let chain = &mut self.chains[big];
        let shared = chain.liberties.union(&joining.liberties);
        chain.count += joining.count - shared;
        chain.stones += joining.stones;
        big
    }

    /// Takes the chain of `p`, a chain of `loser`, off the board.
    fn take<const HASHED: bool>(&mut self, p: Point, loser: Player) {
        let first = self.head[p];
        let count = self.chains[first].stones;
        self.stones[loser.index()] -= count;
        self.prisoners[loser.index()] += count;
        let mut at = first;
        loop {
            self.colour[at] = EMPTY;
            self.head[at] = Point::NONE;
            self.add_empty(at);
            self.toggle_codes(at, stone(loser));
            if HASHED {
                self.hash ^= C::keys()[at.index()][loser.index()];
            }
            for n in at.neighbours::<C>() {
                // The taken chain itself may collect liberties here; it is gone anyway.
                let head = self.head[n];
                let chain = &mut self.chains[head];
                chain.count += chain.liberties.insert_if(at, u64::from(head != Point::NONE));
            }
            at = self.next[at];
            if at == first {
                break;
            }
        }
    }

    #[inline(always)]
    fn toggle_codes(&mut self, p: Point, colour: u8) {
        // Seen from its neighbour `k`, `p` is neighbour `3 - k`.
        for (k, n) in p.neighbours::<C>().into_iter().enumerate() {
            self.code[n] ^= u16::from(colour) << (2 * (3 - k));
        }
        for (k, n) in p.diagonals::<C>().into_iter().enumerate() {
            self.code[n] ^= u16::from(colour) << (8 + 2 * (3 - k));
        }
    }

    #[inline(always)]
    fn remove_empty(&mut self, p: Point) {
        self.empty_count -= 1;
        let last = self.empties.at(usize::from(self.empty_count));
        let place = self.place[p];
        self.empties.put(usize::from(place), last);
        self.place[last] = place;
    }

    #[inline(always)]
    fn add_empty(&mut self, p: Point) {
        self.empties.put(usize::from(self.empty_count), p);
        self.place[p] = self.empty_count;
        self.empty_count += 1;
    }

    /// The 3x3 code read off the stones.
    fn plain_code(&self, p: Point) -> u16 {
        let around = p.neighbours::<C>().into_iter().chain(p.diagonals::<C>());
        around.enumerate().map(|(k, n)| u16::from(self.colour[n]) << (2 * k)).sum()
    }
}

#[cfg(test)]
mod check;
