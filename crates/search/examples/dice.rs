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

/// Move 0 rolls, move 7 holds; 1 to 6 are what the die shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event(usize);

impl Move for Event {
    fn index(self) -> usize {
        self.0
    }
    fn from_index(index: usize) -> Self {
        Event(index)
    }
}

impl Pig {
    fn player(&self) -> Player {
        Player::BOTH[usize::from(self.second_to_move)]
    }
}

impl Game for Pig {
    type Move = Event;

    fn turn(&self) -> Turn {
        if self.rolling { Turn::Chance } else { Turn::Player(self.player()) }
    }
    fn outcome(&self) -> Option<Reward> {
        Player::BOTH.into_iter().find(|p| self.kept[p.index()] >= GOAL).map(Reward::win)
    }
    fn legal_moves(&self, out: &mut Vec<Event>) {
        let events = if self.rolling { [1, 2, 3, 4, 5, 6].as_slice() } else { &[0, 7] };
        out.extend(events.iter().filter(|_| self.outcome().is_none()).map(|&e| Event(e)));
    }
    fn play(&mut self, mv: Event) {
        match mv.0 {
            0 => self.rolling = true,
            2..=6 => (self.pot, self.rolling) = (self.pot + mv.0, false),
            hold_or_one => {
                let gained = if hold_or_one == 7 { self.pot } else { 0 };
                self.kept[self.player().index()] += gained;
                let second_to_move = !self.second_to_move;
                *self = Pig { kept: self.kept, second_to_move, ..Pig::default() };
            }
        }
    }
    fn sample_chance(&self, rng: &mut Rng) -> Event {
        Event(1 + rng.below(6) as usize)
    }
    fn move_space(&self) -> usize {
        8
    }
    fn position_hash(&self) -> u64 {
        let parts = [self.kept[0], self.kept[1], self.pot, usize::from(self.rolling)];
        parts.iter().zip(0..).fold(0, |hash, (&part, i)| hash ^ zobrist_key(5, i, part as u64))
    }
    fn move_text(&self, mv: Event) -> String {
        ["roll", "1", "2", "3", "4", "5", "6", "hold"][mv.0].to_string()
    }
}

fn main() -> Result<(), SearchError> {
    let params =
        SearchParams { mean: Mean::Plain, exploration: 0.7, expand_at: 1, ..Default::default() };
    for pot in [2, 8, 14, 20, 26] {
        let position = Pig { pot, ..Pig::default() };
        let playout = || UniformPlayout::new(1_000);
        let mut search = Search::new(position, params.clone(), playout, NoKnowledge)?;
        let found = search.run(Limits::simulations(200_000));
        let best = found.best().map(|mv| search.position().move_text(mv));
        println!("with {pot} in the pot: {} ({:.3})", best.unwrap_or_default(), found.value);
    }
    Ok(())
}
