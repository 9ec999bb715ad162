//! Patterns of growing size around a move (Stern, Herbrich and Graepel 2006; Coulom 2007).
//!
//! Points around a move are ordered by the distance `|dx| + |dy| + max(|dx|, |dy|)`; a pattern of
//! size `d` is all points up to that distance with what lies on them: nothing, an own stone, an
//! opponent's, or no board at all. Several kinds of pattern grow together: of stones alone, and the
//! same with something else each ([`PatternKind`]). A pattern is known by the least of its eight
//! hashes under turning and mirroring, so that all of them are one.

use std::sync::OnceLock;

use kosumi_game::zobrist_key;

use crate::class::GO;
use crate::{Board, BoardClass, Point};

/// The largest distance of a point in a pattern.
pub(crate) const LARGEST: usize = 12;
/// Patterns begin at this size, which is 3x3.
pub(crate) const SMALLEST: usize = 3;
/// Up to this size there are patterns with the liberties of all stones.
const LARGEST_WITH_ALL_LIBERTIES: usize = 6;
/// Their place among the growing kinds.
const ALL_LIBERTIES: usize = 0;
/// How far the points of a pattern lie apart at most, in one direction.
const REACH: usize = LARGEST / 2;
/// Room for the largest board and what patterns see beyond its edge.
const WIDTH: usize = 25 + 2 * REACH;

/// The distance that orders the points around a move.
pub(crate) fn distance(dx: i32, dy: i32) -> usize {
    (dx.abs() + dy.abs() + dx.abs().max(dy.abs())) as usize
}

/// One hash for each symmetry.
type Lanes = [u64; 8];

#[inline(always)]
fn toggle(lanes: &mut Lanes, keys: &Lanes) {
    for (lane, key) in lanes.iter_mut().zip(keys) {
        *lane ^= key;
    }
}

/// The images of an offset under the eight symmetries.
fn images(dx: i32, dy: i32) -> [(i32, i32); 8] {
    [(dx, dy), (-dx, dy), (dx, -dy), (-dx, -dy), (dy, dx), (-dy, dx), (dy, -dx), (-dy, -dx)]
}

/// Keys of something at an offset, under each symmetry. They never change, for they are in files.
fn keys(kind: u64, dx: i32, dy: i32) -> Lanes {
    images(dx, dy).map(|(x, y)| zobrist_key(GO, 16 + kind, ((x + 32) * 64 + y + 32) as u64))
}

/// What a pattern tells besides stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// Nothing.
    Stones,
    /// The liberties of the stones beside the move.
    Liberties,
    /// The place of the last move.
    Last,
    /// The liberties of all its stones.
    AllLiberties,
    /// The places of the last move and the one before.
    LastTwo,
}

impl PatternKind {
    /// All kinds in order.
    pub const ALL: [Self; 5] =
        [Self::Stones, Self::Liberties, Self::Last, Self::AllLiberties, Self::LastTwo];

    /// What patterns of the kind are called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stones => "patterns",
            Self::Liberties => "patterns-liberties",
            Self::Last => "patterns-last",
            Self::AllLiberties => "patterns-all-liberties",
            Self::LastTwo => "patterns-last-two",
        }
    }

    /// The smallest and the largest size of the kind; a last move may lie as far away.
    const fn sizes(self) -> (usize, usize) {
        match self {
            Self::Stones => (SMALLEST, LARGEST),
            Self::Liberties => (SMALLEST, 6),
            Self::Last => (SMALLEST, 10),
            Self::AllLiberties => (4, LARGEST_WITH_ALL_LIBERTIES),
            Self::LastTwo => (SMALLEST, 8),
        }
    }
}

/// The last move and the one before, if they were no passes.
pub(crate) type LastMoves = [Option<Point>; 2];

/// A point of a pattern.
struct Place {
    /// How far on it lies in [`Area`].
    step: isize,
    /// By what lies there.
    keys: [Lanes; 4],
    /// Of a stone there: by colour (own, other) and liberties (1, 2, more).
    liberties: [[Lanes; 3]; 2],
}

