//! What a search has found, at any time: the root's moves, lines of play, the top of the tree.

use crate::arena::{LINE_WORDS, LineId, NONE};
use crate::node::{Edge, Links, Node, Proof};
use crate::params::{FinalMove, SearchParams};
use crate::rave::rave_unit;
use crate::root_moves::RootMoves;
use crate::tree::Tree;
use kosumi_game::{Move, Player, Turn};

/// One move of the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Simulations that began with it.
    pub visits: u64,
    /// Their mean result for the player to move; ½ without visits.
    pub value: f32,
    /// P(m) by knowledge.
    pub prior: f32,
    /// RAVE simulations.
    pub rave_count: f32,
    /// Their mean result for the player to move.
    pub rave_value: f32,
    /// Depth of the searched subtree (T1); 0 if unvisited.
    pub depth: u32,
    /// Width of the searched subtree (T1); 0 if unvisited.
    pub width: u32,
    /// What is proven about it.
    pub proof: Option<Proof>,
    /// Whether knowledge has it that the move need not be searched.
    pub pruned: bool,
    /// The most visited line, beginning with the move.
    pub line: Vec<M>,
}

impl<M: Copy> MoveReport<M> {
    /// A move of which nothing is known: what a search of another kind fills in.
    #[must_use]
    pub fn unvisited(mv: M) -> Self {
        Self {
            mv,
            visits: 0,
            value: 0.5,
            prior: 0.0,
            rave_count: 0.0,
            rave_value: 0.5,
            depth: 0,
            width: 0,
            proof: None,
            pruned: false,
            line: vec![mv],
        }
    }
}

/// A search at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot<M> {
    /// Who is to move at the root.
    pub turn: Turn,
    /// The root's moves, the one to play first, then by falling visits.
    pub moves: Vec<MoveReport<M>>,
    /// Visits of the root, those of earlier searches included.
    pub visits: u64,
    /// Mean result of the root for the player to move.
    pub value: f32,
    /// New simulations of this search.
    pub simulations: u64,
    /// Seconds since it began, or that it took.
    pub seconds: f64,
    /// Depth of the whole tree (T1).
    pub depth: u32,
    /// Width of the whole tree (T1).
    pub width: u32,
    /// What is proven about the root.
    pub proof: Option<Proof>,
    /// Memory of the tree in use, in bytes.
    pub memory: u64,
    /// Nodes recycled so far for lack of memory.
    pub recycled: u64,
}

impl<M: Copy> Snapshot<M> {
    /// Before anything is known: what a search of another kind fills in.
    #[must_use]
    pub fn empty(turn: Turn) -> Self {
        Self {
            turn,
            moves: Vec::new(),
            visits: 0,
            value: 0.5,
            simulations: 0,
            seconds: 0.0,
            depth: 0,
            width: 0,
            proof: None,
            memory: 0,
            recycled: 0,
        }
    }

    /// The move to play, if there is one.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.moves.first().map(|report| report.mv)
    }
}

/// A node of the top of the tree.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeView<M> {
    /// The move that led here; `None` at the root.
    pub mv: Option<M>,
    /// Visits.
    pub visits: u64,
    /// Mean result for the player who moved here (for the root: who moved before).
    pub value: f32,
    /// P(m) of the move that led here.
    pub prior: f32,
    /// Depth of the subtree (T1).
    pub depth: u32,
    /// Width of the subtree (T1).
    pub width: u32,
    /// What is proven.
    pub proof: Option<Proof>,
    /// Children with enough visits, by falling visits.
    pub children: Vec<TreeView<M>>,
}

impl<M> TreeView<M> {
    /// A node of which nothing is known: what a search of another kind fills in.
    #[must_use]
    pub fn leaf(mv: Option<M>) -> Self {
        Self {
            mv,
            visits: 0,
            value: 0.5,
            prior: 0.0,
            depth: 0,
            width: 0,
            proof: None,
            children: Vec::new(),
        }
    }
}

/// The longest line that is reported.
const LINE_LENGTH: usize = 40;

