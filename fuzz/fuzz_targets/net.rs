//! Nets: no bytes in a section make the reader panic, and what it accepts judges a position.
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

const SECTIONS: [&str; 17] = [
    "shape", "layer0", "layer1", "layer2", "layer3", "layer4", "layer5", "layer6", "layer7",
    "layer8", "layer9", "layer10", "layer11", "layer12", "policy", "value", "odds",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let mut file = WeightFile::new("hex", "net", 1, Provenance::default());
    for (number, name) in SECTIONS.into_iter().enumerate() {
        // Written over the beginning of the good section, or in its place.
        let mut content = GOOD.section(name).expect("a good file has it").to_vec();
        if usize::from(which & 127) % SECTIONS.len() == number {
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
            assert_eq!(net.judge_once(&position).strengths.len(), 25);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
