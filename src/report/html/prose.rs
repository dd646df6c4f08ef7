//! Sentences as markup: commands and options in type of their own, numbers with their signs.

use maud::{Markup, html};

/// A sentence of the analysis or of [`crate::report::words`]. What stands between two backticks is
/// code there, since terminals have no other way to say so.
pub(crate) fn prose(sentence: &str) -> Markup {
    let parts: Vec<&str> = sentence.split('`').collect();
    // A lone backtick is a part of somebody's name.
    if parts.len().is_multiple_of(2) {
        return html! { (together(sentence)) };
    }
    html! {
        @for (place, part) in parts.into_iter().enumerate() {
            @if place.is_multiple_of(2) { (together(part)) } @else { code { (part) } }
        }
    }
}

/// Numbers that the end of a line does not tear from their signs.
pub(crate) fn together(text: &str) -> String {
    text.replace(" %", "\u{a0}%").replace("< 0", "<\u{a0}0")
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn code_is_marked_and_numbers_keep_their_signs() {
        assert_eq!(
            prose("see `evalctl plan`: 80 %, p < 0.001").into_string(),
            "see <code>evalctl plan</code>: 80\u{a0}%, p &lt;\u{a0}0.001"
        );
        assert_eq!(prose("a `name").into_string(), "a `name");
        assert_eq!(prose("`<b>`").into_string(), "<code>&lt;b&gt;</code>");
    }
}
