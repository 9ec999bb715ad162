//! From solved positions to a proof: asks the solver for winning answers, and searches again what
//! its table has lost.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kosumi_proof::{Limits, Position, Solver, Verdict};

use super::ProofError;
use super::board::Board;
use super::judge::Judge;
use super::proof::{CARRIER_STEPS, Proof, ProofNode};
use super::trial;
use crate::insight::Settled;
use crate::{CellSet, Colour};

/// Steps to see whether the threats of a node can be left for the checker to find.
const FEW_STEPS: u32 = CARRIER_STEPS / 10;

/// Solves the position and finds the winner's strategy.
pub(super) fn extract<const W: usize>(
    solver: &mut Solver,
    judge: &mut Judge<W>,
    board: &mut Board<W>,
    most_nodes: usize,
    limits: Limits<'_>,
) -> Result<Proof, ProofError> {
    let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    let stop = limits.stop;
    let to_move = board.to_move();
    let winner = match solver.solve(board, judge, limits) {
        Verdict::Won => to_move,
        Verdict::Lost => to_move.opponent(),
        Verdict::Open => return Err(ProofError::Interrupted),
    };
    let over = board.stones().winner().is_some();
    let mut extraction = Extraction {
        solver,
        judge,
        board,
        winner,
        stop,
        deadline,
        most_nodes,
        nodes: Vec::new(),
        filled: CellSet::EMPTY,
        known: HashMap::new(),
    };
    let (first, root) = if winner == to_move && !over {
        let (mv, node) = extraction.attack()?;
        (Some(mv), node)
    } else {
        (None, extraction.defend()?)
    };
    let nodes = finished(&extraction.nodes, root);
    let stones = Colour::BOTH
        .map(|colour| extraction.board.stones().of(colour).iter().map(|c| c as u16).collect());
    let size = extraction.board.stones().lattice().size;
    Ok(Proof { size, stones, to_move, winner, first, nodes })
}

/// A node under construction; its threats lead to earlier ones.
struct Draft<const W: usize> {
    carrier: CellSet<W>,
    content: Content,
}

enum Content {
    /// The carrier is plain enough to speak for itself.
    Carrier,
    Threats(Vec<(u16, u32)>),
    Filled(Vec<[u16; 2]>, u32),
}

struct Extraction<'a, const W: usize> {
    solver: &'a mut Solver,
    judge: &'a mut Judge<W>,
    board: &'a mut Board<W>,
    winner: Colour,
    stop: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
    most_nodes: usize,
    nodes: Vec<Draft<W>>,
    /// Empty cells that are as good as the winner's by pairs. The board, which the solver knows, has
    /// no stones there.
    filled: CellSet<W>,
    /// Nodes by the winner's stones: one serves wherever its carrier is free of the loser.
    known: HashMap<CellSet<W>, Vec<u32>>,
}

