//! Axes: where a value lies between the two ends, and which values are labelled how.
//!
//! Ticks are at 1, 2 or 5 times a power of ten, at most about eight of them; or, for a grid of
//! settings such as simulation counts, at exactly the values that were played.

use super::raster::real;

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Where.
    pub value: f64,
    /// What is written there.
    pub label: String,
}

/// An axis from its low to its high end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    logarithmic: bool,
    low: f64,
    high: f64,
    /// Labelled values in ascending order.
    pub ticks: Vec<Tick>,
}

/// Share of an axis that stays empty at each end, so that points at the ends are whole.
const PADDING: f64 = 0.03;

impl Axis {
    /// A linear axis that covers all values, and ends at ticks; `limits` are the smallest and
    /// largest value that make sense, such as 0 and 1 for scores. At least `span` long.
    pub fn linear(
        values: impl IntoIterator<Item = f64>,
        limits: Option<(f64, f64)>,
        span: f64,
    ) -> Self {
        Self::spaced(values, limits, span, 6.0)
    }

    /// A linear axis with about so many ticks.
    fn spaced(
        values: impl IntoIterator<Item = f64>,
        limits: Option<(f64, f64)>,
        span: f64,
        ticks: f64,
    ) -> Self {
        let (mut low, mut high) = extremes(values).unwrap_or((0.0, 1.0));
        if high - low < span {
            let middle = f64::midpoint(low, high);
            (low, high) = (middle - span / 2.0, middle + span / 2.0);
        }
        if let Some((least, most)) = limits {
            // A window that was widened past a limit is moved, not cut, to keep its length.
            if low < least {
                (low, high) = (least, (high + least - low).min(most));
            }
            if high > most {
                (low, high) = ((low - (high - most)).max(least), most);
            }
        }
        let (step, decimals) = nice_step((high - low) / ticks);
        // The tolerance keeps 0.30000000000000004 from adding a tick beyond 0.3.
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil().max(first + 1.0);
        let count = super::raster::whole(last - first) + 1;
        let ticks: Vec<Tick> = (0..count)
            .map(|i| {
                let value = (first + real(i)) * step;
                Tick {
                    value,
                    label: fixed(value, decimals),
                }
            })
            .collect();
        let (low, high) = (first * step, last * step);
        let padding = (high - low) * PADDING;
        Self {
            logarithmic: false,
            low: low - padding,
            high: high + padding,
            ticks,
        }
    }

    /// A linear axis from exactly `low` to exactly `high`, with ticks between.
    pub fn between(low: f64, high: f64) -> Self {
        let mut axis = Self::spaced([low, high], None, 1e-9, 12.0);
        axis.ticks.retain(|t| (low..=high).contains(&t.value));
        let padding = (high - low) * 0.01;
        (axis.low, axis.high) = (low - padding, high + padding);
        axis
    }

    /// Shortest distance between neighbouring ticks, as a share of the axis.
    pub fn closest_ticks(&self) -> f64 {
        let places: Vec<f64> = self.ticks.iter().map(|t| self.share(t.value)).collect();
        places
            .iter()
            .zip(places.iter().skip(1))
            .map(|(a, b)| b - a)
            .fold(1.0, f64::min)
    }

    /// An axis for counts: from exactly zero, with whole ticks only.
    pub fn counts(most: f64) -> Self {
        Self::from_zero(most).whole()
    }

    /// The same axis with ticks at whole numbers only.
    pub fn whole(mut self) -> Self {
        self.ticks
            .retain(|t| (t.value - t.value.round()).abs() < 1e-6);
        for tick in &mut self.ticks {
            tick.label = fixed(tick.value, 0);
        }
        self
    }

    /// The same axis with more empty room at both ends, as a share of its length.
    pub fn widened(mut self, share: f64) -> Self {
        let room = (self.high - self.low) * share;
        (self.low, self.high) = (self.low - room, self.high + room);
        self
    }

    /// A linear axis that starts exactly at zero.
    pub fn from_zero(most: f64) -> Self {
        let mut axis = Self::linear([0.0, most.max(1e-9)], None, 0.0);
        axis.low = 0.0;
        axis
    }

