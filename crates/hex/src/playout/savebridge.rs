//! Savebridge (H6): random stones, but a bridge the opponent intrudes on is saved.
//!
//! A bridge is two places of one colour (stones, or a stone and its own side) with two empty common
//! neighbours, its carrier; whoever owns it answers a stone on one carrier cell on the other. The
//! two carrier cells are neighbours, so a stone at `p` intrudes on a bridge exactly if three
//! places in a row around `p` are: owner, empty, owner. The six places around `p` make a code of
//! twelve bits and a table tells the replies.
//!
//! Two more patterns of four cells can be switched on, which the paper tried without lasting gain
//! (H15): breakbridge, where the opponent's stone makes a bridge that is half broken already, and the
//! continuation of a ladder.

use kosumi_game::{Playout, Reward, Rng, Trace};

use super::{Scratch, full_board};
use crate::geometry::{POINTS, Point, RING, STRIDE};
use crate::{Cell, Colour, Hex};

/// Random stones until the board is full, but bridges are saved; of several answers at once, one
/// at random.
#[derive(Clone, Debug)]
pub struct SavebridgePlayout {
    scratch: Scratch,
    breakbridge: bool,
    ladder: bool,
}

impl SavebridgePlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::with_answers(false, false)
    }

    /// One that also breaks bridges that are half broken, and continues ladders (H15).
    #[must_use]
    pub fn with_answers(breakbridge: bool, ladder: bool) -> Self {
        Self { scratch: Scratch::new(), breakbridge, ladder }
    }

    /// The directions from the opponent's last stone in which the patterns find an answer.
    #[inline]
    fn answers(&self, last: Point, colour: Colour) -> u8 {
        let cells = &self.scratch.cells;
        let code = ring_code(cells, last);
        let mut directions = REPLIES[colour.index()][code];
        if self.ladder {
            directions |= LADDERS[colour.index()][code];
        }
        if self.breakbridge {
            directions |= breaks(cells, last, colour);
        }
        directions
    }
}

impl Default for SavebridgePlayout {
    fn default() -> Self {
        Self::new()
    }
}

/// By the owner's colour and the code of the six places around an intrusion: the set of directions
/// in which an answer saves a bridge.
static REPLIES: [[u8; 4096]; 2] = [replies(Cell::Black as u8), replies(Cell::White as u8)];

/// The same for ladders: a stone of the owner beside the last one, with a stone of the opponent on one
/// side of both; it goes on on the other.
static LADDERS: [[u8; 4096]; 2] = [ladders(Colour::Black), ladders(Colour::White)];

/// What lies in a direction, by the code of the six places around.
const fn seen(code: usize, direction: usize) -> u8 {
    (code >> (2 * (direction % 6)) & 3) as u8
}

const fn replies(owner: u8) -> [u8; 4096] {
    let mut table = [0; 4096];
    let mut code = 0;
    while code < table.len() {
        let mut direction = 0;
        while direction < 6 {
            let between = seen(code, direction + 5) == owner && seen(code, direction + 1) == owner;
            if between && seen(code, direction) == Cell::Empty as u8 {
                table[code] |= 1 << direction;
            }
            direction += 1;
        }
        code += 1;
    }
    table
}

const fn ladders(owner: Colour) -> [u8; 4096] {
    let (own, other) = (owner.cell() as u8, owner.opponent().cell() as u8);
    let mut table = [0; 4096];
    let mut code = 0;
    while code < table.len() {
        let mut direction = 0;
        while direction < 6 {
            let after = seen(code, direction + 1) == own && seen(code, direction + 2) == other;
            let before = seen(code, direction + 5) == own && seen(code, direction + 4) == other;
            if seen(code, direction) == Cell::Empty as u8 && (after || before) {
                table[code] |= 1 << direction;
            }
            direction += 1;
        }
        code += 1;
    }
    table
}

/// Where a bridge from the stone at `last` is half broken: one cell of its carrier is the colour's,
/// the other one, to which the directions point, is empty.
fn breaks(cells: &[u8; POINTS], last: Point, colour: Colour) -> u8 {
    let mut directions = 0;
    for (direction, offset) in RING.into_iter().enumerate() {
        let next = (direction + 1) % 6;
        let carrier = [offset, RING[next]].map(|by| cells[last.offset(by).index()]);
        let broken = match carrier.map(|cell| cell == Cell::Empty as u8) {
            [true, false] if carrier[1] == colour.cell() as u8 => direction,
            [false, true] if carrier[0] == colour.cell() as u8 => next,
            _ => continue,
        };
        // An empty cell on the way: the end is on the padded board.
        let end = last.offset(offset + RING[next]);
        if cells[end.index()] == colour.opponent().cell() as u8 {
            directions |= 1 << broken;
        }
    }
    directions
}

/// The places around a cell, two bits each, direction by direction.
#[inline]
fn ring_code(cells: &[u8; POINTS], at: Point) -> usize {
    // One window, so that one bounds check serves all six.
    let window = &cells[at.index() - STRIDE..=at.index() + STRIDE];
    let mut code = 0;
    for (direction, offset) in RING.into_iter().enumerate() {
        let cell = window[STRIDE.wrapping_add_signed(offset)];
        code |= usize::from(cell) << (2 * direction);
    }
    code
}

/// One of a non-empty set of directions, at random.
#[inline]
fn choose(mut directions: u8, rng: &mut Rng) -> usize {
    // One is by far the most common: no random number is spent on it.
    if !directions.is_power_of_two() {
        for _ in 0..rng.below(directions.count_ones()) {
            directions &= directions - 1;
        }
    }
    directions.trailing_zeros() as usize
}

impl Playout<Hex> for SavebridgePlayout {
    fn run(&mut self, from: &Hex, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let count = self.scratch.load(from);
        let move_of = &from.geometry().move_of;
        let mut colour = from.colour_to_move();
        let mut player = from.player_of(colour);
        // `empties[next..]` are the cells not drawn yet; some of them hold replies already.
        let mut next = 0;
        // A stone of one's own, after a move out of turn, is no intrusion.
        let mut last = from.last_stone().filter(|&at| from.cell(at) != colour.cell());
        for _ in 0..count {
            let reply = last.and_then(|last| {
                let answers = self.answers(last, colour);
                (answers != 0).then(|| last.offset(RING[choose(answers, rng)]))
            });
            let Scratch { cells, empties } = &mut self.scratch;
            let empties = &mut empties[..count];
            let at = reply.unwrap_or_else(|| {
                loop {
                    let pick = next + rng.below((count - next) as u32) as usize;
                    empties.swap(next, pick);
                    let at = Point(empties[next]);
                    next += 1;
                    if cells[at.index()] == Cell::Empty as u8 {
                        break at;
                    }
                }
            });
            cells[at.index()] = colour.cell() as u8;
            trace.push(player, usize::from(move_of[at.index()]));
            last = Some(at);
            colour = colour.opponent();
            player = player.opponent();
        }
        Reward::win(from.player_of(full_board::winner(&self.scratch.cells)))
    }
}
