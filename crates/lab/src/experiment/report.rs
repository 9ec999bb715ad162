//! Reports: what the games of an experiment say, beside the paper's figures.

use std::fmt::Write as _;
use std::path::Path;

use kosumi_record::write_atomically;
use serde::{Deserialize, Serialize};

use super::run::{journal_path, read_notes, write_json};
use super::{About, Experiment, ExperimentError, PlannedPoint, Provenance, TreeShape};
use crate::game::Side;
use crate::journal::read_journal;
use crate::json_lines::existing;
use crate::match_runner::Tally;
use crate::opening::Openings;
use crate::plot::{Chart, ForestPlot, ForestRow, Point, Series, SeriesStyle};
use crate::stats::Score;

/// What an experiment has shown. As JSON it is all that tables, plots and pages need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// What the experiment is about.
    #[serde(flatten)]
    pub about: About,
    /// The game, its board and the openings, in words.
    pub setting: String,
    /// What is measured.
    #[serde(default)]
    pub measure: Measure,
    /// What the x axis shows.
    pub x_label: String,
    /// Whether it is logarithmic.
    pub x_log: bool,
    /// Whether points are cases with names and not numbers.
    pub cases: bool,
    /// When, where and how it was run.
    pub runs: Vec<Provenance>,
    /// The curves.
    pub series: Vec<SeriesResult>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Measure {
    /// The points of A in games against B.
    #[default]
    Points,
    /// How often the played move is among the first T: what is said of games is said of moves then,
    /// and a hit is a win.
    Prediction,
}

impl Measure {
    fn y_label(self) -> &'static str {
        match self {
            Self::Points => "points of A (%)",
            Self::Prediction => "played move among the first T (%)",
        }
    }
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SeriesResult {
    /// What the legend calls it.
    pub name: String,
    /// What the legend calls the paper's figures.
    pub paper_name: String,
    /// The paper's figures: x and percent.
    pub paper: Vec<(f64, f64)>,
    /// Ours.
    pub points: Vec<PointResult>,
}

/// A measured point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PointResult {
    /// The value or case in words.
    pub label: String,
    /// Where on the x axis.
    pub x: f64,
    /// Games that A won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that A lost.
    pub losses: u32,
    /// The 95 % interval of A's points, in percent.
    pub interval: (f64, f64),
    /// Games that A and B lost because their programs failed.
    pub failures: [u32; 2],
    /// CPU seconds of A and B.
    pub cpu_seconds: [f64; 2],
    /// How A and B were started.
    pub commands: [String; 2],
    /// The paper's figure here, in percent.
    pub paper: Option<f64>,
    /// The shape of A's tree.
    pub shape: Option<TreeShape>,
}

