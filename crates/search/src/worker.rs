//! One thread of a search: select, expand, play out, back up, again and again (S1, S7).

use std::fmt;
use std::sync::Arc;

use crate::arena::{NONE, Reserve};
use crate::beside::{Beside, SLICE};
use crate::control::{Control, Next};
use crate::criticality::Criticality;
use crate::descent::Descent;
use crate::formula::{Candidate, Candidates, Formula, Parent};
use crate::node::{Edge, EdgePrior, Links, Node, ONE, Proof, to_fixed};
use crate::params::SearchParams;
use crate::rave::{FirstPlays, Simulated};
use crate::root_moves::RootMoves;
use crate::shape::ShapeTerms;
use crate::tree::{Full, NewEdge, Step, Tree};
use crate::widening::Widening;
use kosumi_game::{
    Context, Evaluation, Evaluator, Game, Knowledge, Move, Player, Playout, ProvenLine, Reward,
    Rng, Value, Verdict, VirtualGames,
};

/// Everything that the threads of one search share: what they do not change, the tree and the
/// [`Control`]. They borrow it: counting references would make them fight for a cache line.
pub(crate) struct Job<G: Game> {
    pub(crate) tree: Arc<Tree>,
    pub(crate) root: G,
    pub(crate) root_mover: Option<Player>,
    /// The tree's epoch: at another one it has another root.
    pub(crate) epoch: u64,
    pub(crate) params: SearchParams,
    pub(crate) formula: Formula,
    pub(crate) widening: Option<Widening>,
    pub(crate) criticality: Option<Criticality>,
    pub(crate) evaluation: Option<EvaluateAt<G>>,
    pub(crate) root_moves: RootMoves,
    /// Number of the first random stream of this search.
    pub(crate) first_stream: u64,
    pub(crate) control: Control,
    pub(crate) beside: Option<Arc<Beside<G>>>,
}

impl<G: Game> fmt::Debug for Job<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("control", &self.control).finish_non_exhaustive()
    }
}

/// Which evaluator is asked, and when.
pub struct EvaluateAt<G: Game> {
    /// What evaluates positions.
    pub evaluator: Arc<dyn Evaluator<G>>,
    /// Visits at which a node is evaluated; 0: when its moves are listed.
    pub visits: u64,
}

impl<G: Game> Clone for EvaluateAt<G> {
    fn clone(&self) -> Self {
        Self { evaluator: Arc::clone(&self.evaluator), visits: self.visits }
    }
}

impl<G: Game> fmt::Debug for EvaluateAt<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluateAt").field("visits", &self.visits).finish_non_exhaustive()
    }
}

/// What becomes of a descent.
enum Found {
    /// Its result.
    Reward(Reward),
    /// The position at its end has to be evaluated first.
    Waits,
}

/// One thread's memory, kept from search to search.
#[repr(align(128))]
pub(crate) struct Worker<G: Game, P, K: Knowledge<G>> {
    knowledge: Arc<K>,
    playout: P,
    scratch: K::Worker,
    pub(crate) reserve: Reserve,
    /// Descents that nobody uses. Boxed: positions may be large.
    pub(crate) free: Vec<Box<Descent<G>>>,
    /// Descents that wait for a batch of evaluations.
    waiting: Vec<Box<Descent<G>>>,
    evaluations: Vec<Evaluation>,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    new_edges: Vec<NewEdge>,
    verdict: Verdict,
    candidates: Candidates,
    first_plays: FirstPlays,
    pub(crate) proven_lines: Vec<ProvenLine<G::Move>>,
}

impl<G: Game, P: Playout<G>, K: Knowledge<G>> Worker<G, P, K> {
    pub(crate) fn new(knowledge: Arc<K>, playout: P) -> Self {
        let scratch = knowledge.worker();
        Self {
            knowledge,
            playout,
            scratch,
            reserve: Reserve::default(),
            free: Vec::new(),
            waiting: Vec::new(),
            evaluations: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            new_edges: Vec::new(),
            verdict: Verdict::new(),
            candidates: Candidates::default(),
            first_plays: FirstPlays::default(),
            proven_lines: Vec::new(),
        }
    }

