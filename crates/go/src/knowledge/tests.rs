use super::*;
use crate::tests::marked;
use crate::{Rules, UpTo9};
use kosumi_game::Game;

fn assess(diagram: &str) -> (Vec<GoMove>, Verdict) {
    let position = Position::<UpTo9>::from_diagram(Rules::CHINESE, diagram, Player::First).unwrap();
    let knowledge = HandKnowledge::new(GoPriorParams { games: true, ..Default::default() });
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut verdict = Verdict::new();
    let mut worker = Knowledge::<Position<UpTo9>>::worker(&knowledge);
    knowledge.assess(&mut worker, &position, &Context::new(0, &moves), &mut verdict);
    let total: f32 = verdict.priors.iter().sum();
    assert!((total - 1.0).abs() < 1e-4, "{total}");
    assert_eq!(verdict.priors.len(), moves.len());
    assert_eq!(verdict.virtual_games.len(), moves.len());
    (moves, verdict)
}

/// The mean of a marked point's virtual games and its prior.
fn opinion_at(diagram: &str, mark: char) -> (f32, f32) {
    let (moves, verdict) = assess(diagram);
    let mv = GoMove::on(marked::<UpTo9>(diagram, mark));
    let place = moves.iter().position(|&m| m == mv).unwrap();
    (verdict.virtual_games[place].value.get(), verdict.priors[place])
}

#[test]
fn captures_and_catches_are_good_and_self_ataris_bad() {
    let diagram = "
        . . . . . . .
        . . X . . . .
        . X O X . . .
        . X O a . . .
        . X O X . . O
        . . X . . O O
        . . . . O c O";
    let (value, prior) = opinion_at(diagram, 'a');
    assert!(value > 0.8 && prior > 0.05, "{value} {prior}");
    let diagram = "
        . . . . . . .
        . . . . . . .
        . O O O O . .
        O X X X a O .
        . O O O . . .
        . . . . . . .
        . . . . . . .";
    let (value, _) = opinion_at(diagram, 'a');
    assert!(value < 0.3, "{value}");
}

#[test]
fn own_eyes_are_pruned_unless_their_chain_is_in_atari() {
    let alive = "
        a X . . .
        X X . . .
        . . . . .
        . . O . .
        . . . . .";
    let (moves, verdict) = assess(alive);
    let eye = GoMove::on(marked::<UpTo9>(alive, 'a'));
    assert_eq!(moves[usize::from(verdict.pruned[0])], eye);
    let atari = "
        a X O . .
        X X O . .
        O O O . .
        . . . . .
        . . . . .";
    let (_, verdict) = assess(atari);
    assert!(verdict.pruned.is_empty());
}

#[test]
fn an_empty_board_is_opened_on_the_third_line() {
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
    assert!(opinion_at(diagram, 'a').0 > 0.6);
    assert!(opinion_at(diagram, 'b').0 < 0.4);
    let (moves, verdict) = assess(diagram);
    let pass = moves.iter().position(|mv| mv.is_pass()).unwrap();
    assert!(verdict.virtual_games[pass].value.get() < 0.3);
}

#[test]
fn a_lost_ladder_is_not_run() {
    let diagram = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . O X a . . . . .
        . . O O . . . . .
        . . . . . . . . .";
    assert!(opinion_at(diagram, 'a').0 < 0.5);
}

/// A model that knows nothing but that the third line is good.
fn third_line() -> LearnedKnowledge {
    let mut log_gammas = vec![0.0; crate::FAMILY_FEATURES as usize];
    let places = crate::FAMILIES.iter().find(|family| family.name == "place").unwrap();
    for phase in 0..places.len as usize / 55 {
        for other in 2..10 {
            log_gammas[places.first as usize + phase * 55 + other * (other + 1) / 2 + 2] = 2.0;
        }
    }
    let model = std::sync::Arc::new(crate::MoveModel::new(&[], &log_gammas));
    let params = GoModelParams { games: true, pass: 0.01, ..GoModelParams::default() };
    LearnedKnowledge::new(model, params)
}

fn judge(knowledge: &GoKnowledge, diagram: &str) -> (Vec<GoMove>, Verdict) {
    let position = Position::<UpTo9>::from_diagram(Rules::CHINESE, diagram, Player::First).unwrap();
    let (mut moves, mut verdict) = (Vec::new(), Verdict::new());
    position.legal_moves(&mut moves);
    let mut worker = Knowledge::<Position<UpTo9>>::worker(knowledge);
    knowledge.assess(&mut worker, &position, &Context::new(0, &moves), &mut verdict);
    let total: f32 = verdict.priors.iter().sum();
    assert!((total - 1.0).abs() < 1e-4, "{total}");
    (moves, verdict)
}

#[test]
fn learned_priors_are_shares_of_strengths() {
    let diagram = "
        b X . . .
        X X . . .
        . . a . .
        . . . . .
        . . . . O";
    let mut knowledge = GoKnowledge { learned: Some(third_line()), ..GoKnowledge::default() };
    let (moves, verdict) = judge(&knowledge, diagram);
    let place = |mark| {
        let mv = GoMove::on(marked::<UpTo9>(diagram, mark));
        moves.iter().position(|&m| m == mv).unwrap()
    };
    // The middle of 5x5 is its only point on the third line: e^2 against 19 others of strength 1;
    // an own eye is pruned, and a pass has its hundredth.
    let share = 0.99 * 2.0f32.exp() / (2.0f32.exp() + 19.0);
    assert!((verdict.priors[place('a')] - share).abs() < 1e-5);
    assert_eq!(verdict.pruned, [place('b') as u16]);
    assert_eq!(verdict.priors[place('b')], 0.0);
    let pass = moves.iter().position(|mv| mv.is_pass()).unwrap();
    assert_eq!(verdict.priors[pass], 0.01);
    let games = verdict.virtual_games[place('a')];
    let won = 100.0 * share.sqrt();
    assert!((games.count - 14.0 - won).abs() < 1e-3);
    assert!((games.value.get() - (7.0 + won) / (14.0 + won)).abs() < 1e-5);
    // With hand-made knowledge beside it the games of both count.
    let hand = HandKnowledge::new(GoPriorParams { games: true, ..Default::default() });
    knowledge.hand = Some(hand);
    let (_, both) = judge(&knowledge, diagram);
    assert_eq!(both.priors, verdict.priors);
    assert_eq!(both.pruned, verdict.pruned);
    assert!(both.virtual_games[place('a')].count > games.count + 11.9);
}

#[test]
fn without_knowledge_there_is_no_verdict() {
    let knowledge = GoKnowledge::default();
    assert!(Knowledge::<Position<UpTo9>>::thresholds(&knowledge).is_empty());
}
