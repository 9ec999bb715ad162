//! Codes of the cells around a cell, and the keys of patterns made from them.
//!
//! Around a cell 18 places matter, in three groups of six: the ring of its neighbours, the six
//! bridge points, and the six cells two steps straight on. Each group runs clockwise, so that a
//! rotation by 180 degrees moves every place by three within its group. A code has two bits for each
//! place, as in [`Cell`]: a cell beyond a side counts as a stone of the side's colour, and one beyond
//! two sides, where no side is nearer than the other, as [`Cell::Corner`], a content of its own.

use std::sync::OnceLock;

use crate::geometry::{MIN_SIZE, POINTS, Point, RING, STRIDE, geometry};
use crate::{Cell, Colour, Hex, MAX_SIZE};

/// How many places a code covers.
pub(crate) const PLACES: usize = 18;

/// Where the places are, as offsets on the padded board.
pub(crate) const OFFSETS: [isize; PLACES] = {
    let mut offsets = [0; PLACES];
    let mut i = 0;
    while i < 6 {
        offsets[i] = RING[i];
        offsets[6 + i] = RING[i] + RING[(i + 1) % 6];
        offsets[12 + i] = 2 * RING[i];
        i += 1;
    }
    offsets
};

/// The place that lies opposite.
#[inline]
pub(crate) const fn opposite(place: usize) -> usize {
    place / 6 * 6 + (place + 3) % 6
}

/// Where the mirror at the main diagonal, which exchanges columns and rows, sends a place.
pub(crate) const fn mirrored(place: usize) -> usize {
    const RING_TO: [usize; 6] = [1, 0, 5, 4, 3, 2];
    const BRIDGES_TO: [usize; 6] = [0, 5, 4, 3, 2, 1];
    match place / 6 {
        1 => 6 + BRIDGES_TO[place % 6],
        group => group * 6 + RING_TO[place % 6],
    }
}

/// The code rotated by 180 degrees.
#[inline]
pub(crate) const fn rotate(code: u64) -> u64 {
    const LOW: u64 = 0x03f | 0x03f << 12 | 0x03f << 24;
    (code & LOW) << 6 | (code >> 6) & LOW
}

/// The code as White sees it: mirrored at the main diagonal, so that the own sides are top and
/// bottom, and with colours exchanged.
#[inline]
pub(crate) const fn white_view(code: u64) -> u64 {
    // Exchange the places that the mirror exchanges: (0 1), (3 4) and (2 5) of the ring and of the
    // straight places, (1 5) and (2 4) of the bridge points.
    const RINGS: u64 = 1 | 1 << 24;
    const BRIDGES: u64 = 1 << 12;
    let code = swap_places(code, (0x003 | 0x0c0) * RINGS, 2);
    let code = swap_places(code, 0x030 * RINGS, 6);
    let code = swap_places(code, 0x00c * BRIDGES, 8);
    let code = swap_places(code, 0x030 * BRIDGES, 4);
    const FIRST: u64 = 0x5_5555_5555;
    (code & FIRST) << 1 | (code >> 1) & FIRST
}

/// Exchanges the bits in `low` with those `by` places above them.
#[inline]
const fn swap_places(code: u64, low: u64, by: u32) -> u64 {
    code & !(low | low << by) | (code & low) << by | (code >> by) & low
}

/// How many cells around the move a pattern covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Extent {
    /// The neighbours.
    Six = 0,
    /// The neighbours and the bridge points.
    #[default]
    Twelve = 1,
    /// All within two steps.
    Eighteen = 2,
}

impl Extent {
    /// From the smallest on.
    pub const ALL: [Self; 3] = [Self::Six, Self::Twelve, Self::Eighteen];

    /// How many cells these are.
    #[inline]
    #[must_use]
    pub const fn cells(self) -> usize {
        6 * (self as usize + 1)
    }

    /// The extent with so many cells.
    #[must_use]
    pub fn of_cells(cells: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|extent| extent.cells() == cells)
    }

    #[inline]
    const fn mask(self) -> u64 {
        (1 << (2 * self.cells())) - 1
    }
}

/// What a cell of a pattern holds, for the player who moves into its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// No stone.
    Empty,
    /// A stone or side of the player's.
    Own,
    /// A stone or side of the opponent's.
    Opponent,
    /// Beyond two sides at once.
    Corner,
}

/// A pattern around a move, whoever's it is.
///
/// Patterns are seen by the player who moves, as if that were Black, and a pattern and its rotation
/// by 180 degrees are one (H8): the key is the smaller of the two. In it are the code (bits 0 to 35,
/// nothing where the pattern does not reach), the place of the last move plus 1 for local patterns
/// (from bit 36), and the extent (from bit 41).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternKey(u64);

const LAST_SHIFT: u32 = 36;
const EXTENT_SHIFT: u32 = 41;
const KEY_BITS: u32 = 43;

