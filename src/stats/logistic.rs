//! Logistic regression of grouped counts: binomial model, logit link.
//!
//! Fitted by Newton's method with step halving (iteratively reweighted least squares; P. `McCullagh`
//! and J. A. Nelder, "Generalized Linear Models", 1989, section 4.4).

use super::StatsError;
use super::newton::{LogLikelihood, NoMaximum, maximise};
use super::trend_tables::ChiSquaredTest;

/// A group of trials with the same covariates.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Successes, possibly fractional (draws as halves); between 0 and `trials`.
    pub successes: f64,
    /// Trials, above 0.
    pub trials: f64,
    /// The row of the design matrix, the constant included.
    pub covariates: Vec<f64>,
}

/// A fitted logistic regression.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct LogisticFit {
    /// Coefficients in the order of the covariates, in logits.
    pub coefficients: Vec<f64>,
    /// Their standard errors, if trials are independent.
    pub standard_errors: Vec<f64>,
    /// Their covariance matrix, row by row, if trials are independent.
    pub covariance: Vec<f64>,
    /// Twice the log-likelihood distance to the model with one rate for each group.
    pub deviance: f64,
    /// The deviance of the model with a constant alone.
    pub null_deviance: f64,
}

/// Fits the model.
///
/// # Errors
/// When there is no group or no covariate, groups differ in their number of covariates, a count is
/// out of range or a covariate is not finite, the covariates are collinear, or the groups are
/// separated by the covariates, so that a coefficient is infinite (A. Albert and J. A. Anderson
/// 1984).
pub fn logistic_fit(groups: &[Group]) -> Result<LogisticFit, StatsError> {
    let size = check(groups)?;
    let (beta, information) = maximise(&Groups(groups), size).map_err(|reason| match reason {
        // At the start all weights are positive, so only the covariates can be at fault.
        NoMaximum::Singular => StatsError::undefined(
            "model",
            "the covariates are collinear in these groups, so their effects cannot be told apart",
        ),
        NoMaximum::Unbounded => StatsError::undefined(
            "successes",
            "a combination of the covariates separates successes from failures, so a coefficient \
             is infinite; play more games or leave a covariate out",
        ),
    })?;
    let covariance = information.inverse();
    let standard_errors = (0..size)
        .map(|index| covariance[index * size + index].sqrt())
        .collect();
    let successes: f64 = groups.iter().map(|group| group.successes).sum();
    let trials: f64 = groups.iter().map(|group| group.trials).sum();
    Ok(LogisticFit {
        deviance: deviance(groups, |group| sigmoid(dot(&group.covariates, &beta))),
        null_deviance: deviance(groups, |_| successes / trials),
        coefficients: beta,
        standard_errors,
        covariance,
    })
}

/// The likelihood-ratio test of a model against a larger one that contains it.
///
/// # Errors
/// When either fit fails (see [`logistic_fit`]), the models do not describe the same groups, or
/// `full` has no more covariates than `reduced`.
pub fn likelihood_ratio_test(
    reduced: &[Group],
    full: &[Group],
) -> Result<ChiSquaredTest, StatsError> {
    let (small, large) = (logistic_fit(reduced)?, logistic_fit(full)?);
    let df = large
        .coefficients
        .len()
        .checked_sub(small.coefficients.len())
        .filter(|df| *df > 0 && reduced.len() == full.len())
        .ok_or_else(|| {
            StatsError::undefined(
                "full",
                "it must contain the reduced model and more covariates",
            )
        })?;
    ChiSquaredTest::new(small.deviance - large.deviance, df as u64)
}

/// The number of covariates, once everything has been checked.
fn check(groups: &[Group]) -> Result<usize, StatsError> {
    let Some(first) = groups.first() else {
        return Err(StatsError::argument(
            "n",
            "an empty list",
            "at least one group",
        ));
    };
    let size = first.covariates.len();
    if size == 0 {
        return Err(StatsError::argument(
            "model",
            "empty",
            "at least a constant",
        ));
    }
    for group in groups {
        if !(group.trials > 0.0 && group.trials.is_finite()) {
            return Err(StatsError::argument(
                "n",
                group.trials,
                "above 0 in every group",
            ));
        }
        if !(group.successes >= 0.0 && group.successes <= group.trials) {
            return Err(StatsError::argument(
                "successes",
                group.successes,
                format!("between 0 and the group's size {}", group.trials),
            ));
        }
        if group.covariates.len() != size {
            return Err(StatsError::argument(
                "model",
                "uneven",
                "the same covariates in every group",
            ));
        }
        if let Some(bad) = group.covariates.iter().find(|value| !value.is_finite()) {
            return Err(StatsError::argument("covariates", bad, "finite"));
        }
    }
    Ok(size)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn sigmoid(eta: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-eta))
}

struct Groups<'a>(&'a [Group]);

