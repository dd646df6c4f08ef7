//! The `evalctl` command.

fn main() -> std::process::ExitCode {
    evalctl::cli::main()
}