impl PatternKey {
    /// The key of what `code` shows around a move of `colour`; `last` is the place of the last
    /// move, for a local pattern.
    #[inline]
    pub(crate) fn new(code: u64, colour: Colour, extent: Extent, last: Option<usize>) -> Self {
        let code = match colour {
            Colour::Black => code,
            Colour::White => white_view(code),
        } & extent.mask();
        let rotated = rotate(code);
        let least = match last {
            None => code.min(rotated),
            Some(last) => {
                let last = if colour == Colour::White { mirrored(last) } else { last };
                let with = |code, last: usize| code | (last as u64 + 1) << LAST_SHIFT;
                with(code, last).min(with(rotated, opposite(last)))
            }
        };
        Self(least | (extent as u64) << EXTENT_SHIFT)
    }

    /// The key as a number.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The key with that number; `None` if it is no pattern's.
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        let extent = *Extent::ALL.get((bits >> EXTENT_SHIFT) as usize)?;
        let last = ((bits >> LAST_SHIFT & 31) as usize).checked_sub(1);
        let this = Self(bits);
        let fits = bits >> KEY_BITS == 0
            && this.code() & !extent.mask() == 0
            && last.is_none_or(|last| {
                last < extent.cells() && this.content(last) == Content::Opponent
            });
        (fits && Self::new(this.code(), Colour::Black, extent, last) == this).then_some(this)
    }

    /// How far the pattern reaches.
    #[must_use]
    pub fn extent(self) -> Extent {
        Extent::ALL[(self.0 >> EXTENT_SHIFT) as usize]
    }

    /// The place of the last move; `None` in global patterns. Places are 0 to 5 for the
    /// neighbours clockwise from the right, 6 to 11 for the bridge points from the lower right, 12 to
    /// 17 for the cells two steps straight on.
    #[must_use]
    pub fn last(self) -> Option<usize> {
        ((self.0 >> LAST_SHIFT & 31) as usize).checked_sub(1)
    }

    /// What is at a place (see [`PatternKey::last`]); empty beyond the pattern's extent.
    #[must_use]
    pub fn content(self, place: usize) -> Content {
        match self.code() >> (2 * place) & 3 {
            0 => Content::Empty,
            1 => Content::Own,
            2 => Content::Opponent,
            _ => Content::Corner,
        }
    }

    /// Whether a code, as Black sees it, shows the pattern as it lies in the key and not rotated.
    pub(super) fn lies_as(self, code: u64) -> bool {
        code & self.extent().mask() == self.code()
    }

    /// The code, for Black to move.
    #[inline]
    pub(crate) fn code(self) -> u64 {
        self.0 & Extent::Eighteen.mask()
    }
}

/// Room for the codes of places that stones near the border reach: two rows and two columns.
const PAD: usize = 2 * STRIDE + 2;

/// The codes of all cells of a board, kept up to date as stones come.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    codes: [u64; POINTS + 2 * PAD],
}

impl Codes {
    /// Those of the empty board of a size that exists.
    pub fn empty_board(size: usize) -> &'static Self {
        static BY_SIZE: [OnceLock<Codes>; MAX_SIZE - MIN_SIZE + 1] =
            [const { OnceLock::new() }; MAX_SIZE - MIN_SIZE + 1];
        BY_SIZE[size - MIN_SIZE].get_or_init(|| {
            let mut codes = [0; POINTS + 2 * PAD];
            for &point in &geometry(size).expect("the size exists").points {
                codes[point.index() + PAD] = recomputed(size, point, |_| Cell::Empty);
            }
            Self { codes }
        })
    }

    /// Those of a position.
    pub fn of(position: &Hex) -> Self {
        let mut codes = Self::empty_board(position.size()).clone();
        for &point in position.points() {
            if let Some(colour) = position.cell(point).colour() {
                codes.place(point, colour);
            }
        }
        codes
    }

    /// The code of a cell.
    #[inline]
    pub fn at(&self, point: Point) -> u64 {
        self.codes[point.index() + PAD]
    }

    /// Puts a stone into the codes of the cells around it. The border has codes, too, which nobody
    /// reads.
    #[inline]
    pub fn place(&mut self, point: Point, colour: Colour) {
        let window = &mut self.codes[point.index()..=point.index() + 2 * PAD];
        for place in 0..PLACES {
            // Who sees the stone at a place stands on the opposite side of it.
            let at = PAD.wrapping_add_signed(OFFSETS[opposite(place)]);
            window[at] |= (colour.cell() as u64) << (2 * place);
        }
    }
}

