//! CLOP against random search on functions with known optima, and tunings of programs that play.

mod common;

use kosumi_game::Rng;
use kosumi_lab::{Clop, Parameter, Score, tune_charts};

/// Not a test: the program that the tests start, see [`common`].
#[test]
fn program() {
    common::program();
}

/// A function to optimise, on parameters from -1 to 1.
struct Problem {
    name: &'static str,
    optimum: &'static [f64],
    log_odds: fn(&[f64]) -> f64,
}

const PROBLEMS: [Problem; 5] = [
    Problem {
        // Steep below the optimum, flat above, as of u - ln u.
        name: "asymmetric curve",
        optimum: &[-0.8],
        log_odds: |x| {
            let u = ((x[0] + 1.0) / 0.2).max(1e-3);
            1.0 + 2.0 * (u.ln() - u + 1.0)
        },
    },
    Problem {
        name: "narrow peak",
        optimum: &[0.6],
        log_odds: |x| -2.0 + 3.0 * (-((x[0] - 0.6) / 0.15).powi(2)).exp(),
    },
    Problem {
        name: "narrow peak of two",
        optimum: &[0.5, -0.5],
        log_odds: |x| {
            let far = (x[0] - 0.5).powi(2) + (x[1] + 0.5).powi(2);
            -2.0 + 4.0 * (-far / 0.12).exp()
        },
    },
    Problem {
        name: "two correlated",
        optimum: &[0.4, -0.2],
        log_odds: |x| {
            let (a, b) = (x[0] - 0.4, x[1] + 0.2);
            1.0 - 6.0 * (a + b).powi(2) - (a - b).powi(2)
        },
    },
    Problem {
        name: "three correlated",
        optimum: &[0.3, -0.5, 0.1],
        log_odds: |x| {
            let (a, b, c) = (x[0] - 0.3, x[1] + 0.5, x[2] - 0.1);
            1.0 - 2.0 * a * a - 3.0 * (b + 0.5 * c).powi(2) - 2.0 * c.abs().powi(3)
        },
    },
];

fn uniform(rng: &mut Rng) -> f64 {
    f64::from(rng.next_u32()) / 4_294_967_296.0
}

fn logistic(q: f64) -> f64 {
    1.0 / (1.0 + (-q).exp())
}

impl Problem {
    fn parameters(&self) -> Vec<Parameter> {
        (1..=self.optimum.len()).map(|i| Parameter::new(format!("p{i}"), -1.0, 1.0)).collect()
    }

    /// Two games, one in ten of the even ones drawn.
    fn play(&self, x: &[f64], rng: &mut Rng) -> Score {
        let p = logistic((self.log_odds)(x));
        let draw = 0.4 * p * (1.0 - p);
        let mut score = Score::default();
        for _ in 0..2 {
            match uniform(rng) {
                u if u < p - draw / 2.0 => score.wins += 1,
                u if u < p + draw / 2.0 => score.draws += 1,
                _ => score.losses += 1,
            }
        }
        score
    }

