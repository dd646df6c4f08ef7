//! Group sequential designs: how far a statistic must be out at each of a few planned looks.
//!
//! P. Armitage, C. K. `McPherson`, B. C. Rowe (1969): the joint law of the statistic at the looks is
//! that of a Brownian motion at the information rates; the part that has not yet crossed a boundary
//! is carried from look to look by numerical integration (C. Jennison and B. W. Turnbull, "Group
//! Sequential Methods", 1999, chapter 19). Conventions as in R's rpact, without a futility stop.

use super::StatsError;
use super::distributions::{
    ln_normal_sf, normal_cdf, normal_pdf, normal_sf, normal_upper_quantile,
};
use super::error::open_unit;
use super::root;

/// The most looks a design may have: the work grows with the cube of their number (5 looks take
/// some 20 ms, 50 take seconds).
pub const MAX_LOOKS: usize = 50;

/// How the error is shared among the looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Design {
    /// The same critical value at every look (S. J. Pocock 1977).
    Pocock,
    /// Critical values that fall as `1 / sqrt(information)` (P. C. O'Brien, T. R. Fleming 1979).
    OBrienFleming,
    /// Error spent as `alpha ln(1 + (e - 1) t)` (K. K. G. Lan, D. L. `DeMets` 1983).
    SpendingPocock,
    /// Error spent as `2 - 2 Phi(z / sqrt t)` (Lan and `DeMets` 1983).
    SpendingOBrienFleming,
}

/// The boundaries of a group sequential test.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Boundaries {
    /// The critical value of the standardised statistic at each look (its absolute value if the
    /// test is two-sided).
    pub critical_z: Vec<f64>,
    /// The probability under H0 of having crossed by each look; both sides together.
    pub alpha_spent: Vec<f64>,
    /// The one-sided tail of each critical value.
    pub stage_levels_one_sided: Vec<f64>,
}

/// The boundaries for looks at these information rates (shares of the planned sample, rising, the
/// last one 1) with error `alpha`, one-sided or two-sided.
///
/// # Errors
/// When there are no looks or more than [`MAX_LOOKS`], the rates do not rise to 1, or `alpha` is
/// not in (0, 1) (below 1/2 if one-sided).
pub fn group_sequential(
    design: Design,
    information: &[f64],
    alpha: f64,
    two_sided: bool,
) -> Result<Boundaries, StatsError> {
    check_information(information)?;
    open_unit("alpha", alpha)?;
    if !two_sided && alpha >= 0.5 {
        return Err(StatsError::argument(
            "alpha",
            alpha,
            "below 1/2 for a one-sided test",
        ));
    }
    let critical_z = match design {
        Design::Pocock | Design::OBrienFleming => {
            let shape: Vec<f64> = information
                .iter()
                .map(|t| {
                    if design == Design::Pocock {
                        1.0
                    } else {
                        1.0 / t.sqrt()
                    }
                })
                .collect();
            scaled_to(&shape, information, alpha, two_sided)?
        }
        Design::SpendingPocock | Design::SpendingOBrienFleming => {
            spent_at_each(design, information, alpha, two_sided)?
        }
    };
    let mut process = Process::new(two_sided);
    let mut spent = 0.0;
    let mut alpha_spent = Vec::with_capacity(information.len());
    for (t, z) in information.iter().zip(&critical_z) {
        spent += process.crossing(*t, *z);
        alpha_spent.push(spent);
        process.advance(*t, *z);
    }
    Ok(Boundaries {
        stage_levels_one_sided: critical_z.iter().map(|z| normal_sf(*z)).collect(),
        critical_z,
        alpha_spent,
    })
}

/// Rates of equally spaced looks.
///
/// # Errors
/// When `looks` is 0 or above [`MAX_LOOKS`].
pub fn equal_information(looks: u64) -> Result<Vec<f64>, StatsError> {
    let count = u32::try_from(looks)
        .ok()
        .filter(|looks| *looks >= 1 && *looks as usize <= MAX_LOOKS)
        .ok_or_else(|| {
            StatsError::argument("looks", looks, format!("between 1 and {MAX_LOOKS}"))
        })?;
    Ok((1..=count)
        .map(|look| f64::from(look) / f64::from(count))
        .collect())
}

