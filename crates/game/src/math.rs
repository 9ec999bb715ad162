//! Functions whose bits must be the same on every machine.
//!
//! The platform's `ln` may differ in the last bit between systems, and one bit can change which
//! move a search selects. `sqrt` and the four operations are exact by IEEE 754; `ln` is not, so it
//! is built here from them.

use std::f64::consts::{LN_2, SQRT_2};

/// Natural logarithm of a positive, finite, normal number, built from exact operations only;
/// within 2e-15 of the true value, relative to the larger of that value and 1.
///
/// `x = m · 2^e` with `m` in `[√½, √2]`, and `ln m = 2 artanh((m − 1) / (m + 1))` by its series.
#[inline]
#[must_use]
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0, "ln({x})");
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let z2 = z * z;
    // |z| <= 0.1716, so the first term left out, z^21 / 21, is below 4e-18.
    let mut series = 1.0 / 19.0;
    for k in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        series = series * z2 + 1.0 / k;
    }
    series = series * z2 + 1.0;
    exponent as f64 * LN_2 + 2.0 * z * series
}

/// The exponential function, built from exact operations only; within 1e-6 of the true value,
/// relative. What is too small for a normal number is 0; what is too large is infinite.
///
/// `x = k ln 2 + r` with `|r| <= ln 2 / 2`, and `e^r` by its series.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    if x < -87.0 {
        return 0.0;
    }
    if x > 88.0 {
        return f32::INFINITY;
    }
    let x = f64::from(x);
    let k = (x / LN_2).round();
    let r = x - k * LN_2;
    let mut series = 1.0;
    for n in [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        series = series * r / n + 1.0;
    }
    let power = f64::from_bits(((1023 + k as i64) as u64) << 52);
    (series * power) as f32
}

/// The probability whose odds have the logarithm `x`.
#[inline]
#[must_use]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_to_the_platforms() {
        for i in -870_000..880_000 {
            let x = i as f32 * 1e-4;
            let (ours, theirs) = (exp(x), x.exp());
            assert!((ours - theirs).abs() <= 1e-6 * theirs, "exp {x}: {ours} {theirs}");
        }
        assert_eq!((exp(0.0), exp(-1000.0), exp(1000.0)), (1.0, 0.0, f32::INFINITY));
    }

    #[test]
    fn ln_is_close_to_the_platforms() {
        for i in 1..2_000_000u64 {
            let x = (i * i) as f64 * 0.37;
            let (ours, theirs) = (ln(x), x.ln());
            assert!(
                (ours - theirs).abs() <= 2e-15 * theirs.abs().max(1.0),
                "ln {x}: {ours} {theirs}"
            );
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(2.0), LN_2);
        assert_eq!(ln(1024.0), 10.0 * LN_2);
        assert_eq!((logistic(0.0), logistic(1000.0), logistic(-1000.0)), (0.5, 1.0, 0.0));
        // Odds of 3 to 1: ln 3 = 1.0986.
        assert!((logistic(1.098_612_3) - 0.75).abs() < 1e-6);
    }
}
