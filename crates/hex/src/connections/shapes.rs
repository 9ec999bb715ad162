//! What a board offers before any search: edge templates, and pairs of cells that a stone
//! captures.

use crate::geometry::{Point, geometry};
use crate::{Cell, CellSet, Colour, Lattice};

/// The templates as diagrams.
const TEMPLATES: &str = include_str!("templates.txt");

/// How often a column of a ladder is repeated at most.
const LONGEST: usize = 4;

/// A full connection along a side: of a cell with the side, or of two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template<const W: usize> {
    /// Cells, or after the last cell the two sides.
    pub ends: [usize; 2],
    pub carrier: CellSet<W>,
    /// Stones of the colour that help.
    pub helpers: CellSet<W>,
}

/// Two neighbours that a stone on a third cell captures: if the opponent takes one, the other
/// makes that stone useless, for then four of its neighbours in a row are the colour's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capture<const W: usize> {
    pub cell: usize,
    pub captured: CellSet<W>,
    /// The cells beyond the two that must hold stones of the colour; border needs none.
    pub around: CellSet<W>,
}

/// All shapes of one colour on a board of one size.
#[derive(Clone, Debug)]
pub(super) struct Shapes<const W: usize> {
    pub size: usize,
    pub templates: Vec<Template<W>>,
    pub captures: Vec<Capture<W>>,
}

/// A place of the diagrams: how far below the first stone's row, and how far right of the stone in
/// the stone's column.
type Place = (isize, isize);

/// A template of the diagrams.
#[derive(Clone, Debug)]
struct Diagram {
    /// The row of the first stone, from the side: 2 or more.
    row: isize,
    /// The other end, if it is not the side.
    other: Option<Place>,
    cells: Vec<Place>,
    helpers: Vec<Place>,
}

impl<const W: usize> Shapes<W> {
    /// The shapes of a colour on a board.
    pub fn new(lattice: &Lattice<W>, colour: Colour) -> Self {
        Self {
            size: lattice.size,
            templates: templates(lattice.size, colour),
            captures: captures(lattice.size, colour),
        }
    }
}

/// Reads the diagrams: rows of `B`, `b`, `*`, `+` and `-`, each shifted half a cell against the one
/// above. One with a column of `+` stands for all in which it is repeated.
fn diagrams() -> Vec<Diagram> {
    let is_row = |line: &str| {
        let known = |token| ["B", "b", "*", "+", "-"].contains(&token);
        line.split_whitespace().all(known) && !line.is_empty()
    };
    let lines: Vec<&str> = TEMPLATES.lines().collect();
    let blocks = lines.split(|line| !is_row(line)).filter(|rows| !rows.is_empty());
    blocks
        .flat_map(|rows| {
            let longest = if rows.iter().any(|row| row.contains('+')) { LONGEST } else { 1 };
            (1..=longest).map(|length| Diagram::read(rows, length as isize))
        })
        .collect()
}

impl Diagram {
    /// Reads one diagram, with its `+` repeated so often.
    fn read(rows: &[&str], length: isize) -> Self {
        let (mut stones, mut cells, mut helpers) = (Vec::new(), Vec::new(), Vec::new());
        for (row, line) in rows.iter().enumerate() {
            let row = row as isize;
            let mut beyond = 0;
            for (at, symbol) in line.char_indices() {
                let place = (row, (at as isize - row).div_euclid(2) + beyond);
                match symbol {
                    'B' => stones.push(place),
                    'b' => helpers.push(place),
                    '*' => cells.push(place),
                    '+' => {
                        cells.extend((0..length).map(|more| (row, place.1 + more)));
                        beyond += length - 1;
                    }
                    _ => {}
                }
            }
        }
        let (top, middle) = *stones.first().expect("each template has a stone");
        let seen_from = |&(row, column): &Place| (row - top, column - middle);
        Self {
            row: rows.len() as isize - top,
            other: stones.get(1).map(seen_from),
            cells: cells.iter().map(seen_from).collect(),
            helpers: helpers.iter().map(seen_from).collect(),
        }
    }

    /// Its mirror image: left and right of the stone change places.
    fn mirrored(&self) -> Self {
        let mirrored = |&(down, right): &Place| (down, -right - down);
        let all = |places: &[Place]| places.iter().map(mirrored).collect();
        Self {
            row: self.row,
            other: self.other.as_ref().map(mirrored),
            cells: all(&self.cells),
            helpers: all(&self.helpers),
        }
    }

    /// The template with its stone in a column, at the bottom of a board; `None` where there is
    /// no room for it.
    fn at<const W: usize>(&self, size: usize, column: isize) -> Option<Template<W>> {
        let place = |&(down, right): &Place| {
            let (row, column) = (size as isize - self.row + down, column + right);
            let on_board = |i: isize| (0..size as isize).contains(&i);
            (on_board(row) && on_board(column)).then(|| row as usize * size + column as usize)
        };
        let other = self.other.as_ref().map_or(Some(size * size + 1), place)?;
        let all = |places: &[Place]| places.iter().map(place).collect::<Option<_>>();
        let (carrier, helpers) = (all(&self.cells)?, all(&self.helpers)?);
        Some(Template { ends: [place(&(0, 0))?, other], carrier, helpers })
    }
}

