//! Tic-tac-toe in one file: a game for the search, and a search that plays it against itself.
//! Run: `cargo run --release -p kosumi-search --example tictactoe`

use kosumi_game::*;
use kosumi_search::{Limits, Mean, Search, SearchError, SearchParams};

#[derive(Clone, Default)]
struct TicTacToe {
    cells: [Option<Player>; 9],
    plies: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell(usize);

impl Move for Cell {
    fn index(self) -> usize {
        self.0
    }
    fn from_index(index: usize) -> Self {
        Cell(index)
    }
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for TicTacToe {
    type Move = Cell;

    fn turn(&self) -> Turn {
        Turn::Player(Player::BOTH[self.plies % 2])
    }
    fn outcome(&self) -> Option<Reward> {
        let owner = |line: &[usize; 3]| {
            self.cells[line[0]]
                .filter(|_| line.iter().all(|&c| self.cells[c] == self.cells[line[0]]))
        };
        let winner = LINES.iter().find_map(owner).map(Reward::win);
        winner.or((self.plies == 9).then_some(Reward::DRAW))
    }
    fn legal_moves(&self, out: &mut Vec<Cell>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|&c| self.cells[c].is_none()).map(Cell));
        }
    }
    fn play(&mut self, mv: Cell) {
        self.cells[mv.0] = self.turn().player();
        self.plies += 1;
    }
    fn move_space(&self) -> usize {
        9
    }
    fn position_hash(&self) -> u64 {
        let stones =
            (0..9).filter_map(|c| self.cells[c].map(|p| zobrist_key(3, p as u64, c as u64)));
        stones.fold(0, |hash, key| hash ^ key)
    }
}

fn main() -> Result<(), SearchError> {
    let params =
        SearchParams { mean: Mean::Plain, exploration: 0.7, expand_at: 1, ..Default::default() };
    let playout = || UniformPlayout::new(9);
    let mut search = Search::new(TicTacToe::default(), params, playout, NoKnowledge)?;
    while search.position().outcome().is_none() {
        let found = search.run(Limits::simulations(20_000));
        let best = found.best().expect("the game is not over");
        let text = search.position().move_text(best);
        println!(
            "{text}: value {:.2}, proven {:?}, {} visits",
            found.value, found.proof, found.visits
        );
        search.advance(best);
    }
    println!("result: {:?}", search.position().outcome());
    Ok(())
}
