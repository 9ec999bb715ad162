//! Pig, a dice game for two: roll and add up, or hold and keep; a 1 loses the turn. Who has 30 first
//! wins. Chance decides at its own nodes, and the search averages over what the die may show.
//! Run: `cargo run --release -p kosumi-search --example dice`

use kosumi_game::*;
use kosumi_search::{Limits, Mean, Search, SearchError, SearchParams};

const GOAL: usize = 30;

#[derive(Clone, Default)]
struct Pig {
    kept: [usize; 2],
    pot: usize,
    second_to_move: bool,
    rolling: bool,
}

/// The moves: 1 to 6 are what the die shows.
const ROLL: u16 = 0;
const HOLD: u16 = 7;

impl Pig {
    fn player(&self) -> Player {
        Player::BOTH[usize::from(self.second_to_move)]
    }
}

impl Game for Pig {
    type Move = u16;

    fn turn(&self) -> Turn {
        if self.rolling { Turn::Chance } else { Turn::Player(self.player()) }
    }
    fn outcome(&self) -> Option<Reward> {
        Player::BOTH.into_iter().find(|p| self.kept[p.index()] >= GOAL).map(Reward::win)
    }
    fn legal_moves(&self, out: &mut Vec<u16>) {
        let events = if self.rolling { [1, 2, 3, 4, 5, 6].as_slice() } else { &[ROLL, HOLD] };
        out.extend(events.iter().filter(|_| self.outcome().is_none()));
    }
    fn play(&mut self, mv: u16) {
        match mv {
            ROLL => self.rolling = true,
            2..=6 => (self.pot, self.rolling) = (self.pot + usize::from(mv), false),
            hold_or_one => {
                let gained = if hold_or_one == HOLD { self.pot } else { 0 };
                self.kept[self.player().index()] += gained;
                let second_to_move = !self.second_to_move;
                *self = Pig { kept: self.kept, second_to_move, ..Pig::default() };
            }
        }
    }
    fn sample_chance(&self, rng: &mut Rng) -> u16 {
        1 + rng.below(6) as u16
    }
    fn move_space(&self) -> usize {
        8
    }
    fn position_hash(&self) -> u64 {
        let turn = usize::from(self.rolling) + 2 * usize::from(self.second_to_move);
        let [first, second] = self.kept.map(|kept| kept.min(127));
        zobrist_key(5, turn as u64, (self.pot << 14 | first << 7 | second) as u64)
    }
    fn move_text(&self, mv: u16) -> String {
        ["roll", "1", "2", "3", "4", "5", "6", "hold"][usize::from(mv)].to_string()
    }
}

fn main() -> Result<(), SearchError> {
    let params =
        SearchParams { mean: Mean::Plain, exploration: 0.7, expand_at: 1, ..Default::default() };
    for pot in [2, 8, 14, 20, 26] {
        let start = Pig { pot, ..Pig::default() };
        let mut search =
            Search::new(start, params.clone(), || UniformPlayout::new(1_000), NoKnowledge)?;
        let found = search.run(Limits::simulations(200_000));
        let best = found.best().map(|mv| search.position().move_text(mv));
        println!("with {pot} in the pot: {} ({:.3})", best.unwrap_or_default(), found.value);
    }
    Ok(())
}
