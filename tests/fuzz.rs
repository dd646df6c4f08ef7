//! Every reader of what others wrote, given mutated bytes: no panic, and no memory out of
//! proportion to the input.
//!
//! Each target gets two thousand inputs. More, or for a time:
//!
//! ```sh
//! EVALCTL_FUZZ_INPUTS=2000000 cargo test --test fuzz -- --nocapture
//! EVALCTL_FUZZ_SECONDS=17 cargo test --test fuzz -- --nocapture
//! ```
//!
//! An input that fails is printed; the same numbers always give the same inputs.
#![expect(
    unsafe_code,
    reason = "a global allocator that measures cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use evalctl::config;
use evalctl::fuzz::{self, Target};
use evalctl::rng::{Rng, Seed};
use evalctl::run;

/// Counts what each thread has allocated and not yet freed, and the most of it.
struct Measuring;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

fn took(size: usize) {
    // A thread that ends may allocate after its variables are gone.
    let _ = HELD.try_with(|held| {
        held.set(held.get().saturating_add(size));
        MOST.with(|most| most.set(most.get().max(held.get())));
    });
}

fn freed(size: usize) {
    let _ = HELD.try_with(|held| held.set(held.get().saturating_sub(size)));
}

// SAFETY: everything is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        took(size);
        freed(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// The readers' own buffers, whatever they are given.
const BUFFERS: usize = 1 << 20;
/// What may be taken for each byte of an input, as text, as numbers and as what is made of them.
const PER_BYTE: usize = 64;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// Gives mutations of its samples to a target, and says how many.
fn drive(name: &str) {
    let target = Target::named(name).expect("the name of a target");
    let seconds = number("EVALCTL_FUZZ_SECONDS").map(Duration::from_secs);
    let inputs = number("EVALCTL_FUZZ_INPUTS").unwrap_or(match seconds {
        Some(_) => u64::MAX,
        None => 2_000,
    });
    let samples = (target.samples)();
    assert!(samples.iter().all(|sample| !sample.is_empty()));
    // What is made once is made before it is measured.
    for sample in &samples {
        (target.body)(sample);
    }
    let mut rng = Seed::root(20_261_130)
        .derive("fuzz", &[name.as_bytes()])
        .rng();
    let started = Instant::now();
    let (mut tried, mut most) = (0, 0);
    while tried < inputs && seconds.is_none_or(|seconds| started.elapsed() < seconds) {
        let mut bytes = samples[rng.index(samples.len())].clone();
        mutate(name, &mut bytes, &mut rng);
        let before = HELD.with(Cell::get);
        MOST.with(|most| most.set(before));
        let panicked = catch_unwind(AssertUnwindSafe(|| (target.body)(&bytes))).is_err();
        let used = MOST.with(Cell::get).saturating_sub(before);
        assert!(
            !panicked && used <= BUFFERS + PER_BYTE * bytes.len(),
            "{name}, input {tried}: {used} bytes for {}: {}",
            bytes.len(),
            bytes.escape_ascii()
        );
        most = most.max(used);
        tried += 1;
    }
    println!("{name}: {tried} inputs, at most {} KiB each", most >> 10);
}

fn mutate(name: &str, bytes: &mut Vec<u8>, rng: &mut Rng) {
    // Half of what is text gets pieces of configs, half gets bytes.
    if name == "config" && rng.below(2) == 0 {
        *bytes = config::fuzz::mutated(bytes, rng);
    } else {
        fuzz::mutate(bytes, rng);
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test]
        fn $name() {
            drive(stringify!($name));
        })*
    };
}

targets! { config durak protocol board import journal shard games manifest }

#[test]
fn every_target_is_driven_by_both_drivers() {
    let names: Vec<&str> = fuzz::TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names, NAMES);
    for name in names {
        let file = format!("fuzz/fuzz_targets/{name}.rs");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
        let text = std::fs::read_to_string(path).expect(&file);
        assert!(text.contains(&format!("\"{name}\"")), "{file}");
    }
}

/// Mutations are refused, not taken for something else, and valid files are taken.
#[test]
fn damaged_files_are_seen_to_be_damaged() {
    let [journal, shard, games, manifest] = run::fuzz::samples().expect("games can be played");
    assert_eq!(run::fuzz::journal(&journal), 12, "all blocks");
    assert!(run::fuzz::shard(&shard));
    assert_eq!(run::fuzz::games_csv(&games), 12, "all blocks");
    assert!(run::fuzz::manifest(&manifest));
    assert_eq!(run::fuzz::sealed(&journal), journal, "it was sealed before");
    assert_eq!(run::fuzz::sealed(&shard), shard, "it was sealed before");
    let mut rng = Seed::root(1).rng();
    let (mut whole, mut kept, mut believed) = (0, 0, 0);
    for _ in 0..1_000 {
        let (mut one, mut other) = (journal.clone(), shard.clone());
        fuzz::mutate(&mut one, &mut rng);
        fuzz::mutate(&mut other, &mut rng);
        kept += u32::from(run::fuzz::journal(&one) == 12);
        whole += u32::from(other != shard && run::fuzz::shard(&other));
        // With right checksums the reader gets further: to records that are no games.
        believed += u32::from(run::fuzz::journal(&run::fuzz::sealed(&one)) > 0);
    }
    assert!(kept < 500, "{kept} damaged journals read as whole");
    assert_eq!(whole, 0, "damaged shards read as whole");
    assert!(believed > 200, "{believed} sealed journals held blocks");
}
