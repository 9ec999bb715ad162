//! What a seated player searches with: the tree of simulations, or another search that answers in
//! the same words.

use kosumi_game::{Game, Knowledge, Playout};
use kosumi_search::{Limits, Search, SearchHandle, SearchParams, Snapshot, TreeFacts, TreeView};

use super::{Kit, Mind};
use crate::error::EngineError;
use crate::params::EngineParams;
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

    /// Searches in the background.
    fn start(&mut self, limits: Limits) -> Box<dyn Running<G>>;

    /// Ends a running search. Panics if a thread of it did.
    fn stop(&mut self);

    /// Recomputes the whole tree and compares.
    fn verify(&mut self) -> Result<TreeFacts, EngineError>;
}

/// A running or finished search, from any thread.
pub(crate) trait Running<G: Game>: Send + Sync {
    fn stop(&self);
    fn is_running(&self) -> bool;
    fn wait(&self);
    fn snapshot(&self) -> Snapshot<G::Move>;
    fn tree(&self, levels: usize, min_visits: u64) -> TreeView<G::Move>;
}

/// A search, and the weights that it thinks with.
pub(crate) type Searching<G> = (Box<dyn Searcher<G>>, Vec<WeightsInUse>);

/// A tree of simulations.
pub(crate) fn tree_search<K: Kit>(
    params: &EngineParams,
    position: K::Game,
) -> Result<Searching<K::Game>, EngineError> {
    let Mind { playouts, knowledge, weights, prover } = K::mind(params, &position)?;
    let mut search = Search::new(position, params.search.clone(), playouts, knowledge)?;
    search.set_prover(prover);
    Ok((Box::new(search), weights))
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

    fn start(&mut self, limits: Limits) -> Box<dyn Running<G>> {
        Box::new(self.start(limits))
    }

    fn stop(&mut self) {
        self.stop();
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

    fn snapshot(&self) -> Snapshot<G::Move> {
        self.snapshot()
    }

    fn tree(&self, levels: usize, min_visits: u64) -> TreeView<G::Move> {
        self.tree(levels, min_visits)
    }
}
