//! Games of chance and games for one.
#![cfg(not(loom))]

mod support;

use kosumi_game::*;
use kosumi_search::*;
use support::Pick;

/// Choose a bag, then draw: bag 0 wins one time in four, bag 1 three times in four.
#[derive(Clone, Debug, Default)]
struct Bags {
    bag: Option<usize>,
    drawn: Option<usize>,
}

impl Game for Bags {
    type Move = Pick;
    fn turn(&self) -> Turn {
        if self.bag.is_some() { Turn::Chance } else { Turn::Player(Player::First) }
    }
    fn outcome(&self) -> Option<Reward> {
        let wins = if self.bag == Some(1) { 3 } else { 1 };
        self.drawn.map(|drawn| Reward::win(Player::BOTH[usize::from(drawn >= wins)]))
    }
    fn legal_moves(&self, out: &mut Vec<Pick>) {
        match (self.bag, self.drawn) {
            (None, _) => out.extend([Pick(0), Pick(1)]),
            (Some(_), None) => out.extend((0..4).map(Pick)),
            _ => {}
        }
    }
    fn play(&mut self, mv: Pick) {
        if self.bag.is_none() { self.bag = Some(mv.0) } else { self.drawn = Some(mv.0) }
    }
    fn sample_chance(&self, rng: &mut Rng) -> Pick {
        Pick(rng.below(4) as usize)
    }
    fn move_space(&self) -> usize {
        4
    }
    fn position_hash(&self) -> u64 {
        self.bag.map_or(9, |b| b as u64) * 10 + self.drawn.map_or(9, |d| d as u64)
    }
}

#[test]
fn chance_is_averaged_and_never_proven() {
    for threads in [1, 3] {
        let params = SearchParams {
            threads,
            mean: Mean::Plain,
            exploration: 0.5,
            expand_at: 1,
            memory_mb: 16,
            ..Default::default()
        };
        let mut search =
            Search::new(Bags::default(), params, || UniformPlayout::new(9), NoKnowledge)
                .expect("good parameters");
        let found = search.run(Limits::simulations(20_000));
        search.verify().expect("consistent");
        assert_eq!(found.best(), Some(Pick(1)));
        let best = &found.moves[0];
        assert!((best.value - 0.75).abs() < 0.02, "{}", best.value);
        assert_eq!(found.proof, None);
        assert_eq!(best.depth, 2);
        assert_eq!(best.width, 4);
        // After the move, chance is to move: its events are reported, none is "best" for anyone.
        search.advance(Pick(1));
        let events = search.run(Limits::simulations(4_000));
        assert_eq!(events.turn, Turn::Chance);
        assert!((events.value - 0.75).abs() < 0.03, "{}", events.value);
        search.verify().expect("consistent");
    }
}
