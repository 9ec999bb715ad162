//! A small net that evaluates positions: how good each move is, and who wins.
//!
//! The net sees stones as the player to move does, own and the opponent's, on the board as it is. What
//! takes many layers to work out is told by further planes: how many edges and corners a chain
//! touches, and where either colour wins at once. docs/net-format.md lists the planes.

use std::sync::OnceLock;

use kosumi_game::{Evaluation, Game};
use kosumi_learn::{WeightFile, WeightFileError};
use kosumi_net::{GameInputs, Net, Planes, Scratch};

use crate::Havannah;
use crate::board::Board;
use crate::geometry::{
    CORNER_BITS, EDGE_SHIFT, Geometry, MAX_SIZE, column, contains, for_each_place, row,
};

/// The planes that a net can see.
const PLANES: [&str; 14] = [
    "own",
    "opp",
    "board",
    "last",
    "corner",
    "edge",
    "own-edge1",
    "own-edge2",
    "own-corner",
    "opp-edge1",
    "opp-edge2",
    "opp-corner",
    "own-wins",
    "opp-wins",
];

/// The same as numbers, those of the opponent so many after the player's own.
const STONES: usize = 0;
const BOARD: usize = 2;
const LAST: usize = 3;
const CORNER: usize = 4;
const EDGE: usize = 5;
const CHAINS: usize = 6;
const CHAIN_PLANES: usize = 3;
const WINS: usize = 12;

/// A net of Havannah, for boards of every size.
#[derive(Clone, Debug, PartialEq)]
pub struct HavannahNet {
    net: Net,
    /// The place of each of [`PLANES`] among those that the net sees.
    places: [Option<usize>; PLANES.len()],
}

impl HavannahNet {
    /// Reads a net.
    ///
    /// # Errors
    /// The file holds something else, or is not as docs/net-format.md says.
    pub fn from_file(file: &WeightFile) -> Result<Self, WeightFileError> {
        let inputs = GameInputs { game: "havannah", planes: &PLANES, scalars: &[], passes: false };
        let net = Net::from_file(file, &inputs)?;
        Ok(Self { places: net.places(PLANES), net })
    }

    /// Evaluates a position, with a thread's memory; a swap that is possible is left out of account.
    #[must_use]
    pub fn evaluate(&self, scratch: &mut Scratch, position: &Havannah) -> Evaluation {
        let geometry = position.geometry();
        let found = self.net.evaluate(scratch, net_board(geometry), &[], |planes| {
            fill(position, |plane, place| self.set(planes, plane, place));
        });
        let cell = |&place: &u16| row(place.into()) * geometry.diameter() + column(place.into());
        let policy = geometry.places.iter().map(|place| found.policy[cell(place)]).collect();
        Evaluation { policy, value_logit: found.value_logit }
    }

    fn set(&self, planes: &mut Planes<'_>, plane: usize, place: usize) {
        if let Some(number) = self.places[plane] {
            // Beyond the margin.
            planes.set(number, row(place) + 1, column(place) + 1);
        }
    }
}

impl Havannah {
    /// The planes that nets can see, in the order of docs/net-format.md. Each has a byte for each cell of
    /// the grid of rows and columns, row by row: 1 where it is set.
    #[must_use]
    pub fn net_planes(&self) -> Vec<u8> {
        let diameter = self.geometry().diameter();
        let cells = diameter * diameter;
        let mut bytes = vec![0; PLANES.len() * cells];
        fill(self, |plane, place| bytes[plane * cells + row(place) * diameter + column(place)] = 1);
        bytes
    }
}

