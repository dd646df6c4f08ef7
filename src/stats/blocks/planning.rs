//! How much can be seen with so many blocks, and how many blocks show so much.

use super::super::distributions::{StudentT, normal_upper_quantile};
use super::super::error::{self, StatsError};

/// The smallest difference from a fixed threshold that `blocks` blocks with standard deviation
/// `deviation` show with probability `power` in a two-sided test at `alpha`:
/// (t quantile of alpha/2 + normal quantile of the power) x deviation / sqrt(blocks).
///
/// # Errors
/// Without blocks, for a negative deviation, or for probabilities outside (0, 1).
pub fn smallest_detectable(
    blocks: u64,
    deviation: f64,
    alpha: f64,
    power: f64,
) -> Result<f64, StatsError> {
    if blocks == 0 {
        return Err(StatsError::argument("blocks", blocks, "at least 1"));
    }
    check(deviation, alpha, power)?;
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let n = blocks as f64;
    let critical = StudentT::new(n + 1.0)?.upper_quantile(alpha / 2.0)?;
    // A power below alpha / 2 needs no difference at all.
    let quantiles = (critical + normal_upper_quantile(1.0 - power)?).max(0.0);
    Ok(quantiles * deviation / n.sqrt())
}

/// The smallest number of blocks whose [`smallest_detectable`] difference is at most `effect`.
///
/// # Errors
/// If `effect` is not positive, for a negative deviation, for probabilities outside (0, 1), or if
/// more than 2^53 blocks would be needed.
pub fn blocks_needed(
    effect: f64,
    deviation: f64,
    alpha: f64,
    power: f64,
) -> Result<u64, StatsError> {
    error::positive("effect", effect)?;
    check(deviation, alpha, power)?;
    let enough = |blocks| {
        smallest_detectable(blocks, deviation, alpha, power).map(|smallest| smallest <= effect)
    };
    let mut high = 1;
    while !enough(high)? {
        if high >= error::MAX_COUNT {
            return Err(StatsError::undefined(
                "effect",
                "no possible number of blocks shows so small a difference",
            ));
        }
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

fn check(deviation: f64, alpha: f64, power: f64) -> Result<(), StatsError> {
    if !(deviation.is_finite() && deviation >= 0.0) {
        return Err(StatsError::argument(
            "deviation",
            deviation,
            "a finite number, not negative",
        ));
    }
    error::open_unit("alpha", alpha)?;
    error::open_unit("power", power)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_blocks_and_detectable_effects_are_inverse() {
        for effect in [0.2, 0.05, 0.01, 1e-6] {
            let blocks = blocks_needed(effect, 0.35, 0.05, 0.9).unwrap();
            assert!(smallest_detectable(blocks, 0.35, 0.05, 0.9).unwrap() <= effect);
            assert!(smallest_detectable(blocks - 1, 0.35, 0.05, 0.9).unwrap() > effect);
        }
        // (1.959964 + 1.281552)^2 * 0.35^2 / 0.01^2.
        let blocks = blocks_needed(0.01, 0.35, 0.05, 0.9).unwrap();
        assert!((12_870..=12_876).contains(&blocks), "{blocks}");
        assert_eq!(blocks_needed(0.1, 0.0, 0.05, 0.9), Ok(1));
    }

    #[test]
    fn bad_arguments_are_named() {
        assert!(smallest_detectable(0, 0.1, 0.05, 0.8).is_err());
        assert!(smallest_detectable(5, f64::NAN, 0.05, 0.8).is_err());
        let error = |effect, power| {
            blocks_needed(effect, 0.3, 0.05, power)
                .unwrap_err()
                .to_string()
        };
        assert!(error(0.0, 0.9).contains("`effect`"));
        assert!(error(0.1, 1.0).contains("`power`"));
        assert!(error(1e-20, 0.9).contains("`effect`"));
    }
}
