//! Whether the winner joins his sides on a carrier though the loser moves first: part of the
//! checker, which shares no code with the solver.
//!
//! The winner's stones are taken together with what they touch, and the cells of the carrier are
//! tried out. Two plain facts keep that short, both of them about ways from side to side:
//!
//! - a cell whose neighbours all touch one another lies on no way that cannot do without it, so it
//!   does not matter whose it is;
//! - of two cells, each of which no longer matters once the other is the winner's, he gets one
//!   whatever the loser does; so both are as good as his.

use std::collections::HashMap;

use crate::Colour;

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Set([u64; 6]);

impl Set {
    pub(super) const NONE: Self = Self([0; 6]);

    pub(super) fn of(cells: impl IntoIterator<Item = usize>) -> Self {
        let mut words = [0; 6];
        cells.into_iter().for_each(|cell| words[cell / 64] |= 1 << (cell % 64));
        Self(words)
    }

    fn combined(self, other: Self, with: fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| with(self.0[i], other.0[i])))
    }

    pub(super) fn and(self, other: Self) -> Self {
        self.combined(other, |a, b| a & b)
    }

    pub(super) fn or(self, other: Self) -> Self {
        self.combined(other, |a, b| a | b)
    }

    pub(super) fn minus(self, other: Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }

    pub(super) fn has(self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub(super) fn lowest(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }
}

/// The winner's view of the board.
pub(super) struct Board {
    pub(super) size: usize,
    pub(super) winner: Colour,
}

impl Board {
    pub(super) fn cells(&self) -> usize {
        self.size * self.size
    }

    /// How far a cell is from the winner's first side: by rows for Black, by columns for White.
    fn progress(&self, cell: usize) -> usize {
        match self.winner {
            Colour::Black => cell / self.size,
            Colour::White => cell % self.size,
        }
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let size = self.size as isize;
        let (row, column) = ((cell / self.size) as isize, (cell % self.size) as isize);
        [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
            .into_iter()
            .map(move |(down, right)| (row + down, column + right))
            .filter(move |(row, column)| (0..size).contains(row) && (0..size).contains(column))
            .map(move |(row, column)| (row * size + column) as usize)
    }

    /// The cells of a set that hang together with one of them.
    fn chain(&self, from: usize, cells: Set) -> Set {
        let (mut chain, mut fresh) = (Set::of([from]), vec![from]);
        while let Some(cell) = fresh.pop() {
            for next in self.neighbours(cell) {
                if cells.has(next) && !chain.has(next) {
                    chain = chain.or(Set::of([next]));
                    fresh.push(next);
                }
            }
        }
        chain
    }

    /// Whether these cells join the winner's sides.
    pub(super) fn joins(&self, cells: Set) -> bool {
        (0..self.cells()).filter(|&cell| self.progress(cell) == 0 && cells.has(cell)).any(|cell| {
            let chain = self.chain(cell, cells);
            (0..self.cells()).any(|end| chain.has(end) && self.progress(end) == self.size - 1)
        })
    }
}

/// Some cells of a carrier, by their place in it.
type Part = u64;

/// A carrier has at most so many cells.
const MOST_PLACES: usize = Part::BITS as usize;

/// Why a carrier could not be tried out to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooHard;

/// The cells of a carrier that the winner needs to join his sides though the loser moves first;
/// `None` if he cannot. At most so many steps are taken.
pub(super) fn needed_cells(
    board: &Board,
    stones: Set,
    carrier: &[usize],
    steps: u32,
) -> Result<Option<Vec<usize>>, TooHard> {
    if carrier.len() > MOST_PLACES {
        return Err(TooHard);
    }
    let mut trial = Trial::new(board, stones, carrier, steps);
    let needed = trial.second(0, all_places(carrier))?;
    Ok(needed.map(|part| places(part).map(|place| carrier[place]).collect()))
}

/// Pairs of cells that are as good as the winner's by the second fact, one after the other, with
/// what is free; none on a board too large for it.
pub(super) fn captured_pairs(board: &Board, stones: Set, free: &[usize]) -> Vec<[usize; 2]> {
    if free.len() > MOST_PLACES {
        return Vec::new();
    }
    let trial = Trial::new(board, stones, free, 0);
    let reduced = trial.reduced(0, all_places(free));
    reduced.pairs.into_iter().map(|pair| pair.map(|place| free[place])).collect()
}

/// Whether such pairs are captured indeed.
pub(super) fn are_captured(
    board: &Board,
    stones: Set,
    free: &[usize],
    pairs: &[[usize; 2]],
) -> bool {
    if free.len() > MOST_PLACES {
        return false;
    }
    let trial = Trial::new(board, stones, free, 0);
    let (mut own, mut left) = (0, all_places(free));
    for pair in pairs {
        let view = trial.view(own);
        if view.joined {
            return true;
        }
        left = view.without_idle(left);
        let place = |cell: usize| free.iter().position(|&other| other == cell);
        let [Some(a), Some(b)] = pair.map(place) else {
            return false;
        };
        // Idle cells may be called the winner's. With fewer cells free than when the pair was
        // found, both may be idle; of one that is given up the other may be left.
        let is_idle = |place: usize| left >> place & 1 == 0 || view.is_idle(place, left);
        let idle = [a, b].map(|place| left >> place & 1 == 0);
        let given = if idle == [false, false] {
            a != b && view.is_captured(a, b, left)
        } else {
            is_idle(a) && is_idle(b)
        };
        if !given {
            return false;
        }
        own |= 1 << a | 1 << b;
        left &= !own;
    }
    true
}

fn all_places(cells: &[usize]) -> Part {
    cells.iter().enumerate().fold(0, |all, (place, _)| all | 1 << place)
}

/// Tries out whether the winner joins his sides on a carrier, with his stones as they are.
struct Trial {
    /// The places that touch the first and the second side, by themselves or by a chain of stones.
    ends: [Part; 2],
    /// For each place what it touches, by itself or by a chain of stones.
    touched: Vec<Part>,
    /// The stones alone join the sides.
    joined: bool,
    /// What the winner needs, if he can, by [`Reduced::key`] and whether he moves.
    tried: HashMap<(Vec<Part>, bool), Option<Part>>,
    steps_left: u32,
}

/// The places in a part.
fn places(mut part: Part) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (part != 0).then(|| {
            let place = part.trailing_zeros() as usize;
            part &= part - 1;
            place
        })
    })
}

