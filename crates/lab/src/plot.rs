//! Plots for reports, as SVG files that need nothing else.
//!
//! A writer of our own: the pictures are few and simple, a reader's browser has the fonts, and the
//! plotting crates draw neither legends that fit outside the frame nor intervals with caps.

mod axis;
mod canvas;
mod forest;

use axis::Axis;
pub(crate) use canvas::escape;
use canvas::{Anchor, Canvas, FRAME, Font, GRID, INK, PALE_INK, PALETTE, Pen, Px};
pub use forest::{ForestPlot, ForestRow};

/// The width of every picture in pixels; it scales to the page.
const WIDTH: f64 = 760.0;
/// The height of the frame of a chart.
const FRAME_HEIGHT: f64 = 330.0;
const EDGE: f64 = 22.0;
const TITLE: Font = Font { size: 17.0, colour: INK, bold: true };
const LABEL: Font = Font::new(13.5, INK);
const TICK: Font = Font::new(12.5, PALE_INK);
const LEGEND: Font = Font::new(13.0, INK);

/// Numbers beyond this are as good as infinite: no axis shows them together with others.
const FAR: f64 = 1e12;

/// Curves over an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Above the picture.
    pub title: String,
    /// Below it.
    pub x_label: String,
    /// At its left.
    pub y_label: String,
    /// Whether y is percent: its axis says so and stays within 0 and 100.
    pub percent: bool,
    /// Whether the x axis is logarithmic; points without a positive x are then left out.
    pub x_log: bool,
    /// What the y axis shows; widened if a point lies outside. Without it, what there is.
    pub y_range: Option<(f64, f64)>,
    /// Horizontal reference lines.
    pub guides: Vec<f64>,
    /// The curves.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend calls it; an empty name is not in the legend.
    pub name: String,
    /// How it is drawn.
    pub style: SeriesStyle,
    /// Its points; those that are not finite are left out.
    pub points: Vec<Point>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeriesStyle {
    /// Markers joined, error bars where low and high are given.
    Line,
    /// Figures to compare with, such as a paper's: hollow markers, dashed lines, in the colour of
    /// the curve before it.
    Dashed,
    /// Markers and error bars alone.
    Markers,
    /// A curve with a shaded band from low to high.
    Band,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// How much.
    pub y: f64,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end of its interval.
    pub high: Option<f64>,
}

impl Point {
    /// A point without an interval.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, low: None, high: None }
    }

    /// A point with its interval.
    #[must_use]
    pub fn with_interval(x: f64, y: f64, (low, high): (f64, f64)) -> Self {
        Self { x, y, low: Some(low), high: Some(high) }
    }

    fn interval(&self) -> (f64, f64) {
        let end = |end: Option<f64>| end.filter(|end| end.is_finite()).unwrap_or(self.y);
        (end(self.low), end(self.high))
    }
}

impl Series {
    /// A curve of these points.
    #[must_use]
    pub fn new(name: impl Into<String>, style: SeriesStyle, points: Vec<Point>) -> Self {
        Self { name: name.into(), style, points }
    }
}

