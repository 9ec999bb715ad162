//! The one implementation of [`Player`]: a position with history and a search that follows it.
//!
//! Swap: the games exchange the *persons* and leave the stone alone. Protocols name colours, not
//! persons, and after `swap-pieces` expect the *stone* to have changed sides. So from then on this
//! module shows the board exchanged ([`Kit::exchanged`]): Hex mirrored with colours reversed,
//! Havannah with colours reversed. After `swap-sides` nothing is exchanged and the persons are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use kosumi_game::{Context, Game, Knowledge, Move, Playout, Rng, Trace, Verdict};
use kosumi_record::{Colour, GameResult, RecordMove};
use kosumi_search::{Limits, MoveReport, Proof, Restriction, StartOptions, TreeFacts, TreeView};

use super::history::History;
use super::searcher::{Running, Searcher, Searching, tree_params};
use super::{GoTable, Goal, HexView, Kit, Player, Start};
use crate::analysis::{Analysis, MoveAnalysis, MoveRestriction, Proven, Thinking, TreeNode};
use crate::error::{EngineError, panic_text};
use crate::params::EngineParams;
use crate::resources::{Reservation, Resources};
use crate::weights::WeightsInUse;

type MoveOf<K> = <<K as Kit>::Game as Game>::Move;

/// The part of a player that threads of a search need no more than look at.
pub(crate) struct Scene<K: Kit> {
    pub position: K::Game,
    /// Whether the board is shown exchanged, see the module's text.
    pub exchanged: bool,
}

impl<K: Kit> Clone for Scene<K> {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), exchanged: self.exchanged }
    }
}

impl<K: Kit> Scene<K> {
    /// A colour of the board as the protocol calls it, or the other way round.
    pub fn colour(&self, colour: Colour) -> Colour {
        if self.exchanged { colour.opponent() } else { colour }
    }

    pub fn to_move(&self) -> Colour {
        self.colour(K::to_move(&self.position))
    }

    fn text(&self, mv: MoveOf<K>) -> String {
        self.text_if(self.exchanged, mv)
    }

    fn text_if(&self, exchanged: bool, mv: MoveOf<K>) -> String {
        let shown = if exchanged { K::exchanged_move(&self.position, mv) } else { mv };
        self.position.move_text(shown)
    }

    /// A line of play from here; moves after a swap are shown as the board is shown then.
    fn line(&self, moves: &[MoveOf<K>]) -> Vec<String> {
        let mut exchanged = self.exchanged;
        let text = |&mv: &MoveOf<K>| {
            let text = self.text_if(exchanged, mv);
            exchanged |= K::is_swap(&self.position, mv);
            text
        };
        moves.iter().map(text).collect()
    }

    fn parse(&self, text: &str) -> Result<MoveOf<K>, EngineError> {
        let mv = self.position.parse_move(text)?;
        Ok(if self.exchanged { K::exchanged_move(&self.position, mv) } else { mv })
    }

    fn shown(&self) -> K::Game {
        if self.exchanged { K::exchanged(&self.position) } else { self.position.clone() }
    }
}

/// A move with all that is needed to make it again.
struct Played<K: Kit> {
    mv: MoveOf<K>,
    /// The colour of the board that made it.
    board_colour: Colour,
    /// Whether the board is shown exchanged from then on.
    exchanges: bool,
    record: RecordMove,
}

impl<K: Kit> Played<K> {
    fn replay(&self, scene: &mut Scene<K>) {
        make_ready::<K>(&mut scene.position, self.board_colour);
        scene.position.play(self.mv);
        scene.exchanged |= self.exchanges;
    }
}

/// Brings the position into play with `colour` (of the board) to move.
fn make_ready<K: Kit>(position: &mut K::Game, colour: Colour) {
    if position.outcome().is_some() {
        K::reopen(position);
    }
    if K::to_move(position) != colour {
        K::set_turn(position, colour);
    }
}

/// A player of any game.
pub(crate) struct Seated<K: Kit> {
    /// The position that is played; the search may stand elsewhere.
    scene: Scene<K>,
    history: History<Scene<K>, Played<K>>,
    search: Box<dyn Searcher<K::Game>>,
    /// What its knowledge was made from.
    weights: Vec<WeightsInUse>,
    /// Who is to move where the search stands, if it stands at `scene`.
    search_at: Option<Colour>,
    params: EngineParams,
    resources: Arc<Resources>,
    reservation: Reservation,
}

