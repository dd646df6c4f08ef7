//! What a program printed, made fit for a terminal, a log line or an error message.

use std::fmt::Write as _;

/// The longest excerpt of a bot's words in a message, in characters.
const EXCERPT: usize = 200;

/// `bytes` as text in which nothing can act on a terminal.
///
/// Control characters (C0, DEL, C1), characters that change the direction of writing, and bytes
/// that are not UTF-8 are written as `\n`, `\t`, `\r`, `\u{1b}` or `\xff`. Everything else stays.
///
/// # Examples
/// ```
/// use evalctl::external::escape_for_terminal;
/// assert_eq!(escape_for_terminal(b"\x1b[2Jhi\xff"), r"\u{1b}[2Jhi\xff");
/// ```
pub fn escape_for_terminal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_escaped(&mut out, c);
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// As [`escape_for_terminal`], but line breaks stay line breaks: for the tail of a log.
pub fn escape_lines(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for (index, line) in bytes.split(|&b| b == b'\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        out.push_str(&escape_for_terminal(line));
    }
    out
}

/// An escaped excerpt of at most some hundred characters, for an error message.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // One character has at most four bytes, so more than this can never be shown.
    let head = bytes.get(..EXCERPT * 4).unwrap_or(bytes);
    let escaped = escape_for_terminal(head);
    match escaped.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}... ({} bytes)", &escaped[..end], bytes.len()),
        None if head.len() < bytes.len() => format!("{escaped}... ({} bytes)", bytes.len()),
        None => escaped,
    }
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c.is_control() || changes_direction(c) => out.extend(c.escape_unicode()),
        c => out.push(c),
    }
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm, line and paragraph
/// separators, and the byte order mark: invisible, and able to make a line read as another.
fn changes_direction(c: char) -> bool {
    matches!(
        c,
        '\u{061c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_text_stays_and_control_characters_are_named() {
        assert_eq!(escape_for_terminal("7d>9h für".as_bytes()), "7d>9h für");
        assert_eq!(escape_for_terminal(b"a\tb\r\n\0"), "a\\tb\\r\\n\\u{0}");
        assert_eq!(escape_for_terminal("\u{9b}31m".as_bytes()), "\\u{9b}31m");
        assert_eq!(escape_for_terminal("\u{202e}x".as_bytes()), "\\u{202e}x");
        assert_eq!(escape_for_terminal(b"\xc3("), "\\xc3(");
    }

    #[test]
    fn a_tail_keeps_its_lines() {
        assert_eq!(
            escape_lines(b"one\r\ntwo\x07\nthree"),
            "one\ntwo\\u{7}\nthree"
        );
    }

    #[test]
    fn an_excerpt_is_short_and_says_how_long_the_whole_was() {
        assert_eq!(excerpt(b"abc"), "abc");
        let long = excerpt(&[b'x'; 5000]);
        assert!(
            long.len() < 250 && long.ends_with("... (5000 bytes)"),
            "{long}"
        );
        let wide = excerpt("ü".repeat(200).as_bytes());
        assert_eq!(wide.chars().count(), 200);
    }

    proptest! {
        #[test]
        fn nothing_that_acts_on_a_terminal_is_left(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let safe = escape_for_terminal(&bytes);
            prop_assert!(safe.chars().all(|c| !c.is_control() && !changes_direction(c)), "{safe:?}");
            prop_assert!(excerpt(&bytes).chars().all(|c| !c.is_control()));
        }
    }
}
