use std::path::Path;
use std::time::Duration;

use super::*;
use crate::game::{Ending, PlayedGame, Side};
use crate::journal::{Introduction, Journal};
use crate::opening::Openings;
use crate::player::Limit;

const FILE: &str = r#"
id = "s3-test"
title = "Half the simulations"
paper = "S, Table 2"
parts = ["S3"]
text = """
Two
lines."""
game = "havannah"
size = 4
openings = "random:2"
games = 10

[x]
log = true

[set]
tree.reuse = false

[a]
preset = "strongest"
set.rave.late = 700
[b]
preset = "light"

[[series]]
name = "fast"
key = "sims"
values = [100, 1000]
factors = [1, 0.5]
set.playout.policy = "light"
b.uct.fpu = 0.5
paper = [[100, 68.6], [20000, 54.9]]

[[series]]
name = "shaped"
key = "shape.c1"
values = [-0.1, 0.1]
"#;

fn parse(text: &str) -> Result<Experiment, String> {
    Experiment::parse(Path::new("x.toml"), text).map_err(|error| error.to_string())
}

#[test]
fn a_file_becomes_matches() {
    let experiment = parse(FILE).unwrap();
    assert_eq!(experiment.about.text, "Two lines.");
    assert_eq!((experiment.x_label.as_str(), experiment.x_log), ("sims", true));
    let files: Vec<&str> = experiment.points().map(|(_, p)| p.file.as_str()).collect();
    assert_eq!(files, ["1-sims=100", "1-sims=1000", "2-shape.c1=-0.1", "2-shape.c1=0.1"]);
    let commands = |at: usize| {
        let (_, point) = experiment.points().nth(at).unwrap();
        [0, 1].map(|side| point.settings.players[side].command[12..].join(" "))
    };
    assert_eq!(
        commands(1),
        [
            "--sims 1000 --set rules.swap=false --set tree.reuse=false --set rave.late=700 \
             --set playout.policy=light",
            "--sims 500 --set rules.swap=false --set tree.reuse=false --set playout.policy=light \
             --set uct.fpu=0.5"
        ]
    );
    let [a, b] = commands(2);
    assert!(a.ends_with("--set shape.c1=-0.1") && !b.contains("shape"), "{a}; {b}");
    let (_, point) = experiment.points().next().unwrap();
    assert_eq!(point.settings.openings, Openings::Random(2));
    assert_eq!(point.settings.players[0].limit, Limit::Own);
}

#[test]
fn another_program_takes_no_simulations_of_a_sweep() {
    let text = FILE.replace("preset = \"light\"", "command = \"./gnugo --mode gtp\"");
    let experiment = parse(&text.replace("b.uct.fpu = 0.5", "")).unwrap();
    let (_, point) = experiment.points().next().unwrap();
    let [a, b] = &point.settings.players;
    assert!(a.command.join(" ").contains("--sims 100"));
    assert_eq!((b.name.as_str(), b.command.len()), ("gnugo", 3));
}

#[test]
fn games_come_in_pairs() {
    let experiment = parse(FILE).unwrap();
    for (scale, games) in [(1.0, 10), (0.5, 6), (0.001, 2), (3.0, 30), (0.0, 2)] {
        assert_eq!(experiment.games_at(scale), games, "scale {scale}");
    }
}

