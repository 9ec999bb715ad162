//! RAVE (all moves as first): every move that a player made later in a simulation counts, with the
//! simulation's result, for that move at the nodes above.
//!
//! The trace is read backwards, so that at each node the table says who played a point first from
//! there on: in Go a point can be played on twice.
//!
//! With `rave.fade` a move counts the less the later it was played (H15, as Fuego weights it): by
//! `1 - fade * d / l`, if it came `d` moves after the node and the simulation was `l` moves long from
//! there on. Words of RAVE then count in parts of [`FADE_UNIT`].

use crate::node::rave_game;
use crate::params::SearchParams;
use crate::tree::{Step, Tree};
use kosumi_game::{Player, Reward, Trace};

/// Parts of a game that fading RAVE counts in.
pub(crate) const FADE_UNIT: u64 = 16;

/// What one game counts in words of RAVE.
pub(crate) fn rave_unit(params: &SearchParams) -> f32 {
    if params.rave_fade > 0.0 { FADE_UNIT as f32 } else { 1.0 }
}

/// Who first played each move, in the simulation and from the ply that is being looked at on.
#[derive(Debug, Default)]
pub(crate) struct FirstPlays {
    /// Per move: the number of the simulation times two, plus the player.
    seen: Vec<u32>,
    /// Per move: when that was, in moves from the root on. Kept only for fading.
    when: Vec<u32>,
    simulation: u32,
}

/// One simulation as RAVE needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simulated<'a> {
    pub(crate) path: &'a [Step],
    /// For every step of the path: the length of the trace there, and who moves (`None` at chance
    /// nodes).
    pub(crate) plies: &'a [(usize, Option<Player>)],
    pub(crate) trace: &'a Trace,
    pub(crate) reward: Reward,
}

impl FirstPlays {
    /// Adds the simulation's result to the RAVE statistics of the nodes of its path, `fade` less for the
    /// last moves than for the first.
    pub(crate) fn update(
        &mut self,
        tree: &Tree,
        simulated: Simulated<'_>,
        move_space: usize,
        fade: f32,
    ) {
        if self.seen.len() != move_space || self.simulation >= u32::MAX / 2 - 1 {
            self.seen.clear();
            self.seen.resize(move_space, 0);
            self.when.clear();
            self.when.resize(move_space, 0);
            self.simulation = 0;
        }
        self.simulation += 1;
        let Simulated { path, plies, trace, reward } = simulated;
        let tags = Player::BOTH.map(|player| self.simulation << 1 | player as u32);
        let games = Player::BOTH.map(|player| rave_game(reward.value_for(player)));
        let moves = trace.moves();
        let mut ply = moves.len();
        for (step, &(node_ply, to_move)) in path.iter().zip(plies).rev() {
            while ply > node_ply {
                ply -= 1;
                let mv = moves[ply];
                self.seen[mv.index()] = tags[mv.player().index()];
                if fade > 0.0 {
                    self.when[mv.index()] = ply as u32;
                }
            }
            let (Some(player), Some(links)) = (to_move, tree.node(step.node).links()) else {
                continue;
            };
            let (tag, game) = (tags[player.index()], games[player.index()]);
            if fade > 0.0 {
                let per_move = fade * FADE_UNIT as f32 / (moves.len() - node_ply).max(1) as f32;
                for edge in tree.edges(links) {
                    let mv = usize::from(edge.mv());
                    let later = self.when[mv].saturating_sub(node_ply as u32);
                    // What was not played may have been long ago.
                    let parts = FADE_UNIT.saturating_sub((later as f32 * per_move) as u64);
                    edge.add_rave(game * parts, self.seen[mv] == tag);
                }
            } else {
                for edge in tree.edges(links) {
                    edge.add_rave(game, self.seen[usize::from(edge.mv())] == tag);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Reserve;
    use crate::node::EdgePrior;
    use crate::tree::NewEdge;

    /// Moves 0 to 3 of both players in turn, won by the first: what the root counts for them.
    fn counted(fade: f32) -> Vec<(f32, f32)> {
        let tree = Tree::new(1000).unwrap();
        let prior = EdgePrior { probability: 0.25, virtual_count: 0.0, virtual_value: 0.0 };
        let edges: Vec<NewEdge> = (0..4).map(|mv| NewEdge { mv, prior, pruned: false }).collect();
        let links = tree.expand(&mut Reserve::default(), tree.root(), &edges).unwrap();
        let mut trace = Trace::new();
        for (mv, player) in [Player::First, Player::Second].into_iter().cycle().take(4).enumerate()
        {
            trace.push(player, mv);
        }
        let path = [Step { node: tree.root(), edge: 0, mover: None, made: false }];
        let plies = [(0, Some(Player::First))];
        let reward = Reward::win(Player::First);
        let simulated = Simulated { path: &path, plies: &plies, trace: &trace, reward };
        FirstPlays::default().update(&tree, simulated, 4, fade);
        tree.edges(links).map(|edge| edge.rave()).collect()
    }

    #[test]
    fn own_moves_count_for_the_root() {
        assert_eq!(counted(0.0), [(1.0, 1.0), (0.0, 0.0), (1.0, 1.0), (0.0, 0.0)]);
    }

    #[test]
    fn later_moves_count_less() {
        // Move 2 comes 2 of 4 moves later: 1 - 0.5 * 2/4 = 12 parts of 16.
        assert_eq!(counted(0.5), [(16.0, 16.0), (0.0, 0.0), (12.0, 12.0), (0.0, 0.0)]);
        assert_eq!(counted(1.0)[2], (8.0, 8.0));
    }
}