impl Tree {
    /// All moves of the root, the one to play first.
    pub(crate) fn report_moves<M: Move>(
        &self,
        params: &SearchParams,
        player: Option<Player>,
        allowed: &RootMoves,
    ) -> Vec<MoveReport<M>> {
        let root = self.node(self.root());
        let Some(links) = root.links() else {
            return Vec::new();
        };
        let mut moves: Vec<MoveReport<M>> =
            self.allowed(links, player, allowed).map(|edge| self.report(params, edge)).collect();
        moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
        if let Some(best) = choose(&moves, params, player) {
            moves[..=best].rotate_right(1);
        }
        moves
    }

    /// The edges of the root that may be chosen.
    fn allowed<'a>(
        &'a self,
        links: Links,
        player: Option<Player>,
        allowed: &'a RootMoves,
    ) -> impl Iterator<Item = Edge<'a>> {
        let free = move |edge: &Edge<'_>| player.is_none_or(|p| allowed.allows(0, p, edge.mv()));
        self.edges(links).filter(free)
    }

    fn report<M: Move>(&self, params: &SearchParams, edge: Edge<'_>) -> MoveReport<M> {
        let (child, prior) = edge.child_and_prior();
        let node = (child != NONE).then(|| self.node(child));
        let shape = node.map(Node::shape);
        let (rave_count, rave_wins) = edge.rave();
        let proof = node.and_then(Node::proof);
        let mut line = vec![M::from_index(usize::from(edge.mv()))];
        if child != NONE {
            self.extend_line(child, &mut line);
        }
        MoveReport {
            mv: line[0],
            visits: node.map_or(0, Node::visits),
            value: node.map_or(0.5, Node::mean),
            prior,
            rave_count: rave_count / rave_unit(params),
            rave_value: if rave_count > 0.0 { rave_wins / rave_count } else { 0.5 },
            depth: shape.map_or(0, |s| s.depth),
            width: shape.map_or(0, |s| s.width),
            proof,
            pruned: proof.is_none() && edge.facts().is_closed(),
            line,
        }
    }

    fn extend_line<M: Move>(&self, mut node: LineId, line: &mut Vec<M>) {
        while line.len() < LINE_LENGTH {
            let Some(links) = self.node(node).links() else {
                return;
            };
            let visited = self.edges(links).filter(|edge| edge.child() != NONE);
            let Some(best) = visited.max_by_key(|edge| self.node(edge.child()).visits()) else {
                return;
            };
            line.push(M::from_index(usize::from(best.mv())));
            node = best.child();
        }
    }

    /// The top of the tree, `levels` deep, without children of fewer than `min_visits` visits.
    pub(crate) fn view<M: Move>(&self, levels: usize, min_visits: u64) -> TreeView<M> {
        self.view_node(self.root(), None, 1.0, levels, min_visits)
    }

    fn view_node<M: Move>(
        &self,
        id: LineId,
        mv: Option<M>,
        prior: f32,
        levels: usize,
        min_visits: u64,
    ) -> TreeView<M> {
        let node = self.node(id);
        let mut children: Vec<TreeView<M>> = Vec::new();
        if let (Some(links), true) = (node.links(), levels > 0) {
            for edge in self.edges(links) {
                let (child, prior) = edge.child_and_prior();
                if child != NONE && self.node(child).visits() >= min_visits {
                    let mv = M::from_index(usize::from(edge.mv()));
                    children.push(self.view_node(child, Some(mv), prior, levels - 1, min_visits));
                }
            }
            children.sort_by_key(|child| std::cmp::Reverse(child.visits));
        }
        let shape = node.shape();
        TreeView {
            mv,
            visits: node.visits(),
            value: node.mean(),
            prior,
            depth: shape.depth,
            width: shape.width,
            proof: node.proof(),
            children,
        }
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        u64::from(self.arena.used()) * LINE_WORDS as u64 * 8
    }
}

