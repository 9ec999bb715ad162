//! How well a model predicts the moves of games (N4).

use kosumi_learn::{Combining, Prediction, PredictionOf};
use serde::{Deserialize, Serialize};

use super::PHASE_MOVES;
use super::games::GameMoves;
use super::model::LearnedModel;
use crate::plot::{Chart, Point, Series, SeriesStyle};

/// The curve of a model on some games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PredictionReport {
    /// What the curve is called.
    pub name: String,
    /// Games looked at.
    pub games: usize,
    /// All moves, and then those of each phase.
    pub rows: Vec<PredictionRow>,
    /// How often, in percent, the played move was among the first 1, 2, ... moves.
    pub curve: Vec<f64>,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PredictionRow {
    /// Which moves.
    pub moves: String,
    /// How many.
    pub decisions: u64,
    /// Percent among the first 1, 5, 10 and 20.
    pub top: [f64; 4],
    /// The mean logarithm of the probability of the played move.
    pub log_likelihood: f64,
}

/// How far the curve goes.
const CURVE: usize = 50;
const TOPS: [usize; 4] = [1, 5, 10, 20];

/// How to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PredictOptions {
    /// How the gammas of a move's features make its strength.
    pub combining: Combining,
    /// Hex: moves at the beginning of each game that do not count.
    pub skip: usize,
    /// Threads at work; 0 is 1.
    pub threads: usize,
}

/// Measures a model on games; `seen` is called after each move.
#[must_use]
pub fn predict(
    name: &str,
    model: &LearnedModel,
    games: &[GameMoves],
    options: &PredictOptions,
    seen: &(dyn Fn() + Sync),
) -> PredictionReport {
    let decisions = model.decisions(games, options.skip);
    let gammas = model.log_gammas();
    let PredictOptions { combining, threads, .. } = *options;
    let prediction = Prediction::measure(&decisions, gammas, combining, threads, seen);
    report(name, games.len(), &prediction)
}

fn report(name: &str, games: usize, prediction: &Prediction) -> PredictionReport {
    let all = prediction.all();
    let row = |moves: String, of: &PredictionOf| PredictionRow {
        moves,
        decisions: of.decisions(),
        top: TOPS.map(|top| 100.0 * of.top(top)),
        log_likelihood: of.log_likelihood(),
    };
    let mut rows = vec![row("all".to_owned(), &all)];
    for (number, phase) in prediction.phases().iter().enumerate() {
        let from = number * PHASE_MOVES + 1;
        let moves = match number + 1 == prediction.phases().len() {
            true => format!("from {from}"),
            false => format!("{from} to {}", from + PHASE_MOVES - 1),
        };
        if phase.decisions() > 0 {
            rows.push(row(moves, phase));
        }
    }
    let curve = (1..=CURVE).map(|top| 100.0 * all.top(top)).collect();
    PredictionReport { name: name.to_owned(), games, rows, curve }
}

impl PredictionReport {
    /// The curves of several models as a plot.
    #[must_use]
    pub fn plot(title: &str, reports: &[Self]) -> Chart {
        let mut chart = Chart::new(title, "T", "played move among the first T (%)");
        chart.percent = true;
        for report in reports {
            // Beyond 20 a curve hardly bends, and a marker for every T would hide it.
            let points = (1..).zip(&report.curve).filter(|(t, _)| *t <= 20 || t % 5 == 0);
            let points = points.map(|(t, &y)| Point::new(f64::from(t), y)).collect();
            chart.series.push(Series::new(&report.name, SeriesStyle::Line, points));
        }
        chart
    }

    /// The table as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}: {} games\n{:>12} {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}\n",
            self.name, self.games, "moves", "number", "top 1", "top 5", "top 10", "top 20", "log P"
        );
        for row in &self.rows {
            let [one, five, ten, twenty] = row.top;
            text += &format!(
                "{:>12} {:>9} {one:>6.2}% {five:>6.2}% {ten:>6.2}% {twenty:>6.2}% {:>9.4}\n",
                row.moves, row.decisions, row.log_likelihood
            );
        }
        text
    }
}
