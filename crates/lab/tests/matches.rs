//! Matches between programs that play, and programs that do everything wrong.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{command, player};
use kosumi_lab::{
    CountedBy, Ending, EqualCpu, Hypothesis, Journal, JournalError, Limit, Match, MatchError,
    NoObserver, Observer, OpeningError, Openings, Pairings, PlayedGame, Player, Rulebook, Run,
    Side, Sprt, Standings, Tally, Timing, Tournament, TournamentError, TournamentObserver,
    read_journal,
};
use kosumi_record::GameKind;

/// Not a test: the program that the tests start, see [`common`].
#[test]
fn program() {
    common::program();
}

fn hex(a: &str, b: &str) -> Match {
    let players = [player("hex", a), player("hex", b)];
    Match::new(Rulebook::new(GameKind::Hex, 4), players)
}

fn run(settings: &Match, path: &Path, games: u32) -> Result<Tally, MatchError> {
    let mut journal = Journal::resume(path, settings)?;
    let mut run = Run::new(games);
    run.at_once = 2;
    run.hang = Duration::from_secs(5);
    let stop = AtomicBool::new(false);
    settings.run(&run, &mut journal, &mut NoObserver, &stop)
}

#[test]
fn all_three_games_are_played_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    for (game, kind, size) in
        [("go", GameKind::Go, 5), ("hex", GameKind::Hex, 4), ("havannah", GameKind::Havannah, 3)]
    {
        let path = folder.path().join(game).join("match.jsonl");
        let players = [player(game, "plays"), player(game, "plays too")];
        let mut settings = Match::new(Rulebook::new(kind, size), players);
        settings.openings = Openings::Random(2);
        let tally = run(&settings, &path, 4).unwrap();
        assert_eq!(tally.score.games(), 4);
        assert!(tally.failures.is_empty(), "{:?}", tally.failures);
        let content = read_journal(&path).unwrap();
        let (found, mut games) = (content.settings, content.games);
        assert!(content.introduction.is_some_and(|i| i.versions == ["Random 1.0", "Random 1.0"]));
        assert_eq!(found, settings);
        assert_eq!(Tally::of(&games), tally);
        games.sort_by_key(|game| game.number);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].moves[..2], pair[1].moves[..2], "one opening a pair");
            assert_eq!([pair[0].first, pair[1].first], [Side::A, Side::B]);
            assert_eq!(pair[0].opening, 2);
        }
        assert_ne!(games[0].moves[..2], games[2].moves[..2]);
        assert_ne!(games[0].moves, games[1].moves, "each game has seeds of its own");
        assert_eq!(games[0].versions[0], "Random 1.0");
        assert!(games[0].cpu_seconds[0].is_some());
        let sgf = std::fs::read_to_string(path.with_extension("sgf")).unwrap();
        assert_eq!(sgf.lines().count(), 4);
        for line in sgf.lines() {
            let tree = kosumi_record::GameTree::parse(line.as_bytes()).unwrap();
            let record = kosumi_record::GameRecord::from_tree(&tree).unwrap();
            let number = record.info.round.as_deref().unwrap();
            let game = games.iter().find(|g| g.number.to_string() == number).unwrap();
            assert_eq!(record.moves().count(), game.moves.len());
            assert_eq!(record.info.result.unwrap().to_string(), game.result);
        }
    }
}

#[test]
fn a_match_of_one_seed_is_one_match() {
    let folder = tempfile::tempdir().unwrap();
    let moves = |name: &str| {
        let path = folder.path().join(name);
        run(&hex("plays", "plays too"), &path, 2).unwrap();
        let mut games = read_journal(&path).unwrap().games;
        games.sort_by_key(|game| game.number);
        games.into_iter().map(|g| g.moves).collect::<Vec<_>>()
    };
    assert_eq!(moves("one"), moves("two"));
}

