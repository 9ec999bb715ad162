//! The solver against the plain one, and its proofs against the checker.

use kosumi_game::Rng;

use super::*;
use crate::HexRules;
use crate::plain::{self, hex};

fn after(size: usize, moves: &str) -> Hex {
    let mut position = Hex::new(size, HexRules { swap: false }).unwrap();
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).unwrap();
        position.try_play(mv).unwrap();
    }
    position
}

/// Random boards of each size, some with few stones.
fn boards(count: usize, seed: u64) -> impl Iterator<Item = (Stones<1>, Colour)> {
    let mut rng = Rng::new(seed);
    (0..count).map(move |number| {
        let (size, least) = [(3, 0), (4, 0), (5, 6), (6, 14)][number % 4];
        let most = size * size - 2;
        let stones = least + rng.below((most - least) as u32) as usize;
        let board = plain::random_stones(size, stones, &mut rng);
        (board, Colour::BOTH[rng.below(2) as usize])
    })
}

#[test]
fn agrees_with_the_plain_solver_and_proves_it() {
    let mut solvers: Vec<_> = (3..=6).map(|size| HexSolver::new(size, 1 << 20).unwrap()).collect();
    for (board, to_move) in boards(160, 1) {
        let position = hex(&board, to_move);
        let solver = &mut solvers[position.size() - 3];
        let expected = plain::winner(&board, to_move);
        let solution = solver.solve(&position, Limits::default());
        assert_eq!(solution.winner, Some(expected), "{to_move} to move\n{position}");
        let proof = solver.prove(&position, 1 << 20, Limits::default()).unwrap();
        assert_eq!(proof.winner, expected);
        assert_eq!(check_proof(&proof), Ok(()), "{to_move} to move\n{position}\n{proof}");
        assert_eq!(Proof::parse(&proof.to_string()), Ok(proof));
    }
}

/// The values of all openings: `B` where Black wins.
fn openings(size: usize) -> String {
    let mut solver = HexSolver::new(size, 1 << 24).unwrap();
    let mut text = String::new();
    for cell in 0..size * size {
        let mut position = after(size, "");
        position.play(HexMove::from_index(cell));
        let solution = solver.solve(&position, Limits::default());
        text.push(match solution.winner {
            Some(Colour::Black) => 'B',
            Some(Colour::White) => 'W',
            None => '?',
        });
    }
    text
}

#[test]
fn openings_of_small_boards() {
    for size in [3, 4] {
        let plain: String = (0..size * size)
            .map(|cell| {
                let mut board = Stones::<1>::empty_board(size).unwrap();
                board.place(Colour::Black, cell);
                if plain::winner(&board, Colour::White) == Colour::Black { 'B' } else { 'W' }
            })
            .collect();
        assert_eq!(openings(size), plain);
    }
    // The short diagonal and, on 5x5, much of the middle.
    assert_eq!(openings(4), "WWWBWWBWWBWWBWWW");
    let five = openings(5);
    let turned: String = five.chars().rev().collect();
    assert_eq!(five, turned, "half a turn changes nothing");
}

