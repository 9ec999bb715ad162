//! All that a player of Hex knows about the moves of a node: priors from patterns when its moves
//! are listed (H9); the evaluation of a net soon after; inferior cells, virtual connections and the
//! circuit when it has become important (H3 to H5).

use std::sync::{Arc, PoisonError, RwLock};

use kosumi_game::math::{exp, ln, logistic};
use kosumi_game::{Context, Game, Knowledge, Player, Reward, Verdict};
use kosumi_net::Scratch;

use crate::insight::{Currents, HexAnalysis, HexAnalyst, Outlook};
use crate::memories::Memories;
use crate::net::{HexEvaluation, HexNet};
use crate::patterns::HexPriors;
use crate::{CellSet, Hex, HexMove};

/// How nodes that have become important are studied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexStudy {
    /// What is looked for.
    pub analysis: HexAnalysis,
    /// Visits at which a node is analysed.
    pub at: u64,
    /// The power of the current through a cell in the priors of an analysed node, beside its
    /// patterns (H4); 0: patterns alone.
    pub current: f32,
    /// Whether playouts below it begin with what it has filled in.
    pub fill_in: bool,
    /// Whether the circuit's evaluation is told to the search, where there is no net.
    pub estimate: bool,
}

/// When and by which net nodes are judged.
#[derive(Clone, Debug)]
pub struct HexJudging {
    /// The net.
    pub net: Arc<HexNet>,
    /// Visits at which a node is judged; 0: when its moves are listed.
    pub at: u64,
}

/// A stage of knowledge.
#[derive(Clone, Debug)]
enum Stage {
    Priors(HexPriors),
    /// With patterns that tell inferior moves, and all moves' strengths where the net is silent.
    Net(Option<HexPriors>),
    Study(HexStudy),
}

/// Added to all shares of the current, so that no move's is nothing.
const LEAST_CURRENT: f32 = 0.01;

/// The logit of winning rises so much with the circuit's advantage, and by so much with
/// the right to move. Guessed, and then compared with fits to games on 11x11 (docs/results/hex.md).
const SLOPE: f32 = 1.5;
const TEMPO: f32 = 0.6;

/// The value logit of who is to move, by the advantage on the circuit.
fn logit_by_circuit(advantage: f32) -> f32 {
    SLOPE * advantage + TEMPO
}

/// How the game ends for the player to move, by the logit of winning.
fn estimate(player: Player, value_logit: f32) -> Reward {
    Reward::win(player.opponent()).mixed(Reward::win(player), logistic(value_logit))
}

/// What the search is told again whenever it passes a node that was studied.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// What is filled in, for playouts below.
    filled: [CellSet<6>; 2],
    /// How the game ends by the net or the circuit.
    estimate: Option<Reward>,
}

/// So many positions are remembered twice over, some 60 MB.
const REMEMBERED: usize = 1 << 18;

/// So many evaluations of the net are remembered twice over: some 40 MB on 11x11, 100 MB on 19x19.
const CACHED: usize = 1 << 15;

/// A net and its evaluations: where moves have been exchanged, on 11x11 in a quarter of all nodes, it
/// is not asked again.
#[derive(Debug)]
struct CachedNet {
    net: Arc<HexNet>,
    /// The evaluations of all threads, by [`HexNet::key`].
    cache: RwLock<Memories<Arc<HexEvaluation>>>,
}

impl CachedNet {
    fn evaluate(&self, scratch: &mut Scratch, position: &Hex) -> Arc<HexEvaluation> {
        let key = HexNet::key(position);
        let cached = self.cache.read().unwrap_or_else(PoisonError::into_inner).peek(key);
        cached.unwrap_or_else(|| {
            let evaluation = Arc::new(self.net.evaluate(scratch, position));
            let mut cache = self.cache.write().unwrap_or_else(PoisonError::into_inner);
            cache.insert(key, Arc::clone(&evaluation));
            evaluation
        })
    }
}

/// The knowledge of a player, in stages.
#[derive(Clone, Debug, Default)]
pub struct HexKnowledge {
    stages: Vec<Stage>,
    thresholds: Vec<u64>,
    net: Option<Arc<CachedNet>>,
    /// The first stage that has something to tell again.
    first_remembered: usize,
    /// What all threads have found; `None` if nothing is to be told again.
    memories: Option<Arc<RwLock<Memories<Memory>>>>,
}

