//! The root: deeper and deeper searches, reports, and the swap.

use std::time::Instant;

use kosumi_game::Move;
use kosumi_proof::Position;

use super::judge::{Assess, Judge, board};
use super::score::Score;
use super::search::{Budget, Searcher, Task, Window};
use super::{AlphaBetaLimits, AlphaBetaParams, AlphaBetaReport, RootMove};
use crate::solver::board::Board;
use crate::{Hex, HexMove};

/// The longest line that is reported.
const LINE_LENGTH: usize = 40;

/// What [`HexAlphaBeta`](super::HexAlphaBeta) is for one number of words.
#[derive(Debug)]
pub(super) struct Player<const W: usize> {
    size: usize,
    searcher: Searcher<W, Judge<W>>,
}

impl<const W: usize> Player<W> {
    pub(super) fn new(size: usize, bytes: usize) -> Option<Self> {
        Some(Self { size, searcher: Searcher::new(Judge::new(size)?, bytes) })
    }

    pub(super) fn play(
        &mut self,
        position: &Hex,
        params: &AlphaBetaParams,
        limits: AlphaBetaLimits<'_>,
    ) -> Option<AlphaBetaReport> {
        if position.winner().is_some() || position.size() != self.size {
            return None;
        }
        let mut board: Board<W> = board(position)?;
        let mut root = Root::new(&mut self.searcher, params, limits);
        if position.swap_may_come() && !position.can_swap() {
            root.open(&mut board);
            return Some(root.report);
        }
        root.deepen(&mut board, params.depth);
        let certain = root.report.score.is_won() || root.report.score.is_lost();
        if certain && root.report.moves.is_empty() {
            let last = root.searcher.judge.last_moves(&board);
            root.settle(&last);
        }
        if position.can_swap() {
            root.swap(position.swap_move());
        }
        Some(root.report)
    }
}

/// One search.
pub(super) struct Root<'a, 'p, const W: usize, J> {
    pub searcher: &'a mut Searcher<W, J>,
    pub report: AlphaBetaReport,
    task: Task<'a>,
    progress: Option<&'p mut dyn FnMut(&AlphaBetaReport)>,
    /// Positions evaluated before this search.
    before: u64,
    /// The score of the last depth but one.
    previous: Option<Score>,
}