/// All templates of a colour on a board.
fn templates<const W: usize>(size: usize, colour: Colour) -> Vec<Template<W>> {
    let cells = size * size;
    let mut templates = Vec::new();
    for diagram in diagrams() {
        for diagram in [diagram.mirrored(), diagram] {
            for template in (0..size as isize).filter_map(|column| diagram.at(size, column)) {
                // Half a turn exchanges the sides too.
                let turn = |end: usize| if end < cells { cells - 1 - end } else { cells };
                templates.push(template);
                templates.push(moved(&template, turn));
            }
        }
    }
    if colour == Colour::White {
        // Rows and columns change places: the bottom is White's right side.
        let transpose = |end: usize| match end {
            cell if cell < cells => cell % size * size + cell / size,
            side => side,
        };
        templates = templates.iter().map(|template| moved(template, transpose)).collect();
    }
    templates
}

/// The template under a symmetry of the board.
fn moved<const W: usize>(template: &Template<W>, symmetry: impl Fn(usize) -> usize) -> Template<W> {
    let moved = |cells: CellSet<W>| cells.iter().map(&symmetry).collect();
    Template {
        ends: template.ends.map(&symmetry),
        carrier: moved(template.carrier),
        helpers: moved(template.helpers),
    }
}

/// All captures of a colour on a board.
fn captures<const W: usize>(size: usize, colour: Colour) -> Vec<Capture<W>> {
    let Some(board) = geometry(size) else { return Vec::new() };
    let cell = |point: Point| {
        let index = board.move_of[point.index()];
        (index != u16::MAX).then_some(usize::from(index))
    };
    let mut captures = Vec::new();
    for &point in &board.points {
        let ring = point.neighbours();
        for turn in 0..6 {
            let (a, b) = (ring[turn], ring[(turn + 1) % 6]);
            let (Some(point), Some(first), Some(second)) = (cell(point), cell(a), cell(b)) else {
                continue;
            };
            let beyond = [
                a.neighbours()[turn],
                a.neighbours()[(turn + 1) % 6],
                b.neighbours()[(turn + 1) % 6],
            ];
            // A corner belongs to both colours, and is left out.
            let own = colour.cell() as u8;
            let usable = |at: &Point| [own, Cell::Empty as u8].contains(&board.empty[at.index()]);
            if beyond.iter().all(usable) {
                captures.push(Capture {
                    cell: point,
                    captured: [first, second].into_iter().collect(),
                    around: beyond.into_iter().filter_map(cell).collect(),
                });
            }
        }
    }
    captures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Plain;

    #[test]
    fn templates_hold_and_need_every_cell() {
        let diagrams = diagrams();
        let ladders = diagrams.iter().filter(|diagram| diagram.other.is_some()).count();
        assert_eq!((ladders, diagrams.len()), (2 * LONGEST, 2 * LONGEST + 7));
        let lattice = Lattice::<3>::of(13).unwrap();
        for diagram in diagrams {
            for diagram in [diagram.mirrored(), diagram] {
                let template = (0..13).find_map(|column| diagram.at::<3>(13, column)).unwrap();
                let side = lattice.beside[Colour::Black.index()][1];
                let ends = template.ends.map(|end| if end < 169 { CellSet::of(end) } else { side });
                let stones: CellSet<3> =
                    template.ends.into_iter().filter(|&end| end < 169).collect();
                let joins = |helpers, free| {
                    let mut plain = Plain::joining(lattice, Colour::Black, ends);
                    plain.joins(stones | helpers, free, false)
                };
                let Template { carrier, helpers, .. } = template;
                assert!(joins(helpers, carrier), "{diagram:?}");
                for cell in carrier.iter() {
                    assert!(!joins(helpers, carrier.without(cell)), "{diagram:?} {cell}");
                }
                for cell in helpers.iter() {
                    assert!(!joins(helpers.without(cell), carrier), "{diagram:?} {cell}");
                }
            }
        }
    }

    #[test]
    fn templates_are_where_the_colour_wants_them() {
        for colour in Colour::BOTH {
            let lattice = Lattice::<2>::of(8).unwrap();
            let templates = templates::<2>(8, colour);
            for template in &templates {
                // On so large a board a template is beside one side only.
                let beside = |side: &usize| {
                    !lattice.beside[colour.index()][*side].is_disjoint(&template.carrier)
                };
                let sides: Vec<usize> = (0..2).filter(beside).collect();
                assert_eq!(sides.len(), 1, "{template:?}");
                assert!(template.ends[1] < 64 || template.ends[1] == 64 + sides[0]);
                let side = lattice.beside[colour.index()][sides[0]];
                let region = lattice.flood(side, template.carrier);
                for end in template.ends.into_iter().filter(|&end| end < 64) {
                    assert!(!template.carrier.contains(end));
                    assert!(lattice.grown(region).contains(end));
                }
            }
            // Five places of the ziggurat, five of its mirror image, on both sides.
            let ziggurat = |t: &&Template<2>| t.carrier.len() == 8 && t.ends[1] >= 64;
            assert_eq!(templates.iter().filter(ziggurat).count(), 20);
        }
    }
}