    /// Simulates until the search ends. `number` is that of this thread.
    pub(crate) fn run(&mut self, job: &Job<G>, number: usize) {
        // The tree may have been recycled, cleared or compacted since this thread last ran.
        self.reserve = Reserve::default();
        // A search that panicked may have left some.
        self.waiting.clear();
        loop {
            match job.control.next(&job.tree, &job.params, &job.root_moves) {
                Next::Simulate(index) => {
                    self.simulate(job, number, index);
                    if let Some(beside) = &job.beside
                        && index % SLICE == SLICE - 1
                    {
                        self.ask_prover(job, beside, index);
                    }
                }
                Next::Recycle => {
                    // What waits knows places in the tree.
                    self.evaluate_waiting(job, number);
                    job.control.meet(&job.tree);
                    // What was reserved before lies where the tree has moved to.
                    self.reserve = Reserve::default();
                }
                Next::Stop => break,
            }
        }
        self.evaluate_waiting(job, number);
        job.control.leave(&job.tree);
    }

    /// One simulation: from the root to a result and back, or to where it waits for one.
    fn simulate(&mut self, job: &Job<G>, number: usize, index: u64) {
        let mut descent =
            self.free.pop().unwrap_or_else(|| Box::new(Descent::new(job.root.clone())));
        descent.begin(&job.tree, &job.root, job.root_mover);
        descent.rng = Rng::stream(job.params.seed, job.first_stream.wrapping_add(index));
        descent.use_rave = job.formula.uses_rave()
            && !(job.params.rave_ignore_every > 0
                && index.is_multiple_of(job.params.rave_ignore_every));
        loop {
            match self.descend(job, &mut descent, None) {
                Found::Reward(reward) => {
                    self.finish(job, number, descent, reward);
                    return;
                }
                // What another descent of this thread waits for is settled at once.
                Found::Waits
                    if self.waiting.iter().any(|d| d.last().node == descent.last().node) =>
                {
                    self.evaluate_waiting(job, number);
                }
                Found::Waits => {
                    self.waiting.push(descent);
                    if self.waiting.len() >= job.params.batch {
                        self.evaluate_waiting(job, number);
                    }
                    return;
                }
            }
        }
    }

