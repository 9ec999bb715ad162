//! Connections against the plain solver, which knows none.

use kosumi_game::Rng;
use kosumi_game::testing::scaled;

use super::*;
use crate::plain::{Plain, random_stones};
use crate::{Hex, HexRules};

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
fn check_values(connections: &Connections<1>, plain: &mut Plain<1>) {
    let stones = connections.stones();
    for colour in Colour::BOTH {
        let opponent = colour.opponent();
        if connections.won_by_connection(colour).is_some() {
            assert_eq!(plain.winner(stones, opponent), colour, "{stones:?}");
        }
        if let Some(semi) = connections.winning_semi(colour) {
            let mut next = *stones;
            next.place(colour, usize::from(semi.key));
            assert_eq!(plain.winner(&next, opponent), colour, "{stones:?} {semi:?}");
        }
        for cell in (stones.empty() - connections.mustplay(colour)).iter() {
            let mut next = *stones;
            next.place(colour, cell);
            assert_eq!(plain.winner(&next, opponent), opponent, "{stones:?} {cell}");
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
                    let joins = Plain::joining(lattice, colour, ends).joins(own, carrier, false);
                    assert!(joins, "{stones:?} {pair:?} {carrier:?}");
                }
            }
            for semi in &table.semis[pair.semis.range()] {
                if asked(semi.carrier) {
                    let key = usize::from(semi.key);
                    assert!(semi.carrier.contains(key));
                    let (own, rest) = (own.with(key), semi.carrier.without(key));
                    let joins = Plain::joining(lattice, colour, ends).joins(own, rest, false);
                    assert!(joins, "{stones:?} {pair:?} {semi:?}");
                }
            }
        }
    }
}

#[test]
fn what_connections_claim_the_plain_solver_confirms() {
    let mut rng = Rng::new(1);
    for _ in 0..scaled(400) {
        let stones = small_board(&mut rng);
        let mut plain = Plain::sides(stones.lattice());
        let mut connections = Connections::new(&stones, Limits::default());
        check_values(&connections, &mut plain);
        // Updates keep to the truth as well.
        while connections.stones().winner().is_none() {
            let count = 1 + rng.below(3) as usize;
            let more = with_more(connections.stones(), count, &mut rng);
            connections.play(&more);
            check_values(&connections, &mut plain);
        }
        while connections.undo() {}
        assert_eq!(connections.stones(), &stones);
        check_values(&connections, &mut plain);
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

#[test]
fn connections_of_a_large_board_hold_on_their_carriers() {
    let mut rng = Rng::new(3);
    for turn in 0..scaled(2) {
        let stones = random_stones::<2>(9, 16 + (turn % 20) as usize, &mut rng);
        let mut connections = Connections::new(&stones, Limits::default());
        connections.play(&with_more(&stones, 2, &mut rng));
        check_carriers(&connections, &mut rng);
    }
}

/// The sides' connections: 2 for a full, 1 for a semi.
fn strength<const W: usize>(connections: &Connections<W>) -> [u32; 2] {
    Colour::BOTH.map(|colour| match connections.won_by_connection(colour) {
        Some(_) => 2,
        None => u32::from(connections.winning_semi(colour).is_some()),
    })
}

#[test]
fn updates_find_about_what_builds_find() {
    // What is kept depends on the order of events, so neither finds all that the other does.
    let mut rng = Rng::new(4);
    let (mut updated, mut built) = (0, 0);
    for _ in 0..scaled(20) {
        let stones = random_stones::<2>(8, 8, &mut rng);
        let mut connections = Connections::new(&stones, Limits::default());
        while connections.stones().winner().is_none() {
            let more = with_more(connections.stones(), 1 + rng.below(2) as usize, &mut rng);
            connections.play(&more);
            updated += strength(&connections).iter().sum::<u32>();
            built += strength(&Connections::new(&more, Limits::default())).iter().sum::<u32>();
        }
    }
    assert!(updated * 100 >= built * 97, "{updated} by updates, {built} by builds");
}

#[test]
fn undo_brings_back_every_connection() {
    let mut rng = Rng::new(6);
    let everything = |connections: &Connections<2>| {
        Colour::BOTH.map(|colour| {
            let table = &connections.half(colour).table;
            let lists = table.pairs.iter().map(|pair| {
                let fulls = table.fulls[pair.fulls.range()].to_vec();
                (pair.ends, fulls, table.semis[pair.semis.range()].to_vec())
            });
            lists.collect::<Vec<_>>()
        })
    };
    let stones = random_stones::<2>(7, 10, &mut rng);
    let mut connections = Connections::new(&stones, Limits::default());
    let before = everything(&connections);
    for _ in 0..3 {
        for _ in 0..1 + rng.below(4) {
            let more = with_more(connections.stones(), 2, &mut rng);
            connections.play(&more);
        }
        while connections.undo() {}
        assert!(everything(&connections) == before && connections.stones() == &stones);
    }
    assert!(!connections.undo());
}

fn board(diagram: &str) -> Stones<1> {
    let position = Hex::from_diagram(diagram, HexRules::default(), Colour::Black).unwrap();
    Stones::new(&position).unwrap()
}

#[test]
fn a_bridge_and_its_ends() {
    // c2 and b4 share b3 and c3; c2 is a bridge from the top.
    let stones = board(
        ". . . . .
          . . B . .
           . . . . .
            . B . . .
             . . . . .",
    );
    let connections = Connections::new(&stones, Limits::default());
    let set = |cells: &[usize]| cells.iter().copied().collect::<CellSet<1>>();
    let black = Colour::Black;
    let (c2, b4) = (End::Cell(7), End::Cell(16));
    assert!(connections.fulls(black, c2, b4).contains(&set(&[11, 12])));
    assert!(connections.fulls(black, End::Side(0), c2).contains(&set(&[2, 3])));
    assert!(connections.fulls(Colour::White, c2, b4).is_empty(), "not White's");
    assert!(connections.fulls(black, c2, c2).is_empty(), "one chain");
    assert!(connections.fulls(black, End::Side(2), End::Cell(99)).is_empty(), "no such ends");
    let carrier = connections.won_by_connection(black).unwrap();
    assert_eq!(carrier, set(&[2, 3, 11, 12, 20, 21]));
    assert!(connections.mustplay(Colour::White).is_empty());
    let touching = Link { from: End::Cell(2), to: End::Side(0), touching: true };
    assert!(connections.links(black).any(|link| link == touching));
    let joined = |link: Link| [link.from, link.to] == [c2, b4] || [link.to, link.from] == [c2, b4];
    assert!(connections.links(black).any(|link| joined(link) && !link.touching));
}

#[test]
fn mustplay_is_what_all_threats_share() {
    // Black comes down by c4, which needs b5 or c5, or by b5, a bridge over b4 and c4.
    let stones = board(
        ". . B . .
          . . B . .
           . . B W .
            W . . . .
             W . . W .",
    );
    let connections = Connections::new(&stones, Limits::default());
    assert_eq!(connections.won_by_connection(Colour::Black), None);
    let semi = connections.winning_semi(Colour::Black).unwrap();
    assert!([17, 21].contains(&semi.key), "{semi:?}");
    assert!(connections.mustplay(Colour::White).iter().eq([17, 21]));
}
