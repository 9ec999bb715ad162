//! A game for one: reach a target in at most ten steps of +1, *2 or -3. Rewards between 0 and 1 tell how close a try came; the search proves what it solves.
//! Run: `cargo run --release -p kosumi-search --example one_player`

use kosumi_game::*;
use kosumi_search::{Limits, Mean, Search, SearchError, SearchParams};

#[derive(Clone)]
struct Reach {
    number: i64,
    target: i64,
    steps_left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step(usize);

const NAMES: [&str; 3] = ["+1", "*2", "-3"];

impl Move for Step {
    fn index(self) -> usize {
        self.0
    }
    fn from_index(index: usize) -> Self {
        Step(index)
    }
}

impl Game for Reach {
    type Move = Step;

    fn turn(&self) -> Turn {
        Turn::Player(Player::First) // the only one there is
    }
    fn outcome(&self) -> Option<Reward> {
        let distance = (self.number - self.target).abs() as f32;
        (distance == 0.0 || self.steps_left == 0).then(|| Reward::new(1.0 - distance / 100.0))
    }
    fn legal_moves(&self, out: &mut Vec<Step>) {
        if self.outcome().is_none() {
            out.extend((0..NAMES.len()).map(Step));
        }
    }
    fn play(&mut self, mv: Step) {
        self.number = [self.number + 1, self.number * 2, self.number - 3][mv.0];
        self.steps_left -= 1;
    }
    fn move_space(&self) -> usize {
        NAMES.len()
    }
    fn position_hash(&self) -> u64 {
        zobrist_key(4, self.steps_left as u64, self.number as u64)
    }
    fn move_text(&self, mv: Step) -> String {
        NAMES[mv.0].to_string()
    }
}

fn main() -> Result<(), SearchError> {
    let start = Reach { number: 5, target: 97, steps_left: 10 };
    let params =
        SearchParams { mean: Mean::Plain, exploration: 0.5, expand_at: 1, ..Default::default() };
    let mut search = Search::new(start, params, || UniformPlayout::new(10), NoKnowledge)?;
    while search.position().outcome().is_none() {
        let found = search.run(Limits::simulations(20_000));
        let best = found.best().expect("steps are left");
        print!("{} {} ", search.position().number, search.position().move_text(best));
        search.advance(best);
    }
    println!("= {} ({:?})", search.position().number, search.position().outcome());
    Ok(())
}
