//! The first stone of Hex and the swap, by the table of openings.

mod common;

use common::{engine, talk};
use kosumi_engine::GameKind;

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
    let answers = opening("5", &["play b a1", "genmove w"]);
    assert!(!answers[1].contains("swap"), "{}", answers[1]);
    // Half a turn changes nothing.
    assert!(!opening("5", &["play b e5", "genmove w"])[1].contains("swap"));
    let answers =
        opening("5", &["kosumi-param rules.swap false", "clear_board", "play b c3", "genmove w"]);
    assert!(!answers[3].contains("swap"), "nobody may: {}", answers[3]);
}

#[test]
fn where_nothing_is_fair_the_search_opens() {
    // On 5x5 all is solved, for 8x8 there is no table.
    for size in ["5", "8"] {
        let answers = opening(size, &["genmove b", "kosumi-info"]);
        assert!(answers[0].starts_with("= "), "{}", answers[0]);
        assert!(!answers[1].contains("\"simulations\":0"), "{}", answers[1]);
    }
}
