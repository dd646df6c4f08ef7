//! Power and sample size for tests of proportions.
//!
//! Sample sizes are not rounded unless the method says exact. What a sweep with blocks can detect
//! is in [`super::blocks`].
#![expect(
    clippy::cast_precision_loss,
    reason = "counts are checked to be at most 2^53, where f64 is exact"
)]

use super::distributions::{Binomial, normal_sf, normal_upper_quantile};
use super::effect_sizes::cohens_h;
use super::error::{count_of, open_unit, positive, probability};
use super::root::bracketed;
use super::{Alternative, StatsError};

/// Power of the test of one proportion on the arcsine scale: effect `h` of `p1` against `p0`,
/// standard error `1 / sqrt(n)`. Two-sided counts both tails. (Cohen 1988, section 6.4.)
///
/// # Errors
/// [`StatsError::Argument`] if a rate is not in `[0, 1]`, `n` is not positive or `alpha` is not
/// inside (0, 1).
pub fn power_one_prop_arcsine(
    p0: f64,
    p1: f64,
    n: f64,
    alpha: f64,
    alternative: Alternative,
) -> Result<f64, StatsError> {
    probability("p0", p0)?;
    let h = cohens_h(p1, p0)?;
    positive("n", n)?;
    arcsine_power(h * n.sqrt(), alpha, alternative)
}

/// Power of the test of two proportions on the arcsine scale: standard error
/// `sqrt(2 / n_per_group)`. Two-sided counts both tails.
///
/// # Errors
/// As [`power_one_prop_arcsine`].
pub fn power_two_prop_arcsine(
    p1: f64,
    p2: f64,
    n_per_group: f64,
    alpha: f64,
    alternative: Alternative,
) -> Result<f64, StatsError> {
    let h = cohens_h(p1, p2)?;
    positive("n_per_group", n_per_group)?;
    arcsine_power(h * (0.5 * n_per_group).sqrt(), alpha, alternative)
}

fn arcsine_power(shift: f64, alpha: f64, alternative: Alternative) -> Result<f64, StatsError> {
    open_unit("alpha", alpha)?;
    let critical = normal_upper_quantile(alpha / alternative.sides())?;
    Ok(match alternative {
        Alternative::TwoSided => normal_sf(critical - shift) + normal_sf(critical + shift),
        Alternative::Greater => normal_sf(critical - shift),
        Alternative::Less => normal_sf(critical + shift),
    })
}

/// The `n` at which [`power_one_prop_arcsine`] reaches `power`.
///
/// # Errors
/// As there; also [`StatsError::Undefined`] if no `n` reaches it: equal rates, the wrong direction,
/// or a power that is already exceeded without any game.
pub fn sample_size_one_prop_arcsine(
    p0: f64,
    p1: f64,
    power: f64,
    alpha: f64,
    alternative: Alternative,
) -> Result<f64, StatsError> {
    probability("p0", p0)?;
    let h = cohens_h(p1, p0)?;
    open_unit("power", power)?;
    open_unit("alpha", alpha)?;
    let wrong_way = match alternative {
        Alternative::TwoSided => h == 0.0,
        Alternative::Greater => h <= 0.0,
        Alternative::Less => h >= 0.0,
    };
    if wrong_way {
        return Err(StatsError::undefined(
            "p1",
            "with this alternative no number of games tells it from `p0`",
        ));
    }
    if power <= alpha {
        return Err(power_below_alpha());
    }
    // At this n the one tail that matters has the power by itself.
    let enough = (normal_upper_quantile(alpha / alternative.sides())?.abs()
        + normal_upper_quantile(1.0 - power)?.abs()
        + 1.0)
        / h;
    let excess = |root_n: f64| {
        arcsine_power(h * root_n, alpha, alternative).map_or(f64::NAN, |value| value - power)
    };
    let root_n = bracketed("power", excess, 0.0, enough.abs())?;
    Ok(root_n * root_n)
}

fn power_below_alpha() -> StatsError {
    StatsError::undefined(
        "power",
        "it is not above `alpha`, so no game is needed to reach it",
    )
}

fn normal_quantiles(power: f64, alpha: f64, sides: u64) -> Result<(f64, f64), StatsError> {
    open_unit("power", power)?;
    open_unit("alpha", alpha)?;
    if !(1..=2).contains(&sides) {
        return Err(StatsError::argument("sides", sides, "1 or 2"));
    }
    Ok((
        normal_upper_quantile(alpha / sides as f64)?,
        normal_upper_quantile(1.0 - power)?,
    ))
}

