//! Findings held against the plain solver, which knows neither connections nor inferior cells.

use kosumi_game::Rng;

use super::*;
use crate::plain::Plain;
use crate::{Hex, HexRules};

/// A board of the test: 4x4 with any stones, 5x5 with at least 6, 6x6 with at least 14.
fn random_stones(rng: &mut Rng) -> Stones<1> {
    let (size, least) = [(4, 0), (5, 6), (6, 14)][rng.below(3) as usize];
    let mut stones = Stones::empty_board(size).unwrap();
    let mut cells: Vec<usize> = (0..size * size).collect();
    rng.shuffle(&mut cells);
    let count = least + rng.below((size * size - least) as u32) as usize;
    // One colour may have more stones than turns would give it: fill-in makes such boards.
    let share = 35 + rng.below(31);
    for cell in cells.into_iter().take(count) {
        let black = rng.below(100) < share;
        stones.place(if black { Colour::Black } else { Colour::White }, cell);
    }
    stones
}

/// The oracle of one board.
struct Oracle(Plain<1>);

impl Oracle {
    fn new(stones: &Stones<1>) -> Self {
        Self(Plain::sides(stones.lattice()))
    }

    fn winner(&mut self, stones: &Stones<1>, to_move: Colour) -> Colour {
        let first = to_move == Colour::Black;
        let joins = self.0.joins(stones.of(Colour::Black), stones.empty(), first);
        if joins { Colour::Black } else { Colour::White }
    }

    fn wins(&mut self, stones: &Stones<1>, colour: Colour, cell: usize) -> bool {
        let mut next = *stones;
        next.place(colour, cell);
        self.winner(&next, colour.opponent()) == colour
    }
}

/// How often each kind was seen, so that no test passes for want of cases.
#[derive(Debug, Default)]
struct Seen {
    dead: usize,
    captured: usize,
    vulnerable: usize,
    by_carrier: usize,
    dominated: usize,
    by_capture: usize,
    decided: usize,
}

fn check(positions: u64, seed: u64) -> Seen {
    let mut seen = Seen::default();
    let mut inferior = Inferior::new();
    let mut left = positions;
    for index in 0.. {
        let mut rng = Rng::stream(seed, index);
        let stones = random_stones(&mut rng);
        if stones.winner().is_some() || stones.empty().is_empty() {
            continue;
        }
        check_position(&stones, &mut inferior, &mut seen);
        left -= 1;
        if left == 0 {
            break;
        }
    }
    seen
}

