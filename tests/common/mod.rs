//! What several test programs need. (A folder, so that it is no test program itself.)

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program of an example, built beside this test or now.
pub fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let test = std::env::current_exe().expect("this program");
        let profile = test.ancestors().nth(2).expect("a folder of the build");
        build(profile);
        profile.join("examples")
    });
    folder.join(name)
}

/// `cargo test` builds examples; `cargo test --test NAME` does not, or not anew.
fn build(profile: &Path) {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--examples"]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    build.args([
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ]);
    assert!(build.status().expect("cargo").success());
}
