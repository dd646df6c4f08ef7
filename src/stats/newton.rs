//! Newton's method for concave log-likelihoods.

use super::linear::Cholesky;

/// Steps after which a maximum counts as being at infinity. One that exists needs about ten; where
/// there is none the parameters grow by a constant at every step for ever.
const MAX_STEPS: u32 = 100;

/// Why there is no maximum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoMaximum {
    /// The second derivatives are singular at the start: parameters cannot be told apart.
    Singular,
    /// The parameters run away.
    Unbounded,
}

/// A log-likelihood with its derivatives.
pub(super) trait LogLikelihood {
    /// The value at `parameters`, up to a constant.
    fn value(&self, parameters: &[f64]) -> f64;

    /// Gradient, and the negated second derivatives row by row.
    fn derivatives(&self, parameters: &[f64]) -> (Vec<f64>, Vec<f64>);

    /// How far a step moves the model, on the scale of logits.
    fn distance(&self, from: &[f64], to: &[f64]) -> f64;
}

/// The maximum, and the factored information there. Starts at 0, where every model here has all
/// outcomes possible; steps that lose likelihood are halved.
pub(super) fn maximise(
    likelihood: &impl LogLikelihood,
    size: usize,
) -> Result<(Vec<f64>, Cholesky), NoMaximum> {
    let mut parameters = vec![0.0; size];
    for step in 0..MAX_STEPS {
        let (gradient, information) = likelihood.derivatives(&parameters);
        let factor = Cholesky::new(&information, size).ok_or(if step == 0 {
            NoMaximum::Singular
        } else {
            NoMaximum::Unbounded
        })?;
        let mut direction = gradient;
        factor.solve(&mut direction);
        let before = likelihood.value(&parameters);
        let mut length = 1.0;
        let next = loop {
            let candidate: Vec<f64> = parameters
                .iter()
                .zip(&direction)
                .map(|(p, d)| p + length * d)
                .collect();
            // Rounding may make the last, tiny step look like a loss.
            let enough = before - 1e-9 * before.abs();
            if likelihood.value(&candidate) >= enough || length < 1e-6 {
                break candidate;
            }
            length /= 2.0;
        };
        let moved = likelihood.distance(&parameters, &next);
        parameters = next;
        if moved < 1e-9 {
            return Ok((parameters, factor));
        }
    }
    Err(NoMaximum::Unbounded)
}