/// Calls `set` with each plane and each place where it is set.
fn fill(position: &Havannah, mut set: impl FnMut(usize, usize)) {
    let Havannah { board, .. } = position;
    let geometry = board.geometry;
    let mover = position.colour_to_move().index();
    for_each_place(&geometry.cells, |place| set(BOARD, place));
    for_each_place(&geometry.rim, |place| {
        let corner = geometry.marks[place] & CORNER_BITS != 0;
        set(if corner { CORNER } else { EDGE }, place);
    });
    if let Some(place) = position.last_place()
        && contains(board.stones(1 - mover), place)
    {
        set(LAST, place);
    }
    for (side, colour) in [mover, 1 - mover].into_iter().enumerate() {
        for_each_place(board.stones(colour), |place| {
            set(STONES + side, place);
            let marks = board.marks(board.root(place));
            let edges = (marks >> EDGE_SHIFT).count_ones();
            let chain = CHAINS + CHAIN_PLANES * side;
            let has = [edges >= 1, edges >= 2, marks & CORNER_BITS != 0];
            (0..CHAIN_PLANES)
                .filter(|&plane| has[plane])
                .for_each(|plane| set(chain + plane, place));
        });
        if position.outcome().is_none() {
            for_each_winning(board, colour, |place| set(WINS + side, place));
        }
    }
}

/// Calls `visit` with each empty cell where a stone of `colour` wins at once.
fn for_each_winning(board: &Board, colour: usize, mut visit: impl FnMut(usize)) {
    for_each_place(board.empties(), |place| {
        if board.would_win(colour, place) {
            visit(place);
        }
    });
}