/// What is asked of the match is in the games: each says its simulations and was started with them, the
/// first with the given ones, those after a stop with what the games before it ask for.
#[test]
fn simulations_are_fitted_to_equal_cpu_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let mut settings = hex("plays", "plays too");
    settings.equal_cpu = Some(EqualCpu::from(1000));
    let error = settings.check().unwrap_err();
    assert!(matches!(&error, MatchError::NotFitted(name) if name == "plays"));
    assert!(error.to_string().contains("write {sims}"), "{error}");

    settings.players[0].command.insert(1, "SIMULATIONS={sims}".to_owned());
    run(&settings, &path, 1).unwrap();
    let tally = run(&settings, &path, 3).unwrap();
    let games = read_journal(&path).unwrap().games;
    assert_eq!(games[0].simulations, Some(1000));
    for game in &games {
        let word = format!("SIMULATIONS={}", game.simulations.unwrap());
        assert!(game.commands[0].contains(&word), "{}", game.commands[0]);
    }
    let counts = games.iter().filter_map(|game| game.simulations);
    assert_eq!(tally.simulations, counts.clone().min().zip(counts.max()));
    let mut other = settings.clone();
    other.equal_cpu = None;
    assert!(settings.difference(&other).unwrap().contains("equal CPU time"));
}

#[test]
fn what_goes_wrong_is_named_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for (behaviour, ending, detail) in [
        ("crashes", Ending::Crash, "out of luck"),
        ("hangs", Ending::Hang, "genmove"),
        ("plays nonsense", Ending::Illegal, "Z99"),
        ("refuses", Ending::Refused, "illegal move"),
        ("floods stdout", Ending::Flood, "standard output"),
        ("floods lines", Ending::Flood, "standard output"),
        ("floods stderr", Ending::Flood, "standard error"),
        ("closes its pipe", Ending::ClosedPipe, "genmove"),
        ("resigns", Ending::Resign, ""),
    ] {
        let path = folder.path().join(behaviour);
        let mut settings = hex("plays", behaviour);
        // Long enough for a second move of both sides, always.
        settings.rulebook.size = 6;
        let mut journal = Journal::create(&path, &settings).unwrap();
        let mut run = Run::new(2);
        run.hang = Duration::from_secs(if behaviour == "hangs" { 1 } else { 60 });
        let stop = AtomicBool::new(false);
        let tally = settings.run(&run, &mut journal, &mut NoObserver, &stop).unwrap();
        assert_eq!(tally.score.wins, 2, "{behaviour}: {:?}", journal.games());
        assert_eq!(tally.endings[&ending], 2, "{behaviour}: {:?}", journal.games());
        let failures = if ending == Ending::Resign { 0 } else { 2 };
        let counted = tally.failures.get(&(Side::B, ending));
        assert_eq!(counted.copied().unwrap_or(0), failures);
        for game in journal.games() {
            assert!(game.detail.contains(detail), "{behaviour}: {}", game.detail);
            assert_eq!(game.winner, Some(Side::A));
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_no_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = hex("plays", "plays");
    settings.players[1] = Player::new("nobody", vec!["/nonexistent/program".to_owned()]);
    let error = run(&settings, &folder.path().join("x"), 2).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("nobody") && text.contains("/nonexistent"), "{text}");
    settings.openings = Openings::Random(40);
    assert!(matches!(
        run(&settings, &folder.path().join("y"), 2),
        Err(MatchError::Opening(OpeningError::TooLong(40)))
    ));
}

/// Stops a match after some games.
struct StopAfter<'a>(u32, &'a AtomicBool);

impl Observer for StopAfter<'_> {
    fn begins(&mut self, _: &Tally, _: u32) {}
    fn game_ended(&mut self, _: &PlayedGame, tally: &Tally) {
        if tally.score.games() >= self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_match_goes_on_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let settings = hex("plays", "plays too");
    let mut journal = Journal::create(&path, &settings).unwrap();
    let stop = AtomicBool::new(false);
    let mut observer = StopAfter(3, &stop);
    settings.run(&Run::new(8), &mut journal, &mut observer, &stop).unwrap();
    drop(journal);
    assert_eq!(read_journal(&path).unwrap().games.len(), 3);

    // A kill in the middle of a write, and an SGF file that is lost.
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"number\":4,\"fir");
    std::fs::write(&path, bytes).unwrap();
    std::fs::remove_file(path.with_extension("sgf")).unwrap();

    assert!(matches!(Journal::create(&path, &settings), Err(JournalError::Exists { .. })));
    let tally = run(&settings, &path, 8).unwrap();
    assert_eq!(tally.score.games(), 8);
    let mut numbers: Vec<u32> =
        read_journal(&path).unwrap().games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    let sgf = std::fs::read_to_string(path.with_extension("sgf")).unwrap();
    assert_eq!(sgf.lines().count(), 8);

    // Nothing left to do; then more games than planned.
    assert_eq!(run(&settings, &path, 8).unwrap(), tally);
    assert_eq!(run(&settings, &path, 9).unwrap().score.games(), 9);

    let mut other = settings.clone();
    other.seed = 99;
    let error = Journal::resume(&path, &other).unwrap_err().to_string();
    assert!(error.contains("its seed is 1, not 99"), "{error}");
}

