//! No bytes make the crate panic, and what it accepts it can write.

use kosumi_record::{GameRecord, GameTree, Reader};
use proptest::{collection::vec, prelude::*};

const SAMPLE: &[u8] = b"\xef\xbb\xbfhead\n(;GM[1]FF[4]CA[Shift_JIS]SZ[9:9]KM[6.5]HA[2]PB[\x95\x5c]\
AB[aa:bb][cc]PL[W]RE[B+R]C[a \\] b\\\nc];W[ee]Comment[\x83\x5d];B[](;W[tt])(;W[dd]AE[aa]LB[aa:x]\n(;B[ff])))\n\
(;GM[11]SZ[11];B[a1];W[swap-pieces];B[resign])\n(;GM[Havannah]SZ[4];W[a1];B[g7])";

/// Everything the crate offers, on outside bytes.
fn exercise(bytes: &[u8]) {
    for game in Reader::new(bytes) {
        let tree = match game {
            Ok(tree) => tree,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let text = tree.to_string();
        let again = GameTree::parse(text.as_bytes())
            .unwrap_or_else(|e| panic!("{e}\n{text:?}\nfrom {}", bytes.escape_ascii()));
        assert!(again == tree, "{text:?}\nfrom {}", bytes.escape_ascii());
        if let Ok(record) = GameRecord::from_tree(&tree) {
            let rebuilt = record.to_tree().expect("what was read can be written");
            let again = GameRecord::from_tree(&rebuilt).expect("what was written can be read");
            assert_eq!(again.steps, record.steps, "{}", bytes.escape_ascii());
        }
    }
    let _ = GameTree::parse(bytes);
}

#[test]
fn the_sample_is_sound() {
    let records: Vec<_> =
        Reader::new(SAMPLE).map(|tree| GameRecord::from_tree(&tree.unwrap()).unwrap()).collect();
    let moves: Vec<_> = records.iter().map(|r| r.moves().count()).collect();
    assert_eq!(moves, [3, 3, 2]);
}

#[test]
fn cut_off_anywhere() {
    for end in 0..=SAMPLE.len() {
        exercise(&SAMPLE[..end]);
        exercise(&SAMPLE[end..]);
    }
}

#[test]
fn any_byte_changed_lost_or_repeated() {
    let odd = b"()[];\\\n:\x00\x81\xff\x1bAa1 ";
    for at in 0..SAMPLE.len() {
        let mut bytes = SAMPLE.to_vec();
        for &byte in odd {
            bytes[at] = byte;
            exercise(&bytes);
        }
        bytes.remove(at);
        exercise(&bytes);
        bytes.insert(at, SAMPLE[at]);
        bytes.insert(at, SAMPLE[at]);
        exercise(&bytes);
    }
}

#[test]
fn a_broken_game_costs_only_itself() {
    let games =
        ["(;GM[1]SZ[9]C[x(]];B[aa](;W[bb])(;W[cc]))", "(;GM[1];B[aa)", "(;GM[1]", "(;GM[1]?"];
    for broken in games {
        let text = format!("(;GM[1]C[a])\n{broken}\n(;GM[1]C[b])\n(;GM[1]C[c])\n");
        let names: String = Reader::new(text.as_bytes())
            .filter_map(Result::ok)
            .filter_map(|tree| Some(tree.root().get("C")?.raw().to_owned()))
            .collect();
        assert_eq!(names, "abc", "{broken}");
    }
}

/// Words of SGF in any order: nearer to sense than random bytes, and as wrong.
fn babble() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&[u8]> = vec![
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b":",
        b"\n",
        b"\n(;GM[1]",
        b"(;",
        b"GM[11]",
        b"SZ[5]",
        b"SZ[99]",
        b"B[aa]",
        b"W[b2]",
        b"W[]",
        b"AB[aa:cc]",
        b"AE[",
        b"CA[Big5]",
        b"CA[GBK]",
        b"CA[UTF-8]",
        b"CA[x]",
        b"\x81",
        b"\xe9",
        b"KM[1",
        b"HA[9]",
        b"PL[B]",
        b"C[x]",
        b"c",
        b"A1",
    ];
    vec(prop::sample::select(words), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn random_bytes(bytes in vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
    }

    #[test]
    fn random_bytes_in_a_game(bytes in vec(any::<u8>(), 0..200), label in "(CA\\[(Big5|GBK|SJIS|EUC-KR|utf8)\\])?") {
        let mut text = format!("(;{label}C[").into_bytes();
        text.extend(bytes);
        text.extend_from_slice(b"];B[aa])");
        exercise(&text);
    }

    #[test]
    fn random_words(bytes in babble()) {
        exercise(&bytes);
        let mut game = b"(;".to_vec();
        game.extend(bytes);
        game.push(b')');
        exercise(&game);
    }
}