#[test]
fn a_wrong_proof_is_refused() {
    let position = after(4, "");
    let proof =
        HexSolver::new(4, 1 << 20).unwrap().prove(&position, 1000, Limits::default()).unwrap();
    assert_eq!((check_proof(&proof), proof.winner), (Ok(()), Colour::Black));
    let spoilt = |spoil: &dyn Fn(&mut Proof)| {
        let mut proof = proof.clone();
        spoil(&mut proof);
        check_proof(&proof).unwrap_err()
    };
    assert_eq!(spoilt(&|proof| proof.first = None), CheckError::First);
    assert_eq!(spoilt(&|proof| proof.winner = Colour::White), CheckError::First);
    assert_eq!(spoilt(&|proof| proof.nodes.clear()), CheckError::Empty);
    assert_eq!(spoilt(&|proof| proof.size = 20), CheckError::Size(20));
    assert_eq!(spoilt(&|proof| proof.stones = [vec![3], vec![3]]), CheckError::Stone(3));
    // One cell of a carrier less, and the loser gets through; one stone there likewise.
    let leaf = |proof: &Proof| {
        let cells = |node: &ProofNode| match node {
            ProofNode::Carrier(cells) => cells.clone(),
            ProofNode::Threats(_) | ProofNode::Filled(..) => Vec::new(),
        };
        let place = proof.nodes.iter().position(|node| !cells(node).is_empty()).unwrap();
        (place, cells(&proof.nodes[place]))
    };
    let (place, cells) = leaf(&proof);
    let less = spoilt(&|proof| proof.nodes[place] = ProofNode::Carrier(cells[1..].to_vec()));
    assert_eq!(less, CheckError::Carrier(place));
    let taken = spoilt(&|proof| proof.stones[1].push(cells[0]));
    assert_eq!(taken, CheckError::Taken(usize::from(cells[0])));
    // Cells that are no pair are not the winner's.
    let filled = spoilt(&|proof| {
        let others = (1..15).filter(|&cell| proof.first != Some(cell)).collect();
        proof.nodes = vec![ProofNode::Filled(vec![[0, 15]], 1), ProofNode::Carrier(others)];
    });
    assert_eq!(filled, CheckError::Pairs(0));
    let interrupted = check_proof_while(&proof, &mut |_| false);
    assert_eq!(interrupted, Err(CheckError::Interrupted));
    let lonely = spoilt(&|proof| proof.nodes.insert(0, ProofNode::Threats(vec![(cells[0], 1)])));
    assert!(
        matches!(lonely, CheckError::Stopped { node: 0, .. } | CheckError::Node(_)),
        "{lonely}"
    );
}

#[test]
fn proofs_as_text_say_what_is_wrong() {
    let line = |text: &str| Proof::parse(text).unwrap_err().line;
    assert_eq!(line(""), 1);
    let head = "kosumi hex proof 2\nsize 3\nblack a1\nwhite\nto-move white\nwinner black\nnodes\n";
    assert!(Proof::parse(head).is_ok());
    assert_eq!(line(&head.replace("size 3", "size 2")), 2);
    assert_eq!(line(&head.replace("a1", "d1")), 3);
    assert_eq!(line(&head.replace("to-move white", "to-move red")), 5);
    assert_eq!(line(&format!("{head}carrier a0")), 8);
    assert_eq!(line(&format!("{head}carrier\nor a1:x")), 9);
    assert_eq!(line(&format!("{head}and a1:1")), 8);
    assert_eq!(line(&format!("{head}filled 1 a1")), 8);
    let filled = Proof::parse(&format!("{head}filled 1 b1 a2 c1 c2\ncarrier")).unwrap();
    assert_eq!(filled.nodes[0], ProofNode::Filled(vec![[1, 3], [2, 5]], 1));
}

#[test]
fn a_small_table_and_an_early_end_are_no_harm() {
    let position = after(5, "a2");
    let expected = HexSolver::new(5, 1 << 22).unwrap().solve(&position, Limits::default());
    // No room at all: one bucket, no candidates kept.
    let mut small = HexSolver::new(5, 0).unwrap();
    assert_eq!(small.solve(&position, Limits::default()).winner, expected.winner);
    let mut solver = HexSolver::new(8, 1 << 20).unwrap();
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let solution = solver.solve(&after(8, "a2"), limits);
    assert_eq!((solution.winner, solution.best), (None, None));
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let refused = solver.prove(&after(8, "a2"), 1000, limits);
    assert_eq!(refused, Err(ProofError::Interrupted));
    // Stopped while the proof is being written: the table knows the winner already.
    let known = HexSolver::new(5, 1 << 22).map(|mut solver| {
        solver.solve(&position, Limits::default());
        let stop = std::sync::atomic::AtomicBool::new(true);
        solver.prove(&position, 1000, Limits { stop: Some(&stop), ..Limits::default() })
    });
    assert_eq!(known, Some(Err(ProofError::Interrupted)));
    let refused = small.prove(&position, 1, Limits::default());
    assert_eq!(refused, Err(ProofError::TooLarge(1)));
    assert!(HexSolver::new(2, 1).is_none() && HexSolver::new(30, 1).is_none());
}
