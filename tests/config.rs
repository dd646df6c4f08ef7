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
    assert!(paths.len() >= 2, "{paths:?}");
    for path in paths {
        let text = config::read_file(&path).unwrap();
        let shown = path.display().to_string();
        let plan = config::parse(&text, &shown, &Overrides::default())
            .and_then(|config| config.plan())
            .unwrap_or_else(|error| panic!("{error}"));
        let again = config::parse(&plan.resolved, "resolved", &Overrides::default())
            .and_then(|config| config.plan())
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        assert_eq!(plan, again, "{shown}");
        assert!(text.starts_with("#:schema ./schema.json\n"), "{shown}");
    }
}
