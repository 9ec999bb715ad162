//! The conformance suite: random games that check every promise of [`Game`], and what tests share.

use std::collections::HashSet;
use std::fmt::Debug;

use crate::{Game, Move, Playout, Reward, Rng, Trace, Turn};

/// What a game adds for the suite: its state recomputed the slow way, from the board alone.
pub trait Recompute: Game {
    /// `(position_hash, state_hash)` from scratch.
    fn recomputed_hashes(&self) -> (u64, u64);

    /// Panics if any incremental state (chains, connections, pattern codes, outcome) differs from
    /// what a plain recomputation of the position gives.
    fn check_incremental(&self);
}

/// A number of trials times the environment variable `KOSUMI_TEST_SCALE`, for longer or shorter runs;
/// at least one.
///
/// # Panics
/// The variable is set to something that is no positive number.
#[must_use]
pub fn scaled(trials: u64) -> u64 {
    let scale = std::env::var("KOSUMI_TEST_SCALE").map_or(1.0, |text| {
        let scale = text.parse().ok().filter(|scale: &f64| scale.is_finite() && *scale > 0.0);
        scale.unwrap_or_else(|| panic!("KOSUMI_TEST_SCALE is '{text}', not a positive number"))
    });
    ((trials as f64 * scale) as u64).max(1)
}

/// Plays `games` random games from `start` and panics at the first broken promise, naming the
/// game's number and the moves so far.
///
/// Checked at every position: legal moves are unique, below the move space, legal by
/// [`Game::is_legal`], and no others are; text round-trips; hashes and incremental state equal the
/// recomputed ones; clones are independent and `clone_from` equals `clone`; outcomes are stable.
/// Checked for every game: each symmetry maps it to a legal game with the same result.
/// Games longer than `max_moves` are cut off.
pub fn conformance<G: Recompute>(start: &G, games: u64, max_moves: usize, seed: u64) {
    for game in 0..games {
        let mut rng = Rng::stream(seed, game);
        let mut position = start.clone();
        let mut played: Vec<G::Move> = Vec::new();
        let mut reused = start.clone();
        loop {
            let describe = || {
                let text: Vec<String> = played.iter().map(|&mv| start.move_text(mv)).collect();
                format!("game {game} of seed {seed} after {}", text.join(" "))
            };
            let legal = check_position(&position, &describe);
            reused.clone_from(&position);
            assert_eq!(
                fingerprint(&reused),
                fingerprint(&position),
                "clone_from differs: {}",
                describe()
            );
            if legal.is_empty() || played.len() >= max_moves {
                break;
            }
            let mv = match position.turn() {
                Turn::Chance => position.sample_chance(&mut rng),
                Turn::Player(_) => legal[rng.below(legal.len() as u32) as usize],
            };
            let before = fingerprint(&position);
            let mut copy = position.clone();
            copy.try_play(mv)
                .unwrap_or_else(|e| panic!("legal_moves gave it: {e}: {}", describe()));
            assert_eq!(
                fingerprint(&position),
                before,
                "playing on a clone changed the original: {}",
                describe()
            );
            position.play(mv);
            assert_eq!(
                fingerprint(&copy),
                fingerprint(&position),
                "try_play differs from play: {}",
                describe()
            );
            played.push(mv);
        }
        check_symmetries(start, &position, &played);
    }
}

/// Everything about a position that can be seen from outside.
fn fingerprint<G: Game>(position: &G) -> (u64, u64, Option<Reward>, Turn, Vec<usize>) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves = moves.into_iter().map(Move::index).collect();
    (position.position_hash(), position.state_hash(), position.outcome(), position.turn(), moves)
}

