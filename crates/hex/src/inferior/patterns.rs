//! The patterns of `patterns.txt` and where on a board they match.
//!
//! The file is written for Black as the owner and in one direction; it holds for both colours and
//! under the 12 symmetries of the hexagon, for nothing but neighbourhood matters to a pattern.

use std::sync::OnceLock;

use super::window::{RADIUS, RING_CODES, Step, Window, ring_of};

/// The text of the patterns.
pub(super) const TEXT: &str = include_str!("patterns.txt");

/// Sets of at most so many cells are looked for also where a stone next to the middle is missing;
/// larger ones would find little more and cost as much as all the others.
const SMALL: u32 = 3;

/// Empty cells that belong to one colour, given some stones around them. One cell alone is dead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The empty cells, never none.
    pub set: Vec<Step>,
    /// The stones of the owner.
    pub own: Vec<Step>,
    /// The stones of the opponent.
    pub other: Vec<Step>,
}

/// Reads diagrams separated by blank lines; `#` starts a comment.
///
/// # Errors
/// Says which line is wrong.
pub(super) fn parse(text: &str) -> Result<Vec<Pattern>, String> {
    let mut patterns = Vec::new();
    let mut rows: Vec<(usize, &str)> = Vec::new();
    for (line, content) in (1..).zip(text.lines().chain([""])) {
        if content.starts_with('#') {
            continue;
        }
        if !content.trim().is_empty() {
            rows.push((line, content));
        } else if !rows.is_empty() {
            patterns.push(diagram(&rows)?);
            rows.clear();
        }
    }
    Ok(patterns)
}

fn diagram(rows: &[(usize, &str)]) -> Result<Pattern, String> {
    let (mut set, mut own, mut other) = (Vec::new(), Vec::new(), Vec::new());
    let first = rows[0].1.find(|c| c != ' ').unwrap_or(0) as i32;
    for (down, &(line, content)) in (0..).zip(rows) {
        for (position, symbol) in (0i32..).zip(content.chars()) {
            let list = match symbol {
                ' ' => continue,
                '*' => None,
                'x' => Some(&mut set),
                'B' => Some(&mut own),
                'W' => Some(&mut other),
                _ => return Err(format!("line {line}: '{symbol}' is none of 'x', 'B', 'W', '*'")),
            };
            // Each row stands half a cell to the right of the one above.
            if (position - down - first) % 2 != 0 {
                return Err(format!("line {line}: '{symbol}' stands between two cells"));
            }
            if let Some(list) = list {
                list.push(Step { right: (position - down).div_euclid(2), down });
            }
        }
    }
    match set.is_empty() {
        true => Err(format!("line {}: a diagram without an 'x'", rows[0].0)),
        false => Ok(Pattern { set, own, other }),
    }
}

impl Pattern {
    /// All cells it says something about.
    fn cells(&self) -> impl Iterator<Item = Step> {
        self.set.iter().chain(&self.own).chain(&self.other).copied()
    }

    /// The cell of the set that stands in the middle of windows: the one with the most stones
    /// around, for these are looked at first.
    fn anchor(&self) -> Option<Step> {
        let fits = |at: &Step| self.cells().all(|cell| cell.minus(*at).distance() <= RADIUS);
        let stones = |at: &Step| {
            let near = |cell: &&Step| cell.minus(*at).distance() == 1;
            self.own.iter().chain(&self.other).filter(near).count()
        };
        self.set.iter().copied().filter(fits).max_by_key(stones)
    }
}

/// A pattern as bits of a window, the cell in the middle being one of its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub set: u64,
    own: u64,
    other: u64,
}

/// A shape that matches, or would if one more stone stood there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    /// The owner's set, as bits of the window.
    pub set: u64,
    /// The stone that is missing, 0 or one bit.
    pub missing: u64,
}

/// The patterns by what the six cells around the middle hold.
pub(super) struct Table {
    dead: Vec<bool>,
    /// By colour and ring code: the neighbours, one bit each, on which a stone of the colour kills
    /// the middle cell.
    killers: [Vec<u8>; 2],
    /// By ring code from the owner's viewpoint: shapes that may match there with at most one own
    /// stone missing.
    shapes: Vec<Box<[Shape]>>,
    /// The same without those that lack a stone there, and without pairs.
    complete: Vec<Box<[Shape]>>,
}