fn check_position(stones: &Stones<1>, inferior: &mut Inferior<1>, seen: &mut Seen) {
    let mut oracle = Oracle::new(stones);
    let value = Colour::BOTH.map(|to_move| oracle.winner(stones, to_move));
    for to_move in Colour::BOTH {
        let findings = inferior.analyse(stones, to_move);
        let filled = findings.stones;
        let case = || format!("{to_move} to move on {stones:?}: {findings:?}");

        // Fill-in as a whole, each kind alone, and the other colour for the dead.
        assert_eq!(inferior.fill_in(stones), filled);
        let mut boards = vec![filled];
        for colour in Colour::BOTH {
            let mut dead = *stones;
            dead.fill(colour, findings.dead);
            let mut captured = *stones;
            captured.fill(colour, findings.captured[colour.index()]);
            // What was found after cells were filled in is true of the filled board: the other
            // colour's part has to be there.
            dead.fill(Colour::Black, findings.captured[0]);
            dead.fill(Colour::White, findings.captured[1]);
            captured.fill(colour.opponent(), findings.captured[1 - colour.index()]);
            boards.extend([dead, captured]);
        }
        for board in boards {
            for turn in Colour::BOTH {
                assert_eq!(oracle.winner(&board, turn), value[turn.index()], "{}", case());
            }
        }
        seen.dead += findings.dead.len();
        seen.captured += findings.captured[0].len() + findings.captured[1].len();

        // Pruning.
        let wins = value[to_move.index()] == to_move;
        assert!(findings.moves.is_subset(&stones.empty()) && !findings.moves.is_empty());
        let kept = findings.moves.iter().any(|cell| oracle.wins(stones, to_move, cell));
        assert_eq!(kept, wins, "{}", case());
        if let Some(winner) = findings.decided {
            seen.decided += 1;
            assert_eq!(winner, value[to_move.index()], "{}", case());
            continue;
        }

        inferior.analyse(stones, to_move);
        for (cell, kind) in inferior.kinds(&findings) {
            match kind {
                Kind::Dead | Kind::Captured(_) => assert!(!filled.empty().contains(cell)),
                Kind::Dominated { by } => {
                    seen.dominated += 1;
                    assert!(!by.is_empty() && by.is_subset(&filled.empty()));
                    if oracle.wins(&filled, to_move, cell) {
                        for better in by.iter() {
                            assert!(oracle.wins(&filled, to_move, better), "{cell}: {}", case());
                        }
                    }
                    seen.by_capture +=
                        usize::from(!(by - inferior.killed[to_move.index()][cell]).is_empty());
                }
                Kind::Vulnerable { killers, carrier } => {
                    seen.vulnerable += 1;
                    seen.by_carrier += usize::from(!carrier.is_empty());
                    for killer in killers.iter() {
                        // Once it is killed the cell is worth what it is with an opponent's stone.
                        let mut killed = filled;
                        killed.place(to_move, cell);
                        killed.place(to_move.opponent(), killer);
                        let mut lost = filled;
                        lost.fill(to_move.opponent(), carrier.with(cell).with(killer));
                        for turn in Colour::BOTH {
                            let (a, b) = (oracle.winner(&killed, turn), oracle.winner(&lost, turn));
                            assert_eq!(a, b, "{cell} by {killer}: {}", case());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn findings_agree_with_the_plain_solver() {
    let seen = check(2_000, 1);
    println!("{seen:?}");
    let Seen { dead, captured, vulnerable, by_carrier, dominated, by_capture, decided } = seen;
    assert!(dead.min(captured).min(vulnerable).min(dominated).min(decided) > 1_000);
    assert!(by_carrier.min(by_capture) > 50);
}

#[test]
#[ignore = "minutes; run by hand after a change of the analysis"]
fn findings_agree_with_the_plain_solver_at_length() {
    println!("{:?}", check(100_000, 2));
}

fn stones(text: &str) -> Stones<1> {
    let position = Hex::from_diagram(text, HexRules::default(), Colour::Black).unwrap();
    Stones::new(&position).unwrap()
}

#[test]
fn the_graph_finds_what_patterns_of_one_and_two_cells_find() {
    let table = Table::get();
    let mut inferior = Inferior::new();
    for index in 0..500 {
        let stones = random_stones(&mut Rng::stream(3, index));
        if stones.winner().is_some() {
            continue;
        }
        let size = stones.lattice().size;
        let mut filled = Filled { stones, dead: CellSet::EMPTY, captured: [CellSet::EMPTY; 2] };
        inferior.fill_by_graph(&mut filled);
        let rows = Rows::new(&stones);
        for cell in stones.empty().iter() {
            let window = rows.window(cell % size, cell / size);
            assert!(!table.is_dead(window.ring()) || filled.dead.contains(cell));
            for (colour, killed) in inferior.killed.iter().enumerate() {
                let found = table.matches(window, colour);
                for pair in found.filter(|m| m.missing == 0 && m.set.count_ones() == 2) {
                    let steps = bits(pair.set)
                        .map(Step::to)
                        .map(|step| (cell as i32 + step.down * size as i32 + step.right) as usize);
                    let other = steps.fold(0, |sum, cell| sum + cell) - cell;
                    let either_dead = filled.dead.contains(cell) || filled.dead.contains(other);
                    let each_kills = killed[cell].contains(other) && killed[other].contains(cell);
                    assert!(either_dead || each_kills, "{stones:?}, {cell} and {other}");
                }
            }
        }
    }
}

#[test]
fn a_bridge_to_the_side_is_captured() {
    // b4 and c4 below Black's stone on the third row of four.
    let stones = stones(". . . .\n. . . .\n. . B .\n. . . .");
    let mut inferior = Inferior::new();
    let findings = inferior.analyse(&stones, Colour::White);
    let pair: CellSet<1> = [13, 14].into_iter().collect();
    assert!(pair.is_subset(&findings.captured[0]), "{findings:?}");
}

#[test]
fn the_acute_corner_is_inferior_on_an_empty_board() {
    // a1 is killed by b1 or a2 of the right colour, whoever plays there.
    let stones = Stones::<2>::empty_board(11).unwrap();
    let mut inferior = Inferior::new();
    for to_move in Colour::BOTH {
        let findings = inferior.analyse(&stones, to_move);
        assert_eq!(findings.stones, stones);
        assert!(!findings.moves.contains(0) && !findings.moves.contains(120));
        assert!(findings.moves.contains(60));
    }
}