/// The tables behind all patterns.
struct Tables {
    /// The places at each distance.
    rings: [Vec<Place>; LARGEST + 1],
    /// The last move and the one before, by their offset plus [`REACH`].
    last: [Vec<Lanes>; 2],
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let reach = REACH as i32;
        let mut rings = std::array::from_fn(|_| Vec::new());
        let mut last = [Vec::new(), Vec::new()];
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                last[0].push(keys(10, dx, dy));
                last[1].push(keys(11, dx, dy));
                let away = distance(dx, dy);
                if (2..=LARGEST).contains(&away) {
                    let step = dy as isize * WIDTH as isize + dx as isize;
                    let liberties = [0, 1]
                        .map(|colour| [0, 1, 2].map(|count| keys(4 + 3 * colour + count, dx, dy)));
                    let keys = [[0; 8], keys(1, dx, dy), keys(2, dx, dy), keys(3, dx, dy)];
                    rings[away].push(Place { step, keys, liberties });
                }
            }
        }
        Tables { rings, last }
    })
}

/// A position as patterns see it: who is to move is "own".
pub(crate) struct Area {
    /// What lies there, in two bits; from the third bit on the liberties of a stone (1, 2, more).
    cells: [u8; WIDTH * WIDTH],
}

/// A kind of pattern as it grows around a move.
struct Growing {
    kind: PatternKind,
    /// What the kind adds to the stones.
    lanes: Lanes,
    known: bool,
}

impl Area {
    pub(crate) fn new() -> Self {
        Self { cells: [3; WIDTH * WIDTH] }
    }

    fn index<C: BoardClass>(p: Point) -> usize {
        let (x, y) = p.xy::<C>();
        (y + REACH) * WIDTH + x + REACH
    }

    /// Looks at a board.
    pub(crate) fn set<C: BoardClass>(&mut self, board: &Board<C>, own: kosumi_game::Player) {
        self.cells.fill(3);
        for p in board.points() {
            let liberties = (board.liberty_count(p).min(3) as u8) << 2;
            self.cells[Self::index::<C>(p)] = match board.stone(p) {
                None => 0,
                Some(player) if player == own => 1 | liberties,
                Some(_) => 2 | liberties,
            };
        }
    }

    /// Calls `known` with the kind and the key of each pattern around the empty point `p`, the
    /// smaller before the larger, as long as it answers that it knows the pattern. A larger pattern
    /// is known only if the smaller ones of its kind, and the one of stones alone, are.
    pub(crate) fn patterns<C: BoardClass>(
        &self,
        p: Point,
        last: LastMoves,
        mut known: impl FnMut(PatternKind, u32) -> bool,
    ) {
        let tables = tables();
        let at = Self::index::<C>(p);
        let mut kinds = self.kinds::<C>(p, last);
        let mut stones: Lanes = [0; 8];
        for size in 2..=LARGEST {
            for place in &tables.rings[size] {
                let cell = self.cells[at.wrapping_add_signed(place.step)];
                toggle(&mut stones, &place.keys[usize::from(cell & 3)]);
                if size <= LARGEST_WITH_ALL_LIBERTIES
                    && let Some(keys) = liberty_keys(place, cell)
                {
                    toggle(&mut kinds[ALL_LIBERTIES].lanes, keys);
                }
            }
            if size < SMALLEST {
                continue;
            }
            if !known(PatternKind::Stones, key(&stones, PatternKind::Stones, size)) {
                return;
            }
            for growing in &mut kinds {
                let (smallest, largest) = growing.kind.sizes();
                if growing.known && (smallest..=largest).contains(&size) {
                    let mut lanes = stones;
                    toggle(&mut lanes, &growing.lanes);
                    growing.known = known(growing.kind, key(&lanes, growing.kind, size));
                }
            }
        }
    }

