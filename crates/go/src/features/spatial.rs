//! Patterns of growing size around a move (Stern, Herbrich and Graepel 2006; Coulom 2007).
//!
//! Points around a move are ordered by the distance `|dx| + |dy| + max(|dx|, |dy|)`; a pattern of
//! size `d` is all points up to that distance with what lies on them: nothing, an own stone, an
//! opponent's, or no board at all. Three kinds of pattern grow together: of stones alone, with the
//! liberties of the stones beside the move, and with the place of the last move. A pattern is known
//! by the least of its eight hashes under turning and mirroring, so that all of them are one.

use std::sync::OnceLock;

use kosumi_game::zobrist_key;

use crate::class::GO;
use crate::{Board, BoardClass, Point};

/// The largest distance of a point in a pattern.
pub(crate) const LARGEST: usize = 12;
/// Patterns begin at this size, which is 3x3.
pub(crate) const SMALLEST: usize = 3;
/// Up to this size there are patterns with liberties.
const LARGEST_WITH_LIBERTIES: usize = 6;
/// Up to this size there are patterns with the last move, which may lie as far away.
const LARGEST_WITH_LAST: usize = 10;
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

/// A point of a pattern.
struct Place {
    /// How far on it lies in [`Area`].
    step: isize,
    /// By what lies there.
    keys: [Lanes; 4],
}

/// The tables behind all patterns.
struct Tables {
    /// The places at each distance.
    rings: [Vec<Place>; LARGEST + 1],
    /// For the points beside a move, in the order of [`Point::neighbours`]: by colour (own, other)
    /// and liberties (1, 2, more).
    liberties: [[[Lanes; 3]; 2]; 4],
    /// The last move, by its offset plus [`REACH`].
    last: Vec<Lanes>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let reach = REACH as i32;
        let mut rings = std::array::from_fn(|_| Vec::new());
        let mut last = Vec::new();
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                last.push(keys(10, dx, dy));
                let away = distance(dx, dy);
                if (2..=LARGEST).contains(&away) {
                    let step = dy as isize * WIDTH as isize + dx as isize;
                    let keys = [[0; 8], keys(1, dx, dy), keys(2, dx, dy), keys(3, dx, dy)];
                    rings[away].push(Place { step, keys });
                }
            }
        }
        let beside = [(0, -1), (-1, 0), (1, 0), (0, 1)];
        let liberties = beside.map(|(dx, dy)| {
            [0, 1].map(|colour| [0, 1, 2].map(|count| keys(4 + 3 * colour + count, dx, dy)))
        });
        Tables { rings, liberties, last }
    })
}

/// A position as patterns see it: who is to move is "own".
pub(crate) struct Area {
    cells: [u8; WIDTH * WIDTH],
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
            self.cells[Self::index::<C>(p)] = match board.stone(p) {
                None => 0,
                Some(player) if player == own => 1,
                Some(_) => 2,
            };
        }
    }

    /// Calls `known` with the key of each pattern around the empty point `p`, the smaller before the
    /// larger, as long as it answers that it knows the pattern. A larger pattern is known only if
    /// the smaller ones of its kind, and the one of stones alone, are.
    pub(crate) fn patterns<C: BoardClass>(
        &self,
        board: &Board<C>,
        p: Point,
        last: Option<Point>,
        mut known: impl FnMut(u32) -> bool,
    ) {
        let tables = tables();
        let at = Self::index::<C>(p);
        let own = 1;
        let mut liberties: Lanes = [0; 8];
        for (k, n) in p.neighbours::<C>().into_iter().enumerate() {
            let count = board.liberty_count(n);
            if count > 0 {
                let colour = usize::from(self.cells[Self::index::<C>(n)] != own);
                toggle(&mut liberties, &tables.liberties[k][colour][count.min(3) - 1]);
            }
        }
        let mut with_liberties = true;
        let last = last.and_then(|last| last_keys::<C>(tables, p, last));
        let mut with_last = last.is_some();
        let mut stones: Lanes = [0; 8];
        for size in 2..=LARGEST {
            for place in &tables.rings[size] {
                let cell = self.cells[at.wrapping_add_signed(place.step)];
                toggle(&mut stones, &place.keys[usize::from(cell & 3)]);
            }
            if size < SMALLEST {
                continue;
            }
            if !known(key(&stones, 0, size)) {
                return;
            }
            if with_liberties && size <= LARGEST_WITH_LIBERTIES {
                let mut lanes = stones;
                toggle(&mut lanes, &liberties);
                with_liberties = known(key(&lanes, 1, size));
            }
            if let Some(last) = last
                && with_last
                && size <= LARGEST_WITH_LAST
            {
                let mut lanes = stones;
                toggle(&mut lanes, last);
                with_last = known(key(&lanes, 2, size));
            }
        }
    }
}

/// The keys of the last move as seen from `p`, if it is near.
fn last_keys<C: BoardClass>(tables: &Tables, p: Point, last: Point) -> Option<&Lanes> {
    let ((x, y), (last_x, last_y)) = (p.xy::<C>(), last.xy::<C>());
    let (dx, dy) = (last_x as i32 - x as i32, last_y as i32 - y as i32);
    if distance(dx, dy) > LARGEST_WITH_LAST {
        return None;
    }
    let reach = REACH as i32;
    tables.last.get(((dy + reach) * (2 * reach + 1) + dx + reach) as usize)
}

/// What a pattern is called: 32 bits, in which two of a million differ but for a hundred pairs.
fn key(lanes: &Lanes, kind: u64, size: usize) -> u32 {
    let least = lanes.iter().copied().min().unwrap_or(0);
    (zobrist_key(GO, 64 + kind * 32 + size as u64, least) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{board, marked};
    use crate::{UpTo9, UpTo19};
    use kosumi_game::Player;

    fn all<C: BoardClass>(
        board: &Board<C>,
        p: Point,
        own: Player,
        last: Option<Point>,
    ) -> Vec<u32> {
        let mut area = Area::new();
        area.set(board, own);
        let mut keys = Vec::new();
        area.patterns(board, p, last, |key| {
            keys.push(key);
            true
        });
        keys
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
        assert_eq!(keys[0].len(), 10 + 4 + 8);
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
        // Stones of size 3, with liberties, with the last move.
        let near = all(&board, a, Player::First, Some(b));
        assert_eq!(near[..2], black[..2]);
        assert_eq!(near.len(), black.len() + 8);
        let mut atari = board;
        for (x, y) in [(1, 4), (2, 5)] {
            atari.play(Point::at::<UpTo9>(x, y), Player::Second);
        }
        let atari = all(&atari, a, Player::First, None);
        assert_eq!(atari.len(), black.len());
        assert_ne!(atari[1], black[1]);
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
