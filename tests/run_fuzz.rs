//! Any bytes at all, as journal, shard, games and manifest: no panic, no allocation out of
//! proportion.
//!
//! By default each reader gets three thousand inputs; `EVALCTL_FUZZ_INPUTS=2000000` asks for more.
#![expect(
    unsafe_code,
    reason = "a global allocator that measures cannot be written without"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use evalctl::rng::Seed;
use evalctl::run::fuzz;

/// Notes the largest allocation of each thread.
struct Measuring;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    // A thread that ends may allocate after its variables are gone.
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: everything is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// The readers' own buffers, whatever they are given.
const BUFFERS: usize = 1 << 20;

fn inputs() -> u64 {
    let text = std::env::var("EVALCTL_FUZZ_INPUTS").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(3_000)
}

/// Gives mutations of `sample` to `reader`; how many of them it took for whole.
fn drive(name: &str, sample: &[u8], reader: impl Fn(&[u8]) -> bool) -> u64 {
    assert!(reader(sample), "the sample of {name} is valid");
    let mut rng = Seed::root(20_261_130)
        .derive("fuzz", &[name.as_bytes()])
        .rng();
    let mut whole = 0;
    for _ in 0..inputs() {
        let mut bytes = sample.to_vec();
        fuzz::mutate(&mut bytes, &mut rng);
        LARGEST.with(|largest| largest.set(0));
        whole += u64::from(reader(&bytes));
        let largest = LARGEST.with(Cell::get);
        assert!(
            largest <= BUFFERS + 16 * bytes.len(),
            "{name}: {largest} bytes for an input of {}",
            bytes.len()
        );
    }
    whole
}

#[test]
fn any_bytes_are_read_without_panic_or_waste() {
    let [journal, shard, games] = fuzz::samples().unwrap();
    // 12 blocks; a torn or damaged journal keeps fewer.
    let kept = drive("journal", &journal, |bytes| fuzz::journal(bytes) == 12);
    assert!(kept < inputs() / 2, "{kept} damaged journals read as whole");
    let whole = drive("shard", &shard, fuzz::shard);
    // What is left are changes that change nothing, such as a byte set to what it was.
    assert!(
        whole < inputs() / 20,
        "{whole} damaged shards read as whole"
    );
    drive("games", &games, |bytes| fuzz::games_csv(bytes) == 12);
}

#[test]
fn any_text_is_a_manifest_or_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name = \"m\"\ngames = 2\n[game]\nname = \"tictactoe\"\n[challenger]\n\
        agent = \"random\"\n[[opponents]]\nagent = \"random\"\n";
    let plan =
        evalctl::config::plan(text, "m.toml", &evalctl::config::Overrides::default()).unwrap();
    let options = evalctl::run::RunOptions::new(dir.path());
    let outcome = evalctl::run::execute(&plan, &options, &mut evalctl::run::Silent).unwrap();
    let evalctl::run::Outcome::Complete(run) = outcome else {
        panic!("{outcome:?}");
    };
    evalctl::run::finish(&run).unwrap();
    evalctl::run::seal(run, &[]).unwrap();
    let sample = std::fs::read(dir.path().join("manifest.json")).unwrap();
    drive("manifest", &sample, fuzz::manifest);
}
