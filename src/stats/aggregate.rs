//! One number for many runs over many tasks.
//!
//! R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville, M. G. Bellemare, "Deep reinforcement
//! learning at the edge of the statistical precipice", `NeurIPS` 2021: the mean is ruled by
//! outliers and the median wastes half of the data; the interquartile mean does neither.

use super::StatsError;

/// The mean of the middle half of all scores: a quarter of them, rounded down, is cut off at either
/// end.
///
/// # Errors
/// When there is no score, or one is not finite.
pub fn interquartile_mean(scores: &[f64]) -> Result<f64, StatsError> {
    let sorted = sorted("scores", scores)?;
    let cut = sorted.len() / 4;
    let middle = &sorted[cut..sorted.len() - cut];
    #[expect(clippy::cast_precision_loss, reason = "lengths stay far below 2^53")]
    Ok(middle.iter().sum::<f64>() / middle.len() as f64)
}

/// The median; for an even number of scores the mean of the middle two.
///
/// # Errors
/// When there is no score, or one is not finite.
pub fn median(scores: &[f64]) -> Result<f64, StatsError> {
    let sorted = sorted("scores", scores)?;
    let upper = sorted.len() / 2;
    let lower = (sorted.len() - 1) / 2;
    Ok(f64::midpoint(sorted[lower], sorted[upper]))
}

/// The probability that a run of x beats a run of y on a task drawn at random (ties count half).
/// `x[r][t]` is the score of run r on task t; the numbers of runs may differ, those of tasks not.
///
/// # Errors
/// When there is no run or no task, runs differ in their number of tasks, or a score is not finite.
pub fn probability_of_improvement(x: &[Vec<f64>], y: &[Vec<f64>]) -> Result<f64, StatsError> {
    let tasks = x.first().map_or(0, Vec::len);
    for (name, runs) in [("x", x), ("y", y)] {
        if runs.is_empty() || tasks == 0 || runs.iter().any(|run| run.len() != tasks) {
            return Err(StatsError::argument(
                name,
                format!("a list of {} runs", runs.len()),
                "at least one run, all with the same number of tasks, which is not 0",
            ));
        }
        for run in runs {
            sorted(name, run)?;
        }
    }
    let mut points = 0.0;
    for (a, b) in x.iter().flat_map(|a| y.iter().map(move |b| (a, b))) {
        for (a, b) in a.iter().zip(b) {
            points += match a.total_cmp(b) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "lengths stay far below 2^53")]
    Ok(points / (x.len() * y.len() * tasks) as f64)
}

/// The scores in ascending order, `-0` as `0`.
fn sorted(name: &str, scores: &[f64]) -> Result<Vec<f64>, StatsError> {
    if scores.is_empty() {
        return Err(StatsError::argument(
            name,
            "an empty list",
            "at least one score",
        ));
    }
    if let Some(bad) = scores.iter().find(|score| !score.is_finite()) {
        return Err(StatsError::argument(name, bad, "made of finite numbers"));
    }
    let mut sorted: Vec<f64> = scores.iter().map(|score| score + 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_do_not_move_the_middle() {
        let calm = interquartile_mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        let wild = interquartile_mean(&[-900.0, 2.0, 3.0, 1e9]).unwrap();
        assert!((calm - 2.5).abs() < 1e-12 && (wild - 2.5).abs() < 1e-12);
        assert!((interquartile_mean(&[7.0]).unwrap() - 7.0).abs() < 1e-12);
        assert!((median(&[5.0, 1.0, 3.0]).unwrap() - 3.0).abs() < 1e-12);
    }

    #[test]
    fn improvement_of_one_over_the_other_is_complementary() {
        let x = [vec![0.1, 0.9], vec![0.4, 0.4]];
        let y = [vec![0.4, 0.2], vec![0.0, 0.4], vec![0.3, 0.3]];
        let forth = probability_of_improvement(&x, &y).unwrap();
        let back = probability_of_improvement(&y, &x).unwrap();
        assert!((forth + back - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bad_input_names_the_argument() {
        assert!(interquartile_mean(&[]).is_err());
        assert!(median(&[f64::NAN]).is_err());
        let text = |x: &[Vec<f64>], y: &[Vec<f64>]| {
            probability_of_improvement(x, y).unwrap_err().to_string()
        };
        assert!(text(&[], &[vec![1.0]]).contains("`x`"));
        assert!(text(&[vec![1.0]], &[vec![1.0, 2.0]]).contains("`y`"));
        assert!(text(&[vec![f64::NAN]], &[vec![1.0]]).contains("`x`"));
    }
}
