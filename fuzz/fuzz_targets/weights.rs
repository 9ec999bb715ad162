//! Weight files: no bytes make the reader panic, whether or not their checksum is right; what it
//! accepts it writes, and reads back equal.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run weights -- -max_total_time=600`
#![no_main]

use kosumi_go::{FAMILY_FEATURES, MoveModel};
use kosumi_learn::{Provenance, WeightFile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = WeightFile::from_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
    // As if the checksum were right: the sections of a good file, one of them from outside.
    let good = MoveModel::new(&[7, 9], &vec![0.5; FAMILY_FEATURES as usize + 2])
        .to_file(Provenance::default());
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let mut file = WeightFile::new(&good.game, &good.model, good.version, Provenance::default());
    for (number, name) in ["families", "patterns", "unit", "gammas"].into_iter().enumerate() {
        let own = good.section(name).expect("a good file has it");
        let outside = usize::from(which) % 4 == number;
        file.push_section(name, if outside { bytes } else { own }.to_vec());
    }
    let again = WeightFile::from_bytes(&file.to_bytes()).expect("a written file reads");
    assert!(again == file);
    if let Ok(model) = MoveModel::from_file(&file) {
        assert_eq!(model.log_gammas().len(), FAMILY_FEATURES as usize + model.patterns());
    }
});
