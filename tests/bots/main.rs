//! Programs as players, with real processes: what each misbehaviour leads to, what containment
//! holds, and that nothing is left behind. The programs are `examples/fake_bot`.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod support;

mod check;
#[cfg(target_os = "linux")]
mod command;
mod endings;
mod examples;
mod faults;
#[cfg(target_os = "linux")]
mod kit;
#[cfg(target_os = "linux")]
mod leftovers;
#[cfg(target_os = "linux")]
mod strict;
