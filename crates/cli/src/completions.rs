//! `kosumi completions` and `kosumi man`: what a shell and its manual want to know of the program.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::output::{self, say};

/// Prints a script that lets a shell complete commands and options
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi completions bash > ~/.local/share/bash-completion/completions/kosumi
  kosumi completions zsh > ~/.zfunc/_kosumi
  kosumi completions fish > ~/.config/fish/completions/kosumi.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes manual pages, one for each command
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi man ~/.local/share/man/man1
  man kosumi-match")]
pub struct Manual {
    /// The folder, made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn completions(arguments: &Completions) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "kosumi", &mut script);
    output::print(format_args!("{}", String::from_utf8_lossy(&script)))?;
    Ok(())
}

pub fn manual(arguments: &Manual) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| folder.display().to_string())?;
    say!("manual pages: {}", folder.display())?;
    Ok(())
}