/// The file with one change is refused with these words.
#[track_caller]
fn refused(from: &str, to: &str, words: &[&str]) {
    assert!(FILE.contains(from));
    let error = parse(&FILE.replacen(from, to, 1)).unwrap_err();
    for word in words {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn mistakes_are_named_with_place_and_remedy() {
    refused("openings = \"random:2\"", "opening = 2", &["x.toml, line 11", "opening", "openings"]);
    refused("games = 10", "games = \"many\"", &["line 12", "u32"]);
    refused("games = 10", "games = 0", &["no games"]);
    refused("id = \"s3-test\"", "id = \"../s3\"", &["../s3", "small letters"]);
    refused("\"havannah\"", "\"chess\"", &["chess", "havannah"]);
    refused("rave.late", "rave.lat", &["series 1", "player A", "rave.late"]);
    refused("preset = \"light\"", "preset = \"lihgt\"", &["player B", "lihgt", "light"]);
    refused("preset = \"light\"", "sims = 5", &["one of preset, config or command"]);
    refused("factors = [1, 0.5]", "factors = [1, 0.001]", &["series 1", "leave none"]);
    refused("[-0.1, 0.1]", "[0.1, 0.1]", &["2-shape.c1=0.1", "remove one"]);
    refused("[-0.1, 0.1]", "[\"a\"]", &["series 2", "no number", "cases"]);
    refused("values = [-0.1, 0.1]", "factors = [1, 2]", &["series 2", "key and values, or cases"]);
    let mixed = "command = \"gnugo --mode gtp\"\nsims = 5";
    refused("preset = \"light\"", mixed, &["player B", "not for a command"]);
    refused("size = 4", "size = 40", &["series 1", "40"]);
    refused("size = 4", "size = 4\nequal_cpu = true", &["series 2", "sims"]);
}

/// A game that A has won or lost, whatever its moves.
fn game(number: u32, a_wins: bool) -> PlayedGame {
    let winner = if a_wins { Side::A } else { Side::B };
    PlayedGame {
        ending: if a_wins { Ending::Normal } else { Ending::Crash },
        result: "W+".to_owned(),
        cpu_seconds: [Some(1.5), None],
        ..PlayedGame::won_by(number, Some(winner))
    }
}

#[test]
fn reports_put_ours_beside_the_papers() {
    let experiment = parse(FILE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    assert!(matches!(experiment.report(&runs), Err(ExperimentError::NoGames { .. })));
    let (_, point) = experiment.points().next().unwrap();
    let mut journal = Journal::create(&runs.join("1-sims=100.jsonl"), &point.settings).unwrap();
    for number in 1..=10 {
        journal.append(game(number, number <= 8)).unwrap();
    }
    let report = experiment.report(&runs).unwrap();
    let first = &report.series[0].points[0];
    assert_eq!((first.wins, first.draws, first.losses), (8, 0, 2));
    assert_eq!(first.failures, [2, 0]);
    assert_eq!(first.cpu_seconds, [15.0, 0.0]);
    assert_eq!(first.paper, Some(68.6));
    assert_eq!(report.series[1].points[0].games(), 0);
    let table = report.table();
    assert_eq!(table[1][..6], ["fast", "100", "10", "8-0-2", "80.0 % [49.0, 94.3]", "68.6 %"]);
    assert_eq!(table[3][..2], ["fast", "20000"], "what only the paper has");
    assert!(table.iter().all(|row| row.len() == table[0].len()));

    let out = folder.path().join("out");
    report.write(&out).unwrap();
    std::fs::write(out.join("other.json"), "{}").unwrap();
    assert_eq!(Report::read_all(&out).unwrap(), std::slice::from_ref(&report));
    let markdown = std::fs::read_to_string(out.join("s3-test.md")).unwrap();
    assert!(markdown.contains("| fast | 100 | 10 | 8-0-2 | 80.0 % [49.0, 94.3] | 68.6 % |"));
    let svg = std::fs::read_to_string(out.join("s3-test.svg")).unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    std::fs::write(out.join("more.md"), "# Speed <measured>\n").unwrap();
    let page = std::fs::read_to_string(write_index(&out).unwrap()).unwrap();
    assert!(page.contains("<td>80.0 % [49.0, 94.3]</td>") && page.contains("<svg"));
    assert!(page.contains("More results: <a href=\"more.md\">Speed &lt;measured&gt;</a>.</p>"));

    // Games of other settings are no games of this experiment.
    let other = parse(&FILE.replace("late = 700", "late = 800")).unwrap();
    let error = other.report(&runs).unwrap_err().to_string();
    assert!(error.contains("player A"), "{error}");
}

#[test]
fn cases_are_rows_with_names() {
    let from = FILE.find("[[series]]").unwrap();
    let cases = r#"
[[series]]
name = "formula"
[[series.cases]]
name = "eq. 1 <"
set.uct.mean = "rave-outside"
[[series.cases]]
name = "twice the simulations"
sims = 200
paper = 55
"#;
    let experiment = parse(&format!("{}{cases}", &FILE[..from])).unwrap();
    let files: Vec<&str> = experiment.points().map(|(_, p)| p.file.as_str()).collect();
    assert_eq!(files, ["1-eq.-1--", "1-twice-the-simulations"]);
    let folder = tempfile::tempdir().unwrap();
    for (_, point) in experiment.points() {
        let path = folder.path().join(format!("{}.jsonl", point.file));
        Journal::create(&path, &point.settings).unwrap().append(game(1, true)).unwrap();
    }
    let report = experiment.report(folder.path()).unwrap();
    let [first, second] = &report.series[0].points[..] else { panic!("two points") };
    assert!(first.commands[0].contains("uct.mean=rave-outside"));
    assert!(second.commands[0].contains("--sims 200") && !second.commands[1].contains("--sims"));
    assert_eq!((first.paper, second.paper), (None, Some(55.0)));
    assert_eq!(report.table()[0][1], "case");
    let svg = report.to_svg();
    roxmltree::Document::parse(&svg).unwrap();
    assert!(svg.contains("eq. 1 &lt;") && svg.contains("100.0 ["), "{svg}");
}

#[test]
fn what_another_point_has_played_is_not_played_again() {
    let experiment = parse(FILE).unwrap();
    let (_, point) = experiment.points().next().unwrap();
    let introduction = |line: &str| {
        let parameters = ["search.threads 1", "think.seconds 0", line].map(str::to_owned).to_vec();
        let parameters = [Some(parameters.clone()), Some(parameters)];
        Introduction { parameters, ..Introduction::default() }
    };
    let fixed = introduction("think.simulations 100");
    let runs = tempfile::tempdir().unwrap();
    let here = runs.path().join("here");
    let played = |folder: &str, settings: &Match, games: u32| {
        let path = runs.path().join(folder).join("1.jsonl");
        let mut journal = Journal::create(&path, settings).unwrap();
        journal.introduce(fixed.clone()).unwrap();
        for number in 1..=games {
            journal.append(game(number, true)).unwrap();
        }
    };
    let mut same = point.settings.clone();
    same.players[0].command.push("--set=rave.late=700".to_owned());
    played("fewer", &same, 2);
    played("twin", &same, 4);
    let mut other = point.settings.clone();
    other.seed += 1;
    played("other-seed", &other, 6);
    let games = |introduction: &Introduction| twin::games_of_twin(&here, point, introduction).len();
    assert_eq!(games(&fixed), 4);
    assert_eq!(games(&introduction("think.simulations 200")), 0, "other players");
    // Without a number of simulations the clock decides, and each game is another one.
    played("timed", &point.settings, 1);
    assert_eq!(games(&introduction("think.simulations 0")), 0);
}

struct Nobody;
impl crate::match_runner::Observer for Nobody {
    fn begins(&mut self, _: &crate::match_runner::Tally, _: u32) {}
    fn game_ended(&mut self, _: &PlayedGame, _: &crate::match_runner::Tally) {}
}
impl ExperimentObserver for Nobody {
    fn point_begins(&mut self, _: &PlannedPoint) {}
}

#[test]
fn a_run_refuses_to_mix_with_another_and_keeps_its_history() {
    let experiment = parse(FILE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let now = |command: &str| Provenance::now("0.0", [command.to_owned()].into_iter());
    let mut run = ExperimentRun::new(folder.path().to_owned(), now("first"));
    run.run.kosumi = "/nowhere/kosumi".into();
    run.run.hang = Duration::from_secs(1);
    let stop = std::sync::atomic::AtomicBool::new(false);
    let error = experiment.run(&run, &mut Nobody, &stop).unwrap_err().to_string();
    assert!(error.contains("1-sims=100") && error.contains("/nowhere/kosumi"), "{error}");
    let (_, point) = experiment.points().nth(2).unwrap();
    let path = folder.path().join("2-shape.c1=-0.1.jsonl");
    Journal::resume(&path, &point.settings).unwrap().append(game(1, true)).unwrap();
    let error = experiment.run(&run, &mut Nobody, &stop).unwrap_err().to_string();
    assert!(error.contains("--resume"), "{error}");
    run.resume = true;
    run.provenance = now("second");
    experiment.run(&run, &mut Nobody, &stop).unwrap_err();
    let report = experiment.report(folder.path()).unwrap();
    let commands: Vec<&str> = report.runs.iter().map(|run| run.command.as_str()).collect();
    assert_eq!(commands, ["first", "second"]);
}

#[test]
fn all_experiments_of_the_repository_can_be_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("experiments");
    let mut ids = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            // Their own weight files are named from the root of the repository.
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("\"data/", &format!("\"{}/data/", root.display()));
            let experiment =
                AnyExperiment::parse(&path, &text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(path.file_stem().unwrap().to_str(), Some(experiment.about().id.as_str()));
            ids.extend(experiment.about().parts.clone());
        }
    }
    for part in
        ["S2", "S3", "T7", "N1", "N4", "N6", "N7", "N9", "N10", "N11", "H7", "H11", "H13", "H15"]
    {
        assert!(ids.iter().any(|id| id == part), "no experiment measures {part}");
    }
}
