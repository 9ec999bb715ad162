use super::*;
use crate::tests::marked;
use crate::{GoMove, Rules, UpTo9};
use kosumi_game::Game;

fn assess(position: &Position<UpTo9>) -> (Vec<GoMove>, Verdict) {
    let knowledge = HandKnowledge::new(GoPriorParams::default());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut verdict = Verdict::new();
    let mut worker = Knowledge::<Position<UpTo9>>::worker(&knowledge);
    let context = Context::new(0, &moves);
    knowledge.assess(&mut worker, position, &context, &mut verdict);
    let total: f32 = verdict.priors.iter().sum();
    assert!((total - 1.0).abs() < 1e-4, "{total}");
    assert_eq!(verdict.priors.len(), moves.len());
    assert_eq!(verdict.virtual_games.len(), moves.len());
    (moves, verdict)
}

fn position(diagram: &str) -> Position<UpTo9> {
    Position::from_diagram(Rules::CHINESE, diagram, Player::First).unwrap()
}

/// The mean of a marked point's virtual games and its prior times the number of moves: 1 is average.
fn opinion_at(diagram: &str, mark: char) -> (f32, f32) {
    let (moves, verdict) = assess(&position(diagram));
    let mv = GoMove::on(marked::<UpTo9>(diagram, mark));
    let place = moves.iter().position(|&m| m == mv).unwrap();
    let prior = verdict.priors[place] * moves.len() as f32;
    (verdict.virtual_games[place].value.get(), prior)
}

#[test]
fn saving_stones_is_urgent() {
    // Black's three stones are in atari; a takes the stone that holds them.
    let diagram = "
        . . . . . . .
        . . . X . . .
        . O X O a . .
        . X O X . . .
        . X O X . . .
        . X O O . . .
        . O X . . . .";
    let (value, prior) = opinion_at(diagram, 'a');
    assert!(value > 0.7 && prior > 3.0, "{value} {prior}");
    let running = "
        . . . . . . .
        . . O O . . .
        . O X X a . .
        . . O O . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    let (value, prior) = opinion_at(running, 'a');
    assert!(value > 0.7 && prior > 3.0, "{value} {prior}");
}

#[test]
fn bad_self_ataris_are_bad() {
    let diagram = "
        . . . . . . .
        . . . . . . .
        . O O O O . .
        O X X X a O .
        . O O O . . .
        . . . . . . .
        . . . . . . .";
    let (value, prior) = opinion_at(diagram, 'a');
    assert!(value < 0.5 && prior < 0.2, "{value} {prior}");
}

#[test]
fn own_eyes_are_pruned_unless_their_chain_is_in_atari() {
    let alive = "
        a X . . .
        X X . . .
        . . . . .
        . . O . .
        . . . . .";
    let (moves, verdict) = assess(&position(alive));
    let eye = GoMove::on(marked::<UpTo9>(alive, 'a'));
    assert_eq!(moves[usize::from(verdict.pruned[0])], eye);
    let atari = "
        a X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .";
    let (_, verdict) = assess(&position(atari));
    assert!(verdict.pruned.is_empty());
}

#[test]
fn an_empty_board_is_opened_in_the_middle_lines() {
    let diagram = "
        . b . . . . . . .
        . . . . . . . . .
        . . a . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let ((good, _), (low, _)) = (opinion_at(diagram, 'a'), opinion_at(diagram, 'b'));
    assert!(good > low + 0.1, "{good} {low}");
}

#[test]
fn passing_early_is_bad_and_passing_back_is_not() {
    let mut game = Position::<UpTo9>::new(9, Rules::CHINESE).unwrap();
    let opinion_of_pass = |game: &Position<UpTo9>| {
        let (moves, verdict) = assess(game);
        let place = moves.iter().position(|mv| mv.is_pass()).unwrap();
        verdict.virtual_games[place].value.get()
    };
    let early = opinion_of_pass(&game);
    game.play(GoMove::PASS);
    let back = opinion_of_pass(&game);
    assert!(early < 0.4 && back > early, "{early} {back}");
}

#[test]
fn a_lost_ladder_is_not_run() {
    let works = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . O X a . . . . .
        . . O O . . . . .
        . . . . . . . . .";
    let lost = &works.replace(". X .", ". . .");
    let (with, without) = (opinion_at(works, 'a').1, opinion_at(lost, 'a').1);
    assert!(with > 3.0 * without, "{with} {without}");
}
