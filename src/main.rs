//! The `evalctl` command.

fn main() {
    evalctl::external::main_if_requested();
}
