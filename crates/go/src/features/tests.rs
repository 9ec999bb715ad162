//! Features of moves in diagrams.

use super::*;
use crate::tests::{board, marked};
use crate::{Rules, UpTo9};
use kosumi_game::{Game, Move, Permutation};

#[derive(Default)]
struct Collected(Vec<u32>);

impl FeatureSink for Collected {
    fn feature(&mut self, feature: u32) {
        self.0.push(feature);
    }
}

/// The value that the move at `mark` has in a family, Black to move.
fn value(diagram: &str, mark: char, family: Family) -> Option<u32> {
    let board = board(diagram);
    let stone = |p| board.stone(p).map(|player| (player, p));
    let stones: Vec<_> = board.points().filter_map(stone).collect();
    let size = board.size();
    let position: Position<UpTo9> =
        Position::from_stones(size, Rules::CHINESE, &stones, Player::First).unwrap();
    let mut features = Features::default();
    let moves = [GoMove::on(marked::<UpTo9>(diagram, mark))];
    let mut sink = Collected::default();
    let table = PatternTable::default();
    features.for_each(&position, &table, &moves, &mut sink, |_, place| assert_eq!(place, 0));
    let numbers = family.first..family.first + family.len;
    let mut found = sink.0.iter().filter(|feature| numbers.contains(feature));
    let value = found.next().map(|feature| feature - family.first);
    assert_eq!(found.next(), None, "one feature of a family at most");
    value
}

#[test]
fn captures_escapes_and_ataris() {
    let diagram = "
        . . . . . . .
        . X . . . X X
        a O X . X O O
        . X . . X O b
        . . c . . X .
        . . O X . . .
        . . X d . . .";
    // One stone that could not run: it touches no own stones in atari.
    assert_eq!(value(diagram, 'a', CAPTURE), Some(3));
    // Three stones; they cannot run either.
    assert_eq!(value(diagram, 'b', CAPTURE), Some(1));
    assert_eq!(value(diagram, 'c', CAPTURE), None);
    assert_eq!(value(diagram, 'c', ATARI).map(|v| v % 3), Some(0));
    assert_eq!(value(diagram, 'd', ATARI), None);
}

#[test]
fn a_lost_ladder_is_no_escape() {
    let diagram = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O . . . . .
        . . O X a . . . .
        . . . O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    assert_eq!(value(diagram, 'a', ESCAPE), Some(3));
    let diagram = "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . O .
        . . . O O O .
        . . O X a . .
        . . O O . O .";
    assert_eq!(value(diagram, 'a', ESCAPE), Some(0));
}

#[test]
fn chains_joined_and_liberties() {
    let diagram = "
        . . . . . . .
        . . X . . . .
        . X a X . . .
        . . O . . . .
        . . . . . b .
        O X . . . . .
        c O . . . . .";
    assert_eq!(value(diagram, 'a', CONTACT), Some(3 * 4 + 1));
    assert_eq!(value(diagram, 'a', LIBERTIES), Some(2 * 6 + 5));
    assert_eq!(value(diagram, 'b', CONTACT), None);
    assert_eq!(value(diagram, 'b', LIBERTIES), None);
    // All four stones have four liberties.
    assert_eq!(value(diagram, 'a', TOUCH), Some((4 * 5 + 4) * 6 + 5));
    assert_eq!(value(diagram, 'b', TOUCH), None);
    // White's stones have two each; Black's would have none.
    assert_eq!(value(diagram, 'c', TOUCH), Some(2 * 6));
    // A stone between two chains of the opponent, without liberties but for what it takes: none.
    assert_eq!(value(diagram, 'c', CONTACT), Some(2));
}

#[test]
fn places_are_pairs_of_lines() {
    let diagram = "
        a . . . . . .
        . . . b . . .
        . . . . . . .
        . . . . . . c
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    // The triangle of pairs: (0, 0), then (0, 1), (1, 1), then (0, 2), (1, 2), (2, 2), and so on.
    assert_eq!(value(diagram, 'a', PLACE), Some(0));
    assert_eq!(value(diagram, 'b', PLACE), Some(6 + 1));
    assert_eq!(value(diagram, 'c', PLACE), Some(6));
    // Three stones on 49 points are 22 on 361: the second phase.
    let stones = diagram.replacen(". . . . . . .", ". X . O . X .", 1);
    assert_eq!(value(&stones, 'b', PLACE), Some(55 + 6 + 1));
}

