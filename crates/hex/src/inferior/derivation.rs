//! Where the patterns come from: all small sets of empty cells with all stones around them, and a
//! proof by exhaustion for each. `patterns.txt` is this module's output, and every pattern of the
//! file is proved anew by the tests.

use std::collections::BTreeSet;

use super::bits;
use super::patterns::{Pattern, TEXT, Table, parse};
use super::window::{NEIGHBOURS, RING_CODES, Step, Window};

/// The largest sets that the file has.
const LARGEST: usize = 5;
/// The largest sets that are derived anew in every test run; one more takes a minute.
const QUICK: usize = 4;

/// Whether a cell is dead, by its six neighbours: however the empty ones are filled, the black
/// stones among the six are joined to each other beside the cell, as one run around it. So a
/// black stone in the middle joins nothing that was not, whatever the rest of the board holds.
fn dead_by_exhaustion(ring: usize) -> bool {
    let (black, white) = (ring & 63, ring >> 6);
    let fillings = (0..64usize).filter(|filling| filling & black == black && filling & white == 0);
    let runs = |filling: usize| (filling & !(filling << 1 | filling >> 5)).count_ones();
    black & white == 0 && fillings.map(runs).all(|runs| runs <= 1)
}

struct Proof {
    dead: Vec<bool>,
}

impl Proof {
    fn new() -> Self {
        Self { dead: (0..RING_CODES).map(dead_by_exhaustion).collect() }
    }

    fn is_dead(&self, window: &Window, at: Step) -> bool {
        let ring = (0..).zip(NEIGHBOURS).fold(0, |ring, (i, neighbour)| {
            let bit = at.plus(neighbour).bit();
            ring | (window.of[0] >> bit & 1) << i | (window.of[1] >> bit & 1) << (i + 6)
        });
        self.dead[ring as usize]
    }

    /// Whether all white stones of `intruded` can be turned black one after the other, each being
    /// dead at its turn.
    fn all_dead(&self, mut window: Window, mut intruded: u64) -> bool {
        while intruded != 0 {
            let Some(bit) = bits(intruded).find(|&bit| self.is_dead(&window, Step::to(bit))) else {
                return false;
            };
            intruded &= !(1 << bit);
            window.of[1] &= !(1 << bit);
            window.of[0] |= 1 << bit;
        }
        true
    }

    /// Whether Black, moving second on the cells `free`, makes all white stones there dead. Cells
    /// outside that have no stone may become anything.
    fn is_captured(&self, window: Window, free: u64, intruded: u64) -> bool {
        if free == 0 {
            return self.all_dead(window, intruded);
        }
        bits(free).all(|bit| {
            let (intruder, rest) = (1 << bit, free & !(1 << bit));
            let mut next = window;
            next.of[1] |= intruder;
            if rest == 0 {
                return self.is_captured(next, 0, intruded | intruder);
            }
            bits(rest).any(|reply| {
                let mut then = next;
                then.of[0] |= 1 << reply;
                self.is_captured(then, rest & !(1 << reply), intruded | intruder)
            })
        })
    }

    fn proves(&self, pattern: &Pattern) -> bool {
        let (window, set) = placed(pattern);
        self.is_captured(window, set, 0)
    }
}

/// A pattern in a window, its set in the middle.
fn placed(pattern: &Pattern) -> (Window, u64) {
    let centre = middle(&pattern.set);
    let bits = |cells: &[Step]| cells.iter().fold(0, |b, c| b | 1 << c.minus(centre).bit());
    (Window { of: [bits(&pattern.own), bits(&pattern.other)] }, bits(&pattern.set))
}

/// The cell of a set from which the others are nearest.
fn middle(set: &[Step]) -> Step {
    let reach = |from: &Step| set.iter().map(|cell| cell.minus(*from).distance()).max();
    set.iter().copied().min_by_key(reach).expect("a set has cells")
}

fn around(set: &[Step]) -> Vec<Step> {
    let near = set.iter().flat_map(|cell| NEIGHBOURS.map(|step| cell.plus(step)));
    let outside: BTreeSet<Step> = near.filter(|cell| !set.contains(cell)).collect();
    outside.into_iter().collect()
}

/// The same for all patterns that differ by a symmetry only.
fn canonical(cells: &[(Step, char)]) -> Vec<(Step, char)> {
    let images = (0..12).map(|symmetry| {
        let mut image: Vec<(Step, char)> =
            cells.iter().map(|(cell, symbol)| (cell.turned(symmetry), *symbol)).collect();
        image.sort_unstable();
        let first = image[0].0;
        image.iter_mut().for_each(|(cell, _)| *cell = cell.minus(first));
        image
    });
    images.min().expect("there are 12")
}

