//! The rules against an independent program: at every move of random games, GNU Go lists the same
//! legal moves and the same stones.
//!
//! Skipped where there is no `gnugo`, unless `KOSUMI_REQUIRE_GNUGO` is set (as `scripts/test` does).
//! `KOSUMI_TEST_SCALE=50` plays 1,000 games.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use kosumi_game::testing::scaled;
use kosumi_game::{Game, Move, Player, Rng};
use kosumi_go::{BoardClass, GoMove, KoRule, Position, Rules, UpTo9, UpTo13};

struct GnuGo {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    fn start() -> Option<Self> {
        let program = ["gnugo", "/usr/games/gnugo"].into_iter().find_map(|program| {
            Command::new(program)
                .args(["--mode", "gtp", "--level", "0"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()
        });
        let Some(mut process) = program else {
            let required = std::env::var_os("KOSUMI_REQUIRE_GNUGO").is_some();
            assert!(!required, "gnugo is not installed: apt-get install gnugo");
            eprintln!("skipped: gnugo is not installed");
            return None;
        };
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Some(Self { process, input, output })
    }

    fn ask(&mut self, command: &str) -> Vec<String> {
        writeln!(self.input, "{command}").expect("gnugo listens");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("gnugo answers");
            if line.trim().is_empty() && !answer.is_empty() {
                break;
            }
            answer.push_str(&line);
        }
        let words = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
        let mut words: Vec<String> = words.split_whitespace().map(str::to_uppercase).collect();
        words.sort_unstable();
        words
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const NAMES: [&str; 2] = ["black", "white"];

fn compare<C: BoardClass>(gnugo: &mut GnuGo, size: usize, seed: u64) {
    let mut rng = Rng::stream(2, seed);
    let rules = Rules::CHINESE.with_ko(KoRule::Simple);
    let mut position = Position::<C>::new(size, rules).expect("a good size");
    gnugo.ask(&format!("boardsize {size}"));
    gnugo.ask("clear_board");
    let mut moves = Vec::new();
    for ply in 0..3 * size * size / 2 {
        let player = position.to_move();
        moves.clear();
        position.legal_moves(&mut moves);
        let board_moves = moves.iter().filter(|mv| mv.point().is_some());
        let mut ours: Vec<String> = board_moves.map(|&mv| position.move_text(mv)).collect();
        ours.sort_unstable();
        let theirs = gnugo.ask(&format!("all_legal {}", NAMES[player.index()]));
        assert_eq!(ours, theirs, "game {seed}, ply {ply}: legal moves");
        for player in Player::BOTH {
            let board = position.board();
            let stones = board.points().filter(|&p| board.has(p, player));
            let mut ours: Vec<String> = stones.map(|p| position.move_text(GoMove::on(p))).collect();
            ours.sort_unstable();
            let theirs = gnugo.ask(&format!("list_stones {}", NAMES[player.index()]));
            assert_eq!(ours, theirs, "game {seed}, ply {ply}: stones");
        }
        // Mostly moves that leave eyes alone, so that games get long and full of captures and kos.
        let sensible =
            |mv: &GoMove| mv.point().is_some_and(|p| !position.board().code(p).is_eye_of(player));
        let pool: Vec<GoMove> = moves.iter().copied().filter(sensible).collect();
        let pool = if pool.is_empty() || rng.below(20) == 0 { &moves } else { &pool };
        let mv = pool[rng.below(pool.len() as u32) as usize];
        gnugo.ask(&format!("play {} {}", NAMES[player.index()], position.move_text(mv)));
        position.play(GoMove::from_index(mv.index()));
        if position.outcome().is_some() {
            return;
        }
    }
}

#[test]
fn gnugo_agrees_on_legality_and_stones() {
    let Some(mut gnugo) = GnuGo::start() else { return };
    for seed in 0..scaled(18) {
        compare::<UpTo9>(&mut gnugo, [5, 7, 9][seed as usize % 3], seed);
    }
    for seed in 0..scaled(2) {
        compare::<UpTo13>(&mut gnugo, 13, 1_000_000 + seed);
    }
}