impl<K: Kit> Seated<K> {
    pub fn new(
        start: &Start,
        params: &EngineParams,
        resources: Arc<Resources>,
    ) -> Result<Self, EngineError> {
        let position = K::start(start, params)?;
        let Searching { search, weights, reservation } =
            K::search(params, position.clone(), &resources)?;
        Ok(Self {
            search,
            weights,
            resources,
            reservation,
            search_at: Some(K::to_move(&position)),
            scene: Scene { position, exchanged: false },
            history: History::new(),
            params: params.clone(),
        })
    }

    pub fn position(&self) -> &K::Game {
        &self.scene.position
    }

    pub fn params(&self) -> &EngineParams {
        &self.params
    }

    /// What a move is worth to the player to move by a search after it. The tree is lost.
    pub fn value_after(
        &mut self,
        mut position: K::Game,
        mv: MoveOf<K>,
        limits: Limits,
    ) -> Option<f32> {
        self.halt().ok()?;
        K::prepare(&mut position, &self.params);
        let player = position.turn().player()?;
        position.try_play(mv).ok()?;
        self.search_at = None;
        if let Some(outcome) = position.outcome() {
            return Some(outcome.value_for(player).get());
        }
        self.search.set_position(position);
        let handle = self.search.start(limits, &StartOptions::default()).ok()?;
        handle.wait();
        self.halt().ok()?;
        let best = handle.snapshot().ok()?.moves.into_iter().next()?;
        Some(1.0 - best.value)
    }

    pub fn has_moves(&self) -> bool {
        !self.history.moves().is_empty()
    }

    /// Changes the position in place, e.g. its komi. The tree is lost.
    pub fn adjust(&mut self, change: impl FnOnce(&mut K::Game)) -> Result<(), EngineError> {
        self.halt()?;
        change(&mut self.scene.position);
        self.search_at = None;
        Ok(())
    }

    /// Another position, no history.
    pub fn replace(&mut self, position: K::Game) -> Result<(), EngineError> {
        self.halt()?;
        self.scene = Scene { position, exchanged: false };
        self.history.clear();
        self.search_at = None;
        Ok(())
    }

    /// The position with `colour` (as the board calls it) to move, in play.
    fn with_turn(&self, colour: Colour) -> K::Game {
        let mut position = self.scene.position.clone();
        make_ready::<K>(&mut position, colour);
        position
    }

    /// After a panic the threads and the tree of the search are in no known state.
    fn rebuild_search(&mut self) -> Result<(), EngineError> {
        let params = self.params.clone();
        self.make_search(&params)
    }

