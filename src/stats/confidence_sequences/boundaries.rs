//! Boundaries that a sum of bounded observations crosses with probability at most alpha, ever.
//!
//! S. R. Howard, A. Ramdas, J. `McAuliffe`, J. Sekhon, "Time-uniform, nonparametric, nonasymptotic
//! confidence sequences", Annals of Statistics 49, 2021. Each mixture integrates an exponential
//! supermartingale over its tilt; the boundary is where the mixture reaches `1 / alpha`. A boundary
//! is tightest near the intrinsic time (variance) `v_opt` that it is tuned for.

use super::super::distributions::{Gamma, ln_beta, ln_gamma, ln_normal_sf};
use super::super::error::{StatsError, finite, open_unit, positive};
use super::super::{Interval, root};

/// The prior precision that makes the two-sided normal mixture tightest at `v_opt` (Howard et al.,
/// Proposition 3, by the approximation of their software).
fn two_sided_rho(v_opt: f64, alpha_opt: f64) -> f64 {
    let log = -2.0 * libm::log(alpha_opt);
    v_opt / (log + libm::log1p(log))
}

/// As [`two_sided_rho`] for a one-sided boundary. `alpha_opt` must be below 1/2.
fn one_sided_rho(v_opt: f64, alpha_opt: f64) -> f64 {
    two_sided_rho(v_opt, 2.0 * alpha_opt)
}

fn below_half(alpha_opt: f64) -> Result<f64, StatsError> {
    if alpha_opt > 0.0 && alpha_opt < 0.5 {
        Ok(alpha_opt)
    } else {
        Err(StatsError::argument(
            "alpha_opt",
            alpha_opt,
            "above 0 and below 1/2 for a one-sided boundary",
        ))
    }
}

/// The normal mixture boundary of a sub-Gaussian sum at intrinsic time `v` (Howard et al., eq. 14
/// two-sided, Proposition 6 one-sided).
///
/// # Errors
/// When `v` is negative or not finite, `v_opt` is not positive, or an error rate is not in (0, 1)
/// (`alpha_opt` below 1/2 if one-sided).
pub fn normal_mixture_bound(
    v: f64,
    alpha: f64,
    v_opt: f64,
    alpha_opt: f64,
    one_sided: bool,
) -> Result<f64, StatsError> {
    let v = intrinsic_time(v)?;
    open_unit("alpha", alpha)?;
    positive("v_opt", v_opt)?;
    let threshold = -libm::log(alpha);
    if !one_sided {
        open_unit("alpha_opt", alpha_opt)?;
        let rho = two_sided_rho(v_opt, alpha_opt);
        return Ok(((v + rho) * (libm::log1p(v / rho) + 2.0 * threshold)).sqrt());
    }
    let rho = one_sided_rho(v_opt, below_half(alpha_opt)?);
    mixture_root(v, threshold, |s| {
        0.5 * libm::log(4.0 * rho / (v + rho))
            + s * s / (2.0 * (v + rho))
            + ln_normal_sf(-s / (v + rho).sqrt())
    })
}

/// The gamma-exponential mixture boundary of a sub-exponential sum with scale `c` (Howard et al.,
/// Proposition 9); one-sided. With `c = 1` it bounds sums of observations in `[0, 1]` by their
/// empirical variance.
///
/// # Errors
/// When `v` is negative or not finite, `v_opt` or `c` is not positive, `alpha` is not in (0, 1) or
/// `alpha_opt` not in (0, 1/2).
pub fn gamma_exponential_mixture_bound(
    v: f64,
    alpha: f64,
    v_opt: f64,
    c: f64,
    alpha_opt: f64,
) -> Result<f64, StatsError> {
    let v = intrinsic_time(v)?;
    open_unit("alpha", alpha)?;
    positive("v_opt", v_opt)?;
    positive("c", c)?;
    let c2 = c * c;
    let prior = one_sided_rho(v_opt, below_half(alpha_opt)?) / c2;
    let shape = v / c2 + prior;
    let prior_law = Gamma::new(prior)?;
    let law = Gamma::new(shape)?;
    let constant =
        prior * libm::log(prior) - ln_gamma(prior) - prior_law.ln_tails(prior).0 + ln_gamma(shape);
    mixture_root(v, -libm::log(alpha), |s| {
        let x = s / c + shape;
        constant + law.ln_tails(x).0 - shape * libm::log(x) + (x - prior)
    })
}