#[test]
fn steps_to_stones_and_to_weak_chains() {
    let diagram = "
        . . . . . . . . .
        . X . . . a . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . b
        . . . . . . . O O
        c . . . . . . O X
        . . . . . . . . .";
    // Five stones on 81 points are 22 on 361: the second phase.
    let of = |mark| [STONES, WEAK].map(|family| value(diagram, mark, family).unwrap());
    // Four steps to Black; White and all weak chains are farther away than is counted.
    assert_eq!(of('a'), [36 + 3 * 6 + 5, 25 + 4 * 5 + 4]);
    // White's stones have five liberties and are not weak; the way to Black's stone is long.
    assert_eq!(of('b'), [36 + 5 * 6, 25 + 4 * 5 + 4]);
    // Six and more steps to Black.
    assert_eq!(of('c'), [36 + 5 * 6 + 5, 25 + 4 * 5 + 4]);
    let diagram = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . O
        . . . X O . a . X";
    // Two steps to Black's stone in the corner, which has one liberty, and to White's, which has two.
    let weak = value(diagram, 'a', WEAK).unwrap() % 25;
    assert_eq!((weak / 5, weak % 5), (1, 1));
}

#[test]
fn influence_tells_territories_from_open_places() {
    let diagram = "
        . . a X . O b . .
        . . . X d O . . .
        . . . X . O . . .
        X X X X . O O O O
        . . . . . . . . .
        . . . . c . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    let of = |diagram: &str, mark| {
        let value = value(diagram, mark, INFLUENCE).unwrap() % 36;
        (value / 4, value % 4)
    };
    // Black's, White's, nobody's; the colours exchanged they are the other way round.
    let places = ['a', 'b', 'c', 'd'];
    assert_eq!(places.map(|mark| of(diagram, mark).0), [8, 0, 4, 4]);
    let exchanged = diagram.replace('X', "Z").replace('O', "X").replace('Z', "O");
    assert_eq!(places.map(|mark| of(&exchanged, mark).0), [0, 8, 4, 4]);
    // Between the walls everything is at stake.
    assert_eq!(of(diagram, 'd').1, 3);
    assert!(of(diagram, 'c').1 < 3);
    // A lone stone does not make a territory White's.
    let dead = diagram.replacen(". . . X d O", "O . . X d O", 1);
    assert!(of(&dead, 'a').0 >= 7);
}

#[test]
fn earlier_moves_are_near_or_far() {
    let mut position = Position::<UpTo9>::new(9, Rules::CHINESE).unwrap();
    for text in ["C3", "G7", "D3", "G6"] {
        position.play(position.parse_move(text).unwrap());
    }
    let moves = [position.parse_move("C4").unwrap()];
    let mut sink = Collected::default();
    let table = PatternTable::default();
    Features::default().for_each(&position, &table, &moves, &mut sink, |_, _| {});
    // The fourth-last move is beside it, at distance 2; the third-last far away.
    assert!(sink.0.contains(&(EARLIER.first + 7 * 8)));
    // The last is far away too, the one before at distance 3.
    assert!(sink.0.contains(&(BOTH.first + 7 * 8 + 1)));
}

fn turned(symmetry: &Permutation, mv: GoMove) -> GoMove {
    GoMove::from_index(symmetry.apply(mv.index()))
}

/// Numbers of features of a position are those of its mirror image.
#[test]
fn features_do_not_know_left_from_right() {
    let rules = Rules::CHINESE;
    for game in 0..20 {
        let mut rng = kosumi_game::Rng::stream(5, game);
        let mut position = Position::<UpTo9>::new(9, rules).unwrap();
        let mut images: Vec<Position<UpTo9>> = vec![position.clone(); 8];
        let (mut moves, mut features) = (Vec::new(), Features::default());
        for _ in 0..60 {
            moves.clear();
            position.legal_moves(&mut moves);
            let teams = |position: &Position<UpTo9>, moves: &[GoMove], f: &mut Features<UpTo9>| {
                let mut teams = Vec::new();
                let mut sink = Collected::default();
                let table = PatternTable::default();
                f.for_each(position, &table, moves, &mut sink, |sink, _| {
                    teams.push(std::mem::take(&mut sink.0));
                });
                teams
            };
            let plain = teams(&position, &moves, &mut features);
            let symmetries = position.symmetries();
            for (symmetry, image) in symmetries.iter().zip(&images) {
                let moves: Vec<GoMove> = moves.iter().map(|mv| turned(symmetry, *mv)).collect();
                assert_eq!(teams(image, &moves, &mut features), plain);
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            for (symmetry, image) in symmetries.iter().zip(&mut images) {
                image.play(turned(symmetry, mv));
            }
            position.play(mv);
        }
    }
}
