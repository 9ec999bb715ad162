//! Whatever is written reads back equal: random trees, random records, and very long games.

use kosumi_record::{
    Colour, GameInfo, GameKind, GameRecord, GameResult, GameTree, NodeId, Reader, RecordMove,
    Setup, Step, Victory,
};
use proptest::{collection::vec, option, prelude::*};

fn again(tree: &GameTree) -> GameTree {
    let text = tree.to_string();
    GameTree::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Text full of what needs care.
fn tricky() -> impl Strategy<Value = String> {
    vec(
        prop_oneof![
            Just("]"),
            Just("["),
            Just("\\"),
            Just("\n"),
            Just("\r\n"),
            Just("("),
            Just(")"),
            Just(";"),
            Just(":"),
            Just("\n(;GM[1]"),
            Just("a"),
            Just(" "),
            Just("é"),
            Just("碁"),
            Just("\u{1b}"),
            Just("\t"),
        ],
        0..8,
    )
    .prop_map(|parts| parts.concat())
}

fn ident() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("B".to_owned()),
        Just("C".to_owned()),
        Just("GM".to_owned()),
        "[A-Z][A-Z0-9]{0,5}",
    ]
    .prop_filter("CA is always UTF-8", |ident| ident != "CA")
}

type Node = (prop::sample::Index, Vec<(String, Vec<String>)>);

fn node() -> impl Strategy<Value = Node> {
    let properties = vec((ident(), vec(tricky(), 1..4)), 0..4);
    (any::<prop::sample::Index>(), properties)
}

/// Each node hangs from any node before it, and properties are set in the order of the list.
fn build(nodes: &[Node]) -> GameTree {
    let mut tree = GameTree::new();
    let mut ids: Vec<NodeId> = vec![GameTree::ROOT];
    tree.set(GameTree::ROOT, "CA", &["UTF-8"]).unwrap();
    for (parent, properties) in nodes {
        let id = tree.add_child(ids[parent.index(ids.len())]);
        ids.push(id);
        // Set on any node so far, so that properties also move inside the arena.
        let target = ids[parent.index(ids.len())];
        for (ident, values) in properties {
            tree.set(target, ident, values).unwrap();
        }
    }
    tree
}

fn words() -> impl Strategy<Value = Option<String>> {
    option::of("[a-zA-Z0-9é碁:\\\\\\]\\[(;][a-z \\]\\\\:é碁]{0,9}")
}

fn info() -> impl Strategy<Value = GameInfo> {
    let game = prop::sample::select(&GameKind::ALL[..]);
    let result = prop::sample::select(vec![
        None,
        Some(GameResult::Draw),
        Some(GameResult::Void),
        Some(GameResult::Unknown),
        Some(GameResult::win(Colour::Black, Victory::Points(3.25))),
        Some(GameResult::win(Colour::White, Victory::Resignation)),
        Some(GameResult::win(Colour::White, Victory::Unspecified)),
    ]);
    let numbers = (option::of(-300i32..300), 0..10u32, 1..=26u8);
    let texts = (words(), words(), words(), words(), words(), words());
    (game, result, numbers, texts).prop_map(|(game, result, (komi, handicap, size), texts)| {
        let mut info = GameInfo::new(game, size.min(game.max_size())).unwrap();
        info.result = result;
        info.komi = komi.map(|k| f64::from(k) / 4.0);
        info.handicap = handicap.min(u32::from(info.size).pow(2));
        (info.rules, info.black.name, info.white.rank, info.date, info.event, info.comment) = texts;
        info
    })
}

/// All points of the board, found by asking for every name.
fn points(info: &GameInfo) -> Vec<String> {
    let letters = ('a'..='z').chain('A'..='Z');
    letters
        .flat_map(|letter| (1..=26).map(move |number| format!("{letter}{number}")))
        .filter(|name| match info.game {
            GameKind::Go => name.starts_with(|c: char| c.is_uppercase()),
            _ => name.starts_with(|c: char| c.is_lowercase()),
        })
        .filter(|name| info.point_to_sgf(name).is_ok())
        .collect()
}