/// The carrier when some of it is the winner's: what touches what, by itself or by his cells.
struct View {
    touched: [Part; MOST_PLACES],
    ends: [Part; 2],
    joined: bool,
}

impl View {
    /// Whether the way from side to side is open on these places.
    fn leads_through(&self, free: Part) -> bool {
        let mut reached = self.ends[0] & free;
        let mut fresh = reached;
        while fresh != 0 {
            let step = self.touched[fresh.trailing_zeros() as usize] & free & !reached;
            fresh = fresh & (fresh - 1) | step;
            reached |= step;
        }
        reached & self.ends[1] != 0
    }

    /// How many places lie before each on the way from a side.
    fn distances(&self, side: usize, free: Part) -> [u8; MOST_PLACES] {
        let mut distances = [u8::MAX / 2; MOST_PLACES];
        let (mut reached, mut fresh) = (0, self.ends[side] & free);
        let mut distance = 0;
        while fresh != 0 {
            reached |= fresh;
            let mut next = 0;
            for place in places(fresh) {
                distances[place] = distance;
                next |= self.touched[place];
            }
            fresh = next & free & !reached;
            distance += 1;
        }
        distances
    }

    /// Whether it does not matter whose a place is: all that it touches touches one another.
    fn is_idle(&self, place: usize, free: Part) -> bool {
        let bit = 1 << place;
        let near = self.touched[place] & free & !bit;
        let ends = self.ends.map(|end| end & bit != 0);
        let reach = |(end, here): (&Part, bool)| !here || near & !end == 0;
        ends != [true, true]
            && self.ends.iter().zip(ends).all(reach)
            && places(near).all(|other| near & !self.touched[other] & !(1 << other) == 0)
    }