    fn distance(&self, x: &[f64]) -> f64 {
        x.iter().zip(self.optimum).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    fn clop(&self, seed: u64, samples: u64) -> Clop {
        let mut rng = Rng::stream(99, seed);
        let mut clop = Clop::new(self.parameters(), seed);
        for number in 1..=samples {
            let values = clop.draw(number);
            let score = self.play(&values, &mut rng);
            clop.add(&values, score);
        }
        clop
    }

    fn random_samples(&self, seed: u64, samples: u64) -> Vec<(Vec<f64>, Score)> {
        let mut rng = Rng::stream(98, seed);
        let mut sample = || {
            let x: Vec<f64> = self.optimum.iter().map(|_| 2.0 * uniform(&mut rng) - 1.0).collect();
            let score = self.play(&x, &mut rng);
            (x, score)
        };
        (0..samples).map(|_| sample()).collect()
    }
}

/// The sample at which `value` is highest.
fn best(samples: &[(Vec<f64>, Score)], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let best = samples.iter().max_by(|(a, _), (b, _)| value(a).total_cmp(&value(b)));
    best.unwrap().0.clone()
}

/// Random search as it is: the sample with the best result of its own, the first of several.
fn best_result(samples: &[(Vec<f64>, Score)]) -> Vec<f64> {
    let most = samples.iter().map(|(_, score)| score.rate()).fold(0.0, f64::max);
    samples.iter().find(|(_, score)| score.rate() == most).unwrap().0.clone()
}

/// Random search, smoothed: the sample whose neighbours have the best results. Of the radii from
/// 0.06 to 0.4 this one suits it best on these problems.
fn best_neighbours(samples: &[(Vec<f64>, Score)]) -> Vec<f64> {
    let radius: f64 = 0.15;
    best(samples, |x| {
        let (mut points, mut weights) = (0.0, 0.0);
        for (y, score) in samples {
            let far: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
            let weight = (-0.5 * far / (radius * radius)).exp();
            points += weight * score.rate();
            weights += weight;
        }
        points / weights
    })
}

/// Random search, fitted: the sample at which a quadratic logistic regression of all is highest.
/// By gradient ascent, so that it shares nothing with the regression under test.
fn best_fit(samples: &[(Vec<f64>, Score)]) -> Vec<f64> {
    let features = |x: &[f64]| {
        let mut phi = vec![1.0];
        phi.extend(x);
        for i in 0..x.len() {
            phi.extend((i..x.len()).map(|j| x[i] * x[j]));
        }
        phi
    };
    let rows: Vec<_> = samples.iter().map(|(x, s)| (features(x), s.rate())).collect();
    let mut beta = vec![0.0; rows[0].0.len()];
    let mut momentum = beta.clone();
    let at = |phi: &[f64], beta: &[f64]| phi.iter().zip(beta).map(|(f, b)| f * b).sum::<f64>();
    for _ in 0..400 {
        let mut gradient = vec![0.0; beta.len()];
        for (phi, rate) in &rows {
            let error = rate - logistic(at(phi, &beta));
            gradient.iter_mut().zip(phi).for_each(|(g, f)| *g += error * f / rows.len() as f64);
        }
        for ((b, m), g) in beta.iter_mut().zip(&mut momentum).zip(gradient) {
            *m = 0.9 * *m + 0.8 * g;
            *b += *m;
        }
    }
    best(samples, |x| at(&features(x), &beta))
}

#[test]
fn clop_comes_closer_than_random_search() {
    const SEEDS: u64 = 60;
    const SAMPLES: u64 = 200;
    for problem in PROBLEMS {
        let mut gains = [const { Vec::new() }; 3];
        for seed in 0..SEEDS {
            let ours = problem.distance(&problem.clop(seed, SAMPLES).optimum().values);
            let samples = problem.random_samples(seed, SAMPLES);
            let searches = [best_result, best_neighbours, best_fit];
            for (gains, theirs) in gains.iter_mut().zip(searches) {
                gains.push(problem.distance(&theirs(&samples)) - ours);
            }
        }
        for (gains, theirs) in gains.iter().zip(["plain", "smoothed", "fitted"]) {
            let n = gains.len() as f64;
            let mean = gains.iter().sum::<f64>() / n;
            let variance = gains.iter().map(|g| (g - mean).powi(2)).sum::<f64>() / (n - 1.0);
            let sure = mean / (variance / n).sqrt();
            println!("{}, {theirs}: {mean:.3} closer, {sure:.1} standard errors", problem.name);
            // A mean is drawn to the flat side of a curve, and in one dimension samples at random
            // are dense: a radius made for the problem is as good there.
            let even = problem.name == "asymmetric curve" && theirs == "smoothed";
            let least = if even { -2.5 } else { 2.5 };
            assert!(sure > least, "{}, {theirs}: {mean:.3}, {sure:.1}", problem.name);
        }
    }
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const SEEDS: u64 = 40;
    let (mut values, mut of_values, mut rates) = (0, 0, 0);
    for problem in PROBLEMS {
        for seed in 0..SEEDS {
            let estimate = problem.clop(1000 + seed, 150).estimate();
            for (&(low, high), truth) in estimate.intervals.iter().zip(problem.optimum) {
                assert!(low < high);
                of_values += 1;
                values += u32::from((low..=high).contains(truth));
            }
            let truth = logistic((problem.log_odds)(&estimate.optimum.values));
            let (low, high) = estimate.optimum.rate_interval;
            rates += u32::from((low..=high).contains(&truth));
        }
    }
    println!("values {values} of {of_values}, rates {rates} of {}", 5 * SEEDS);
    // 95 % of 360 with standard deviation 4, of 200 with 3; less three deviations, and for rates a
    // few more: their interval does not know where the quadratic is wrong.
    assert!(values >= of_values * 19 / 20 - 12, "{values} of {of_values}");
    assert!(rates >= 5 * SEEDS as u32 * 9 / 10 - 12, "{rates} of {}", 5 * SEEDS);
}

#[test]
fn one_seed_is_one_tuning() {
    let problem = &PROBLEMS[3];
    let (one, two) = (problem.clop(5, 60), problem.clop(5, 60));
    assert_eq!(one.estimate(), two.estimate());
    assert_eq!(one.draw(61), two.draw(61));
    assert_ne!(one.draw(61), one.draw(62));
    assert_ne!(one.draw(61), problem.clop(6, 60).draw(61));
}

#[test]
fn nothing_is_known_at_first() {
    let clop = Clop::new(PROBLEMS[3].parameters(), 1);
    let estimate = clop.estimate();
    assert_eq!(estimate.optimum.values, [0.0, 0.0]);
    assert_eq!(estimate.optimum.rate_interval, (0.0, 1.0));
    assert_eq!(estimate.intervals, [(-1.0, 1.0); 2]);
    // The whole range is drawn from.
    let draws: Vec<f64> = (1..=1000).map(|number| clop.draw(number)[0]).collect();
    let below = draws.iter().filter(|x| **x < -0.5).count();
    assert!((200..300).contains(&below), "{below}");
}

#[test]
fn whole_numbers_and_logarithms() {
    let parameters = vec![
        Parameter::new("n", 1.0, 8.0).whole(),
        Parameter::new("r", 10.0, 10_000.0).logarithmic(),
    ];
    let mut rng = Rng::new(3);
    let mut clop = Clop::new(parameters, 1);
    for number in 1..=300 {
        let values = clop.draw(number);
        assert!(values[0].fract() == 0.0 && (1.0..=8.0).contains(&values[0]), "{values:?}");
        assert!((10.0..=10_000.0).contains(&values[1]));
        let q = 1.0 - 0.3 * (values[0] - 3.0).powi(2) - (values[1] / 300.0).ln().powi(2);
        let wins = (0..2).filter(|_| uniform(&mut rng) < logistic(q)).count() as u32;
        clop.add(&values, Score { wins, draws: 0, losses: 2 - wins });
    }
    let values = clop.optimum().values;
    assert!((2.0..=4.0).contains(&values[0]), "{values:?}");
    assert!((150.0..600.0).contains(&values[1]), "{values:?}");
    for (chart, (low, high)) in tune_charts(&clop).iter().zip([(0.5, 8.5), (10.0, 10_000.0)]) {
        assert_eq!(chart.series.len(), 2);
        for point in chart.series.iter().flat_map(|series| &series.points) {
            assert!((low - 1e-9..=high + 1e-9).contains(&point.x), "{point:?}");
            assert!(point.low.unwrap() <= point.y && point.y <= point.high.unwrap());
        }
        assert!(chart.to_svg().starts_with("<svg"));
    }
}

/// Tunings of a program whose strength depends on a parameter.
#[cfg(unix)]
mod tunings {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use kosumi_lab::{
        Clop, Ending, JournalError, NoTuneObserver, Openings, Parameter, Player, Rulebook, Run,
        Side, Trial, TuneError, TuneJournal, TuneObserver, Tuning, read_tune_journal,
    };
    use kosumi_record::GameKind;

