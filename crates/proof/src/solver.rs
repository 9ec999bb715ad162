//! Depth-first proof-number search: Nagai's df-pn in its negamax form, with the 1 + epsilon limits
//! of Pawlewicz and Lew, and the widening of MoHex's solver (H14).

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kosumi_game::Move;

use crate::numbers::{INFINITE, Numbers};
use crate::table::{Entry, ListAt, Lists, NO_MOVE, Table};
use crate::{Assessment, Candidate, Evaluator, Position};

/// What a search has found out, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The player to move wins.
    Won,
    /// The player to move loses.
    Lost,
    /// The search ended before a proof; a further one goes on from there.
    Open,
}

impl From<Numbers> for Verdict {
    fn from(numbers: Numbers) -> Self {
        match numbers {
            Numbers { phi: 0, .. } => Self::Won,
            Numbers { delta: 0, .. } => Self::Lost,
            _ => Self::Open,
        }
    }
}

/// How a search is going.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Positions assessed in this search.
    pub nodes: u64,
    /// Since the search began.
    pub elapsed: Duration,
    /// The numbers of the position that is being solved.
    pub numbers: Numbers,
    /// The used part of the table, 0 to 1.
    pub fullness: f64,
}

/// When a search ends without a proof, and who is told how it goes. The default is to search on.
#[derive(Default)]
pub struct Limits<'a> {
    /// The search ends soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// The most positions to assess.
    pub nodes: Option<u64>,
    /// The most time to take.
    pub time: Option<Duration>,
    /// Called now and then.
    pub progress: Option<&'a mut dyn FnMut(&Progress)>,
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stop, nodes, time, .. } = self;
        f.debug_struct("Limits")
            .field("stop", stop)
            .field("nodes", nodes)
            .field("time", time)
            .finish_non_exhaustive()
    }
}

/// Positions between two looks at the clock.
const CLOCK_INTERVAL: u64 = 16;
/// Positions between two reports.
const REPORT_INTERVAL: u64 = 256;

/// How many of so many live moves count, the best first. Narrow, for a proof of a win needs one
/// move and the order is good; but a quarter, for the numbers should tell broad positions from
/// narrow ones. The value of MoHex's solver.
const fn width(live: usize) -> usize {
    1 + live.div_ceil(4)
}

/// The limit up to which the best move is searched before the second best, by its number, is
/// looked at again: a quarter more, or the search would jump to and fro between equals.
const fn above(second: u32) -> u32 {
    second.saturating_add(second / 4).saturating_add(1)
}

/// Solves positions and remembers what it has found out about them.
///
/// The memory is taken at once and never grows. A table that is too small makes a search slow, not
/// wrong.
pub struct Solver {
    table: Table,
    lists: Lists,
    nodes: u64,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("nodes", &self.nodes)
            .field("fullness", &self.fullness())
            .finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver that knows nothing yet and takes so many bytes: half for what is known of
    /// positions, half for their candidates.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self { table: Table::new(bytes / 2), lists: Lists::new(bytes / 2), nodes: 0 }
    }

    /// Forgets everything. To be called before positions of another kind, or another evaluator.
    pub fn clear(&mut self) {
        self.table.clear();
        self.lists.clear();
    }

    /// How many positions were assessed in all searches.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The used part of the table, 0 to 1.
    #[must_use]
    pub fn fullness(&self) -> f64 {
        self.table.fullness()
    }

    /// What is known of a position without searching it.
    #[must_use]
    pub fn recall<P: Position>(&self, position: &P) -> Verdict {
        self.table.get(position.key()).map_or(Verdict::Open, |entry| entry.numbers.into())
    }

    /// What is known of the position after a move.
    #[must_use]
    pub fn recall_after<P: Position>(&self, position: &P, mv: P::Move) -> Verdict {
        let known = self.table.get(position.key_after(mv));
        known.map_or(Verdict::Open, |entry| entry.numbers.into())
    }

    /// Searches a position until it is proven won or lost, or a limit is reached. The position is
    /// the same afterwards.
    pub fn solve<P: Position, E: Evaluator<P>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        limits: Limits<'_>,
    ) -> Verdict {
        let mut run = Run {
            solver: self,
            position,
            evaluator,
            limits,
            began: Instant::now(),
            nodes: 0,
            halted: false,
            root: Numbers { phi: 1, delta: 1 },
            depth: 0,
            candidates: Vec::new(),
            spare: Vec::new(),
        };
        let numbers = run.visit(Numbers { phi: INFINITE, delta: INFINITE });
        let nodes = run.nodes;
        self.nodes += nodes;
        numbers.into()
    }

    /// A winning move, searched for again where the table has lost it. `None` if the position is
    /// lost or the game is over, if a limit was reached, or if the evaluator calls it won without
    /// naming a move.
    pub fn answer<P: Position, E: Evaluator<P>>(
        &mut self,
        position: &mut P,
        evaluator: &mut E,
        limits: Limits<'_>,
    ) -> Option<P::Move> {
        if self.solve(position, evaluator, limits) != Verdict::Won {
            return None;
        }
        // What was stored last is never the entry that is lost.
        let best = self.table.get(position.key())?.best;
        (best != NO_MOVE).then(|| P::Move::from_index(usize::from(best)))
    }
}

/// A candidate with what is known of the position after it, from the opponent's viewpoint.
#[derive(Clone, Copy)]
struct Child<M> {
    mv: M,
    key: u64,
    numbers: Numbers,
}

/// The numbers of a position by those of its children.
struct Summary {
    numbers: Numbers,
    /// The child to search next, or the one that wins.
    best: usize,
    /// The delta of the second best.
    second: u32,
}

