//! What a board offers before any search: edge templates, and pairs of cells that a stone
//! captures.

use crate::geometry::{Point, geometry};
use crate::{Cell, CellSet, Colour, Lattice};

/// The templates as diagrams.
const TEMPLATES: &str = include_str!("templates.txt");

/// A full connection of a cell with a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template<const W: usize> {
    pub cell: usize,
    /// 0 or 1.
    pub side: usize,
    pub carrier: CellSet<W>,
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

/// A template of the diagrams: cells by their distance below the stone's row and their place
/// right of the stone in that row.
#[derive(Clone, Debug)]
struct Diagram {
    /// The row of the stone, from the side: 2 or more.
    row: isize,
    cells: Vec<(isize, isize)>,
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

/// Reads the diagrams: rows of `B`, `*` and `-`, each shifted half a cell against the one above.
fn diagrams() -> Vec<Diagram> {
    let is_row = |line: &str| {
        line.split_whitespace().all(|token| ["B", "*", "-"].contains(&token)) && !line.is_empty()
    };
    let lines: Vec<&str> = TEMPLATES.lines().collect();
    let blocks = lines.split(|line| !is_row(line)).filter(|rows| !rows.is_empty());
    blocks
        .map(|rows| {
            let places = || {
                rows.iter().enumerate().flat_map(|(row, line)| {
                    let column = move |at: usize| (at as isize - row as isize).div_euclid(2);
                    line.char_indices().map(move |(at, symbol)| (row as isize, column(at), symbol))
                })
            };
            let stone = places().find(|&(_, _, symbol)| symbol == 'B');
            let (top, middle, _) = stone.expect("each template has a stone");
            let cells = places().filter(|&(_, _, symbol)| symbol == '*');
            Diagram {
                row: rows.len() as isize - top,
                cells: cells.map(|(row, column, _)| (row - top, column - middle)).collect(),
            }
        })
        .collect()
}

impl Diagram {
    /// Its mirror image: left and right of the stone change places.
    fn mirrored(&self) -> Self {
        let cells = self.cells.iter().map(|&(down, right)| (down, -right - down)).collect();
        Self { row: self.row, cells }
    }

    /// The template with its stone in a column, at the bottom of a board; `None` where there is
    /// no room for it.
    fn at<const W: usize>(&self, size: usize, column: isize) -> Option<Template<W>> {
        let place = |down: isize, right: isize| {
            let (row, column) = (size as isize - self.row + down, column + right);
            let on_board = |i: isize| (0..size as isize).contains(&i);
            (on_board(row) && on_board(column)).then(|| row as usize * size + column as usize)
        };
        let carrier = self.cells.iter().map(|&(down, right)| place(down, right));
        Some(Template { cell: place(0, 0)?, side: 1, carrier: carrier.collect::<Option<_>>()? })
    }
}

/// All templates of a colour on a board.
fn templates<const W: usize>(size: usize, colour: Colour) -> Vec<Template<W>> {
    let mut templates = Vec::new();
    for diagram in diagrams() {
        for diagram in [diagram.mirrored(), diagram] {
            for template in (0..size as isize).filter_map(|column| diagram.at(size, column)) {
                let turn = |cell: usize| size * size - 1 - cell;
                templates.push(template);
                templates.push(moved(&template, 0, turn));
            }
        }
    }
    if colour == Colour::White {
        // Rows and columns change places: the bottom is White's right side.
        let transpose = |cell: usize| cell % size * size + cell / size;
        templates =
            templates.iter().map(|template| moved(template, template.side, transpose)).collect();
    }
    templates
}

/// The template under a symmetry of the board.
fn moved<const W: usize>(
    template: &Template<W>,
    side: usize,
    symmetry: impl Fn(usize) -> usize,
) -> Template<W> {
    let carrier = template.carrier.iter().map(&symmetry).collect();
    Template { cell: symmetry(template.cell), side, carrier }
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
        assert_eq!(diagrams.len(), 4);
        for diagram in diagrams {
            for diagram in [diagram.mirrored(), diagram] {
                let lattice = Lattice::<2>::of(11).unwrap();
                let template = diagram.at::<2>(11, 6).unwrap();
                let own = CellSet::of(template.cell);
                let side = lattice.beside[Colour::Black.index()][1];
                let joins = |free| {
                    let mut plain = Plain::joining(lattice, Colour::Black, [own, side]);
                    plain.joins(own, free, false)
                };
                assert!(joins(template.carrier), "{diagram:?}");
                for cell in template.carrier.iter() {
                    assert!(!joins(template.carrier.without(cell)), "{diagram:?} {cell}");
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
                let side = lattice.beside[colour.index()][template.side];
                assert!(!template.carrier.is_disjoint(&side));
                assert!(!template.carrier.contains(template.cell));
                let region = lattice.flood(side, template.carrier);
                assert!(lattice.grown(region).contains(template.cell));
            }
            // Five places of the ziggurat, five of its mirror image, on both sides.
            assert_eq!(templates.iter().filter(|t| t.carrier.len() == 8).count(), 20);
        }
    }
}