/// The board of a size as nets know it.
fn net_board(geometry: &Geometry) -> &'static kosumi_net::Board {
    static BOARDS: [OnceLock<kosumi_net::Board>; MAX_SIZE + 1] =
        [const { OnceLock::new() }; MAX_SIZE + 1];
    let diameter = geometry.diameter();
    let is_cell = |y, x| geometry.place(y, x).is_some();
    BOARDS[geometry.size].get_or_init(|| kosumi_net::Board::new(diameter, diameter, is_cell))
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Move, Rng};
    use kosumi_learn::Provenance;

    use super::*;
    use crate::{Colour, HavannahMove, HavannahRules, MIN_SIZE, slow};

    /// A position as the tests see it: by cells, without chains.
    struct Seen<'a> {
        position: &'a Havannah,
        side: usize,
    }

    impl Seen<'_> {
        fn stone(&self, y: usize, x: usize) -> Option<Colour> {
            self.position.cell(y, x).and_then(|mv| self.position.stone(mv))
        }

        /// The sides of the board that a cell lies on: two for corners.
        fn sides(&self, y: usize, x: usize) -> Vec<usize> {
            let (last, s) = (self.side - 1, self.position.size());
            let on = [y == 0, y == last, x == 0, x == last, y + 1 == x + s, x + 1 == y + s];
            (0..6).filter(|&side| on[side]).collect()
        }

        /// The cells of a stone's chain, by flooding.
        fn chain(&self, y: usize, x: usize) -> Vec<(usize, usize)> {
            let (colour, mut chain, mut next) = (self.stone(y, x), vec![(y, x)], 0);
            while let Some(&(y, x)) = chain.get(next) {
                for (dy, dx) in [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)] {
                    let (y, x) = (y.wrapping_add_signed(dy), x.wrapping_add_signed(dx));
                    if y < self.side && self.stone(y, x) == colour && !chain.contains(&(y, x)) {
                        chain.push((y, x));
                    }
                }
                next += 1;
            }
            chain
        }

        /// How many edges and corners a stone's chain touches.
        fn touched(&self, y: usize, x: usize) -> (usize, usize) {
            let sides = self.chain(y, x).into_iter().map(|(y, x)| self.sides(y, x));
            let (corners, edges): (Vec<_>, Vec<_>) =
                sides.filter(|sides| !sides.is_empty()).partition(|sides| sides.len() == 2);
            let mut edges: Vec<usize> = edges.into_iter().flatten().collect();
            edges.sort_unstable();
            edges.dedup();
            (edges.len(), corners.len())
        }

        fn wins(&self, colour: Colour, y: usize, x: usize) -> bool {
            slow::has_won(self.position.size(), |row, column| {
                (row, column) == (y, x) || self.stone(row, column) == Some(colour)
            })
        }

        /// What is told of the plane by docs/net-format.md.
        fn is_set(&self, plane: &str, y: usize, x: usize) -> bool {
            let Some(mv) = self.position.cell(y, x) else { return false };
            let own = self.position.colour_to_move();
            let here = self.stone(y, x);
            let open = self.position.winner().is_none();
            if let Some((owner, feature)) = plane.split_once('-') {
                let colour = if owner == "own" { own } else { own.opponent() };
                if feature == "wins" {
                    return open && here.is_none() && self.wins(colour, y, x);
                }
                if here != Some(colour) {
                    return false;
                }
                let (edges, corners) = self.touched(y, x);
                return match feature {
                    "edge1" => edges >= 1,
                    "edge2" => edges >= 2,
                    "corner" => corners >= 1,
                    _ => unreachable!("{plane}"),
                };
            }
            match plane {
                "own" => here == Some(own),
                "opp" => here == Some(own.opponent()),
                "board" => true,
                "last" => self.position.last_stone() == Some(mv) && here == Some(own.opponent()),
                "corner" => self.sides(y, x).len() == 2,
                "edge" => self.sides(y, x).len() == 1,
                _ => unreachable!("{plane}"),
            }
        }
    }

    /// Compares all planes, and returns how many cells of each are set.
    fn check(position: &Havannah) -> [usize; PLANES.len()] {
        let side = 2 * position.size() - 1;
        let seen = Seen { position, side };
        let found = position.net_planes();
        assert_eq!(found.len(), PLANES.len() * side * side);
        let mut set = [0; PLANES.len()];
        for (number, plane) in PLANES.iter().enumerate() {
            for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
                let here = found[(number * side + y) * side + x];
                let expected = u8::from(seen.is_set(plane, y, x));
                assert_eq!(here, expected, "{plane} at row {y}, column {x} of\n{position}");
                set[number] += usize::from(here);
            }
        }
        set
    }

    #[test]
    fn planes_are_what_brute_force_finds() {
        let mut set = [0; PLANES.len()];
        for size in MIN_SIZE..=MAX_SIZE {
            for number in 0..[30, 20, 12, 8, 5, 3, 2, 2][size - MIN_SIZE] {
                let mut rng = Rng::stream(size as u64, number);
                let mut position = Havannah::new(size, HavannahRules { swap: false }).unwrap();
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                rng.shuffle(&mut moves);
                let every = 1 + size / 3 * 5;
                for (ply, mv) in moves.into_iter().enumerate() {
                    if ply % every == 0 {
                        set.iter_mut().zip(check(&position)).for_each(|(sum, new)| *sum += new);
                    }
                    if position.outcome().is_some() {
                        break;
                    }
                    position.play(mv);
                }
                check(&position);
            }
        }
        assert!(set.iter().all(|&count| count > 100), "{set:?}");
    }

    #[test]
    fn the_last_stone_is_seen_when_it_is_the_opponents() {
        let last = |position: &Havannah| check(position)[LAST];
        let mut position = Havannah::new(4, HavannahRules { swap: true }).unwrap();
        assert_eq!(last(&position), 0);
        position.play(position.parse_move("d4").unwrap());
        assert_eq!(last(&position), 1);
        // It stays White's, and the player to move has Black now.
        let mut swapped = position.clone();
        swapped.play(swapped.swap_move());
        assert_eq!(last(&swapped), 1);
        position.set_turn(Colour::White);
        assert_eq!(last(&position), 0);
    }

    #[test]
    fn nobody_wins_at_once_when_the_game_is_over() {
        let mut position = Havannah::new(4, HavannahRules { swap: false }).unwrap();
        let mut wins = 0;
        for text in ["a1", "d4", "a2", "d5", "a3", "d3", "a4"] {
            let set = check(&position);
            wins = set[WINS] + set[WINS + 1];
            position.play(position.parse_move(text).unwrap());
        }
        assert_eq!((wins, position.winner()), (1, Some(Colour::White)));
        assert_eq!(check(&position)[WINS..], [0, 0]);
    }

    /// A net without blocks whose policy tells apart where the plane is set: 1 there, 0 elsewhere.
    fn echo(planes: &[&str], plane: usize) -> HavannahNet {
        let shape = format!(
            r#"{{"taps": "hexagon-down", "planes": {planes:?}, "scalars": [], "channels": 16,
            "blocks": [], "policy_channels": 0, "value_channels": 16, "globals": ["value"],
            "cells": []}}"#
        );
        // Weights of 1, in units of 1/256.
        let layer = |outputs: usize, weights: usize, one: usize| {
            let mut bytes = 8u32.to_le_bytes().to_vec();
            bytes.extend(vec![0; 4 * outputs]);
            let weight = |place| if place == one { 256i16 } else { 0 };
            bytes.extend((0..weights).flat_map(|place| weight(place).to_le_bytes()));
            bytes
        };
        let mut file = WeightFile::new("havannah", "net", 2, Provenance::default());
        file.push_section("shape", shape.into_bytes());
        // The first channel is the plane on the cell itself, the fourth of seven taps.
        let one = (3 * planes.len() + plane) * 16;
        file.push_section("first", layer(16, 7 * planes.len() * 16, one));
        file.push_section("policy", layer(1, 16, 0));
        file.push_section("value", layer(16, 16 * 16, 0));
        // The mean of the first channel, once.
        let (mut globals, values) = (vec![0f32; 16 * 32 + 16 + 16 + 1], 16);
        (globals[0], globals[values * 2 * values + values]) = (1.0, 1.0);
        file.push_section("globals", globals.iter().flat_map(|n| n.to_le_bytes()).collect());
        HavannahNet::from_file(&file).unwrap()
    }

    #[test]
    fn moves_and_values_are_those_of_the_cells() {
        let mut scratch = Scratch::default();
        // A net may see some of the planes in any order.
        let orders = [PLANES.to_vec(), vec!["opp-wins", "own", "last"], vec!["edge"]];
        for (size, planes) in [3, 5, 10].iter().flat_map(|s| orders.iter().map(move |o| (*s, o))) {
            let mut rng = Rng::new(size as u64);
            let mut position = Havannah::new(size, HavannahRules { swap: false }).unwrap();
            for _ in 0..size * size {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                if !moves.is_empty() {
                    position.play(moves[rng.below(moves.len() as u32) as usize]);
                }
            }
            let side = 2 * size - 1;
            for (number, plane) in planes.iter().enumerate() {
                let found = echo(planes, number).evaluate(&mut scratch, &position);
                let count = position.geometry().cell_count();
                assert_eq!(found.policy.len(), count);
                for (index, &logit) in found.policy.iter().enumerate() {
                    let mv = HavannahMove::from_index(index);
                    let (y, x) = position.row_and_column(mv).unwrap();
                    let expected = Seen { position: &position, side }.is_set(plane, y, x);
                    assert_eq!(logit, f32::from(u8::from(expected)), "{plane} at {y}, {x}");
                }
                let mean = found.policy.iter().sum::<f32>() / count as f32;
                assert!((found.value_logit - mean).abs() < 1e-5, "{plane}");
            }
        }
    }

    #[test]
    fn nets_that_see_more_are_refused() {
        let good = echo(&["own"], 0);
        assert_eq!(good.places[STONES], Some(0));
        let mut file = WeightFile::new("havannah", "net", 2, Provenance::default());
        file.push_section(
            "shape",
            br#"{"taps": "hexagon-down", "planes": ["own", "ladder"], "scalars": [], "channels": 16,
            "blocks": [], "policy_channels": 0, "value_channels": 16, "globals": ["value"],
            "cells": []}"#
                .to_vec(),
        );
        let error = HavannahNet::from_file(&file).unwrap_err().to_string();
        assert!(error.contains("'ladder' is unknown: havannah has own, opp, board,"), "{error}");
    }
}