/// All connected sets of a size up to symmetry. Only these can be captured as a whole: a stone
/// says something about its neighbours only.
fn connected_sets(size: usize) -> Vec<Vec<Step>> {
    let mut sets = BTreeSet::from([vec![(Step::HERE, 'x')]]);
    for _ in 1..size {
        let grow = |set: &Vec<(Step, char)>| {
            let cells: Vec<Step> = set.iter().map(|(cell, _)| *cell).collect();
            around(&cells)
                .into_iter()
                .map(|cell| canonical(&[set.as_slice(), &[(cell, 'x')]].concat()))
                .collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(grow).collect();
    }
    sets.into_iter()
        .map(|set| {
            let cells: Vec<Step> = set.into_iter().map(|(cell, _)| cell).collect();
            let centre = middle(&cells);
            cells.iter().map(|cell| cell.minus(centre)).collect()
        })
        .collect()
}

/// All patterns with captured sets of a size: no stone can be left out, and no part of the set is
/// captured already.
fn derive(proof: &Proof, size: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    let mut seen = BTreeSet::new();
    for set in connected_sets(size) {
        let ring = around(&set);
        let digit = |code: usize, place: usize| code / 3usize.pow(place as u32) % 3;
        let pattern = |code: usize| {
            let stones = |value: usize| {
                let has = |place: &usize| digit(code, *place) == value;
                (0..ring.len()).filter(has).map(|place| ring[place]).collect()
            };
            Pattern { set: set.clone(), own: stones(1), other: stones(2) }
        };
        let codes = 0..3usize.pow(ring.len() as u32);
        let captured: Vec<bool> = codes.clone().map(|code| proof.proves(&pattern(code))).collect();
        for code in codes.filter(|&code| captured[code]) {
            let needed = |place: usize| {
                let value = digit(code, place);
                value == 0 || !captured[code - value * 3usize.pow(place as u32)]
            };
            let pattern = pattern(code);
            let (window, all) = placed(&pattern);
            let part = |part: u64| part & all == part && proof.is_captured(window, part, 0);
            let reducible = || {
                std::iter::successors(Some((all - 1) & all), |part| {
                    (*part != 0).then(|| (part - 1) & all)
                })
                .any(|subset| subset != 0 && part(subset))
            };
            if !(0..ring.len()).all(needed) || reducible() {
                continue;
            }
            // A dead cell is dead for both colours.
            let symbols = if size == 1 { vec!["xBW", "xWB"] } else { vec!["xBW"] };
            let same = symbols.into_iter().map(|symbols| {
                let lists = [&pattern.set, &pattern.own, &pattern.other];
                let cells: Vec<(Step, char)> = lists
                    .into_iter()
                    .zip(symbols.chars())
                    .flat_map(|(list, symbol)| list.iter().map(move |cell| (*cell, symbol)))
                    .collect();
                canonical(&cells)
            });
            if seen.insert(same.min()) {
                patterns.push(pattern);
            }
        }
    }
    patterns
}

/// A pattern as the file has it.
fn drawn(pattern: &Pattern) -> String {
    let mut cells = around(&pattern.set);
    cells.extend(&pattern.set);
    cells.sort_by_key(|cell| (cell.down, cell.right));
    let place = |cell: &Step| 2 * cell.right + cell.down;
    let left = cells.iter().map(place).min().expect("a set has cells");
    let mut text = String::new();
    for row in cells.chunk_by(|a, b| a.down == b.down) {
        let mut line = String::new();
        for cell in row {
            let symbol = match cell {
                _ if pattern.set.contains(cell) => 'x',
                _ if pattern.own.contains(cell) => 'B',
                _ if pattern.other.contains(cell) => 'W',
                _ => '*',
            };
            let width = (place(cell) - left) as usize;
            line = format!("{line:width$}{symbol}");
        }
        text += &format!("{line}\n");
    }
    text + "\n"
}

fn chapter(proof: &Proof, size: usize) -> String {
    let title = match size {
        1 => "# Dead cells.\n\n".to_owned(),
        _ => format!("# Sets of {size} cells captured by Black.\n\n"),
    };
    title + &derive(proof, size).iter().map(drawn).collect::<String>()
}

#[test]
fn every_pattern_of_the_file_is_proved() {
    let proof = Proof::new();
    let patterns = parse(TEXT).unwrap();
    assert!(!patterns.is_empty());
    for pattern in patterns {
        assert!(proof.proves(&pattern), "\n{}", drawn(&pattern));
        assert!(pattern.set.len() <= LARGEST);
    }
}

#[test]
fn the_file_has_all_patterns_of_small_sets() {
    let proof = Proof::new();
    for size in 1..=QUICK {
        assert!(TEXT.contains(&chapter(&proof, size)), "write anew with `write_the_patterns`");
    }
}

#[test]
#[ignore = "prints the patterns for the file; run by hand after a change of the derivation"]
fn write_the_patterns() {
    let proof = Proof::new();
    for size in 1..=LARGEST {
        print!("{}", chapter(&proof, size));
    }
}

#[test]
fn the_table_of_dead_cells_is_complete() {
    for ring in 0..RING_CODES {
        assert_eq!(Table::get().is_dead(ring), dead_by_exhaustion(ring), "{ring:b}");
    }
}

#[test]
fn bad_diagrams_are_refused() {
    let error = |text: &str| parse(text).unwrap_err();
    assert!(error(" B B\nB * *\n B B\n").contains("without an 'x'"));
    assert!(error(" B B\nB x ?\n B B\n").starts_with("line 2: '?'"));
    assert!(error(" B B\n B x *\n B B\n").contains("between two cells"));
}
