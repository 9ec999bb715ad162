//! Learning from records that the test makes itself: games of players who like to play beside the
//! last move, which the model has to find out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use kosumi_game::{Game, Rng};
use kosumi_go::{FAMILIES, GoMove, KoRule, Position, Rules, Selection, UpTo9};
use kosumi_lab::{
    GoModel, LearnError, LearnMethod, LearnObserver, LearnOptions, NoLearnObserver, Part, learn_go,
    predict_go, read_games,
};
use kosumi_learn::{PredictionOf, Provenance, WeightFile};

/// A game of 40 moves in SGF: eight of ten are beside the last one where there is room.
fn game(number: u64) -> String {
    let mut rng = Rng::stream(17, number);
    let rules = Rules { ko: KoRule::Simple, ..Rules::CHINESE };
    let mut position = Position::<UpTo9>::new(9, rules).unwrap();
    let mut text = "(;GM[1]FF[4]SZ[9]RE[B+R]".to_owned();
    let mut moves = Vec::new();
    for ply in 0..40 {
        moves.clear();
        position.legal_moves(&mut moves);
        moves.retain(|mv| !mv.is_pass());
        let last = position.last_move().point();
        let beside = |mv: &GoMove| {
            let (p, last) = (mv.point()?, last?);
            last.neighbours::<UpTo9>().contains(&p).then_some(*mv)
        };
        let near: Vec<GoMove> = moves.iter().filter_map(beside).collect();
        let from = if near.is_empty() || rng.below(10) < 2 { &moves } else { &near };
        let mv = from[rng.below(from.len() as u32) as usize];
        let (x, y) = mv.point().unwrap().xy::<UpTo9>();
        let letter = |n: usize| char::from(b'a' + n as u8);
        let colour = if ply % 2 == 0 { 'B' } else { 'W' };
        write!(text, ";{colour}[{}{}]", letter(x), letter(8 - y)).unwrap();
        position.play(mv);
    }
    text + ")\n"
}

fn records(folder: &Path, games: u64) -> PathBuf {
    let path = folder.join("games.sgf");
    std::fs::write(&path, (0..games).map(game).collect::<String>()).unwrap();
    path
}

fn options() -> LearnOptions {
    let mut options = LearnOptions::default();
    options.passes = 3;
    options.least = 5;
    options.chunk = 40;
    options
}

#[test]
fn a_habit_is_learned_and_predicts_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = records(folder.path(), 200);
    let paths = [path];
    let learned = read_games(&paths, None, Part::Learned, usize::MAX).unwrap();
    let held_out = read_games(&paths, Some(9), Part::HeldOut, usize::MAX).unwrap();
    assert_eq!((learned.games.len(), held_out.games.len()), (190, 10));
    for method in [LearnMethod::Gradient, LearnMethod::Minorization] {
        let mut options = options();
        options.method = method;
        options.threads = 2;
        options.patterns = 2000;
        let passes = if method == LearnMethod::Gradient { 3 } else { 25 };
        options.passes = passes;
        let model = learn_go(&learned.games, &options, &NoLearnObserver).unwrap();
        let report = predict_go("model", &model, &held_out.games, 2, &|| ());
        let all = &report.rows[0];
        assert_eq!(all.decisions, 400);
        // At random among about 60 moves: log P -4.1. Among four of eight tenths: at best -2.1.
        assert!(all.log_likelihood > -2.9, "{method:?} {all:?}");
        assert!(all.top[1] > 70.0, "{method:?} {all:?}");
        assert!(report.to_text().contains("1 to 30"));
    }
}

/// Without all that tells of earlier moves the habit is hard to see.
#[test]
fn what_is_left_out_is_not_learned() {
    let folder = tempfile::tempdir().unwrap();
    let path = records(folder.path(), 100);
    let games = read_games(&[path], None, Part::All, usize::MAX).unwrap().games;
    let learned = |options: &LearnOptions| learn_go(&games, options, &NoLearnObserver).unwrap();
    let patterns = |model: &GoModel| match model {
        GoModel::Tree(model) => model.patterns(),
        other => panic!("{other:?}"),
    };
    let mut options = options();
    for name in ["last", "before", "both", "earlier", "chain", "urgent", "nakade"] {
        options.selection.leave_out(name).unwrap();
    }
    let with_patterns = learned(&options);
    options.selection.leave_out("patterns-last").unwrap();
    options.selection.leave_out("patterns-last-two").unwrap();
    let model = learned(&options);
    assert!(patterns(&model) < patterns(&with_patterns));
    let last = FAMILIES.iter().find(|family| family.name == "last").unwrap();
    let gammas = &model.log_gammas()[last.first as usize..][..last.len as usize];
    assert!(gammas.iter().all(|&theta| theta == 0.0));
    options.selection = Selection::default();
    let both = [&learned(&options), &model].map(|model| predict_go("m", model, &games, 1, &|| ()));
    let [with, without] = both.map(|report| report.rows[0].log_likelihood);
    assert!(with > without + 0.2, "{with} {without}");
}

