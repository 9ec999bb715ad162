//! A prover beside the search (H14): what it tells becomes proofs of the tree.
#![cfg(not(loom))]

mod support;

use kosumi_game::*;
use kosumi_search::*;
use support::*;

/// Tells the same every time it is asked about the root, and counts what it was asked for.
struct Scripted {
    told: Vec<ProvenLine<Pick>>,
    asked: std::sync::mpsc::Sender<(Vec<usize>, u64)>,
}

impl Prover<Artificial> for Scripted {
    fn pursue(
        &mut self,
        _: &Artificial,
        line: &[Pick],
        positions: u64,
        proven: &mut Vec<ProvenLine<Pick>>,
    ) {
        let line: Vec<usize> = line.iter().map(|mv| mv.0).collect();
        if line.is_empty() {
            proven.extend(self.told.iter().cloned());
        }
        // Nobody may be listening any more.
        let _ = self.asked.send((line, positions));
    }
}

const WIDTH: usize = 9;

fn tell(line: &[usize], winner: Player) -> ProvenLine<Pick> {
    ProvenLine { line: line.iter().map(|&mv| Pick(mv)).collect(), winner }
}

/// What a search of so many simulations finds with such a prover, and what that was asked.
fn run(
    told: Vec<ProvenLine<Pick>>,
    pace: Pace,
    threads: usize,
    simulations: u64,
) -> (Snapshot<Pick>, Vec<(Vec<usize>, u64)>) {
    let params = SearchParams {
        threads,
        mean: Mean::Plain,
        exploration: 0.5,
        expand_at: 2,
        memory_mb: 16,
        early_stop: false,
        ..Default::default()
    };
    let game = Artificial::new(WIDTH, 30, 6);
    let mut search = Search::new(game, params, || UniformPlayout::new(100), NoKnowledge).unwrap();
    let (asked, calls) = std::sync::mpsc::channel();
    search.set_prover(Some((Box::new(Scripted { told, asked }), pace)));
    let found = search.run(Limits::simulations(simulations));
    search.verify().expect("consistent");
    (found, calls.try_iter().collect())
}

const BETWEEN: Pace = Pace::Between(20);

#[test]
fn it_works_at_its_pace_on_the_root_and_on_the_leading_move_in_turn() {
    let (found, asked) = run(Vec::new(), BETWEEN, 1, 1000);
    assert_eq!((found.simulations, found.proof), (1000, None));
    // 15 slices of 64 are complete: 1.28 positions each.
    assert_eq!(asked.len(), 15);
    assert_eq!(asked.iter().map(|(_, positions)| positions).sum::<u64>(), 19);
    let (roots, leading): (Vec<_>, Vec<_>) = asked.iter().partition(|(line, _)| line.is_empty());
    assert_eq!((roots.len(), leading.len()), (8, 7));
    assert!(leading.iter().all(|(line, _)| line.len() == 1));
}

/// Where the line that leads has been visited often enough, its positions take turns: the root, after
/// one move, after two, and so on.
#[test]
fn it_works_along_the_line_that_leads() {
    let (_, asked) = run(Vec::new(), BETWEEN, 1, 60_000);
    let lengths: Vec<usize> = asked.iter().map(|(line, _)| line.len()).collect();
    assert!(lengths.iter().all(|&length| length <= 4));
    for length in 0..=2 {
        assert!(lengths.iter().filter(|&&it| it == length).count() > 50, "{length}");
    }
}

#[test]
fn a_move_that_wins_ends_the_search_and_is_played() {
    for threads in [1, 3] {
        let (found, _) = run(vec![tell(&[4], Player::First)], BETWEEN, threads, 1_000_000);
        assert_eq!((found.best(), found.proof), (Some(Pick(4)), Some(Proof::Win(Player::First))));
        assert!(found.simulations < 1_000_000);
    }
}

#[test]
fn moves_that_lose_are_not_played() {
    let told: Vec<_> =
        (0..WIDTH).filter(|&mv| mv != 4).map(|mv| tell(&[mv], Player::Second)).collect();
    for threads in [1, 3] {
        let (found, _) = run(told.clone(), BETWEEN, threads, 5_000);
        assert_eq!((found.best(), found.proof), (Some(Pick(4)), None));
        assert!(root_visits(&found)[4].1 > 4_000, "all visits go to what is left");
    }
    let all = (0..WIDTH).map(|mv| tell(&[mv], Player::Second)).collect();
    let (found, _) = run(all, BETWEEN, 1, 5_000);
    assert_eq!(found.proof, Some(Proof::Win(Player::Second)));
}

#[test]
fn proofs_two_moves_deep_travel_up_and_what_is_not_in_the_tree_is_passed_over() {
    let replies = (0..WIDTH).map(|mv| tell(&[4, mv], Player::First)).collect();
    let (found, _) = run(replies, BETWEEN, 1, 20_000);
    assert_eq!((found.best(), found.proof), (Some(Pick(4)), Some(Proof::Win(Player::First))));
    let absent = vec![tell(&[WIDTH + 5], Player::First), tell(&[0, 0, 0, 0, 0, 0], Player::First)];
    let (found, _) = run(absent, BETWEEN, 1, 300);
    assert_eq!((found.simulations, found.proof), (300, None));
}

#[test]
fn a_thread_of_its_own_ends_the_search_too() {
    for threads in [1, 2] {
        let told = vec![tell(&[4], Player::First)];
        // Without the proof this would go on for hours.
        let (found, asked) = run(told, Pace::OwnThread, threads, 1_000_000_000);
        assert_eq!((found.best(), found.proof), (Some(Pick(4)), Some(Proof::Win(Player::First))));
        assert!(!asked.is_empty());
    }
}
