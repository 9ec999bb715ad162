//! One thread of a search: select, expand, play out, back up, again and again (S1, S7).

use std::sync::Arc;

use crate::arena::{LineId, NONE, Reserve};
use crate::beside::{Beside, SLICE};
use crate::control::{Control, Next};
use crate::criticality::Criticality;
use crate::formula::{Candidate, Candidates, Formula, Parent};
use crate::node::{Edge, EdgePrior, Links, Node, ONE, Proof, to_fixed};
use crate::params::SearchParams;
use crate::rave::{FirstPlays, Simulated};
use crate::shape::ShapeTerms;
use crate::tree::{Full, NewEdge, Step, Tree};
use crate::widening::Widening;
use kosumi_game::{
    Context, Game, Knowledge, Move, Player, Playout, ProvenLine, Reward, Rng, Trace, Turn, Value,
    Verdict, VirtualGames,
};

/// Everything that the threads of one search share: what they do not change, the tree and the
/// [`Control`]. They borrow it: counting references would make them fight for a cache line.
#[derive(Debug)]
pub(crate) struct Job<G: Game> {
    pub(crate) tree: Arc<Tree>,
    pub(crate) root: G,
    pub(crate) root_mover: Option<Player>,
    pub(crate) params: SearchParams,
    pub(crate) formula: Formula,
    pub(crate) widening: Option<Widening>,
    pub(crate) criticality: Option<Criticality>,
    /// Number of the first random stream of this search.
    pub(crate) first_stream: u64,
    pub(crate) control: Control,
    pub(crate) beside: Option<Arc<Beside<G>>>,
}

/// One thread's memory, kept from search to search.
#[repr(align(128))]
pub(crate) struct Worker<G: Game, P, K: Knowledge<G>> {
    knowledge: Arc<K>,
    playout: P,
    scratch: K::Worker,
    pub(crate) reserve: Reserve,
    pub(crate) position: G,
    pub(crate) path: Vec<Step>,
    /// For every step of the path: length of the trace there, and who moves.
    plies: Vec<(usize, Option<Player>)>,
    trace: Trace,
    moves: Vec<G::Move>,
    new_edges: Vec<NewEdge>,
    verdict: Verdict,
    candidates: Candidates,
    first_plays: FirstPlays,
    pub(crate) proven_lines: Vec<ProvenLine<G::Move>>,
    /// The last node of the path was proven by this simulation.
    proved: bool,
    /// How the game ends by the last evaluation on the path.
    estimate: Option<Reward>,
}

impl<G: Game, P: Playout<G>, K: Knowledge<G>> Worker<G, P, K> {
    pub(crate) fn new(knowledge: Arc<K>, playout: P, position: G) -> Self {
        let scratch = knowledge.worker();
        Self {
            knowledge,
            playout,
            scratch,
            reserve: Reserve::default(),
            position,
            path: Vec::new(),
            plies: Vec::new(),
            trace: Trace::new(),
            moves: Vec::new(),
            new_edges: Vec::new(),
            verdict: Verdict::new(),
            candidates: Candidates::default(),
            first_plays: FirstPlays::default(),
            proven_lines: Vec::new(),
            proved: false,
            estimate: None,
        }
    }

    /// Simulates until the search ends.
    pub(crate) fn run(&mut self, job: &Job<G>) {
        // The tree may have been recycled, cleared or compacted since this thread last ran.
        self.reserve = Reserve::default();
        loop {
            match job.control.next(&job.tree, &job.params) {
                Next::Simulate(index) => {
                    self.simulate(job, index);
                    if let Some(beside) = &job.beside
                        && index % SLICE == SLICE - 1
                    {
                        self.ask_prover(job, beside, index);
                    }
                }
                Next::Recycle => {
                    job.control.meet(&job.tree);
                    // What was reserved before lies where the tree has moved to.
                    self.reserve = Reserve::default();
                }
                Next::Stop => break,
            }
        }
        job.control.leave(&job.tree);
    }