fn check_information(information: &[f64]) -> Result<(), StatsError> {
    let bad = |value: String, expected: &str| {
        Err(StatsError::argument("information_rates", value, expected))
    };
    if information.is_empty() || information.len() > MAX_LOOKS {
        return bad(
            format!("a list of {}", information.len()),
            "a list of 1 to 50 rates",
        );
    }
    let mut before = 0.0;
    for rate in information {
        if !(*rate > before && *rate <= 1.0) {
            return bad(rate.to_string(), "a list of rising rates in (0, 1]");
        }
        before = *rate;
    }
    if before < 1.0 {
        return bad(before.to_string(), "a list of rates whose last one is 1");
    }
    Ok(())
}

/// Critical values proportional to `shape` with total error `alpha`.
fn scaled_to(
    shape: &[f64],
    information: &[f64],
    alpha: f64,
    two_sided: bool,
) -> Result<Vec<f64>, StatsError> {
    // The last boundary alone spends less than alpha at this value; it spends at most the sum of
    // all at the larger one.
    let one_sided = if two_sided { alpha / 2.0 } else { alpha };
    let looks = f64::from(u32::try_from(shape.len()).unwrap_or(u32::MAX));
    let low = normal_upper_quantile(one_sided)? - 1e-9;
    let high = normal_upper_quantile(one_sided / looks)? + 1e-9;
    let total = |c: f64| {
        let mut process = Process::new(two_sided);
        let mut spent = 0.0;
        for (t, s) in information.iter().zip(shape) {
            spent += process.crossing(*t, c * s);
            process.advance(*t, c * s);
        }
        spent - alpha
    };
    let c = root::bracketed("alpha", total, low, high)?;
    Ok(shape.iter().map(|s| c * s).collect())
}

/// Critical values that spend a given error at each look.
fn spent_at_each(
    design: Design,
    information: &[f64],
    alpha: f64,
    two_sided: bool,
) -> Result<Vec<f64>, StatsError> {
    let sides = if two_sided { 2.0 } else { 1.0 };
    let spending = |t: f64| -> Result<f64, StatsError> {
        if design == Design::SpendingPocock {
            return Ok(alpha * libm::log1p((std::f64::consts::E - 1.0) * t));
        }
        let z = normal_upper_quantile(alpha / (2.0 * sides))?;
        Ok(2.0 * sides * normal_sf(z / t.sqrt()))
    };
    let mut process = Process::new(two_sided);
    let mut spent = 0.0;
    let mut critical = Vec::with_capacity(information.len());
    for t in information {
        let target = spending(*t)?;
        let share = target - spent;
        // Beyond 38 a normal tail is below the smallest f64.
        let excess = |z: f64| process.crossing(*t, z) - share;
        if share < 1e-300 {
            return Err(StatsError::argument(
                "information_rates",
                t,
                "late enough for the look to spend an error that can be represented",
            ));
        }
        let z = if critical.is_empty() {
            normal_upper_quantile(share / sides)?
        } else {
            root::bracketed("information_rates", excess, -8.0, 38.0)?
        };
        process.advance(*t, z);
        spent = target;
        critical.push(z);
    }
    Ok(critical)
}

/// The law of the Brownian motion over the paths that have not crossed yet, as weighted points.
struct Process {
    two_sided: bool,
    time: f64,
    /// Position and probability mass; empty before the first look.
    points: Vec<(f64, f64)>,
}

impl Process {
    fn new(two_sided: bool) -> Self {
        Self {
            two_sided,
            time: 0.0,
            points: Vec::new(),
        }
    }

    /// The probability of crossing at time `t`, where the boundary is at standardised value `z`.
    fn crossing(&self, t: f64, z: f64) -> f64 {
        let boundary = z * t.sqrt();
        if self.points.is_empty() {
            return libm::exp(ln_normal_sf(z)) * if self.two_sided { 2.0 } else { 1.0 };
        }
        let deviation = (t - self.time).sqrt();
        self.points
            .iter()
            .map(|(position, mass)| {
                let above = normal_sf((boundary - position) / deviation);
                let below = if self.two_sided {
                    normal_cdf((-boundary - position) / deviation)
                } else {
                    0.0
                };
                mass * (above + below)
            })
            .sum()
    }