impl HexKnowledge {
    /// With these priors, judged by this net, and with this study of important nodes, if any.
    #[must_use]
    pub fn new(
        priors: Option<HexPriors>,
        judging: Option<HexJudging>,
        study: Option<HexStudy>,
    ) -> Self {
        let mut stages: Vec<(u64, Stage)> = Vec::new();
        let remembers = judging.is_some() || study.is_some_and(|s| s.fill_in || s.estimate);
        match &judging {
            Some(HexJudging { at: 0, .. }) => stages.push((0, Stage::Net(priors))),
            judging => {
                stages.extend(priors.map(|priors| (0, Stage::Priors(priors))));
                stages.extend(judging.iter().map(|judging| (judging.at, Stage::Net(None))));
            }
        }
        stages.extend(study.map(|study| (study.at, Stage::Study(study))));
        stages.sort_by_key(|(at, _)| *at);
        let first_remembered =
            stages.iter().position(|(_, stage)| !matches!(stage, Stage::Priors(_))).unwrap_or(0);
        let (thresholds, stages) = stages.into_iter().unzip();
        let net = judging.map(|judging| {
            Arc::new(CachedNet { net: judging.net, cache: RwLock::new(Memories::new(CACHED)) })
        });
        let memories = remembers.then(|| Arc::new(RwLock::new(Memories::new(REMEMBERED))));
        Self { stages, thresholds, net, first_remembered, memories }
    }

    /// The net's evaluation. None while the swap may come: the net has never seen one.
    fn evaluate(&self, worker: &mut HexWorker, position: &Hex) -> Option<Arc<HexEvaluation>> {
        let net = self.net.as_ref().filter(|_| !position.swap_may_come())?;
        Some(net.evaluate(&mut worker.scratch, position))
    }

    /// Priors by the net's policy; its value is told and remembered.
    fn weigh_by_net(
        &self,
        patterns: Option<&HexPriors>,
        worker: &mut HexWorker,
        position: &Hex,
        context: &Context<'_, Hex>,
        verdict: &mut Verdict,
    ) {
        if let Some(patterns) = patterns {
            patterns.assess(position, context, verdict);
        }
        let Some(evaluation) = self.evaluate(worker, position) else { return };
        let me = position.player_of(position.colour_to_move());
        let known = self.known(worker, position.state_hash()).unwrap_or_default();
        verdict.estimate = Some(estimate(me, evaluation.value_logit));
        self.keep(worker, position, Memory { estimate: verdict.estimate, ..known });
        verdict.priors.clear();
        push_strengths(&evaluation.policy, context.moves, &mut verdict.priors);
        share_out(verdict);
    }

    /// The position by inferior cells and connections: its winner or what is left of its moves, with
    /// new priors where the current counts. Tells what is to be remembered.
    fn analyse(
        &self,
        study: &HexStudy,
        worker: &mut HexWorker,
        position: &Hex,
        context: &Context<'_, Hex>,
        verdict: &mut Verdict,
    ) -> Option<Memory> {
        let outlook = worker.look(position, study.analysis)?;
        let mut memory = Memory::default();
        if self.net.is_some() {
            memory = self.known(worker, position.state_hash()).unwrap_or_default();
        }
        if study.fill_in {
            memory.filled = outlook.filled;
        }
        verdict.winner = outlook.winner.map(|colour| position.player_of(colour));
        let by_circuit = study.estimate && self.net.is_none();
        if (study.current > 0.0 || by_circuit)
            && let Some(currents) = worker.currents()
        {
            if study.current > 0.0 {
                self.weigh(study.current, &currents, worker, position, context, verdict);
            }
            if by_circuit {
                let me = position.player_of(position.colour_to_move());
                verdict.estimate = Some(estimate(me, logit_by_circuit(currents.advantage)));
                memory.estimate = verdict.estimate;
            }
        }
        let left_out = |mv: usize| !outlook.moves.contains(mv);
        let places = (0u16..).zip(context.moves).filter(|(_, mv)| left_out(mv.0.into()));
        verdict.pruned.extend(places.map(|(place, _)| place));
        share_out(verdict);
        Some(memory)
    }