/// The polynomial stitching boundary (Howard et al., Theorem 1): closed form, grows like the law
/// of the iterated logarithm. `c` is the sub-gamma scale (0 for sub-Gaussian), `s > 1` and
/// `eta > 1` shape it, and it is flat below `v_min`.
///
/// # Errors
/// When `v` or `c` is negative or not finite, `v_min` is not positive, `s` or `eta` is not above
/// 1, or `alpha` is not in (0, 1).
pub fn poly_stitching_bound(
    v: f64,
    alpha: f64,
    v_min: f64,
    c: f64,
    s: f64,
    eta: f64,
) -> Result<f64, StatsError> {
    let v = intrinsic_time(v)?;
    open_unit("alpha", alpha)?;
    positive("v_min", v_min)?;
    if !(c.is_finite() && c >= 0.0) {
        return Err(StatsError::argument("c", c, "a finite number, at least 0"));
    }
    for (name, value) in [("s", s), ("eta", eta)] {
        if !(value.is_finite() && value > 1.0) {
            return Err(StatsError::argument(name, value, "a finite number above 1"));
        }
    }
    let root_eta = eta.sqrt();
    // k1 = (eta^(1/4) + eta^(-1/4)) / sqrt 2, squared.
    let k1_squared = (root_eta + 2.0 + 1.0 / root_eta) / 2.0;
    let k2 = f64::midpoint(root_eta, 1.0);
    let v = v.max(v_min);
    let ln_eta = libm::log(eta);
    let level = s * libm::log(libm::log(eta * v / v_min)) + libm::log(zeta(s))
        - s * libm::log(ln_eta)
        - libm::log(alpha);
    let linear = k2 * c * level;
    Ok((k1_squared * v * level + linear * linear).sqrt() + linear)
}

/// A confidence sequence for a success probability from its counts (beta-binomial mixture, Howard
/// et al., Proposition 7, two-sided): valid at every number of trials at once.
///
/// `successes` may be fractional (a mean score times the number of trials). Tightest around
/// `t_opt` trials.
///
/// # Errors
/// When `n` is 0, `successes` is not in `[0, n]`, `t_opt` is not positive, or an error rate is not
/// in (0, 1).
pub fn beta_binomial_cs(
    successes: f64,
    n: u64,
    alpha: f64,
    t_opt: f64,
    alpha_opt: f64,
) -> Result<Interval, StatsError> {
    if n == 0 {
        return Err(StatsError::argument("n", n, "at least 1"));
    }
    #[expect(clippy::cast_precision_loss, reason = "trials stay far below 2^53")]
    let trials = n as f64;
    if !(successes >= 0.0 && successes <= trials) {
        return Err(StatsError::argument(
            "successes",
            successes,
            format!("between 0 and n = {n}"),
        ));
    }
    open_unit("alpha", alpha)?;
    positive("t_opt", t_opt)?;
    open_unit("alpha_opt", alpha_opt)?;
    let failures = trials - successes;
    // In units of p(1-p) the tuned prior weight is the same for every p.
    let weight = (two_sided_rho(t_opt, alpha_opt) - 1.0).max(1e-3);
    let excess = |p: f64| {
        let (a, b) = (weight * p, weight * (1.0 - p));
        -successes * libm::log(p) - failures * libm::log1p(-p)
            + ln_beta(a + successes, b + failures)
            - ln_beta(a, b)
            + libm::log(alpha)
    };
    let mean = successes / trials;
    // The mixture grows away from the mean on either side; it need not reach the threshold before
    // the end, and then the end is the bound.
    let side = |end: f64| {
        if excess(end) <= 0.0 || excess(mean.clamp(EDGE, 1.0 - EDGE)) >= 0.0 {
            return Ok(end.round());
        }
        root::bracketed("successes", excess, mean.clamp(EDGE, 1.0 - EDGE), end)
    };
    Ok(Interval::new(
        if successes > 0.0 { side(EDGE)? } else { 0.0 },
        if failures > 0.0 {
            side(1.0 - EDGE)?
        } else {
            1.0
        },
    ))
}

/// Probabilities closer to 0 or 1 than this count as the end itself.
const EDGE: f64 = 1e-12;