fn check_position<G: Recompute>(position: &G, describe: &dyn Fn() -> String) -> Vec<G::Move> {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    let mut indices = HashSet::new();
    for &mv in &legal {
        assert!(mv.index() < position.move_space(), "{mv:?} beyond the move space: {}", describe());
        assert_eq!(G::Move::from_index(mv.index()), mv, "index round trip: {}", describe());
        assert!(indices.insert(mv.index()), "{mv:?} listed twice: {}", describe());
        let text = position.move_text(mv);
        let read = position.parse_move(&text);
        assert_eq!(read, Ok(mv), "'{text}' reads back differently: {}", describe());
        assert_eq!(position.parse_move(&text.to_lowercase()), Ok(mv), "lower case: {}", describe());
        assert_eq!(position.parse_move(&text.to_uppercase()), Ok(mv), "upper case: {}", describe());
    }
    for index in 0..position.move_space() {
        let mv = G::Move::from_index(index);
        let listed = indices.contains(&index);
        assert_eq!(
            position.is_legal(mv),
            listed,
            "is_legal({mv:?}) disagrees with legal_moves: {}",
            describe()
        );
        if !listed {
            let mut copy = position.clone();
            assert!(copy.try_play(mv).is_err(), "try_play took the illegal {mv:?}: {}", describe());
            assert_eq!(
                (copy.state_hash(), copy.position_hash()),
                (position.state_hash(), position.position_hash()),
                "a refused move changed the position: {}",
                describe()
            );
        }
    }
    assert_eq!(
        legal.is_empty(),
        position.outcome().is_some(),
        "moves and outcome disagree: {}",
        describe()
    );
    assert_eq!(position.outcome(), position.outcome(), "the outcome is not stable: {}", describe());
    let hashes = (position.position_hash(), position.state_hash());
    assert_eq!(hashes, position.recomputed_hashes(), "hashes drift: {}", describe());
    position.check_incremental();
    legal
}

fn check_symmetries<G: Game>(start: &G, end: &G, played: &[G::Move]) {
    if let Some(identity) = start.symmetries().first() {
        let fixed = (0..start.move_space()).all(|i| identity.apply(i) == i);
        assert!(fixed, "the first symmetry is the identity");
    }
    for (number, symmetry) in start.symmetries().iter().enumerate() {
        assert_eq!(symmetry.space(), start.move_space(), "symmetry {number} covers the move space");
        let mut mirrored = start.clone();
        for &mv in played {
            let image = G::Move::from_index(symmetry.apply(mv.index()));
            mirrored.try_play(image).unwrap_or_else(|e| panic!("symmetry {number}: {e}"));
        }
        assert_eq!(mirrored.outcome(), end.outcome(), "symmetry {number} changes the result");
        let mut here = Vec::new();
        end.legal_moves(&mut here);
        let mut here: Vec<usize> = here.into_iter().map(|mv| symmetry.apply(mv.index())).collect();
        let mut there = Vec::new();
        mirrored.legal_moves(&mut there);
        let mut there: Vec<usize> = there.into_iter().map(Move::index).collect();
        here.sort_unstable();
        there.sort_unstable();
        assert_eq!(here, there, "symmetry {number} changes the legal moves");
    }
}

/// Runs `playouts` playouts from `start` and panics unless each is legal move by move (as its trace
/// tells), alternates as the game does, and equal streams give equal playouts. Returns the rewards.
/// With `must_finish`, the traced game must end with the reward the playout reported.
pub fn playout_conformance<G: Game, P: Playout<G>>(
    start: &G,
    mut new_playout: impl FnMut() -> P,
    playouts: u64,
    seed: u64,
    must_finish: bool,
) -> Vec<Reward> {
    let mut worn = new_playout();
    (0..playouts)
        .map(|index| {
            let mut traces = [Trace::new(), Trace::new()];
            let reward = worn.run(start, &mut Rng::stream(seed, index), &mut traces[0]);
            let again = new_playout().run(start, &mut Rng::stream(seed, index), &mut traces[1]);
            assert_same(index, (&traces[0], reward), (&traces[1], again));
            let mut position = start.clone();
            for (ply, mv) in traces[0].moves().iter().enumerate() {
                let turn = position.turn();
                assert_eq!(
                    turn.player(),
                    Some(mv.player()),
                    "playout {index}, ply {ply}: wrong player"
                );
                position
                    .try_play(G::Move::from_index(mv.index()))
                    .unwrap_or_else(|e| panic!("playout {index}, ply {ply}: {e}"));
            }
            if must_finish {
                assert_eq!(position.outcome(), Some(reward), "playout {index}: result");
            }
            reward
        })
        .collect()
}

fn assert_same<T: Debug + PartialEq>(index: u64, a: (&Trace, T), b: (&Trace, T)) {
    assert_eq!(a.0.moves(), b.0.moves(), "playout {index} depends on earlier playouts");
    assert_eq!(a.1, b.1, "playout {index}: result depends on earlier playouts");
}
