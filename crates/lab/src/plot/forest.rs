//! Forest plots: one value with its interval a row.

use super::axis::{Axis, number};
use super::canvas::{Anchor, Canvas, PALETTE, Pen};
use super::{EDGE, Frame, LABEL, LEGEND, Marker, TICK, TITLE, WIDTH};

/// Names with values and their intervals, one below the other, such as ratings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestPlot {
    /// Above the picture.
    pub title: String,
    /// Below it.
    pub value_label: String,
    /// Whether the values are percent: they stay within 0 and 100.
    pub percent: bool,
    /// A vertical reference line.
    pub guide: Option<f64>,
    /// What a hollow marker means, such as the paper's figures; for the legend.
    pub reference_name: String,
    /// The rows from the top.
    pub rows: Vec<ForestRow>,
}

/// A row of a forest plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// Whose value.
    pub name: String,
    /// The value; not a number: none yet.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// Another figure to compare with.
    pub reference: Option<f64>,
}

impl ForestRow {
    /// A row with nothing to compare with.
    #[must_use]
    pub fn new(name: impl Into<String>, value: f64, low: f64, high: f64) -> Self {
        Self { name: name.into(), value, low, high, reference: None }
    }
}

impl ForestPlot {
    /// A plot without rows yet.
    #[must_use]
    pub fn new(title: impl Into<String>, value_label: impl Into<String>) -> Self {
        Self { title: title.into(), value_label: value_label.into(), ..Self::default() }
    }

    /// The picture.
    #[must_use]
    pub fn to_svg(&self) -> String {
        const ROW: f64 = 30.0;
        let finite = |value: &f64| value.is_finite();
        let values = self
            .rows
            .iter()
            .flat_map(|row| [Some(row.value), Some(row.low), Some(row.high), row.reference])
            .chain([self.guide])
            .flatten()
            .filter(finite);
        let axis = Axis::around(values, false).with_room(0.06);
        let axis = if self.percent { axis.within(0.0, 100.0) } else { axis };
        let says: Vec<String> = self.rows.iter().map(|row| row.says(self.percent)).collect();
        let widest = |texts: &mut dyn Iterator<Item = &String>| {
            texts.map(|text| LEGEND.width(text)).fold(0.0, f64::max)
        };
        let left = EDGE + widest(&mut self.rows.iter().map(|row| &row.name)).min(300.0) + 14.0;
        let right = WIDTH - EDGE - widest(&mut says.iter()) - 22.0;
        let title = TITLE.wrap(&self.title, WIDTH - 2.0 * EDGE);
        let compared = self.rows.iter().any(|row| row.reference.is_some());
        let legend = if compared { 28.0 } else { 0.0 };
        let top = EDGE + 23.0 * title.len() as f64 + legend + 6.0;
        let bottom = top + ROW * self.rows.len().max(1) as f64 + 6.0;
        let mut canvas = Canvas::new(WIDTH, bottom + 24.0 + 24.0 + 14.0);
        for (line, at) in title.iter().zip(1..) {
            canvas.text(EDGE, EDGE + 23.0 * f64::from(at) - 8.0, Anchor::Start, TITLE, line);
        }
        let (marker, other) = (Marker::of(0), Marker::of(1));
        if compared {
            other.draw(&mut canvas, (left + 6.0, top - 16.0), true, "");
            canvas.text(left + 17.0, top - 11.5, Anchor::Start, LEGEND, &self.reference_name);
        }
        let axis = axis.on(left, right);
        let frame = Frame { x: axis, y: axis, left, right, top, bottom };
        frame.grid(&mut canvas, &[], "");
        if let Some(guide) = self.guide.filter(|&guide| axis.holds(guide)) {
            let pen = Pen { colour: "#8c959f", width: 1.4, dash: "2 4" };
            canvas.line((axis.place(guide), top), (axis.place(guide), bottom), &pen);
        }
        for ((row, says), at) in self.rows.iter().zip(&says).zip(0..) {
            let y = top + 3.0 + ROW * (f64::from(at) + 0.5);
            canvas.text(left - 14.0, y + 4.5, Anchor::End, LEGEND, &row.name);
            canvas.text(WIDTH - EDGE, y + 4.5, Anchor::End, TICK, says);
            if row.value.is_finite() {
                let (low, high) = row.interval();
                let (from, to) = (axis.place_inside(low), axis.place_inside(high));
                let pen = Pen { colour: PALETTE[0], width: 2.0, dash: "" };
                canvas.line((from, y), (to, y), &pen);
                for (end, x) in [(low, from), (high, to)] {
                    if axis.holds(end) {
                        canvas.line((x, y - 5.0), (x, y + 5.0), &pen);
                    }
                }
                marker.draw(&mut canvas, (axis.place_inside(row.value), y), false, says);
            }
            if let Some(reference) = row.reference.filter(finite) {
                let tip = format!("{}: {reference}", self.reference_name);
                other.draw(&mut canvas, (axis.place_inside(reference), y), true, &tip);
            }
        }
        if self.rows.is_empty() {
            let at = ((left + right) / 2.0, (top + bottom) / 2.0 + 4.0);
            canvas.text(at.0, at.1, Anchor::Middle, TICK, "no data yet");
        }
        canvas.text((left + right) / 2.0, bottom + 44.0, Anchor::Middle, LABEL, &self.value_label);
        canvas.finish(&self.title)
    }
}

impl ForestRow {
    fn interval(&self) -> (f64, f64) {
        let end = |end: f64| if end.is_finite() { end } else { self.value };
        (end(self.low), end(self.high))
    }

    /// The value and its interval in words.
    fn says(&self, percent: bool) -> String {
        if !self.value.is_finite() {
            return "no data yet".to_owned();
        }
        let (low, high) = self.interval();
        let decimals = usize::from(percent || high - low < 10.0);
        let short = |value: f64| number(value, decimals);
        format!("{} [{}, {}]", short(self.value), short(low), short(high))
    }
}
