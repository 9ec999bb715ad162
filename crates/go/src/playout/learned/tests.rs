use super::*;
use crate::tests::{board, marked};
use crate::{KoRule, Rules, UpTo9, UpTo13, UpTo19, UpTo25};
use kosumi_game::testing::playout_conformance;

/// Some model: gammas of shapes from 0.14 to 7, of reasons from 1 to 5.
fn model() -> PlayoutModel {
    let mut rng = Rng::new(5);
    let weight = |feature: usize| match feature {
        SELF_ATARI => -2.0,
        0..REASONS => feature as f32 / 10.0,
        _ => rng.below(4001) as f32 / 1000.0 - 2.0,
    };
    PlayoutModel::new((0..PlayoutModel::features()).map(weight).collect())
}

fn weights() -> Arc<PlayoutWeights> {
    Arc::new(PlayoutWeights::new(&model(), &GoGammaParams::default(), 8))
}

fn conforms<C: BoardClass>(size: usize, playouts: u64) {
    let start = Position::<C>::new(size, Rules::CHINESE.with_ko(KoRule::Simple)).unwrap();
    let weights = weights();
    let new = || LearnedPlayout::new(Arc::clone(&weights));
    playout_conformance(&start, new, playouts, size as u64, true);
}

#[test]
fn playouts_are_legal_games() {
    for size in 5..=9 {
        conforms::<UpTo9>(size, 100);
    }
    conforms::<UpTo13>(13, 50);
    conforms::<UpTo19>(19, 20);
    conforms::<UpTo25>(25, 10);
}

#[test]
fn the_field_is_as_if_made_anew_after_every_move() {
    for game in 0..20 {
        let mut drawer = LearnedPlayout::<UpTo9>::new(weights()).drawer;
        let mut fresh = drawer.clone();
        let mut board = Board::new(7).unwrap();
        let mut rng = Rng::stream(9, game);
        let (mut player, mut last) = (Player::First, [Point::NONE; 2]);
        drawer.begin(&board);
        for _ in 0..150 {
            let p = drawer.choose(&board, player, last, &mut rng);
            if p == Point::NONE {
                break;
            }
            board.play(p, player);
            (player, last) = (player.opponent(), [p, last[0]]);
            drawer.catch_up(&board, p);
            fresh.begin(&board);
            for p in board.points() {
                for side in Player::BOTH {
                    assert_eq!(drawer.field.weight(p, side), fresh.field.weight(p, side), "{p:?}");
                }
            }
        }
    }
}

#[test]
fn moves_are_drawn_by_their_probability() {
    let diagram = "
        . . . . . .
        . X O . . .
        . O L X . .
        . . X . . .
        . . . . . .
        . . . . . .";
    let board = board(diagram);
    let last = [marked::<UpTo9>(diagram, 'L'), Point::NONE];
    let model = model();
    // Products of gammas, by hand.
    let mut strengths = vec![0.0f32; 128];
    for p in board.points().filter(|&p| board.is_playable(p, Player::First)) {
        let shape = Shapes::get().number(board.code(p), Player::First).unwrap();
        let mut log_gamma = model.shapes()[shape];
        answers(&board, Player::First, last, 8, |at, reason| {
            if at == p {
                log_gamma += model.reasons()[reason];
            }
        });
        assert!(!self_atari::is_bad(&board, p, Player::First));
        strengths[p.index()] = log_gamma.exp();
    }
    let total: f32 = strengths.iter().sum();
    let mut drawer = LearnedPlayout::<UpTo9>::new(weights()).drawer;
    drawer.begin(&board);
    let mut drawn = vec![0.0f32; 128];
    let mut rng = Rng::new(2);
    for _ in 0..100_000 {
        drawn[drawer.choose(&board, Player::First, last, &mut rng).index()] += 1.0 / 100_000.0;
    }
    for (p, (drawn, strength)) in drawn.iter().zip(&strengths).enumerate() {
        // Four standard errors, and the rounding of weights.
        let expected = strength / total;
        let bound = 4.0 * (expected / 100_000.0).sqrt() + 0.01 * expected;
        assert!((drawn - expected).abs() <= bound, "{p}: {drawn} {expected}");
    }
}

#[test]
fn exponents_of_zero_are_uniform() {
    let mut params = GoGammaParams::default();
    (params.shape, params.near, params.tactics) = (0.0, 0.0, 0.0);
    let weights = PlayoutWeights::new(&model(), &params, 8);
    assert!(weights.reasons[..SELF_ATARI].iter().all(|gamma| *gamma == 1.0));
    assert_eq!(weights.shape(Code(0)), [256, 256]);
    // A white eye is left alone by White only.
    let eye = board(
        "
        . O O .
        O . O .
        O O O .
        . . . .",
    );
    assert_eq!(weights.shape(eye.code(Point::at::<UpTo9>(1, 2))), [256, 0]);
}
