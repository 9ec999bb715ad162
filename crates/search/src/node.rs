//! The two records of the tree as views on arena words: a node (one line) and an edge (three words).
//!
//! Every field's comment says who writes it and with which ordering. Values are from the viewpoint
//! of the player who moved into the node; edges speak for the player to move at their node.

use crate::arena::{LINE_WORDS, LineId, NONE};
use crate::rave::FADE_UNIT;
use crate::sync::{AtomicU64, Ordering};
use kosumi_game::{Player, Reward, Value};

/// Rewards are added up in fixed point, so that sums are exact and additions commute.
pub(crate) const ONE: u64 = 1 << 30;

/// A value in fixed point.
#[inline]
pub(crate) fn to_fixed(value: Value) -> u64 {
    (f64::from(value.get()) * ONE as f64) as u64
}

/// What is proven about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// With best play this player wins.
    Win(Player),
    /// With best play nobody wins.
    Draw,
}

impl Proof {
    /// The proof that a final result gives; partial rewards prove nothing.
    pub(crate) fn from_reward(reward: Reward) -> Option<Proof> {
        match reward.winner() {
            Some(player) => Some(Proof::Win(player)),
            None => (reward == Reward::DRAW).then_some(Proof::Draw),
        }
    }

    /// The result that the proof promises.
    #[must_use]
    pub fn reward(self) -> Reward {
        match self {
            Proof::Win(player) => Reward::win(player),
            Proof::Draw => Reward::DRAW,
        }
    }

    fn code(self) -> u64 {
        match self {
            Proof::Win(Player::First) => 1,
            Proof::Win(Player::Second) => 2,
            Proof::Draw => 3,
        }
    }

    fn from_code(code: u64) -> Option<Proof> {
        match code & PROOF_MASK {
            1 => Some(Proof::Win(Player::First)),
            2 => Some(Proof::Win(Player::Second)),
            3 => Some(Proof::Draw),
            _ => None,
        }
    }
}

/// Where a node's edges are, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) edges: LineId,
    pub(crate) count: u16,
}

impl Links {
    fn pack(self) -> u64 {
        u64::from(self.edges) | u64::from(self.count) << 32
    }
    fn unpack(word: u64) -> Option<Links> {
        let edges = word as u32;
        (edges != NONE).then_some(Links { edges, count: (word >> 32) as u16 })
    }
}

/// Depth and width of a node's searched subtree (T1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) depth: u32,
    pub(crate) width: u32,
}

impl Shape {
    /// A node without visited children.
    pub(crate) const LEAF: Shape = Shape { depth: 1, width: 1 };

    fn pack(self) -> u64 {
        u64::from(self.depth) | u64::from(self.width) << 32
    }
    fn unpack(word: u64) -> Shape {
        Shape { depth: word as u32, width: (word >> 32) as u32 }
    }
}

const PROOF_MASK: u64 = 0b11;
/// Set when the proof came from knowledge or the rules rather than from the children.
const ASSERTED: u64 = 1 << 2;
/// Set by the one thread that may ask the evaluator about the node.
const EVALUATED: u64 = 1 << 3;
const STAGE_SHIFT: u32 = 8;
const VALUE_SHIFT: u32 = 16;
const VALUE_MASK: u64 = 0xffff;
const CLOSED_SHIFT: u32 = 32;
const CHILDREN_SHIFT: u32 = 48;
const LOSS_SHIFT: u32 = 32;

/// A node: one line of eight words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a>(&'a [AtomicU64; LINE_WORDS]);

const _: () = assert!(size_of::<u64>() * LINE_WORDS == 64, "a node is exactly 64 bytes");

impl<'a> Node<'a> {
    #[inline]
    pub(crate) fn new(words: &'a [AtomicU64]) -> Self {
        Self(words.try_into().expect("a node is one line"))
    }

