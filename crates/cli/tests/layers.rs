//! The layers of the workspace: which crate may use which. Changing this table is a design
//! decision; ARCHITECTURE.md gives the reasons.

use std::process::Command;

/// A crate and the crates of the workspace that it may use.
const LAYERS: [(&str, &[&str]); 12] = [
    ("game", &[]),
    ("record", &["game"]),
    ("proof", &["game"]),
    ("learn", &["game"]),
    ("net", &["learn"]),
    ("go", &["game", "learn"]),
    ("hex", &["game", "learn", "net", "proof"]),
    ("havannah", &["game", "learn", "net"]),
    ("search", &["game"]),
    ("engine", &["game", "record", "proof", "learn", "go", "hex", "havannah", "search"]),
    ("lab", &["game", "record", "learn", "go", "hex", "havannah", "search", "engine"]),
    (
        "cli",
        &["game", "record", "learn", "net", "go", "hex", "havannah", "search", "engine", "lab"],
    ),
];

#[test]
fn crates_use_only_the_layers_below() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert_eq!(packages.len(), LAYERS.len(), "a crate is missing from the table");
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let short = name.strip_prefix("kosumi-").expect("all crates are called kosumi-*");
        let allowed = LAYERS.iter().find(|(layer, _)| *layer == short);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} is not in the table"));
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"].as_str().expect("a name");
            if let Some(used) = used.strip_prefix("kosumi-") {
                assert!(allowed.contains(&used), "{name} may not use kosumi-{used}");
            }
        }
    }
}