    /// What each kind but that of stones alone begins with.
    fn kinds<C: BoardClass>(&self, p: Point, [last, before]: LastMoves) -> [Growing; 4] {
        let tables = tables();
        let at = Self::index::<C>(p);
        let mut beside: Lanes = [0; 8];
        for place in &tables.rings[2] {
            let cell = self.cells[at.wrapping_add_signed(place.step)];
            if let Some(keys) = liberty_keys(place, cell) {
                toggle(&mut beside, keys);
            }
        }
        let largest = |kind: PatternKind| kind.sizes().1;
        let keys = |number: usize, other: Option<Point>, kind| {
            last_keys::<C>(&tables.last[number], p, other?, largest(kind)).copied()
        };
        let near = keys(0, last, PatternKind::Last);
        let both = keys(0, last, PatternKind::LastTwo).zip(keys(1, before, PatternKind::LastTwo));
        let both = both.map(|(mut last, before)| {
            toggle(&mut last, &before);
            last
        });
        let grow = |kind, lanes: Option<Lanes>| Growing {
            kind,
            known: lanes.is_some(),
            lanes: lanes.unwrap_or_default(),
        };
        [
            grow(PatternKind::AllLiberties, Some([0; 8])),
            grow(PatternKind::Liberties, Some(beside)),
            grow(PatternKind::Last, near),
            grow(PatternKind::LastTwo, both),
        ]
    }
}

/// The keys of the liberties of a stone, if there is one.
#[inline(always)]
fn liberty_keys(place: &Place, cell: u8) -> Option<&Lanes> {
    let count = usize::from(cell >> 2).checked_sub(1)?;
    Some(&place.liberties[usize::from(cell & 3) - 1][count])
}

/// The keys of an earlier move as seen from `p`, if it is no farther than `most`.
fn last_keys<C: BoardClass>(
    table: &[Lanes],
    p: Point,
    other: Point,
    most: usize,
) -> Option<&Lanes> {
    let ((x, y), (other_x, other_y)) = (p.xy::<C>(), other.xy::<C>());
    let (dx, dy) = (other_x as i32 - x as i32, other_y as i32 - y as i32);
    if distance(dx, dy) > most {
        return None;
    }
    let reach = REACH as i32;
    table.get(((dy + reach) * (2 * reach + 1) + dx + reach) as usize)
}

