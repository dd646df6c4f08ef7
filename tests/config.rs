//! The configs that come with the project, and the messages of wrong ones.

use std::path::{Path, PathBuf};

use evalctl::config::{self, Overrides};

fn configs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_config_becomes_a_plan_and_its_resolved_text_the_same_plan() {
    let paths = configs();
    assert!(paths.len() >= 8, "{paths:?}");
    for path in paths {
        let text = config::read_file(&path).unwrap();
        let shown = path.display().to_string();
        let plan = config::plan(&text, &shown, &Overrides::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let again = config::plan(&plan.resolved, "resolved", &Overrides::default())
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        assert_eq!(plan, again, "{shown}");
        assert!(text.starts_with("#:schema ./schema.json\n"), "{shown}");
    }
}

#[test]
fn the_schema_for_editors_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/schema.json");
    let text = serde_json::to_string_pretty(&config::schema()).unwrap() + "\n";
    if std::env::var_os("EVALCTL_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == text,
        "configs/schema.json is out of date: run `EVALCTL_UPDATE=1 cargo test --test config`"
    );
}
