//! Findings held against the plain solver, which knows neither connections nor inferior cells.

use kosumi_game::Rng;
use kosumi_game::testing::scaled;

use super::window::Rows;
use super::*;
use crate::plain::Plain;
use crate::{Cell, Hex, HexRules};

/// A board of the test: 4x4 with any stones, 5x5 with at least 6, 6x6 with at least 14.
fn random_stones(rng: &mut Rng) -> Stones<1> {
    let (size, least) = [(4, 0), (5, 6), (6, 14)][rng.below(3) as usize];
    let mut stones = Stones::empty_board(size).unwrap();
    let mut cells: Vec<usize> = (0..size * size).collect();
    rng.shuffle(&mut cells);
    // Boards with few stones take the oracle longest and have the least to be found.
    let room = (size * size - least) as u32;
    let count = least + rng.below(room).max(rng.below(room)) as usize;
    // One colour may have more stones than turns would give it: fill-in makes such boards.
    let share = 35 + rng.below(31);
    for cell in cells.into_iter().take(count) {
        let black = rng.below(100) < share;
        stones.place(if black { Colour::Black } else { Colour::White }, cell);
    }
    stones
}

/// Whether a move wins.
fn wins(oracle: &mut Plain<1>, stones: &Stones<1>, colour: Colour, cell: usize) -> bool {
    let mut next = *stones;
    next.place(colour, cell);
    oracle.winner(&next, colour.opponent()) == colour
}