fn summarise<M>(children: &[Child<M>]) -> Summary {
    let mut summary = Summary { numbers: Numbers::LOST, best: 0, second: INFINITE };
    if let Some(winning) = children.iter().position(|child| child.numbers.delta == 0) {
        return Summary { numbers: Numbers::WON, best: winning, second: INFINITE };
    }
    let live = |child: &Child<M>| child.numbers.phi != 0;
    let width = width(children.iter().filter(|child| live(child)).count());
    let (mut least, mut sum) = (INFINITE, 0u64);
    for (index, child) in children.iter().enumerate().filter(|(_, c)| live(c)).take(width) {
        let Numbers { phi, delta } = child.numbers;
        sum += u64::from(phi);
        if delta < least {
            summary.best = index;
            summary.second = least;
            least = delta;
        } else {
            summary.second = summary.second.min(delta);
        }
    }
    if sum > 0 {
        let delta = sum.min(u64::from(INFINITE) - 1) as u32;
        summary.numbers = Numbers { phi: least, delta };
    }
    summary
}

struct Run<'a, 'l, P: Position, E> {
    solver: &'a mut Solver,
    position: &'a mut P,
    evaluator: &'a mut E,
    limits: Limits<'l>,
    began: Instant,
    nodes: u64,
    halted: bool,
    root: Numbers,
    depth: usize,
    candidates: Vec<Candidate<P::Move>>,
    /// Lists of children to be used again.
    spare: Vec<Vec<Child<P::Move>>>,
}

impl<P: Position, E: Evaluator<P>> Run<'_, '_, P, E> {
    /// Searches the position until a number reaches its limit, and tells its numbers.
    fn visit(&mut self, limit: Numbers) -> Numbers {
        let key = self.position.key();
        let known = self.solver.table.get(key);
        let mut entry = known.unwrap_or(Entry {
            numbers: Numbers { phi: 1, delta: 1 },
            work: 0,
            best: NO_MOVE,
            list: ListAt::NONE,
        });
        if entry.numbers.is_settled() {
            return entry.numbers;
        }
        let nodes_before = self.nodes;
        self.candidates.clear();
        if !self.solver.lists.get(entry.list, &mut self.candidates) {
            if self.is_over() {
                return entry.numbers;
            }
            if let Some((numbers, best)) = self.assess() {
                let work = entry.work.saturating_add(1);
                self.solver.table.put(key, Entry { numbers, work, best, list: ListAt::NONE });
                return numbers;
            }
            entry.list = self.solver.lists.put(&self.candidates);
        }
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        children.extend(self.candidates.iter().map(|candidate| {
            let key = self.position.key_after(candidate.mv);
            let known = self.solver.table.get(key);
            let numbers = known.map_or(candidate.numbers(), |entry| entry.numbers);
            Child { mv: candidate.mv, key, numbers }
        }));
        loop {
            let Summary { numbers, best, second } = summarise(&children);
            entry.numbers = numbers;
            let mv = children[best].mv;
            if !(numbers.is_settled() && numbers.delta == 0) {
                entry.best = mv.index() as u16;
            }
            if self.depth == 0 {
                self.root = numbers;
            }
            if numbers.is_settled() || numbers.reaches(limit) || self.halted {
                break;
            }
            let child = children[best].numbers;
            let others = u64::from(numbers.delta).saturating_sub(u64::from(child.phi));
            let child_limit = Numbers {
                phi: u64::from(limit.delta).saturating_sub(others) as u32,
                delta: limit.phi.min(above(second)),
            };
            self.position.play(mv);
            self.depth += 1;
            let result = self.visit(child_limit);
            self.depth -= 1;
            self.position.undo();
            // The table may have learned about the others by other ways; if it has lost them, what
            // is known here still holds.
            for child in &mut children {
                if !child.numbers.is_settled()
                    && let Some(entry) = self.solver.table.get(child.key)
                {
                    child.numbers = entry.numbers;
                }
            }
            children[best].numbers = result;
        }
        self.spare.push(children);
        let work = u32::try_from(self.nodes - nodes_before).unwrap_or(u32::MAX);
        entry.work = entry.work.saturating_add(work);
        self.solver.table.put(key, entry);
        entry.numbers
    }

    /// Asks the evaluator; gives the numbers and the winning move of a settled position, or fills
    /// the candidates.
    fn assess(&mut self) -> Option<(Numbers, u16)> {
        self.nodes += 1;
        let assessment = self.evaluator.assess(self.position, &mut self.candidates);
        match assessment {
            Assessment::Won(mv) => Some((Numbers::WON, mv.map_or(NO_MOVE, |mv| mv.index() as u16))),
            Assessment::Lost => Some((Numbers::LOST, NO_MOVE)),
            Assessment::Open if self.candidates.is_empty() => Some((Numbers::LOST, NO_MOVE)),
            Assessment::Open => None,
        }
    }

    /// Whether a limit is reached; reports on the way.
    fn is_over(&mut self) -> bool {
        if self.halted {
            return true;
        }
        let limits = &mut self.limits;
        let stopped = limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let spent = limits.nodes.is_some_and(|most| self.nodes >= most);
        let late = self.nodes.is_multiple_of(CLOCK_INTERVAL)
            && limits.time.is_some_and(|most| self.began.elapsed() >= most);
        self.halted = stopped || spent || late;
        if self.nodes.is_multiple_of(REPORT_INTERVAL)
            && self.nodes > 0
            && let Some(report) = &mut limits.progress
        {
            report(&Progress {
                nodes: self.nodes,
                elapsed: self.began.elapsed(),
                numbers: self.root,
                fullness: self.solver.table.fullness(),
            });
        }
        self.halted
    }
}
