//! Small games for the tests of the search, and the searches that most of them use.
#![allow(dead_code)] // every test file uses a part of this

use kosumi_game::*;
use kosumi_search::{Search, SearchParams};

/// A move that is its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick(pub usize);

impl Move for Pick {
    fn index(self) -> usize {
        self.0
    }
    fn from_index(index: usize) -> Self {
        Pick(index)
    }
}

/// A full tree of fixed width and depth; a leaf's result is a hash of the way there, so that the
/// game is deep, wide, and different everywhere.
#[derive(Clone, Debug)]
pub struct Artificial {
    pub width: usize,
    pub depth: usize,
    pub salt: u64,
    pub path: Vec<usize>,
}

impl Artificial {
    pub fn new(width: usize, depth: usize, salt: u64) -> Self {
        Self { width, depth, salt, path: Vec::new() }
    }

    /// The true value by full search.
    pub fn minimax(&self) -> Reward {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let player = self.turn().player().expect("no chance here");
        let values = (0..self.width).map(|mv| {
            let mut next = self.clone();
            next.play(Pick(mv));
            next.minimax()
        });
        values
            .max_by(|a, b| a.value_for(player).partial_cmp(&b.value_for(player)).expect("no NaN"))
            .expect("there are moves")
    }
}

impl Game for Artificial {
    type Move = Pick;
    fn turn(&self) -> Turn {
        Turn::Player(Player::BOTH[self.path.len() % 2])
    }
    fn outcome(&self) -> Option<Reward> {
        (self.path.len() == self.depth).then(|| {
            let key = self.path.iter().fold(self.salt, |key, &mv| zobrist_key(key, 1, mv as u64));
            match key % 5 {
                0 | 1 => Reward::win(Player::First),
                2 | 3 => Reward::win(Player::Second),
                _ => Reward::DRAW,
            }
        })
    }
    fn legal_moves(&self, out: &mut Vec<Pick>) {
        if self.path.len() < self.depth {
            out.extend((0..self.width).map(Pick));
        }
    }
    fn play(&mut self, mv: Pick) {
        self.path.push(mv.0);
    }
    fn move_space(&self) -> usize {
        self.width
    }
    fn position_hash(&self) -> u64 {
        self.path.iter().fold(self.salt, |key, &mv| zobrist_key(key, 2, mv as u64))
    }
}

pub type ArtificialSearch = Search<Artificial, UniformPlayout<Artificial>, NoKnowledge>;

pub fn search(game: Artificial, params: SearchParams) -> ArtificialSearch {
    Search::new(game, params, || UniformPlayout::new(1_000), NoKnowledge).expect("good parameters")
}

/// Moves of the root with their visits, by move.
pub fn root_visits(found: &kosumi_search::Snapshot<Pick>) -> Vec<(usize, u64)> {
    let mut visits: Vec<_> = found.moves.iter().map(|m| (m.mv.0, m.visits)).collect();
    visits.sort_unstable();
    visits
}
