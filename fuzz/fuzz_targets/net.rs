//! Nets: no bytes in a section make the reader panic, and what it accepts evaluates a position.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run net -- -max_total_time=600`
#![no_main]

use std::sync::LazyLock;

use kosumi_hex::{Hex, HexNet, HexRules};
use kosumi_learn::{Provenance, WeightFile};
use libfuzzer_sys::fuzz_target;

static GOOD: LazyLock<WeightFile> = LazyLock::new(|| {
    let bytes = include_bytes!("../../data/hex/net.weights");
    WeightFile::from_bytes(bytes).expect("our own weights can be read")
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let mut file = WeightFile::new("hex", "net", 2, Provenance::default());
    let names: Vec<&str> = GOOD.section_names().collect();
    for (number, name) in names.iter().enumerate() {
        // Written over the beginning of the good section, or in its place.
        let mut content = GOOD.section(name).expect("a good file has it").to_vec();
        if usize::from(which & 127) % names.len() == number {
            if which < 128 {
                content = bytes.to_vec();
            } else {
                content.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            }
        }
        file.push_section(name, content);
    }
    match HexNet::from_file(&file) {
        Ok(net) => {
            let position = Hex::new(5, HexRules { swap: false }).expect("a board");
            let evaluation = net.evaluate_once(&position);
            assert_eq!(evaluation.policy.len(), 25);
            assert!(evaluation.value_logit.is_finite());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
