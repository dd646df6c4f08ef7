//! The lines that a program prints: cut, bounded and checked, without a clock or a descriptor.
//!
//! Pieces are pushed as they arrive; whole lines are taken out. A line ends with `\n` or `\r\n`,
//! has at most [`MAX_LINE`] bytes, is UTF-8 and contains no NUL. Lines that start with `#` are
//! chatter: they go to a log and are never an answer.

use std::ops::Range;

/// The longest line in bytes, without its end.
pub const MAX_LINE: usize = 64 * 1024;

/// The most chatter kept per game, in bytes.
pub const MAX_CHATTER: usize = 64 * 1024;

/// Room for the longest line with its end, and for one more piece behind it.
const CAPACITY: usize = 2 * MAX_LINE;

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// More than [`MAX_LINE`] bytes without a line end.
    #[error("a line is longer than 65,536 bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("a line is not valid UTF-8")]
    InvalidUtf8,
    /// Contains a NUL byte.
    #[error("a line contains a NUL byte")]
    Nul,
}

/// What has been printed and not yet been taken, and the chatter among it.
#[derive(Debug)]
pub struct LineBuffer {
    bytes: Box<[u8]>,
    /// What is unread, in `bytes`.
    unread: Range<usize>,
    /// Everything before this index has been searched for a line end.
    searched: usize,
    chatter: Vec<u8>,
    chatter_cut: bool,
}

impl Default for LineBuffer {
    fn default() -> Self {
        Self {
            bytes: vec![0; CAPACITY].into_boxed_slice(),
            unread: 0..0,
            searched: 0,
            chatter: Vec::new(),
            chatter_cut: false,
        }
    }
}

impl LineBuffer {
    /// Free room to read a piece into; call [`LineBuffer::advance`] with what was read.
    ///
    /// It is never empty after [`LineBuffer::next_line`] returned `Ok(None)`.
    #[inline]
    pub fn room(&mut self) -> &mut [u8] {
        if self.unread.is_empty() {
            self.unread = 0..0;
            self.searched = 0;
        } else if self.bytes.len() - self.unread.end < MAX_LINE / 2 {
            self.bytes.copy_within(self.unread.clone(), 0);
            self.searched -= self.unread.start;
            self.unread = 0..self.unread.len();
        }
        &mut self.bytes[self.unread.end..]
    }

    /// Says that `count` bytes of [`LineBuffer::room`] were filled.
    #[inline]
    pub fn advance(&mut self, count: usize) {
        self.unread.end = self.bytes.len().min(self.unread.end + count);
    }

    /// Where the next whole line that is not chatter is, without its end; `None` if more must be
    /// read.
    ///
    /// # Errors
    /// If the line is over-long, not UTF-8, or contains NUL.
    #[inline]
    pub fn next_line(&mut self) -> Result<Option<Range<usize>>, LineError> {
        loop {
            let start = self.unread.start;
            let Some(offset) = find_newline(&self.bytes[self.searched..self.unread.end]) else {
                self.searched = self.unread.end;
                return if self.unread.len() > MAX_LINE + 1 {
                    Err(LineError::TooLong)
                } else {
                    Ok(None)
                };
            };
            let newline = self.searched + offset;
            self.unread.start = newline + 1;
            self.searched = newline + 1;
            let line = trim_carriage_return(start..newline, &self.bytes);
            if line.len() > MAX_LINE {
                return Err(LineError::TooLong);
            }
            if self.bytes[line.clone()].first() == Some(&b'#') {
                self.keep_chatter(line);
            } else {
                check(&self.bytes[line.clone()])?;
                return Ok(Some(line));
            }
        }
    }

