//! The first stone of Hex and the swap, by the table of openings.

mod common;

use common::{engine, talk};
use kosumi_engine::{GameKind, OpeningTable};

/// The first stone and the answer to it, on boards with a table of openings.
fn opening(size: &str, lines: &[&str]) -> Vec<String> {
    let size = format!("boardsize {size}");
    let on = ["kosumi-param knowledge.openings true", &size];
    let lines: Vec<&str> = on.into_iter().chain(lines.iter().copied()).collect();
    talk(engine(GameKind::Hex), &lines)[2..].to_vec()
}

#[test]
fn a_stone_that_wins_is_taken_over_and_no_other() {
    // On 5x5 c3 wins and a1 loses.
    let answers = opening("5", &["play b c3", "genmove w"]);
    assert_eq!(answers[1], "= swap-pieces");
    let answers = opening("5", &["play b a1", "genmove w", "kosumi-tree 1 0"]);
    assert!(!answers[1].contains("swap"), "{}", answers[1]);
    // Half a turn changes nothing.
    assert!(!opening("5", &["play b e5", "genmove w"])[1].contains("swap"));
    let answers =
        opening("5", &["kosumi-param rules.swap false", "clear_board", "play b c3", "genmove w"]);
    assert!(!answers[3].contains("swap"), "nobody may: {}", answers[3]);
}

#[test]
fn the_first_stone_is_the_fairest_where_there_is_one() {
    let table = OpeningTable::of(11).unwrap();
    let fairest = table.fairest().unwrap();
    let cell = format!("{}{}", char::from(b'a' + (fairest % 11) as u8), fairest / 11 + 1);
    let answers = opening("11", &["genmove b", "kosumi-info"]);
    assert_eq!(answers[0], format!("= {cell}"));
    assert!(answers[1].contains("\"simulations\":0"), "no search: {}", answers[1]);
    // Where all is solved, or there is no table, the search decides.
    for size in ["5", "8"] {
        let answers = opening(size, &["genmove b", "kosumi-info"]);
        assert!(answers[0].starts_with("= "), "{}", answers[0]);
        assert!(!answers[1].contains("\"simulations\":0"), "{}", answers[1]);
    }
    // Without the swap there is nothing to be fair about.
    let answers = opening(
        "11",
        &["kosumi-param rules.swap false", "clear_board", "genmove b", "kosumi-info"],
    );
    assert!(!answers[3].contains("\"simulations\":0"), "{}", answers[3]);
}