    /// Simulations through here that are complete. `fetch_add` at backup, relaxed.
    #[inline]
    fn visits_word(self) -> &'a AtomicU64 {
        &self.0[0]
    }
    /// Their values for the player who moved here, in fixed point. `fetch_add` at backup, relaxed;
    /// a reader may see a sum without its visit.
    #[inline]
    fn sum_word(self) -> &'a AtomicU64 {
        &self.0[1]
    }
    /// [`Shape`]: depth by maximum, width by addition, at the backup of a simulation that made a
    /// node; relaxed.
    #[inline]
    fn shape_word(self) -> &'a AtomicU64 {
        &self.0[2]
    }
    /// [`Links`]: 0 until one thread publishes complete edges by compare-exchange, Release; read
    /// with Acquire.
    #[inline]
    fn links_word(self) -> &'a AtomicU64 {
        &self.0[3]
    }
    /// Low half: line of the move order (0: the edges' own), replaced whole with Release, read with
    /// Acquire. High half: simulations on their way through here (virtual loss), relaxed.
    #[inline]
    fn order_word(self) -> &'a AtomicU64 {
        &self.0[4]
    }
    /// Proof (2 bits), [`ASSERTED`] and [`EVALUATED`], knowledge stages run (8 bits), what an
    /// evaluation says for the player to move here (16 bits: 0 for none, else 1 more than the value
    /// in parts of 65,534), closed edges (16 bits), visited children (16 bits). AcqRel on all
    /// changes; the value is written once, relaxed.
    #[inline]
    fn state_word(self) -> &'a AtomicU64 {
        &self.0[5]
    }
    /// Simulations that ended here, and, after recycling, those of forgotten children. `fetch_add`,
    /// relaxed.
    #[inline]
    fn own_visits_word(self) -> &'a AtomicU64 {
        &self.0[6]
    }
    /// Their values, as in the sum. `fetch_add`, relaxed.
    #[inline]
    fn own_sum_word(self) -> &'a AtomicU64 {
        &self.0[7]
    }

    /// A node that nobody visited. The line is not shared yet; its link publishes it.
    pub(crate) fn initialise(self) {
        for word in self.0 {
            word.store(0, Ordering::Relaxed);
        }
        self.shape_word().store(Shape::LEAF.pack(), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn visits(self) -> u64 {
        self.visits_word().load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn sum(self) -> u64 {
        self.sum_word().load(Ordering::Relaxed)
    }

    /// Mean value for the player who moved here, clamped because the sum may run ahead of the
    /// visits; ½ before the first visit.
    pub(crate) fn mean(self) -> f32 {
        mean(self.visits(), self.sum())
    }

    #[inline]
    pub(crate) fn in_flight(self) -> u32 {
        (self.order_word().load(Ordering::Relaxed) >> LOSS_SHIFT) as u32
    }

    #[inline]
    pub(crate) fn enter(self) {
        self.order_word().fetch_add(1 << LOSS_SHIFT, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn leave(self) {
        self.order_word().fetch_sub(1 << LOSS_SHIFT, Ordering::Relaxed);
    }

    /// Counts one complete simulation.
    #[inline]
    pub(crate) fn add_visit(self, value: u64) {
        self.sum_word().fetch_add(value, Ordering::Relaxed);
        self.visits_word().fetch_add(1, Ordering::Relaxed);
    }

    /// Counts simulations that were made elsewhere, of which so many did not go on to a child that is
    /// here. Differences, which may be below 0 for the node's own.
    pub(crate) fn add_foreign(self, visits: u64, sum: u64, own: (u64, u64)) {
        self.own_sum_word().fetch_add(own.1, Ordering::Relaxed);
        self.own_visits_word().fetch_add(own.0, Ordering::Relaxed);
        self.sum_word().fetch_add(sum, Ordering::Relaxed);
        self.visits_word().fetch_add(visits, Ordering::Relaxed);
    }

    /// Notes that the simulation ended in this very node.
    #[inline]
    pub(crate) fn add_own(self, value: u64) {
        self.own_sum_word().fetch_add(value, Ordering::Relaxed);
        self.own_visits_word().fetch_add(1, Ordering::Relaxed);
    }

    /// `(visits, sum)` of the simulations that ended here.
    pub(crate) fn own(self) -> (u64, u64) {
        (
            self.own_visits_word().load(Ordering::Relaxed),
            self.own_sum_word().load(Ordering::Relaxed),
        )
    }

    #[inline]
    pub(crate) fn shape(self) -> Shape {
        Shape::unpack(self.shape_word().load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn widen(self) {
        self.shape_word().fetch_add(1 << 32, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn deepen(self, depth: u32) {
        // Most simulations do not deepen the tree: look before writing.
        let _ = self.shape_word().fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| {
            let shape = Shape::unpack(word);
            (shape.depth < depth).then(|| Shape { depth, ..shape }.pack())
        });
    }

    #[inline]
    pub(crate) fn links(self) -> Option<Links> {
        Links::unpack(self.links_word().load(orderings::LINKS_READ))
    }

    /// Publishes complete edges; false if another thread was first.
    pub(crate) fn publish_links(self, links: Links) -> bool {
        self.links_word()
            .compare_exchange(0, links.pack(), orderings::LINKS_PUBLISH, Ordering::Relaxed)
            .is_ok()
    }

    #[inline]
    pub(crate) fn order(self) -> LineId {
        self.order_word().load(orderings::ORDER_READ) as u32
    }

    /// Replaces the move order by the complete one at `order`.
    pub(crate) fn publish_order(self, order: LineId) {
        let _ =
            self.order_word().fetch_update(orderings::ORDER_PUBLISH, Ordering::Relaxed, |word| {
                Some(word & !u64::from(u32::MAX) | u64::from(order))
            });
    }

    #[inline]
    pub(crate) fn proof(self) -> Option<Proof> {
        Proof::from_code(self.state_word().load(Ordering::Acquire))
    }

    pub(crate) fn is_asserted(self) -> bool {
        self.state_word().load(Ordering::Acquire) & ASSERTED != 0
    }

    /// Notes a proof; true for the one thread that was first.
    pub(crate) fn prove(self, proof: Proof, asserted: bool) -> bool {
        let bits = proof.code() | if asserted { ASSERTED } else { 0 };
        self.state_word()
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                (state & PROOF_MASK == 0).then_some(state | bits)
            })
            .is_ok()
    }

    /// Knowledge stages that have run or are being run.
    #[inline]
    pub(crate) fn stage(self) -> usize {
        (self.state_word().load(Ordering::Relaxed) >> STAGE_SHIFT & 0xff) as usize
    }

    /// Takes knowledge stage `stage`; true for the one thread that may run it.
    pub(crate) fn take_stage(self, stage: usize) -> bool {
        let at = |state: u64| (state >> STAGE_SHIFT & 0xff) as usize;
        self.state_word()
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                (at(state) == stage).then(|| state + (1 << STAGE_SHIFT))
            })
            .is_ok()
    }

    /// Takes the evaluation of this node; true for the one thread that may ask for it.
    pub(crate) fn take_evaluation(self) -> bool {
        self.state_word().fetch_or(EVALUATED, Ordering::AcqRel) & EVALUATED == 0
    }

    /// Whether the node is evaluated or being evaluated.
    #[inline]
    pub(crate) fn is_evaluated(self) -> bool {
        self.state_word().load(Ordering::Relaxed) & EVALUATED != 0
    }

    /// Notes what an evaluation says for the player to move here; the first one stays.
    pub(crate) fn set_value(self, value: Value) {
        let code = 1 + (value.get() * 65_534.0).round() as u64;
        let _ = self.state_word().fetch_update(Ordering::Relaxed, Ordering::Relaxed, |state| {
            (state >> VALUE_SHIFT & VALUE_MASK == 0).then_some(state | code << VALUE_SHIFT)
        });
    }

    /// What an evaluation says for the player to move here, if there was one.
    #[inline]
    pub(crate) fn value(self) -> Option<Value> {
        let code = self.state_word().load(Ordering::Relaxed) >> VALUE_SHIFT & VALUE_MASK;
        (code != 0).then(|| Value::new((code - 1) as f32 / 65_534.0))
    }

    /// Counts one more closed edge and gives the new number; when that is all of them, the caller
    /// has seen what every other closer did before.
    pub(crate) fn add_closed(self) -> u16 {
        let before = self.state_word().fetch_add(1 << CLOSED_SHIFT, orderings::CLOSED_COUNT);
        (before >> CLOSED_SHIFT) as u16 + 1
    }

    pub(crate) fn closed(self) -> u16 {
        (self.state_word().load(Ordering::Acquire) >> CLOSED_SHIFT) as u16
    }

    /// Counts a new child; true for the first one.
    #[inline]
    pub(crate) fn add_child(self) -> bool {
        self.state_word().fetch_add(1 << CHILDREN_SHIFT, Ordering::AcqRel) >> CHILDREN_SHIFT == 0
    }

    pub(crate) fn children(self) -> u16 {
        (self.state_word().load(Ordering::Acquire) >> CHILDREN_SHIFT) as u16
    }

    /// Forgets the children and keeps their simulations as its own. Nobody else is running.
    pub(crate) fn make_leaf(self) {
        self.own_visits_word().store(self.visits(), Ordering::Relaxed);
        self.own_sum_word().store(self.sum(), Ordering::Relaxed);
        self.links_word().store(0, Ordering::Relaxed);
        self.order_word().store(0, Ordering::Relaxed);
        self.shape_word().store(Shape::LEAF.pack(), Ordering::Relaxed);
        let proof = self.state_word().load(Ordering::Relaxed) & PROOF_MASK;
        let asserted = if proof != 0 { ASSERTED } else { 0 };
        self.state_word().store(proof | asserted, Ordering::Relaxed);
    }

    /// Writes a recomputed shape. Nobody else is running.
    pub(crate) fn set_shape(self, shape: Shape) {
        self.shape_word().store(shape.pack(), Ordering::Relaxed);
    }

    /// Points to where edges and order have moved. Nobody else is running.
    pub(crate) fn relocate(self, links: Links, order: LineId) {
        self.links_word().store(links.pack(), Ordering::Relaxed);
        self.order_word().store(u64::from(order), Ordering::Relaxed);
    }
}

/// The mean of fixed-point values, clamped to `[0, 1]`.
#[inline]
pub(crate) fn mean(visits: u64, sum: u64) -> f32 {
    if visits == 0 {
        return 0.5;
    }
    (sum as i64 as f64 / (visits as i64 as f64 * ONE as f64)).min(1.0) as f32
}

/// Words of an edge: 24 bytes.
pub(crate) const EDGE_WORDS: usize = 3;

const RAVE_FRACTION: u32 = 16;
const RAVE_SUM_BITS: u32 = 40;
const RAVE_SUM_MASK: u64 = (1 << RAVE_SUM_BITS) - 1;
/// RAVE counts stop here, before count or sum could overflow.
const RAVE_MAX: u64 = (1 << 24) - FADE_UNIT;
const CLOSED: u64 = 1 << 16;
const VIRTUAL_COUNT_SHIFT: u32 = 32;
const VIRTUAL_VALUE_SHIFT: u32 = 48;
/// Virtual games are counted in sixteenths, up to 4,095.
const VIRTUAL_UNIT: f32 = 16.0;

/// One game of a value, as RAVE words add it up.
#[inline]
pub(crate) fn rave_game(value: Value) -> u64 {
    (1 << RAVE_SUM_BITS) + (value.get() * (1u32 << RAVE_FRACTION) as f32) as u64
}

/// What an edge knows before its move is visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EdgePrior {
    pub(crate) probability: f32,
    pub(crate) virtual_count: f32,
    pub(crate) virtual_value: f32,
}

/// An edge: three words, one legal move of a node. A node's edges lie in one record, but each kind
/// of word by itself, so that RAVE, written in every simulation, takes only its own cache lines away
/// from other threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'a> {
    /// RAVE count (24 bits) over sum (40 bits, 16 of them fraction), for the player to move.
    /// Relaxed load and store: threads may lose one another's updates, which costs less than
    /// keeping them would.
    rave_word: &'a AtomicU64,
    /// Low half: the child, 0 until one thread publishes it by compare-exchange, Release; read with
    /// Acquire. High half: P(m) as `f32`, replaced when better knowledge arrives, relaxed.
    child_word: &'a AtomicU64,
    /// Move (16 bits), [`CLOSED`] (set once by `fetch_or`, AcqRel), virtual games (two times 16
    /// bits, replaced when better knowledge arrives, relaxed).
    move_word: &'a AtomicU64,
}

impl<'a> Edge<'a> {
    /// The edges in a record of [`EDGE_WORDS`] words for each of `count`.
    #[inline]
    pub(crate) fn all(record: &'a [AtomicU64], count: u16) -> impl ExactSizeIterator<Item = Self> {
        let (rave_words, others) = record.split_at(usize::from(count));
        let (child_words, move_words) = others.split_at(usize::from(count));
        rave_words
            .iter()
            .zip(child_words)
            .zip(move_words)
            .map(|((rave_word, child_word), move_word)| Edge { rave_word, child_word, move_word })
    }

    /// The edge at a place of such a record.
    #[inline]
    pub(crate) fn at(record: &'a [AtomicU64], count: u16, place: u16) -> Self {
        debug_assert!(place < count);
        let (count, place) = (usize::from(count), usize::from(place));
        Edge {
            rave_word: &record[place],
            child_word: &record[count + place],
            move_word: &record[2 * count + place],
        }
    }

    /// An edge that nobody visited. Not shared yet; the links publish it.
    pub(crate) fn initialise(self, mv: u16, prior: EdgePrior) {
        self.rave_word.store(0, Ordering::Relaxed);
        self.child_word.store(u64::from(prior.probability.to_bits()) << 32, Ordering::Relaxed);
        self.move_word.store(u64::from(mv) | virtual_bits(prior), Ordering::Relaxed);
    }

    /// Replaces the prior; relaxed, readers may see parts of both.
    pub(crate) fn set_prior(self, prior: EdgePrior) {
        let _ = self.child_word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |word| {
            Some(word & u64::from(u32::MAX) | u64::from(prior.probability.to_bits()) << 32)
        });
        let _ = self.move_word.fetch_update(Ordering::AcqRel, Ordering::Acquire, |word| {
            Some(word & u64::from(u32::MAX) | virtual_bits(prior))
        });
    }

    #[inline]
    pub(crate) fn mv(self) -> u16 {
        self.move_word.load(Ordering::Relaxed) as u16
    }

    /// Move, closed, virtual count and virtual value in one load.
    #[inline]
    pub(crate) fn facts(self) -> EdgeFacts {
        EdgeFacts(self.move_word.load(Ordering::Relaxed))
    }

    /// `(child, P(m))` in one load.
    #[inline]
    pub(crate) fn child_and_prior(self) -> (LineId, f32) {
        let word = self.child_word.load(orderings::CHILD_READ);
        (word as u32, f32::from_bits((word >> 32) as u32))
    }

    #[inline]
    pub(crate) fn child(self) -> LineId {
        self.child_and_prior().0
    }

    /// Publishes a complete child; the child that is there if another thread was first.
    pub(crate) fn publish_child(self, child: LineId) -> Result<(), LineId> {
        let mut seen = self.child_word.load(Ordering::Acquire);
        loop {
            if seen as u32 != NONE {
                return Err(seen as u32);
            }
            match self.child_word.compare_exchange_weak(
                seen,
                seen | u64::from(child),
                orderings::CHILD_PUBLISH,
                Ordering::Acquire,
            ) {
                Ok(_) => return Ok(()),
                Err(now) => seen = now,
            }
        }
    }

    /// `(count, sum)` of RAVE, the sum as a number of wins.
    #[inline]
    pub(crate) fn rave(self) -> (f32, f32) {
        let word = self.rave_word.load(Ordering::Relaxed);
        let count = (word >> RAVE_SUM_BITS) as i64 as f32;
        let sum = (word & RAVE_SUM_MASK) as i64 as f32 * (1.0 / (1u32 << RAVE_FRACTION) as f32);
        (count, sum)
    }

    /// Adds `games` of RAVE ([`rave_game`]), or nothing if `counts` is false. Written without a
    /// branch: whether a move was played is a coin toss that no processor predicts.
    #[inline]
    pub(crate) fn add_rave(self, games: u64, counts: bool) {
        let word = self.rave_word.load(Ordering::Relaxed);
        let counts = counts & (word >> RAVE_SUM_BITS < RAVE_MAX);
        self.rave_word.store(word + games * u64::from(counts), Ordering::Relaxed);
    }

    /// Takes the move out of the search; true for the one thread that was first.
    pub(crate) fn close(self) -> bool {
        self.move_word.fetch_or(CLOSED, Ordering::AcqRel) & CLOSED == 0
    }

    /// Points to where the child has moved. Nobody else is running.
    pub(crate) fn relocate(self, child: LineId) {
        let word = self.child_word.load(Ordering::Relaxed);
        self.child_word.store(word & !u64::from(u32::MAX) | u64::from(child), Ordering::Relaxed);
    }
}