/// As earlier versions wrote it.
fn without_checksum(line: &str) -> String {
    format!("{}}}", line.split(",\"crc32\"").next().unwrap())
}

#[test]
fn broken_lines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let settings = hex("plays", "plays too");
    run(&settings, &path, 1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let [header, introduction, game] = lines[..] else { panic!("{text}") };
    assert!(introduction.starts_with("{\"introduction\""), "{introduction}");
    for (content, message) in [
        (format!("{header}\nnonsense\n{game}\n"), "line 2: no game"),
        (format!("{header}\n{game}\n{game}\n"), "line 3: game 1 is there twice"),
        (format!("{game}\n{header}\n"), "line 1: no match"),
        (without_checksum(header).replace(":2,", ":9,") + "\n", "format 9"),
        (header.replace(":2,", ":9,") + "\n", "line 1: its checksum is wrong"),
    ] {
        std::fs::write(&path, content).unwrap();
        let error = Journal::resume(&path, &settings).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    // An empty or cut-off file is a match that has not begun.
    std::fs::write(&path, "{\"kosumi_ma").unwrap();
    assert_eq!(run(&settings, &path, 1).unwrap().score.games(), 1);
}

#[test]
fn the_flag_falls_for_the_slow_side_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = hex("plays", "is slow");
    settings.rulebook.size = 6;
    settings.players[0].limit = Limit::Clock("600+3x5".parse().unwrap());
    settings.players[1].limit = Limit::Clock("0+2x0.15".parse().unwrap());
    let tally = run(&settings, &folder.path().join("x"), 2).unwrap();
    assert_eq!(tally.failures.get(&(Side::B, Ending::Time)), Some(&2));
    assert_eq!(tally.score.wins, 2);
}

#[test]
fn a_referee_counts_and_its_failure_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |referee: &str| {
        let players = [player("go", "passes"), player("go", "passes")];
        let mut settings = Match::new(Rulebook::new(GameKind::Go, 5), players);
        settings.referee = Some(command("go", referee));
        settings.always_referee = true;
        settings
    };
    // The empty board is White's by komi; the referee knows better.
    let path = folder.path().join("counts.jsonl");
    let tally = run(&settings("counts B+3.5"), &path, 2).unwrap();
    assert_eq!((tally.referee_failures, tally.board_differences), (0, 2));
    let games = read_journal(&path).unwrap().games;
    for game in &games {
        assert_eq!(game.result, "B+3.5");
        assert_eq!(game.board_result.as_deref(), Some("W+7.5"));
        assert_eq!(game.winner, Some(game.first));
    }
    let path = folder.path().join("fails.jsonl");
    let tally = run(&settings("counts sheep"), &path, 2).unwrap();
    assert_eq!((tally.referee_failures, tally.board_differences), (2, 0));
    let games = read_journal(&path).unwrap().games;
    assert!(games.iter().all(|game| game.result == "W+7.5"));
}

#[test]
fn dead_stones_are_agreed_on_or_cleaned_up() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, a: &str, b: &str, referee: Option<&str>| {
        let players = [player("go", a), player("go", b)];
        let mut settings = Match::new(Rulebook::new(GameKind::Go, 5), players);
        // With the lone white stone dead the board is Black's, else it is nobody's.
        settings.openings = Openings::List(vec![vec!["C3".to_owned(), "A1".to_owned()]]);
        settings.referee = referee.map(|referee| command("go", referee));
        let path = folder.path().join(name);
        let tally = run(&settings, &path, 2).unwrap();
        let games = read_journal(&path).unwrap().games;
        assert_eq!(games[0].result, games[1].result, "{games:?}");
        assert!(!games[0].ending.is_failure(), "{}", games[0].detail);
        (tally.counted, games[0].result.clone(), games[0].board_result.clone())
    };
    let twice = |way| std::collections::BTreeMap::from([(way, 2)]);
    let (dead, alive) = ("passes, dead A1", "passes, dead");
    let agreed = play("agreed", dead, dead, None);
    assert_eq!(agreed, (twice(CountedBy::Agreement), "B+17.5".into(), Some("W+7.5".into())));
    let board = play("board", dead, alive, None);
    assert_eq!(board, (twice(CountedBy::Board), "W+7.5".into(), None));
    let referee = play("referee", dead, alive, Some("counts B+1.5"));
    assert_eq!(referee, (twice(CountedBy::Referee), "B+1.5".into(), Some("W+7.5".into())));
    let clean = |dead: &str| format!("{dead} cleans up");
    let cleanup = play("cleanup", &clean(dead), &clean(alive), Some("counts B+1.5"));
    assert_eq!(cleanup, (twice(CountedBy::Cleanup), "W+7.5".into(), None));
    // A stone that is not there is no agreement.
    let ghost = play("ghost", "passes, dead E5", "passes, dead E5", None);
    assert_eq!(ghost.0, twice(CountedBy::Board));
}