    /// One simulation, from the root to a result and back.
    fn simulate(&mut self, job: &Job<G>, index: u64) {
        let mut rng = Rng::stream(job.params.seed, job.first_stream.wrapping_add(index));
        self.position.clone_from(&job.root);
        self.trace.clear();
        self.path.clear();
        self.plies.clear();
        self.proved = false;
        self.estimate = None;
        let root = Step { node: job.tree.root(), edge: 0, mover: job.root_mover, made: false };
        self.path.push(root);
        let use_rave = job.formula.uses_rave()
            && !(job.params.rave_ignore_every > 0
                && index.is_multiple_of(job.params.rave_ignore_every));
        let reward = self.descend(job, use_rave, &mut rng);
        self.back_up(job, reward);
    }

    /// Walks down to a node where the simulation's result is found.
    fn descend(&mut self, job: &Job<G>, use_rave: bool, rng: &mut Rng) -> Reward {
        let tree = &*job.tree;
        loop {
            let id = self.path[self.path.len() - 1].node;
            let node = tree.node(id);
            let turn = self.position.turn();
            self.plies.push((self.trace.len(), turn.player()));
            if let Some(proof) = node.proof() {
                return proof.reward();
            }
            let (links, is_new) = match node.links() {
                Some(links) => (links, false),
                None => {
                    if let Some(outcome) = self.position.outcome() {
                        if let Some(proof) = Proof::from_reward(outcome) {
                            self.proved = node.prove(proof, true);
                        }
                        return outcome;
                    }
                    if node.visits() < job.params.expand_at && self.path.len() > 1 {
                        return self.play_out(job, rng);
                    }
                    match self.expand(tree, id, node) {
                        Ok(links) => (links, self.path[self.path.len() - 1].made),
                        Err(Full) => {
                            job.control.request_recycling();
                            return self.play_out(job, rng);
                        }
                    }
                }
            };
            self.ask_late_knowledge(job, id, node, links);
            let evaluated = self.verdict.estimate.take();
            if let Some(proof) = node.proof() {
                return proof.reward();
            }
            // A simulation goes no further than where it has found something new.
            if evaluated.is_some() || is_new {
                self.estimate = evaluated.or(self.estimate);
                return self.play_out(job, rng);
            }
            if self.knowledge.remembers(node.stage()) {
                let estimate = self.knowledge.recall(&mut self.scratch, &mut self.position);
                self.estimate = estimate.or(self.estimate);
            }
            let chosen = match turn {
                Turn::Player(_) => self.select(job, node, links, use_rave),
                _ => self.draw_event(tree, links, rng),
            };
            // All moves closed and the proof not there yet: another thread is about to write it.
            let Some(place) = chosen else {
                return self.play_out(job, rng);
            };
            let edge = tree.edge(links, place);
            match tree.child(&mut self.reserve, edge) {
                Ok((child, made)) => {
                    tree.node(child).enter();
                    let mv = G::Move::from_index(usize::from(edge.mv()));
                    if let Some(player) = turn.player() {
                        self.trace.push(player, mv.index());
                    }
                    self.position.play(mv);
                    self.path.push(Step { node: child, edge: place, mover: turn.player(), made });
                }
                Err(Full) => {
                    job.control.request_recycling();
                    return self.play_out(job, rng);
                }
            }
        }
    }

    /// The result of a playout, of the last evaluation on the path, or of both.
    fn play_out(&mut self, job: &Job<G>, rng: &mut Rng) -> Reward {
        let weight = job.params.estimate_weight;
        match self.estimate {
            Some(estimate) if weight >= 1.0 => estimate,
            Some(estimate) => {
                let reward = self.playout.run(&self.position, rng, &mut self.trace);
                reward.mixed(estimate, weight)
            }
            None => self.playout.run(&self.position, rng, &mut self.trace),
        }
    }