/// How often each kind was seen, so that no test passes for want of cases.
#[derive(Debug, Default)]
struct Seen {
    dead: usize,
    captured: usize,
    permanent: usize,
    vulnerable: usize,
    by_carrier: usize,
    dominated: usize,
    by_capture: usize,
    decided: usize,
    /// Dead, captured and permanently inferior cells of single steps.
    steps: [[usize; 3]; 3],
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
    let mut oracle = Plain::sides(stones.lattice());
    let value = Colour::BOTH.map(|to_move| oracle.winner(stones, to_move));
    // What one step finds is true of the board as it is, each kind for itself.
    let cut_off = |inferior: &mut Inferior<1>, filled: &mut Filled<1>| {
        inferior.fill_by_graph(&mut Filled::new(&filled.stones));
        inferior.fill_cut_off(filled);
    };
    let steps = [Inferior::fill_by_graph, Inferior::fill_by_pattern, cut_off];
    for (step, fill) in steps.into_iter().enumerate() {
        let mut filled = Filled::new(stones);
        fill(inferior, &mut filled);
        for colour in Colour::BOTH {
            let sets = [filled.captured[colour.index()], filled.permanent[colour.index()]];
            for (kind, set) in [filled.dead].into_iter().chain(sets).enumerate() {
                let mut board = *stones;
                board.fill(colour, set);
                seen.steps[step][kind] += set.len();
                for turn in Colour::BOTH {
                    let winner = oracle.winner(&board, turn);
                    assert_eq!(winner, value[turn.index()], "{kind} of {step}: {stones:?}");
                }
            }
        }
    }
    for to_move in Colour::BOTH {
        let findings = inferior.analyse(stones, to_move);
        let filled = findings.stones;
        let case = || format!("{to_move} to move on {stones:?}: {findings:?}");

        // Fill-in as a whole, each kind alone, and the other colour for the dead.
        assert_eq!(inferior.fill_in(stones), filled);
        let mut boards = vec![filled];
        for colour in Colour::BOTH {
            // The dead may be left out or change colour; all else may rest on what was before it.
            let mut board = *stones;
            for owner in Colour::BOTH {
                board.fill(owner, findings.captured[owner.index()]);
                board.fill(owner, findings.permanent[owner.index()]);
            }
            boards.push(board);
            board.fill(colour, findings.dead);
            boards.push(board);
            seen.permanent += findings.permanent[colour.index()].len();
        }
        for board in boards {
            for turn in Colour::BOTH {
                assert_eq!(oracle.winner(&board, turn), value[turn.index()], "{}", case());
            }
        }
        seen.dead += findings.dead.len();
        seen.captured += findings.captured[0].len() + findings.captured[1].len();

        // Pruning.
        assert!(findings.moves.is_subset(&stones.empty()) && !findings.moves.is_empty());
        let kept = findings.moves.iter().any(|cell| wins(&mut oracle, stones, to_move, cell));
        assert_eq!(kept, value[to_move.index()] == to_move, "{}", case());
        if let Some(winner) = findings.decided {
            seen.decided += 1;
            assert_eq!(winner, value[to_move.index()], "{}", case());
            continue;
        }

        inferior.analyse(stones, to_move);
        for (cell, kind) in inferior.kinds(&findings) {
            match kind {
                Kind::Dead | Kind::Captured(_) | Kind::PermanentlyInferior(_) => {
                    assert!(!filled.empty().contains(cell));
                }
                Kind::Dominated { by } => {
                    seen.dominated += 1;
                    assert!(!by.is_empty() && by.is_subset(&filled.empty()));
                    if wins(&mut oracle, &filled, to_move, cell) {
                        for better in by.iter() {
                            assert!(
                                wins(&mut oracle, &filled, to_move, better),
                                "{cell}: {}",
                                case()
                            );
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
    let seen = check(scaled(2_000), 1);
    println!("{seen:?}");
    let Seen {
        dead,
        captured,
        permanent,
        vulnerable,
        by_carrier,
        dominated,
        by_capture,
        decided,
        steps,
    } = seen;
    assert!(dead.min(captured).min(vulnerable).min(dominated).min(decided) > 1_000);
    assert!(steps[0][0].min(steps[0][1]).min(steps[1][1]).min(steps[1][2]) > 50);
    assert!(steps[2][0] > 50);
    assert!(permanent.min(by_carrier).min(by_capture) > 50);
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
        let mut filled = Filled::new(&stones);
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
                    let other = steps.sum::<usize>() - cell;
                    let either_dead = filled.dead.contains(cell) || filled.dead.contains(other);
                    let each_kills = killed[cell].contains(other) && killed[other].contains(cell);
                    assert!(either_dead || each_kills, "{stones:?}, {cell} and {other}");
                }
            }
        }
    }
}

#[test]
fn surroundings_tell_no_more_than_the_board() {
    let mut inferior = Inferior::new();
    let mut seen = [0; 4];
    for index in 0..500 {
        let stones = random_stones(&mut Rng::stream(4, index));
        if stones.winner().is_some() {
            continue;
        }
        let size = stones.lattice().size as i32;
        for to_move in Colour::BOTH {
            let findings = inferior.analyse(&stones, to_move);
            for cell in stones.empty().iter() {
                let look = |right: i32, down: i32| {
                    let (column, row) = (cell as i32 % size + right, cell as i32 / size + down);
                    let step = Step { right, down };
                    if step.distance() > 2 {
                        return None;
                    }
                    if !(0..size).contains(&row) {
                        return Some(Cell::Black);
                    }
                    if !(0..size).contains(&column) {
                        return Some(Cell::White);
                    }
                    let at = (row * size + column) as usize;
                    let holds = |colour: &Colour| stones.of(*colour).contains(at);
                    Some(Colour::BOTH.into_iter().find(holds).map_or(Cell::Empty, Colour::cell))
                };
                let (found, filled) = match local_kind(look, to_move) {
                    None => continue,
                    Some(LocalKind::Dead) => (0, true),
                    Some(LocalKind::Captured(_)) => (1, true),
                    Some(LocalKind::Dominated { .. }) => (2, false),
                    Some(LocalKind::Vulnerable) => (3, false),
                };
                seen[found] += 1;
                let is_filled = !findings.stones.empty().contains(cell);
                assert!(is_filled || !filled, "{cell} on {stones:?}");
                if found == 3 && !is_filled && findings.decided.is_none() {
                    assert!(findings.vulnerable.contains(cell), "{cell} on {stones:?}");
                }
            }
        }
    }
    assert!(seen.into_iter().min() > Some(50), "{seen:?}");
}

#[test]
fn the_width_of_sets_changes_nothing() {
    fn findings<const W: usize>(size: usize, seed: u64) -> Vec<(usize, String)> {
        let mut rng = Rng::stream(5, seed);
        let mut stones = Stones::<W>::empty_board(size).unwrap();
        for turn in 0..size * size / 3 {
            let empty = stones.empty();
            let cell = empty.iter().nth(rng.below(empty.len() as u32) as usize).unwrap();
            stones.place(Colour::BOTH[turn % 2], cell);
        }
        let mut inferior = Inferior::new();
        let findings = inferior.analyse(&stones, Colour::White);
        let told = |kind| match kind {
            Kind::Dominated { by } => format!("dominated by {:?}", by.iter().collect::<Vec<_>>()),
            Kind::Vulnerable { killers, carrier } => {
                let [killers, carrier] = [killers, carrier].map(|s| s.iter().collect::<Vec<_>>());
                format!("killed by {killers:?} with {carrier:?}")
            }
            other => format!("{other:?}"),
        };
        let kinds = inferior.kinds(&findings);
        kinds.into_iter().map(|(cell, kind)| (cell, told(kind))).collect()
    }
    for seed in 0..50 {
        assert_eq!(findings::<2>(11, seed), findings::<6>(11, seed));
        assert!(!findings::<6>(19, seed).is_empty());
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
fn a_region_behind_one_cell_is_dead() {
    // Seven cells around d4, which Black can enter by f4 only. By itself d4 alone is dead.
    let stones = stones(
        ". . . . . . .
          . . . W W W .
           . . W . . W .
            . W . . . . .
             . W . . W . .
              . W W W . . .
               . . . . . . .",
    );
    let region: CellSet<1> = [17, 18, 23, 24, 25, 30, 31].into_iter().collect();
    let mut inferior = Inferior::new();
    let mut by_graph = Filled::new(&stones);
    inferior.fill_by_graph(&mut by_graph);
    assert_eq!(by_graph.dead & region, CellSet::of(24));
    let mut cut_off = Filled::new(&stones);
    inferior.fill_cut_off(&mut cut_off);
    assert_eq!(cut_off.dead, region);
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