    /// Strengths of moves by net or patterns, and by current.
    fn weigh(
        &self,
        power: f32,
        currents: &Currents,
        worker: &mut HexWorker,
        position: &Hex,
        context: &Context<'_, Hex>,
        verdict: &mut Verdict,
    ) {
        if let Some(evaluation) = self.evaluate(worker, position) {
            push_strengths(&evaluation.policy, context.moves, &mut verdict.priors);
        } else if let Some(Stage::Priors(priors)) = self.stages.first() {
            priors.assess(position, context, verdict);
            verdict.pruned.clear();
        }
        verdict.priors.resize(context.moves.len(), 1.0);
        for (prior, mv) in verdict.priors.iter_mut().zip(context.moves) {
            let share = currents.shares[usize::from(mv.0)] + LEAST_CURRENT;
            *prior *= exp(power * ln(share.into()) as f32);
        }
    }

    /// What is remembered of a position.
    fn known(&self, worker: &mut HexWorker, hash: u64) -> Option<Memory> {
        let memories = self.memories.as_ref()?;
        worker.memories.get(hash).or_else(|| {
            let found = memories.read().unwrap_or_else(PoisonError::into_inner).peek(hash)?;
            worker.memories.insert(hash, found);
            Some(found)
        })
    }

    fn keep(&self, worker: &mut HexWorker, position: &Hex, memory: Memory) {
        if let Some(memories) = &self.memories {
            let hash = position.state_hash();
            worker.memories.insert(hash, memory);
            let mut memories = memories.write().unwrap_or_else(PoisonError::into_inner);
            memories.insert(hash, memory);
        }
    }
}

/// Strengths of moves on the board from their logarithms, the strongest 1.
fn push_strengths(logarithms: &[f32], moves: &[HexMove], strengths: &mut Vec<f32>) {
    let of = |mv: &HexMove| logarithms.get(usize::from(mv.0)).copied();
    let most = moves.iter().filter_map(of).fold(f32::NEG_INFINITY, f32::max);
    strengths.extend(moves.iter().map(|mv| of(mv).map_or(0.0, |strength| exp(strength - most))));
}

/// Priors of moves that are pruned become 0, and the sum of the others 1.
fn share_out(verdict: &mut Verdict) {
    if verdict.priors.is_empty() {
        return;
    }
    for &place in &verdict.pruned {
        verdict.priors[usize::from(place)] = 0.0;
    }
    let total: f32 = verdict.priors.iter().sum();
    if total > 0.0 {
        verdict.priors.iter_mut().for_each(|prior| *prior /= total);
    } else {
        verdict.priors.clear();
    }
}

/// What one thread has at hand.
#[derive(Debug)]
pub struct HexWorker {
    /// Made for the first board it sees, which has this size.
    analyst: Option<(usize, HexAnalyst)>,
    /// What it has used of all threads' findings, so that it need not wait for the others.
    memories: Memories<Memory>,
    /// Of the net.
    scratch: Scratch,
}

impl Default for HexWorker {
    fn default() -> Self {
        let memories = Memories::new(REMEMBERED);
        Self { analyst: None, memories, scratch: Scratch::default() }
    }
}

impl HexWorker {
    /// What is known of a position by connections and inferior cells. Nothing while the swap may
    /// come: a first stone that wins on the board is taken over.
    pub fn look(&mut self, position: &Hex, kind: HexAnalysis) -> Option<Outlook> {
        if position.swap_may_come() {
            return None;
        }
        let size = position.size();
        if self.analyst.as_ref().is_none_or(|(made_for, _)| *made_for != size) {
            self.analyst = HexAnalyst::new(size, kind).map(|analyst| (size, analyst));
        }
        self.analyst.as_mut()?.1.look(position)
    }

    /// What the circuit says of the position that was last looked at; `None` if its winner is known.
    fn currents(&mut self) -> Option<Currents> {
        self.analyst.as_mut()?.1.currents()
    }
}

impl Knowledge<Hex> for HexKnowledge {
    type Worker = HexWorker;

    fn worker(&self) -> HexWorker {
        HexWorker::default()
    }

    fn thresholds(&self) -> &[u64] {
        &self.thresholds
    }

