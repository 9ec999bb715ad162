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
    assert_eq!(value(diagram, 'b', LINE), Some(2 * 10 + 1));
    // A stone between two chains of the opponent, without liberties but for what it takes: none.
    assert_eq!(value(diagram, 'c', CONTACT), Some(2));
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