impl Chart {
    /// A chart without curves yet.
    #[must_use]
    pub fn new(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            ..Self::default()
        }
    }

    /// The points of a curve that can be drawn.
    fn drawable<'a>(&self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        let least = if self.x_log { 1.0 / FAR } else { -FAR };
        series.points.iter().filter(move |p| (least..=FAR).contains(&p.x) && p.y.abs() <= FAR)
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.series.iter().flat_map(|series| self.drawable(series));
        let x = Axis::around(points().map(|p| p.x), self.x_log).with_room(0.05);
        let guides = self.guides.iter().copied().filter(|guide| guide.is_finite());
        let empty = points().next().is_none() && self.percent;
        let y = match self.y_range.or(empty.then_some((0.0, 100.0))) {
            Some((low, high)) if low.is_finite() && high.is_finite() => {
                Axis::around(points().map(|p| p.y).chain([low, high]), false).with_room(0.0)
            }
            _ => {
                let ends = points().flat_map(|p| <[f64; 2]>::from(p.interval()));
                let values = points().map(|p| p.y).chain(ends).chain(guides);
                let y = Axis::around(values, false).with_room(0.08);
                if self.percent { y.within(0.0, 100.0) } else { y }
            }
        };
        (x, y)
    }

    /// The colour of each curve, and with it the shape of its markers: the next of the palette,
    /// but a dashed curve has that of the one before it that is not dashed.
    fn colours(&self) -> Vec<usize> {
        let mut used = 0;
        let mut compared = true;
        let mut colours: Vec<usize> = Vec::with_capacity(self.series.len());
        for series in &self.series {
            let dashed = series.style == SeriesStyle::Dashed;
            let colour = match colours.last() {
                Some(&before) if dashed && !compared => before,
                _ => {
                    used += 1;
                    used - 1
                }
            };
            // A second dashed curve in a row compares with nothing before it.
            compared = dashed;
            colours.push(colour);
        }
        colours
    }

    /// How many pixels each curve is moved to the right, so that error bars at the same x stand
    /// side by side.
    fn shifts(&self) -> Vec<f64> {
        let bars = |series: &Series| {
            matches!(series.style, SeriesStyle::Line | SeriesStyle::Markers)
                && self.drawable(series).any(|point| point.low.is_some())
        };
        let with_bars: Vec<bool> = self.series.iter().map(bars).collect();
        let count = with_bars.iter().filter(|&&bars| bars).count() as f64;
        let apart = (18.0 / count.max(1.0)).min(6.0);
        let mut next = -(count - 1.0) / 2.0 * apart;
        let shift = |bars: &bool| {
            let shift = if *bars { next } else { 0.0 };
            next += if *bars { apart } else { 0.0 };
            shift
        };
        with_bars.iter().map(shift).collect()
    }

    /// The picture.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let colours = self.colours();
        let (x, y) = self.axes();
        let y_ticks: Vec<(f64, String)> = y.ticks();
        let percent = if self.percent { " %" } else { "" };
        let widest = y_ticks.iter().map(|(_, text)| TICK.width(text)).fold(0.0, f64::max);
        let label_room = if self.y_label.is_empty() { 0.0 } else { 26.0 };
        let left = EDGE + label_room + widest + TICK.width(percent) + 8.0;
        let right = WIDTH - EDGE;

        let title = TITLE.wrap(&self.title, WIDTH - 2.0 * EDGE);
        let legend = self.legend(right - left);
        let mut top = EDGE;
        let title_top = top;
        top += 23.0 * title.len() as f64;
        top += 6.0;
        let legend_top = top;
        let legend_rows = legend.last().map_or(0, |entry| entry.row + 1);
        top += 22.0 * legend_rows as f64 + 4.0;
        let bottom = top + FRAME_HEIGHT;
        let x_label_room = if self.x_label.is_empty() { 0.0 } else { 24.0 };
        let mut canvas = Canvas::new(WIDTH, bottom + 24.0 + x_label_room + 14.0);

        for (line, at) in title.iter().zip(1..) {
            let y = title_top + 23.0 * f64::from(at) - 8.0;
            canvas.text(EDGE, y, Anchor::Start, TITLE, line);
        }
        let (x, y) = (x.on(left, right), y.on(bottom, top));
        let frame = Frame { x, y, left, right, top, bottom };
        frame.grid(&mut canvas, &y_ticks, percent);
        for &guide in self.guides.iter().filter(|&&guide| y.holds(guide)) {
            let pen = Pen { colour: "#8c959f", width: 1.4, dash: "2 4" };
            canvas.line((left, y.place(guide)), (right, y.place(guide)), &pen);
        }
        canvas.text((left + right) / 2.0, bottom + 46.0, Anchor::Middle, LABEL, &self.x_label);
        canvas.upwards(EDGE + 11.0, (top + bottom) / 2.0, LABEL, &self.y_label);

        for entry in &legend {
            let at = (left + entry.x, legend_top + 22.0 * entry.row as f64 + 10.0);
            let marker = Marker::of(colours[entry.series]);
            entry.draw(&mut canvas, at, &self.series[entry.series], marker);
        }
        let shifts = self.shifts();
        let mut empty = true;
        // Bands first: they must not cover other curves.
        let band = |series: &&Series| series.style == SeriesStyle::Band;
        for (series, &colour) in self.series.iter().zip(&colours).filter(|(s, _)| band(s)) {
            frame.shade(&mut canvas, self.drawable(series), Marker::of(colour).colour);
        }
        for ((series, &colour), &shift) in self.series.iter().zip(&colours).zip(&shifts) {
            let points: Vec<Point> = self.drawable(series).copied().collect();
            empty &= points.is_empty();
            frame.draw(&mut canvas, series, &points, Marker::of(colour), shift);
        }
        if empty {
            let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
            canvas.text(middle.0, middle.1, Anchor::Middle, TICK, "no data yet");
        }
        canvas.finish(&self.title)
    }

    /// Where the entries of the legend stand, in rows of at most that width.
    fn legend(&self, width: f64) -> Vec<Entry> {
        let (mut x, mut row) = (0.0, 0);
        let mut entries = Vec::new();
        for (series, found) in self.series.iter().enumerate() {
            if found.name.is_empty() {
                continue;
            }
            let wide = 40.0 + LEGEND.width(&found.name);
            if x > 0.0 && x + wide > width {
                (x, row) = (0.0, row + 1);
            }
            entries.push(Entry { series, x, row });
            x += wide + 14.0;
        }
        entries
    }
}