    /// Evaluates the ends of all descents that wait, and finishes those simulations.
    fn evaluate_waiting(&mut self, job: &Job<G>, number: usize) {
        let (Some(evaluation), false) = (&job.evaluation, self.waiting.is_empty()) else { return };
        let mut evaluations = std::mem::take(&mut self.evaluations);
        evaluations.clear();
        if let [one] = self.waiting.as_slice() {
            evaluation.evaluator.evaluate(&[&one.position], &mut evaluations);
        } else {
            let positions: Vec<&G> = self.waiting.iter().map(|d| &d.position).collect();
            evaluation.evaluator.evaluate(&positions, &mut evaluations);
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        assert_eq!(evaluations.len(), waiting.len(), "an evaluator evaluates every position");
        for (mut descent, evaluation) in waiting.drain(..).zip(&evaluations) {
            match self.descend(job, &mut descent, Some(evaluation)) {
                Found::Reward(reward) => self.finish(job, number, descent, reward),
                Found::Waits => unreachable!("a descent ends where it was evaluated"),
            }
        }
        (self.waiting, self.evaluations) = (waiting, evaluations);
    }

    fn finish(&mut self, job: &Job<G>, number: usize, descent: Box<Descent<G>>, reward: Reward) {
        self.back_up(job, &descent, reward);
        job.control.count(number);
        self.free.push(descent);
    }

    /// Walks down to a node where the simulation's result is found, or to one that has to be
    /// evaluated; from there it goes on when it comes back with the evaluation.
    fn descend(
        &mut self,
        job: &Job<G>,
        descent: &mut Descent<G>,
        mut evaluation: Option<&Evaluation>,
    ) -> Found {
        let tree = &*job.tree;
        loop {
            let id = descent.last().node;
            let node = tree.node(id);
            if let Some(proof) = node.proof() {
                return Found::Reward(proof.reward());
            }
            let (links, is_new) = match node.links() {
                Some(links) => (links, false),
                None => {
                    if let Some(outcome) = descent.position.outcome() {
                        if let Some(proof) = Proof::from_reward(outcome) {
                            descent.proved = node.prove(proof, true);
                        }
                        return Found::Reward(outcome);
                    }
                    if node.visits() < job.params.expand_at && descent.path.len() > 1 {
                        return self.play_out(job, descent);
                    }
                    if evaluation.is_none() && evaluates(job, descent, 0) {
                        return Found::Waits;
                    }
                    let listed = self.expand(job, descent, node, evaluation.take());
                    match listed {
                        Ok(links) => (links, descent.last().made),
                        Err(Full) => {
                            job.control.request_recycling();
                            return self.play_out(job, descent);
                        }
                    }
                }
            };
            if !self.ask_late_knowledge(job, descent, node, links, evaluation.take()) {
                return Found::Waits;
            }
            let evaluated = self.verdict.estimate.take();
            if let Some(proof) = node.proof() {
                return Found::Reward(proof.reward());
            }
            // A simulation goes no further than where it has found something new.
            if evaluated.is_some() || is_new {
                descent.estimate = evaluated.or(descent.estimate);
                return self.play_out(job, descent);
            }
            if job.params.estimate_weight > 0.0
                && let (Some(value), Some(player)) = (node.value(), descent.last_turn())
            {
                descent.estimate = Some(reward_of(player, value));
            }
            let chosen = match descent.last_turn() {
                Some(_) => self.select(job, descent, node, links),
                None => draw_event(tree, descent, links),
            };
            // All moves closed and the proof not there yet: another thread is about to write it.
            let Some(place) = chosen else {
                return self.play_out(job, descent);
            };
            let edge = tree.edge(links, place);
            match tree.child(&mut self.reserve, edge) {
                Ok((child, made)) => {
                    tree.node(child).enter();
                    let mv = G::Move::from_index(usize::from(edge.mv()));
                    let mover = descent.last_turn();
                    if let Some(player) = mover {
                        descent.trace.push(player, mv.index());
                    }
                    descent.go_on(Step { node: child, edge: place, mover, made }, mv);
                }
                Err(Full) => {
                    job.control.request_recycling();
                    return self.play_out(job, descent);
                }
            }
        }
    }

    /// The result of a playout, of the last evaluation on the path, or of both.
    fn play_out(&mut self, job: &Job<G>, descent: &mut Descent<G>) -> Found {
        let weight = job.params.estimate_weight;
        let Descent { position, rng, trace, estimate, .. } = descent;
        Found::Reward(match *estimate {
            Some(estimate) if weight >= 1.0 => estimate,
            Some(estimate) => self.playout.run(position, rng, trace).mixed(estimate, weight),
            None => self.playout.run(position, rng, trace),
        })
    }

    /// The edge with the best score among the admitted ones.
    fn select(
        &mut self,
        job: &Job<G>,
        descent: &Descent<G>,
        node: Node<'_>,
        links: Links,
    ) -> Option<u16> {
        let tree = &*job.tree;
        let visits = node.visits();
        let count = usize::from(links.count);
        let admitted = job.widening.as_ref().map_or(count, |w| w.admitted(visits, count));
        let shape = &job.formula.shape;
        let parent_ratio = if shape.is_active() {
            let own = node.shape();
            Some(shape.plain_ratio(own.depth as f32, own.width as f32))
        } else {
            None
        };
        let gather = Gather { tree, params: &job.params, shape, parent_ratio };
        let level = descent.path.len() - 1;
        let candidates = &mut self.candidates;
        candidates.clear(admitted);
        let order = node.order();
        if level < job.root_moves.levels() {
            let player = descent.last_turn().unwrap_or(Player::First);
            let places = (0..links.count).map(|place| match order {
                NONE => place,
                order => tree.order_at(order, place),
            });
            let allowed =
                places.filter(|&p| job.root_moves.allows(level, player, tree.edge(links, p).mv()));
            for place in allowed {
                gather.consider(candidates, place, tree.edge(links, place));
                if candidates.len() == admitted {
                    break;
                }
            }
            if level == 0 {
                job.root_moves.add_noise(candidates);
            }
        } else if order == NONE {
            for (place, edge) in (0..).zip(tree.edges(links)) {
                gather.consider(candidates, place, edge);
                if candidates.len() == admitted {
                    break;
                }
            }
        } else {
            for place in tree.order(order, links.count) {
                gather.consider(candidates, place, tree.edge(links, place));
                if candidates.len() == admitted {
                    break;
                }
            }
        }
        let value = if job.params.fpu_by_parent { value_of_last(descent, node) } else { 0.5 };
        let use_rave = descent.use_rave;
        job.formula.score(&mut self.candidates, Parent { visits, value, level, use_rave });
        if let Some(criticality) = &job.criticality {
            self.candidates.add_by_move(|mv, visits| criticality.bonus(mv, visits));
        }
        self.candidates.best_edge()
    }

    /// Lists the legal moves of a leaf with their priors, best first.
    fn expand(
        &mut self,
        job: &Job<G>,
        descent: &mut Descent<G>,
        node: Node<'_>,
        evaluation: Option<&Evaluation>,
    ) -> Result<Links, Full> {
        self.moves.clear();
        descent.position.legal_moves(&mut self.moves);
        self.verdict.clear();
        let at_once = self.knowledge.thresholds().first() == Some(&0);
        let player = descent.last_turn();
        if at_once && player.is_some() {
            let value = parent_value(&job.tree, descent);
            let context = Context::new(0, &self.moves).with_node(&[], &descent.line, value);
            self.knowledge.assess(
                &mut self.scratch,
                &descent.position,
                &context,
                &mut self.verdict,
            );
        }
        if at_once {
            node.take_stage(0);
        }
        if let (Some(evaluation), Some(player)) = (evaluation, player) {
            node.take_evaluation();
            take_up(evaluation, player, node, &self.moves, &mut self.verdict);
        }
        let uniform = 1.0 / self.moves.len() as f32;
        self.new_edges.clear();
        for (place, mv) in self.moves.iter().enumerate() {
            let prior = edge_prior(&self.verdict, place, uniform);
            self.new_edges.push(NewEdge { mv: mv.index() as u16, prior, pruned: false });
        }
        for &place in &self.verdict.pruned {
            self.new_edges[usize::from(place)].pruned = true;
        }
        // Best first, so that widening admits a prefix; ties go to the lower move index.
        self.new_edges.sort_by(|a, b| {
            b.prior.probability.total_cmp(&a.prior.probability).then(a.mv.cmp(&b.mv))
        });
        let links = job.tree.expand(&mut self.reserve, descent.last().node, &self.new_edges)?;
        if let Some(winner) = self.verdict.winner {
            descent.proved |= node.prove(Proof::Win(winner), true);
        }
        Ok(links)
    }

    /// Asks the evaluator, or the knowledge stage whose threshold the node has reached, if nobody
    /// else does. False: the evaluation is not there yet.
    fn ask_late_knowledge(
        &mut self,
        job: &Job<G>,
        descent: &mut Descent<G>,
        node: Node<'_>,
        links: Links,
        evaluation: Option<&Evaluation>,
    ) -> bool {
        let visits = node.visits();
        let thresholds = self.knowledge.thresholds();
        let stage = node.stage();
        let due = stage < thresholds.len() && visits >= thresholds[stage];
        if evaluation.is_none() {
            if !node.is_evaluated() && evaluates(job, descent, visits) && node.take_evaluation() {
                return false;
            }
            if !due {
                return true;
            }
        }
        let Some(player) = descent.last_turn() else {
            return true;
        };
        if evaluation.is_none() && !node.take_stage(stage) {
            return true;
        }
        let tree = &*job.tree;
        self.moves.clear();
        self.priors.clear();
        for edge in tree.edges(links) {
            self.moves.push(G::Move::from_index(usize::from(edge.mv())));
            self.priors.push(edge.child_and_prior().1);
        }
        self.verdict.clear();
        if let Some(evaluation) = evaluation {
            // What is closed already gets no share of the priors.
            let closed = (0..).zip(tree.edges(links)).filter(|(_, edge)| edge.facts().is_closed());
            self.verdict.pruned.extend(closed.map(|(place, _): (u16, _)| place));
            take_up(evaluation, player, node, &self.moves, &mut self.verdict);
            self.verdict.pruned.clear();
        } else {
            let value = parent_value(tree, descent);
            let context =
                Context::new(stage, &self.moves).with_node(&self.priors, &descent.line, value);
            self.knowledge.assess(
                &mut self.scratch,
                &descent.position,
                &context,
                &mut self.verdict,
            );
            if let Some(estimate) = self.verdict.estimate {
                node.set_value(estimate.value_for(player));
            }
        }
        if let Some(winner) = self.verdict.winner {
            descent.proved |= node.prove(Proof::Win(winner), true);
        }
        if !self.verdict.priors.is_empty() || !self.verdict.virtual_games.is_empty() {
            let uniform = 1.0 / self.moves.len() as f32;
            for (place, edge) in tree.edges(links).enumerate() {
                edge.set_prior(edge_prior(&self.verdict, place, uniform));
            }
        }
        if job.widening.is_some() && !self.verdict.priors.is_empty() {
            let priors = &self.verdict.priors;
            let mut order: Vec<u16> = (0..links.count).collect();
            let key = |place: u16| (priors[usize::from(place)], tree.edge(links, place).mv());
            order.sort_by(|&a, &b| {
                let (a, b) = (key(a), key(b));
                b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
            });
            if tree.replace_order(&mut self.reserve, descent.last().node, &order).is_err() {
                job.control.request_recycling();
            }
        }
        for &place in &self.verdict.pruned {
            let all_closed = tree.close_edge(node, links, place);
            if all_closed && self.verdict.winner.is_none() {
                descent.proved |= node.prove(tree.best_closed(links, player), false);
            }
        }
        true
    }

    fn back_up(&mut self, job: &Job<G>, descent: &Descent<G>, reward: Reward) {
        let for_first = to_fixed(reward.value_for(Player::First));
        let Descent { path, plies, trace, position, .. } = descent;
        job.tree.backup(path, [for_first, ONE - for_first]);
        if job.formula.uses_rave() {
            let simulated = Simulated { path, plies, trace, reward };
            let fade = job.params.rave_fade;
            self.first_plays.update(&job.tree, simulated, position.move_space(), fade);
        }
        if let Some(criticality) = &job.criticality {
            criticality.add(trace, reward);
        }
        if descent.proved {
            job.tree.propagate_proof(path);
        }
    }
}

/// Whether the position at the end of a descent is to be evaluated after so many visits.
fn evaluates<G: Game>(job: &Job<G>, descent: &Descent<G>, visits: u64) -> bool {
    job.evaluation.as_ref().is_some_and(|evaluation| {
        visits >= evaluation.visits
            && descent.last_turn().is_some()
            && evaluation.evaluator.key(&descent.position).is_some()
    })
}

/// What an evaluation says goes into the node and, as priors of the moves that are not pruned and as
/// an estimate, into the verdict.
fn take_up<M: Move>(
    evaluation: &Evaluation,
    player: Player,
    node: Node<'_>,
    moves: &[M],
    verdict: &mut Verdict,
) {
    let estimate = evaluation.reward(player);
    node.set_value(estimate.value_for(player));
    verdict.estimate = Some(estimate);
    verdict.priors.clear();
    evaluation.push_strengths(moves, &mut verdict.priors);
    verdict.share_out_priors();
}

fn reward_of(player: Player, value: Value) -> Reward {
    match player {
        Player::First => Reward::new(value.get()),
        Player::Second => Reward::new(1.0 - value.get()),
    }
}

/// What the evaluation of the parent says of the last node, for the player to move there.
fn parent_value<G: Game>(tree: &Tree, descent: &Descent<G>) -> Option<Value> {
    let above = descent.path.len().checked_sub(2)?;
    let value = tree.node(descent.path[above].node).value()?;
    let same = descent.plies[above].1 == descent.last_turn();
    Some(if same { value } else { Value::new(1.0 - value.get()) })
}

/// What the last node of the path is worth so far to the player to move there.
fn value_of_last<G: Game>(descent: &Descent<G>, node: Node<'_>) -> f32 {
    let mover = descent.last().mover.unwrap_or(Player::First);
    let mean = node.mean();
    if descent.last_turn() == Some(mover) { mean } else { 1.0 - mean }
}

/// The edge of an event that chance draws.
fn draw_event<G: Game>(tree: &Tree, descent: &mut Descent<G>, links: Links) -> Option<u16> {
    let event = descent.position.sample_chance(&mut descent.rng).index();
    (0..links.count).find(|&place| usize::from(tree.edge(links, place).mv()) == event)
}

/// How edges become candidates.
#[derive(Clone, Copy)]
struct Gather<'a> {
    tree: &'a Tree,
    params: &'a SearchParams,
    shape: &'a ShapeTerms,
    /// The plain shape ratio of the parent, if shapes count.
    parent_ratio: Option<f32>,
}