    /// A logarithmic axis with ticks at exactly these positive values.
    pub fn settings(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().filter(|v| *v > 0.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let (low, high) = extremes(values.iter().copied()).unwrap_or((1.0, 10.0));
        let ticks = values
            .into_iter()
            .map(|value| Tick {
                value,
                label: short(value),
            })
            .collect();
        let (low, high) = pad_log(low, high);
        Self {
            logarithmic: true,
            low,
            high,
            ticks,
        }
    }

    /// A logarithmic axis with ticks at 1, 2 and 5 (or only at 1) times powers of ten.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extremes(values.into_iter().filter(|v| *v > 0.0)).unwrap_or((1.0, 10.0));
        let (low, high) = pad_log(low, high);
        let decades = libm::log10(high / low);
        let steps: &[f64] = if decades > 5.0 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        let mut ticks = Vec::new();
        let mut power = libm::floor(libm::log10(low));
        while libm::pow(10.0, power) <= high {
            for step in steps {
                let value = step * libm::pow(10.0, power);
                if (low..=high).contains(&value) {
                    ticks.push(Tick {
                        value,
                        label: short(value),
                    });
                }
            }
            power += 1.0;
        }
        Self {
            logarithmic: true,
            low,
            high,
            ticks,
        }
    }

    /// Position of a value: 0 at the low end, 1 at the high end; clamped to that range.
    pub fn share(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            libm::log10(value.max(f64::MIN_POSITIVE) / self.low) / libm::log10(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }
}

fn extremes(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().fold(None, |ends, v| {
        let (low, high) = ends.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    })
}

fn pad_log(low: f64, high: f64) -> (f64, f64) {
    let ratio = if high > low {
        libm::pow(high / low, 0.07)
    } else {
        2.0
    };
    (low / ratio, high * ratio)
}

/// The smallest of 1, 2, 5 times a power of ten that is not below the given step, and the decimals
/// that its multiples need.
fn nice_step(least: f64) -> (f64, usize) {
    let least = least.max(1e-9);
    let power = libm::floor(libm::log10(least));
    let unit = libm::pow(10.0, power);
    let (factor, carry) = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * unit >= least * (1.0 - 1e-9))
        .map_or((1.0, 1.0), |f| (f, 0.0));
    let power = power + carry;
    (
        factor * libm::pow(10.0, power),
        super::raster::whole((-power).max(0.0)),
    )
}

/// A number with fixed decimals, commas between thousands and a true minus sign.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let zero = text.chars().all(|c| c == '0' || c == '.');
    let sign = if value < 0.0 && !zero { "−" } else { "" };
    if fraction.is_empty() {
        format!("{sign}{grouped}")
    } else {
        format!("{sign}{grouped}.{fraction}")
    }
}

/// The ends of an interval, each with fixed decimals. If rounding would make them equal although
/// they are not, both are rounded outwards: an interval never looks narrower than it is by
/// vanishing.
pub(super) fn ends(low: f64, high: f64, decimals: usize) -> (String, String) {
    let (a, b) = (fixed(low, decimals), fixed(high, decimals));
    if a != b || low >= high {
        return (a, b);
    }
    let scale = 10.0_f64.powi(i32::try_from(decimals).unwrap_or(0));
    (
        fixed((low * scale).floor() / scale, decimals),
        fixed((high * scale).ceil() / scale, decimals),
    )
}

/// A setting without needless decimals: `10,000`, `0.35`, `1.41`.
pub(super) fn short(value: f64) -> String {
    let text = fixed(value, 6);
    match text.split_once('.') {
        Some((whole, fraction)) => {
            let fraction = fraction.trim_end_matches('0');
            if fraction.is_empty() {
                whole.to_owned()
            } else {
                format!("{whole}.{fraction}")
            }
        }
        None => text,
    }
}

/// Which labels to write so that none overlap: the first and the last always if they fit, then
/// from the first on all that fit. `places` are centres and widths along the axis.
pub(super) fn thin(places: &[(f64, f64)], gap: f64) -> Vec<bool> {
    let mut keep = vec![false; places.len()];
    let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() >= f64::midpoint(a.1, b.1) + gap;
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return keep;
    };
    let ends_fit = places.len() > 1 && apart(first, last);
    let mut previous: Option<(f64, f64)> = None;
    let end = places.len() - 1;
    for (i, (&place, kept)) in places.iter().zip(keep.iter_mut()).enumerate() {
        let free = previous.is_none_or(|p| apart(p, place));
        let before_last = !ends_fit || i == end || apart(place, last);
        if free && before_last {
            *kept = true;
            previous = Some(place);
        }
    }
    keep
}

