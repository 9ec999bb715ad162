//! The conformance suite over sizes and rules, and the rules by example.

use kosumi_game::testing::{Recompute, conformance};
use kosumi_game::{Game, Player, Reward, zobrist_key};

use crate::class::GO;
use crate::*;

/// Places marked with a letter in a diagram.
pub(crate) fn marked<C: BoardClass>(diagram: &str, mark: char) -> Point {
    let lines: Vec<&str> = diagram.lines().filter(|l| !l.trim().is_empty()).collect();
    lines
        .iter()
        .enumerate()
        .find_map(|(number, line)| {
            let x = line.chars().filter(|c| !c.is_whitespace()).position(|c| c == mark)?;
            Some(Point::at::<C>(x, lines.len() - 1 - number))
        })
        .unwrap_or_else(|| panic!("no {mark} in the diagram"))
}

/// The board of a diagram; `L` is a white stone, the last move.
pub(crate) fn board(diagram: &str) -> Board<UpTo9> {
    let stones = diagram.replace('L', "O");
    *Position::from_diagram(Rules::CHINESE, &stones, Player::First)
        .unwrap_or_else(|e| panic!("{e}: {diagram}"))
        .board()
}

/// What a heuristic proposes to Black after White's last move `L`: the letters of the diagram at
/// the proposed points, `.` for points without a letter; each once, sorted.
pub(crate) fn answers(
    diagram: &str,
    heuristic: impl Fn(&Board<UpTo9>, Player, Point, &mut playout::Candidates),
) -> Vec<char> {
    let board = board(diagram);
    let mut found = playout::Candidates::new();
    heuristic(&board, Player::First, marked::<UpTo9>(diagram, 'L'), &mut found);
    let lines: Vec<&str> = diagram.lines().filter(|l| !l.trim().is_empty()).collect();
    let mut letters: Vec<char> = found
        .as_slice()
        .iter()
        .map(|p| {
            let (x, y) = p.xy::<UpTo9>();
            let mut line = lines[lines.len() - 1 - y].split_whitespace();
            line.nth(x).and_then(|mark| mark.chars().next()).unwrap()
        })
        .collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}

impl<C: BoardClass> Recompute for Position<C> {
    fn recomputed_hashes(&self) -> (u64, u64) {
        let stones = self.board().recomputed_hash();
        let mut state = stones;
        if self.to_move() == Player::Second {
            state ^= zobrist_key(GO, 3, 0);
        }
        if self.passes() > 0 {
            state ^= zobrist_key(GO, 4, self.passes() as u64);
        }
        if self.board().ko() != Point::NONE {
            let (x, y) = self.board().ko().xy::<C>();
            state ^= zobrist_key(GO, 5, (y * 32 + x) as u64);
        }
        (stones, state)
    }

    fn check_incremental(&self) {
        let board = self.board();
        board.check();
        assert_eq!(board.area_score(), board.plain_area_score());
        let mut owner = PerPoint::filled(0);
        board.area_owners(&mut owner);
        let total: i32 = board.points().map(|p| i32::from(owner[p])).sum();
        assert_eq!(total, board.plain_area_score());
        let legal = |p| board.is_playable(p, self.to_move());
        let repeats = self.rules().ko != KoRule::Simple || self.rules().suicide;
        if self.outcome().is_none() && !repeats {
            assert!(board.points().all(|p| legal(p) == self.is_legal(GoMove::on(p))));
        }
    }
}

/// All sizes of a class with all rules about repetition and suicide.
fn conforms<C: BoardClass>(sizes: impl Iterator<Item = usize>, games: u64, max_moves: usize) {
    for size in sizes {
        for (number, ko) in
            [KoRule::Simple, KoRule::Positional, KoRule::Situational].into_iter().enumerate()
        {
            for suicide in [false, true] {
                let rules = Rules {
                    ko,
                    suicide,
                    komi: Komi::from_half_points(2 * (size as i32 % 3)).unwrap(),
                    ..Rules::CHINESE
                };
                let start = Position::<C>::new(size, rules).unwrap();
                let seed = (size * 10 + number * 2) as u64 + u64::from(suicide);
                conformance(&start, games, max_moves, seed);
            }
        }
    }
}

#[test]
fn boards_of_2_to_5_conform() {
    conforms::<UpTo9>(2..=3, 30, 200);
    conforms::<UpTo9>(4..=5, 10, 200);
    conforms::<UpTo13>(2..=4, 3, 100);
    conforms::<UpTo25>(3..=3, 2, 60);
}

#[test]
fn boards_of_6_to_9_conform() {
    conforms::<UpTo9>(6..=9, 3, 300);
}

#[test]
fn boards_of_10_to_13_conform() {
    conforms::<UpTo13>(10..=13, 1, 200);
}

#[test]
fn boards_of_14_to_19_conform() {
    conforms::<UpTo19>(14..=19, 1, 60);
}

#[test]
fn boards_of_20_to_25_conform() {
    conforms::<UpTo25>(20..=25, 1, 25);
}

fn position(rules: Rules, diagram: &str, turn: Player) -> Position<UpTo9> {
    Position::from_diagram(rules, diagram, turn).unwrap()
}

fn play(position: &mut Position<UpTo9>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap();
        position.try_play(mv).unwrap_or_else(|e| panic!("{e}\n{position}"));
    }
}