/// The code of a cell from the board alone.
pub(crate) fn recomputed(size: usize, around: Point, cell: impl Fn(Point) -> Cell) -> u64 {
    let inside = 1..=size as isize;
    let place = |place: usize| {
        // Steps in columns and rows: the padded board is too narrow for cells two beyond the side.
        let (mut column, mut row) = (around.column() as isize, around.row() as isize);
        let directions = match place / 6 {
            0 => [Some(place), None],
            1 => [Some(place % 6), Some((place + 1) % 6)],
            _ => [Some(place % 6); 2],
        };
        for direction in directions.into_iter().flatten() {
            const STEPS: [(isize, isize); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
            column += STEPS[direction].0;
            row += STEPS[direction].1;
        }
        match (inside.contains(&column), inside.contains(&row)) {
            (true, true) => cell(Point::new(column as usize, row as usize)),
            (true, false) => Cell::Black,
            (false, true) => Cell::White,
            (false, false) => Cell::Corner,
        }
    };
    (0..PLACES).fold(0, |code, at| code | (place(at) as u64) << (2 * at))
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Game, Rng};

    use super::*;
    use crate::HexRules;

    fn random_game(size: usize, seed: u64, mut visit: impl FnMut(&Hex)) {
        let mut rng = Rng::new(seed);
        let mut game = Hex::new(size, HexRules { swap: false }).unwrap();
        let mut moves = Vec::new();
        while game.outcome().is_none() {
            visit(&game);
            moves.clear();
            game.legal_moves(&mut moves);
            game.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        visit(&game);
    }

    #[test]
    fn codes_kept_up_to_date_are_those_recomputed() {
        for size in MIN_SIZE..=MAX_SIZE {
            let mut codes = Codes::empty_board(size).clone();
            random_game(size, size as u64, |game| {
                if let Some(last) = game.last_stone() {
                    let colour = game.cell(last).colour().unwrap();
                    codes.place(last, colour);
                }
                let anew = Codes::of(game);
                for &point in game.points() {
                    let plain = recomputed(size, point, |at| game.cell(at));
                    assert_eq!(codes.at(point), plain, "{point}\n{game}");
                    assert_eq!(anew.at(point), plain, "{point}\n{game}");
                }
            });
        }
    }

    /// The mirrored board with colours exchanged is White's view, the rotated one the same pattern.
    #[test]
    fn equal_situations_have_equal_keys() {
        for size in [3, 4, 7, 11] {
            random_game(size, 5, |game| {
                let end = size + 1;
                let mirror = |p: Point| Point::new(p.row(), p.column());
                let turn = |p: Point| Point::new(end - p.column(), end - p.row());
                let exchanged = |cell: Cell| match cell.colour() {
                    Some(colour) => colour.opponent().cell(),
                    None => cell,
                };
                for &point in game.points() {
                    let code = recomputed(size, point, |at| game.cell(at));
                    let white =
                        recomputed(size, mirror(point), |at| exchanged(game.cell(mirror(at))));
                    let turned = recomputed(size, turn(point), |at| game.cell(turn(at)));
                    assert_eq!(white, white_view(code));
                    assert_eq!(turned, rotate(code));
                    for extent in Extent::ALL {
                        for last in (0..extent.cells()).map(Some).chain([None]) {
                            let to_move = Colour::Black;
                            let key = PatternKey::new(code, to_move, extent, last);
                            let seen = PatternKey::new(
                                white,
                                to_move.opponent(),
                                extent,
                                last.map(mirrored),
                            );
                            assert_eq!(key, seen);
                            let seen = PatternKey::new(turned, to_move, extent, last.map(opposite));
                            assert_eq!(key, seen);
                            assert_eq!(
                                (key.extent(), key.last().is_some()),
                                (extent, last.is_some())
                            );
                        }
                    }
                }
            });
        }
    }

    #[test]
    fn keys_are_read_back_and_others_refused() {
        let game = Hex::from_diagram(
            ". . . .
             . B W .
             . . B .
             . . . .",
            HexRules::default(),
            Colour::White,
        )
        .unwrap();
        let codes = Codes::of(&game);
        // b3 touches c3 on the right, b2 above and c2 up on the right.
        let code = codes.at(Point::new(2, 3));
        let global = PatternKey::new(code, Colour::Black, Extent::Six, None);
        let local = PatternKey::new(code, Colour::Black, Extent::Six, Some(5));
        for key in [global, local] {
            assert_eq!(PatternKey::from_bits(key.bits()), Some(key));
        }
        let ring = |key: PatternKey| (0..6).map(|place| key.content(place)).collect::<Vec<_>>();
        use Content::{Empty, Opponent, Own};
        // Rotated they are on the left, below and between, which is the smaller code.
        assert_eq!(ring(global), [Empty, Own, Opponent, Own, Empty, Empty]);
        assert_eq!(local.last(), Some(2));
        for wrong in [
            u64::MAX,
            3 << EXTENT_SHIFT,
            global.bits() | 1 << 12,
            // The last move cannot be an empty cell, nor beyond the pattern.
            global.bits() | 2 << LAST_SHIFT,
            global.bits() | 7 << LAST_SHIFT,
            rotate(global.code()),
        ] {
            assert_eq!(PatternKey::from_bits(wrong), None, "{wrong:x}");
        }
    }
}