    use crate::common::{command, player};

    /// A program that plays with n = 2 and resigns otherwise, or crashes with n = 4. The shell gets
    /// what the tuning appends as `$0` and `$1`.
    fn tuned() -> Player {
        let program = command("hex", "BEHAVIOUR");
        let quoted: Vec<String> = program.iter().map(|word| format!("\"{word}\"")).collect();
        let run = quoted.join(" ").replace("BEHAVIOUR", "$how");
        let script = format!(
            "case $1 in n=2) how=plays;; n=4) how=crashes;; *) how=resigns;; esac; exec {run}"
        );
        Player::new("tuned", vec!["sh".to_owned(), "-c".to_owned(), script])
    }

    fn tuning() -> Tuning {
        let parameters = vec![Parameter::new("n", 1.0, 4.0).whole()];
        let opponents = vec![player("hex", "plays"), player("hex", "plays too")];
        Tuning::new(Rulebook::new(GameKind::Hex, 4), tuned(), opponents, parameters)
    }

    fn run(
        settings: &Tuning,
        path: &Path,
        samples: u32,
        at_once: usize,
    ) -> Result<Clop, TuneError> {
        let mut journal = TuneJournal::resume(path, settings)?;
        let mut run = Run::new(2 * samples);
        run.at_once = at_once;
        run.hang = Duration::from_secs(30);
        settings.run(&run, &mut journal, &mut NoTuneObserver, &AtomicBool::new(false))
    }