impl<const W: usize> Extraction<'_, W> {
    fn own(&self) -> CellSet<W> {
        self.board.stones().of(self.winner) | self.filled
    }

    fn free(&self) -> CellSet<W> {
        self.board.stones().empty() - self.filled
    }

    /// The loser is to move: what the winner has.
    fn defend(&mut self) -> Result<u32, ProofError> {
        if let Some(node) = self.known() {
            return Ok(node);
        }
        if let Some(Settled { carrier, winner, .. }) = self.judge.settled(self.board) {
            return if winner == self.winner {
                self.settle(carrier - self.filled)
            } else {
                Err(ProofError::Contradiction)
            };
        }
        let pairs = self.captured_pairs();
        if pairs.is_empty() {
            return self.threaten();
        }
        let before = self.filled;
        let cells: CellSet<W> = pairs.iter().flatten().map(|&cell| usize::from(cell)).collect();
        self.filled = before | cells;
        let node = match self.known() {
            Some(node) => Ok(node),
            None => self.threaten(),
        };
        self.filled = before;
        let node = node?;
        let carrier = self.nodes[node as usize].carrier | cells;
        self.add(Draft { carrier, content: Content::Filled(pairs, node) })
    }

    /// A node that serves here, if there is one.
    fn known(&mut self) -> Option<u32> {
        let free = self.free();
        let fits = |&&node: &&u32| self.nodes[node as usize].carrier.is_subset(&free);
        self.known.get(&self.own())?.iter().find(fits).copied()
    }

    /// The winner has won by a carrier, though the loser is to move.
    fn settle(&mut self, carrier: CellSet<W>) -> Result<u32, ProofError> {
        if let Some(carrier) = self.tried_out(carrier, CARRIER_STEPS) {
            return self.add(Draft { carrier, content: Content::Carrier });
        }
        // All else is the loser's, or the threats would wander over the whole board.
        let mut stones = *self.board.stones();
        stones.fill(self.winner, self.filled);
        stones.fill(self.winner.opponent(), self.free() - carrier);
        let whole = std::mem::replace(self.board, Board::new(stones, self.board.to_move()));
        let filled = std::mem::replace(&mut self.filled, CellSet::EMPTY);
        let node = self.threaten();
        self.filled = filled;
        *self.board = whole;
        node
    }

    fn captured_pairs(&self) -> Vec<[u16; 2]> {
        let free: Vec<usize> = self.free().iter().collect();
        let (checker, own) = self.for_checker();
        let pairs = trial::captured_pairs(&checker, own, &free);
        pairs.into_iter().map(|pair| pair.map(|cell| cell as u16)).collect()
    }

    fn for_checker(&self) -> (trial::Board, trial::Set) {
        let size = self.board.stones().lattice().size;
        (trial::Board { size, winner: self.winner }, trial::Set::of(self.own().iter()))
    }

    /// Collects threats until no cell is in all of them.
    fn threaten(&mut self) -> Result<u32, ProofError> {
        let mut threats = Vec::new();
        let mut region = self.free();
        // What connections say of most moves of the loser.
        let mut semis = self.judge.semis(self.board, self.winner);
        semis.sort_by_key(|(_, carrier)| carrier.len());
        for (key, carrier) in semis {
            if !self.filled.contains(key)
                && !region.is_subset(&carrier)
                && let Some(threat) = self.connect(key, carrier - self.filled)?
            {
                region &= self.carrier(threat);
                threats.push(threat);
            }
        }
        while let Some(reply) = self.reply(region, threats.last()) {
            self.board.play(reply as u16);
            let threat = self.attack();
            self.board.undo();
            let (mv, node) = threat?;
            if self.filled.contains(usize::from(mv)) {
                // He wins without a move, and what he has then he has here.
                return Ok(node);
            }
            threats.push((mv, node));
            region &= self.carrier((mv, node));
        }
        self.drop_idle(&mut threats);
        let carrier =
            threats.iter().fold(CellSet::EMPTY, |all, &threat| all | self.carrier(threat));
        match self.tried_out(carrier, FEW_STEPS) {
            Some(carrier) => self.add(Draft { carrier, content: Content::Carrier }),
            None => self.add(Draft { carrier, content: Content::Threats(threats) }),
        }
    }

    /// The threat of a semi connection, if the checker sees through what is left of it.
    fn connect(
        &mut self,
        key: usize,
        carrier: CellSet<W>,
    ) -> Result<Option<(u16, u32)>, ProofError> {
        self.board.pass();
        self.board.play(key as u16);
        let needed = self.tried_out(carrier.without(key), CARRIER_STEPS);
        let node = needed.map(|carrier| self.add(Draft { carrier, content: Content::Carrier }));
        self.board.undo();
        self.board.pass();
        Ok(node.transpose()?.map(|node| (key as u16, node)))
    }

    /// A move of the loser that all threats so far leave unanswered: if possible one that the
    /// solver has refuted on its own way, and of those the heart of the last threat, which most
    /// threats miss.
    fn reply(&self, region: CellSet<W>, last: Option<&(u16, u32)>) -> Option<usize> {
        let heart = last.map(|&(mv, _)| usize::from(mv)).filter(|&cell| region.contains(cell));
        let refuted =
            |&cell: &usize| self.solver.recall_after(&*self.board, cell as u16) == Verdict::Won;
        let by_solver = heart.into_iter().chain(region.iter()).find(refuted);
        by_solver.or(heart).or(region.first())
    }

    /// The cells of a carrier that are enough for the checker, if he needs no more than so many
    /// steps to see it.
    fn tried_out(&self, carrier: CellSet<W>, steps: u32) -> Option<CellSet<W>> {
        let (checker, own) = self.for_checker();
        let cells: Vec<usize> = carrier.iter().collect();
        let needed = trial::needed_cells(&checker, own, &cells, steps).ok()??;
        Some(needed.into_iter().collect())
    }

    /// A node for the present stones of the winner.
    fn add(&mut self, draft: Draft<W>) -> Result<u32, ProofError> {
        if self.nodes.len() >= self.most_nodes {
            return Err(ProofError::TooLarge(self.most_nodes));
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(ProofError::Interrupted);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(draft);
        self.known.entry(self.own()).or_default().push(node);
        Ok(node)
    }

    /// The winner is to move: his move and what he has after it.
    fn attack(&mut self) -> Result<(u16, u32), ProofError> {
        let mv = self.answer()?;
        self.board.play(mv);
        // A filled cell becomes a stone for the time being.
        let before = self.filled;
        self.filled.remove(usize::from(mv));
        let node = self.defend();
        self.filled = before;
        self.board.undo();
        Ok((mv, node?))
    }

    fn carrier(&self, (mv, node): (u16, u32)) -> CellSet<W> {
        self.nodes[node as usize].carrier.with(usize::from(mv))
    }

    /// Takes threats away that are not needed, the largest first.
    fn drop_idle(&self, threats: &mut Vec<(u16, u32)>) {
        threats.sort_by_key(|&threat| (self.carrier(threat).len(), threat));
        for index in (0..threats.len()).rev() {
            let others = threats.iter().enumerate().filter(|(other, _)| *other != index);
            let all = self.board.stones().lattice().all;
            let shared = others.fold(all, |shared, (_, &other)| shared & self.carrier(other));
            if shared.is_empty() {
                threats.remove(index);
            }
        }
    }

    /// A winning move of the colour to move, which is known to win.
    fn answer(&mut self) -> Result<u16, ProofError> {
        let left = limits(self.stop, self.deadline);
        if let Some(mv) = self.solver.answer(self.board, self.judge, left) {
            return Ok(mv);
        }
        // Won without a move, so even with the opponent to move: any cell that is needed will do.
        let settled = self.judge.settled(self.board);
        let needed = settled.map_or(CellSet::EMPTY, |settled| settled.carrier);
        let others = self.board.stones().empty() - needed;
        for cell in needed.iter().chain(others.iter()) {
            let left = limits(self.stop, self.deadline);
            self.board.play(cell as u16);
            let verdict = self.solver.solve(self.board, self.judge, left);
            self.board.undo();
            match verdict {
                Verdict::Lost => return Ok(cell as u16),
                Verdict::Won => (),
                Verdict::Open => return Err(ProofError::Interrupted),
            }
        }
        Err(ProofError::Contradiction)
    }
}

