//! The corners of `FF[4]` and of what older programs wrote, as small records made for the purpose.

use kosumi_record::{Colour, GameRecord, GameTree, Place, Problem, Reader, Setup, SgfError};

fn tree(text: &str) -> GameTree {
    GameTree::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn record(text: &str) -> Result<GameRecord, SgfError> {
    GameRecord::from_tree(&tree(text))
}

fn moves(text: &str) -> Vec<String> {
    let record = record(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    record.moves().map(|m| format!("{} {}", m.colour.letter(), m.mv)).collect()
}

fn problem(text: &str) -> Problem {
    record(text).unwrap_err().problem
}

fn games(bytes: &[u8]) -> Vec<Result<GameTree, SgfError>> {
    Reader::new(bytes).collect()
}

#[test]
fn white_space_and_text_around_games_is_free() {
    let plain = tree("(;GM[1]B[aa];W[bb])");
    for text in [
        "mail header (sic)\n\n(;GM[1]B[aa];W[bb]) trailer",
        "\u{feff}(;GM[1]B[aa];W[bb])",
        "( ; GM [1]\r\n\tB\n[aa] ;\x0bW[bb]\n)",
        "(;GaMe[1]Black[aa];White[bb])",
    ] {
        assert_eq!(tree(text), plain, "{text}");
    }
}

#[test]
fn unknown_properties_stay_verbatim_and_in_order() {
    let text = "(;XQ[a\\:b\\\nc]GM[1]KGSDE[][x]A1[\\]]AB[aa][bb];TE[2]B[cc]LB[aa:1][bb:2])";
    assert_eq!(tree(text).to_string(), text);
}

#[test]
fn variations_keep_their_order() {
    let text = "(;GM[1](;B[aa];W[bb](;B[cc])(;B[dd]))(;B[ee])(;B[ff];W[gg]))";
    assert_eq!(tree(text).to_string(), text);
    assert_eq!(moves(text), ["B A19", "W B18", "B C17"]);
    // Needless parentheses are not kept.
    assert_eq!(tree("(;C[a](;C[b](;C[c])))").to_string(), "(;C[a];C[b];C[c])");
}

#[test]
fn text_and_simple_text() {
    let tree = tree("(;C[one\\\ntwo\nthree\\]\\\\ \\: 4]PB[a\nb\tc\\])])");
    let root = tree.root();
    assert_eq!(root.get("C").unwrap().text(), "onetwo\nthree]\\ : 4");
    assert_eq!(root.get("PB").unwrap().simple_text(), "a b c])");
}

#[test]
fn brackets_parentheses_and_semicolons_inside_values() {
    let tree = tree("(;C[(;[B[aa\\]);)];B[aa])");
    assert_eq!(tree.root().get("C").unwrap().text(), "(;[B[aa]);)");
    assert_eq!(tree.node_count(), 2);
}

#[test]
fn passes() {
    assert_eq!(moves("(;SZ[19];B[];W[tt])"), ["B pass", "W pass"]);
    assert_eq!(moves("(;SZ[9];B[ tt ];W[  ])"), ["B pass", "W pass"]);
    assert_eq!(moves("(;SZ[21];B[tt])"), ["B U2"]);
    assert!(record("(;SZ[9];B[pass])").is_err());
}

#[test]
fn hex_and_havannah_moves() {
    assert_eq!(
        moves("(;GM[11]SZ[11];B[a1];W[swap-pieces];B[K11];W[Resign])"),
        ["B a1", "W swap-pieces", "B k11", "W resign"]
    );
    assert_eq!(moves("(;GM[hex]SZ[5];B[a1];W[swap])"), ["B a1", "W swap-pieces"]);
    assert_eq!(
        moves("(;GM[Havannah]SZ[5];W[a1];B[swap];W[i9];B[e9])"),
        ["W a1", "B swap", "W i9", "B e9"]
    );
}

#[test]
fn moves_off_the_board() {
    for text in [
        "(;SZ[9];B[jj])",
        "(;SZ[19];B[aA])",
        "(;SZ[19];B[a])",
        "(;GM[11]SZ[11];B[l1])",
        "(;GM[11]SZ[11];B[])",
        "(;GM[11]SZ[11];B[swap-sides])",
        "(;GM[Havannah]SZ[5];W[a6])",
        "(;SZ[9]AB[zz])",
        "(;SZ[9]AB[aa:zz])",
        "(;SZ[9]AB[])",
        "(;SZ[9]AB[tt])",
        "(;GM[11]SZ[11]AB[a1:c3])",
    ] {
        let problem = problem(text);
        assert!(matches!(problem, Problem::BadPoint { .. }), "{text}: {problem}");
    }
    let error = record("(;SZ[9];B[ee]\n;W[jj])").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 1 (byte 14): 'jj' is no move on Go of size 9; expected aa to ii or a pass"
    );
}

#[test]
fn setup_in_root_and_later() {
    let record = record(
        "(;SZ[9]HA[2]AB[cg]AddBlack[gc]AW[aa:bb][cc]PL[W];W[ee];AE[ee][aa:ba]AB[ii][ii]PL[Black])",
    )
    .unwrap();
    let list = |points: &str| -> Vec<String> { points.split(' ').map(str::to_owned).collect() };
    let expected = Setup {
        black: list("C3 G7"),
        white: list("A9 B9 A8 B8 C7"),
        empty: Vec::new(),
        to_play: Some(Colour::White),
    };
    assert_eq!(record.steps[0].setup, expected);
    let expected = Setup {
        black: list("J1"),
        white: Vec::new(),
        empty: list("E5 A9 B9"),
        to_play: Some(Colour::Black),
    };
    assert_eq!(record.steps[2].setup, expected);
    assert_eq!(record.info.handicap, 2);
    assert!(record.steps[1].setup.is_empty());
}

#[test]
fn rectangles_by_any_two_corners() {
    let corners = ["aa:bb", "bb:aa", "ab:ba", "ba:ab"];
    let setups = corners.map(|c| record(&format!("(;AB[{c}])")).unwrap().steps);
    assert_eq!(setups[0][0].setup.black, ["A19", "B19", "A18", "B18"]);
    assert!(setups.iter().all(|s| *s == setups[0]));
}

#[test]
fn nodes_that_contradict_themselves() {
    assert_eq!(problem("(;;B[aa]W[bb])"), Problem::TwoMoves);
    assert!(matches!(problem("(;;B[aa]B[bb])"), Problem::Duplicate { .. }));
    assert!(matches!(problem("(;;B[aa][bb])"), Problem::BadValue { .. }));
    assert!(matches!(
        problem("(;AB[aa:cc]AW[bb])"),
        Problem::SetupConflict { point } if point == "B18"
    ));
    assert!(matches!(problem("(;PL[x])"), Problem::BadValue { .. }));
    assert_eq!(moves("(;;B[aa]B[aa])"), ["B A19"]);
}

#[test]
fn who_moves_first() {
    for (text, colour) in [
        ("(;)", Colour::Black),
        ("(;HA[2]AB[dd][pp])", Colour::White),
        ("(;;W[aa])", Colour::White),
        ("(;PL[W])", Colour::White),
        ("(;PL[W];PL[B];C[x];B[aa];PL[W])", Colour::Black),
        ("(;GM[11]SZ[5])", Colour::Black),
        ("(;GM[Havannah]SZ[5])", Colour::White),
    ] {
        assert_eq!(record(text).unwrap().first_to_play(), colour, "{text}");
    }
}

#[test]
fn comments_stay_with_their_moves() {
    let record = record("(;C[root];B[aa]C[first\nline]C[again];C[];W[bb])").unwrap();
    let comments: Vec<_> = record.steps.iter().map(|s| s.comment.as_deref()).collect();
    assert_eq!(comments, [Some("root"), Some("first\nline"), None, None]);
}

#[test]
fn encodings() {
    // The same few names; in some encodings a byte of theirs looks like syntax.
    for (label, bytes, name) in [
        ("UTF-8", "呉清源".as_bytes(), "呉清源"),
        ("utf8", "é".as_bytes(), "é"),
        ("ISO-8859-1", b"Andr\xe9", "André"),
        ("latin-1", b"Andr\xe9", "André"),
        ("windows-1252", b"\x80", "€"),
        // 0x95 0x5c and 0x83 0x5d: second bytes are '\' and ']'.
        ("Shift_JIS", b"\x95\x5c\x83\x5d", "表ゾ"),
        ("GB2312", b"\xce\xe2\xc7\xe5", "吴清"),
        // 0x8c 0x5b, 0x81 0x5d, 0x81 0x5c: '[', ']' and '\'.
        ("GBK", b"\x8c\x5b\x81\x5d\x81\x5c", "孾乚乗"),
        ("GB18030", b"\x81\x5d\x81\x30\x81\x30", "乚\u{80}"),
        // 0xb3 0x5c.
        ("Big5", b"\xb3\x5c", "許"),
        ("EUC-KR", b"\xc0\xcc\xc3\xa2", "이창"),
        ("EUC-JP", b"\xb8\xeb", "碁"),
    ] {
        for (before, after) in [("", "PW[x]"), ("GM[1]", "")] {
            let mut text = format!("(;{before}CA[{label}]PB[").into_bytes();
            text.extend_from_slice(bytes);
            text.extend_from_slice(format!("]{after};B[aa])").as_bytes());
            let tree = GameTree::parse(&text).unwrap_or_else(|e| panic!("{label}: {e}"));
            assert_eq!(tree.root().get("PB").unwrap().text(), name, "{label}");
            assert_eq!(tree.root().get("CA").unwrap().raw(), "UTF-8");
            assert_eq!(tree.node_count(), 2);
            let again = GameTree::parse(tree.to_string().as_bytes()).unwrap();
            assert_eq!(again, tree);
        }
    }
}

#[test]
fn text_without_ca() {
    let utf8 = GameTree::parse("(;PB[李]B[aa])".as_bytes()).unwrap();
    assert_eq!(utf8.to_string(), "(;PB[李]B[aa]CA[UTF-8])");
    let latin = GameTree::parse(b"(;PB[Andr\xe9]C[\xe6\x9d\x8e])").unwrap();
    assert_eq!(latin.to_string(), "(;PB[André]C[李]CA[UTF-8])");
    assert_eq!(tree("(;PB[ascii])").to_string(), "(;PB[ascii])");
    // A tree made by hand says how it is written, too.
    let mut made = GameTree::new();
    made.set(GameTree::ROOT, "PB", &["李"]).unwrap();
    assert_eq!(made.to_string(), "(;CA[UTF-8]PB[李])");
}

#[test]
fn a_collection_may_mix_encodings() {
    let mut text = b"(;CA[Shift_JIS]PB[\x95\x5c])\n".to_vec();
    text.extend_from_slice("(;CA[UTF-8]PB[表])\n(;CA[]PB[表])\n".as_bytes());
    text.extend_from_slice(b"(;PB[\xe9])");
    let names: Vec<_> = games(&text)
        .into_iter()
        .map(|tree| tree.unwrap().root().get("PB").unwrap().raw().to_owned())
        .collect();
    assert_eq!(names, ["表", "表", "表", "é"]);
}

#[test]
fn an_assumed_encoding() {
    let text = b"(;PB[\x81\x5d])(;CA[utf-8]PB[\xe4\xb9\x9a])";
    let reader = Reader::new(&text[..]).assume_encoding("gbk").unwrap();
    let names: Vec<_> =
        reader.map(|tree| tree.unwrap().root().get("PB").unwrap().raw().to_owned()).collect();
    assert_eq!(names, ["乚", "乚"]);
    let error = Reader::new(&text[..]).assume_encoding("UTF-7").unwrap_err();
    assert!(matches!(error.problem, Problem::Encoding { .. }));
}

#[test]
fn encodings_that_are_not_supported_hurt_only_their_text() {
    assert!(GameTree::parse(b"(;CA[klingon]PB[plain];B[aa])").is_ok());
    for text in [&b"(;CA[klingon]PB[\xe9])"[..], b"(;CA[ISO-2022-JP]PB[\x1b$B8k\x1b(B])"] {
        let error = GameTree::parse(text).unwrap_err();
        assert!(matches!(error.problem, Problem::Encoding { .. }), "{error}");
    }
}

#[test]
fn malformed_text_is_marked_and_stays_one_value() {
    let tree = GameTree::parse(b"(;CA[UTF-8]PB[a\xffb]PW[c])").unwrap();
    assert_eq!(tree.root().get("PB").unwrap().text(), "a\u{fffd}b");
    let tree = GameTree::parse(b"(;CA[Big5]PB[a\x81]b]PW[c])").unwrap();
    assert_eq!(tree.root().get("PB").unwrap().text(), "a\u{fffd}]b");
    assert_eq!(tree.root().get("PW").unwrap().text(), "c");
}

#[test]
fn reading_goes_on_after_a_broken_game() {
    let text = "\
(;GM[1]SZ[9];B[aa])
(;GM[1]SZ[9];B[aa
(;GM[1]SZ[9];C[never closed (x)
(;GM[1]SZ[9];B?[aa](;W[bb])(;W[cc]))(;C[same line])
(;GM[1]SZ[9](;B[aa])
(;FF[4]C[quotes
(;GM[1\\]SZ[9\\])])
(;GM[1]SZ[9];B[aa]";
    let found: Vec<_> = games(text.as_bytes())
        .into_iter()
        .map(|game| match game {
            Ok(tree) => Ok(tree.node_count()),
            Err(error) => match error.place {
                Place::Text { line, .. } => Err((line, error.problem)),
                Place::Node(_) => panic!("{error}"),
            },
        })
        .collect();
    let unclosed = |line, start_line, missing| {
        let problem = Problem::Unclosed { start_line, missing };
        Err((line, problem))
    };
    assert_eq!(found.len(), 8, "{found:?}");
    assert_eq!(found[0], Ok(2));
    assert_eq!(found[1], unclosed(3, 2, "])"));
    assert_eq!(found[2], unclosed(4, 3, "])"));
    assert!(matches!(&found[3], Err((4, Problem::Unexpected { .. }))));
    assert_eq!(found[4], Ok(1));
    assert_eq!(found[5], unclosed(6, 5, ")"));
    assert_eq!(found[6], Ok(1));
    assert!(matches!(&found[7], Err((8, Problem::Truncated { start_line: 8, .. }))));
}

#[test]
fn inputs_without_games() {
    assert!(games(b"").is_empty());
    assert!(games(b" \n\n").is_empty());
    let found = games(b"no game here");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].as_ref().unwrap_err().problem, Problem::NoGame);
}

#[test]
fn a_failing_input_ends_the_reader() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let mut reader = Reader::new(Failing);
    let error = reader.next().unwrap().unwrap_err();
    assert!(error.to_string().contains("the disk is gone"), "{error}");
    assert!(reader.next().is_none());
}

#[test]
fn errors_of_made_records_name_the_step() {
    let mut record = record("(;SZ[9];B[ee])").unwrap();
    record.play(Colour::White, "K10");
    let error = record.to_tree().unwrap_err();
    assert_eq!(
        error.to_string(),
        "node 2: 'K10' is no move on Go of size 9; expected A1 to J9 or a pass"
    );
    record.steps.pop();
    record.play(Colour::White, "resign");
    assert!(record.to_tree().is_err());
    record.steps.clear();
    record.play(Colour::White, "a1");
    assert_eq!(record.to_tree().unwrap().node_count(), 2);
}