/// Games for the normal test of one proportion:
/// `((z_a sqrt(p0 q0) + z_b sqrt(p1 q1)) / (p1 - p0))^2`, `z_a` at `alpha / sides`.
///
/// # Errors
/// [`StatsError::Argument`] if a rate is not in `[0, 1]`, `power` or `alpha` is not inside (0, 1) or
/// `sides` is not 1 or 2; [`StatsError::Undefined`] if the rates are equal or the power is so low
/// that no game is needed.
pub fn sample_size_one_prop_normal(
    p0: f64,
    p1: f64,
    power: f64,
    alpha: f64,
    sides: u64,
) -> Result<f64, StatsError> {
    probability("p0", p0)?;
    probability("p1", p1)?;
    let (z_a, z_b) = normal_quantiles(power, alpha, sides)?;
    normal_sample_size(
        z_a * (p0 * (1.0 - p0)).sqrt() + z_b * (p1 * (1.0 - p1)).sqrt(),
        p1 - p0,
    )
}

/// Games in each of two groups for the normal test of two proportions, pooled variance under the
/// null hypothesis.
///
/// # Errors
/// As [`sample_size_one_prop_normal`].
pub fn sample_size_two_prop_normal(
    p1: f64,
    p2: f64,
    power: f64,
    alpha: f64,
    sides: u64,
) -> Result<f64, StatsError> {
    probability("p1", p1)?;
    probability("p2", p2)?;
    let (z_a, z_b) = normal_quantiles(power, alpha, sides)?;
    let pooled = 0.5 * (p1 + p2);
    normal_sample_size(
        z_a * (2.0 * pooled * (1.0 - pooled)).sqrt()
            + z_b * (p1 * (1.0 - p1) + p2 * (1.0 - p2)).sqrt(),
        p1 - p2,
    )
}

fn normal_sample_size(spread: f64, difference: f64) -> Result<f64, StatsError> {
    if difference == 0.0 {
        return Err(StatsError::undefined(
            "p1",
            "the two rates are equal, so no number of games tells them apart",
        ));
    }
    if spread <= 0.0 {
        return Err(power_below_alpha());
    }
    let root = spread / difference;
    Ok(root * root)
}

/// The exact one-sided binomial test of `p0` against a larger rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactPower {
    /// Reject from this number of successes on: the smallest with `P0(X >= k) <= alpha`.
    /// `n + 1` means that the test can never reject.
    pub k_crit: u64,
    /// The test's real error rate, at most `alpha`.
    pub size: f64,
    /// The probability of rejecting when the rate is `p1`.
    pub power: f64,
}

/// Critical value, size and power of the exact binomial test in the direction "greater".
///
/// # Errors
/// [`StatsError::Argument`] if `n` is 0 or above 2^53, a rate is not in `[0, 1]` or `alpha` is not
/// inside (0, 1).
pub fn power_exact_binomial_greater(
    n: u64,
    p0: f64,
    p1: f64,
    alpha: f64,
) -> Result<ExactPower, StatsError> {
    count_of("n", n, "n", n)?;
    probability("p0", p0)?;
    probability("p1", p1)?;
    open_unit("alpha", alpha)?;
    let null = Binomial::new(n, p0)?;
    let k_crit = null.upper_quantile(alpha)? + 1;
    Ok(ExactPower {
        k_crit,
        size: null.at_least(k_crit),
        power: Binomial::new(n, p1)?.at_least(k_crit),
    })
}

/// Numbers of games for the exact binomial test, whose power is saw-toothed in `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactSampleSize {
    /// The smallest number that reaches the power.
    pub n_first: u64,
    /// The smallest number from which on every larger one reaches it too.
    pub n_all_larger: u64,
}

/// More games than this are not searched: the normal formula is then as good.
const MAX_EXACT_GAMES: f64 = 10_000_000.0;