    #[test]
    fn failures_are_named_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let settings = tuning();
        let clop = run(&settings, &path, 24, 2).unwrap();
        let (found, trials) = read_tune_journal(&path).unwrap();
        assert_eq!(found, settings);
        let mut numbers: Vec<u32> = trials.iter().map(|trial| trial.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=24).collect::<Vec<_>>());
        let failed = trials.iter().filter(|trial| trial.values == [4.0]).count();
        assert!(failed > 0);
        let failures = settings.failures(&trials);
        assert_eq!(failures.values().sum::<u32>() as usize, failed, "{failures:?}");
        assert_eq!(failures[&("tuned".to_owned(), Ending::Crash)] as usize, failed);
        assert_eq!(clop.samples() + failed, trials.len());
        for trial in &trials {
            let [one, two] = trial.games.as_slice() else {
                assert!(trial.score().is_none());
                continue;
            };
            assert_eq!((one.first, two.first), (Side::A, Side::B));
            assert_eq!(trial.opponent, (trial.number as usize - 1) % 2);
            let value = format!("--set n={}", trial.values[0]);
            assert!(one.commands[0].ends_with(&value), "{}", one.commands[0]);
            if trial.values != [2.0] {
                assert_eq!(trial.score().map(|score| score.losses), Some(2));
            }
        }
    }

    /// Stops a tuning after some trials.
    struct StopAfter<'a>(usize, &'a AtomicBool);

    impl TuneObserver for StopAfter<'_> {
        fn begins(&mut self, _: &[Trial], _: &Clop, _: u32) {}
        fn trial_ended(&mut self, trials: &[Trial], _: &Clop) {
            self.1.store(trials.len() >= self.0, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_tuning_goes_on_where_it_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, parts] = ["whole.jsonl", "parts.jsonl"].map(|name| folder.path().join(name));
        let settings = tuning();
        run(&settings, &whole, 12, 1).unwrap();

        let mut journal = TuneJournal::create(&parts, &settings).unwrap();
        let stop = AtomicBool::new(false);
        let mut observer = StopAfter(5, &stop);
        settings.run(&Run::new(24), &mut journal, &mut observer, &stop).unwrap();
        drop(journal);
        // A kill in the middle of a write.
        let mut bytes = std::fs::read(&parts).unwrap();
        bytes.extend_from_slice(b"{\"number\":6,\"val");
        std::fs::write(&parts, bytes).unwrap();
        let error = TuneJournal::create(&parts, &settings).unwrap_err();
        assert!(matches!(error, JournalError::Exists { .. }));
        run(&settings, &parts, 12, 1).unwrap();

        // As if it had never been interrupted, but for the time it took.
        let trials = |path: &Path| {
            let trials = read_tune_journal(path).unwrap().1;
            let games = |trial: &Trial| trial.games.iter().map(|g| g.moves.clone()).collect();
            trials
                .into_iter()
                .map(|trial| (trial.number, trial.values.clone(), games(&trial)))
                .collect::<Vec<(u32, Vec<f64>, Vec<Vec<String>>)>>()
        };
        assert_eq!(trials(&whole), trials(&parts));
        assert_eq!(trials(&parts).len(), 12);

        let mut other = settings.clone();
        other.parameters[0].max = 5.0;
        let error = TuneJournal::resume(&parts, &other).unwrap_err().to_string();
        assert!(error.contains("its parameter 1's max is 4.0, not 5.0"), "{error}");
    }

    /// As earlier versions wrote it.
    fn without_checksum(line: &str) -> String {
        format!("{}}}", line.split(",\"crc32\"").next().unwrap())
    }

    #[test]
    fn broken_lines_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.jsonl");
        let settings = tuning();
        run(&settings, &path, 1, 1).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (header, trial) = text.split_once('\n').unwrap();
        for (content, message) in [
            (format!("{header}\nnonsense\n"), "line 2: no sample"),
            (format!("{header}\n{trial}{trial}"), "line 3: sample 1 is there twice"),
            (
                format!(
                    "{header}\n{}\n",
                    without_checksum(trial).replace("\"values\":[", "\"values\":[7.0,")
                ),
                "line 2: a sample of another tuning",
            ),
            (trial.to_owned(), "line 1: no tuning"),
            (header.replace("tune\":2,", "tune\":3,") + "\n", "line 1: its checksum is wrong"),
            (without_checksum(header).replace("tune\":2,", "tune\":3,") + "\n", "format 3"),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = TuneJournal::resume(&path, &settings).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let refused = |change: fn(&mut Tuning)| {
            let mut settings = tuning();
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert!(refused(|t| t.parameters.clear()).contains("nothing to tune"));
        assert!(refused(|t| t.opponents.clear()).contains("an opponent"));
        assert!(refused(|t| t.parameters.push(t.parameters[0].clone())).contains("two ranges"));
        assert!(refused(|t| t.parameters[0].min = 9.0).contains("MIN must be"));
        assert!(refused(|t| t.openings = Openings::Random(99)).contains("99 random stones"));
        assert!(refused(|t| t.rulebook.size = 2).contains("size 2"));
    }
}
