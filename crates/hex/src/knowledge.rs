//! What a player of Hex knows about the moves of a node beside its net: priors from patterns when its
//! moves are listed (H9), inferior cells, virtual connections and the circuit when it has become
//! important (H3 to H5).

use kosumi_game::math::{exp, ln, logistic};
use kosumi_game::{Context, Knowledge, Player, Reward, Verdict};

use crate::Hex;
use crate::insight::{Currents, HexAnalysis, HexAnalyst, Outlook};
use crate::patterns::HexPriors;

/// How nodes that have become important are analysed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexStudy {
    /// What is looked for.
    pub analysis: HexAnalysis,
    /// Visits at which a node is analysed.
    pub at: u64,
    /// The power of the current through a cell in the priors of an analysed node, beside those it has
    /// already (H4); 0: those alone.
    pub current: f32,
    /// Whether the circuit's evaluation is told to the search, where nothing else evaluates.
    pub estimate: bool,
}

/// A stage of knowledge.
#[derive(Clone, Debug)]
enum Stage {
    Priors(HexPriors),
    Study(HexStudy),
}

/// Added to all shares of the current, so that no move's is nothing.
const LEAST_CURRENT: f32 = 0.01;

/// The logit of winning rises so much with the circuit's advantage, and by so much with the right to
/// move. Guessed, and then compared with fits to games on 11x11 (docs/results/history-hex.md).
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

/// The knowledge of a player, in stages.
#[derive(Clone, Debug)]
pub struct HexKnowledge {
    stages: Vec<Stage>,
    thresholds: Vec<u64>,
    worker_bytes: usize,
}

impl HexKnowledge {
    /// With these priors and with this study of important nodes, if any.
    #[must_use]
    pub fn new(priors: Option<HexPriors>, study: Option<HexStudy>) -> Self {
        let mut stages: Vec<(u64, Stage)> = Vec::new();
        stages.extend(priors.map(|priors| (0, Stage::Priors(priors))));
        stages.extend(study.map(|study| (study.at, Stage::Study(study))));
        stages.sort_by_key(|(at, _)| *at);
        let (thresholds, stages) = stages.into_iter().unzip();
        Self { stages, thresholds, worker_bytes: usize::MAX }
    }

    /// The same with so many bytes, about, for the connections of earlier boards in each thread.
    #[must_use]
    pub fn with_worker_bytes(self, worker_bytes: usize) -> Self {
        Self { worker_bytes, ..self }
    }

    /// The position by inferior cells and connections: its winner or what is left of its moves, with
    /// new priors where the current counts.
    fn analyse(
        study: &HexStudy,
        worker: &mut HexWorker,
        position: &Hex,
        context: &Context<'_, Hex>,
        verdict: &mut Verdict,
    ) {
        let Some(outlook) = worker.look(position, study.analysis) else { return };
        verdict.winner = outlook.winner.map(|colour| position.player_of(colour));
        if (study.current > 0.0 || study.estimate)
            && let Some(currents) = worker.currents()
        {
            if study.current > 0.0 {
                weigh(study.current, &currents, context, verdict);
            }
            if study.estimate {
                let me = position.player_of(position.colour_to_move());
                verdict.estimate = Some(estimate(me, logit_by_circuit(currents.advantage)));
            }
        }
        let left_out = |mv: usize| !outlook.moves.contains(mv);
        let places = (0u16..).zip(context.moves).filter(|(_, mv)| left_out(mv.0.into()));
        verdict.pruned.extend(places.map(|(place, _)| place));
        verdict.share_out_priors();
    }
}

/// Priors of moves by those they have and by the current.
fn weigh(power: f32, currents: &Currents, context: &Context<'_, Hex>, verdict: &mut Verdict) {
    verdict.priors.extend(context.priors);
    verdict.priors.resize(context.moves.len(), 1.0);
    for (prior, mv) in verdict.priors.iter_mut().zip(context.moves) {
        let share =
            currents.shares.get(usize::from(mv.0)).map_or(0.0, |share| share + LEAST_CURRENT);
        *prior *= if share > 0.0 { exp(power * ln(share.into()) as f32) } else { 0.0 };
    }
}

/// What one thread has at hand.
#[derive(Debug)]
pub struct HexWorker {
    /// Made for the first board it sees, which has this size.
    analyst: Option<(usize, HexAnalyst)>,
    /// What the connections of earlier boards may take.
    most_bytes: usize,
}

impl Default for HexWorker {
    fn default() -> Self {
        Self { analyst: None, most_bytes: usize::MAX }
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
            self.analyst = HexAnalyst::new(size, kind).map(|mut analyst| {
                analyst.set_most_bytes(self.most_bytes);
                (size, analyst)
            });
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
        HexWorker { most_bytes: self.worker_bytes, ..HexWorker::default() }
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
            Some(Stage::Study(study)) => Self::analyse(study, worker, position, context, verdict),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Game;

    use super::*;
    use crate::{Colour, HexMove, HexRules};

    const STUDY: HexStudy =
        HexStudy { analysis: HexAnalysis::Both, at: 256, current: 0.0, estimate: false };

    fn analysed(diagram: &str, to_move: Colour) -> (Hex, Vec<String>, Verdict) {
        let position = Hex::from_diagram(diagram, HexRules::default(), to_move).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let knowledge = HexKnowledge::new(None, Some(STUDY));
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

    fn after(moves: &str) -> Hex {
        let mut position = Hex::new(11, HexRules { swap: false }).unwrap();
        for mv in moves.split_whitespace() {
            position.play(position.parse_move(mv).unwrap());
        }
        position
    }

    /// The verdict of the last stage of a study without patterns.
    fn studied(position: &Hex, study: HexStudy) -> (Vec<HexMove>, Verdict) {
        let knowledge = HexKnowledge::new(None, Some(study));
        let (mut moves, mut verdict) = (Vec::new(), Verdict::new());
        position.legal_moves(&mut moves);
        let priors = vec![1.0 / moves.len() as f32; moves.len()];
        let stage = knowledge.thresholds().len() - 1;
        let context = Context::new(stage, &moves).with_node(&priors, &[], None);
        knowledge.assess(&mut knowledge.worker(), position, &context, &mut verdict);
        (moves, verdict)
    }

    #[test]
    fn the_current_is_a_prior_and_an_evaluation() {
        let position = after("f6");
        let (moves, verdict) = studied(&position, HexStudy { current: 2.0, ..STUDY });
        let prior = |text: &str| {
            let at = moves.iter().position(|&mv| position.move_text(mv) == text).unwrap();
            verdict.priors[at]
        };
        assert!((verdict.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(prior("e6") > 10.0 * prior("a1"), "{} {}", prior("e6"), prior("a1"));
        // White is to move; Black stands better with the centre than with a corner.
        let told = |first: &str| {
            let position = after(first);
            let (_, verdict) = studied(&position, HexStudy { estimate: true, ..STUDY });
            let told = verdict.estimate.expect("an open position");
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