/// Games for the exact binomial test of `p0` against `p1 > p0` to reach `power`.
///
/// From a bound of Hoeffding's inequality on every larger number has the power; below it, every
/// number is tried.
///
/// # Errors
/// [`StatsError::Argument`] if `p0` is not in [0, 1), `p1` not in `[0, 1]`, `power` or `alpha` not
/// inside (0, 1), or `p1` not above `p0`; [`StatsError::Undefined`] if the rates are so close that
/// more than ten million games would have to be tried.
pub fn sample_size_exact_binomial_greater(
    p0: f64,
    p1: f64,
    power: f64,
    alpha: f64,
) -> Result<ExactSampleSize, StatsError> {
    probability("p0", p0)?;
    probability("p1", p1)?;
    open_unit("power", power)?;
    open_unit("alpha", alpha)?;
    let effect = p1 - p0;
    if effect <= 0.0 {
        return Err(StatsError::argument(
            "p1",
            p1,
            format!("above `p0`, which is {p0}"),
        ));
    }
    // With n games, k_crit <= n p0 + sqrt(n ln(1/alpha) / 2) + 1 and the power is at least
    // 1 - exp(-2 (n p1 - k_crit + 1)^2 / n), so this n is enough, and so is every larger one.
    let root =
        (0.5 * libm::log(1.0 / alpha)).sqrt() + (0.5 * libm::log(1.0 / (1.0 - power))).sqrt();
    let root_n = (root + (root * root + 8.0 * effect).sqrt()) / (2.0 * effect);
    let bound = (root_n * root_n).ceil();
    if bound > MAX_EXACT_GAMES {
        return Err(StatsError::undefined(
            "p1",
            format!(
                "it is so near to `p0` that about {bound:.0} games would have to be tried; \
                 use sample_size_one_prop_normal"
            ),
        ));
    }
    let (mut n_first, mut n_all_larger) = (None, 1);
    let mut test = GrowingTest::new(p0, p1, alpha)?;
    while test.n as f64 <= bound {
        if test.reject_p1.at_least >= power {
            n_first = n_first.or(Some(test.n));
        } else {
            n_all_larger = test.n + 1;
        }
        test.add_game()?;
    }
    Ok(ExactSampleSize {
        n_first: n_first.unwrap_or(n_all_larger),
        n_all_larger,
    })
}

/// The exact test while games are added one by one.
struct GrowingTest {
    n: u64,
    k_crit: u64,
    alpha: f64,
    reject_p0: GrowingTail,
    reject_p1: GrowingTail,
}

/// After so many games the tails are computed afresh, so that rounding cannot add up.
const FRESH_EVERY: u64 = 4096;

impl GrowingTest {
    /// The test with one game.
    fn new(p0: f64, p1: f64, alpha: f64) -> Result<Self, StatsError> {
        let k_crit = Binomial::new(1, p0)?.upper_quantile(alpha)? + 1;
        Ok(Self {
            n: 1,
            k_crit,
            alpha,
            reject_p0: GrowingTail::new(1, k_crit, p0)?,
            reject_p1: GrowingTail::new(1, k_crit, p1)?,
        })
    }

    /// One game more: the critical number stays or grows by one.
    fn add_game(&mut self) -> Result<(), StatsError> {
        self.n += 1;
        self.reject_p0.add_game(self.n, self.k_crit);
        self.reject_p1.add_game(self.n, self.k_crit);
        // The same allowance for rounding as in `Binomial::upper_quantile`.
        if self.reject_p0.at_least > self.alpha * (1.0 + 1e-12) {
            self.reject_p0.raise(self.n, self.k_crit);
            self.reject_p1.raise(self.n, self.k_crit);
            self.k_crit += 1;
        }
        if self.n.is_multiple_of(FRESH_EVERY) {
            let (p0, p1) = (self.reject_p0.p, self.reject_p1.p);
            self.k_crit = Binomial::new(self.n, p0)?.upper_quantile(self.alpha)? + 1;
            self.reject_p0 = GrowingTail::new(self.n, self.k_crit, p0)?;
            self.reject_p1 = GrowingTail::new(self.n, self.k_crit, p1)?;
        }
        Ok(())
    }
}

/// `P(X >= k)` and `P(X = k - 1)` of a binomial variable of `n` games at rate `p`.
struct GrowingTail {
    p: f64,
    at_least: f64,
    just_below: f64,
}

impl GrowingTail {
    fn new(n: u64, k: u64, p: f64) -> Result<Self, StatsError> {
        let law = Binomial::new(n, p)?;
        Ok(Self {
            p,
            at_least: law.at_least(k),
            just_below: k.checked_sub(1).map_or(0.0, |below| law.pmf(below)),
        })
    }

    /// From `n - 1` games to `n`: the tail gains what stood just below and won.
    fn add_game(&mut self, n: u64, k: u64) {
        self.at_least += self.p * self.just_below;
        let (n, below) = (n as f64, k as f64 - 1.0);
        if self.p >= 1.0 {
            self.all_won(n, below);
        } else {
            self.just_below *= (1.0 - self.p) * n / (n - below);
        }
    }

