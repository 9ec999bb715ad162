//! RAVE (all moves as first): every move that a player made later in a simulation counts, with the
//! simulation's result, for that move at the nodes above.
//!
//! The trace is read backwards, so that at each node the table says who played a point first from
//! there on: in Go a point can be played on twice.

use crate::node::rave_game;
use crate::tree::{Step, Tree};
use kosumi_game::{Player, Reward, Trace};

/// Who first played each move, in the simulation and from the ply that is being looked at on.
#[derive(Debug, Default)]
pub(crate) struct FirstPlays {
    /// Per move: the number of the simulation times two, plus the player.
    seen: Vec<u32>,
    simulation: u32,
}

impl FirstPlays {
    /// Adds the simulation's result to the RAVE statistics of the nodes of `path`. `plies[k]` is
    /// the length of the trace at node `k`, `to_move[k]` who moves there (`None` at chance nodes).
    pub(crate) fn update(
        &mut self,
        tree: &Tree,
        path: &[Step],
        plies: &[(usize, Option<Player>)],
        trace: &Trace,
        move_space: usize,
        reward: Reward,
    ) {
        if self.seen.len() != move_space || self.simulation >= u32::MAX / 2 - 1 {
            self.seen.clear();
            self.seen.resize(move_space, 0);
            self.simulation = 0;
        }
        self.simulation += 1;
        let tags = Player::BOTH.map(|player| self.simulation << 1 | player as u32);
        let games = Player::BOTH.map(|player| rave_game(reward.value_for(player)));
        let moves = trace.moves();
        let mut ply = moves.len();
        for (step, &(node_ply, to_move)) in path.iter().zip(plies).rev() {
            while ply > node_ply {
                ply -= 1;
                let mv = moves[ply];
                self.seen[mv.index()] = tags[mv.player().index()];
            }
            let (Some(player), Some(links)) = (to_move, tree.node(step.node).links()) else {
                continue;
            };
            let (tag, game) = (tags[player.index()], games[player.index()]);
            for edge in tree.edges(links) {
                edge.add_rave(game, self.seen[usize::from(edge.mv())] == tag);
            }
        }
    }
}
