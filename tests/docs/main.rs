//! The documentation is true: its commands run, its reference is what the code says, its links
//! lead somewhere.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod reference;

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page, by its path from the root.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "results/README.md"]
        .into_iter()
        .map(PathBuf::from)
        .collect();
    for entry in std::fs::read_dir(root().join("docs")).expect("docs/") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if name.ends_with(".md") {
            pages.push(Path::new("docs").join(&*name));
        }
    }
    pages.sort();
    pages
}

fn text(page: &Path) -> String {
    std::fs::read_to_string(root().join(page)).expect("a page")
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    let mut seen = 0;
    for page in pages() {
        let text = text(&page);
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let path = root().join(page.parent().expect("a folder")).join(file);
            assert!(path.exists(), "{}: no {file}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen} links");
}

#[test]
fn the_book_names_every_page_once() {
    let summary = text(Path::new("docs/SUMMARY.md"));
    for page in pages().iter().filter(|page| page.starts_with("docs")) {
        let name = page.file_name().expect("a name").to_string_lossy();
        if name != "SUMMARY.md" {
            let times = summary.matches(&format!("({name})")).count();
            assert_eq!(times, 1, "{name}");
        }
    }
}
