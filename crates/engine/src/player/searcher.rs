//! What a seated player searches with: the tree of simulations, or another search that answers in
//! the same words.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use kosumi_game::{Game, Knowledge, Playout};
use kosumi_search::{
    EvaluateAt, Limits, Outdated, Search, SearchHandle, SearchParams, Snapshot, StartOptions,
    TreeFacts, TreeView,
};

use super::{Kit, Mind, NetEvaluator};
use crate::error::EngineError;
use crate::params::EngineParams;
use crate::resources::{Reservation, Resources};
use crate::weights::WeightsInUse;

/// A search that follows a game. Every method that changes something ends a running search first.
pub(crate) trait Searcher<G: Game>: Send {
    /// The position that is searched.
    fn position(&self) -> &G;

    /// Puts up another position.
    fn set_position(&mut self, position: G);

    /// Plays a legal move.
    fn advance(&mut self, mv: G::Move);

    fn set_params(&mut self, params: SearchParams) -> Result<(), EngineError>;

    /// Searches in the background. Restrictions that a search cannot keep are an error.
    fn start(
        &mut self,
        limits: Limits,
        options: &StartOptions<G::Move>,
    ) -> Result<Box<dyn Running<G>>, EngineError>;

    /// Ends a running search. Panics if a thread of it did.
    fn stop(&mut self);

    /// Ends a running search, whatever becomes of it, and frees what it can.
    fn stop_for_good(&mut self);

    /// Recomputes the whole tree and compares.
    fn verify(&mut self) -> Result<TreeFacts, EngineError>;
}

/// A running or finished search, from any thread.
pub(crate) trait Running<G: Game>: Send + Sync {
    fn stop(&self);
    fn is_running(&self) -> bool;
    fn wait(&self);
    fn wait_for(&self, time: Duration) -> bool;
    fn snapshot(&self) -> Result<Snapshot<G::Move>, Outdated>;
    fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeView<G::Move>, Outdated>;
}

/// A search, and the weights that it thinks with.
pub(crate) struct Searching<G: Game> {
    pub search: Box<dyn Searcher<G>>,
    pub weights: Vec<WeightsInUse>,
    /// The memory of all of it.
    pub reservation: Reservation,
}

/// A tree of simulations.
pub(crate) fn tree_search<K: Kit>(
    params: &EngineParams,
    position: K::Game,
    resources: &Arc<Resources>,
) -> Result<Searching<K::Game>, EngineError> {
    let reservation = resources.reserve(params.search.memory_mb, K::evaluates(params))?;
    let bytes = reservation.bytes();
    let mind = K::mind(params, &position, bytes)?;
    let Mind { playouts, knowledge, weights, prover, evaluator } = mind;
    let search_params = tree_params::<K>(params, bytes);
    let mut search = Search::new(position, search_params, playouts, knowledge)?;
    search.set_prover(prover);
    search.set_evaluator(evaluator.map(|NetEvaluator { evaluator, hash, visits }| EvaluateAt {
        evaluator: resources.cached(evaluator, hash),
        visits,
    }));
    Ok(Searching { search: Box::new(search), weights, reservation })
}

/// The parameters of a search whose engine has so many bytes: the tree has what nothing else takes.
pub(crate) fn tree_params<K: Kit>(params: &EngineParams, bytes: u64) -> SearchParams {
    let tree = bytes.saturating_sub(K::bytes_beside_the_tree(params, bytes));
    SearchParams { memory_mb: (tree >> 20).max(1) as usize, ..params.search.clone() }
}

impl<G, P, K> Searcher<G> for Search<G, P, K>
where
    G: Game,
    P: Playout<G> + 'static,
    K: Knowledge<G>,
    K::Worker: 'static,
{
    fn position(&self) -> &G {
        self.position()
    }

    fn set_position(&mut self, position: G) {
        self.set_position(position);
    }

    fn advance(&mut self, mv: G::Move) {
        self.advance(mv);
    }

    fn set_params(&mut self, params: SearchParams) -> Result<(), EngineError> {
        Ok(self.set_params(params)?)
    }

    fn start(
        &mut self,
        limits: Limits,
        options: &StartOptions<G::Move>,
    ) -> Result<Box<dyn Running<G>>, EngineError> {
        Ok(Box::new(self.start_with(limits, options)?))
    }

    fn stop(&mut self) {
        self.stop();
    }

    fn stop_for_good(&mut self) {
        // A panic of a search that is given up is of no interest.
        let _ = catch_unwind(AssertUnwindSafe(|| self.stop()));
        self.free_memory();
    }

    fn verify(&mut self) -> Result<TreeFacts, EngineError> {
        self.verify().map_err(|error| EngineError::Internal(error.to_string()))
    }
}

impl<G: Game> Running<G> for SearchHandle<G> {
    fn stop(&self) {
        self.stop();
    }

    fn is_running(&self) -> bool {
        self.is_running()
    }

    fn wait(&self) {
        self.wait();
    }

    fn wait_for(&self, time: Duration) -> bool {
        self.wait_for(time)
    }

    fn snapshot(&self) -> Result<Snapshot<G::Move>, Outdated> {
        self.snapshot()
    }

    fn tree(&self, levels: usize, min_visits: u64) -> Result<TreeView<G::Move>, Outdated> {
        self.tree(levels, min_visits)
    }
}
