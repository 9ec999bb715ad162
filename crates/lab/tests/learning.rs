//! Learning from records that the test makes itself: games of players who like to play beside the
//! last move, which the model has to find out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use kosumi_game::{Game, Rng};
use kosumi_go::{FAMILIES, GoMove, KoRule, Position, Rules, Selection, UpTo9};
use kosumi_lab::experiment::{
    AnyExperiment, PredictionObserver, PredictionRun, Provenance as Run, Report,
};
use kosumi_lab::{
    GameMoves, LearnError, LearnMethod, LearnObserver, LearnOptions, LearnSubject, LearnedModel,
    NoLearnObserver, Part, PredictOptions, PredictionReport, ReadGamesError, learn, predict,
    read_games,
};
use kosumi_learn::{Combining, PredictionOf, Provenance, WeightFile};
use kosumi_record::GameKind;

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

fn predicted(model: &LearnedModel, games: &[GameMoves], combining: Combining) -> PredictionReport {
    let mut options = PredictOptions::default();
    (options.combining, options.skip, options.threads) = (combining, 1, 2);
    predict("model", model, games, &options, &|| ())
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
    let learned = read_games(GameKind::Go, &paths, None, Part::Learned, usize::MAX).unwrap();
    let held_out = read_games(GameKind::Go, &paths, Some(9), Part::HeldOut, usize::MAX).unwrap();
    assert_eq!((learned.games.len(), held_out.games.len()), (190, 10));
    for method in [LearnMethod::Gradient, LearnMethod::Minorization] {
        let mut options = options();
        options.method = method;
        options.threads = 2;
        options.patterns = 2000;
        let passes = if method == LearnMethod::Gradient { 3 } else { 25 };
        options.passes = passes;
        let model = learn(&learned.games, &options, &NoLearnObserver).unwrap();
        let report = predicted(&model, &held_out.games, Combining::Product);
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
    let games = read_games(GameKind::Go, &[path], None, Part::All, usize::MAX).unwrap().games;
    let learned = |options: &LearnOptions| learn(&games, options, &NoLearnObserver).unwrap();
    let patterns = |model: &LearnedModel| match model {
        LearnedModel::Tree(model) => model.patterns(),
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
    let both =
        [&learned(&options), &model].map(|model| predicted(model, &games, Combining::Product));
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
    let games = read_games(GameKind::Go, &[path], None, Part::All, usize::MAX).unwrap().games;
    for method in [LearnMethod::Gradient, LearnMethod::Minorization] {
        let mut options = options();
        options.method = method;
        if method == LearnMethod::Minorization {
            options.passes = 12;
        }
        let whole = learn(&games, &options, &NoLearnObserver).unwrap();
        let mut stopped = options.clone();
        stopped.checkpoint = Some(folder.path().join(format!("{method:?}.partial")));
        for chunks in [4, 3] {
            let stops = Stops(chunks.into());
            let run = std::panic::AssertUnwindSafe(|| learn(&games, &stopped, &stops));
            assert!(std::panic::catch_unwind(run).is_err());
        }
        let resumed = learn(&games, &stopped, &NoLearnObserver).unwrap();
        assert_eq!(resumed.log_gammas(), whole.log_gammas(), "{method:?}");
        let mut other = stopped.clone();
        other.rate = 0.7;
        let error = learn(&games, &other, &NoLearnObserver).unwrap_err();
        assert!(matches!(error, LearnError::OtherRun { .. }), "{error}");
        std::fs::write(stopped.checkpoint.as_ref().unwrap(), b"Kosumi weights\n{").unwrap();
        let error = learn(&games, &stopped, &NoLearnObserver).unwrap_err().to_string();
        let says = ["partial", "cut off", "begins anew"];
        assert!(says.iter().all(|part| error.contains(part)), "{error}");
    }
}

#[test]
fn records_that_cannot_be_used_are_counted_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let read =
        |path: &Path| read_games(GameKind::Go, &[path.to_owned()], None, Part::All, usize::MAX);
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
    let games = read_games(GameKind::Go, &[path], None, Part::All, usize::MAX).unwrap().games;
    let model = learn(&games, &options(), &NoLearnObserver).unwrap();
    assert!(model.patterns() > 20, "{}", model.patterns());
    let bytes = model.to_file(Provenance::default()).to_bytes();
    let again =
        LearnedModel::from_file(GameKind::Go, &WeightFile::from_bytes(&bytes).unwrap()).unwrap();
    let both = [&model, &again].map(|model| predicted(model, &games, Combining::Product));
    let [before, after] = both.map(|report| report.rows[0].log_likelihood);
    assert!((before - after).abs() < 0.01, "{before} {after}");
}

/// A game of Hex on 7x7: eight of ten moves are on the first free neighbour of the last one.
fn hex_game(number: u64) -> String {
    use kosumi_hex::{Cell, Hex, HexRules};
    let mut rng = Rng::stream(18, number);
    let mut position = Hex::new(7, HexRules { swap: false }).unwrap();
    let mut text = "(;GM[11]FF[4]SZ[7]RE[B+]".to_owned();
    let mut moves = Vec::new();
    for ply in 0..24 {
        moves.clear();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let near = position.last_stone().and_then(|last| {
            let free = last.neighbours().into_iter().find(|&p| position.cell(p) == Cell::Empty);
            position.move_at(free?)
        });
        let random = moves[rng.below(moves.len() as u32) as usize];
        let mv = near.filter(|_| rng.below(10) < 8).unwrap_or(random);
        let colour = if ply % 2 == 0 { 'B' } else { 'W' };
        write!(text, ";{colour}[{}]", position.move_text(mv)).unwrap();
        position.play(mv);
    }
    text + ")\n"
}

fn hex_games(folder: &Path, text: &str, part: Part) -> Result<Vec<GameMoves>, ReadGamesError> {
    let path = folder.join("hex.sgf");
    std::fs::write(&path, text).unwrap();
    read_games(GameKind::Hex, &[path], None, part, usize::MAX).map(|read| read.games)
}

#[test]
fn patterns_of_hex_are_learned_added_or_multiplied() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..300).map(hex_game).collect();
    let learned = hex_games(folder.path(), &text, Part::Learned).unwrap();
    let held_out = hex_games(folder.path(), &text, Part::HeldOut).unwrap();
    assert_eq!((learned.len(), held_out.len()), (285, 15));
    let moves: usize = held_out.iter().map(|game| game.len() - 1).sum();
    let mut found = Vec::new();
    for method in [LearnMethod::Gradient, LearnMethod::Minorization] {
        for combining in [Combining::Product, Combining::Sum] {
            let mut options = options();
            (options.subject, options.method) = (LearnSubject::HexPatterns, method);
            options.combining = combining;
            options.passes = if method == LearnMethod::Gradient { 8 } else { 30 };
            options.least = 20;
            let model = learn(&learned, &options, &NoLearnObserver).unwrap();
            let report = predicted(&model, &held_out, combining);
            assert_eq!(report.rows[0].decisions, moves as u64, "all but the first");
            // At random among about 36 moves: log P -3.6. Rotated patterns are one, so that two
            // neighbours look alike.
            let all = &report.rows[0];
            assert!(all.log_likelihood > -2.4 && all.top[0] > 45.0, "{combining:?} {all:?}");
            found.push(all.log_likelihood);
            let bytes = model.to_file(Provenance::default()).to_bytes();
            let file = WeightFile::from_bytes(&bytes).unwrap();
            let again = LearnedModel::from_file(GameKind::Hex, &file).unwrap();
            let after = predicted(&again, &held_out, combining).rows[0].log_likelihood;
            assert!((after - all.log_likelihood).abs() < 0.01);
            assert!(LearnedModel::from_file(GameKind::Go, &file).is_err());
        }
    }
    // Eight passes of the gradient over so few games are not quite enough.
    assert!(found[2] > found[0] - 0.05 && found[3] > found[1] - 0.05, "{found:?}");
}