    /// Whether a place would be idle if another one were the winner's.
    fn is_idle_after(&self, taken: usize, place: usize, free: Part) -> bool {
        let (bit, joined) = (1 << place, self.touched[taken]);
        let reached = self.ends.map(|end| end >> taken & 1 == 1);
        if reached == [true, true] {
            return true;
        }
        let free = free & !(1 << taken);
        let touched = |at: usize| {
            let by_it = if joined >> at & 1 == 1 { joined } else { 0 };
            (self.touched[at] | by_it) & free & !(1 << at)
        };
        let near = touched(place) & !bit;
        let mut touches_end = [false; 2];
        for end in 0..2 {
            let all = self.ends[end] | if reached[end] { joined } else { 0 };
            touches_end[end] = all & bit != 0;
            if touches_end[end] && near & !all != 0 {
                return false;
            }
        }
        touches_end != [true, true]
            && places(near).all(|other| near & !touched(other) & !(1 << other) == 0)
    }
}

impl View {
    /// What is left of the free places if all that are idle are given up.
    fn without_idle(&self, free: Part) -> Part {
        places(free).fold(
            free,
            |left, place| {
                if self.is_idle(place, left) { left & !(1 << place) } else { left }
            },
        )
    }

    /// Whether each of two places would be idle if the other were the winner's.
    fn is_captured(&self, a: usize, b: usize, free: Part) -> bool {
        self.is_idle_after(a, b, free) && self.is_idle_after(b, a, free)
    }
}

/// A state of the trial with everything settled that needs no trial.
struct Reduced {
    own: Part,
    free: Part,
    /// What was free and is the winner's because the loser cannot keep it from him.
    pairs: Vec<[usize; 2]>,
    view: View,
}

impl Reduced {
    fn used(&self) -> Part {
        self.pairs.iter().fold(0, |used, [a, b]| used | 1 << a | 1 << b)
    }

    /// All that decides who wins: what is free, and what it touches. By which cells of the
    /// winner it does is no matter.
    fn key(&self) -> Vec<Part> {
        let touched = places(self.free).map(|place| self.view.touched[place] & self.free);
        let ends = self.view.ends.map(|end| end & self.free);
        [self.free].into_iter().chain(ends).chain(touched).collect()
    }
}

impl Trial {
    fn new(board: &Board, stones: Set, carrier: &[usize], steps: u32) -> Self {
        let touches = |group: Set| {
            let beside = |cell: usize| board.neighbours(cell).any(|next| group.has(next));
            let touched = (0..carrier.len()).filter(|&place| beside(carrier[place]));
            touched.fold(0, |part: Part, place| part | 1 << place)
        };
        let reaches = |group: Set, row| {
            (0..board.cells()).any(|cell| group.has(cell) && board.progress(cell) == row)
        };
        let mut trial = Self {
            ends: [0, 0],
            touched: carrier.iter().map(|&cell| touches(Set::of([cell]))).collect(),
            joined: false,
            tried: HashMap::new(),
            steps_left: steps,
        };
        for (place, &cell) in carrier.iter().enumerate() {
            for (end, row) in [0, board.size - 1].into_iter().enumerate() {
                trial.ends[end] |= Part::from(board.progress(cell) == row) << place;
            }
        }
        let mut left = stones;
        while let Some(stone) = left.lowest() {
            let chain = board.chain(stone, stones);
            left = left.minus(chain);
            let beside = touches(chain);
            let reached = [0, board.size - 1].map(|row| reaches(chain, row));
            trial.joined |= reached == [true, true];
            for (end, reached) in trial.ends.iter_mut().zip(reached) {
                *end |= if reached { beside } else { 0 };
            }
            places(beside).for_each(|place| trial.touched[place] |= beside);
        }
        trial
    }

