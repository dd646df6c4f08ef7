//! Tails of nearly normal densities with large parameters, by Gauss-Legendre quadrature.

use std::sync::OnceLock;

const POINTS: usize = 20;
const PANELS: u32 = 5;
/// Where the integrand has fallen to exp(-45), 3e-20 of its start, nothing is left to add.
const DEPTH: f64 = 45.0;

/// `ln` of the integral from 0 to infinity of `exp(exponent(v))` dv, where
/// `exponent(v) = -(slope v + curvature v^2 / 2) + smaller terms`, concave, `exponent(0) = 0`,
/// `slope >= 0`.
///
/// The exponent is near a parabola on the whole range, so five panels of twenty points are exact
/// to rounding.
pub(super) fn ln_tail_integral(slope: f64, curvature: f64, exponent: impl Fn(f64) -> f64) -> f64 {
    let slope = slope.max(0.0);
    let range = 2.0 * DEPTH / (slope + (slope * slope + 2.0 * DEPTH * curvature).sqrt());
    let half = range / f64::from(2 * PANELS);
    let mut sum = 0.0;
    for panel in 0..PANELS {
        let middle = half * f64::from(2 * panel + 1);
        for &(node, weight) in nodes() {
            sum += weight
                * (libm::exp(exponent(middle - half * node))
                    + libm::exp(exponent(middle + half * node)));
        }
    }
    libm::log(sum * half)
}

/// The positive nodes and their weights on `[-1, 1]`, from Newton's method on the Legendre
/// polynomial (Abramowitz and Stegun 25.4.29).
fn nodes() -> &'static [(f64, f64); POINTS / 2] {
    static NODES: OnceLock<[(f64, f64); POINTS / 2]> = OnceLock::new();
    NODES.get_or_init(|| {
        let mut result = [(0.0, 0.0); POINTS / 2];
        let mut index = 0.0;
        let degree = 20.0;
        for entry in &mut result {
            let mut x = libm::cos(std::f64::consts::PI * (index + 0.75) / (degree + 0.5));
            let mut derivative = 1.0;
            for _ in 0..10 {
                let (mut previous, mut current, mut order) = (1.0, x, 1.0);
                while order < degree {
                    (previous, current) = (
                        current,
                        ((2.0 * order + 1.0) * x * current - order * previous) / (order + 1.0),
                    );
                    order += 1.0;
                }
                derivative = degree * (x * current - previous) / (x * x - 1.0);
                x -= current / derivative;
            }
            *entry = (x, 2.0 / ((1.0 - x * x) * derivative * derivative));
            index += 1.0;
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_polynomials_exactly_and_a_half_normal() {
        let weights: f64 = nodes().iter().map(|n| 2.0 * n.1).sum();
        let fourth: f64 = nodes().iter().map(|n| 2.0 * n.1 * n.0.powi(4)).sum();
        assert!((weights - 2.0).abs() < 1e-14, "{weights}");
        assert!((fourth - 0.4).abs() < 1e-14, "{fourth}");
        let half_normal = ln_tail_integral(0.0, 1.0, |v| -0.5 * v * v);
        let exact = 0.5 * libm::log(std::f64::consts::FRAC_PI_2);
        assert!((half_normal - exact).abs() < 1e-14, "{half_normal}");
    }
}