    /// The edge with the best score among the admitted ones.
    fn select(
        &mut self,
        job: &Job<G>,
        node: Node<'_>,
        links: Links,
        use_rave: bool,
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
        let candidates = &mut self.candidates;
        candidates.clear(admitted);
        let order = node.order();
        if order == NONE {
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
        let level = self.path.len() - 1;
        let value = if job.params.fpu_by_parent { self.value_of_last(node) } else { 0.5 };
        job.formula.score(&mut self.candidates, Parent { visits, value, level, use_rave });
        if let Some(criticality) = &job.criticality {
            self.candidates.add_by_move(|mv, visits| criticality.bonus(mv, visits));
        }
        self.candidates.best_edge()
    }

    /// What the last node of the path is worth so far to the player to move there.
    fn value_of_last(&self, node: Node<'_>) -> f32 {
        let mover = self.path[self.path.len() - 1].mover.unwrap_or(Player::First);
        let mean = node.mean();
        if self.position.turn().player() == Some(mover) { mean } else { 1.0 - mean }
    }

    /// The edge of an event that chance draws.
    fn draw_event(&mut self, tree: &Tree, links: Links, rng: &mut Rng) -> Option<u16> {
        let event = self.position.sample_chance(rng).index();
        (0..links.count).find(|&place| usize::from(tree.edge(links, place).mv()) == event)
    }

    /// Lists the legal moves of a leaf with their priors, best first.
    fn expand(&mut self, tree: &Tree, id: LineId, node: Node<'_>) -> Result<Links, Full> {
        self.moves.clear();
        self.position.legal_moves(&mut self.moves);
        self.verdict.clear();
        let at_once = self.knowledge.thresholds().first() == Some(&0);
        if at_once && self.position.turn().player().is_some() {
            let context = Context::new(0, &self.moves);
            self.knowledge.assess(&mut self.scratch, &self.position, &context, &mut self.verdict);
        }
        if at_once {
            node.take_stage(0);
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
        let links = tree.expand(&mut self.reserve, id, &self.new_edges)?;
        if let Some(winner) = self.verdict.winner {
            self.proved |= node.prove(Proof::Win(winner), true);
        }
        Ok(links)
    }

    /// Runs the knowledge stage whose threshold the node has reached, if nobody else does.
    fn ask_late_knowledge(&mut self, job: &Job<G>, id: LineId, node: Node<'_>, links: Links) {
        let thresholds = self.knowledge.thresholds();
        let stage = node.stage();
        if stage >= thresholds.len() || node.visits() < thresholds[stage] {
            return;
        }
        let Some(player) = self.position.turn().player() else {
            return;
        };
        if !node.take_stage(stage) {
            return;
        }
        let tree = &*job.tree;
        self.moves.clear();
        self.moves
            .extend(tree.edges(links).map(|edge| G::Move::from_index(usize::from(edge.mv()))));
        self.verdict.clear();
        let context = Context::new(stage, &self.moves);
        self.knowledge.assess(&mut self.scratch, &self.position, &context, &mut self.verdict);
        if let Some(winner) = self.verdict.winner {
            self.proved |= node.prove(Proof::Win(winner), true);
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
            if tree.replace_order(&mut self.reserve, id, &order).is_err() {
                job.control.request_recycling();
            }
        }
        for &place in &self.verdict.pruned {
            let all_closed = tree.close_edge(node, links, place);
            if all_closed && self.verdict.winner.is_none() {
                self.proved |= node.prove(tree.best_closed(links, player), false);
            }
        }
    }

    fn back_up(&mut self, job: &Job<G>, reward: Reward) {
        let for_first = to_fixed(reward.value_for(Player::First));
        job.tree.backup(&self.path, [for_first, ONE - for_first]);
        if job.formula.uses_rave() {
            let Self { path, plies, trace, position, first_plays, .. } = self;
            let simulated = Simulated { path, plies, trace, reward };
            let fade = job.params.rave_fade;
            first_plays.update(&job.tree, simulated, position.move_space(), fade);
        }
        if let Some(criticality) = &job.criticality {
            criticality.add(&self.trace, reward);
        }
        if self.proved {
            job.tree.propagate_proof(&self.path);
        }
    }
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
