//! All atomics of the crate come from here: std's, or loom's when its models run
//! (`RUSTFLAGS="--cfg loom" cargo test -p kosumi-search --release --lib loom`).

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