#[test]
fn a_sequential_test_ends_the_match_and_stays_decided() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sprt.jsonl");
    let settings = hex("plays", "resigns");
    let mut run = Run::new(1000);
    run.pin = false;
    run.sprt = Some(Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap());
    let play = || {
        let mut journal = Journal::resume(&path, &settings).unwrap();
        settings.run(&run, &mut journal, &mut NoObserver, &AtomicBool::new(false)).unwrap()
    };
    let tally = play();
    let state = tally.sprt.unwrap();
    assert_eq!(state.decision, Some(Hypothesis::H1));
    assert!(tally.score.games() < 60, "{} games", tally.score.games());
    assert_eq!(play().score, tally.score, "nothing is played after the decision");
}

#[test]
fn a_game_can_be_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.jsonl");
    let settings = hex("plays", "plays");
    run(&settings, &path, 3).unwrap();
    let mut games = read_journal(&path).unwrap().games;
    let mut how = Run::new(3);
    how.pin = false;
    let go = AtomicBool::new(false);
    let replay = settings.replay(2, &how, &games, &go).unwrap();
    assert_eq!(replay.first_difference(), None);
    assert!(matches!(settings.replay(4, &how, &games, &go), Err(MatchError::NoGame(4))));
    let second = games.iter_mut().find(|game| game.number == 2).unwrap();
    second.moves[3] = "b nowhere".to_owned();
    assert_eq!(settings.replay(2, &how, &games, &go).unwrap().first_difference(), Some(4));
}

#[cfg(target_os = "linux")]
#[test]
fn a_cpu_clock_stands_still_while_a_program_sleeps() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = hex("is slow", "plays");
    for player in &mut settings.players {
        player.limit = Limit::Clock("0+2x0.15".parse().unwrap());
        player.timing = Timing::Cpu;
    }
    let tally = run(&settings, &folder.path().join("x"), 2).unwrap();
    assert!(tally.failures.is_empty(), "{:?}", tally.failures);
}

/// Watches nothing.
struct Silent;

impl TournamentObserver for Silent {
    fn match_begins(&mut self, _: &Match, _: usize, _: usize) -> Box<dyn Observer> {
        Box::new(NoObserver)
    }
    fn match_ended(&mut self, _: &Standings) {}
}

#[test]
fn a_tournament_rates_its_players_and_goes_on_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let players = ["resigns", "plays", "crashes"].map(|name| player("hex", name));
    let mut tournament = Tournament::new(Rulebook::new(GameKind::Hex, 4), players.to_vec());
    assert_eq!(tournament.matches(), [[0, 1], [0, 2], [1, 2]]);
    let mut how = Run::new(2);
    how.pin = false;
    let stop = AtomicBool::new(false);
    let first = tournament.run(&how, folder.path(), &mut Silent, &stop).unwrap();
    how.games = 4;
    let standings = tournament.run(&how, folder.path(), &mut Silent, &stop).unwrap();
    assert!(first.players.iter().all(|player| player.score.games() == 4));
    let names: Vec<&str> = standings.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["plays", "crashes", "resigns"]);
    let best = &standings.players[0];
    assert_eq!((best.score.wins, best.against[1].wins, best.against[2].wins), (8, 4, 4));
    assert!(best.superior[2] > 0.9 && best.elo.low < best.elo.value);
    assert_eq!(standings.players[1].failures, 4);
    let text = standings.to_text();
    assert!(text.contains("8-0-0") || text.contains("4-0-0"), "{text}");
    tournament.pairings = Pairings::Gauntlet;
    assert_eq!(tournament.matches(), [[0, 1], [0, 2]]);
    tournament.players[1].name = "resigns".to_owned();
    assert!(matches!(tournament.check(), Err(TournamentError::SameName(_))));
}
