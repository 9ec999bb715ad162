//! Knowledge: priors that order moves, virtual games, pruning and proofs, early and late.
#![cfg(not(loom))]

mod support;

use std::sync::Arc;
use std::time::Duration;

use kosumi_game::*;
use kosumi_search::*;
use support::*;

/// Likes one move of the root, from a given number of visits on.
struct Likes {
    thresholds: Vec<u64>,
    favourite: usize,
    how: fn(&mut Verdict, &[Pick], usize),
}

impl Knowledge<Artificial> for Likes {
    type Worker = ();
    fn worker(&self) {}
    fn thresholds(&self) -> &[u64] {
        &self.thresholds
    }
    fn assess(
        &self,
        (): &mut (),
        position: &Artificial,
        context: &Context<'_, Artificial>,
        verdict: &mut Verdict,
    ) {
        if position.path.is_empty() {
            (self.how)(verdict, context.moves, self.favourite);
        }
    }
}

fn prior(verdict: &mut Verdict, moves: &[Pick], favourite: usize) {
    let share = 0.1 / (moves.len() - 1) as f32;
    verdict.priors.extend(moves.iter().map(|mv| if mv.0 == favourite { 0.9 } else { share }));
}

fn prune_all_but(verdict: &mut Verdict, moves: &[Pick], favourite: usize) {
    let others = (0..).zip(moves).filter(|(_, mv)| mv.0 != favourite);
    verdict.pruned.extend(others.map(|(place, _)| place));
}

fn virtual_games(verdict: &mut Verdict, moves: &[Pick], favourite: usize) {
    let games = |mv: &Pick| VirtualGames {
        count: 50.0,
        value: Value::new(if mv.0 == favourite { 1.0 } else { 0.0 }),
    };
    verdict.virtual_games.extend(moves.iter().map(games));
}

fn search(
    threshold: u64,
    how: fn(&mut Verdict, &[Pick], usize),
    params: SearchParams,
) -> Search<Artificial, UniformPlayout<Artificial>, Likes> {
    let knowledge = Likes { thresholds: vec![threshold], favourite: 7, how };
    let game = Artificial::new(12, 30, 6);
    Search::new(game, params, || UniformPlayout::new(100), knowledge).expect("good parameters")
}

fn run(
    threshold: u64,
    how: fn(&mut Verdict, &[Pick], usize),
    params: SearchParams,
    simulations: u64,
) -> Snapshot<Pick> {
    let mut search = search(threshold, how, params);
    let found = search.run(Limits::simulations(simulations));
    search.verify().expect("consistent");
    found
}

fn visits_of(found: &Snapshot<Pick>, mv: usize) -> u64 {
    root_visits(found)[mv].1
}

fn params(threads: usize) -> SearchParams {
    SearchParams {
        threads,
        mean: Mean::Plain,
        exploration: 0.5,
        expand_at: 1,
        memory_mb: 64,
        early_stop: false,
        ..Default::default()
    }
}

#[test]
fn a_prior_decides_what_widening_admits_first() {
    let params = SearchParams { widening_mu: 100.0, ..params(1) };
    let found = run(0, prior, params.clone(), 50);
    assert_eq!(visits_of(&found, 7), 50, "one move admitted, the favourite");
    // Late: by move index until the knowledge comes, then by the prior.
    let found = run(20, prior, params, 50);
    assert_eq!((visits_of(&found, 0), visits_of(&found, 7)), (20, 30));
}

#[test]
fn a_bias_pulls_visits() {
    let with = SearchParams { bias: Bias::Nomitan, bias_weight: 1.0, ..params(1) };
    let without = run(0, prior, params(1), 2_000);
    let with = run(0, prior, with, 2_000);
    assert!(visits_of(&with, 7) > 2 * visits_of(&without, 7));
}

#[test]
fn virtual_games_steer_and_are_not_counted() {
    let found = run(0, virtual_games, params(1), 300);
    assert!(visits_of(&found, 7) > 150, "{}", visits_of(&found, 7));
    assert_eq!(found.visits, 300);
}