    /// Makes the search anew. The old one goes first: both may not fit into the memory; if the new
    /// one cannot be made, the old one is made again.
    fn make_search(&mut self, params: &EngineParams) -> Result<(), EngineError> {
        let position = self.scene.position.clone();
        if self.resources.is_private() {
            self.resources = Resources::private(params.search.memory_mb as u64);
        }
        // What cannot be used at all is told before anything is given up.
        K::mind(params, &position, 0)?;
        self.search.stop_for_good();
        self.reservation.give_back();
        let made = K::search(params, position.clone(), &self.resources);
        let (made, error) = match made {
            Ok(made) => (made, None),
            Err(error) => (K::search(&self.params, position, &self.resources)?, Some(error)),
        };
        let Searching { search, weights, reservation } = made;
        (self.search, self.weights, self.reservation) = (search, weights, reservation);
        self.search_at = Some(K::to_move(&self.scene.position));
        match error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// Does something again and again for so many seconds; how often.
fn repeat_for(seconds: f64, mut work: impl FnMut(u64)) -> u64 {
    let begun = Instant::now();
    let mut count = 0;
    loop {
        // The clock is looked at now and then.
        for _ in 0..16 {
            work(count);
            count += 1;
        }
        if begun.elapsed().as_secs_f64() >= seconds {
            return count;
        }
    }
}

impl<K: Kit> Player for Seated<K> {
    fn clear(&mut self, start: &Start, params: &EngineParams) -> Result<(), EngineError> {
        let position = K::start(start, params)?;
        self.replace(position)?;
        self.set_params(params)
    }

    fn set_params(&mut self, params: &EngineParams) -> Result<(), EngineError> {
        self.halt()?;
        if *params == self.params {
            return Ok(());
        }
        // Playouts, knowledge and memory are part of the search.
        let same_memory = params.search.memory_mb == self.params.search.memory_mb;
        if same_memory && !K::remakes_search(&self.params, params) {
            let bytes = self.reservation.bytes();
            let of = |params| tree_params::<K>(params, bytes);
            let (now, before) = (of(params), of(&self.params));
            let same_tree = now.memory_mb == before.memory_mb;
            self.search.set_params(now)?;
            if !same_tree {
                self.search_at = None;
            }
        } else {
            self.make_search(params)?;
        }
        self.params = params.clone();
        Ok(())
    }

    fn to_move(&self) -> Colour {
        self.scene.to_move()
    }

    fn moves(&self) -> Vec<RecordMove> {
        self.history.moves().iter().map(|played| played.record.clone()).collect()
    }

    fn legal_moves(&self, colour: Colour) -> Vec<String> {
        let mut moves = Vec::new();
        let colour = self.scene.colour(colour);
        if colour == K::to_move(&self.scene.position) {
            self.scene.position.legal_moves(&mut moves);
        } else {
            self.with_turn(colour).legal_moves(&mut moves);
        }
        moves.into_iter().map(|mv| self.scene.text(mv)).collect()
    }

    fn stones(&self) -> Vec<(Colour, String)> {
        let shown = self.scene.shown();
        (0..shown.move_space())
            .map(Move::from_index)
            .filter_map(|mv| Some((K::stone(&shown, mv)?, shown.move_text(mv))))
            .collect()
    }

    fn show(&self) -> String {
        K::show(&self.scene.shown())
    }

    fn result(&self) -> Option<GameResult> {
        K::result(&self.scene.position).map(|result| match result {
            GameResult::Win { winner, by } => GameResult::win(self.scene.colour(winner), by),
            other => other,
        })
    }

    fn moves_left(&self) -> f64 {
        K::moves_left(&self.scene.position)
    }

    fn play(&mut self, colour: Colour, text: &str) -> Result<(), EngineError> {
        let mv = self.scene.parse(text)?;
        let board_colour = self.scene.colour(colour);
        // What is illegal leaves everything as it is, a search included.
        let over = self.scene.position.outcome().is_some();
        let in_turn = !over && board_colour == K::to_move(&self.scene.position);
        if !in_turn || !self.scene.position.is_legal(mv) {
            self.with_turn(board_colour).try_play(mv)?;
        }
        self.halt()?;
        let swaps = K::is_swap(&self.scene.position, mv);
        let played = Played {
            mv,
            board_colour,
            exchanges: swaps && !text.trim().eq_ignore_ascii_case("swap-sides"),
            record: RecordMove { colour, mv: self.scene.text(mv) },
        };
        // A game that was over and goes on is another one than the search stands at.
        let follows = self.search_at == Some(board_colour) && !over;
        self.search_at = None;
        self.history.push(&mut self.scene, played);
        if let Some(played) = self.history.moves().last() {
            played.replay(&mut self.scene);
        }
        if follows {
            self.search.advance(mv);
            let position = &self.scene.position;
            if position.outcome().is_none() && !K::prepare(&mut position.clone(), &self.params) {
                self.search_at = Some(K::to_move(position));
            }
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<bool, EngineError> {
        self.halt()?;
        let Some(before) = self.history.pop(|scene, played| played.replay(scene)) else {
            return Ok(false);
        };
        let now = std::mem::replace(&mut self.scene, before);
        K::carry_back(&now.position, &mut self.scene.position);
        self.search_at = None;
        Ok(true)
    }

    fn set_up(&mut self, stones: &[(Colour, String)], to_move: Colour) -> Result<(), EngineError> {
        let position = &self.scene.position;
        let stones = stones
            .iter()
            .map(|(colour, text)| Ok((*colour, position.parse_move(text)?)))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let position = K::set_up(position, &stones, to_move)?;
        self.replace(position)
    }

    fn think(
        &mut self,
        colour: Colour,
        limits: Limits,
        restrictions: &[MoveRestriction],
    ) -> Result<Box<dyn Thinking>, EngineError> {
        self.halt()?;
        let board_colour = self.scene.colour(colour);
        let over = self.scene.position.outcome().is_some();
        if over || self.search_at != Some(board_colour) {
            self.search_at = None;
            let mut position = self.with_turn(board_colour);
            if position.outcome().is_some() {
                let result = self.result().map(|result| result.to_string());
                return Err(EngineError::GameOver(result.unwrap_or_default()));
            }
            K::prepare(&mut position, &self.params);
            self.search.set_position(position);
            if !over {
                self.search_at = Some(board_colour);
            }
        }
        let mut options = StartOptions::default();
        let first = K::to_move(self.search.position());
        let player = self.search.position().turn().player().unwrap_or(kosumi_game::Player::First);
        for restriction in restrictions {
            let colour = self.scene.colour(restriction.colour);
            let moves = restriction.moves.iter().map(|text| self.scene.parse(text));
            options.restrictions.push(Restriction {
                player: if colour == first { player } else { player.opponent() },
                moves: moves.collect::<Result<_, _>>()?,
                only: restriction.only,
                until: restriction.until,
            });
        }
        let handle = self.search.start(limits, &options)?;
        Ok(Box::new(Background::<K> {
            handle,
            root: Arc::new(Scene {
                position: self.search.position().clone(),
                exchanged: self.scene.exchanged,
            }),
        }))
    }

    fn halt(&mut self) -> Result<(), EngineError> {
        match catch_unwind(AssertUnwindSafe(|| self.search.stop())) {
            Ok(()) => Ok(()),
            Err(panic) => {
                self.rebuild_search()?;
                Err(EngineError::Internal(panic_text(&*panic)))
            }
        }
    }

    fn playouts_for(&self, seconds: f64) -> u64 {
        // What a search was made with can be made again.
        let Ok(mind) = K::mind(&self.params, &self.scene.position, self.reservation.bytes()) else {
            return 0;
        };
        let mut playout = (mind.playouts)();
        let mut trace = Trace::new();
        if self.scene.position.outcome().is_some() {
            return 0;
        }
        repeat_for(seconds, |count| {
            let mut rng = Rng::stream(self.params.search.seed, count);
            trace.clear();
            playout.run(&self.scene.position, &mut rng, &mut trace);
        })
    }

    fn knowledge_stages(&self) -> Vec<u64> {
        let mind = K::mind(&self.params, &self.scene.position, self.reservation.bytes());
        mind.map_or_else(|_| Vec::new(), |mind| mind.knowledge.thresholds().to_vec())
    }

    fn judgements_for(&self, stage: usize, seconds: f64) -> u64 {
        let Ok(mind) = K::mind(&self.params, &self.scene.position, self.reservation.bytes()) else {
            return 0;
        };
        let mut moves = Vec::new();
        self.scene.position.legal_moves(&mut moves);
        let context = Context::new(stage, &moves);
        let mut worker = mind.knowledge.worker();
        let mut verdict = Verdict::new();
        if self.scene.position.outcome().is_some() {
            return 0;
        }
        repeat_for(seconds, |_| {
            verdict.clear();
            mind.knowledge.assess(&mut worker, &self.scene.position, &context, &mut verdict);
        })
    }

    fn verify(&mut self) -> Result<TreeFacts, EngineError> {
        self.halt()?;
        self.search.verify()
    }

    fn retire(&mut self) {
        self.search.stop_for_good();
        self.reservation.give_back();
        self.search_at = None;
    }

    fn recover(&mut self) -> Result<(), EngineError> {
        // The search is dropped first: its threads end with it.
        self.rebuild_search()
    }

    fn weights(&self) -> &[WeightsInUse] {
        &self.weights
    }

    fn reflex(&mut self, colour: Colour, params: &EngineParams) -> Option<String> {
        let position = self.with_turn(self.scene.colour(colour));
        K::reflex(&position, params).map(|mv| self.scene.text(mv))
    }

    fn second_thought(
        &mut self,
        colour: Colour,
        analysis: &Analysis,
        params: &EngineParams,
        goal: Goal,
    ) -> Option<String> {
        let position = self.with_turn(self.scene.colour(colour));
        K::second_thought(self, &position, analysis, params, goal).map(|mv| self.scene.text(mv))
    }

    fn go(&mut self) -> Option<&mut dyn GoTable> {
        K::go(self)
    }

    fn hex_view(&self) -> Option<Result<HexView, EngineError>> {
        K::hex_view(&self.scene.position, self.scene.exchanged, &self.params)
    }
}

/// A search in the background.
struct Background<K: Kit> {
    handle: Box<dyn Running<K::Game>>,
    root: Arc<Scene<K>>,
}

impl<K: Kit> Background<K> {
    fn proven(&self, proof: Option<Proof>) -> Option<Proven> {
        let player = self.root.position.turn().player()?;
        match proof? {
            Proof::Win(winner) if winner == player => Some(Proven::Win),
            Proof::Win(_) => Some(Proven::Loss),
            Proof::Draw => Some(Proven::Draw),
            _ => None,
        }
    }

    fn report(&self, report: &MoveReport<MoveOf<K>>) -> MoveAnalysis {
        MoveAnalysis {
            mv: self.root.text(report.mv),
            visits: report.visits,
            value: report.value,
            prior: report.prior,
            rave_count: report.rave_count,
            rave_value: report.rave_value,
            depth: report.depth,
            width: report.width,
            proven: self.proven(report.proof),
            line: self.root.line(&report.line),
        }
    }

    /// `ours`: whether the node's value is that of the player to move at the root.
    fn node(&self, view: &TreeView<MoveOf<K>>, ours: bool, exchanged: bool) -> TreeNode {
        let swaps = view.mv.is_some_and(|mv| K::is_swap(&self.root.position, mv));
        let below = exchanged || swaps;
        TreeNode {
            mv: view.mv.map(|mv| self.root.text_if(exchanged, mv)),
            visits: view.visits,
            value: if ours { view.value } else { 1.0 - view.value },
            prior: view.prior,
            depth: view.depth,
            width: view.width,
            proven: self.proven(view.proof),
            children: view.children.iter().map(|child| self.node(child, !ours, below)).collect(),
        }
    }
}

impl<K: Kit> Thinking for Background<K> {
    fn stop(&self) {
        self.handle.stop();
    }

    fn is_running(&self) -> bool {
        self.handle.is_running()
    }

    fn wait(&self) {
        self.handle.wait();
    }

    fn wait_for(&self, time: Duration) -> bool {
        self.handle.wait_for(time)
    }

    fn analysis(&self) -> Result<Analysis, EngineError> {
        let snapshot = self.handle.snapshot()?;
        Ok(Analysis {
            to_move: self.root.to_move(),
            moves: snapshot.moves.iter().map(|mv| self.report(mv)).collect(),
            visits: snapshot.visits,
            value: snapshot.value,
            simulations: snapshot.simulations,
            seconds: snapshot.seconds,
            depth: snapshot.depth,
            width: snapshot.width,
            proven: self.proven(snapshot.proof),
            memory: snapshot.memory,
            recycled: snapshot.recycled,
        })
    }

    fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeNode, EngineError> {
        let view = self.handle.tree(levels, min_visits)?;
        Ok(self.node(&view, false, self.root.exchanged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::EngineParams;
    use crate::player::Mind;
    use kosumi_game::{NoKnowledge, Reward};
    use kosumi_hex::{Hex, HexMove, HexRules};
    use kosumi_record::GameKind;

    /// Hex with playouts that fail.
    struct Faulty;
    struct Failing;

    impl Playout<Hex> for Failing {
        fn run(&mut self, _: &Hex, _: &mut Rng, _: &mut Trace) -> Reward {
            panic!("a playout failed on purpose");
        }
    }

    impl Kit for Faulty {
        type Game = Hex;
        type Playout = Failing;
        type Knowledge = NoKnowledge;

        fn mind(_: &EngineParams, _: &Hex, _: u64) -> Result<Mind<Self>, EngineError> {
            Ok(Mind::without_weights(Box::new(|| Failing), NoKnowledge))
        }
        fn start(start: &Start, _: &EngineParams) -> Result<Hex, EngineError> {
            Hex::new(start.size, HexRules::default()).map_err(|e| EngineError::Setup(e.to_string()))
        }
        fn set_up(like: &Hex, _: &[(Colour, HexMove)], _: Colour) -> Result<Hex, EngineError> {
            Ok(like.clone())
        }
        fn to_move(game: &Hex) -> Colour {
            match game.colour_to_move() {
                kosumi_hex::Colour::Black => Colour::Black,
                kosumi_hex::Colour::White => Colour::White,
            }
        }
        fn set_turn(_: &mut Hex, _: Colour) {}
        fn stone(_: &Hex, _: HexMove) -> Option<Colour> {
            None
        }
        fn result(_: &Hex) -> Option<GameResult> {
            None
        }
        fn show(game: &Hex) -> String {
            game.to_string()
        }
        fn moves_left(_: &Hex) -> f64 {
            10.0
        }
    }

    #[test]
    fn a_failing_search_is_told_of_once_and_the_position_stays() {
        let mut params = EngineParams::new(GameKind::Hex);
        params.search.memory_mb = 4;
        let start = Start { size: 5, go: kosumi_go::Rules::CHINESE };
        let mut player = Seated::<Faulty>::new(&start, &params, Resources::private(4)).unwrap();
        player.play(Colour::Black, "c3").unwrap();
        for _ in 0..2 {
            let thinking = player.think(Colour::White, Limits::simulations(100), &[]).unwrap();
            thinking.wait();
            let error = player.halt().unwrap_err().to_string();
            assert!(error.contains("failed on purpose"), "{error}");
            player.halt().unwrap();
        }
        assert_eq!(player.moves().len(), 1);
        player.play(Colour::White, "c4").unwrap();
    }
}
