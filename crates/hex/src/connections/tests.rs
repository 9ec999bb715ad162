//! Connections against the plain solver, which knows none.

use kosumi_game::Rng;

use super::*;
use crate::plain::{Plain, random_stones, winner};

/// `default` times the environment variable `KOSUMI_TEST_SCALE`, for long runs.
fn scaled(default: u64) -> u64 {
    let scale = std::env::var("KOSUMI_TEST_SCALE");
    default * scale.ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

/// Boards on which the plain solver is quick.
fn small_board(rng: &mut Rng) -> Stones<1> {
    loop {
        let (size, least) = [(4, 0), (5, 6), (6, 14)][rng.below(3) as usize];
        let count = least + rng.below((size * size * 3 / 4 - least) as u32) as usize;
        let stones = random_stones(size, count, rng);
        if stones.winner().is_none() {
            return stones;
        }
    }
}

/// The board after `count` more stones.
fn with_more<const W: usize>(stones: &Stones<W>, count: usize, rng: &mut Rng) -> Stones<W> {
    let mut cells: Vec<usize> = stones.empty().iter().collect();
    rng.shuffle(&mut cells);
    let mut more = *stones;
    for cell in cells.into_iter().take(count) {
        more.place(Colour::BOTH[rng.below(2) as usize], cell);
    }
    more
}

/// What the sides' connections say about the game is what the plain solver says.
fn check_values(connections: &Connections<1>) {
    let stones = connections.stones();
    for colour in Colour::BOTH {
        let opponent = colour.opponent();
        if connections.won_by_connection(colour).is_some() {
            assert_eq!(winner(stones, opponent), colour, "{stones:?}");
        }
        if let Some(semi) = connections.winning_semi(colour) {
            let mut next = *stones;
            next.place(colour, usize::from(semi.key));
            assert_eq!(winner(&next, opponent), colour, "{stones:?} {semi:?}");
        }
        for cell in (stones.empty() - connections.mustplay(colour)).iter() {
            let mut next = *stones;
            next.place(colour, cell);
            assert_eq!(winner(&next, opponent), opponent, "{stones:?} {cell}");
        }
    }
}

/// Every connection holds on its carrier alone; of those larger than 14 cells some are asked.
fn check_carriers<const W: usize>(connections: &Connections<W>, rng: &mut Rng) {
    let stones = connections.stones();
    let lattice = stones.lattice();
    for colour in Colour::BOTH {
        let Half { nodes, table } = connections.half(colour);
        for pair in &table.pairs {
            let mut own = stones.of(colour);
            let ends = pair.ends.map(|node| {
                let node = usize::from(node);
                if nodes.is_side(node) {
                    return lattice.beside[colour.index()][node - nodes.cells()];
                }
                own.insert(node);
                CellSet::of(node)
            });
            let mut asked = |carrier: CellSet<W>| {
                assert!(carrier.is_subset(&(stones.empty() - own)), "a carrier is empty cells");
                carrier.len() <= 14 || carrier.len() <= 20 && rng.below(200) == 0
            };
            for &carrier in &table.fulls[pair.fulls.range()] {
                if asked(carrier) {
                    let joins =
                        Plain::joining(lattice, ends[0], ends[1]).joins(own, carrier, false);
                    assert!(joins, "{stones:?} {pair:?} {carrier:?}");
                }
            }
            for semi in &table.semis[pair.semis.range()] {
                if asked(semi.carrier) {
                    let key = usize::from(semi.key);
                    assert!(semi.carrier.contains(key));
                    let (own, rest) = (own.with(key), semi.carrier.without(key));
                    let joins = Plain::joining(lattice, ends[0], ends[1]).joins(own, rest, false);
                    assert!(joins, "{stones:?} {pair:?} {semi:?}");
                }
            }
        }
    }
}

#[test]
fn what_connections_claim_the_plain_solver_confirms() {
    let mut rng = Rng::new(1);
    let mut connections = Connections::new(&Stones::empty_board(4).unwrap(), Limits::default());
    for _ in 0..scaled(600) {
        let stones = small_board(&mut rng);
        connections.build(&stones);
        check_values(&connections);
        // Updates keep to the truth as well.
        while connections.stones().winner().is_none() {
            let count = 1 + rng.below(3) as usize;
            let more = with_more(connections.stones(), count, &mut rng);
            connections.play(&more);
            check_values(&connections);
        }
        while connections.undo() {}
        assert_eq!(connections.stones(), &stones);
        check_values(&connections);
    }
}

#[test]
fn every_connection_holds_on_its_carrier() {
    let mut rng = Rng::new(2);
    for turn in 0..scaled(40) {
        let stones = small_board(&mut rng);
        let mut connections = Connections::new(&stones, Limits::default());
        check_carriers(&connections, &mut rng);
        let more = with_more(&stones, 1 + (turn % 4) as usize, &mut rng);
        connections.play(&more);
        check_carriers(&connections, &mut rng);
    }
}
