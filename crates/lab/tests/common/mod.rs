//! Programs to play against: this test executable starts itself again as a GTP program that plays
//! random legal moves, until it does something wrong.

use std::io::{BufRead, Write};
use std::time::Duration;

use kosumi_game::{Game, Rng};
use kosumi_go::{Position, Rules, UpTo9};
use kosumi_havannah::{Havannah, HavannahRules};
use kosumi_hex::{Hex, HexRules};
use kosumi_lab::Player;

/// The variable that makes the executable a program: `GAME BEHAVIOUR`.
const BEHAVIOUR: &str = "KOSUMI_LAB_TEST_PROGRAM";

/// A player that behaves like this; every test file has a test `program` which calls [`program`].
pub fn player(game: &str, behaviour: &str) -> Player {
    Player::new(behaviour, command(game, behaviour))
}

pub fn command(game: &str, behaviour: &str) -> Vec<String> {
    let executable = std::env::current_exe().unwrap();
    [
        "env",
        &format!("{BEHAVIOUR}={game} {behaviour}"),
        "KOSUMI_LAB_TEST_SEED={seed}",
        executable.to_str().unwrap(),
        "--exact",
        "program",
        "--nocapture",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Is a GTP program if it was started as one, else does nothing.
pub fn program() {
    let Ok(behaviour) = std::env::var(BEHAVIOUR) else {
        return;
    };
    let (game, behaviour) = behaviour.split_once(' ').unwrap();
    // The harness has begun a line.
    println!();
    match game {
        "go" => serve(behaviour, |size| Position::<UpTo9>::new(size, Rules::CHINESE).unwrap()),
        "hex" => serve(behaviour, |size| Hex::new(size, HexRules { swap: false }).unwrap()),
        _ => serve(behaviour, |size| Havannah::new(size, HavannahRules { swap: false }).unwrap()),
    }
    std::process::exit(0);
}

fn serve<G: Game>(behaviour: &str, start: impl Fn(usize) -> G) {
    let seed = std::env::var("KOSUMI_LAB_TEST_SEED").ok();
    let mut rng = Rng::new(seed.and_then(|seed| seed.parse().ok()).unwrap_or(1));
    let mut game = None;
    let mut size = 9;
    let mut asked = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[0] {
            "name" => "= Random".to_owned(),
            "version" => "=7 1.0".to_owned(),
            "known_command" => {
                let cleans_up =
                    words[1] == "kgs-genmove_cleanup" && behaviour.ends_with("cleans up");
                format!("= {cleans_up}")
            }
            "final_status_list" if behaviour.starts_with("passes, dead") => {
                format!("= {}", words_after(behaviour, "dead"))
            }
            "kgs-genmove_cleanup" => "= pass".to_owned(),
            "boardsize" => {
                size = words[1].parse().unwrap();
                "=".to_owned()
            }
            "clear_board" => {
                game = Some(start(size));
                "= \nwith more than\none line".to_owned()
            }
            "play" => {
                if behaviour == "refuses" && asked == 1 {
                    "? illegal move".to_owned()
                } else {
                    let game = game.as_mut().unwrap();
                    let mv = game.parse_move(words[2]).unwrap();
                    // After two passes there are still moves that clean up.
                    if game.outcome().is_none() {
                        game.play(mv);
                    }
                    "= ".to_owned()
                }
            }
            "genmove" => {
                asked += 1;
                if asked == 2 {
                    misbehave(behaviour);
                }
                match behaviour {
                    "resigns" => "= resign".to_owned(),
                    "plays nonsense" if asked == 2 => "= Z99".to_owned(),
                    _ if behaviour.starts_with("passes") => {
                        let game = game.as_mut().unwrap();
                        game.play(game.parse_move("pass").unwrap());
                        "= PASS".to_owned()
                    }
                    _ => {
                        let game = game.as_mut().unwrap();
                        let mut moves = Vec::new();
                        game.legal_moves(&mut moves);
                        let mv = moves[rng.below(moves.len() as u32) as usize];
                        let text = game.move_text(mv);
                        game.play(mv);
                        format!("= {text}")
                    }
                }
            }
            "final_score" => format!("= {}", behaviour.trim_start_matches("counts ")),
            "quit" => {
                println!("= \n");
                return;
            }
            "time_left" if words[2].contains('.') => "? not an integer".to_owned(),
            "komi" | "time_settings" | "time_left" => "= ".to_owned(),
            _ => "? unknown command".to_owned(),
        };
        println!("{answer}\n");
    }
}

/// The stones named in a behaviour.
fn words_after(behaviour: &str, word: &str) -> String {
    let stones = behaviour.split_whitespace().skip_while(|&w| w != word).skip(1);
    stones.take_while(|&w| w != "cleans").collect::<Vec<_>>().join(" ")
}

fn misbehave(behaviour: &str) {
    let out = std::io::stdout();
    match behaviour {
        "crashes" => {
            eprintln!("out of luck");
            std::process::exit(3);
        }
        "hangs" => std::thread::sleep(Duration::from_secs(600)),
        "is slow" => std::thread::sleep(Duration::from_millis(400)),
        "floods stdout" => loop {
            if out.lock().write_all(&[b'x'; 4096]).is_err() {
                std::process::exit(1);
            }
        },
        "floods lines" => loop {
            if out.lock().write_all(b"# thinking\n").is_err() {
                std::process::exit(1);
            }
        },
        "floods stderr" => {
            for _ in 0..20_000 {
                std::io::stderr().write_all(&[b'x'; 4096]).unwrap();
            }
        }
        #[cfg(unix)]
        "closes its pipe" => {
            use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
            let fd = out.as_fd().as_raw_fd();
            // SAFETY: nobody writes to standard output any more.
            drop(unsafe { OwnedFd::from_raw_fd(fd) });
            std::thread::sleep(Duration::from_secs(600));
        }
        _ => {}
    }
}
