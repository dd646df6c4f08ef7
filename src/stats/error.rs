//! What can be wrong with a question put to the statistics.

/// Why a statistic has no value. Every variant names the argument at fault.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// An argument is outside its range.
    #[error("`{argument}` is {value}; it must be {expected}")]
    Argument {
        /// The argument's name, as the caller writes it.
        argument: String,
        /// What was given.
        value: String,
        /// What is accepted, in words.
        expected: String,
    },
    /// An argument is missing.
    #[error("`{argument}` is missing; it must be {expected}")]
    Missing {
        /// The argument's name.
        argument: String,
        /// What is accepted, in words.
        expected: String,
    },
    /// An argument has a name that the method does not know.
    #[error("`{argument}` is not an argument of `{method}`; its arguments are {known}")]
    UnknownArgument {
        /// The method.
        method: String,
        /// The argument that was given.
        argument: String,
        /// The arguments that the method has, separated by commas.
        known: String,
    },
    /// No method has this name.
    #[error("`{method}` is not a method{hint}")]
    UnknownMethod {
        /// The name that was given.
        method: String,
        /// Either empty or "; did you mean `...`?".
        hint: String,
    },
    /// The arguments are each acceptable, but together they leave the statistic undefined.
    #[error("`{argument}`: {reason}")]
    Undefined {
        /// The argument (or arguments) that cause it.
        argument: String,
        /// Why there is no value, and what to do.
        reason: String,
    },
}

impl StatsError {
    /// The error for an argument outside its range.
    pub fn argument(
        argument: impl Into<String>,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Argument {
            argument: argument.into(),
            value: match value.to_string().as_str() {
                "NaN" => "not a number".to_owned(),
                "inf" => "infinite".to_owned(),
                "-inf" => "infinitely negative".to_owned(),
                other => other.to_owned(),
            },
            expected: expected.into(),
        }
    }

    /// The error for arguments that together leave the statistic undefined.
    pub fn undefined(argument: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Undefined {
            argument: argument.into(),
            reason: reason.into(),
        }
    }
}

/// `value` if it is a finite number.
///
/// # Errors
/// [`StatsError::Argument`] otherwise.
pub fn finite(argument: &str, value: f64) -> Result<f64, StatsError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(StatsError::argument(argument, value, "a finite number"))
    }
}

/// `value` if it is finite and positive.
///
/// # Errors
/// [`StatsError::Argument`] otherwise.
pub fn positive(argument: &str, value: f64) -> Result<f64, StatsError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(StatsError::argument(
            argument,
            value,
            "a finite number above 0",
        ))
    }
}

/// `value` if it lies in `[0, 1]`.
///
/// # Errors
/// [`StatsError::Argument`] otherwise.
pub fn probability(argument: &str, value: f64) -> Result<f64, StatsError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(StatsError::argument(argument, value, "between 0 and 1"))
    }
}

/// `value` if it lies in the open interval (0, 1): what an `alpha` or a power must be.
///
/// # Errors
/// [`StatsError::Argument`] otherwise.
pub fn open_unit(argument: &str, value: f64) -> Result<f64, StatsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatsError::argument(
            argument,
            value,
            "above 0 and below 1, both excluded",
        ))
    }
}

/// Counts above this are refused: up to here they are exact in `f64`.
pub const MAX_COUNT: u64 = 1 << 53;

/// Checks that `part` things of `whole` is possible and that there is something to count.
///
/// # Errors
/// [`StatsError::Argument`] if `whole` is 0 or above [`MAX_COUNT`], or `part` exceeds it.
pub fn count_of(
    part_name: &str,
    part: u64,
    whole_name: &str,
    whole: u64,
) -> Result<(), StatsError> {
    if whole == 0 || whole > MAX_COUNT {
        return Err(StatsError::argument(
            whole_name,
            whole,
            "at least 1 and at most 2^53",
        ));
    }
    if part > whole {
        return Err(StatsError::argument(
            part_name,
            part,
            format!("at most `{whole_name}`, which is {whole}"),
        ));
    }
    Ok(())
}
