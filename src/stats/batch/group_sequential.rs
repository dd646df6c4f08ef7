//! Group sequential boundaries by name.

use super::super::StatsError;
use super::super::group_sequential::{Design, equal_information, group_sequential};
use super::{Arguments, Input, Kind, Method, numbers, object};
use serde_json::Value;

pub(super) static METHODS: &[Method] = &[Method {
    name: "group_sequential_bounds",
    help: "Critical z at each planned look of a group sequential test.",
    inputs: &[
        Input::new(
            "type",
            Kind::Word(&["P", "OF", "asP", "asOF"]),
            "Pocock, O'Brien-Fleming, or error spending like either",
        ),
        Input::new("looks", Kind::Count, "number of looks"),
        Input::new("alpha", Kind::Number, "error rate, both sides together"),
        Input::new("sides", Kind::Count, "1 or 2"),
        Input::optional(
            "information_rates",
            Kind::Numbers,
            "share of the sample at each look, equally spaced if left out",
        ),
    ],
    run,
}];

fn run(arguments: &Arguments) -> Result<Value, StatsError> {
    let design = match arguments.word("type")? {
        "P" => Design::Pocock,
        "OF" => Design::OBrienFleming,
        "asP" => Design::SpendingPocock,
        _ => Design::SpendingOBrienFleming,
    };
    let two_sided = match arguments.count("sides")? {
        1 => false,
        2 => true,
        other => return Err(StatsError::argument("sides", other, "1 or 2")),
    };
    let looks = arguments.count("looks")?;
    let equal = equal_information(looks)?;
    let rates = if arguments.has("information_rates") {
        arguments.numbers("information_rates")?
    } else {
        equal
    };
    if u64::try_from(rates.len()) != Ok(looks) {
        return Err(StatsError::argument(
            "information_rates",
            format!("a list of {}", rates.len()),
            format!("one rate for each of the {looks} looks"),
        ));
    }
    let bounds = group_sequential(design, &rates, arguments.number("alpha")?, two_sided)?;
    Ok(object([
        ("critical_z", numbers(bounds.critical_z)),
        ("alpha_spent", numbers(bounds.alpha_spent)),
        (
            "stage_levels_one_sided",
            numbers(bounds.stage_levels_one_sided),
        ),
    ]))
}
