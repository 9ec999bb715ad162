//! What a search has found, in words that need no game: moves as text, colours, results.
//!
//! All values are seen from the player to move at the root, `Analysis::to_move`.

use std::time::Duration;

use kosumi_record::Colour;
use serde::Serialize;

use crate::error::EngineError;

/// A running or finished search, from any thread.
pub trait Thinking: Send + Sync {
    /// Ends it; returns at once.
    fn stop(&self);

    /// Whether it still runs.
    fn is_running(&self) -> bool;

    /// Waits until it has ended.
    fn wait(&self);

    /// Waits until it has ended, but no longer than this; whether it has.
    fn wait_for(&self, time: Duration) -> bool;

    /// What it has found so far.
    ///
    /// # Errors
    /// The engine has moved on to another position.
    fn analysis(&self) -> Result<Analysis, EngineError>;

    /// The top of the tree, `levels` deep, without moves of fewer than `min_visits` visits.
    ///
    /// # Errors
    /// The engine has moved on to another position.
    fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeNode, EngineError>;
}

/// Moves that an analysis leaves out, or the only ones that it considers, near its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRestriction {
    /// Whose moves.
    pub colour: Colour,
    /// Which moves.
    pub moves: Vec<String>,
    /// Whether these are the only ones allowed; else they are the ones to avoid.
    pub only: bool,
    /// The first level at which all moves are allowed again; the position itself has level 0.
    pub until: u16,
}

/// What is certain about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Proven {
    /// Won for the player to move at the root.
    Win,
    /// Lost for the player to move at the root.
    Loss,
    /// A draw.
    Draw,
}

/// One move of the root.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveAnalysis {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations that began with it.
    pub visits: u64,
    /// Their mean result, from 0 to 1.
    pub value: f32,
    /// Its probability by knowledge alone.
    pub prior: f32,
    /// RAVE simulations.
    pub rave_count: f32,
    /// Their mean result.
    pub rave_value: f32,
    /// Depth of the searched subtree.
    pub depth: u32,
    /// Width of the searched subtree.
    pub width: u32,
    /// What is proven about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The line expected from here, beginning with the move.
    pub line: Vec<String>,
}

impl MoveAnalysis {
    /// A cautious estimate of the value: its mean less about three standard errors. 0 without
    /// visits.
    #[must_use]
    pub fn lower_bound(&self) -> f32 {
        if self.visits == 0 {
            return 0.0;
        }
        let error = (self.value * (1.0 - self.value) / self.visits as f32).sqrt();
        (self.value - 3.0 * error.max(0.5 / self.visits as f32)).max(0.0)
    }
}

/// A search at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Analysis {
    /// Who is to move; all values are this player's.
    #[serde(serialize_with = "colour_name")]
    pub to_move: Colour,
    /// The root's moves, the one to play first, then by falling visits.
    pub moves: Vec<MoveAnalysis>,
    /// Visits of the root, those of earlier searches included.
    pub visits: u64,
    /// Mean result of the root.
    pub value: f32,
    /// Simulations of this search.
    pub simulations: u64,
    /// Seconds since it began, or that it took.
    pub seconds: f64,
    /// Depth of the whole tree.
    pub depth: u32,
    /// Width of the whole tree.
    pub width: u32,
    /// What is proven about the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// Memory of the tree in use, in bytes.
    pub memory: u64,
    /// Nodes recycled so far for lack of memory.
    pub recycled: u64,
}

impl Analysis {
    /// The move to play, if there is one.
    #[must_use]
    pub fn best(&self) -> Option<&MoveAnalysis> {
        self.moves.first()
    }

    /// What the player to move can expect: what is proven, else the best move's value, else the
    /// root's.
    #[must_use]
    pub fn outlook(&self) -> f32 {
        match (self.proven, self.best()) {
            (Some(Proven::Win), _) => 1.0,
            (Some(Proven::Loss), _) => 0.0,
            (Some(Proven::Draw), _) => 0.5,
            (None, Some(best)) if best.visits > 0 => best.value,
            _ => self.value,
        }
    }

    /// The analysis of one move.
    #[must_use]
    pub fn find(&self, mv: &str) -> Option<&MoveAnalysis> {
        self.moves.iter().find(|found| found.mv == mv)
    }

    /// Simulations per second; 0 before the first.
    #[must_use]
    pub fn speed(&self) -> f64 {
        if self.seconds > 0.0 { self.simulations as f64 / self.seconds } else { 0.0 }
    }
}

/// A node of the top of the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TreeNode {
    /// The move that led here; `None` at the root.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// Visits.
    pub visits: u64,
    /// Mean result for the player to move at the root.
    pub value: f32,
    /// Probability of the move by knowledge alone.
    pub prior: f32,
    /// Depth of the subtree.
    pub depth: u32,
    /// Width of the subtree.
    pub width: u32,
    /// What is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// Children with enough visits, by falling visits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<TreeNode>,
}

fn colour_name<S: serde::Serializer>(colour: &Colour, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(colour)
}