#[test]
fn pruned_moves_are_not_searched() {
    for threads in [1, 3] {
        let found = run(0, prune_all_but, params(threads), 3_000);
        assert_eq!(visits_of(&found, 7), 3_000);
    }
}

#[test]
fn moves_pruned_late_are_not_searched_from_then_on() {
    let others = |found: &Snapshot<Pick>| found.visits - visits_of(found, 7);
    for threads in [1, 3] {
        let mut search = search(100, prune_all_but, params(threads));
        // Threads that were on their way when the moves were pruned still count them.
        let before = others(&search.run(Limits::simulations(3_000)));
        assert!(before > 0, "nothing was pruned at first");
        let after = search.run(Limits::simulations(3_000));
        assert_eq!((after.visits, others(&after)), (6_000, before));
        search.verify().expect("consistent");
    }
}

#[test]
fn a_proof_by_knowledge_ends_the_search() {
    let wins = |verdict: &mut Verdict, _: &[Pick], _: usize| verdict.winner = Some(Player::First);
    let found = run(0, wins, params(1), 3_000);
    assert_eq!(found.proof, Some(Proof::Win(Player::First)));
    assert!(found.simulations < 3_000);
}

/// Evaluates every position after a move of the root: the favourite is won, the others are lost.
struct AfterOneMove;

impl Evaluator<Artificial> for AfterOneMove {
    fn key(&self, position: &Artificial) -> Option<u64> {
        (position.path.len() == 1).then(|| position.state_hash())
    }
    fn evaluate(&self, positions: &[&Artificial], evaluations: &mut Vec<Evaluation>) {
        evaluations.extend(positions.iter().map(|position| Evaluation {
            // The second player is to move.
            value_logit: if position.path == [7] { -50.0 } else { 50.0 },
            policy: vec![0.0; 12],
        }));
    }
}

#[test]
fn an_evaluation_counts_beside_playouts_from_its_threshold_on() {
    let run = |estimate_weight| {
        let params = SearchParams { estimate_weight, ..params(1) };
        let game = Artificial::new(12, 30, 6);
        let mut search =
            Search::new(game, params, || AlwaysDrawn, NoKnowledge).expect("good parameters");
        let evaluator = Arc::new(AfterOneMove);
        search.set_evaluator(Some(EvaluateAt { evaluator, visits: 5 }));
        let found = search.run(Limits::simulations(2_000));
        search.verify().expect("consistent");
        let favourite = found.moves.iter().find(|mv| mv.mv == Pick(7)).expect("searched");
        (favourite.visits, favourite.value)
    };
    let (few, drawn) = run(0.0);
    assert_eq!(drawn, 0.5);
    let (many, value) = run(0.4);
    assert!(many > 4 * few, "{many} {few}");
    // Five simulations before the first evaluation are draws, all later ones 0.5 + 0.4 (1 - 0.5).
    let mean = (5.0 * 0.5 + (many - 5) as f32 * 0.7) / many as f32;
    assert!((value - mean).abs() < 1e-3, "{value} {mean}");
}

/// Evaluates every position: the first player has the better of it after the favourite, and else the
/// second. The logit of 3 to 1 is ln 3.
struct Everywhere;

impl Evaluator<Artificial> for Everywhere {
    fn evaluate(&self, positions: &[&Artificial], evaluations: &mut Vec<Evaluation>) {
        evaluations.extend(positions.iter().map(|position| {
            let for_first = if position.path.first() == Some(&7) { 1.0 } else { -1.0 };
            let sign = if position.path.len() % 2 == 0 { for_first } else { -for_first };
            Evaluation { policy: vec![0.0; 12], value_logit: sign * 3f32.ln() }
        }));
    }
}

