//! Statistics of matches: pure functions over sufficient statistics. Errors are values.
