//! The command of a program: split like shell words, without a shell, and found before it is run.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Why a command cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// Nothing to run.
    #[error("the command is empty: give a program, such as `exec:./bot` or `exec:python3 bot.py`")]
    Empty,
    /// A quote without its partner, or a backslash at the end.
    #[error(
        "the command `{command}` ends inside {inside}: close it, or escape it with a backslash"
    )]
    Unfinished {
        /// The command.
        command: String,
        /// What is open.
        inside: &'static str,
    },
    /// No such program.
    #[error("no program `{program}`: there is no file `{}`{}", tried.display(), if *.in_path { ", and none in PATH" } else { "" })]
    NotFound {
        /// The program as given.
        program: String,
        /// The file that was looked for.
        tried: PathBuf,
        /// Whether it was looked for in PATH, too.
        in_path: bool,
    },
    /// A path that is no file.
    #[error("`{program}` is a folder, not a program")]
    Folder {
        /// The program as given.
        program: String,
    },
    /// The working directory is unknown, so nothing can be made absolute.
    #[error("cannot tell the current folder, which the command's files are relative to: {0}")]
    NoCurrentFolder(String),
}

/// Splits `command` into words as a POSIX shell does, without expanding anything.
///
/// White space separates words; `'...'` is literal; in `"..."` a backslash escapes `"`, `\`, `$`
/// and a back quote; elsewhere a backslash escapes any character. `*`, `$`, `~`, `;` and `|` have
/// no meaning.
///
/// # Errors
/// If a quote is not closed or a backslash is the last character.
///
/// # Examples
/// ```
/// use evalctl::external::split_words;
/// assert_eq!(split_words(r#"python3 "my bot.py" -x\ y"#).unwrap(), ["python3", "my bot.py", "-x y"]);
/// ```
pub fn split_words(command: &str) -> Result<Vec<String>, CommandError> {
    let unfinished = |inside| CommandError::Unfinished {
        command: command.to_owned(),
        inside,
    };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err(unfinished("a single quote")),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(c @ ('"' | '\\' | '$' | '`')) => word.push(c),
                            Some('\n') => {}
                            Some(c) => word.extend(['\\', c]),
                            None => return Err(unfinished("a double quote")),
                        },
                        Some(c) => word.push(c),
                        None => return Err(unfinished("a double quote")),
                    }
                }
            }
            '\\' => {
                let word = word.get_or_insert_default();
                match chars.next() {
                    Some('\n') => {}
                    Some(c) => word.push(c),
                    None => return Err(unfinished("an escape")),
                }
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A program that exists, with its arguments, independent of the working directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedCommand {
    /// The program, absolute.
    pub program: PathBuf,
    /// The arguments; those that name existing files are absolute.
    pub args: Vec<OsString>,
    /// The command as it was given, for messages.
    pub display: String,
    /// Why it cannot be started, if that is known.
    pub missing: Option<CommandError>,
}

impl ResolvedCommand {
    /// Finds the program of `words` and makes it, and every argument that names an existing file,
    /// absolute: the program will run in another folder.
    ///
    /// A program without a slash is looked for in PATH first and then in the current folder, so
    /// that a file called `python3` somewhere does not replace the interpreter.
    ///
    /// # Errors
    /// If there is no program, or none of that name.
    pub fn new(words: &[String]) -> Result<Self, CommandError> {
        let here =
            std::env::current_dir().map_err(|e| CommandError::NoCurrentFolder(e.to_string()))?;
        Self::resolve(words, &here, std::env::var_os("PATH").as_deref())
    }

    /// As [`ResolvedCommand::new`], but that there is no such program is said when it is to be
    /// started: it is no fault of how it was written.
    ///
    /// # Errors
    /// If the command is empty.
    pub fn to_be_started(words: &[String]) -> Result<Self, CommandError> {
        match Self::new(words) {
            Err(error @ (CommandError::NotFound { .. } | CommandError::Folder { .. })) => {
                Ok(Self {
                    program: words.first().map(PathBuf::from).unwrap_or_default(),
                    args: words.iter().skip(1).map(OsString::from).collect(),
                    display: display(words),
                    missing: Some(error),
                })
            }
            resolved => resolved,
        }
    }

    fn resolve(words: &[String], here: &Path, path: Option<&OsStr>) -> Result<Self, CommandError> {
        let (program, args) = words
            .split_first()
            .filter(|(program, _)| !program.is_empty())
            .ok_or(CommandError::Empty)?;
        Ok(Self {
            program: find_program(program, here, path)?,
            args: args.iter().map(|arg| absolute_if_file(arg, here)).collect(),
            display: display(words),
            missing: None,
        })
    }
}

fn find_program(program: &str, here: &Path, path: Option<&OsStr>) -> Result<PathBuf, CommandError> {
    if !program.contains('/') {
        let in_path = path
            .into_iter()
            .flat_map(std::env::split_paths)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(program))
            .find(|candidate| is_executable(candidate));
        if let Some(found) = in_path {
            return Ok(found);
        }
    }
    let local = here.join(program);
    if local.is_dir() {
        Err(CommandError::Folder {
            program: program.to_owned(),
        })
    } else if local.exists() {
        Ok(std::path::absolute(&local).unwrap_or(local))
    } else {
        Err(CommandError::NotFound {
            program: program.to_owned(),
            in_path: !program.contains('/'),
            tried: local,
        })
    }
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

fn absolute_if_file(arg: &str, here: &Path) -> OsString {
    let file = here.join(arg);
    if !arg.is_empty() && file.is_file() {
        std::path::absolute(&file).unwrap_or(file).into_os_string()
    } else {
        OsString::from(arg)
    }
}

/// The words as one would type them, for messages.
fn display(words: &[String]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| {
            let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', r"'\''"))
            }
        })
        .collect();
    super::escape::escape_for_terminal(quoted.join(" ").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        split_words(command).unwrap()
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        assert_eq!(words("  ./ai1  --depth 3 "), ["./ai1", "--depth", "3"]);
        assert_eq!(
            words(r#"a 'b c' "d \"e\" \n" f\ g"#),
            ["a", "b c", r#"d "e" \n"#, "f g"]
        );
        assert_eq!(words(r#"a""b '' "" x'y'z"#), ["ab", "", "", "xyz"]);
        assert_eq!(words("$HOME *.c ; | ~"), ["$HOME", "*.c", ";", "|", "~"]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn open_quotes_are_refused() {
        for (command, inside) in [("a 'b", "single"), ("a \"b", "double"), ("a\\", "escape")] {
            let error = split_words(command).unwrap_err().to_string();
            assert!(error.contains(inside), "{error}");
        }
    }

    #[test]
    fn files_become_absolute_and_other_arguments_stay() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        std::fs::write(here.join("bot.py"), "").unwrap();
        std::fs::create_dir(here.join("data")).unwrap();
        let given = words("bot.py bot.py data --file=bot.py ''");
        let command = ResolvedCommand::resolve(&given, here, None).unwrap();
        assert_eq!(command.program, here.join("bot.py"));
        let expected: [OsString; 4] = [
            here.join("bot.py").into(),
            "data".into(),
            "--file=bot.py".into(),
            "".into(),
        ];
        assert_eq!(command.args, expected);
        assert_eq!(command.display, "bot.py bot.py data --file=bot.py ''");
    }

    #[cfg(unix)]
    #[test]
    fn path_comes_before_the_current_folder_and_missing_programs_are_named() {
        use std::os::unix::fs::PermissionsExt as _;
        let (bin, here) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for folder in [bin.path(), here.path()] {
            std::fs::write(folder.join("bot"), "").unwrap();
        }
        let find = |program: &str| {
            ResolvedCommand::resolve(&words(program), here.path(), Some(bin.path().as_os_str()))
        };
        assert_eq!(find("bot").unwrap().program, here.path().join("bot"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(bin.path().join("bot"), mode).unwrap();
        assert_eq!(find("bot").unwrap().program, bin.path().join("bot"));
        assert_eq!(find("./bot").unwrap().program, here.path().join("bot"));
        assert!(matches!(find("./no"), Err(CommandError::NotFound { .. })));
        assert!(matches!(find("."), Err(CommandError::Folder { .. })));
        assert_eq!(
            ResolvedCommand::resolve(&[], here.path(), None),
            Err(CommandError::Empty)
        );
    }
}