/// One new node a simulation, evaluated at its first visit: eleven moves of twelve have a quarter each, the
/// favourite all that is left, and no playout is run.
#[test]
fn where_the_evaluation_alone_counts_a_simulation_ends_with_it() {
    for threads in [1, 3] {
        let params = SearchParams {
            estimate_weight: 1.0,
            expand_at: 0,
            exploration: 0.0,
            fpu: 1e6,
            virtual_loss: 0.0,
            ..params(threads)
        };
        let game = Artificial::new(12, 30, 6);
        let mut search = Search::new(game, params, || Never, NoKnowledge).expect("good parameters");
        let evaluator = Arc::new(Everywhere);
        search.set_evaluator(Some(EvaluateAt { evaluator, visits: 0 }));
        let found = search.run(Limits::simulations(13));
        let facts = search.verify().expect("consistent");
        assert!(facts.nodes <= 13, "{facts:?}");
        if threads == 1 {
            assert_eq!(facts.nodes, 13, "the root and its twelve moves");
            for mv in &found.moves {
                let value = if mv.mv == Pick(7) { 0.75 } else { 0.25 };
                assert_eq!(mv.visits, 1, "{:?}", mv.mv);
                assert!((mv.value - value).abs() < 1e-6, "{:?}: {}", mv.mv, mv.value);
            }
            // The root's own evaluation, and those of its moves: (0.25 + 11 * 0.25 + 0.75) / 13.
            assert!((found.value - 3.75 / 13.0).abs() < 1e-6, "{}", found.value);
        }
        let found = search.run(Limits::simulations(200));
        // The root once and eleven moves once each; threads may come to the same one together.
        let others = found.visits - visits_of(&found, 7);
        assert!((12..=12 * threads as u64).contains(&others), "{others}, {threads} threads");
    }
}

/// Before an evaluation there is nothing to end with: the playout counts, at the new node and not below it.
#[test]
fn a_new_node_without_an_evaluation_is_played_out() {
    let params = SearchParams { estimate_weight: 1.0, expand_at: 0, ..params(1) };
    let game = Artificial::new(12, 30, 6);
    let mut search =
        Search::new(game, params, || AlwaysDrawn, NoKnowledge).expect("good parameters");
    let found = search.run(Limits::simulations(500));
    assert_eq!((found.visits, found.value), (500, 0.5));
    assert_eq!(search.verify().expect("consistent").nodes, 501);
}

struct Never;

impl Playout<Artificial> for Never {
    fn run(&mut self, _: &Artificial, _: &mut Rng, _: &mut Trace) -> Reward {
        panic!("nobody asked for a playout")
    }
}

struct AlwaysDrawn;

impl Playout<Artificial> for AlwaysDrawn {
    fn run(&mut self, _: &Artificial, _: &mut Rng, _: &mut Trace) -> Reward {
        Reward::DRAW
    }
}

/// The favourite draws, another move wins three of four games, the rest lose.
struct Rigged;

impl Playout<Artificial> for Rigged {
    fn run(&mut self, position: &Artificial, rng: &mut Rng, _: &mut Trace) -> Reward {
        match position.path.first() {
            Some(7) => Reward::DRAW,
            Some(3) if rng.below(4) > 0 => Reward::win(Player::First),
            _ => Reward::win(Player::Second),
        }
    }
}

#[test]
fn a_clock_gives_time_while_visits_and_values_disagree() {
    let budget =
        TimeBudget { target: Duration::from_millis(20), maximum: Duration::from_millis(500) };
    let took = |time_extend, limits| {
        // A bias that never fades: the favourite is visited most whatever it is worth.
        let params = SearchParams {
            mean: Mean::Plain,
            exploration: 40.0,
            fpu: 1e6,
            bias: Bias::Chaslot,
            bias_weight: 0.0,
            bias_gamma: 1.0,
            time_extend,
            memory_mb: 64,
            ..Default::default()
        };
        let knowledge = Likes { thresholds: vec![0], favourite: 7, how: prior };
        let game = Artificial::new(12, 30, 6);
        let search = Search::new(game, params, || Rigged, knowledge);
        search.expect("good parameters").run(limits).seconds
    };
    let extended = took(true, Limits::time(budget));
    assert!((0.45..2.0).contains(&extended), "{extended}");
    let planned = took(false, Limits::time(budget));
    assert!(planned < 0.4, "{planned}");
    // Seconds for each move are no clock that could give them back.
    let seconds = took(true, Limits::seconds(0.02));
    assert!(seconds < 0.4, "{seconds}");
}