impl Table {
    /// The table of the project's patterns.
    pub fn get() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Self::new(&parse(TEXT).expect("the tests read the same file")))
    }

    fn new(patterns: &[Pattern]) -> Self {
        let mut shapes: Vec<Shape> = patterns.iter().flat_map(turned).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let alone = 1 << Step::HERE.bit();
        let (single, larger): (Vec<Shape>, Vec<Shape>) =
            shapes.into_iter().partition(|shape| shape.set == alone);
        let codes = || (0..RING_CODES).map(|code| (code & 63, code >> 6));
        let dead: Vec<bool> = codes()
            .map(|(black, white)| {
                let has = |shape: &Shape, own: usize, other: usize| {
                    ring_of(shape.own) & !own == 0 && ring_of(shape.other) & !other == 0
                };
                let dead = |s: &Shape| has(s, black, white) || has(s, white, black);
                black & white == 0 && single.iter().any(dead)
            })
            .collect();
        let shapes = codes()
            .map(|(own, other)| {
                let missing = |s: &Shape| ring_of(s.own) & !own;
                let may = |s: &&Shape| {
                    ring_of(s.set) & (own | other) == 0
                        && ring_of(s.other) & !other == 0
                        && missing(s) & other == 0
                        && (missing(s).count_ones() == 0
                            || missing(s).count_ones() == 1 && s.set.count_ones() <= SMALL)
                };
                larger.iter().filter(may).copied().collect()
            })
            .collect();
        let complete = codes()
            .map(|(own, other)| {
                let may = |s: &&Shape| {
                    ring_of(s.set) & (own | other) == 0
                        && ring_of(s.own) & !own == 0
                        && ring_of(s.other) & !other == 0
                        && s.set.count_ones() > 2
                };
                larger.iter().filter(may).copied().collect()
            })
            .collect();
        let killers = [0, 6].map(|half| {
            let kills = |code: usize, i: &usize| {
                (code | code >> 6) >> i & 1 == 0 && dead[code | 1 << (half + i)]
            };
            let mask = |code| (0..6).filter(|i| kills(code, i)).fold(0, |mask, i| mask | 1 << i);
            (0..RING_CODES).map(mask).collect()
        });
        Self { dead, killers, shapes, complete }
    }

    /// Whether the cell in the middle is dead, by its ring code.
    #[inline]
    pub fn is_dead(&self, ring: usize) -> bool {
        self.dead[ring]
    }

    /// The neighbours, one bit each, on which a stone of a colour kills the cell in the middle.
    #[inline]
    pub fn killers(&self, ring: usize, colour: usize) -> u8 {
        self.killers[colour][ring]
    }

    /// Whether any set may match around a cell with these neighbours.
    #[inline]
    pub fn may_match(&self, ring: usize) -> bool {
        let exchanged = ring >> 6 | (ring & 63) << 6;
        !self.shapes[ring].is_empty() || !self.shapes[exchanged].is_empty()
    }

    /// Whether [`Table::owned`] may find something with these neighbours.
    #[inline]
    pub fn may_own(&self, ring: usize, owner: usize) -> bool {
        let code = if owner == 0 { ring } else { ring >> 6 | (ring & 63) << 6 };
        !self.complete[code].is_empty()
    }

    /// A set of three cells or more with the middle cell in it that a colour owns.
    pub fn owned(&self, window: Window, owner: usize) -> Option<u64> {
        let (own, other) = (window.of[owner], window.of[1 - owner]);
        let code = ring_of(own) | ring_of(other) << 6;
        let fits = |shape: &&Shape| {
            shape.set & (own | other) == 0 && shape.own & !own == 0 && shape.other & !other == 0
        };
        self.complete[code].iter().find(fits).map(|shape| shape.set)
    }

    /// The sets with the middle cell in them that a colour owns, or would with one more stone.
    #[inline]
    pub fn matches(&self, window: Window, owner: usize) -> impl Iterator<Item = Match> {
        let (own, other) = (window.of[owner], window.of[1 - owner]);
        let ring = ring_of(own) | ring_of(other) << 6;
        self.shapes[ring].iter().filter_map(move |shape| {
            let missing = shape.own & !own;
            let fits = shape.set & (own | other) == 0
                && shape.other & !other == 0
                && missing & other == 0
                && missing & missing.wrapping_sub(1) == 0;
            fits.then_some(Match { set: shape.set, missing })
        })
    }
}

/// A pattern in all directions.
fn turned(pattern: &Pattern) -> Vec<Shape> {
    let Some(anchor) = pattern.anchor() else { return Vec::new() };
    (0..12)
        .map(|symmetry| {
            let bits = |cells: &[Step]| {
                cells
                    .iter()
                    .fold(0, |bits, cell| bits | 1 << cell.minus(anchor).turned(symmetry).bit())
            };
            Shape { set: bits(&pattern.set), own: bits(&pattern.own), other: bits(&pattern.other) }
        })
        .collect()
}