    /// From `k` to `k + 1`.
    fn raise(&mut self, n: u64, k: u64) {
        let (n, k) = (n as f64, k as f64);
        if self.p >= 1.0 {
            self.all_won(n, k);
            return;
        }
        self.just_below *= self.p / (1.0 - self.p) * (n - k + 1.0) / k;
        self.at_least -= self.just_below;
    }

    /// At rate 1 the number of successes is `n`.
    fn all_won(&mut self, n: f64, below: f64) {
        self.at_least = f64::from(u8::from(n > below));
        self.just_below = f64::from(u8::from(n - below == 0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_sizes_give_back_the_power() {
        for alternative in [Alternative::TwoSided, Alternative::Greater] {
            for power in [0.2, 0.8, 0.99] {
                let n = sample_size_one_prop_arcsine(0.5, 0.53, power, 0.05, alternative).unwrap();
                let back = power_one_prop_arcsine(0.5, 0.53, n, 0.05, alternative).unwrap();
                assert!((back - power).abs() < 1e-12);
            }
        }
        let less = sample_size_one_prop_arcsine(0.5, 0.47, 0.8, 0.05, Alternative::Less).unwrap();
        let greater =
            sample_size_one_prop_arcsine(0.5, 0.53, 0.8, 0.05, Alternative::Greater).unwrap();
        assert!((less - greater).abs() < 1e-6);
    }

    #[test]
    fn the_exact_size_never_exceeds_alpha() {
        for n in 1..200 {
            let exact = power_exact_binomial_greater(n, 0.5, 0.6, 0.05).unwrap();
            assert!(exact.size <= 0.05 * (1.0 + 1e-12));
            let one_less = Binomial::new(n, 0.5).unwrap().at_least(exact.k_crit - 1);
            assert!(one_less > 0.05);
        }
        // A tie is a rejection: 2^-5 <= 1/32.
        assert_eq!(
            power_exact_binomial_greater(5, 0.5, 0.9, 0.03125)
                .unwrap()
                .k_crit,
            5
        );
    }

    #[test]
    fn a_growing_test_is_the_test_of_its_size() {
        for (p0, p1, alpha) in [
            (0.5, 0.6, 0.05),
            (0.02, 0.9, 0.01),
            (0.9, 1.0, 0.3),
            (0.0, 0.1, 0.05),
        ] {
            let mut test = GrowingTest::new(p0, p1, alpha).unwrap();
            for n in 1..700 {
                let exact = power_exact_binomial_greater(n, p0, p1, alpha).unwrap();
                assert_eq!(
                    (test.n, test.k_crit),
                    (n, exact.k_crit),
                    "{p0} {p1} {alpha}"
                );
                let (got, expected) = (test.reject_p1.at_least, exact.power);
                assert!(
                    (got - expected).abs() < 1e-10,
                    "{n} {p0} {p1}: {got} {expected}"
                );
                test.add_game().unwrap();
            }
        }
    }

    #[test]
    fn huge_numbers_answer_and_hopeless_questions_are_errors() {
        let exact = power_exact_binomial_greater(1_000_000_000_000, 0.5, 0.500_002, 0.05).unwrap();
        assert!(exact.power > 0.98 && exact.power < 1.0, "{exact:?}");
        let fails = |result: Result<ExactSampleSize, StatsError>, name: &str| {
            assert!(result.unwrap_err().to_string().contains(name));
        };
        fails(
            sample_size_exact_binomial_greater(0.5, 0.5, 0.8, 0.05),
            "`p1`",
        );
        fails(
            sample_size_exact_binomial_greater(0.5, 0.4, 0.8, 0.05),
            "`p1`",
        );
        fails(
            sample_size_exact_binomial_greater(0.5, 0.5001, 0.8, 0.05),
            "`p1`",
        );
        fails(
            sample_size_exact_binomial_greater(0.5, 0.6, 1.0, 0.05),
            "`power`",
        );
        assert!(sample_size_one_prop_normal(0.5, 0.5, 0.8, 0.05, 2).is_err());
        assert!(sample_size_one_prop_normal(0.5, 0.6, 0.8, 0.05, 3).is_err());
        assert!(sample_size_one_prop_arcsine(0.5, 0.6, 0.8, 0.05, Alternative::Less).is_err());
        assert!(power_one_prop_arcsine(0.5, 0.6, f64::NAN, 0.05, Alternative::Less).is_err());
    }
}