fn refused(position: &Position<UpTo9>, text: &str) -> String {
    let mv = position.parse_move(text).unwrap();
    position.clone().try_play(mv).unwrap_err().to_string()
}

const KO: &str = "
    . X O .
    X . X O
    . X O .
    . . . .";

#[test]
fn a_ko_is_closed_for_one_move() {
    for rules in [Rules::JAPANESE, Rules::CHINESE, Rules::AGA] {
        let mut game = position(rules, KO, Player::Second);
        play(&mut game, "B3");
        assert_eq!(game.board().prisoners(Player::First), 1);
        assert!(refused(&game, "C3").contains("ko"));
        play(&mut game, "A1 D1 C3");
        assert!(refused(&game, "B3").contains("ko"));
    }
}

#[test]
fn positional_superko_outlasts_a_pass_of_each() {
    // White takes, Black passes, White passes: with simple ko Black could take back had the game
    // not ended; with superko a threat must change the board.
    let mut game = position(Rules::CHINESE, KO, Player::Second);
    play(&mut game, "B3 pass");
    game.set_turn(Player::First);
    assert!(refused(&game, "C3").contains("superko"));
    let mut game = position(Rules::JAPANESE, KO, Player::Second);
    play(&mut game, "B3 pass");
    game.set_turn(Player::First);
    play(&mut game, "C3");
}

const SUICIDE: &str = "
    . O . . .
    X O . . .
    O O . . .
    . . . . .
    . . . . X";

#[test]
fn suicide_is_for_those_who_allow_it() {
    let rules = Rules::TROMP_TAYLOR;
    assert!(refused(&position(Rules::CHINESE, SUICIDE, Player::First), "A5").contains("suicide"));
    let mut game = position(rules, SUICIDE, Player::First);
    play(&mut game, "A5");
    assert_eq!(game.board().prisoners(Player::First), 2);
    // The first of them alone gives the position back that was there at first.
    play(&mut game, "pass");
    assert!(refused(&game, "A4").contains("superko"));
}

#[test]
fn situational_superko_looks_at_the_turn() {
    // A single stone's suicide passes the turn: the board repeats, the situation does not.
    let diagram = "
        . O . .
        O . . .
        . . . .
        . . . X";
    let game = position(Rules::TROMP_TAYLOR, diagram, Player::First);
    assert!(refused(&game, "A4").contains("superko"));
    let mut game = position(Rules::NEW_ZEALAND, diagram, Player::First);
    play(&mut game, "A4 pass");
    assert!(refused(&game, "A4").contains("superko"));
}

#[test]
fn two_passes_end_the_game_by_area() {
    let diagram = "
        . X O .
        X X O O
        . X O .
        . X O .";
    let mut game =
        position(Rules::CHINESE.with_komi(Komi::parse("0").unwrap()), diagram, Player::First);
    assert_eq!(game.board().area_score(), 0);
    play(&mut game, "pass pass");
    assert_eq!(game.outcome(), Some(Reward::DRAW));
    assert!(refused(&game, "A1").contains("over"));
    game.set_scoring(Rules::CHINESE);
    assert_eq!(game.outcome(), Some(Reward::win(Player::Second)));
    game.set_scoring(Rules::CHINESE.with_komi(Komi::parse("-0.5").unwrap()));
    assert_eq!(game.outcome(), Some(Reward::win(Player::First)));
}

#[test]
fn an_unending_cycle_is_a_draw_with_simple_ko() {
    // Suicide of one stone in turn, for ever.
    let rules = Rules { suicide: true, ..Rules::JAPANESE };
    let diagram = "
        . O X .
        O O X X
        . . . .
        . . . .";
    let mut game = position(rules, diagram, Player::First);
    let mut moves = 0;
    while game.outcome().is_none() {
        let text = if game.to_move() == Player::First { "A4" } else { "D4" };
        play(&mut game, text);
        moves += 1;
    }
    assert_eq!((moves, game.outcome()), (96, Some(Reward::DRAW)));
}

#[test]
fn sizes_outside_the_class_are_refused() {
    for size in [0, 1, 10] {
        let error = Position::<UpTo9>::new(size, Rules::CHINESE).unwrap_err();
        assert!(error.to_string().contains("2 to 9"));
    }
    assert!(Position::<UpTo25>::new(25, Rules::CHINESE).is_ok());
}

#[test]
fn stones_that_cannot_stand_are_refused() {
    let at = |x, y| Point::at::<UpTo9>(x, y);
    let build = |stones: &[(Player, Point)]| {
        Position::<UpTo9>::from_stones(5, Rules::CHINESE, stones, Player::First)
            .map(|_| ())
            .unwrap_err()
    };
    let twice = [(Player::First, at(2, 2)), (Player::Second, at(2, 2))];
    assert_eq!(build(&twice), SetupError::Occupied { point: "C3".into() });
    assert_eq!(build(&[(Player::First, at(5, 2))]), SetupError::OffBoard { size: 5 });
    assert_eq!(
        build(&[(Player::First, Point::from_index(60_000))]),
        SetupError::OffBoard { size: 5 }
    );
    let corner =
        [(Player::First, at(0, 0)), (Player::Second, at(1, 0)), (Player::Second, at(0, 1))];
    assert!(matches!(build(&corner), SetupError::NoLiberties { .. }));
}
