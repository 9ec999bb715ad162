//! Tells the program which commit it was built from, where there is one to tell, and whether its
//! sources were changed since.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is made of, in the workspace and in each of its crates; tests and docs are not.
const OF_THE_WORKSPACE: [&str; 3] = ["Cargo.toml", "Cargo.lock", "data"];
const OF_A_CRATE: [&str; 4] = ["Cargo.toml", "build.rs", "presets", "src"];

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The sources that there are.
fn sources(root: &Path) -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let of_crates = crates.flat_map(|entry| OF_A_CRATE.map(|name| entry.path().join(name)));
    let of_workspace = OF_THE_WORKSPACE.map(|name| root.join(name)).into_iter();
    of_workspace.chain(of_crates).filter(|path| path.exists()).collect()
}

/// Whether a source differs from the commit.
fn is_changed(sources: &[PathBuf]) -> bool {
    // Without the optional lock the index of whoever is at work here stays untouched.
    let mut arguments =
        vec!["--no-optional-locks", "status", "--porcelain", "--untracked-files=no", "--"];
    arguments.extend(sources.iter().filter_map(|path| path.to_str()));
    git(&arguments).is_some_and(|changes| !changes.is_empty())
}

/// The experiments that are part of the program.
fn experiments(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root.join("experiments")).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    files.sort();
    files
}

/// Their names and texts as a constant.
fn embed(experiments: &[PathBuf]) -> std::io::Result<()> {
    let entry = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        let text = std::fs::read_to_string(path)?;
        Ok(format!("    ({:?}, {text:?}),\n", name.to_string_lossy()))
    };
    let entries = experiments.iter().map(entry).collect::<std::io::Result<String>>()?;
    let code = format!("const EXPERIMENTS: &[(&str, &str)] = &[\n{entries}];\n");
    let folder = std::env::var("OUT_DIR").map_err(std::io::Error::other)?;
    std::fs::write(Path::new(&folder).join("experiments.rs"), code)
}

fn main() -> std::io::Result<()> {
    let root = Path::new("../..");
    let experiments = experiments(root);
    embed(&experiments)?;
    let mut sources = sources(root);
    sources.extend(experiments);
    // A package unpacked inside somebody else's repository is not from that repository's commit.
    let ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| ours);
    let commit = match commit {
        Some(commit) if is_changed(&sources) => format!("{commit}+changes"),
        Some(commit) => commit,
        None => "unknown".to_owned(),
    };
    println!("cargo::rustc-env=KOSUMI_COMMIT={commit}");
    println!("cargo::rerun-if-changed=build.rs");
    for path in sources {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    // The log of HEAD grows with every commit and check-out.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    Ok(())
}