    /// Moves on to time `t`, dropping what crosses the boundary there.
    fn advance(&mut self, t: f64, z: f64) {
        // Nine standard deviations hold all but 1e-19 of the paths.
        let far = 9.0 * t.sqrt();
        let high = (z * t.sqrt()).min(far);
        let low = if self.two_sided { -high } else { -far };
        let deviation = (t - self.time).sqrt();
        // Panels no wider than one step's standard deviation: the density is smooth on that scale.
        let panels = ((high - low) / deviation).ceil().clamp(1.0, 2000.0);
        let width = (high - low).max(0.0) / panels;
        let mut points = Vec::new();
        let mut left = low;
        while left < high - 0.5 * width {
            for (node, weight) in GAUSS_10 {
                for node in [-node, node] {
                    let position = left + 0.5 * width * (1.0 + node);
                    let mass = 0.5 * width * weight * self.density(position, deviation);
                    points.push((position, mass));
                }
            }
            left += width;
        }
        self.points = points;
        self.time = t;
    }

    /// The density at `position` after one more step.
    fn density(&self, position: f64, deviation: f64) -> f64 {
        if self.points.is_empty() {
            return normal_pdf(position / deviation) / deviation;
        }
        self.points
            .iter()
            .map(|(from, mass)| mass * normal_pdf((position - from) / deviation))
            .sum::<f64>()
            / deviation
    }
}

/// Ten-point Gauss-Legendre rule on [-1, 1]: positive nodes and weights (Abramowitz and Stegun,
/// table 25.4).
const GAUSS_10: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

#[cfg(test)]
mod tests {
    use super::super::distributions::normal_quantile;
    use super::*;

    #[test]
    fn one_look_is_the_ordinary_test() {
        for design in [
            Design::Pocock,
            Design::OBrienFleming,
            Design::SpendingPocock,
            Design::SpendingOBrienFleming,
        ] {
            let two = group_sequential(design, &[1.0], 0.05, true).unwrap();
            assert!((two.critical_z[0] - 1.959_963_984_540_054).abs() < 1e-8);
            let one = group_sequential(design, &[1.0], 0.05, false).unwrap();
            assert!((one.critical_z[0] - normal_quantile(0.95).unwrap()).abs() < 1e-8);
            assert!((one.alpha_spent[0] - 0.05).abs() < 1e-10);
        }
    }

    #[test]
    fn many_unequal_looks_spend_exactly_alpha() {
        let rates = [0.02, 0.05, 0.3, 0.31, 0.7, 0.99, 1.0];
        for design in [
            Design::Pocock,
            Design::OBrienFleming,
            Design::SpendingPocock,
        ] {
            for two_sided in [false, true] {
                let bounds = group_sequential(design, &rates, 0.05, two_sided).unwrap();
                let last = bounds.alpha_spent.last().unwrap();
                assert!((last - 0.05).abs() < 1e-9, "{design:?} {last}");
                assert!(bounds.alpha_spent.windows(2).all(|w| w[0] < w[1]));
            }
        }
    }

    #[test]
    fn bad_designs_name_the_argument() {
        let error = |rates: &[f64], alpha: f64, two: bool| {
            group_sequential(Design::Pocock, rates, alpha, two)
                .unwrap_err()
                .to_string()
        };
        for rates in [&[][..], &[0.5], &[0.5, 0.5, 1.0], &[0.0, 1.0], &[0.5, 1.1]] {
            assert!(error(rates, 0.05, true).contains("`information_rates`"));
        }
        assert!(error(&[f64::NAN, 1.0], 0.05, true).contains("`information_rates`"));
        assert!(error(&[1.0], 0.0, true).contains("`alpha`"));
        assert!(error(&[1.0], 0.6, false).contains("`alpha`"));
        assert!(equal_information(0).is_err() && equal_information(51).is_err());
    }
}
