//! Directions of a test.

/// Which deviations from the null hypothesis count against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alternative {
    /// Either direction.
    TwoSided,
    /// Larger than the null value.
    Greater,
    /// Smaller than the null value.
    Less,
}

impl Alternative {
    /// The words by which [`Alternative::from_word`] knows them.
    pub const WORDS: &'static [&'static str] = &["two-sided", "greater", "less"];

    /// The alternative with this name, one of [`Alternative::WORDS`].
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "two-sided" => Some(Self::TwoSided),
            "greater" => Some(Self::Greater),
            "less" => Some(Self::Less),
            _ => None,
        }
    }

    /// In how many tails the error `alpha` is spent: 2 or 1.
    pub fn sides(self) -> f64 {
        match self {
            Self::TwoSided => 2.0,
            Self::Greater | Self::Less => 1.0,
        }
    }
}