impl Gather<'_> {
    /// Adds an edge's statistics, unless its move is closed.
    #[inline(always)] // Measured: as a call it costs a search a sixth of its speed.
    fn consider(self, candidates: &mut Candidates, place: u16, edge: Edge<'_>) {
        let facts = edge.facts();
        if facts.is_closed() {
            return;
        }
        let (child, prior) = edge.child_and_prior();
        let (rave_count, rave_wins) = edge.rave();
        let mut candidate = Candidate {
            edge: place,
            mv: facts.mv(),
            visits: facts.virtual_count(),
            wins: facts.virtual_count() * facts.virtual_value(),
            rave_count,
            rave_wins,
            prior,
            ratio: 0.0,
        };
        if child != NONE {
            let node = self.tree.node(child);
            let visits = node.visits() as i64 as f32;
            let wins = node.sum() as i64 as f32 * (1.0 / ONE as f32);
            // A sum may be there before its visit.
            candidate.wins += wins.min(visits);
            candidate.visits += visits + node.in_flight() as i32 as f32 * self.params.virtual_loss;
            if let Some(parent_ratio) = self.parent_ratio {
                let shape = node.shape();
                candidate.ratio =
                    self.shape.ratio(shape.depth as f32, shape.width as f32, parent_ratio);
            }
        }
        candidates.push(candidate);
    }
}

fn edge_prior(verdict: &Verdict, place: usize, uniform: f32) -> EdgePrior {
    let games = verdict.virtual_games.get(place).copied();
    let games = games.unwrap_or(VirtualGames { count: 0.0, value: Value::new(0.5) });
    EdgePrior {
        probability: verdict.priors.get(place).copied().unwrap_or(uniform),
        virtual_count: games.count,
        virtual_value: games.value.get(),
    }
}
