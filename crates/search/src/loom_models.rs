//! Every interleaving of two and three threads over the protocol of the tree.
//!
//! Run: `RUSTFLAGS="--cfg loom" LOOM_MAX_PREEMPTIONS=3 cargo test -p kosumi-search --release loom`.
//! With `--cfg weaken="NAME"` added, the ordering of that name (see `node::orderings`) becomes
//! Relaxed and the model named after it must fail: that is how `scripts/loom` shows that the models
//! would notice.

use loom::sync::Arc;
use loom::thread;

use crate::arena::{NONE, Reserve};
use crate::cache::EvaluationCache;
use crate::delta::{Absent, NodeDelta, TreeDelta, Weight};
use crate::node::ONE;
use crate::node::{EdgePrior, Proof, Shape};
use crate::tree::{Full, NewEdge, Step, Tree};
use kosumi_game::{Evaluation, Game, Player, Reward, Turn};

/// Two moves, none of them 0, so that an edge that is read before it is written shows.
fn moves() -> [NewEdge; 2] {
    [7, 9].map(|mv| NewEdge {
        mv,
        prior: EdgePrior { probability: 0.5, virtual_count: 1.0, virtual_value: 1.0 },
        pruned: false,
    })
}

/// What any reader must see behind published links.
fn read_everything(tree: &Tree) {
    let root = tree.node(tree.root());
    let Some(links) = root.links() else { return };
    assert_eq!(links.count, 2);
    for (edge, new) in tree.edges(links).zip(moves()) {
        assert_eq!(edge.mv(), new.mv, "an edge was read before it was written");
        let (child, prior) = edge.child_and_prior();
        assert_eq!(prior, 0.5);
        if child != NONE {
            let node = tree.node(child);
            assert_eq!(node.shape(), Shape::LEAF, "a node was read before it was written");
        }
    }
}

fn spawn(tree: &Arc<Tree>, action: impl FnOnce(&Tree) + Send + 'static) -> thread::JoinHandle<()> {
    let tree = Arc::clone(tree);
    thread::spawn(move || action(&tree))
}

#[test]
fn loom_two_threads_expand_one_leaf() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(8).expect("memory"));
        let expand = |tree: &Tree| {
            let mut reserve = Reserve::default();
            let links = tree.expand(&mut reserve, tree.root(), &moves()).unwrap();
            assert_eq!(tree.node(tree.root()).links(), Some(links));
            read_everything(tree);
        };
        let other = spawn(&tree, expand);
        expand(&tree);
        other.join().unwrap();
    });
}

#[test]
fn loom_links_are_read_during_publication() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(8).expect("memory"));
        let writer = spawn(&tree, |tree| {
            let _ = tree.expand(&mut Reserve::default(), tree.root(), &moves());
        });
        let reader = spawn(&tree, read_everything);
        read_everything(&tree);
        writer.join().unwrap();
        reader.join().unwrap();
    });
}

#[test]
fn loom_a_child_is_made_by_two_threads_and_read_by_one() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(8).expect("memory"));
        let links = tree.expand(&mut Reserve::default(), tree.root(), &moves()).unwrap();
        let visit = move |tree: &Tree| {
            let mut reserve = Reserve::default();
            let (child, _) = tree.child(&mut reserve, tree.edge(links, 0)).unwrap();
            assert_eq!(
                tree.node(child).shape(),
                Shape::LEAF,
                "a node was read before it was written"
            );
            tree.node(child).enter();
        };
        let other = spawn(&tree, visit);
        let reader = spawn(&tree, read_everything);
        visit(&tree);
        other.join().unwrap();
        reader.join().unwrap();
        assert_eq!(tree.node(tree.edge(links, 0).child()).in_flight(), 2);
    });
}

#[test]
fn loom_the_arena_is_exhausted_in_the_middle_of_an_expansion() {
    loom::model(|| {
        // Line 0 is nothing, line 1 the root: one line is left for two expansions of one line each.
        let tree = Arc::new(Tree::new(3).expect("memory"));
        let expand = |tree: &Tree| {
            let mut reserve = Reserve::default();
            match tree.expand(&mut reserve, tree.root(), &moves()) {
                Ok(links) => {
                    let child = tree.child(&mut Reserve::default(), tree.edge(links, 0));
                    assert!(matches!(child, Err(Full)));
                }
                Err(Full) => {}
            }
            read_everything(tree);
        };
        let other = spawn(&tree, expand);
        expand(&tree);
        other.join().unwrap();
        assert!(tree.node(tree.root()).links().is_some(), "one of them had room");
        assert!(tree.arena.used() <= 3);
    });
}

#[test]
fn loom_an_order_is_replaced_while_it_is_read() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(8).expect("memory"));
        tree.expand(&mut Reserve::default(), tree.root(), &moves()).unwrap();
        let writer = spawn(&tree, |tree| {
            tree.replace_order(&mut Reserve::default(), tree.root(), &[1, 0]).unwrap();
        });
        let entering = spawn(&tree, |tree| tree.node(tree.root()).enter());
        let order = tree.node(tree.root()).order();
        if order != NONE {
            let places: Vec<u16> = tree.order(order, 2).collect();
            assert_eq!(places, [1, 0], "an order was read before it was written");
        }
        writer.join().unwrap();
        entering.join().unwrap();
        assert_eq!(tree.node(tree.root()).in_flight(), 1);
        assert_ne!(tree.node(tree.root()).order(), NONE);
    });
}

