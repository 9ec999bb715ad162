//! Pictures of a tuning: the rate of points along each parameter, through the optimum.

use super::clop::Clop;
use crate::plot::{Chart, Point, Series, SeriesStyle};

/// How many points the fitted curve has.
const CURVE: usize = 60;
/// How many groups the samples are put into.
const GROUPS: usize = 12;

/// One chart for each parameter: the fitted rate with its 95 % band, as far as samples have weight,
/// and all samples, in groups of equal weight.
#[must_use]
pub fn charts(clop: &Clop) -> Vec<Chart> {
    let chart = |i: usize| {
        let parameter = &clop.parameters()[i];
        let title = format!("{}, other parameters at the optimum", parameter.name);
        let mut chart = Chart::new(title, parameter.name.clone(), "points, %");
        chart.percent = true;
        chart.x_log = parameter.log;
        chart.guides = vec![50.0];
        let profile = clop.profile(i, CURVE, GROUPS);
        let points = |rates: Vec<(f64, f64, (f64, f64))>| {
            let percent = |(x, y, (low, high)): (f64, f64, (f64, f64))| Point {
                x,
                y: 100.0 * y,
                low: Some(100.0 * low),
                high: Some(100.0 * high),
            };
            rates.into_iter().map(percent).collect()
        };
        let series = |name: &str, style, points| Series { name: name.to_owned(), style, points };
        chart.series = vec![
            series("fit near the optimum", SeriesStyle::Band, points(profile.curve)),
            series("samples in groups", SeriesStyle::Markers, points(profile.groups)),
        ];
        chart
    };
    (0..clop.parameters().len()).map(chart).collect()
}
