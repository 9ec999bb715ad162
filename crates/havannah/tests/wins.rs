//! Rings, bridges, forks and draws as pictures.

use kosumi_game::{Game, Reward};
use kosumi_havannah::{Colour, Havannah, HavannahRules};

fn read(picture: &str) -> Havannah {
    Havannah::from_diagram(picture, HavannahRules::default(), Colour::White).unwrap()
}

#[track_caller]
fn won(picture: &str) {
    assert_eq!(read(picture).winner(), Some(Colour::White), "{picture}");
    // The same for Black, and with the last stone to come, whichever that is.
    let exchanged = picture.replace('O', "#").replace('X', "O").replace('#', "X");
    assert_eq!(read(&exchanged).winner(), Some(Colour::Black), "{picture}");
}

#[track_caller]
fn not_won(picture: &str) {
    assert_eq!(read(picture).outcome(), None, "{picture}");
}

/// White wins with any of the cells marked `*`, and with no other.
#[track_caller]
fn wins_at_marks(picture: &str) {
    let game = read(&picture.replace('*', "."));
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    let marks: Vec<char> = picture.chars().filter(|c| ".OX*".contains(*c)).collect();
    for mv in legal {
        let marked = marks[kosumi_game::Move::index(mv)] == '*';
        let mut after = game.clone();
        after.play(mv);
        assert_eq!(after.winner().is_some(), marked, "{}\n{picture}", game.move_text(mv));
        assert_eq!(game.would_win(Colour::White, mv), marked);
    }
}

#[test]
fn the_smallest_ring_around_each_content() {
    for content in ['.', 'O', 'X'] {
        won(&format!(
            "   . . . .
              . O O . .
             . O {content} O . .
            . . O O . . .
             . . . . . .
              . . . . .
               . . . . "
        ));
    }
}

#[test]
fn a_ring_may_use_the_rim() {
    won("     O O . .
             O . O . .
            . O O . . .
           . . . . . . .
            . . . . . .
             . . . . .
              . . . .  ");
}

#[test]
fn the_rim_is_no_part_of_a_ring() {
    // Closed off against the rim, but no loop.
    not_won(
        "     . O . O
                 . . O O .
                . . . . . .
               . . . . . . .
                O O . . . .
                 . O . . .
                  O . . .  ",
    );
}

#[test]
fn a_triangle_and_a_rhombus_enclose_nothing() {
    not_won(
        "     . . . .
                 . O O . .
                . . O . . .
               . . . . O . .
                . . . O O .
                 . . O O .
                  . . O .  ",
    );
}

#[test]
fn a_gap_is_no_ring() {
    wins_at_marks(
        "      . . . .
              . O O . .
             . O X * . .
            . . O O . . .
             . . . . . .
              . . . . .
               . . . .  ",
    );
}

#[test]
fn the_last_stone_of_a_filled_ring_touches_a_single_run() {
    wins_at_marks(
        "      . . . .
              . O O . .
             . O O * . .
            . . O O . . .
             . . . . . .
              . . . . .
               . . . .  ",
    );
}

#[test]
fn the_middle_of_a_filled_shape_comes_last() {
    // A loop of eight around two cells, one of them own: it is a ring already.
    won("     . . . .
             . O O O .
            . O O . O .
           . . O O O . .
            . . . . . .
             . . . . .
              . . . .  ");
    // Two more filled shapes, one stone short.
    wins_at_marks(
        "      . . . .
              . O O . .
             . O O O . .
            . . O * . . .
             . . . . . .
              . . . . .
               . . . .  ",
    );
    wins_at_marks(
        "      . . . .
              . O O O .
             . O O O . .
            . . O * O . .
             . . . . . .
              . . . . .
               . . . .  ",
    );
}

#[test]
fn a_big_ring_around_everything() {
    wins_at_marks(
        "        . . . . .
                . O O O . .
               . O X X O . .
              . O X . X O . .
             . . O X X . O . .
              . . O X X O . .
               . . O O * . .
                . . . . . .
                 . . . . .  ",
    );
}

#[test]
fn a_bridge_joins_two_corners() {
    wins_at_marks(
        "      O . . .
              O X . . .
             . O X . . .
            * O . X . . .
             X . . . . .
              . . . . .
               . . . .  ",
    );
    won("     O . . .
             . O . . .
            . . O . . .
           . . . O . . .
            . . . O . .
             . . . O .
              . . . O  ");
}

#[test]
fn a_fork_joins_three_edges_and_corners_are_on_none() {
    wins_at_marks(
        "      . O . .
              * O . . .
             . . O . . *
            . . . O O O .
             . . . X X O
              . X . . .
               . . . .  ",
    );
    // Two edges and a corner.
    not_won(
        "     . O . .
                 . O . . .
                . . O . . .
               . . . O O O O
                . . . O . .
                 . . . X .
                  . . . .  ",
    );
}

#[test]
fn a_full_board_without_a_win_is_a_draw() {
    let game = read(
        "   X O X
           X O O O
          O X O X X
           X O X O
            O X O ",
    );
    assert_eq!((game.winner(), game.outcome()), (None, Some(Reward::DRAW)));
}

#[test]
fn the_last_cell_may_still_win() {
    wins_at_marks(
        "      O O X X
              X X X O O
             O X X * O O
            X O X O X X O
             O X O O X X
              O O X X O
               O X O X ",
    );
}