impl LogLikelihood for Groups<'_> {
    /// `sum x eta - n ln(1 + exp(eta))`.
    fn value(&self, beta: &[f64]) -> f64 {
        self.0
            .iter()
            .map(|group| {
                let eta = dot(&group.covariates, beta);
                let log_one_plus = eta.max(0.0) + libm::log1p(libm::exp(-eta.abs()));
                group.successes * eta - group.trials * log_one_plus
            })
            .sum()
    }

    fn derivatives(&self, beta: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = beta.len();
        let mut score = vec![0.0; size];
        let mut information = vec![0.0; size * size];
        for group in self.0 {
            let p = sigmoid(dot(&group.covariates, beta));
            let residual = group.successes - group.trials * p;
            let weight = group.trials * p * (1.0 - p);
            for (row, x) in group.covariates.iter().enumerate() {
                score[row] += residual * x;
                for (column, y) in group.covariates.iter().enumerate() {
                    information[row * size + column] += weight * x * y;
                }
            }
        }
        (score, information)
    }

    fn distance(&self, from: &[f64], to: &[f64]) -> f64 {
        self.0
            .iter()
            .map(|group| (dot(&group.covariates, to) - dot(&group.covariates, from)).abs())
            .fold(0.0, f64::max)
    }
}

/// `2 sum [x ln(x / (n p)) + (n - x) ln((n - x) / (n (1 - p)))]`, empty cells left out.
fn deviance(groups: &[Group], rate: impl Fn(&Group) -> f64) -> f64 {
    let term = |observed: f64, expected: f64| {
        if observed > 0.0 {
            observed * libm::log(observed / expected)
        } else {
            0.0
        }
    };
    let sum: f64 = groups
        .iter()
        .map(|group| {
            let p = rate(group);
            term(group.successes, group.trials * p)
                + term(group.trials - group.successes, group.trials * (1.0 - p))
        })
        .sum();
    (2.0 * sum).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(successes: &[f64], trials: f64, x: &[f64]) -> Vec<Group> {
        successes
            .iter()
            .zip(x)
            .map(|(successes, x)| Group {
                successes: *successes,
                trials,
                covariates: vec![1.0, *x],
            })
            .collect()
    }

    #[test]
    fn a_constant_alone_is_the_overall_logit() {
        let group = Group {
            successes: 30.0,
            trials: 40.0,
            covariates: vec![1.0],
        };
        let fit = logistic_fit(&[group]).unwrap();
        assert!((fit.coefficients[0] - libm::log(3.0)).abs() < 1e-12);
        assert!((fit.standard_errors[0] - (1.0_f64 / 30.0 + 0.1).sqrt()).abs() < 1e-12);
        assert!(fit.deviance < 1e-9);
    }

    #[test]
    fn separation_is_found_complete_and_quasi_complete() {
        let text = |g: &[Group]| logistic_fit(g).unwrap_err().to_string();
        let complete = groups(&[0.0, 0.0, 10.0, 10.0], 10.0, &[1.0, 2.0, 3.0, 4.0]);
        assert!(text(&complete).contains("separates"));
        let quasi = groups(&[0.0, 4.0, 10.0], 10.0, &[1.0, 2.0, 3.0]);
        assert!(text(&quasi).contains("separates"));
        let all = groups(&[10.0, 10.0], 10.0, &[1.0, 2.0]);
        assert!(text(&all).contains("separates"));
    }

    #[test]
    fn extreme_rates_that_overlap_are_fitted() {
        let fit = logistic_fit(&groups(
            &[0.0, 0.0, 1.0, 5.0, 9.0, 10.0, 10.0],
            10.0,
            &[-90.0, -60.0, -2.0, 0.0, 2.0, 60.0, 90.0],
        ))
        .unwrap();
        assert!((fit.coefficients[1] - 0.5 * libm::log(9.0)).abs() < 0.1);
        let rare = logistic_fit(&groups(&[1.0, 3.0], 1e7, &[0.0, 1.0])).unwrap();
        assert!((rare.coefficients[1] - libm::log(3.0)).abs() < 1e-6);
    }

    #[test]
    fn bad_input_names_the_argument() {
        let text = |g: &[Group]| logistic_fit(g).unwrap_err().to_string();
        assert!(text(&[]).contains("`n`"));
        assert!(text(&groups(&[1.0, 2.0], 0.0, &[0.0, 1.0])).contains("`n`"));
        assert!(text(&groups(&[1.0, 12.0], 10.0, &[0.0, 1.0])).contains("`successes`"));
        assert!(text(&groups(&[1.0, f64::NAN], 10.0, &[0.0, 1.0])).contains("`successes`"));
        assert!(text(&groups(&[1.0, 2.0], 10.0, &[0.0, f64::NAN])).contains("`covariates`"));
        assert!(text(&groups(&[1.0, 2.0], 10.0, &[3.0, 3.0])).contains("collinear"));
        let one = groups(&[1.0, 2.0], 10.0, &[0.0, 1.0]);
        assert!(likelihood_ratio_test(&one, &one).is_err());
    }
}
