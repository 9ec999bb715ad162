//! How a match is told: a live bar on a terminal, plain lines elsewhere, and a summary.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use kosumi_lab::{Hypothesis, Match, Observer, PlayedGame, Side, Tally};

/// Follows a match on standard error.
pub struct Progress {
    names: [String; 2],
    bar: ProgressBar,
    games: u32,
}

impl Progress {
    pub fn new(settings: &Match) -> Self {
        Self {
            names: [0, 1].map(|i| settings.players[i].name.clone()),
            bar: ProgressBar::hidden(),
            games: 0,
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn failure(&self, game: &PlayedGame) -> Option<String> {
        let winner = game.winner.filter(|_| game.ending.is_failure())?;
        let loser = &self.names[winner.other().index()];
        let detail = match game.detail.as_str() {
            "" => String::new(),
            detail => format!(": {detail}"),
        };
        let (number, ending) = (game.number, game.ending.name());
        Some(format!("game {number}: {loser} lost by {ending}{detail}"))
    }
}

impl Observer for Progress {
    fn begins(&mut self, tally: &Tally, games: u32) {
        self.games = games;
        self.bar = bar(u64::from(games), u64::from(tally.score.games()));
        self.bar.set_message(score_line(tally));
        if self.bar.is_hidden() {
            let done = tally.score.games();
            eprintln!("{} against {}, {games} games, {done} played", self.names[0], self.names[1]);
        }
    }

    fn game_ended(&mut self, game: &PlayedGame, tally: &Tally) {
        if self.bar.is_hidden() {
            let who = match game.winner {
                Some(winner) => self.names[winner.index()].as_str(),
                None => "nobody",
            };
            let score = score_line(tally);
            let (done, result) = (tally.score.games(), &game.result);
            let number = game.number;
            eprintln!("{done}/{}: game {number} won by {who} ({result}); {score}", self.games);
            if let Some(failure) = self.failure(game) {
                eprintln!("  {failure}");
            }
            return;
        }
        if let Some(failure) = self.failure(game) {
            self.bar.println(failure);
        }
        self.bar.set_position(u64::from(tally.score.games()));
        self.bar.set_message(score_line(tally));
    }
}

/// A bar of so much work, of which a part was done before and took no time of this run.
pub fn bar(all: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(all);
    // The template is ours and right.
    if let Ok(style) =
        ProgressStyle::with_template("{bar:12} {pos}/{len}, {msg}, {elapsed} gone, {eta} left")
    {
        bar.set_style(style);
    }
    let bar = bar.with_position(done);
    bar.reset_eta();
    // Long games should not look like a standstill.
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// The score of A with its interval and Elo, in one line.
pub fn score_line(tally: &Tally) -> String {
    let (score, elo) = (tally.score, tally.pairs.elo());
    let (low, high) = score.interval();
    let mut line = format!(
        "A {}-{}-{} = {:.1} % [{:.1}, {:.1}], Elo {} [{}, {}]",
        score.wins,
        score.draws,
        score.losses,
        100.0 * score.rate(),
        100.0 * low,
        100.0 * high,
        elo_text(elo.value),
        elo_text(elo.low),
        elo_text(elo.high)
    );
    if let Some(state) = tally.sprt {
        let (llr, lower, upper) = (state.llr, state.lower, state.upper);
        // Writing to a string cannot fail.
        let _ = write!(line, ", LLR {llr:.2} [{lower:.2}, {upper:.2}]");
    }
    line
}

fn elo_text(elo: f64) -> String {
    match elo {
        value if value.is_finite() => format!("{value:+.0}"),
        value if value > 0.0 => "+inf".to_owned(),
        _ => "-inf".to_owned(),
    }
}

/// What a match has shown, in a few lines.
pub fn summary(settings: &Match, tally: &Tally) -> String {
    let mut text = String::new();
    let score = tally.score;
    let (low, high) = score.interval();
    let names = [0, 1].map(|i| settings.players[i].name.as_str());
    let mut line = |line: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    line(format!("A: {}", names[0]));
    line(format!("B: {}", names[1]));
    line(format!(
        "A won {}, drew {}, lost {} of {} games",
        score.wins,
        score.draws,
        score.losses,
        score.games()
    ));
    if score.games() > 0 {
        line(format!(
            "score of A: {:.1} %, 95 % interval {:.1} to {:.1} %",
            100.0 * score.rate(),
            100.0 * low,
            100.0 * high
        ));
        let elo = tally.pairs.elo();
        let [at, from, to] = [elo.value, elo.low, elo.high].map(elo_text);
        line(format!("Elo of A over B: {at}, 95 % interval {from} to {to}, by pairs"));
        let superior = 100.0 * tally.pairs.likelihood_of_superiority();
        line(format!("likelihood that A is stronger: {superior:.1} %"));
    }
    if let Some(state) = tally.sprt {
        let decision = match state.decision {
            Some(Hypothesis::H0) => "H0 accepted: not stronger than the lower strength",
            Some(Hypothesis::H1) => "H1 accepted: at least the upper strength",
            _ => "not decided",
        };
        let (llr, lower, upper) = (state.llr, state.lower, state.upper);
        line(format!("SPRT: LLR {llr:.2} in [{lower:.2}, {upper:.2}], {decision}"));
    }
    for (when, part) in [("first", tally.score_first), ("second", tally.score_second())] {
        line(format!("A moving {when}: {}-{}-{}", part.wins, part.draws, part.losses));
    }
    let endings: Vec<String> =
        tally.endings.iter().map(|(ending, count)| format!("{} {count}", ending.name())).collect();
    line(format!("endings: {}", endings.join(", ")));
    for ((side, ending), count) in &tally.failures {
        let letter = if *side == Side::A { 'A' } else { 'B' };
        line(format!("failures of {letter}: {} {count}", ending.name()));
    }
    if !tally.counted.is_empty() {
        let ways = tally.counted.iter().map(|(way, count)| format!("{} {count}", way.name()));
        line(format!("counted by: {}", ways.collect::<Vec<_>>().join(", ")));
        line(format!(
            "the board as it stood named another winner {} times; the referee failed {} times",
            tally.board_differences, tally.referee_failures
        ));
    }
    let [a, b] = tally.cpu_seconds;
    line(format!("CPU seconds: A {a:.1}, B {b:.1}"));
    if let Some((fewest, most)) = tally.simulations {
        line(format!("simulations of A, fitted from game to game: {fewest} to {most}"));
    }
    text
}