/// What a pattern is called: 32 bits, in which two of a million differ but for a hundred pairs.
fn key(lanes: &Lanes, kind: PatternKind, size: usize) -> u32 {
    let least = lanes.iter().copied().min().unwrap_or(0);
    (zobrist_key(GO, 64 + kind as u64 * 32 + size as u64, least) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{board, marked};
    use crate::{UpTo9, UpTo19};
    use kosumi_game::Player;

    fn of_kind<C: BoardClass>(
        board: &Board<C>,
        p: Point,
        own: Player,
        last: LastMoves,
        kind: PatternKind,
    ) -> Vec<u32> {
        let mut area = Area::new();
        area.set(board, own);
        let mut keys = Vec::new();
        area.patterns::<C>(p, last, |of, key| {
            if of == kind {
                keys.push(key);
            }
            true
        });
        keys
    }

    fn all<C: BoardClass>(
        board: &Board<C>,
        p: Point,
        own: Player,
        last: Option<Point>,
    ) -> Vec<u32> {
        let of = |kind| of_kind(board, p, own, [last, None], kind);
        PatternKind::ALL.into_iter().flat_map(of).collect()
    }

    #[test]
    fn turned_and_mirrored_patterns_are_one() {
        let diagrams = [
            "
            . . . . .
            . . O . .
            . X a b .
            . . O . .
            . . . . X",
            "
            . . . . .
            . . X . .
            . O a O .
            . . b . .
            X . . . .",
            "
            . . . . X
            . . X . .
            . O a O .
            . . b . .
            . . . . .",
        ];
        let keys = diagrams.map(|diagram| {
            let (a, b) = (marked::<UpTo9>(diagram, 'a'), marked::<UpTo9>(diagram, 'b'));
            all(&board(diagram), a, Player::First, Some(b))
        });
        // Stones, with liberties, with the last move, with all liberties.
        assert_eq!(keys[0].len(), 10 + 4 + 8 + 3);
        assert_eq!(keys[0], keys[1]);
        // The third has its far stone in another corner.
        assert_ne!(keys[0], keys[2]);
        assert_eq!(keys[0][..3], keys[2][..3]);
    }

    #[test]
    fn colours_and_liberties_and_the_last_move_count() {
        let diagram = "
            . . . . . . .
            . . . . . . .
            . . X a b . .
            . . O . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let (a, b) = (marked::<UpTo9>(diagram, 'a'), marked::<UpTo9>(diagram, 'b'));
        let board = board(diagram);
        let (black, white) =
            (all(&board, a, Player::First, None), all(&board, a, Player::Second, None));
        assert!(black.iter().zip(&white).all(|(x, y)| x != y));
        let near = all(&board, a, Player::First, Some(b));
        assert_eq!(near[..14], black[..14]);
        assert_eq!(near.len(), black.len() + 8);
        let mut atari = board;
        for (x, y) in [(1, 4), (2, 5)] {
            atari.play(Point::at::<UpTo9>(x, y), Player::Second);
        }
        let liberties = |board| of_kind(board, a, Player::First, [None; 2], PatternKind::Liberties);
        assert_ne!(liberties(&atari)[0], liberties(&board)[0]);
    }

    #[test]
    fn all_liberties_are_those_of_stones_farther_away() {
        let diagram = "
            . . . . . . .
            . . . . . . .
            . . . a . X c
            . . . . . b .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let [a, b, c] = ['a', 'b', 'c'].map(|mark| marked::<UpTo9>(diagram, mark));
        let board = board(diagram);
        let mut three = board;
        three.play(c, Player::Second);
        let mut two = three;
        two.play(b, Player::Second);
        let size_4 = |board: &Board<UpTo9>, kind, number: usize| {
            of_kind(board, a, Player::First, [None; 2], kind)[number]
        };
        // Four liberties and three are alike, two are not; White's stones lie outside of size 4.
        let with = [&board, &three, &two].map(|b| size_4(b, PatternKind::AllLiberties, 0));
        assert_eq!(with[0], with[1]);
        assert_ne!(with[1], with[2]);
        let without = [&board, &two].map(|b| size_4(b, PatternKind::Stones, 1));
        assert_eq!(without[0], without[1]);
    }

    #[test]
    fn the_last_two_moves_count_in_their_order() {
        let diagram = "
            . . . . . . .
            . . . . . . .
            . . X a O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let a = marked::<UpTo9>(diagram, 'a');
        let [left, right, far] = [2, 4, 0].map(|x| Some(Point::at::<UpTo9>(x, 4)));
        let board = board(diagram);
        let two = |last| of_kind(&board, a, Player::First, last, PatternKind::LastTwo);
        assert_eq!(two([left, right]).len(), 6);
        assert_ne!(two([left, right]), two([right, left]));
        assert_ne!(two([left, right]), two([left, far]));
        assert!(two([left, None]).is_empty());
    }

    #[test]
    fn boards_of_two_classes_have_the_same_patterns() {
        let (mut small, mut large) =
            (Board::<UpTo9>::new(9).unwrap(), Board::<UpTo19>::new(9).unwrap());
        for (x, y, player) in [(2, 2, Player::First), (3, 2, Player::Second)] {
            small.play(Point::at::<UpTo9>(x, y), player);
            large.play(Point::at::<UpTo19>(x, y), player);
        }
        let keys = all(&small, Point::at::<UpTo9>(2, 3), Player::First, None);
        assert_eq!(keys, all(&large, Point::at::<UpTo19>(2, 3), Player::First, None));
        // They never change, for weight files hold them.
        assert_eq!(keys[0], 2_678_348_849);
    }
}