    fn assess(
        &self,
        worker: &mut HexWorker,
        position: &Hex,
        context: &Context<'_, Hex>,
        verdict: &mut Verdict,
    ) {
        match self.stages.get(context.stage) {
            Some(Stage::Priors(priors)) => priors.assess(position, context, verdict),
            Some(Stage::Net(patterns)) => {
                self.weigh_by_net(patterns.as_ref(), worker, position, context, verdict);
            }
            Some(Stage::Study(study)) => {
                let found = self.analyse(study, worker, position, context, verdict);
                if let Some(memory) = found {
                    self.keep(worker, position, memory);
                }
            }
            None => {}
        }
    }

    fn recall(&self, worker: &mut HexWorker, position: &mut Hex) -> Option<Reward> {
        let known = self.known(worker, position.state_hash())?;
        position.fill_in(known.filled);
        known.estimate
    }

    fn remembers(&self, stages: usize) -> bool {
        self.memories.is_some() && stages > self.first_remembered
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Game, Playout, Rng, Trace};

    use super::*;
    use crate::{Colour, HexRules, LightPlayout, Point, SavebridgePlayout};

    const STUDY: HexStudy = HexStudy {
        analysis: HexAnalysis::Both,
        at: 256,
        current: 0.0,
        fill_in: false,
        estimate: false,
    };

    fn analysed(diagram: &str, to_move: Colour) -> (Hex, Vec<String>, Verdict) {
        let position = Hex::from_diagram(diagram, HexRules::default(), to_move).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let knowledge = HexKnowledge::new(None, None, Some(STUDY));
        let mut verdict = Verdict::new();
        let context = Context::new(0, &moves);
        knowledge.assess(&mut knowledge.worker(), &position, &context, &mut verdict);
        let left: Vec<String> = (0u16..)
            .zip(&moves)
            .filter(|(place, _)| !verdict.pruned.contains(place))
            .map(|(_, &mv)| position.move_text(mv))
            .collect();
        (position, left, verdict)
    }

    const BRIDGES: &str = "
        . . . . .
         . . B . .
          . . . . .
           . B . . .
            . . . . .";

    const FILLED: &str = "
        . . . . .
         . . . . .
          . . W . .
           . B B . .
            . . . . .";

    #[test]
    fn a_chain_of_bridges_has_won() {
        let (position, left, verdict) = analysed(BRIDGES, Colour::White);
        assert_eq!(verdict.winner, Some(position.player_of(Colour::Black)));
        assert_eq!(left.len(), 23, "a player who has lost may play anywhere");
    }

    #[test]
    fn only_winning_moves_are_left_to_the_winner() {
        // The bridge from the last row is broken: b5 or a5 decides.
        let broken = BRIDGES.replacen("            . . . . .", "            W . . . .", 1);
        let (position, left, verdict) = analysed(&broken, Colour::Black);
        assert_eq!(verdict.winner, Some(position.player_of(Colour::Black)));
        assert!(!left.is_empty());
        for mv in left {
            let mut after = position.clone();
            after.play(after.parse_move(&mv).unwrap());
            let outlook = HexAnalyst::new(5, HexAnalysis::Both).unwrap().look(&after).unwrap();
            assert_eq!(outlook.winner, Some(Colour::Black), "{mv}");
        }
    }

    /// Below Black's stones cells are captured; every thread fills them in from then on.
    #[test]
    fn playouts_begin_with_what_was_filled_in_above() {
        let knowledge = HexKnowledge::new(None, None, Some(HexStudy { fill_in: true, ..STUDY }));
        let mut position = Hex::from_diagram(FILLED, HexRules::default(), Colour::White).unwrap();
        let mut unknown = position.clone();
        knowledge.recall(&mut knowledge.worker(), &mut unknown);
        assert_eq!(unknown.filled_in().count(), 0, "nobody has looked");
        let (moves, mut verdict) = (Vec::new(), Verdict::new());
        knowledge.assess(
            &mut knowledge.worker(),
            &position,
            &Context::new(0, &moves),
            &mut verdict,
        );
        knowledge.recall(&mut knowledge.worker(), &mut position);
        let filled: Vec<(Point, Colour)> = position.filled_in().collect();
        assert!(!filled.is_empty());
        let empty = 25 - position.stones();
        assert_eq!(position.needless().len(), filled.len());
        let mut playouts: [Box<dyn Playout<Hex>>; 2] =
            [Box::new(LightPlayout::new()), Box::new(SavebridgePlayout::new())];
        for playout in &mut playouts {
            let mut trace = Trace::new();
            playout.run(&position, &mut Rng::new(3), &mut trace);
            assert_eq!(trace.len(), empty - filled.len());
        }
        // A stone on one of them: the others are still filled in, but may be answers.
        position.play(position.move_at(filled[0].0).unwrap());
        assert_eq!(position.filled_in().count(), filled.len() - 1);
        assert!(position.needless().is_empty());
    }