impl PointResult {
    /// A score, and nothing else known.
    pub(super) fn of(label: String, x: f64, score: Score) -> Self {
        let (low, high) = score.interval();
        Self {
            label,
            x,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            interval: (hundredths(100.0 * low), hundredths(100.0 * high)),
            failures: [0; 2],
            cpu_seconds: [0.0; 2],
            commands: [String::new(), String::new()],
            paper: None,
            shape: None,
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// A's points in percent; not a number without games.
    #[must_use]
    pub fn percent(&self) -> f64 {
        match self.games() {
            0 => f64::NAN,
            _ => {
                let Self { wins, draws, losses, .. } = *self;
                100.0 * Score { wins, draws, losses }.rate()
            }
        }
    }
}

impl Experiment {
    /// Sums up the journals in the folder of a run.
    ///
    /// # Errors
    /// There are no games, a journal cannot be read, or it is one of other settings.
    pub fn report(&self, folder: &Path) -> Result<Report, ExperimentError> {
        let (runs, shapes) = read_notes(folder)?;
        let mut series = Vec::new();
        for planned in &self.series {
            let mut points = Vec::new();
            for point in &planned.points {
                let paper = planned.paper.iter().find(|(x, _)| *x == point.x);
                let mut result = point_result(folder, point)?;
                result.paper = paper.map(|(_, percent)| *percent);
                result.shape = shapes.get(&point.file).copied();
                points.push(result);
            }
            series.push(SeriesResult {
                name: planned.name.clone(),
                paper_name: planned.paper_name.clone(),
                paper: planned.paper.clone(),
                points,
            });
        }
        let games: u32 = series.iter().flat_map(|s| &s.points).map(PointResult::games).sum();
        if games == 0 {
            let (id, folder) = (self.about.id.clone(), folder.to_owned());
            return Err(ExperimentError::NoGames { id, folder });
        }
        Ok(Report {
            about: self.about.clone(),
            setting: self.setting(),
            measure: Measure::Points,
            x_label: self.x_label.clone(),
            x_log: self.x_log,
            cases: self.series.iter().any(|series| series.cases),
            runs,
            series,
        })
    }

    fn setting(&self) -> String {
        let Some((_, point)) = self.points().next() else {
            return String::new();
        };
        let rulebook = &point.settings.rulebook;
        let size = rulebook.size;
        let mut text = match rulebook.game.as_str() {
            "go" => format!("Go {size}x{size}, {} rules, komi {}", rulebook.rules, rulebook.komi),
            "hex" => format!("Hex {size}x{size}"),
            _ => format!("Havannah, size {size}"),
        };
        // Writing to a string cannot fail.
        let _ = match &point.settings.openings {
            Openings::Empty => Ok(()),
            openings => write!(text, ", openings {openings}"),
        };
        text
    }
}

fn point_result(folder: &Path, point: &PlannedPoint) -> Result<PointResult, ExperimentError> {
    let path = journal_path(folder, point);
    let games = if existing(&path).is_some() {
        let content = read_journal(&path).map_err(Box::new)?;
        content.check(&path, &point.settings).map_err(Box::new)?;
        content.games
    } else {
        Vec::new()
    };
    let tally = Tally::of(&games);
    let failures = |side: Side| {
        tally.failures.iter().filter(|((s, _), _)| *s == side).map(|(_, count)| count).sum()
    };
    let mut result = PointResult::of(point.label.clone(), point.x, tally.score);
    result.failures = Side::BOTH.map(failures);
    result.cpu_seconds = tally.cpu_seconds.map(hundredths);
    result.commands = [0, 1].map(|i| point.settings.players[i].command.join(" "));
    Ok(result)
}

/// As precise as anybody reads it, so that it is the same after writing and reading.
fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

impl Report {
    /// The headline: parts and title.
    #[must_use]
    pub fn headline(&self) -> String {
        format!("{}. {}", self.about.parts.join(", "), self.about.title)
    }

    /// How many games were played.
    #[must_use]
    pub fn games(&self) -> u32 {
        match self.measure {
            Measure::Points => {
                self.series.iter().flat_map(|series| &series.points).map(PointResult::games).sum()
            }
            Measure::Prediction => 0,
        }
    }

    /// The plot: curves over numbers, or a row for each case.
    #[must_use]
    pub fn to_svg(&self) -> String {
        if self.cases {
            return self.forest();
        }
        let mut chart = Chart::new(self.headline(), &self.x_label, self.measure.y_label());
        chart.percent = true;
        chart.x_log = self.x_log;
        if self.measure == Measure::Points {
            chart.guides = vec![50.0];
        }
        for series in &self.series {
            let ours = series.points.iter();
            let ours = ours.map(|p| Point::with_interval(p.x, p.percent(), p.interval)).collect();
            chart.series.push(Series::new(&series.name, SeriesStyle::Line, ours));
            if !series.paper.is_empty() {
                let theirs = series.paper.iter().map(|&(x, y)| Point::new(x, y)).collect();
                let name = &series.paper_name;
                chart.series.push(Series::new(name, SeriesStyle::Dashed, theirs));
            }
        }
        chart.to_svg()
    }

    /// A plot of how broad A's trees are, if they were measured.
    #[must_use]
    pub fn shape_svg(&self) -> Option<String> {
        let mut chart =
            Chart::new("Shape of A's tree", &self.x_label, "effective branching of the tree");
        chart.x_log = self.x_log;
        for series in &self.series {
            let points = series.points.iter();
            let points = points.filter_map(|p| Some(Point::new(p.x, p.shape?.branching)));
            chart.series.push(Series::new(&series.name, SeriesStyle::Line, points.collect()));
        }
        let measured = chart.series.iter().any(|series| !series.points.is_empty());
        (measured && !self.cases).then(|| chart.to_svg())
    }

    fn forest(&self) -> String {
        let mut plot = ForestPlot::new(self.headline(), self.measure.y_label());
        plot.percent = true;
        plot.guide = Some(50.0);
        plot.reference_name = "paper".to_owned();
        let several = self.series.len() > 1;
        for series in &self.series {
            for point in &series.points {
                let name = match several {
                    true => format!("{}: {}", series.name, point.label),
                    false => point.label.clone(),
                };
                let (low, high) = point.interval;
                let row = ForestRow::new(name, point.percent(), low, high);
                plot.rows.push(ForestRow { reference: point.paper, ..row });
            }
        }
        plot.to_svg()
    }

    /// The rows of the table, after a row of titles: ours beside the paper's.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<String>> {
        match self.measure {
            Measure::Points => self.table_of_points(),
            Measure::Prediction => self.table_of_prediction(),
        }
    }

    fn table_of_prediction(&self) -> Vec<Vec<String>> {
        let titles = ["series", "T", "moves", "among the first T, 95 %", "paper"];
        let mut rows = vec![titles.map(str::to_owned).to_vec()];
        for series in &self.series {
            for point in &series.points {
                let (low, high) = point.interval;
                rows.push(vec![
                    series.name.clone(),
                    point.label.clone(),
                    point.games().to_string(),
                    format!("{:.1} % [{low:.1}, {high:.1}]", point.percent()),
                    point.paper.map_or("–".to_owned(), |percent| format!("{percent} %")),
                ]);
            }
        }
        rows
    }

    fn table_of_points(&self) -> Vec<Vec<String>> {
        let shapes = self.series.iter().flat_map(|s| &s.points).any(|p| p.shape.is_some());
        let titles = ["series", &self.x_label, "games", "won-drawn-lost", "points of A, 95 %"];
        let mut head: Vec<String> = titles.map(str::to_owned).to_vec();
        if self.cases {
            "case".clone_into(&mut head[1]);
        }
        head.push("paper".to_owned());
        if shapes {
            head.extend(["depth", "width", "branching"].map(str::to_owned));
        }
        head.extend(["failures A, B", "CPU s A, B"].map(str::to_owned));
        let mut rows = vec![head];
        for series in &self.series {
            for point in &series.points {
                let mut row = vec![series.name.clone(), point.label.clone()];
                row.push(point.games().to_string());
                row.push(format!("{}-{}-{}", point.wins, point.draws, point.losses));
                row.push(match point.games() {
                    0 => "–".to_owned(),
                    _ => {
                        let (low, high) = point.interval;
                        format!("{:.1} % [{low:.1}, {high:.1}]", point.percent())
                    }
                });
                row.push(point.paper.map_or("–".to_owned(), |percent| format!("{percent} %")));
                if shapes {
                    row.extend(match point.shape {
                        Some(s) => [s.depth, s.width, s.branching].map(|v| format!("{v:.1}")),
                        None => ["–", "–", "–"].map(str::to_owned),
                    });
                }
                row.push(format!("{}, {}", point.failures[0], point.failures[1]));
                let [a, b] = point.cpu_seconds;
                row.push(format!("{a:.0}, {b:.0}"));
                rows.push(row);
            }
            for (x, percent) in &series.paper {
                // Where we have measured nothing, the paper's figure still stands.
                if !series.points.iter().any(|point| point.x == *x) {
                    let mut row = vec!["–".to_owned(); rows[0].len()];
                    row[0].clone_from(&series.name);
                    row[1] = x.to_string();
                    row[5] = format!("{percent} %");
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// The report as Markdown, with the plot as `<id>.svg` beside it.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        let mut line = |line: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        line(&format!("# {}\n", self.headline()));
        line(&format!("{}\n", self.about.text));
        line(&format!("Paper: {}. {}.\n", self.about.paper, self.setting));
        line(&format!("![{}]({}.svg)\n", self.about.title, self.about.id));
        if self.shape_svg().is_some() {
            line(&format!("![Shape of the trees]({}-shape.svg)\n", self.about.id));
        }
        let mut rows = self.table().into_iter();
        for (number, row) in rows.by_ref().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            line(&format!("| {} |", cells.join(" | ")));
            if number == 0 {
                line(&format!("|{}", "---|".repeat(row.len())));
            }
        }
        line(match self.measure {
            Measure::Points => "\nIntervals are Wilson's, 95 %; a draw is half a point.\n",
            Measure::Prediction => {
                "\nIntervals are Wilson's, 95 %, as if moves were independent.\n"
            }
        });
        line("## How it was measured\n");
        for run in &self.runs {
            let Provenance { date, version, machine, command } = run;
            line(&format!("{date}, Kosumi {version}, {} cores, {}:\n", machine.cores, machine.cpu));
            line(&format!("```\n{command}\n```\n"));
        }
        if self.measure == Measure::Points
            && let Some(point) = self.series.iter().find_map(|series| series.points.first())
        {
            line("The players of the first point:\n");
            line(&format!("```\nA: {}\nB: {}\n```", point.commands[0], point.commands[1]));
        }
        text
    }

    /// Writes `<id>.md`, `<id>.svg` and `<id>.json` into a folder, and `<id>-shape.svg` if trees
    /// were measured.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExperimentError> {
        let write = |ending: &str, text: String| {
            let path = folder.join(format!("{}{ending}", self.about.id));
            write_atomically(&path, text.as_bytes())
                .map_err(|error| ExperimentError::Io { path, source: error.source })
        };
        std::fs::create_dir_all(folder)
            .map_err(|source| ExperimentError::Io { path: folder.to_owned(), source })?;
        write(".md", self.to_markdown())?;
        write(".svg", self.to_svg())?;
        if let Some(shape) = self.shape_svg() {
            write("-shape.svg", shape)?;
        }
        write_json(&folder.join(format!("{}.json", self.about.id)), self)
    }

    /// Reads all reports in a folder, by id.
    ///
    /// # Errors
    /// The folder or a file in it cannot be read. Files that are no reports are passed over.
    pub fn read_all(folder: &Path) -> Result<Vec<Report>, ExperimentError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| ExperimentError::Io { path, source }
        };
        let mut reports: Vec<Report> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(io(folder))? {
            let path = entry.map_err(io(folder))?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let bytes = std::fs::read(&path).map_err(io(&path))?;
                reports.extend(serde_json::from_slice::<Report>(&bytes).ok());
            }
        }
        reports.sort_by(|a, b| a.about.id.cmp(&b.about.id));
        Ok(reports)
    }
}
