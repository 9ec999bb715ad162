//! Configuration: no text makes the reader panic; what it accepts it writes, and reads back equal.
//!
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run config -- -max_total_time=600`
#![no_main]

use kosumi_engine::{Config, EngineParams, GameKind, to_toml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in GameKind::ALL {
        let config = match Config::parse("fuzz", text, game) {
            Ok(config) => config,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        for size in [5, 19] {
            let mut params = EngineParams::new(game);
            config.apply(&mut params, size).expect("what was checked applies");
            let written =
                Config::parse("written", &to_toml(&params), game).expect("written parameters read");
            let mut again = EngineParams::new(game);
            written.apply(&mut again, size).expect("and apply");
            assert_eq!(again, params);
        }
    }
});
