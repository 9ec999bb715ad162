//! What others get with our packages: licences we may pass on, from the public registry only, and
//! packages that are complete in themselves.
//!
//! `deny.toml` holds the licences; `cargo deny check` reads the same file where it is installed.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The output of a tool as text.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// All packages that a build for this machine may take in.
fn packages() -> Vec<Value> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(&rustc, &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let arguments = ["metadata", "--format-version", "1", "--offline", "--all-features"];
    let metadata = output(env!("CARGO"), &[&arguments[..], &["--filter-platform", host]].concat());
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let used: HashSet<_> = metadata["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| node["id"].as_str().expect("an id").to_owned())
        .collect();
    let mut packages = metadata["packages"].as_array().expect("packages").clone();
    packages.retain(|package| used.contains(package["id"].as_str().expect("an id")));
    packages
}

fn allowed_licences() -> Vec<String> {
    let path = Path::new(ROOT).join("deny.toml");
    let text = std::fs::read_to_string(&path).expect("deny.toml is there");
    let file: toml::Table = toml::from_str(&text).expect("TOML");
    let allowed = file["licenses"]["allow"].as_array().expect("a list");
    allowed.iter().map(|licence| licence.as_str().expect("a name").to_owned()).collect()
}

/// Whether an SPDX expression can be met with the licences that are allowed. A licence with an
/// exception is one of its own.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = text.split_whitespace().peekable();
    let met = any(&mut words, allowed);
    assert_eq!(words.next(), None, "'{expression}' goes on");
    met
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words, allowed: &[String]) -> bool {
    let mut met = all(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= all(words, allowed);
    }
    met
}

fn all(words: &mut Words, allowed: &[String]) -> bool {
    let mut met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Words, allowed: &[String]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any(words, allowed);
        assert_eq!(words.next(), Some(")"), "a bracket is open");
        return met;
    }
    let mut licence = words.next().expect("a licence").to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        licence = format!("{licence} WITH {}", words.next().expect("an exception"));
    }
    allowed.contains(&licence)
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed = ["MIT".to_owned(), "BSD-3-Clause".to_owned()];
    for met in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(Zlib OR MIT) AND BSD-3-Clause"] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in ["Zlib", "MIT AND Zlib", "(MIT OR Zlib) AND Zlib", "MIT WITH LLVM-exception"] {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn everything_we_use_may_be_passed_on() {
    let allowed = allowed_licences();
    let packages = packages();
    assert!(packages.len() > 50, "only {} packages", packages.len());
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name}: no licence"));
        assert!(is_met(licence, &allowed), "{name}: {licence} is not among {allowed:?}");
        let source = package["source"].as_str();
        assert!(source.is_none_or(|from| from == REGISTRY), "{name} is from {source:?}");
    }
}

#[test]
fn our_packages_are_complete() {
    let ours: Vec<_> =
        packages().into_iter().filter(|package| package["source"].is_null()).collect();
    assert!(!ours.is_empty());
    for package in ours {
        let name = &package["name"];
        for key in ["description", "license", "repository", "readme"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        for key in ["keywords", "categories"] {
            let count = package[key].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&count), "{name} has {count} {key}");
        }
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder");
        let readme = folder.join(package["readme"].as_str().expect("a name"));
        assert!(readme.is_file(), "{} is missing", readme.display());
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let copy = std::fs::read(folder.join(licence));
            let original = std::fs::read(Path::new(ROOT).join(licence)).expect("a licence");
            assert!(copy.is_ok_and(|copy| copy == original), "{name}: {licence} is no copy");
        }
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let (used, version) = (&dependency["name"], &dependency["req"]);
            assert!(version != "*", "{name} takes {used} of any version");
        }
    }
}
