//! The `evalctl` command.

fn main() {}
