//! Numbers as text: one place that decides digits, so that files and pages agree.
//!
//! Nothing non-finite and no `-0` leaves this module: an undefined number is an empty field in a
//! file and a dash for people.

/// 12 significant digits, for files: last-bit differences between machines do not show.
///
/// `None` and non-finite values give the empty text.
pub fn exact(value: impl Into<Option<f64>>) -> String {
    match value.into() {
        Some(value) if value.is_finite() => significant(value, 12),
        _ => String::new(),
    }
}

/// At most four decimals without trailing zeros, for people.
pub fn short(value: f64) -> String {
    decimals(value, 4)
}

/// `value` in per cent with one decimal, such as `97.3 %`.
pub fn percent(value: f64) -> String {
    if value.is_finite() {
        format!("{} %", fixed(value * 100.0, 1))
    } else {
        "–".to_owned()
    }
}

/// A difference of scores in percentage points with two decimals, such as `-0.32`: where several
/// stand in a sentence, all have the same digits.
pub fn points(difference: f64) -> String {
    fixed(difference * 100.0, 2)
}

/// `value` with `places` decimals, trailing zeros kept, without a minus zero.
pub fn fixed(value: f64, places: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// A p-value for people: three decimals, `< 0.001` below.
pub fn p_value(p: f64) -> String {
    if !p.is_finite() {
        "–".to_owned()
    } else if p < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// `value` with at most `places` decimals, trailing zeros dropped.
pub fn decimals(value: f64, places: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{value:.places$}");
    strip(&text)
}

/// A count with thin grouping, such as `1,234,567`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `value` rounded to `digits` significant digits, without an exponent where that stays short.
fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-7..15).contains(&exponent) {
        let places =
            usize::try_from(i32::try_from(digits).unwrap_or(12) - 1 - exponent).unwrap_or(0);
        // Rounded once, by the exponent form; the second formatting only moves the point.
        let rounded: f64 = scientific.parse().unwrap_or(value);
        strip(&format!("{rounded:.places$}"))
    } else {
        format!("{}e{exponent}", strip(mantissa))
    }
}

/// Without trailing zeros after a point, and never `-0`.
fn strip(text: &str) -> String {
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_twelve_significant_digits() {
        assert_eq!(exact(0.1 + 0.2), "0.3");
        assert_eq!(exact(2.0 / 3.0), "0.666666666667");
        assert_eq!(exact(1.0), "1");
        assert_eq!(exact(1234.5), "1234.5");
        assert_eq!(exact(1e-300), "1e-300");
        assert_eq!(exact(1.25e-9), "1.25e-9");
        assert_eq!(exact(0.000_012_5), "0.0000125");
        assert_eq!(exact(-0.0), "0");
        assert_eq!(exact(f64::NAN), "");
        assert_eq!(exact(None), "");
        assert_eq!(exact(f64::INFINITY), "");
        assert_eq!(exact(123_456_789_012_345.0), "123456789012000");
    }

    #[test]
    fn people_get_few_digits() {
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(2.0 / 3.0), "0.6667");
        assert_eq!(short(-0.000_01), "0");
        assert_eq!(percent(0.973), "97.3 %");
        assert_eq!(percent(-0.000_01), "0.0 %");
        assert_eq!(points(-0.0032), "-0.32");
        assert_eq!(points(0.041), "4.10");
        assert_eq!(points(-1e-9), "0.00");
        assert_eq!(points(f64::NAN), "–");
        assert_eq!(p_value(0.0004), "< 0.001");
        assert_eq!(p_value(0.0314), "0.031");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!(decimals(f64::NAN, 2), "–");
    }
}
