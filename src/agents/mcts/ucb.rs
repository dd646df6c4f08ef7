//! The formulas of selection, over integer counts.
//!
//! Logarithms come from `libm`, square roots and divisions are exact by IEEE 754, so that every
//! machine selects alike.

use std::sync::OnceLock;

/// Counts below this have their terms in tables.
const TABLE: u32 = 1 << 14;

/// sqrt(ln n) and 1 / sqrt(n) for small counts.
#[derive(Debug)]
pub(super) struct Terms {
    root_log: Box<[f64]>,
    inverse_root: Box<[f64]>,
}

impl Terms {
    /// The tables, made once per process.
    pub(super) fn get() -> &'static Self {
        static TERMS: OnceLock<Terms> = OnceLock::new();
        TERMS.get_or_init(|| Self {
            root_log: (0..TABLE).map(root_log).collect(),
            inverse_root: (0..TABLE).map(inverse_root).collect(),
        })
    }

    /// sqrt(ln `count`), 0 for counts below 2.
    #[inline]
    pub(super) fn root_log(&self, count: u32) -> f64 {
        match self.root_log.get(count as usize) {
            Some(&value) => value,
            None => root_log(count),
        }
    }

    /// 1 / sqrt(`count`).
    #[inline]
    pub(super) fn inverse_root(&self, count: u32) -> f64 {
        match self.inverse_root.get(count as usize) {
            Some(&value) => value,
            None => inverse_root(count),
        }
    }
}

fn root_log(count: u32) -> f64 {
    libm::log(f64::from(count.max(1))).sqrt()
}

fn inverse_root(count: u32) -> f64 {
    1.0 / f64::from(count.max(1)).sqrt()
}

/// The bonus of UCB1-tuned for a child (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of
/// the multiarmed bandit problem", Machine Learning 47, 2002, section 4), times `exploration`:
/// sqrt(ln N / n x min(1/4, V)), V = mean of squares - mean^2 + sqrt(2 ln N / n).
///
/// `root_log` is sqrt(ln N), `inverse_root` 1 / sqrt(n), `variance` of the rewards seen.
#[inline]
pub(super) fn tuned_bonus(
    exploration: f64,
    root_log: f64,
    inverse_root: f64,
    variance: f64,
) -> f64 {
    let ratio = root_log * inverse_root;
    let bound = variance.max(0.0) + std::f64::consts::SQRT_2 * ratio;
    exploration * ratio * bound.min(0.25).sqrt()
}