    /// The text of a line that was just taken, until more is read.
    #[inline]
    pub fn text(&self, line: &Range<usize>) -> &str {
        let bytes = self.bytes.get(line.clone()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// What is left when output has ended: a last line without a line end, unless it is chatter.
    ///
    /// # Errors
    /// As [`LineBuffer::next_line`].
    pub fn last_line(&mut self) -> Result<Option<Range<usize>>, LineError> {
        let rest = trim_carriage_return(self.unread.clone(), &self.bytes);
        self.unread.start = self.unread.end;
        self.searched = self.unread.end;
        if rest.is_empty() {
            Ok(None)
        } else if rest.len() > MAX_LINE {
            Err(LineError::TooLong)
        } else if self.bytes[rest.start] == b'#' {
            self.keep_chatter(rest);
            Ok(None)
        } else {
            check(&self.bytes[rest.clone()])?;
            Ok(Some(rest))
        }
    }

    /// Whether anything but white space and chatter is waiting, with an excerpt of it as bytes.
    /// Chatter and empty lines on the way are taken out.
    pub fn unasked(&mut self) -> Option<&[u8]> {
        while !self.unread.is_empty() {
            let rest = &self.bytes[self.unread.clone()];
            let newline = find_newline(rest);
            let line =
                self.unread.start..newline.map_or(self.unread.end, |n| self.unread.start + n);
            let is_chatter = rest.first() == Some(&b'#');
            if !is_chatter && !self.bytes[line.clone()].trim_ascii().is_empty() {
                return Some(&self.bytes[line]);
            }
            newline?;
            self.unread.start = line.end + 1;
            self.searched = self.searched.max(self.unread.start);
            if is_chatter {
                self.keep_chatter(line);
            }
        }
        None
    }

    /// Whether nothing is waiting to be taken.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.unread.is_empty()
    }

    /// Takes the chatter of a game, each line with its end, and whether some of it was cut.
    pub fn take_chatter(&mut self) -> (Vec<u8>, bool) {
        (
            std::mem::take(&mut self.chatter),
            std::mem::take(&mut self.chatter_cut),
        )
    }

    fn keep_chatter(&mut self, line: Range<usize>) {
        let room = MAX_CHATTER - self.chatter.len();
        if line.len() < room {
            self.chatter.extend_from_slice(&self.bytes[line]);
            self.chatter.push(b'\n');
        } else {
            self.chatter_cut = true;
        }
    }
}

#[inline]
fn find_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&b| b == b'\n')
}

fn trim_carriage_return(line: Range<usize>, bytes: &[u8]) -> Range<usize> {
    if bytes[line.clone()].last() == Some(&b'\r') {
        line.start..line.end - 1
    } else {
        line
    }
}

