//! All that a player of Hex knows about the moves of a node: priors from patterns when its moves
//! are listed (H9), inferior cells and virtual connections when it has become important (H5).

use std::sync::{Arc, PoisonError, RwLock};

use kosumi_game::{Context, Game, Knowledge, Verdict};
use rustc_hash::FxHashMap;

use crate::insight::{HexAnalysis, HexAnalyst, Outlook};
use crate::patterns::HexPriors;
use crate::{CellSet, Hex};

/// A stage of knowledge.
#[derive(Clone, Debug)]
enum Stage {
    Priors(HexPriors),
    Analysis(HexAnalysis),
}

/// What is filled in, by the hash of the position that was analysed.
type FillIns = FxHashMap<u64, [CellSet<6>; 2]>;

/// So many positions are remembered, some 30 MB. Then all are forgotten: their playouts go on as if
/// they had not been analysed.
const REMEMBERED: usize = 1 << 18;

fn remember(fill_ins: &mut FillIns, hash: u64, filled: [CellSet<6>; 2]) {
    if fill_ins.len() >= REMEMBERED {
        fill_ins.clear();
    }
    fill_ins.insert(hash, filled);
}

/// The knowledge of a player, in stages.
#[derive(Clone, Debug, Default)]
pub struct HexKnowledge {
    stages: Vec<Stage>,
    thresholds: Vec<u64>,
    /// What all threads have found; `None` if playouts do without.
    fill_ins: Option<Arc<RwLock<FillIns>>>,
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

    /// Playouts begin with what the analysis of the last analysed position before them has filled in.
    #[must_use]
    pub fn filling_in(mut self) -> Self {
        self.fill_ins = Some(Arc::default());
        self
    }
}

/// What one thread has at hand.
#[derive(Debug, Default)]
pub struct HexWorker {
    /// Made for the first board it sees, which has this size.
    analyst: Option<(usize, HexAnalyst)>,
    /// What it has used of all threads' findings, so that it need not wait for the others.
    fill_ins: FillIns,
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
                if let Some(fill_ins) = &self.fill_ins {
                    let mut fill_ins = fill_ins.write().unwrap_or_else(PoisonError::into_inner);
                    remember(&mut fill_ins, position.state_hash(), outlook.filled);
                }
            }
            None => {}
        }
    }

    fn recall(&self, worker: &mut HexWorker, position: &mut Hex) {
        let Some(fill_ins) = &self.fill_ins else { return };
        let hash = position.state_hash();
        let known = worker.fill_ins.get(&hash).copied().or_else(|| {
            let found = fill_ins.read().unwrap_or_else(PoisonError::into_inner).get(&hash).copied();
            if let Some(filled) = found {
                remember(&mut worker.fill_ins, hash, filled);
            }
            found
        });
        if let Some(filled) = known {
            position.fill_in(filled);
        }
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::{Game, Playout, Rng, Trace};

    use super::*;
    use crate::{Colour, HexRules, LightPlayout, Point, SavebridgePlayout};

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
        let knowledge = HexKnowledge::new(None, Some((HexAnalysis::Both, 256))).filling_in();
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
