//! Roots of continuous functions that change sign between two known points.

use super::StatsError;

/// A root of `f` between `low` and `high`, where `f` must have opposite signs (or be zero).
///
/// T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a
/// nonlinear function without using derivatives", Advances in Engineering Software 28 (1997):
/// inverse quadratic interpolation where it is safe, bisection elsewhere, so never worse than
/// bisection by more than a constant factor. Ends when the bracket is as narrow as `f64` allows
/// around the root, or at 300 evaluations.
///
/// # Errors
/// [`StatsError::Undefined`] if `f` has the same sign at both ends or is not a number at one.
pub fn bracketed(
    what: &str,
    mut f: impl FnMut(f64) -> f64,
    low: f64,
    high: f64,
) -> Result<f64, StatsError> {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    if fa == 0.0 {
        return Ok(a);
    }
    if fb == 0.0 {
        return Ok(b);
    }
    if fa.is_nan() || fb.is_nan() || (fa > 0.0) == (fb > 0.0) {
        return Err(StatsError::undefined(
            what,
            format!("no sign change between {low} and {high}, so no value in that range fits"),
        ));
    }
    let mut fraction = 0.5;
    for _ in 0..300 {
        let x = a + fraction * (b - a);
        let fx = f(x);
        let (c, fc) = if (fx > 0.0) == (fa > 0.0) {
            (a, fa)
        } else {
            let replaced = (b, fb);
            (b, fb) = (a, fa);
            replaced
        };
        (a, fa) = (x, fx);
        let (best, best_value) = if fa.abs() < fb.abs() {
            (a, fa)
        } else {
            (b, fb)
        };
        let tolerance = 2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE;
        let limit = tolerance / (b - a).abs();
        if limit > 0.5 || best_value == 0.0 {
            return Ok(best);
        }
        let xi = (a - b) / (c - b);
        let phi = (fa - fb) / (fc - fb);
        // Interpolate only where the three points are monotone enough (Chandrupatla, eq. 4).
        fraction = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        } else {
            0.5
        };
        fraction = fraction.clamp(limit, 1.0 - limit);
    }
    Ok(if fa.abs() < fb.abs() { a } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_to_the_last_bits() {
        let root = bracketed("x", |x| x * x - 2.0, 0.0, 2.0).unwrap();
        assert!((root - 2.0_f64.sqrt()).abs() < 1e-15, "{root}");
        let tiny = bracketed("x", |x| x - 1e-30, 0.0, 1.0).unwrap();
        assert!((tiny / 1e-30 - 1.0).abs() < 1e-12, "{tiny}");
        let cubic = bracketed("x", |x| (x - 0.3).powi(3), 0.0, 1.0).unwrap();
        assert!((cubic - 0.3).abs() < 1e-5, "{cubic}");
    }

    #[test]
    fn an_end_may_be_the_root_and_no_sign_change_is_an_error() {
        assert_eq!(bracketed("x", |x| x, 0.0, 1.0), Ok(0.0));
        assert_eq!(bracketed("x", |x| x - 1.0, 0.0, 1.0), Ok(1.0));
        assert!(bracketed("x", |x| x + 1.0, 0.0, 1.0).is_err());
        assert!(bracketed("x", |_| f64::NAN, 0.0, 1.0).is_err());
    }
}
