//! Scratch memory for as many threads as evaluate at once.

use std::sync::{Mutex, PoisonError};

use crate::net::Scratch;

/// Scratch memories that nobody uses. A thread takes one for the time of an evaluation; the lock is
/// held only to take it and to give it back.
#[derive(Debug, Default)]
pub struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Does some work with a scratch memory that nobody else uses.
    pub fn with<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = taken.unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}
