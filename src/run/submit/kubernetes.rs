//! An indexed Job of Kubernetes. Its pods share the run's folder, a volume that the cluster's
//! administrator provides; the merge is a Job of its own, because a Job cannot wait for another.
//!
//! Manifests are written as JSON, which `kubectl` takes as it takes YAML, and in which no name or
//! path can be read as anything but text.

use serde_json::{Value, json};

use super::{CONFIG, RETRIES, SHARD_DIR, Scripts, Submission, TRANSIENT};

const JOB: &str = "job.json";
const MERGE: &str = "merge.json";
const IMAGE: &str = "evalctl:latest";

/// Where the run's folder is in a pod, and where the config.
const MOUNT: &str = "/run/evalctl";
const CONFIG_MOUNT: &str = "/etc/evalctl";

pub(super) fn scripts(submission: &Submission) -> Scripts {
    let name = submission.job_name();
    let shards = format!("{MOUNT}/{SHARD_DIR}");
    let config = format!("{CONFIG_MOUNT}/{CONFIG}");
    // Pods learn their index by themselves; the number of shards is told.
    let mut shard = container(
        submission,
        "shard",
        vec!["evalctl", "sweep", &config, "--out", &shards],
    );
    shard["env"] = json!([{
        "name": crate::run::scheduler::COUNT_VARIABLE,
        "value": submission.shards.to_string(),
    }]);
    shard["volumeMounts"] = json!([
        {"name": "run", "mountPath": MOUNT},
        {"name": "config", "mountPath": CONFIG_MOUNT, "readOnly": true},
    ]);
    let spec = json!({
        "completionMode": "Indexed",
        "completions": submission.shards,
        "parallelism": submission.shards,
        "backoffLimitPerIndex": RETRIES,
        // A shard that fails for good keeps no other from being played.
        "maxFailedIndexes": submission.shards,
        "podFailurePolicy": {"rules": [
            // Evicted or preempted, or told to stop: not the shard's fault, so not counted.
            {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]},
            {"action": "Ignore", "onExitCodes":
                {"containerName": "shard", "operator": "In", "values": [TRANSIENT]}},
            // A usage error, or another experiment's folder: trying again changes nothing.
            {"action": "FailIndex", "onExitCodes":
                {"containerName": "shard", "operator": "In", "values": [2, 65]}},
        ]},
        "template": {"spec": {
            "restartPolicy": "Never",
            "containers": [shard],
            "volumes": [volume(&name), {"name": "config", "configMap": {"name": name}}],
        }},
    });
    let job = json!({
        "apiVersion": "v1",
        "kind": "List",
        "items": [
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": name},
                "data": {CONFIG: submission.config},
            },
            {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec},
        ],
    });
    let mut merger = container(
        submission,
        "merge",
        vec!["evalctl", "merge", MOUNT, &shards],
    );
    merger["volumeMounts"] = json!([{"name": "run", "mountPath": MOUNT}]);
    let merge = json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": format!("{name}-merge")},
        "spec": {
            "backoffLimit": 3,
            "template": {"spec": {
                "restartPolicy": "Never",
                "containers": [merger],
                "volumes": [volume(&name)],
            }},
        },
    });
    let dir = submission.shard_dir();
    let path = |file: &str| super::shell(&dir.join(file));
    let later = format!(
        "when every shard is complete: kubectl apply -f {}",
        path(MERGE)
    );
    Scripts {
        files: vec![(JOB.into(), text(&job)), (MERGE.into(), text(&merge))],
        commands: vec![
            format!("kubectl apply -f {}", path(JOB)),
            format!("echo {}", super::quoted(&later)),
        ],
    }
}

/// A container that runs `command` with the threads that were asked for.
fn container(submission: &Submission, name: &str, command: Vec<&str>) -> Value {
    let image = submission.extra.first().map_or(IMAGE, String::as_str);
    let mut command: Vec<String> = command.into_iter().map(str::to_owned).collect();
    let mut container = json!({"name": name, "image": image});
    if let Some(jobs) = submission.jobs {
        command.extend(["--jobs".to_owned(), jobs.to_string()]);
        container["resources"] = json!({"requests": {"cpu": jobs.to_string()}});
    }
    command.extend(["--progress".to_owned(), "plain".to_owned()]);
    container["command"] = json!(command);
    container
}

/// The run's folder: a claim that many pods may write to, made beforehand.
fn volume(name: &str) -> Value {
    json!({"name": "run", "persistentVolumeClaim": {"claimName": name}})
}

fn text(manifest: &Value) -> String {
    format!("{manifest:#}\n")
}

#[cfg(test)]
mod tests {
    use super::super::tests::submission;
    use super::super::{Engine, Submission};
    use super::*;

    fn manifests(submission: &Submission) -> [Value; 2] {
        let files = submission.scripts(Engine::Kubernetes).files;
        [JOB, MERGE].map(|name| {
            let file = files.iter().find(|(file, _)| file == name).unwrap();
            serde_json::from_str(&file.1).unwrap()
        })
    }

    /// What the documentation of Job demands of an indexed one, and what ties the parts together.
    #[test]
    fn the_job_is_indexed_and_its_parts_belong_together() {
        let [list, merge] = manifests(&submission());
        let [map, job] = [&list["items"][0], &list["items"][1]];
        assert_eq!(map["kind"], "ConfigMap");
        assert_eq!(map["data"]["config.toml"], submission().config);
        let spec = &job["spec"];
        assert_eq!(spec["completionMode"], "Indexed");
        assert_eq!(spec["completions"], 8);
        // `FailIndex` is only valid with a limit per index, a failure policy only without restarts.
        assert!(spec["backoffLimitPerIndex"].is_u64());
        for job in [job, &merge] {
            assert_eq!(job["apiVersion"], "batch/v1");
            let pod = &job["spec"]["template"]["spec"];
            assert_eq!(pod["restartPolicy"], "Never");
            let container = &pod["containers"][0];
            let volumes = pod["volumes"].as_array().unwrap();
            for mount in container["volumeMounts"].as_array().unwrap() {
                assert!(volumes.iter().any(|volume| volume["name"] == mount["name"]));
            }
            let command: Vec<&str> = container["command"]
                .as_array()
                .unwrap()
                .iter()
                .map(|word| word.as_str().unwrap())
                .collect();
            assert_eq!(command[0], "evalctl");
            assert!(command.windows(2).any(|pair| pair == ["--jobs", "2"]));
        }
        let pod = &spec["template"]["spec"];
        assert_eq!(
            pod["volumes"][1]["configMap"]["name"],
            map["metadata"]["name"]
        );
        for rule in spec["podFailurePolicy"]["rules"].as_array().unwrap() {
            if let Some(codes) = rule.get("onExitCodes") {
                assert_eq!(codes["containerName"], pod["containers"][0]["name"]);
            }
        }
        assert_eq!(pod["containers"][0]["env"][0]["value"], "8");
    }

    /// Names are DNS labels with room for an index, whatever the run is called.
    #[test]
    fn any_name_becomes_a_label() {
        for name in ["Durak full", "???", "-a-", &"long ".repeat(40), "über"] {
            let submission = Submission {
                name: name.into(),
                ..submission()
            };
            let [list, merge] = manifests(&submission);
            for job in [&list["items"][1], &merge] {
                let label = job["metadata"]["name"].as_str().unwrap();
                assert!(label.len() <= 55, "{label}");
                assert!(
                    label
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                    "{label}"
                );
                assert!(!label.ends_with('-'), "{label}");
            }
        }
    }
}