/// Moves labels of the given centres and heights as little as possible so that none overlap and
/// all lie between `top` and `bottom`. Input and output in the same order.
pub(super) fn spread(labels: &[(f64, f64)], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|a, b| labels[*a].0.total_cmp(&labels[*b].0));
    let mut centres: Vec<f64> = labels.iter().map(|l| l.0).collect();
    let mut floor = top;
    for &i in &order {
        centres[i] = centres[i].max(floor + labels[i].1 / 2.0);
        floor = centres[i] + labels[i].1 / 2.0;
    }
    let mut ceiling = bottom;
    for &i in order.iter().rev() {
        centres[i] = centres[i].min(ceiling - labels[i].1 / 2.0);
        ceiling = centres[i] - labels[i].1 / 2.0;
    }
    centres
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|t| t.label.as_str()).collect()
    }

    #[test]
    fn score_axes_have_short_labels_and_stay_within_their_limits() {
        let unit = Some((0.0, 1.0));
        let axis = Axis::linear([0.5, 0.98, 1.0], unit, 0.1);
        assert_eq!(labels(&axis), ["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]);
        let axis = Axis::linear([0.0, 1.0], unit, 0.1);
        assert_eq!(labels(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let axis = Axis::linear([1.0, 1.0], unit, 0.1);
        assert_eq!(labels(&axis).last(), Some(&"1.00"));
        assert_eq!(labels(&axis).first(), Some(&"0.90"));
        let axis = Axis::linear([-0.02, 0.03], None, 0.1);
        assert!(labels(&axis).contains(&"0.00"));
        assert!(labels(&axis).first().is_some_and(|l| l.starts_with('−')));
    }

    #[test]
    fn every_value_lies_between_the_ends_with_room_for_its_marker() {
        let values = [0.123, 0.5, 0.877];
        let axis = Axis::linear(values, Some((0.0, 1.0)), 0.1);
        for v in values {
            let share = axis.share(v);
            assert!((0.02..=0.98).contains(&share), "{v} at {share}");
        }
    }

    #[test]
    fn settings_are_labelled_as_they_are() {
        let axis = Axis::settings([1000.0, 10.0, 30.0, 16.0, 10.0, 0.0, 2_000_000.0]);
        assert_eq!(labels(&axis), ["10", "16", "30", "1,000", "2,000,000"]);
        let one = Axis::settings([100.0]);
        assert!((one.share(100.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn logarithmic_axes_have_round_ticks() {
        let axis = Axis::logarithmic([0.03, 4.0]);
        assert_eq!(labels(&axis), ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"]);
        assert!(axis.share(0.03) > 0.02 && axis.share(4.0) < 0.98);
    }

    #[test]
    fn numbers_are_grouped_signed_and_without_needless_zeros() {
        assert_eq!(fixed(-1_234_567.891, 1), "−1,234,567.9");
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(short(1.41), "1.41");
        assert_eq!(short(16.0), "16");
    }

    #[test]
    fn intervals_never_vanish_by_rounding() {
        let text = |low, high| ends(low, high, 3);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(text(0.999_6, 1.0), pair("0.999", "1.000"));
        assert_eq!(text(0.0, 0.000_1), pair("0.000", "0.001"));
        assert_eq!(text(0.551_4, 0.690_6), pair("0.551", "0.691"));
        assert_eq!(text(0.5, 0.5), pair("0.500", "0.500"));
    }

    #[test]
    fn counts_have_whole_ticks_from_zero() {
        assert_eq!(labels(&Axis::counts(1.0)), ["0", "1"]);
        assert_eq!(labels(&Axis::counts(2000.0)).last(), Some(&"2,000"));
        assert!(Axis::counts(3.0).share(0.0).abs() < 1e-12);
    }

    #[test]
    fn an_axis_between_two_values_ends_there() {
        let axis = Axis::between(13.0, 187.0);
        assert!(axis.share(13.0) > 0.0 && axis.share(13.0) < 0.02);
        assert!(axis.share(187.0) < 1.0 && axis.share(187.0) > 0.98);
        assert!(axis.ticks.iter().all(|t| (13.0..=187.0).contains(&t.value)));
        assert!(axis.ticks.len() >= 3, "{:?}", axis.ticks);
    }

    #[test]
    fn thinned_labels_do_not_overlap_and_keep_the_ends() {
        let places: Vec<(f64, f64)> = (0..50).map(|i| (f64::from(i) * 20.0, 45.0)).collect();
        let keep = thin(&places, 10.0);
        assert!(keep[0] && keep[49]);
        let kept: Vec<f64> = places
            .iter()
            .zip(&keep)
            .filter(|(_, k)| **k)
            .map(|(p, _)| p.0)
            .collect();
        assert!(kept.windows(2).all(|w| w[1] - w[0] >= 55.0), "{kept:?}");
        assert_eq!(thin(&[(5.0, 3.0)], 1.0), [true]);
        assert!(thin(&[], 1.0).is_empty());
    }

    #[test]
    fn spread_labels_keep_their_order_and_stay_inside() {
        let labels = [(10.0, 20.0), (12.0, 20.0), (95.0, 20.0), (96.0, 20.0)];
        let placed = spread(&labels, 0.0, 100.0);
        let mut sorted = placed.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(placed, sorted);
        assert!(sorted.windows(2).all(|w| w[1] - w[0] >= 20.0 - 1e-9));
        assert!(sorted[0] >= 10.0 && sorted[3] <= 90.0 + 1e-9);
    }
}