fn virtual_bits(prior: EdgePrior) -> u64 {
    let count = (prior.virtual_count * VIRTUAL_UNIT).clamp(0.0, 65_535.0) as u64;
    let value = (prior.virtual_value * 65_535.0).clamp(0.0, 65_535.0) as u64;
    count << VIRTUAL_COUNT_SHIFT | value << VIRTUAL_VALUE_SHIFT
}

/// The third word of an edge, read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeFacts(u64);

impl EdgeFacts {
    #[inline]
    pub(crate) fn mv(self) -> u16 {
        self.0 as u16
    }
    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }
    #[inline]
    pub(crate) fn virtual_count(self) -> f32 {
        f32::from((self.0 >> VIRTUAL_COUNT_SHIFT) as u16) * (1.0 / VIRTUAL_UNIT)
    }
    #[inline]
    pub(crate) fn virtual_value(self) -> f32 {
        f32::from((self.0 >> VIRTUAL_VALUE_SHIFT) as u16) * (1.0 / 65_535.0)
    }
}

/// The orderings that carry the protocol, named so that a loom run can weaken one at a time and
/// show that the models notice: `RUSTFLAGS="--cfg loom --cfg weaken=\"links\""` and so on.
mod orderings {
    use super::Ordering;

    pub(super) const LINKS_PUBLISH: Ordering = weakened(cfg!(weaken = "links"), Ordering::Release);
    pub(super) const LINKS_READ: Ordering =
        weakened(cfg!(weaken = "links_read"), Ordering::Acquire);
    pub(super) const CHILD_PUBLISH: Ordering = weakened(cfg!(weaken = "child"), Ordering::Release);
    pub(super) const CHILD_READ: Ordering =
        weakened(cfg!(weaken = "child_read"), Ordering::Acquire);
    pub(super) const ORDER_PUBLISH: Ordering = weakened(cfg!(weaken = "order"), Ordering::Release);
    pub(super) const ORDER_READ: Ordering =
        weakened(cfg!(weaken = "order_read"), Ordering::Acquire);
    pub(super) const CLOSED_COUNT: Ordering = weakened(cfg!(weaken = "closed"), Ordering::AcqRel);

