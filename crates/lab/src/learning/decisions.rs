//! Positions of Go games as decisions for the learner.

use kosumi_game::Game;
use kosumi_go::{
    BoardClass, EARLIER_FEATURES, FAMILY_FEATURES, FeatureSink, Features, GoMove, PlayoutModel,
    Position, Selection, UpTo9, UpTo13, UpTo19, UpTo25,
};
use kosumi_learn::{Decision, Decisions};

use super::games::GameMoves;
use super::model::GoView;
use super::phase_of;

/// Every move of these games but passes, among all legal moves but passes.
#[derive(Clone, Copy, Debug)]
pub struct GoDecisions<'a> {
    games: &'a [GameMoves],
    view: GoView<'a>,
    selection: Option<&'a Selection>,
}

impl<'a> GoDecisions<'a> {
    /// Games seen with these features.
    #[must_use]
    pub fn new(games: &'a [GameMoves], view: GoView<'a>) -> Self {
        Self { games, view, selection: None }
    }

    /// Without what is not selected, of the features of the tree.
    #[must_use]
    pub fn selected(self, selection: &'a Selection) -> Self {
        Self { selection: Some(selection), ..self }
    }
}

/// Scratch memory for boards of any size.
#[derive(Debug, Default)]
pub struct GoWorker {
    up_to_9: Option<Box<Features<UpTo9>>>,
    up_to_13: Option<Box<Features<UpTo13>>>,
    up_to_19: Option<Box<Features<UpTo19>>>,
    up_to_25: Option<Box<Features<UpTo25>>>,
    decision: Decision,
    moves: Vec<GoMove>,
}

struct Teams<'a> {
    decision: &'a mut Decision,
    selection: Option<&'a Selection>,
}

impl FeatureSink for Teams<'_> {
    #[inline]
    fn feature(&mut self, feature: u32) {
        if self.selection.is_none_or(|selection| selection.has(feature)) {
            self.decision.push_feature(feature);
        }
    }
}

impl Decisions for GoDecisions<'_> {
    type Worker = GoWorker;

    fn worker(&self) -> GoWorker {
        GoWorker::default()
    }

    fn parts(&self) -> usize {
        self.games.len()
    }

    /// What tells of earlier moves; the other families; patterns.
    fn cuts(&self) -> Vec<u32> {
        match self.view {
            GoView::Tree(_) => vec![EARLIER_FEATURES, FAMILY_FEATURES],
            GoView::Playouts => Vec::new(),
        }
    }

    fn visit(&self, part: usize, worker: &mut GoWorker, visit: &mut dyn FnMut(&Decision)) {
        let game = &self.games[part];
        let GoWorker { up_to_9, up_to_13, up_to_19, up_to_25, decision, moves } = worker;
        match game.size {
            0..=9 => self.visit_game(game, up_to_9.get_or_insert_default(), decision, moves, visit),
            10..=13 => {
                self.visit_game(game, up_to_13.get_or_insert_default(), decision, moves, visit);
            }
            14..=19 => {
                self.visit_game(game, up_to_19.get_or_insert_default(), decision, moves, visit);
            }
            _ => self.visit_game(game, up_to_25.get_or_insert_default(), decision, moves, visit),
        }
    }
}

impl GoDecisions<'_> {
    fn visit_game<C: BoardClass>(
        &self,
        game: &GameMoves,
        features: &mut Features<C>,
        decision: &mut Decision,
        moves: &mut Vec<GoMove>,
        visit: &mut dyn FnMut(&Decision),
    ) {
        let mut number = 0;
        game.replay(|position: &Position<C>, played| {
            let phase = phase_of(number);
            number += 1;
            if played.is_pass() {
                return;
            }
            moves.clear();
            position.legal_moves(moves);
            moves.retain(|mv| !mv.is_pass());
            let Some(chosen) = moves.iter().position(|&mv| mv == played) else { return };
            decision.clear();
            let teams = &mut Teams { decision, selection: self.selection };
            let end = |teams: &mut Teams<'_>, _| teams.decision.end_team();
            match self.view {
                GoView::Tree(table) => features.for_each(position, table, moves, teams, end),
                GoView::Playouts => PlayoutModel::for_each(position, moves, teams, end),
            }
            decision.choose(chosen, phase);
            visit(decision);
        });
    }
}
