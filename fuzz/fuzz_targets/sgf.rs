//! SGF: no bytes make the reader panic; what it accepts it writes, and reads back equal.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run sgf -- -dict=fuzz/sgf.dict -max_total_time=600`
#![no_main]

use kosumi_record::{GameRecord, GameTree, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes) {
        let tree = match game {
            Ok(tree) => tree,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let again = GameTree::parse(tree.to_string().as_bytes()).expect("a written tree reads");
        assert!(again == tree, "a written tree reads back equal");
        if let Ok(record) = GameRecord::from_tree(&tree) {
            let rebuilt = record.to_tree().expect("a record that was read can be written");
            let again = GameRecord::from_tree(&rebuilt).expect("a written record reads");
            assert_eq!(again.steps, record.steps);
            assert_eq!(again.info.size, record.info.size);
        }
    }
});