    const fn weakened(weaken: bool, ordering: Ordering) -> Ordering {
        if weaken { Ordering::Relaxed } else { ordering }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn words(count: usize) -> Vec<AtomicU64> {
        (0..count).map(|_| AtomicU64::new(u64::MAX)).collect()
    }

    #[test]
    fn a_fresh_node_is_an_unvisited_leaf() {
        let line = words(LINE_WORDS);
        let node = Node::new(&line);
        node.initialise();
        assert_eq!((node.visits(), node.sum(), node.in_flight()), (0, 0, 0));
        assert_eq!(node.shape(), Shape::LEAF);
        assert_eq!((node.links(), node.order(), node.proof()), (None, NONE, None));
        assert_eq!((node.closed(), node.children(), node.stage()), (0, 0, 0));
        assert_eq!(node.mean(), 0.5);
    }

    #[test]
    fn fields_of_a_node_do_not_touch_one_another() {
        let line = words(LINE_WORDS);
        let node = Node::new(&line);
        node.initialise();
        node.enter();
        node.publish_order(77);
        assert_eq!(node.add_closed(), 1);
        assert!(node.add_child());
        assert!(!node.add_child());
        assert!(node.take_stage(0));
        assert!(!node.take_stage(0));
        assert!(node.prove(Proof::Draw, false));
        assert!(!node.prove(Proof::Win(Player::First), false));
        assert_eq!(node.add_closed(), 2);
        node.widen();
        node.deepen(9);
        node.deepen(4);
        assert!(node.publish_links(Links { edges: 5, count: 361 }));
        assert!(!node.publish_links(Links { edges: 6, count: 361 }));
        assert_eq!(node.order(), 77);
        assert_eq!(node.in_flight(), 1);
        assert_eq!(node.children(), 2);
        assert_eq!(node.stage(), 1);
        assert_eq!(node.proof(), Some(Proof::Draw));
        assert_eq!(node.shape(), Shape { depth: 9, width: 2 });
        assert_eq!(node.links(), Some(Links { edges: 5, count: 361 }));
        node.leave();
        assert_eq!(node.in_flight(), 0);
        assert!(node.links().is_some_and(|l| l.edges == 5), "leaving keeps the links");
    }

    #[test]
    fn means_are_exact_and_clamped() {
        let line = words(LINE_WORDS);
        let node = Node::new(&line);
        node.initialise();
        for _ in 0..3 {
            node.add_visit(to_fixed(Value::new(1.0)));
        }
        node.add_visit(to_fixed(Value::new(0.0)));
        assert_eq!(node.mean(), 0.75);
        // A sum without its visit.
        assert_eq!(mean(1, 3 * ONE), 1.0);
    }

    #[test]
    fn an_edge_keeps_its_parts_apart() {
        let edge_words = words(EDGE_WORDS);
        let edge = Edge::at(&edge_words, 1, 0);
        let prior = EdgePrior { probability: 0.125, virtual_count: 20.0, virtual_value: 1.0 };
        edge.initialise(440, prior);
        assert_eq!(edge.publish_child(9), Ok(()));
        assert_eq!(edge.publish_child(10), Err(9));
        assert_eq!(edge.child_and_prior(), (9, 0.125));
        assert!(edge.close());
        assert!(!edge.close());
        edge.add_rave(rave_game(Value::new(0.5)), true);
        edge.add_rave(rave_game(Value::new(1.0)), true);
        edge.add_rave(rave_game(Value::new(1.0)), false);
        assert_eq!(edge.rave(), (2.0, 1.5));
        edge.set_prior(EdgePrior { probability: 0.5, virtual_count: 3.5, virtual_value: 0.0 });
        let facts = edge.facts();
        assert_eq!((facts.mv(), facts.is_closed(), facts.virtual_count()), (440, true, 3.5));
        assert_eq!(edge.child_and_prior(), (9, 0.5));
    }

    #[test]
    fn rave_stops_before_it_overflows() {
        let edge_words = words(EDGE_WORDS);
        let edge = Edge::at(&edge_words, 1, 0);
        edge.initialise(0, EdgePrior { probability: 1.0, virtual_count: 0.0, virtual_value: 0.0 });
        edge.rave_word.store(
            (RAVE_MAX - 1) << RAVE_SUM_BITS | (RAVE_MAX - 1) << RAVE_FRACTION,
            Ordering::Relaxed,
        );
        for _ in 0..10 {
            edge.add_rave(rave_game(Value::new(1.0)), true);
        }
        assert_eq!(edge.rave(), (RAVE_MAX as f32, RAVE_MAX as f32));
    }
}