/// An entry of the legend.
struct Entry {
    series: usize,
    x: f64,
    row: usize,
}

impl Entry {
    fn draw(&self, canvas: &mut Canvas, (x, y): (f64, f64), series: &Series, marker: Marker) {
        let colour = marker.colour;
        let line = [(x, y - 4.5), (x + 28.0, y - 4.5)];
        match series.style {
            SeriesStyle::Line => canvas.polyline(&line, &solid(colour)),
            SeriesStyle::Dashed => canvas.polyline(&line, &dashed(colour)),
            SeriesStyle::Band => {
                let (top, bottom) = (y - 10.0, y + 1.0);
                let corners = [(x, top), (x + 28.0, top), (x + 28.0, bottom), (x, bottom)];
                canvas.area(&corners, colour);
                canvas.polyline(&line, &solid(colour));
            }
            SeriesStyle::Markers => {}
        }
        if series.style != SeriesStyle::Band {
            marker.draw(canvas, (x + 14.0, y - 4.5), series.style == SeriesStyle::Dashed, "");
        }
        canvas.text(x + 35.0, y, Anchor::Start, LEGEND, &series.name);
    }
}

fn solid(colour: &str) -> Pen<'_> {
    Pen { colour, width: 2.2, dash: "" }
}

fn dashed(colour: &str) -> Pen<'_> {
    Pen { colour, width: 1.7, dash: "6 5" }
}

/// The mark of a point; shapes differ too, for those who see no colours.
#[derive(Clone, Copy)]
struct Marker {
    shape: usize,
    colour: &'static str,
}

impl Marker {
    fn of(index: usize) -> Self {
        Self { shape: index, colour: PALETTE[index % PALETTE.len()] }
    }

