//! `kosumi gtp`: an engine for every program that speaks the Go Text Protocol.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use kosumi_engine::gtp::{GtpOptions, serve};
use kosumi_engine::{Engine, GameKind};

use crate::engine_args::{EngineArgs, cores, game};
use crate::failure::usage;
use crate::version;

/// Plays over GTP on standard input and output
///
/// This is how Sabaki, Lizzie, GoGui, HexGUI, KGS and CGOS clients run an engine. The client may
/// change the board with 'boardsize'; 'list_commands' names all commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kosumi gtp --game go --size 9 --time 5
  kosumi gtp --game hex --threads 4 --memory 1000 --preset strongest
  kosumi gtp --game havannah --sims 10000 --seed 7 --threads 1
                                                        the same game every time
  kosumi gtp --log game.log                             keep a transcript
  printf 'boardsize 9\\ngenmove b\\nshowboard\\n' | kosumi gtp")]
pub struct Arguments {
    /// go, hex or havannah
    #[arg(short, long, value_name = "GAME", default_value = "go", value_parser = game)]
    game: GameKind,
    #[command(flatten)]
    engine: EngineArgs,
    /// Append a full transcript to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Draw the search live, in GoGui (on standard error) or HexGUI (on standard output)
    #[arg(long, value_enum, value_name = "CLIENT", num_args = 0..=1, require_equals = true,
          default_missing_value = "gogui")]
    live: Option<Client>,
    /// What 'version' answers; Lizzie wants 0.15 or more
    #[arg(long, value_name = "TEXT")]
    report_version: Option<String>,
}

/// Who draws the search.
#[derive(Clone, Copy, ValueEnum)]
enum Client {
    Gogui,
    Hexgui,
}

/// The transcript. The session gives it up at the first error, which is told here: standard output
/// is the client's.
struct Transcript {
    file: File,
    path: PathBuf,
    told: bool,
}

impl Transcript {
    fn tell<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && !self.told
        {
            self.told = true;
            let path = self.path.display();
            eprintln!("kosumi: {path}: {error}; the transcript ends here, the session goes on");
        }
        result
    }
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.write(bytes);
        self.tell(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.flush();
        self.tell(result)
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut engine = arguments.engine.options(arguments.game);
    engine.usual_threads = Some(cores());
    let engine = Engine::new(&engine).map_err(usage)?;
    let mut options = GtpOptions::default();
    let version = arguments.report_version.as_deref();
    options.version = Some(version.unwrap_or(version::LINE).to_owned());
    if let Some(path) = &arguments.log {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| path.display().to_string())?;
        options.log = Some(Box::new(Transcript { file, path: path.clone(), told: false }));
    }
    options.live = match arguments.live {
        None => None,
        Some(Client::Gogui) => Some(Box::new(io::stderr())),
        Some(Client::Hexgui) => Some(Box::new(io::stdout())),
    };
    let input = BufReader::new(io::stdin());
    let output = BufWriter::new(io::stdout().lock());
    serve(engine, input, output, options).context("standard output")
}