    fn after(moves: &str) -> Hex {
        let mut position = Hex::new(11, HexRules { swap: false }).unwrap();
        for mv in moves.split_whitespace() {
            position.play(position.parse_move(mv).unwrap());
        }
        position
    }

    /// The verdict of the last stage of a study without patterns.
    fn studied(position: &Hex, study: HexStudy) -> (Vec<HexMove>, Verdict, HexKnowledge) {
        let knowledge = HexKnowledge::new(None, None, Some(study));
        let (mut moves, mut verdict) = (Vec::new(), Verdict::new());
        position.legal_moves(&mut moves);
        let context = Context::new(knowledge.thresholds().len() - 1, &moves);
        knowledge.assess(&mut knowledge.worker(), position, &context, &mut verdict);
        (moves, verdict, knowledge)
    }

    #[test]
    fn the_net_is_a_prior_and_an_evaluation_that_an_analysis_leaves_alone() {
        let judging = HexJudging { net: Arc::new(HexNet::own()), at: 10 };
        let study = HexStudy { fill_in: true, estimate: true, ..STUDY };
        let knowledge = HexKnowledge::new(None, Some(judging), Some(study));
        assert_eq!(knowledge.thresholds(), [10, 256]);
        let position = Hex::from_diagram(FILLED, HexRules { swap: false }, Colour::White).unwrap();
        let (mut moves, mut worker) = (Vec::new(), knowledge.worker());
        position.legal_moves(&mut moves);
        let told = |knowledge: &HexKnowledge| {
            let mut position = position.clone();
            let told = knowledge.recall(&mut knowledge.worker(), &mut position).unwrap();
            (told.value_for(position.player_of(Colour::White)), position.filled_in().count())
        };
        let mut verdict = Verdict::new();
        knowledge.assess(&mut worker, &position, &Context::new(0, &moves), &mut verdict);
        assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(verdict.pruned.is_empty() && verdict.winner.is_none());
        let evaluation = HexNet::own().evaluate_once(&position);
        let (chance, filled) = told(&knowledge);
        assert!((chance.get() - 1.0 / (1.0 + (-evaluation.value_logit).exp())).abs() < 1e-4);
        assert_eq!(filled, 0);
        verdict.clear();
        knowledge.assess(&mut worker, &position, &Context::new(1, &moves), &mut verdict);
        let (after, filled) = told(&knowledge);
        assert_eq!(after, chance);
        assert!(filled > 0 && verdict.priors.is_empty());
        // While the swap may come the net says nothing.
        let first = Hex::new(5, HexRules { swap: true }).unwrap();
        verdict.clear();
        moves.clear();
        first.legal_moves(&mut moves);
        knowledge.assess(&mut worker, &first, &Context::new(0, &moves), &mut verdict);
        assert!(verdict.priors.is_empty());
        assert_eq!(knowledge.recall(&mut worker, &mut first.clone()), None);
    }

    /// At once the net's strengths take the place of the patterns', which still tell inferior moves and speak
    /// alone while the swap may come.
    #[test]
    fn a_net_that_judges_at_once_goes_before_patterns() {
        let patterns = HexPriors::own();
        let judging = HexJudging { net: Arc::new(HexNet::own()), at: 0 };
        let knowledge = HexKnowledge::new(Some(patterns.clone()), Some(judging), Some(STUDY));
        assert_eq!(knowledge.thresholds(), [0, 256]);
        assert!(!knowledge.remembers(0) && knowledge.remembers(1));
        let assessed = |position: &Hex| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let (mut verdict, mut by_patterns) = (Verdict::new(), Verdict::new());
            let context = Context::new(0, &moves);
            knowledge.assess(&mut knowledge.worker(), position, &context, &mut verdict);
            patterns.assess(position, &context, &mut by_patterns);
            (verdict, by_patterns)
        };
        let (mut position, mut rng) =
            (Hex::new(11, HexRules { swap: false }).unwrap(), Rng::new(4));
        let mut pruned = 0;
        for _ in 0..60 {
            let (verdict, by_patterns) = assessed(&position);
            assert!(verdict.estimate.is_some());
            assert_eq!(verdict.pruned, by_patterns.pruned);
            assert_ne!(verdict.priors, by_patterns.priors);
            assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(verdict.pruned.iter().all(|&place| verdict.priors[usize::from(place)] == 0.0));
            pruned += verdict.pruned.len();
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        assert!(pruned > 0);
        let (verdict, by_patterns) = assessed(&Hex::new(5, HexRules { swap: true }).unwrap());
        assert_eq!((verdict.estimate, verdict.priors), (None, by_patterns.priors));
    }