    /// Draws the mark; `tip` appears where the picture is shown with a pointer.
    fn draw(&self, canvas: &mut Canvas, (x, y): (f64, f64), hollow: bool, tip: &str) {
        let colour = self.colour;
        let style = if hollow {
            format!(r##"fill="#ffffff" stroke="{colour}" stroke-width="1.7""##)
        } else {
            format!(r##"fill="{colour}" stroke="#ffffff" stroke-width="1""##)
        };
        let tip = match tip {
            "" => String::new(),
            tip => format!("<title>{}</title>", escape(tip)),
        };
        let r = if hollow { 4.2 } else { 4.8 };
        let path = |points: &[(f64, f64)]| {
            let places =
                points.iter().map(|(dx, dy)| format!("{},{}", Px(x + dx * r), Px(y + dy * r)));
            places.collect::<Vec<_>>().join(" ")
        };
        let points = match self.shape % 4 {
            0 => {
                let (x, y, r) = (Px(x), Px(y), Px(r));
                canvas.raw(format_args!(
                    r#"<circle class="point" cx="{x}" cy="{y}" r="{r}" {style}>{tip}</circle>"#
                ));
                return;
            }
            1 => path(&[(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)]),
            2 => path(&[(0.0, -1.2), (1.12, 0.85), (-1.12, 0.85)]),
            _ => path(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
        };
        canvas.raw(format_args!(
            r#"<polygon class="point" points="{points}" {style}>{tip}</polygon>"#
        ));
    }
}

/// The frame of a chart with its axes.
struct Frame {
    x: Axis,
    y: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn grid(&self, canvas: &mut Canvas, y_ticks: &[(f64, String)], unit: &str) {
        let pen = Pen { colour: GRID, width: 1.0, dash: "" };
        for (value, text) in y_ticks {
            let y = self.y.place(*value);
            canvas.line((self.left, y), (self.right, y), &pen);
            canvas.text(self.left - 8.0, y + 4.3, Anchor::End, TICK, &format!("{text}{unit}"));
        }
        for (value, text) in self.x.ticks() {
            let x = self.x.place(value);
            canvas.line((x, self.top), (x, self.bottom), &pen);
            canvas.text(x, self.bottom + 19.0, Anchor::Middle, TICK, &text);
        }
        let pen = Pen { colour: FRAME, width: 1.2, dash: "" };
        canvas.line((self.left, self.bottom), (self.right, self.bottom), &pen);
        canvas.line((self.left, self.top), (self.left, self.bottom), &pen);
    }

    fn shade<'a>(
        &self,
        canvas: &mut Canvas,
        points: impl Iterator<Item = &'a Point>,
        colour: &str,
    ) {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for point in points {
            let (low, high) = point.interval();
            let x = self.x.place(point.x);
            lower.push((x, self.y.place_inside(low)));
            upper.push((x, self.y.place_inside(high)));
        }
        upper.extend(lower.into_iter().rev());
        if upper.len() > 2 {
            canvas.area(&upper, colour);
        }
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        series: &Series,
        points: &[Point],
        marker: Marker,
        shift: f64,
    ) {
        let place = |point: &Point| (self.x.place(point.x) + shift, self.y.place(point.y));
        let colour = marker.colour;
        if matches!(series.style, SeriesStyle::Line | SeriesStyle::Markers) {
            for point in points {
                self.error_bar(canvas, point, colour, shift);
            }
        }
        let places: Vec<(f64, f64)> = points.iter().map(place).collect();
        if places.len() > 1 {
            match series.style {
                SeriesStyle::Line | SeriesStyle::Band => canvas.polyline(&places, &solid(colour)),
                SeriesStyle::Dashed => canvas.polyline(&places, &dashed(colour)),
                SeriesStyle::Markers => {}
            }
        }
        // A band may have thousands of points, but a single one would not show at all.
        if series.style == SeriesStyle::Band && points.len() > 1 {
            return;
        }
        for (point, &at) in points.iter().zip(&places) {
            let tip = tip(&series.name, point);
            marker.draw(canvas, at, series.style == SeriesStyle::Dashed, &tip);
        }
    }

    /// An interval with caps; an end beyond the frame has none.
    fn error_bar(&self, canvas: &mut Canvas, point: &Point, colour: &str, shift: f64) {
        let (low, high) = point.interval();
        if low >= high {
            return;
        }
        let x = self.x.place(point.x) + shift;
        let (from, to) = (self.y.place_inside(low), self.y.place_inside(high));
        let pen = Pen { colour, width: 1.4, dash: "" };
        canvas.line((x, from), (x, to), &pen);
        for (end, y) in [(low, from), (high, to)] {
            if self.y.holds(end) {
                canvas.line((x - 4.5, y), (x + 4.5, y), &pen);
            }
        }
    }
}

/// What a point says when pointed at.
fn tip(name: &str, point: &Point) -> String {
    let short = |value: f64| {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').replace('-', "\u{2212}")
    };
    let mut text = format!("{name}: {} at {}", short(point.y), short(point.x));
    let (low, high) = point.interval();
    if low < high {
        text.push_str(&format!(", 95 % from {} to {}", short(low), short(high)));
    }
    text.trim_start_matches(": ").to_owned()
}

#[cfg(test)]
mod tests;
