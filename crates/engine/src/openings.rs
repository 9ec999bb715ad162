//! What first moves of Hex are worth, for the swap: tables that `kosumi openings` has computed.
//!
//! The value of a first move is that for its owner if nobody swaps. With the swap the second player
//! takes over a stone that is worth more than a half, so the first one plays what is nearest to it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// The tables that are part of the program, one a line.
const OWN: &str = include_str!("../../../data/hex/openings.jsonl");

/// How values were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OpeningMethod {
    /// Proven: 0 or 1.
    Solver,
    /// The value of a search after the move.
    Search {
        /// The preset it used.
        preset: String,
        /// Its simulations after each move.
        simulations: u64,
        /// Its seed.
        seed: u64,
    },
}

/// The values of all first moves on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningTable {
    /// The number of rows and of columns.
    pub size: usize,
    /// How the values were found.
    pub by: OpeningMethod,
    /// The program that found them.
    pub commit: String,
    /// How many games the values were fitted to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub games: u32,
    /// The value of each first move for its owner; of two that are half a turn apart the one with
    /// the lower row, or on the middle row the lower column.
    pub values: BTreeMap<String, f32>,
}

impl OpeningTable {
    /// The table of a board that is part of the program.
    #[must_use]
    pub fn of(size: usize) -> Option<&'static Self> {
        static TABLES: OnceLock<Vec<OpeningTable>> = OnceLock::new();
        let read = || OWN.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        TABLES.get_or_init(read).iter().find(|table| table.size == size)
    }

    /// The first moves of a board that differ by more than half a turn, row by row.
    #[must_use]
    pub fn moves(size: usize) -> Vec<String> {
        let cells = size * size;
        (0..cells.div_ceil(2)).map(|cell| name(size, cell)).collect()
    }

    /// The first move of [`OpeningTable::moves`] that is this one or half a turn from it.
    #[must_use]
    pub fn turned(size: usize, mv: &str) -> Option<String> {
        let cell = (0..size * size).find(|&cell| name(size, cell).eq_ignore_ascii_case(mv))?;
        Some(name(size, lower(size, cell)?))
    }

    /// The value of a first move, by its number row by row from a1 = 0.
    #[must_use]
    pub fn value(&self, cell: usize) -> Option<f32> {
        self.values.get(&name(self.size, lower(self.size, cell)?)).copied()
    }

    /// The first move whose value is nearest to a half; `None` if all are won or lost, for then
    /// none is fairer than another.
    #[must_use]
    pub fn fairest(&self) -> Option<usize> {
        let distance = |cell: usize| Some((self.value(cell)? - 0.5).abs());
        let cells = (0..self.size * self.size).filter_map(|cell| Some((cell, distance(cell)?)));
        let open = cells.filter(|&(_, distance)| distance < 0.5);
        open.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(cell, _)| cell)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(games: &u32) -> bool {
    *games == 0
}

/// Of a cell and the one half a turn away the lower number.
fn lower(size: usize, cell: usize) -> Option<usize> {
    let last = (size * size).checked_sub(1)?;
    Some(cell.min(last.checked_sub(cell)?))
}

/// The name of a cell.
fn name(size: usize, cell: usize) -> String {
    let letter = char::from(b'a' + (cell % size) as u8);
    format!("{letter}{}", cell / size + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_turn_changes_no_value() {
        let values = [("a1", 0.2), ("b1", 0.55), ("c1", 0.7), ("a2", 0.4), ("b2", 0.9)];
        let table = OpeningTable {
            size: 3,
            by: OpeningMethod::Solver,
            commit: String::new(),
            games: 0,
            values: values.map(|(mv, value)| (mv.to_owned(), value)).into(),
        };
        assert_eq!(OpeningTable::moves(3), values.map(|(mv, _)| mv));
        for (cell, value) in [(0, 0.2), (8, 0.2), (1, 0.55), (7, 0.55), (4, 0.9)] {
            assert_eq!(table.value(cell), Some(value), "{cell}");
        }
        assert_eq!(table.value(9), None);
        assert_eq!(OpeningTable::turned(3, "B3").as_deref(), Some("b1"));
        assert_eq!(OpeningTable::turned(3, "b2").as_deref(), Some("b2"));
        assert_eq!(OpeningTable::turned(3, "d1"), None);
        assert_eq!(table.fairest(), Some(1));
    }

    #[test]
    fn where_all_is_proven_nothing_is_fair() {
        let values = OpeningTable::moves(3).into_iter().map(|mv| (mv, 1.0)).collect();
        let by = OpeningMethod::Solver;
        let table = OpeningTable { size: 3, by, commit: String::new(), games: 0, values };
        assert_eq!(table.fairest(), None);
    }

    #[test]
    fn our_own_tables_are_whole() {
        let lines = OWN.lines().count();
        assert!(lines > 0);
        let mut sizes = Vec::new();
        for line in OWN.lines() {
            let table: OpeningTable = serde_json::from_str(line).unwrap();
            assert!(
                table.values.keys().eq({
                    let mut moves = OpeningTable::moves(table.size);
                    moves.sort();
                    moves
                }
                .iter())
            );
            let fits = |value: &f32| match table.by {
                OpeningMethod::Solver => *value == 0.0 || *value == 1.0,
                _ => (0.0..=1.0).contains(value),
            };
            assert!(table.values.values().all(fits), "{}", table.size);
            sizes.push(table.size);
        }
        sizes.dedup();
        assert_eq!(sizes.len(), lines, "one table for each size");
        // On 4x4 the short diagonal wins, and nothing else (4x4 is solved by hand in many books).
        let table = OpeningTable::of(4).unwrap();
        let wins: Vec<usize> = (0..16).filter(|&cell| table.value(cell) == Some(1.0)).collect();
        assert_eq!(wins, [3, 6, 9, 12]);
    }
}