fn intrinsic_time(v: f64) -> Result<f64, StatsError> {
    if finite("v", v)? >= 0.0 {
        Ok(v)
    } else {
        Err(StatsError::argument("v", v, "at least 0"))
    }
}

/// The `s >= 0` at which a mixture that grows with `s` reaches the threshold.
fn mixture_root(
    v: f64,
    threshold: f64,
    log_mixture: impl Fn(f64) -> f64,
) -> Result<f64, StatsError> {
    let excess = |s: f64| log_mixture(s) - threshold;
    let mut high = v.max(1.0);
    for _ in 0..60 {
        if excess(high) > 0.0 {
            return root::bracketed("v", excess, 0.0, high);
        }
        high *= 2.0;
    }
    Err(StatsError::argument("v", v, "small enough for a boundary"))
}

/// Riemann's zeta function for `s > 1`: forty terms, then Euler and Maclaurin's formula (DLMF
/// 25.2.9).
fn zeta(s: f64) -> f64 {
    let n = 40.0;
    let mut sum = 0.0;
    let mut k = 1.0;
    while k < n {
        sum += libm::pow(k, -s);
        k += 1.0;
    }
    let power = libm::pow(n, -s);
    sum + power * n / (s - 1.0) + 0.5 * power + s * power / (12.0 * n)
        - s * (s + 1.0) * (s + 2.0) * power / (720.0 * n * n * n)
        + s * (s + 1.0) * (s + 2.0) * (s + 3.0) * (s + 4.0) * power / (30_240.0 * n * n * n * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_has_its_known_values() {
        let pi = std::f64::consts::PI;
        assert!((zeta(2.0) - pi * pi / 6.0).abs() < 1e-14);
        assert!((zeta(4.0) - pi * pi * pi * pi / 90.0).abs() < 1e-14);
        assert!((zeta(1.4) - 3.105_547_277_580_274).abs() < 1e-6);
    }

    #[test]
    fn boundaries_grow_with_time_and_with_certainty() {
        type Bound = fn(f64, f64) -> Result<f64, StatsError>;
        let bounds: [Bound; 4] = [
            |v, alpha| normal_mixture_bound(v, alpha, 50.0, 0.05, true),
            |v, alpha| normal_mixture_bound(v, alpha, 50.0, 0.05, false),
            |v, alpha| gamma_exponential_mixture_bound(v, alpha, 50.0, 1.0, 0.05),
            |v, alpha| poly_stitching_bound(v, alpha, 10.0, 0.5, 1.4, 2.0),
        ];
        for bound in bounds {
            let mut before = 0.0;
            for v in [0.0, 1.0, 30.0, 1e3, 1e5, 1e7] {
                let value = bound(v, 0.05).unwrap();
                assert!(value >= before, "{v}: {value}");
                assert!(bound(v, 0.001).unwrap() > value);
                before = value;
            }
            for bad in [-1.0, f64::NAN, f64::INFINITY] {
                assert!(bound(bad, 0.05).unwrap_err().to_string().contains("`v`"));
            }
            assert!(bound(1.0, 0.0).unwrap_err().to_string().contains("`alpha`"));
        }
        assert!(gamma_exponential_mixture_bound(1.0, 0.05, 25.0, 1.0, 0.5).is_err());
        assert!(poly_stitching_bound(1.0, 0.05, 10.0, 0.0, 1.0, 2.0).is_err());
    }

    #[test]
    fn the_beta_binomial_sequence_is_wider_than_a_fixed_interval_and_holds_the_mean() {
        for (successes, n) in [
            (0.0, 40_u32),
            (13.0, 40),
            (40.0, 40),
            (600_000.0, 1_000_000),
        ] {
            let interval = beta_binomial_cs(successes, n.into(), 0.05, 100.0, 0.05).unwrap();
            let mean = successes / f64::from(n);
            assert!(interval.contains(mean), "{interval:?}");
            assert!(interval.low >= 0.0 && interval.high <= 1.0);
            let half = 1.96 * (mean * (1.0 - mean) / f64::from(n)).sqrt();
            assert!(interval.width() > 2.0 * half);
        }
        assert!(beta_binomial_cs(0.0, 0, 0.05, 100.0, 0.05).is_err());
        assert!(beta_binomial_cs(f64::NAN, 5, 0.05, 100.0, 0.05).is_err());
        assert!(beta_binomial_cs(6.0, 5, 0.05, 100.0, 0.05).is_err());
    }
}
