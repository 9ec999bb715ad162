//! All atomics of the crate, and the locks that models look at, come from here: std's, or loom's when its models run
//! (`RUSTFLAGS="--cfg loom" cargo test -p kosumi-search --release --lib loom`).

#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex,
    atomic::{AtomicU32, AtomicU64, Ordering},
};

#[cfg(loom)]
pub(crate) use loom::sync::{
    Mutex,
    atomic::{AtomicU32, AtomicU64, Ordering},
};