fn record() -> impl Strategy<Value = GameRecord> {
    let colour = prop::sample::select(vec![Colour::Black, Colour::White]);
    let step = (
        option::weighted(0.8, (colour.clone(), any::<prop::sample::Index>())),
        option::weighted(0.2, vec(any::<prop::sample::Index>(), 1..9)),
        option::weighted(0.1, colour),
        option::weighted(0.3, "[a-z\\]\\\\\n(;é]{1,12}"),
    );
    (info(), vec(step, 1..40)).prop_map(|(info, steps)| {
        let points = points(&info);
        let special = match info.game {
            GameKind::Go => "pass",
            GameKind::Hex => "swap-pieces",
            _ => "swap",
        };
        let mut record = GameRecord::new(info);
        record.steps.clear();
        for (mv, stones, to_play, comment) in steps {
            let mut setup = Setup { to_play, ..Setup::default() };
            let mut stones: Vec<usize> =
                stones.unwrap_or_default().iter().map(|i| i.index(points.len())).collect();
            stones.sort_unstable();
            stones.dedup();
            for stone in stones {
                let list = match stone % 3 {
                    0 => &mut setup.black,
                    1 => &mut setup.white,
                    _ => &mut setup.empty,
                };
                list.push(points[stone].clone());
            }
            let mv = mv.map(|(colour, index)| RecordMove {
                colour,
                mv: match index.index(points.len() + 1) {
                    0 => special.to_owned(),
                    i => points[i - 1].clone(),
                },
            });
            record.steps.push(Step { setup, mv, comment });
        }
        record
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn trees(nodes in vec(node(), 0..40)) {
        let tree = build(&nodes);
        prop_assert_eq!(&again(&tree), &tree);
        prop_assert_eq!(again(&tree).to_string(), tree.to_string());
    }

    #[test]
    fn values(text in tricky()) {
        let mut tree = GameTree::new();
        tree.set(GameTree::ROOT, "C", &[&text]).unwrap();
        let read = again(&tree);
        let expected = text.replace("\r\n", "\n").replace('\t', " ");
        prop_assert_eq!(read.root().get("C").unwrap().text(), expected);
    }

    #[test]
    fn records(record in record()) {
        let tree = record.to_tree().unwrap();
        let read = GameRecord::from_tree(&again(&tree)).unwrap();
        prop_assert_eq!(read, record);
    }

    #[test]
    fn collections(games in vec(vec(node(), 0..12), 0..8)) {
        let trees: Vec<GameTree> = games.iter().map(|nodes| build(nodes)).collect();
        let text: String = trees.iter().map(|tree| format!("{tree}\n")).collect();
        let read: Result<Vec<_>, _> = Reader::new(text.as_bytes()).collect();
        prop_assert_eq!(read.unwrap(), trees);
    }
}

/// Deep enough to overflow any stack that recursion would use.
const DEEP: usize = 1_000_000;

#[test]
fn a_long_line() {
    let text = format!("({})", ";B[aa]".repeat(DEEP));
    let tree = GameTree::parse(text.as_bytes()).unwrap();
    assert_eq!(tree.node_count(), DEEP);
    assert_eq!(tree.to_string(), text);
    assert!(tree == tree.clone());
    assert_eq!(tree.main_line().count(), DEEP);
    assert_eq!(GameRecord::from_tree(&tree).unwrap().moves().count(), DEEP);
}

#[test]
fn variations_within_variations() {
    let text = format!("{}{}", "(;B[aa](;W[bb])".repeat(DEEP), ")".repeat(DEEP));
    let tree = GameTree::parse(text.as_bytes()).unwrap();
    assert_eq!(tree.node_count(), 2 * DEEP);
    assert!(again(&tree) == tree);
}

#[test]
fn too_many_nodes_are_refused() {
    let text = format!("({}", ";".repeat(GameTree::MAX_NODES + 1));
    let error = GameTree::parse(text.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("too large"), "{error}");
}

#[test]
fn games_longer_than_a_chunk_of_the_reader() {
    let comment = "x\\]\n".repeat(100_000);
    let text = format!("(;C[{comment}](;B[aa])(;B[bb]))\n(;C[next])\n").repeat(3);
    let read: Vec<_> =
        Reader::new(text.as_bytes()).map(|tree| tree.unwrap().node_count()).collect();
    assert_eq!(read, [3, 1, 3, 1, 3, 1]);
    // The same through an input that gives one byte at a time.
    struct Trickle<'a>(&'a [u8]);
    impl std::io::Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = buffer.len().min(self.0.len()).min(1);
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }
    let trees: Vec<_> = Reader::new(Trickle(text.as_bytes())).map(Result::unwrap).collect();
    let direct: Vec<_> = Reader::new(text.as_bytes()).map(Result::unwrap).collect();
    assert!(trees == direct);
}