fn limits(stop: Option<&AtomicBool>, deadline: Option<Instant>) -> Limits<'_> {
    let left = |end: Instant| end.checked_duration_since(Instant::now()).unwrap_or(Duration::ZERO);
    Limits { stop, time: deadline.map(left), ..Limits::default() }
}

/// The nodes that the root leads to, parents first.
fn finished<const W: usize>(drafts: &[Draft<W>], root: u32) -> Vec<ProofNode> {
    let mut used = vec![false; drafts.len()];
    used[root as usize] = true;
    // Children are drafted before their parents, so one pass from the end sees all.
    for index in (0..drafts.len()).rev().filter(|&index| index <= root as usize) {
        if used[index] {
            match &drafts[index].content {
                Content::Carrier => (),
                Content::Threats(threats) => {
                    threats.iter().for_each(|&(_, child)| used[child as usize] = true);
                }
                Content::Filled(_, child) => used[*child as usize] = true,
            }
        }
    }
    let kept: Vec<usize> = (0..drafts.len()).rev().filter(|&index| used[index]).collect();
    let mut number = vec![0; drafts.len()];
    for (new, &old) in (0..).zip(&kept) {
        number[old] = new;
    }
    kept.iter()
        .map(|&index| match &drafts[index].content {
            Content::Carrier => {
                let carrier = drafts[index].carrier;
                ProofNode::Carrier(carrier.iter().map(|cell| cell as u16).collect())
            }
            Content::Threats(threats) => ProofNode::Threats(
                threats.iter().map(|&(mv, child)| (mv, number[child as usize])).collect(),
            ),
            Content::Filled(pairs, child) => {
                ProofNode::Filled(pairs.clone(), number[*child as usize])
            }
        })
        .collect()
}