    #[test]
    fn the_current_is_a_prior_and_an_evaluation() {
        let position = after("f6");
        let (moves, verdict, _) = studied(&position, HexStudy { current: 2.0, ..STUDY });
        let prior = |text: &str| {
            let at = moves.iter().position(|&mv| position.move_text(mv) == text).unwrap();
            verdict.priors[at]
        };
        assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(prior("e6") > 10.0 * prior("a1"), "{} {}", prior("e6"), prior("a1"));
        // White is to move; Black stands better with the centre than with a corner.
        let told = |first: &str| {
            let position = after(first);
            let (_, _, knowledge) = studied(&position, HexStudy { estimate: true, ..STUDY });
            let told = knowledge.recall(&mut knowledge.worker(), &mut position.clone()).unwrap();
            assert_eq!(knowledge.recall(&mut knowledge.worker(), &mut after("b2 c3")), None);
            told.value_for(position.player_of(Colour::Black)).get()
        };
        let (centre, corner) = (told("f6"), told("a1"));
        assert!(centre > corner + 0.05 && corner > 0.1 && centre < 0.9, "{centre} {corner}");
    }

    #[test]
    fn an_even_circuit_favours_who_is_to_move() {
        // 1 / (1 + e^-0.6) = 0.645656; with an advantage of 1, 1 / (1 + e^-2.1) = 0.890903.
        let estimate = |advantage| estimate(Player::Second, logit_by_circuit(advantage));
        let value = |advantage| estimate(advantage).value_for(Player::Second).get();
        assert!((value(0.0) - 0.645_656).abs() < 1e-4);
        assert!((value(1.0) - 0.890_903).abs() < 1e-4);
    }

    /// Two orders of the same moves: the net sees the same, and its evaluation is cached.
    #[test]
    fn the_net_is_not_asked_again_where_moves_are_exchanged() {
        let judging = HexJudging { net: Arc::new(HexNet::own()), at: 0 };
        let knowledge = HexKnowledge::new(None, Some(judging), None);
        let mut worker = knowledge.worker();
        let evaluate =
            |position: &Hex, worker: &mut HexWorker| knowledge.evaluate(worker, position).unwrap();
        let first = evaluate(&after("f6 c3 d8 e5"), &mut worker);
        let other_thread = evaluate(&after("d8 c3 f6 e5"), &mut knowledge.worker());
        assert!(Arc::ptr_eq(&first, &other_thread));
        // With another last stone it is another evaluation.
        let elsewhere = evaluate(&after("f6 e5 d8 c3"), &mut worker);
        assert_ne!(first.value_logit, elsewhere.value_logit);
        for (moves, found) in [("d8 c3 f6 e5", first), ("d8 e5 f6 c3", elsewhere)] {
            assert_eq!(HexNet::own().evaluate_once(&after(moves)), *found);
        }
    }

    #[test]
    fn nothing_is_said_while_the_swap_may_come() {
        let mut position = Hex::new(5, HexRules::default()).unwrap();
        assert_eq!(HexWorker::default().look(&position, HexAnalysis::Both), None);
        position.play(position.parse_move("c3").unwrap());
        assert_eq!(HexWorker::default().look(&position, HexAnalysis::Both), None);
        position.play(position.swap_move());
        let outlook = HexWorker::default().look(&position, HexAnalysis::Both).unwrap();
        assert_eq!(outlook.winner, Some(Colour::Black), "the centre wins on 5x5");
    }
}