/// The place of the move to play in a list sorted by falling visits (N8). A proven win comes first,
/// a proven loss last, and what knowledge pruned, perhaps after many visits, before that.
fn choose<M>(
    moves: &[MoveReport<M>],
    params: &SearchParams,
    player: Option<Player>,
) -> Option<usize> {
    let wins = |report: &MoveReport<M>| player.is_some_and(|p| report.proof == Some(Proof::Win(p)));
    let loses = |report: &MoveReport<M>| {
        player.is_some_and(|p| report.proof == Some(Proof::Win(p.opponent())))
    };
    if let Some(win) = moves.iter().position(wins) {
        return Some(win);
    }
    let total: u64 = moves.iter().map(|m| m.visits).sum();
    let most = moves.first()?.visits;
    let score = |report: &MoveReport<M>| {
        let share = report.visits as f32 / total.max(1) as f32;
        // A mean of few visits says little: who has less than a tenth of the most does not compete.
        let trusted = report.visits > 0 && report.visits >= most / 10;
        match params.final_by {
            FinalMove::Visits => share,
            _ if !trusted => share - 1.0,
            FinalMove::Value => report.value,
            FinalMove::Balance => {
                let w = params.final_visit_weight;
                (1.0 - w) * report.value + w * share
            }
        }
    };
    let best = |competes: &dyn Fn(&MoveReport<M>) -> bool| {
        let competing = moves.iter().enumerate().filter(|(_, m)| competes(m));
        let best = competing.fold(None, |best: Option<(usize, f32)>, (i, m)| {
            let s = score(m);
            if best.is_none_or(|(_, b)| s > b) { Some((i, s)) } else { best }
        });
        best.map(|(i, _)| i)
    };
    best(&|m| !loses(m) && !m.pruned).or_else(|| best(&|m| !loses(m))).or_else(|| best(&|_| true))
}

/// The moves of the root that compete for being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaders {
    /// The most visited move.
    pub most_visited: u16,
    /// How many more visits it has than any other.
    pub lead: u64,
    /// The move of the best mean among those with a fair share of the visits.
    pub best_valued: u16,
}

impl Leaders {
    /// Of moves with their visits and means.
    fn among(moves: &[(u16, u64, f32)]) -> Option<Self> {
        let (mut most, mut second) = (*moves.first()?, 0);
        for &mv in &moves[1..] {
            if mv.1 > most.1 {
                second = most.1;
                most = mv;
            } else {
                second = second.max(mv.1);
            }
        }
        let trusted = moves.iter().filter(|mv| mv.1 >= most.1 / 10);
        let best = trusted.fold(most, |best, mv| if mv.2 > best.2 { *mv } else { best });
        Some(Self { most_visited: most.0, lead: most.1 - second, best_valued: best.0 })
    }

    /// Whether visits and values name different moves.
    pub fn disagree(&self) -> bool {
        self.most_visited != self.best_valued
    }
}

impl Tree {
    /// The most visited move of a node that neither loses nor is pruned, and where it leads; `None`
    /// where no such move has been visited, or the node is proven.
    pub(crate) fn most_visited(&self, node: Node<'_>) -> Option<(u16, Node<'_>)> {
        let links = node.links().filter(|_| node.proof().is_none())?;
        // Ties go to the lower move.
        let edges = self.edges(links);
        self.competing(edges).max_by_key(|(mv, child)| (child.visits(), std::cmp::Reverse(*mv)))
    }

    /// The visited moves that neither lose nor are pruned, and where they lead.
    fn competing<'a>(
        &'a self,
        edges: impl Iterator<Item = Edge<'a>>,
    ) -> impl Iterator<Item = (u16, Node<'a>)> {
        let visited = edges.filter(|edge| edge.child() != NONE);
        let competing = visited.filter(|edge| !edge.facts().is_closed());
        competing.map(|edge| (edge.mv(), self.node(edge.child())))
    }

    /// The moves that compete at the root, and neither lose nor are pruned; none before the first
    /// visit.
    pub(crate) fn leaders(&self, allowed: &RootMoves) -> Option<Leaders> {
        let links = self.node(self.root()).links()?;
        let edges = self.allowed(links, allowed.player(), allowed);
        let facts = self.competing(edges).map(|(mv, node)| (mv, node.visits(), node.mean()));
        Leaders::among(&facts.collect::<Vec<_>>())
    }
}

