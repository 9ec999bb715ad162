//! The shape of a player's tree (T1, T7), measured on fixed positions.

use std::path::Path;
use std::time::Duration;

use kosumi_game::Rng;
use serde::{Deserialize, Serialize};

use crate::arbiter::Arbiter;
use crate::gtp_client::excerpt;
use crate::match_runner::Match;
use crate::player::{PATIENCE, Seated, gtp_colour};

/// On which positions trees are measured: the same for all points of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ShapeProbe {
    /// How many positions.
    pub positions: u32,
    /// How many random stones lie on each.
    pub stones: usize,
}

/// Means over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TreeShape {
    /// `NodeDepth` of the root (T1): levels of the tree, the root included.
    pub depth: f64,
    /// `NodeWidth` of the root (T1): leaves of the tree.
    pub width: f64,
    /// Effective branching: with this many moves at every node, a tree of that depth has that many
    /// leaves, width^(1 / (depth - 1)).
    pub branching: f64,
}

/// A search is a move's; no settings of an experiment take longer for one.
const SEARCH: Duration = Duration::from_secs(600);

impl ShapeProbe {
    /// Lets player A of a match, which must be Kosumi, search each position.
    pub(super) fn measure(&self, settings: &Match, kosumi: &Path) -> Result<TreeShape, String> {
        let say = |error: &dyn std::error::Error| error.to_string();
        let (player, rulebook) = (&settings.players[0], &settings.rulebook);
        let kind = rulebook.kind().map_err(|e| say(&e))?;
        let mut seat = Seated::start(player, kosumi, 1, SEARCH).map_err(|e| say(&e))?;
        seat.prepare(player, rulebook).map_err(|e| say(&e))?;
        let mut send = |command: &str, patience| seat.ask(command, patience).map_err(|e| say(&e));
        let mut sum = TreeShape { depth: 0.0, width: 0.0, branching: 0.0 };
        for position in 0..self.positions.max(1) {
            send("clear_board", PATIENCE)?;
            let mut arbiter = Arbiter::new(rulebook).map_err(|e| say(&e))?;
            let mut rng = Rng::stream(settings.seed, (2 << 32) | u64::from(position));
            let stones = arbiter.random_opening(self.stones, &mut rng);
            let stones = stones.ok_or_else(|| {
                format!("{} random stones do not fit: choose fewer in [shape]", self.stones)
            })?;
            let mut colour = kind.first_colour();
            for mv in stones {
                send(&format!("play {} {mv}", gtp_colour(colour)), PATIENCE)?;
                colour = colour.opponent();
            }
            send(&format!("reg_genmove {}", gtp_colour(colour)), SEARCH)?;
            let answer = send("kosumi-info", PATIENCE)?;
            let shape = read(&answer)
                .ok_or_else(|| format!("kosumi-info answered '{}'", excerpt(&answer)))?;
            sum.depth += shape.depth;
            sum.width += shape.width;
            sum.branching += shape.branching;
        }
        seat.leave();
        let count = f64::from(self.positions.max(1));
        Ok(TreeShape {
            depth: sum.depth / count,
            width: sum.width / count,
            branching: sum.branching / count,
        })
    }
}

/// The shape in an answer to `kosumi-info`.
fn read(answer: &str) -> Option<TreeShape> {
    let info: serde_json::Value = serde_json::from_str(answer).ok()?;
    let (depth, width) = (info.get("depth")?.as_f64()?, info.get("width")?.as_f64()?);
    let branching = if depth > 1.0 { width.powf(1.0 / (depth - 1.0)) } else { width };
    Some(TreeShape { depth, width, branching })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_is_that_of_a_regular_tree() {
        // Three moves at each of four levels of nodes: 81 leaves, depth 5 with the root.
        let shape = read(r#"{"depth": 5, "width": 81, "best": "a1"}"#).unwrap();
        assert!((shape.branching - 3.0).abs() < 1e-9);
        assert_eq!(read(r#"{"depth": 1, "width": 1}"#).unwrap().branching, 1.0);
        assert_eq!(read("a1"), None);
        assert_eq!(read("{}"), None);
    }
}