    fn view(&self, own: Part) -> View {
        let mut view = View { touched: [0; MOST_PLACES], ends: self.ends, joined: self.joined };
        for (to, from) in view.touched.iter_mut().zip(&self.touched) {
            *to = *from;
        }
        let mut left = own;
        while left != 0 {
            let (mut chain, mut fresh, mut beside) = (0, left & left.wrapping_neg(), 0);
            while fresh != 0 {
                chain |= fresh;
                let touched = places(fresh).fold(0, |touched, place| touched | self.touched[place]);
                beside |= touched & !own;
                fresh = touched & own & !chain;
            }
            left &= !chain;
            let reached = self.ends.map(|end| end & chain != 0);
            view.joined |= reached == [true, true];
            for (end, reached) in view.ends.iter_mut().zip(reached) {
                *end |= if reached { beside } else { 0 };
            }
            places(beside).for_each(|place| view.touched[place] |= beside);
        }
        // A side is the winner's as well: what touches it touches one another by it.
        for end in view.ends {
            places(end).for_each(|place| view.touched[place] |= end);
        }
        view
    }

    /// Settles what the two facts above settle.
    fn reduced(&self, mut own: Part, mut free: Part) -> Reduced {
        let mut pairs = Vec::new();
        loop {
            let view = self.view(own);
            if view.joined {
                return Reduced { own, free, pairs, view };
            }
            free = view.without_idle(free);
            let pair = places(free).find_map(|a| {
                let later = view.touched[a] & free & (Part::MAX << a << 1);
                let b = places(later).find(|&b| view.is_captured(a, b, free))?;
                Some([a, b])
            });
            match pair {
                Some([a, b]) => {
                    own |= 1 << a | 1 << b;
                    free &= !own;
                    pairs.push([a, b]);
                }
                None => return Reduced { own, free, pairs, view },
            }
        }
    }

    /// The loser moves first: what the winner needs, if he can.
    fn second(&mut self, own: Part, free: Part) -> Result<Option<Part>, TooHard> {
        self.known_or(own, free, false, |trial, reduced| trial.replies(reduced))
    }

    /// The winner moves first, and tries what is near before the rest.
    fn first(&mut self, own: Part, free: Part, near: Part) -> Result<Option<Part>, TooHard> {
        self.known_or(own, free, true, |trial, reduced| trial.attempts(reduced, near))
    }

    fn known_or(
        &mut self,
        own: Part,
        free: Part,
        moves: bool,
        search: impl FnOnce(&mut Self, &Reduced) -> Result<Option<Part>, TooHard>,
    ) -> Result<Option<Part>, TooHard> {
        let reduced = self.reduced(own, free);
        if reduced.view.joined {
            return Ok(Some(reduced.used()));
        }
        if !reduced.view.leads_through(reduced.free) {
            return Ok(None);
        }
        let key = (reduced.key(), moves);
        let needed = match self.tried.get(&key) {
            Some(&known) => known,
            None => {
                self.steps_left = self.steps_left.checked_sub(1).ok_or(TooHard)?;
                let needed = search(self, &reduced)?;
                self.tried.insert(key, needed);
                needed
            }
        };
        Ok(needed.map(|needed| needed | reduced.used()))
    }

    /// Answers every stone of the loser; one that an answer does not need needs no other.
    fn replies(&mut self, state: &Reduced) -> Result<Option<Part>, TooHard> {
        let Reduced { own, free, ref view, .. } = *state;
        let Some(mut needed) = self.first(own, free, 0)? else {
            return Ok(None);
        };
        let mut open = needed;
        while open != 0 {
            let stone = open & open.wrapping_neg();
            let near = view.touched[stone.trailing_zeros() as usize];
            let Some(answer) = self.first(own, free & !stone, near)? else {
                return Ok(None);
            };
            needed |= answer;
            open &= answer;
        }
        Ok(Some(needed))
    }

    fn attempts(&mut self, state: &Reduced, near: Part) -> Result<Option<Part>, TooHard> {
        let Reduced { own, free, ref view, .. } = *state;
        let way = [0, 1].map(|side| view.distances(side, free));
        // Near the loser's stone first, then along the shortest ways.
        let mut order: Vec<usize> = places(free).collect();
        order.sort_by_key(|&place| (near >> place & 1 == 0, way[0][place] + way[1][place], place));
        for place in order {
            let mv = 1 << place;
            if let Some(needed) = self.second(own | mv, free & !mv)? {
                return Ok(Some(needed | mv));
            }
        }
        Ok(None)
    }
}