#[test]
fn records_of_hex_that_cannot_be_used_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let bad = "(;GM[11]SZ[5];B[a1];W[a1])(;GM[11]SZ[5];B[a1];B[b1])(;GM[11]SZ[2];B[a1])\
               (;GM[11]SZ[5];B[a1];W[swap-pieces])(;GM[1]SZ[5];B[aa])(;GM[11]SZ[5])";
    let error = hex_games(folder.path(), bad, Part::All).unwrap_err().to_string();
    for says in ["illegal", "two moves", "size 2", "swap", "another game", "no moves"] {
        assert!(error.contains(says), "{says}: {error}");
    }
    let good = hex_games(folder.path(), &(bad.to_owned() + &hex_game(1)), Part::All).unwrap();
    assert_eq!(good.len(), 1);
}

/// Tells nothing.
struct Quiet;

impl LearnObserver for Quiet {}

impl PredictionObserver for Quiet {
    fn series_begins(&self, _: &str) {}
    fn measuring(&self, _: usize) {}
    fn measured(&self) {}
}

const PREDICTION: &str = r#"
id = "n4-test"
title = "Prediction"
paper = "Fig. 1"
parts = ["N4"]
text = "Curves."
game = "go"
size = 9
[prediction]
games = 90
patterns = 500
passes = 2
[[series]]
name = "all"
paper = [[20, 84]]
[[series]]
name = "without distance"
without = ["last", "before", "both", "earlier", "chain", "patterns-last", "patterns-last-two"]
"#;

