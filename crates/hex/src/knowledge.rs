//! All that a player of Hex knows about the moves of a node: priors from patterns when its moves
//! are listed (H9), inferior cells and virtual connections when it has become important (H5).

use kosumi_game::{Context, Knowledge, Verdict};

use crate::Hex;
use crate::insight::{HexAnalysis, HexAnalyst, Outlook};
use crate::patterns::HexPriors;

/// A stage of knowledge.
#[derive(Clone, Debug)]
enum Stage {
    Priors(HexPriors),
    Analysis(HexAnalysis),
}

/// The knowledge of a player, in stages.
#[derive(Clone, Debug, Default)]
pub struct HexKnowledge {
    stages: Vec<Stage>,
    thresholds: Vec<u64>,
}

impl HexKnowledge {
    /// With these priors, and with an analysis of nodes that reach so many visits, if any.
    #[must_use]
    pub fn new(priors: Option<HexPriors>, analysis: Option<(HexAnalysis, u64)>) -> Self {
        let mut knowledge = Self::default();
        if let Some(priors) = priors {
            knowledge.stages.push(Stage::Priors(priors));
            knowledge.thresholds.push(0);
        }
        if let Some((kind, visits)) = analysis {
            knowledge.stages.push(Stage::Analysis(kind));
            knowledge.thresholds.push(visits);
        }
        knowledge
    }
}

/// The analyst of one thread, made for the first board it sees.
#[derive(Debug, Default)]
pub struct HexWorker(Option<(usize, HexAnalyst)>);

impl HexWorker {
    /// What is known of a position by connections and inferior cells. Nothing while the swap may
    /// come: a first stone that wins on the board is taken over.
    pub fn look(&mut self, position: &Hex, kind: HexAnalysis) -> Option<Outlook> {
        if position.swap_may_come() {
            return None;
        }
        let size = position.size();
        if self.0.as_ref().is_none_or(|(made_for, _)| *made_for != size) {
            self.0 = HexAnalyst::new(size, kind).map(|analyst| (size, analyst));
        }
        self.0.as_mut()?.1.look(position)
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
            Some(&Stage::Analysis(kind)) => {
                let Some(outlook) = worker.look(position, kind) else { return };
                verdict.winner = outlook.winner.map(|colour| position.player_of(colour));
                let left_out = |mv: usize| !outlook.moves.contains(mv);
                let places = (0u16..).zip(context.moves).filter(|(_, mv)| left_out(mv.0.into()));
                verdict.pruned.extend(places.map(|(place, _)| place));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::Game;

    use super::*;
    use crate::{Colour, HexRules};

    fn analysed(diagram: &str, to_move: Colour) -> (Hex, Vec<String>, Verdict) {
        let position = Hex::from_diagram(diagram, HexRules::default(), to_move).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let knowledge = HexKnowledge::new(None, Some((HexAnalysis::Both, 256)));
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