/// Whether the most visited move is not the one with the best mean (H11).
pub(crate) fn is_unstable(tree: &Tree, allowed: &RootMoves) -> bool {
    tree.leaders(allowed).is_some_and(|leaders| leaders.disagree())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(visits: u64, value: f32, proof: Option<Proof>) -> MoveReport<u8> {
        MoveReport {
            mv: 0,
            visits,
            value,
            prior: 0.0,
            rave_count: 0.0,
            rave_value: 0.0,
            depth: 1,
            width: 1,
            proof,
            pruned: false,
            line: vec![],
        }
    }

    fn chosen(moves: &[MoveReport<u8>], by: FinalMove, visit_weight: f32) -> Option<usize> {
        let params =
            SearchParams { final_by: by, final_visit_weight: visit_weight, ..Default::default() };
        choose(moves, &params, Some(Player::First))
    }

    #[test]
    fn visits_value_and_balance_differ() {
        let moves = [report(600, 0.50, None), report(300, 0.60, None), report(10, 0.99, None)];
        assert_eq!(chosen(&moves, FinalMove::Visits, 0.5), Some(0));
        assert_eq!(chosen(&moves, FinalMove::Value, 0.5), Some(1));
        // 0.9 * 0.5 + 0.1 * 0.659 = 0.516 against 0.9 * 0.6 + 0.1 * 0.330 = 0.573.
        assert_eq!(chosen(&moves, FinalMove::Balance, 0.1), Some(1));
        // 0.2 * 0.5 + 0.8 * 0.659 = 0.627 against 0.2 * 0.6 + 0.8 * 0.330 = 0.384.
        assert_eq!(chosen(&moves, FinalMove::Balance, 0.8), Some(0));
    }

    #[test]
    fn leaders_by_visits_and_by_value() {
        let leaders = |moves: &[(u16, u64, f32)]| {
            let found = Leaders::among(moves).unwrap();
            (found.most_visited, found.lead, found.best_valued)
        };
        assert_eq!(Leaders::among(&[]), None);
        assert_eq!(leaders(&[(4, 7, 0.1)]), (4, 7, 4));
        assert_eq!(leaders(&[(1, 100, 0.5), (2, 600, 0.6), (3, 250, 0.4)]), (2, 350, 2));
        assert_eq!(leaders(&[(1, 100, 0.7), (2, 600, 0.6), (3, 250, 0.4)]), (2, 350, 1));
        // Three wins of three say nothing against six hundred simulations.
        assert_eq!(leaders(&[(1, 3, 1.0), (2, 600, 0.6), (3, 250, 0.4)]), (2, 350, 2));
    }

    #[test]
    fn proofs_come_before_numbers() {
        let lost = Some(Proof::Win(Player::Second));
        let won = Some(Proof::Win(Player::First));
        let moves = [report(600, 0.9, lost), report(30, 0.2, None), report(1, 0.0, won)];
        assert_eq!(chosen(&moves, FinalMove::Visits, 0.5), Some(2));
        assert_eq!(chosen(&moves[..2], FinalMove::Visits, 0.5), Some(1));
        assert_eq!(chosen(&moves[..1], FinalMove::Visits, 0.5), Some(0));
        assert_eq!(chosen(&[], FinalMove::Visits, 0.5), None);
    }

    #[test]
    fn what_is_pruned_late_is_not_played() {
        let mut moves = [report(600, 0.9, None), report(30, 0.2, None)];
        moves[0].pruned = true;
        assert_eq!(chosen(&moves, FinalMove::Visits, 0.5), Some(1));
        // Better a move that knowledge thinks little of than one that loses.
        moves[1].proof = Some(Proof::Win(Player::Second));
        assert_eq!(chosen(&moves, FinalMove::Visits, 0.5), Some(0));
    }
}