#[test]
fn an_experiment_of_prediction_is_run_resumed_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let records_at = records(folder.path(), 100);
    let file = folder.path().join("n4-test.toml");
    std::fs::write(&file, PREDICTION).unwrap();
    let AnyExperiment::Prediction(experiment) = AnyExperiment::read(&file).unwrap() else {
        panic!("an experiment of prediction");
    };
    let at = folder.path().join("runs");
    let error = experiment.report(&at).unwrap_err().to_string();
    assert!(error.contains("run the experiment first"), "{error}");
    let here = Run::now("0", ["kosumi".to_owned()].into_iter());
    let mut run = PredictionRun::new(at.clone(), vec![records_at.clone()], here);
    run.threads = 2;
    experiment.run(&run, &Quiet).unwrap();
    let report = experiment.report(&at).unwrap();
    let curves = report.series.iter().map(|series| {
        assert!(series.points.windows(2).all(|pair| pair[0].wins <= pair[1].wins));
        assert_eq!(series.points[0].games(), 200, "five games of 40 moves are kept apart");
        series.points[2].percent()
    });
    let curves: Vec<f64> = curves.collect();
    assert!(curves[0] > curves[1] + 10.0, "{curves:?}");
    let text = report.to_markdown();
    for part in ["| all | 20 | 200 |", "84 %", "90 games learned from", "5 kept apart"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(report.to_svg().contains("among the first T"));
    assert_eq!(report.games(), 0);
    report.write(folder.path()).unwrap();
    assert_eq!(Report::read_all(folder.path()).unwrap(), [report]);

    // What is there is not measured again, and nothing is lost by mistake.
    let error = experiment.run(&run, &Quiet).unwrap_err().to_string();
    assert!(error.contains("--resume"), "{error}");
    run.resume = true;
    let result = at.join("1-all.json");
    let before = std::fs::metadata(&result).unwrap().modified().unwrap();
    experiment.run(&run, &Quiet).unwrap();
    assert_eq!(std::fs::metadata(&result).unwrap().modified().unwrap(), before);
    run.scale = 0.5;
    let error = experiment.run(&run, &Quiet).unwrap_err().to_string();
    assert!(error.contains("1-all.json") && error.contains("other settings"), "{error}");

    for (from, to, word) in [
        ("\"last\"", "\"lost\"", "lost"),
        ("games = 90", "games = 0", "nothing to learn"),
        ("passes", "pases", "line 12"),
        ("\"go\"", "\"hex\"", "is of go"),
    ] {
        std::fs::write(&file, PREDICTION.replacen(from, to, 1)).unwrap();
        let error = AnyExperiment::read(&file).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}
