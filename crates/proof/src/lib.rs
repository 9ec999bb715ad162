//! Depth-first proof-number search (H14) over any [`Position`] with undo.
//!
//! The solver knows no game. A [`Position`] is walked by play and undo; an [`Evaluator`] tells, once
//! per position, whether it is settled and else which moves are worth trying, best first. Who
//! prunes a move vouches for it: the value must not change.
//!
//! All that is learned sits in one table of a fixed number of bytes ([`Solver::new`]), so a search
//! that was interrupted goes on where it was, and the answers behind a proof can be asked for
//! afterwards ([`Solver::answer`]); what the table has lost is searched again.
//!
//! ```
//! use kosumi_proof::{Assessment, Candidate, Evaluator, Limits, Position, Solver, Verdict};
//!
//! /// Take one to three; who takes the last one wins.
//! struct Heap { left: u64, taken: Vec<u16> }
//! impl Position for Heap {
//!     type Move = u16;
//!     fn key(&self) -> u64 { self.left }
//!     fn key_after(&self, mv: u16) -> u64 { self.left - u64::from(mv) }
//!     fn play(&mut self, mv: u16) { self.left -= u64::from(mv); self.taken.push(mv) }
//!     fn undo(&mut self) { self.left += self.taken.pop().map_or(0, u64::from) }
//! }
//! struct Rules;
//! impl Evaluator<Heap> for Rules {
//!     fn assess(&mut self, heap: &Heap, moves: &mut Vec<Candidate<u16>>) -> Assessment<u16> {
//!         if heap.left == 0 {
//!             return Assessment::Lost;
//!         }
//!         moves.extend((1..=3).filter(|&n| u64::from(n) <= heap.left).map(Candidate::new));
//!         Assessment::Open
//!     }
//! }
//!
//! let mut solver = Solver::new(1 << 20);
//! let mut heap = Heap { left: 21, taken: Vec::new() };
//! assert_eq!(solver.solve(&mut heap, &mut Rules, Limits::default()), Verdict::Won);
//! assert_eq!(solver.answer(&mut heap, &mut Rules, Limits::default()), Some(1));
//! heap.play(1);
//! assert_eq!(solver.solve(&mut heap, &mut Rules, Limits::default()), Verdict::Lost);
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod numbers;
mod position;
mod solver;
mod table;
#[cfg(test)]
mod tests;

pub use numbers::Numbers;
pub use position::{Assessment, Candidate, Evaluator, Position};
pub use solver::{Limits, Progress, Solver, Verdict};