impl<'a, 'p: 'a, const W: usize, J: Assess<W>> Root<'a, 'p, W, J> {
    pub(super) fn new(
        searcher: &'a mut Searcher<W, J>,
        params: &'a AlphaBetaParams,
        limits: AlphaBetaLimits<'p>,
    ) -> Self {
        let before = searcher.evaluated;
        let AlphaBetaLimits { stop, positions, time, progress } = limits;
        let budget = Budget {
            begun: Instant::now(),
            time,
            stop,
            evaluated: positions.map_or(u64::MAX, |positions| before.saturating_add(positions)),
        };
        let (moves, memory) = (Vec::new(), searcher.table.memory());
        let report = AlphaBetaReport { moves, score: Score::EVEN, depth: 0, positions: 0, memory };
        let task = Task { budget, widths: &params.widths };
        Self { searcher, report, task, progress, before, previous: None }
    }

    /// Searches deeper and deeper. Leaves a report without moves if the winner is certain from the
    /// start.
    pub(super) fn deepen(&mut self, board: &mut Board<W>, deepest: u32) {
        let mut moves = Vec::new();
        let Some(still) = self.searcher.assess(board, &self.task.budget, &mut moves) else {
            return;
        };
        self.report.score = still;
        self.report.moves = moves.into_iter().map(|cell| unsearched(cell, still)).collect();
        self.tell();
        let deepest = deepest.min(board.stones().empty().len() as u32);
        for depth in 1..=deepest {
            let open = self.report.moves.iter().filter(|mv| !mv.score.is_lost()).count();
            // A single move needs no thought but for its value.
            if open == 0 || (open == 1 && depth > 2) {
                break;
            }
            let Some(score) = self.search(board, depth) else { break };
            self.previous = (depth > 1).then_some(self.report.score);
            (self.report.score, self.report.depth) = (score, depth);
            if score.is_won() || score.is_lost() {
                break;
            }
        }
        // A search that was ended may have found no more than that the best move loses.
        if let Some(open) = self.report.moves.iter().position(|mv| !mv.score.is_lost()) {
            self.report.moves[..=open].rotate_right(1);
        }
        // What it evaluated counts too.
        self.tell();
    }

    /// Searches all moves to one depth; `None` if the budget is spent before. A move that turns out
    /// better than those before comes first, also if the search does not come to its end.
    fn search(&mut self, board: &mut Board<W>, depth: u32) -> Option<Score> {
        let width = self.task.width(0);
        let mut window = Window::FULL;
        let mut searched = 0;
        for place in 0..self.report.moves.len() {
            let candidate = &self.report.moves[place];
            if searched >= width {
                break;
            }
            if candidate.score.is_lost() {
                continue;
            }
            let (mv, begun) = (candidate.mv, self.searcher.evaluated);
            let (cell, at) = (mv.index() as u16, (0, depth as u8));
            let first = searched == 0;
            let score = self.searcher.score_of(board, cell, at, window, first, &self.task);
            let positions = self.searcher.evaluated - begun;
            self.report.moves[place].positions += positions;
            let score = score?;
            board.play(cell);
            let line = self.searcher.line(board, LINE_LENGTH - 1);
            board.undo();
            let candidate = &mut self.report.moves[place];
            (candidate.score, candidate.depth) = (score, depth);
            candidate.line.truncate(1);
            candidate.line.extend(line.into_iter().map(HexMove));
            searched += usize::from(!score.is_lost());
            if score > window.low {
                window.low = score;
                self.report.moves[..=place].rotate_right(1);
            }
            self.tell();
            if score.is_won() {
                break;
            }
        }
        Some(window.low)
    }

    fn tell(&mut self) {
        self.report.positions = self.searcher.evaluated - self.before;
        self.report.memory = self.searcher.table.memory();
        if let Some(progress) = &mut self.progress {
            progress(&self.report);
        }
    }

    /// The winner is certain: these moves are left.
    fn settle(&mut self, moves: &[u16]) {
        let score = self.report.score;
        self.report.moves = moves.iter().map(|&cell| unsearched(cell, score)).collect();
        self.tell();
    }

    /// Takes over the first stone if that is better than to answer it.
    ///
    /// The circuit does not know whose turn it is: who moved last looks better than he is. The
    /// mean of two depths makes that even.
    fn swap(&mut self, mv: HexMove) {
        let score = self.report.score;
        let stay = self.previous.map_or(score, |previous| score.mean(previous));
        if stay >= Score::EVEN || self.report.moves.is_empty() {
            return;
        }
        let AlphaBetaReport { depth, positions, .. } = self.report;
        let swap = RootMove { mv, score: -stay, depth, positions, line: vec![mv] };
        self.report.moves.insert(0, swap);
        self.report.score = -stay;
        self.tell();
    }

    /// The first stone, where the opponent may take it over.
    ///
    /// It is fair if it is worth half of the best one: then who moves next is ahead by as much as
    /// the stone is. Cells that a turn of the board makes equal are looked at once.
    fn open(&mut self, board: &mut Board<W>) {
        let cells = board.stones().lattice().size.pow(2);
        let mut worth = Vec::new();
        for cell in 0..cells.div_ceil(2) {
            board.play(cell as u16);
            let score = self.searcher.assess(board, &self.task.budget, &mut Vec::new());
            board.undo();
            let Some(score) = score else { break };
            worth.push(-score);
        }
        let open = worth.iter().filter(|score| !score.is_won() && !score.is_lost());
        let aim = open.max().copied().unwrap_or(Score::EVEN).mean(Score::EVEN);
        let value = |score: Score| match score {
            // Whoever does not lose with it takes it.
            Score::WON | Score::LOST => Score::LOST,
            score => score.missed_by(aim),
        };
        self.report.moves = (0..)
            .zip(&worth)
            .map(|(cell, &score)| RootMove {
                score: value(score),
                depth: 1,
                positions: 1,
                ..unsearched(cell, score)
            })
            .collect();
        self.report.moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
        if let Some(best) = self.report.moves.first() {
            (self.report.score, self.report.depth) = (best.score, 1);
        }
        self.tell();
    }
}

fn unsearched(cell: u16, score: Score) -> RootMove {
    let mv = HexMove(cell);
    RootMove { mv, score, depth: 0, positions: 0, line: vec![mv] }
}
