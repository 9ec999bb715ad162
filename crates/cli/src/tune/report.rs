//! How a tuning is told: a live bar on a terminal, plain lines elsewhere, and a report with charts.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use indicatif::ProgressBar;
use kosumi_lab::{Clop, Optimum, Parameter, Trial, TuneObserver, Tuning, tune_charts};
use kosumi_record::write_atomically;

use crate::progress::bar;

/// Follows a tuning on standard error.
pub struct Progress<'a> {
    tuning: &'a Tuning,
    bar: ProgressBar,
    samples: u32,
}

impl<'a> Progress<'a> {
    pub fn new(tuning: &'a Tuning) -> Self {
        Self { tuning, bar: ProgressBar::hidden(), samples: 0 }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn failure(&self, trial: &Trial) -> Option<String> {
        let (side, game) = trial.failure()?;
        let (number, name) = (trial.number, self.tuning.name(trial, side));
        let detail = match game.detail.as_str() {
            "" => String::new(),
            detail => format!(": {detail}"),
        };
        Some(format!("sample {number} not used: {name} failed by {}{detail}", game.ending.name()))
    }
}

impl TuneObserver for Progress<'_> {
    fn begins(&mut self, trials: &[Trial], clop: &Clop, samples: u32) {
        self.samples = samples;
        self.bar = bar(u64::from(samples), trials.len() as u64);
        self.bar.set_message(optimum_line(clop));
        if self.bar.is_hidden() {
            let (name, done) = (&self.tuning.player.name, trials.len());
            eprintln!("{name}, {samples} samples, {done} played");
        }
    }

    fn trial_ended(&mut self, trials: &[Trial], clop: &Clop) {
        let Some(trial) = trials.last() else { return };
        let (failure, optimum) = (self.failure(trial), optimum_line(clop));
        if self.bar.is_hidden() {
            let (done, number) = (trials.len(), trial.number);
            let tried = values_text(clop.parameters(), &trial.values);
            let points = trial.score().map_or(0.0, |score| 2.0 * score.rate());
            match failure {
                Some(failure) => eprintln!("{done}/{}: {failure}", self.samples),
                None => eprintln!(
                    "{done}/{}: sample {number}, {tried}: {points} of 2 points; best {optimum}",
                    self.samples
                ),
            }
            return;
        }
        if let Some(failure) = failure {
            self.bar.println(failure);
        }
        self.bar.set_position(trials.len() as u64);
        self.bar.set_message(optimum);
    }
}

/// A value with as many digits as are worth telling.
fn short(parameter: &Parameter, value: f64) -> String {
    if parameter.integer {
        return parameter.text(value);
    }
    format!("{value:.3e}").parse().map_or_else(|_| value.to_string(), |v: f64| v.to_string())
}

fn values_text(parameters: &[Parameter], values: &[f64]) -> String {
    let text = |(p, &v): (&Parameter, &f64)| format!("{} {}", p.name, short(p, v));
    parameters.iter().zip(values).map(text).collect::<Vec<_>>().join(", ")
}

/// The best values so far and what they are worth, in one line.
fn optimum_line(clop: &Clop) -> String {
    let Optimum { values, rate, rate_interval: (low, high), .. } = clop.optimum();
    let values = values_text(clop.parameters(), &values);
    format!("{values}: {:.1} % [{:.1}, {:.1}]", 100.0 * rate, 100.0 * low, 100.0 * high)
}

/// The values as TOML that `--config` reads.
fn toml(parameters: &[Parameter], values: &[f64]) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (parameter, &value) in parameters.iter().zip(values) {
        let (table, key) = parameter.name.split_once('.').unwrap_or(("", &parameter.name));
        lines.push((table, format!("{key} = {}\n", short(parameter, value))));
    }
    // Keys outside tables come first in TOML, and a table only once.
    lines.sort_by_key(|(table, _)| *table);
    let mut text = String::new();
    let mut open = "";
    for (table, line) in lines {
        if table != open {
            text.push_str(&format!("[{table}]\n"));
            open = table;
        }
        text.push_str(&line);
    }
    text
}

/// Prints what the trials teach, and draws a chart for each parameter beside the journal.
pub fn write(path: &Path, tuning: &Tuning, trials: &[Trial]) -> anyhow::Result<()> {
    let clop = tuning.clop(trials);
    let estimate = clop.estimate();
    let optimum = &estimate.optimum;
    let mut out = std::io::stdout().lock();
    let opponents: Vec<&str> = tuning.opponents.iter().map(|o| o.name.as_str()).collect();
    writeln!(out, "{} against {}", tuning.player.name, opponents.join(", "))?;
    let unused = trials.len() - clop.samples();
    writeln!(out, "{} samples, {} used, {unused} not used", trials.len(), clop.samples())?;
    for ((name, ending), count) in tuning.failures(trials) {
        writeln!(out, "failures of {name}: {} {count}", ending.name())?;
    }
    if clop.samples() == 0 {
        writeln!(out, "samples: {}", path.display())?;
        return Ok(());
    }
    let best = tuning.parameters.iter().zip(&optimum.values).zip(&estimate.intervals);
    for ((parameter, &value), &(low, high)) in best {
        let [value, low, high] = [value, low, high].map(|v| short(parameter, v));
        writeln!(out, "{}: {value}, 95 % interval {low} to {high}", parameter.name)?;
    }
    let (low, high) = optimum.rate_interval;
    let [rate, low, high] = [optimum.rate, low, high].map(|rate| 100.0 * rate);
    writeln!(out, "points there: {rate:.1} %, 95 % interval {low:.1} to {high:.1} %")?;
    writeln!(out, "\n{}", toml(&tuning.parameters, &optimum.values))?;
    for (parameter, chart) in tuning.parameters.iter().zip(tune_charts(&clop)) {
        let file = path.with_extension(format!("{}.svg", parameter.name));
        write_atomically(&file, chart.to_svg().as_bytes())
            .with_context(|| file.display().to_string())?;
        writeln!(out, "chart: {}", file.display())?;
    }
    writeln!(out, "samples: {}", path.display())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toml_has_each_table_once() {
        let parameters: Vec<Parameter> =
            ["rave.late=1..9000", "tree.expand_at=1..20:int", "rave.bias=0..1", "x=0..9"]
                .map(|text| text.parse().unwrap())
                .to_vec();
        let text = toml(&parameters, &[1234.56, 7.0, 0.012_345_6, 2.0]);
        let expected = "x = 2\n[rave]\nlate = 1235\nbias = 0.01235\n[tree]\nexpand_at = 7\n";
        assert_eq!(text, expected);
    }
}