/// Panics after so many chunks.
struct Stops(AtomicU32);

impl LearnObserver for Stops {
    fn chunk(&self, _: usize, _: &PredictionOf) {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) > 0, "stopped on purpose");
    }
}

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = records(folder.path(), 100);
    let games = read_games(&[path], None, Part::All, usize::MAX).unwrap().games;
    for method in [LearnMethod::Gradient, LearnMethod::Minorization] {
        let mut options = options();
        options.method = method;
        if method == LearnMethod::Minorization {
            options.passes = 12;
        }
        let whole = learn_go(&games, &options, &NoLearnObserver).unwrap();
        let mut stopped = options.clone();
        stopped.checkpoint = Some(folder.path().join(format!("{method:?}.partial")));
        for chunks in [4, 3] {
            let stops = Stops(chunks.into());
            let run = std::panic::AssertUnwindSafe(|| learn_go(&games, &stopped, &stops));
            assert!(std::panic::catch_unwind(run).is_err());
        }
        let resumed = learn_go(&games, &stopped, &NoLearnObserver).unwrap();
        assert_eq!(resumed.log_gammas(), whole.log_gammas(), "{method:?}");
        let mut other = stopped.clone();
        other.rate = 0.7;
        let error = learn_go(&games, &other, &NoLearnObserver).unwrap_err();
        assert!(matches!(error, LearnError::OtherRun { .. }), "{error}");
        std::fs::write(stopped.checkpoint.as_ref().unwrap(), b"Kosumi weights\n{").unwrap();
        let error = learn_go(&games, &stopped, &NoLearnObserver).unwrap_err().to_string();
        let says = ["partial", "cut off", "begins anew"];
        assert!(says.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn records_that_cannot_be_used_are_counted_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let read = |path: &Path| read_games(&[path.to_owned()], None, Part::All, usize::MAX);
    let error = read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("has no records"), "{error}");
    let path = folder.path().join("mixed.sgf");
    let bad = "(;GM[1]SZ[9];B[aa];W[aa])(;GM[1]SZ[9];B[aa];B[bb])(;GM[1]SZ[9]AB[aa];W[bb])\
               (;GM[11]SZ[11];B[a1])(;GM[1]SZ[9])";
    std::fs::write(&path, format!("{bad}(;GM[1]SZ[9];B[zz]){}", game(1))).unwrap();
    let found = read(folder.path()).unwrap();
    assert_eq!((found.games.len(), found.games[0].len()), (1, 40));
    assert_eq!(found.skipped.values().sum::<usize>(), 6, "{:?}", found.skipped);
    assert_eq!(found.skipped["an illegal move"], 1);
    std::fs::write(&path, bad).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("mixed.sgf") && error.contains("1: an illegal move"), "{error}");
    // What calls itself compressed and is not.
    let path = folder.path().join("not.sgf.xz");
    std::fs::write(&path, game(1)).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("not.sgf.xz"), "{error}");
}

#[test]
fn weights_are_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = records(folder.path(), 40);
    let games = read_games(&[path], None, Part::All, usize::MAX).unwrap().games;
    let model = learn_go(&games, &options(), &NoLearnObserver).unwrap();
    assert!(model.patterns() > 20, "{}", model.patterns());
    let bytes = model.to_file(Provenance::default()).to_bytes();
    let again = GoModel::from_file(&WeightFile::from_bytes(&bytes).unwrap()).unwrap();
    let both = [&model, &again].map(|model| predict_go("m", model, &games, 1, &|| ()));
    let [before, after] = both.map(|report| report.rows[0].log_likelihood);
    assert!((before - after).abs() < 0.01, "{before} {after}");
}