#[inline]
fn check(line: &[u8]) -> Result<(), LineError> {
    if std::str::from_utf8(line).is_err() {
        Err(LineError::InvalidUtf8)
    } else if line.contains(&0) {
        Err(LineError::Nul)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn push(buffer: &mut LineBuffer, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = buffer.room();
            let n = room.len().min(bytes.len());
            room[..n].copy_from_slice(&bytes[..n]);
            buffer.advance(n);
            bytes = &bytes[n..];
        }
    }

    fn next(buffer: &mut LineBuffer) -> Result<Option<String>, LineError> {
        let line = buffer.next_line()?;
        Ok(line.map(|line| buffer.text(&line).to_owned()))
    }

    fn last(buffer: &mut LineBuffer) -> Result<Option<String>, LineError> {
        let line = buffer.last_line()?;
        Ok(line.map(|line| buffer.text(&line).to_owned()))
    }

    #[test]
    fn both_line_ends_pieces_and_chatter() {
        let mut buffer = LineBuffer::default();
        push(&mut buffer, b"one\r\n# thinking\ntw");
        assert_eq!(next(&mut buffer), Ok(Some("one".to_owned())));
        assert_eq!(buffer.next_line(), Ok(None));
        push(&mut buffer, b"o\n\nthree");
        assert_eq!(next(&mut buffer), Ok(Some("two".to_owned())));
        assert_eq!(next(&mut buffer), Ok(Some(String::new())));
        assert_eq!(buffer.next_line(), Ok(None));
        assert_eq!(last(&mut buffer), Ok(Some("three".to_owned())));
        assert_eq!(buffer.last_line(), Ok(None));
        assert_eq!(buffer.take_chatter(), (b"# thinking\n".to_vec(), false));
    }

    #[test]
    fn the_longest_line_passes_and_one_byte_more_does_not() {
        for end in [&b"\n"[..], b"\r\n"] {
            let mut buffer = LineBuffer::default();
            push(&mut buffer, &vec![b'x'; MAX_LINE]);
            assert_eq!(buffer.next_line(), Ok(None));
            push(&mut buffer, end);
            assert_eq!(buffer.next_line().unwrap().unwrap().len(), MAX_LINE);
        }
        let mut buffer = LineBuffer::default();
        push(&mut buffer, &vec![b'x'; MAX_LINE + 1]);
        push(&mut buffer, b"\n");
        assert_eq!(buffer.next_line(), Err(LineError::TooLong));
        let mut flood = LineBuffer::default();
        push(&mut flood, &vec![b'x'; MAX_LINE + 2]);
        assert_eq!(flood.next_line(), Err(LineError::TooLong));
    }

    #[test]
    fn nul_and_invalid_utf8_are_named() {
        let mut buffer = LineBuffer::default();
        push(&mut buffer, b"a\0b\n\xff\xfe\nok\n");
        assert_eq!(buffer.next_line(), Err(LineError::Nul));
        assert_eq!(buffer.next_line(), Err(LineError::InvalidUtf8));
        assert_eq!(next(&mut buffer), Ok(Some("ok".to_owned())));
    }

    #[test]
    fn words_before_a_question_are_seen_but_not_chatter_or_empty_lines() {
        let mut buffer = LineBuffer::default();
        push(&mut buffer, b"\n# hello\r\n  \r\n");
        assert_eq!(buffer.unasked(), None);
        assert!(buffer.is_empty());
        push(&mut buffer, b"# half a remark");
        assert_eq!(buffer.unasked(), None);
        push(&mut buffer, b"\n1 1\n");
        assert_eq!(buffer.unasked(), Some(&b"1 1"[..]));
        assert_eq!(
            buffer.take_chatter().0,
            b"# hello\r\n# half a remark\n".to_vec()
        );
    }

    #[test]
    fn chatter_is_bounded() {
        let mut buffer = LineBuffer::default();
        for _ in 0..30 {
            push(&mut buffer, &[b'#'; 5000]);
            push(&mut buffer, b"\n");
            assert_eq!(buffer.next_line(), Ok(None));
        }
        let (kept, cut) = buffer.take_chatter();
        assert!(kept.len() <= MAX_CHATTER && kept.len() > 60_000 && cut);
        assert_eq!(buffer.take_chatter(), (Vec::new(), false));
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_they_are_cut(
            text in "[a-z#\r\n]{0,200}", cuts in proptest::collection::vec(1_usize..9, 1..50)
        ) {
            let expected: Vec<String> = {
                let mut lines: Vec<&str> = text.split('\n').collect();
                let last = lines.pop().filter(|l| !matches!(*l, "" | "\r"));
                lines.extend(last);
                lines.iter().map(|l| l.strip_suffix('\r').unwrap_or(l).to_owned())
                    .filter(|l| !l.starts_with('#')).collect()
            };
            let mut buffer = LineBuffer::default();
            let (mut rest, mut seen, mut cut) = (text.as_bytes(), Vec::new(), cuts.iter().cycle());
            while !rest.is_empty() {
                let n = rest.len().min(*cut.next().unwrap_or(&1));
                push(&mut buffer, &rest[..n]);
                rest = &rest[n..];
                while let Some(line) = next(&mut buffer).unwrap() {
                    seen.push(line);
                }
            }
            seen.extend(last(&mut buffer).unwrap());
            prop_assert_eq!(seen, expected);
        }
    }
}