/// Two threads prove the two moves of a node, one drawn and one lost: the node is a draw.
#[test]
fn loom_the_last_two_moves_are_closed_at_once() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(12).expect("memory"));
        let mut reserve = Reserve::default();
        let root = tree.root();
        let links = tree.expand(&mut reserve, root, &moves()).unwrap();
        let children =
            [0, 1].map(|place| tree.child(&mut reserve, tree.edge(links, place)).unwrap().0);
        let prove = move |tree: &Tree, place: u16, proof: Proof| {
            let (node, made) = (children[usize::from(place)], false);
            let path = [
                Step { node: root, edge: 0, mover: Some(Player::Second), made: false },
                Step { node, edge: place, mover: Some(Player::First), made },
            ];
            if tree.node(node).prove(proof, true) {
                tree.propagate_proof(&path);
            }
        };
        let other = spawn(&tree, move |tree| prove(tree, 0, Proof::Draw));
        prove(&tree, 1, Proof::Win(Player::Second));
        other.join().unwrap();
        assert_eq!(tree.node(root).proof(), Some(Proof::Draw));
        assert_eq!(tree.node(root).closed(), 2);
    });
}

/// Three threads back up through one parent, two of them through the same new child.
#[test]
fn loom_backups_add_up() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(12).expect("memory"));
        let root = tree.root();
        let links = tree.expand(&mut Reserve::default(), root, &moves()).unwrap();
        let simulate = move |tree: &Tree, place: u16| {
            let (node, made) =
                tree.child(&mut Reserve::default(), tree.edge(links, place)).unwrap();
            tree.node(node).enter();
            let path = [
                Step { node: root, edge: 0, mover: Some(Player::Second), made: false },
                Step { node, edge: place, mover: Some(Player::First), made },
            ];
            tree.backup(&path, [3, 5]);
        };
        let others = [0, 1].map(|place| spawn(&tree, move |tree| simulate(tree, place)));
        simulate(&tree, 0);
        others.into_iter().for_each(|other| other.join().unwrap());
        let node = tree.node(root);
        assert_eq!((node.visits(), node.sum()), (3, 15));
        assert_eq!(node.shape(), Shape { depth: 2, width: 2 });
        assert_eq!(node.children(), 2);
    });
}

/// The game of [`moves`], for as long as one likes.
#[derive(Clone)]
struct Endless;

impl Game for Endless {
    type Move = u16;
    fn turn(&self) -> Turn {
        Turn::Player(Player::First)
    }
    fn outcome(&self) -> Option<Reward> {
        None
    }
    fn legal_moves(&self, out: &mut Vec<u16>) {
        out.extend([7, 9]);
    }
    fn play(&mut self, _: u16) {}
    fn move_space(&self) -> usize {
        10
    }
    fn position_hash(&self) -> u64 {
        0
    }
}

#[test]
fn loom_a_merge_and_a_simulation_meet_at_a_new_node() {
    loom::model(|| {
        let tree = Arc::new(Tree::new(16).expect("memory"));
        let links = tree.expand(&mut Reserve::default(), tree.root(), &moves()).unwrap();
        let simulation = spawn(&tree, move |tree| {
            let edge = tree.edge(links, 0);
            let (child, made) = tree.child(&mut Reserve::default(), edge).unwrap();
            tree.node(child).enter();
            let root = Step { node: tree.root(), edge: 0, mover: Some(Player::First), made: false };
            let step = Step { node: child, edge: 0, mover: Some(Player::First), made };
            tree.backup(&[root, step], [ONE, 0]);
        });
        let node = |mv, visits| NodeDelta { parent: 0, mv, visits, sum_for_first: ONE };
        let delta = TreeDelta { root: 0, nodes: vec![node(0, 3), node(7, 2)] };
        let first = Some(Player::First);
        let merged = tree.merge(&Endless, first, &delta, Weight::Sum, Absent::Make).unwrap();
        assert_eq!((merged.visits, merged.left_out), (3, 0));
        simulation.join().unwrap();
        let (root, child) = (tree.node(tree.root()), tree.node(tree.edge(links, 0).child()));
        assert_eq!((root.visits(), root.sum()), (4, 2 * ONE));
        assert_eq!((child.visits(), child.sum()), (3, 2 * ONE));
        assert_eq!((root.own(), child.own()), ((1, 0), (3, 2 * ONE)));
        assert_eq!((root.shape(), root.children()), (tree.shape_of(tree.root()), 1));
        // The search's own simulation is told, and what came from elsewhere is not.
        let mut all = |_: &[u16], _| true;
        let told = tree.take_delta(&Endless, first, &mut all).nodes;
        assert_eq!(told.iter().map(|node| node.visits).collect::<Vec<_>>(), [1, 1]);
    });
}

#[test]
fn loom_two_threads_evaluate_the_same_position() {
    loom::model(|| {
        let cache = Arc::new(EvaluationCache::new(1 << 16));
        let evaluate = |cache: &EvaluationCache| {
            cache.get(5).unwrap_or_else(|| {
                let evaluation =
                    std::sync::Arc::new(Evaluation { policy: vec![1.0], value_logit: 2.0 });
                cache.insert(5, std::sync::Arc::clone(&evaluation));
                evaluation
            })
        };
        let other = {
            let cache = Arc::clone(&cache);
            thread::spawn(move || assert_eq!(evaluate(&cache).value_logit, 2.0))
        };
        assert_eq!(evaluate(&cache).policy, [1.0]);
        other.join().unwrap();
        let facts = cache.facts();
        assert_eq!((facts.entries, facts.hits + facts.misses), (1, 2));
        assert!(facts.misses >= 1);
    });
}
