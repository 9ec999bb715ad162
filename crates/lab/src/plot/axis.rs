//! An axis: which numbers it shows, and where.

/// Numbers from `low` to `high`, drawn from one pixel to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    log: bool,
    pixels: (f64, f64),
}

/// There are at most about this many ticks.
const TICKS: f64 = 8.0;

impl Axis {
    /// An axis for these values, or for 0 to 1 if there are none. A logarithmic axis is for
    /// positive values; others are left out by the caller.
    pub(super) fn around(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = match (low <= high, log) {
            (false, false) => (0.0, 1.0),
            (false, true) => (1.0, 10.0),
            (true, _) => (low, high),
        };
        Self { low, high, log, pixels: (0.0, 1.0) }
    }

    /// With some room beyond the values on both sides: a share of the range.
    pub(super) fn with_room(mut self, share: f64) -> Self {
        let (low, high) = (self.scale(self.low), self.scale(self.high));
        // One value alone gets a range of its own size.
        let least = if self.log { 0.5 } else { (low.abs() * 0.1).max(1e-9) };
        let room = ((high - low) * share).max(if high > low { 0.0 } else { least });
        (self.low, self.high) = (self.unscale(low - room), self.unscale(high + room));
        self
    }

    /// Cut to these bounds, but never to nothing.
    pub(super) fn within(mut self, low: f64, high: f64) -> Self {
        let (cut_low, cut_high) = (self.low.max(low), self.high.min(high));
        if cut_low < cut_high {
            (self.low, self.high) = (cut_low, cut_high);
        }
        self
    }

    /// Drawn from one pixel to another.
    pub(super) fn on(mut self, from: f64, to: f64) -> Self {
        self.pixels = (from, to);
        self
    }

    fn scale(&self, value: f64) -> f64 {
        if self.log { value.log10() } else { value }
    }

    fn unscale(&self, value: f64) -> f64 {
        if self.log { 10f64.powf(value) } else { value }
    }

    /// The pixel of a value, which may lie outside.
    pub(super) fn place(&self, value: f64) -> f64 {
        let (low, high) = (self.scale(self.low), self.scale(self.high));
        let (from, to) = self.pixels;
        from + (to - from) * (self.scale(value) - low) / (high - low)
    }

    /// The pixel of a value, or of the nearest end of the axis.
    pub(super) fn place_inside(&self, value: f64) -> f64 {
        self.place(value.clamp(self.low, self.high))
    }

    /// Whether a value lies on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The ticks and their texts: steps of 1, 2 or 5 times a power of ten; on a logarithmic axis
    /// powers of ten, with 2 and 5 times them where there are few.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let values = if self.log { self.log_ticks() } else { Vec::new() };
        // Less than a decade without two round numbers is as good as linear.
        if values.len() >= 2 {
            return values
                .into_iter()
                .map(|value| (value, number(value, decimals(value))))
                .collect();
        }
        let step = round_step((self.high - self.low) / TICKS);
        let first = (self.low / step - 1e-9).ceil();
        let count = (self.high / step + 1e-9).floor() - first;
        // Counted and not added up, so that zero is zero.
        let ticks = (0..=count.clamp(0.0, 100.0) as u32).map(|i| (first + f64::from(i)) * step);
        ticks.map(|value| (value, number(value, decimals(step)))).collect()
    }

    fn log_ticks(&self) -> Vec<f64> {
        let (low, high) = (self.low.log10(), self.high.log10());
        let decades = high - low;
        let mantissas: &[f64] = match decades {
            ..3.2 => &[1.0, 2.0, 5.0],
            ..4.2 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let every = (decades / TICKS).ceil().max(1.0) as i32;
        let powers = low.floor() as i32..=high.ceil() as i32;
        powers
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| mantissas.iter().map(move |m| m * 10f64.powi(power)))
            .filter(|value| (self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9)).contains(value))
            .collect()
    }
}

/// The next larger step of 1, 2 or 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(least)
}

/// How many decimals a step needs; those of 1, 2 and 5 need only their power.
fn decimals(step: f64) -> usize {
    (-(step.abs().log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize
}

/// A number as people write it: a true minus, thousands as k.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let thousand = value.abs() >= 1000.0 && value % 100.0 == 0.0;
    let text = match value.abs() {
        0.0 => "0".to_owned(),
        1e6.. if value % 1e5 == 0.0 => format!("{}M", value / 1e6),
        10_000.0.. if thousand => format!("{}k", value / 1e3),
        ..1e-4 => format!("{value:e}"),
        _ => format!("{value:.decimals$}"),
    };
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, log: bool) -> Vec<String> {
        let axis = Axis::around([low, high].into_iter(), log);
        axis.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_numbers_that_people_like() {
        assert_eq!(texts(0.0, 100.0, false), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(-0.21, 0.2, false), ["−0.2", "−0.1", "0.0", "0.1", "0.2"].map(zero));
        assert_eq!(texts(47.0, 53.0, false), ["47", "48", "49", "50", "51", "52", "53"]);
        assert_eq!(texts(100.0, 20_000.0, true), TWO_DECADES);
        assert_eq!(texts(1.0, 1e6, true), ["1", "10", "100", "1000", "10k", "100k", "1M"]);
        assert_eq!(texts(3.1, 4.3, true), ["3.2", "3.4", "3.6", "3.8", "4.0", "4.2"]);
    }

    const TWO_DECADES: [&str; 8] = ["100", "200", "500", "1000", "2000", "5000", "10k", "20k"];

    fn zero(text: &str) -> String {
        if text == "0.0" { "0".to_owned() } else { text.to_owned() }
    }

    #[test]
    fn every_range_has_a_few_ticks() {
        for power in -9..9 {
            for mantissa in [1.0, 1.3, 2.7, 4.99, 7.0, 9.99] {
                let high = mantissa * 10f64.powi(power);
                let linear = texts(-0.3 * high, high, false).len();
                assert!((3..=9).contains(&linear), "{linear} ticks to {high}");
                let logarithmic = texts(high, high * 37.0, true).len();
                assert!((3..=10).contains(&logarithmic), "{logarithmic} ticks from {high}");
            }
        }
    }

    #[test]
    fn values_fall_on_their_pixels() {
        let axis = Axis::around([1.0, 100.0].into_iter(), true).on(0.0, 10.0);
        assert!((axis.place(10.0) - 5.0).abs() < 1e-9);
        assert!((axis.place_inside(1e9) - 10.0).abs() < 1e-9);
        let one = Axis::around([3.0].into_iter(), false).with_room(0.1).on(0.0, 10.0);
        assert!((one.place(3.0) - 5.0).abs() < 1e-9);
        assert!(one.holds(3.0) && !one.holds(4.0));
    }
}
