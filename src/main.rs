//! The `evalctl` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A supervisor of a program is this same executable, started again: it never parses arguments.
    evalctl::external::main_if_requested();
    evalctl::cli::main()
}
