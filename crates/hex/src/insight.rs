//! What is known of a position without search (H2, H3, H5): inferior cells and virtual connections
//! together, for the solver and for the heavy nodes of a tree.

use std::fmt;

use crate::circuit::advantage_of;
use crate::connections::Limits;
use crate::width::{any_width, each_width};
use crate::{
    CellSet, Circuit, Colour, Connections, End, Findings, Flow, Hex, Inferior, Semi, Stones,
};

kosumi_game::choices! {
    /// What an analysis of positions consists of.
    pub enum HexAnalysis {
        /// Inferior cells and, on what they fill in, virtual connections.
        Both = "both",
        /// Virtual connections alone.
        Connections = "connections",
        /// Inferior cells alone.
        Inferior = "inferior",
    }
}

/// What is known of a position with a colour to move. Everything must be sound, for proofs of
/// loss rest on it: a filled-in stone changes no value, and of the moves left out none was the only
/// one that wins.
#[derive(Clone, Debug)]
pub(crate) struct Insight<const W: usize> {
    /// The stones, with those that are filled in.
    pub(crate) stones: Stones<W>,
    /// Who wins, if that is settled.
    pub(crate) settled: Option<Settled<W>>,
    /// The moves worth trying; all others lose or are no better than one of these.
    pub(crate) moves: CellSet<W>,
}

/// A win that needs no search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled<const W: usize> {
    pub(crate) winner: Colour,
    /// A move that does it, if it is the winner's turn. Where he would win without a move it is
    /// one that brings the end nearer.
    pub(crate) key: Option<usize>,
    /// Empty cells that are enough for it: those of the connection, and those that are filled in
    /// for the winner, where he must answer.
    pub(crate) carrier: CellSet<W>,
}

/// After so many stones connections are built anew: updates of updates find less and less, and
/// take longer.
const REACH: usize = 16;

/// Looks at positions: fills in and prunes by inferior cells (H3), settles and confines by virtual
/// connections (H2) on what is filled in.
pub(crate) struct Analyst<const W: usize> {
    kind: HexAnalysis,
    inferior: Inferior<W>,
    connections: Connections<W>,
    /// The boards that led here, as they were and as they were filled in. The latter are those of
    /// the connections.
    line: Vec<(Stones<W>, Stones<W>)>,
    /// The board that was looked at last.
    last: Option<Stones<W>>,
    circuit: Circuit,
    /// Who is to move there, if an outlook left the winner open and knows connections.
    open: Option<Colour>,
    /// What the connections of earlier boards may take.
    most_bytes: usize,
}

impl<const W: usize> Analyst<W> {
    /// For boards of that size; `None` if there is no such board or it does not fit.
    pub(crate) fn new(size: usize, kind: HexAnalysis) -> Option<Self> {
        let empty_board = Stones::empty_board(size)?;
        Some(Self {
            kind,
            inferior: Inferior::new(),
            connections: Connections::new(&empty_board, Limits::default()),
            line: Vec::new(),
            last: None,
            circuit: Circuit::new(),
            open: None,
            most_bytes: usize::MAX,
        })
    }

    /// What is known with `to_move` to play.
    pub(crate) fn look(&mut self, stones: &Stones<W>, to_move: Colour) -> Insight<W> {
        self.go_back(stones);
        if self.line.is_empty() && self.kind != HexAnalysis::Inferior {
            self.begin(stones);
        }
        self.last = Some(*stones);
        let start = self.filled_before(stones);
        let findings = match self.kind {
            HexAnalysis::Connections => Findings::none(&start),
            HexAnalysis::Both | HexAnalysis::Inferior => self.inferior.analyse(&start, to_move),
        };
        let filled = |winner| findings.stones.of(winner) - stones.of(winner);
        let mut insight = Insight { stones: findings.stones, settled: None, moves: findings.moves };
        let settled = |winner: Colour, key: Option<usize>, carrier: CellSet<W>| {
            let carrier = carrier | filled(winner);
            // Who wins even if he passes may play anywhere.
            let any = || on_a_shortest_way(stones, winner, carrier);
            let key = if winner == to_move { key.or_else(any) } else { None };
            Some(Settled { winner, key, carrier })
        };
        if let Some(winner) = findings.decided {
            // All that is empty if the mover has nothing but moves that are killed.
            let joined = findings.stones.winner().is_some();
            let open = if joined { CellSet::EMPTY } else { findings.stones.empty() };
            insight.settled = settled(winner, None, open);
            return insight;
        }
        if self.kind == HexAnalysis::Inferior {
            return insight;
        }
        self.go_on(stones, &findings.stones);
        let connections = &self.connections;
        let opponent = to_move.opponent();
        if let Some(semi) = connections.winning_semi(to_move) {
            insight.settled = settled(to_move, Some(usize::from(semi.key)), semi.carrier);
        } else if let Some(carrier) = connections.won_by_connection(opponent) {
            insight.settled = settled(opponent, None, carrier);
        } else if let Some(carrier) = connections.won_by_connection(to_move) {
            insight.settled = settled(to_move, None, carrier);
        } else {
            // If a move wins, one of those that are not inferior does, and so it is one of those
            // that must be played.
            insight.moves &= connections.mustplay(to_move);
        }
        insight
    }

    /// Keeps the memory of earlier boards within its limit: what is not in use goes first, then the
    /// boards below the last one.
    fn keep_within(&mut self) {
        if self.connections.bytes() > self.most_bytes {
            self.connections.free_unused();
        }
        if self.connections.bytes() > self.most_bytes && self.line.len() > 1 {
            self.connections.forget_below();
            self.line.drain(..self.line.len() - 1);
        }
    }

    /// The semi connections between the sides on the board that was last looked at. Only where the
    /// position was not settled.
    pub(crate) fn semis(&self, colour: Colour) -> &[Semi<W>] {
        self.connections.semis(colour, End::Side(0), End::Side(1))
    }

    /// The current of both colours on a board as it was filled in by the last look, with what is
    /// virtually connected there without touching as further links (H4). Only where the position
    /// was not settled.
    pub(crate) fn flows(&mut self, filled: &Stones<W>) -> [Flow; 2] {
        let Self { circuit, connections, .. } = self;
        Colour::BOTH.map(|colour| {
            let apart = connections.links(colour).filter(|link| !link.touching);
            circuit.flow(filled, colour, apart.map(|link| (link.from, link.to)))
        })
    }

    /// Back to the last board that leads to this one.
    fn go_back(&mut self, stones: &Stones<W>) {
        while self.line.last().is_some_and(|board| !leads(board, stones)) {
            self.line.pop();
            self.connections.undo();
        }
        let far = |board: &Stones<W>| board.empty().len() > stones.empty().len() + REACH;
        if self.line.first().is_some_and(|(before, _)| far(before)) {
            self.line.clear();
        }
    }

    /// Begins a line with what this board and the last one have in common, if that is near: it
    /// leads to further boards of the same search, while this one may be far out in the tree.
    fn begin(&mut self, stones: &Stones<W>) {
        let empty_board = Stones::empty_board(stones.lattice().size);
        let (Some(last), Some(mut common)) = (self.last, empty_board) else { return };
        for colour in Colour::BOTH {
            common.fill(colour, last.of(colour) & stones.of(colour));
        }
        let further = common.empty().len() - stones.empty().len();
        if !(1..=REACH / 2).contains(&further) {
            return;
        }
        let filled = match self.kind {
            HexAnalysis::Connections => common,
            _ => self.inferior.fill_in(&common),
        };
        let board = (common, filled);
        if leads(&board, stones) {
            self.connections.build(&board.1);
            self.line.push(board);
        }
    }

    /// The board with what was filled in on the last one of the line: that still holds, for
    /// fill-in holds in every continuation.
    fn filled_before(&self, stones: &Stones<W>) -> Stones<W> {
        let mut start = *stones;
        if let Some((_, filled)) = self.line.last() {
            for colour in Colour::BOTH {
                start.fill(colour, filled.of(colour) - stones.of(colour));
            }
        }
        start
    }

    /// Builds the connections of a board, upon those of the last one.
    fn go_on(&mut self, stones: &Stones<W>, filled: &Stones<W>) {
        if self.line.is_empty() {
            self.connections.build(filled);
        } else {
            self.connections.play(filled);
        }
        self.line.push((*stones, *filled));
        self.keep_within();
    }
}

/// Whether a board, as it was and as it was filled in, leads to another.
fn leads<const W: usize>((before, filled): &(Stones<W>, Stones<W>), stones: &Stones<W>) -> bool {
    Colour::BOTH.into_iter().all(|colour| {
        before.of(colour).is_subset(&stones.of(colour))
            && filled.of(colour).is_disjoint(&stones.of(colour.opponent()))
    })
}

/// The last cell of a shortest way from side to side over stones of the colour and `free` cells;
/// `None` if there is no way or it needs no cell.
fn on_a_shortest_way<const W: usize>(
    stones: &Stones<W>,
    colour: Colour,
    free: CellSet<W>,
) -> Option<usize> {
    let (lattice, own) = (stones.lattice(), stones.of(colour));
    let [start, goal] = lattice.beside[colour.index()];
    let arrives = |&cell: &usize| {
        let touched = lattice.flood(lattice.around[cell], own);
        !touched.with(cell).is_disjoint(&goal)
    };
    let (mut touched, mut seen) = (start, CellSet::EMPTY);
    loop {
        let near = lattice.flood(touched, own);
        let fresh = ((touched | lattice.grown(near)) & free) - seen;
        if fresh.is_empty() || !near.is_disjoint(&goal) {
            return None;
        }
        if let Some(cell) = fresh.iter().find(arrives) {
            return Some(cell);
        }
        seen |= fresh;
        touched = lattice.grown(fresh);
    }
}

impl<const W: usize> fmt::Debug for Analyst<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyst").field("depth", &self.line.len()).finish_non_exhaustive()
    }
}

/// What is known of a position of any size, with its colour to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outlook {
    /// Who wins, if that needs no search.
    pub winner: Option<Colour>,
    /// The moves worth trying. Where the colour to move wins, this is one that does; where it
    /// loses, all moves.
    pub moves: CellSet<6>,
    /// Empty cells that are as good as stones of each colour, whoever moves.
    pub filled: [CellSet<6>; 2],
}

/// What the circuit says of a position (H4).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Currents {
    /// The parts of both colours' currents that go through each cell, added.
    pub(crate) shares: Vec<f32>,
    /// The circuit's, for who is to move.
    pub(crate) advantage: f32,
}

any_width! {
    #[derive(Debug)]
    enum Width of Analyst(kind: HexAnalysis)
}

impl<const W: usize> Analyst<W> {
    fn outlook(&mut self, position: &Hex) -> Option<Outlook> {
        let stones = Stones::new(position)?;
        let to_move = position.colour_to_move();
        let Insight { settled, moves, stones: filled } = self.look(&stones, to_move);
        let open = settled.is_none() && !moves.is_empty() && self.kind != HexAnalysis::Inferior;
        self.open = open.then_some(to_move);
        let all = stones.empty();
        let (winner, moves) = match settled {
            Some(Settled { winner, key, .. }) => (Some(winner), key.map_or(all, CellSet::of)),
            None if moves.is_empty() => (Some(to_move.opponent()), all),
            None => (None, moves),
        };
        let filled = Colour::BOTH.map(|colour| filled.of(colour) - stones.of(colour));
        let filled = filled.map(|cells| cells.iter().collect());
        Some(Outlook { winner, moves: moves.iter().collect(), filled })
    }

    fn currents(&mut self) -> Option<Currents> {
        let (to_move, (_, filled)) = (self.open?, *self.line.last()?);
        let flows = self.flows(&filled);
        let shares = flows[0].share.iter().zip(&flows[1].share).map(|(a, b)| (a + b) as f32);
        let advantage = advantage_of(to_move, &flows) as f32;
        Some(Currents { shares: shares.collect(), advantage })
    }
}

/// Looks at positions of one size: fills in and prunes by inferior cells (H3), settles and confines
/// by virtual connections (H2). Positions that follow from those before are looked at faster.
#[derive(Debug)]
pub(crate) struct HexAnalyst(Width);

impl HexAnalyst {
    /// An analyst for boards of that size; `None` if there is no such board.
    #[must_use]
    pub(crate) fn new(size: usize, kind: HexAnalysis) -> Option<Self> {
        Width::new(size, kind).map(Self)
    }

    /// Limits what the connections of earlier boards take; those of the last board stay in any case.
    pub(crate) fn set_most_bytes(&mut self, bytes: usize) {
        each_width!(Width, &mut self.0, analyst => analyst.most_bytes = bytes);
    }

    /// What is known of a position; `None` if it has another size or is over. A swap that is
    /// possible is left out of account.
    pub(crate) fn look(&mut self, position: &Hex) -> Option<Outlook> {
        if position.winner().is_some() {
            return None;
        }
        each_width!(Width, &mut self.0, analyst => analyst.outlook(position))
    }

    /// What the circuit says of the position that was last looked at; `None` if that was settled.
    pub(crate) fn currents(&mut self) -> Option<Currents> {
        each_width!(Width, &mut self.0, analyst => analyst.currents())
    }
}

#[cfg(test)]
mod tests {
    use kosumi_game::testing::scaled;
    use kosumi_game::{Game, Move, Rng};

    use super::*;
    use crate::HexMove;
    use crate::plain::{Plain, hex, random_stones};

    /// What an analysis says of a position is what the plain solver says, as a whole: fill-in,
    /// winner, carrier, and the moves that are left.
    fn check(analyst: &mut Analyst<1>, stones: &Stones<1>, to_move: Colour) -> Outlook {
        let mut plain = Plain::sides(stones.lattice());
        let winner = plain.winner(stones, to_move);
        let insight = analyst.look(stones, to_move);
        let outlook = analyst.outlook(&hex(stones, to_move)).unwrap();
        let case = || format!("{to_move} to move on {stones:?}: {insight:?} {outlook:?}");
        for turn in Colour::BOTH {
            let filled = plain.winner(&insight.stones, turn);
            assert_eq!(filled, plain.winner(stones, turn), "fill-in, {}", case());
        }
        assert!(outlook.winner.is_none_or(|told| told == winner), "{}", case());
        let mut wins = |cell: usize| {
            let mut next = *stones;
            next.place(to_move, cell);
            plain.winner(&next, to_move.opponent()) == to_move
        };
        let moves: Vec<usize> = outlook.moves.iter().collect();
        if outlook.winner == Some(to_move) {
            assert_eq!(moves.len(), 1, "{}", case());
        }
        // One of several may win; one that is told to win does.
        if winner == to_move {
            assert!(moves.iter().any(|&cell| wins(cell)), "{}", case());
        }
        if let Some(Settled { winner, key, carrier }) = insight.settled {
            let lattice = stones.lattice();
            let own = key.into_iter().fold(stones.of(winner), CellSet::with);
            let sides = lattice.beside[winner.index()];
            let free = carrier - own;
            assert!(free.is_subset(&stones.empty()), "{}", case());
            let mut plain = Plain::joining(lattice, winner, sides);
            assert!(plain.joins(own, free, false), "the carrier is enough, {}", case());
        }
        outlook
    }

    #[test]
    fn an_outlook_is_what_the_plain_solver_says() {
        let mut rng = Rng::new(1);
        let (mut positions, mut won, mut lost, mut pruned) = (0, 0, 0, 0);
        for _ in 0..scaled(800) {
            let (size, least) = [(4, 0), (5, 6), (6, 14)][rng.below(3) as usize];
            let most = size * size - 2 - least;
            let count = least + rng.below(most as u32) as usize;
            let root = random_stones(size, count, &mut rng);
            let kinds = [HexAnalysis::Both, HexAnalysis::Connections, HexAnalysis::Inferior];
            let mut analyst = Analyst::new(size, kinds[rng.below(3) as usize]).unwrap();
            // Up and down a tree, as in a search.
            let mut stones = root;
            for _ in 0..4 {
                if rng.below(2) == 0 {
                    stones = root;
                }
                for _ in 0..1 + rng.below(2) {
                    let cells: Vec<usize> = stones.empty().iter().collect();
                    if !cells.is_empty() {
                        let colour = Colour::BOTH[rng.below(2) as usize];
                        stones.place(colour, cells[rng.below(cells.len() as u32) as usize]);
                    }
                }
                if stones.winner().is_some() {
                    continue;
                }
                let to_move = Colour::BOTH[rng.below(2) as usize];
                let outlook = check(&mut analyst, &stones, to_move);
                positions += 1;
                won += u32::from(outlook.winner == Some(to_move));
                lost += u32::from(outlook.winner == Some(to_move.opponent()));
                pruned += u32::from(outlook.moves.len() < stones.empty().len());
            }
        }
        assert!(positions >= scaled(2000), "{positions}");
        assert!(won > 100 && lost > 100 && pruned > won, "{won} {lost} {pruned}");
    }

    /// What is filled in stays right while others play elsewhere, and so needs no stone: a win is
    /// found without it.
    #[test]
    fn what_is_filled_in_stays_right_and_needless() {
        let mut rng = Rng::new(8);
        let (mut positions, mut filled_in) = (0, 0);
        while positions < scaled(1000) {
            let (size, least) = [(4, 0), (5, 6), (6, 14)][rng.below(3) as usize];
            let most = size * size - 2 - least;
            let count = least + rng.below(most as u32) as usize;
            let root = random_stones::<1>(size, count, &mut rng);
            let mut analyst = Analyst::<1>::new(size, HexAnalysis::Both).unwrap();
            let mut game = hex(&root, Colour::BOTH[rng.below(2) as usize]);
            let Some(filled) = analyst.outlook(&game).map(|outlook| outlook.filled) else {
                continue;
            };
            let [black, white] = filled.map(|cells| cells.iter().collect::<CellSet<1>>());
            // Nobody needs to play on what is filled in, as long as all of it is empty: a stone on one
            // of the cells may call for an answer on another.
            let needless_on = |stones: &Stones<1>| {
                let all = black | white;
                if all.is_subset(&stones.empty()) { all } else { CellSet::EMPTY }
            };
            for _ in 0..rng.below(4) {
                let stones = Stones::<1>::new(&game).unwrap();
                let needless = needless_on(&stones);
                let cells: Vec<usize> = (stones.empty() - needless).iter().collect();
                if cells.is_empty() || game.winner().is_some() {
                    break;
                }
                let cell = cells[rng.below(cells.len() as u32) as usize];
                game.set_turn(Colour::BOTH[rng.below(2) as usize]);
                game.play(HexMove::from_index(cell));
            }
            if game.winner().is_some() {
                continue;
            }
            positions += 1;
            let stones = Stones::<1>::new(&game).unwrap();
            filled_in += u64::from(!needless_on(&stones).is_empty());
            let mut on_filled = stones;
            for (colour, cells) in [(Colour::Black, black), (Colour::White, white)] {
                (cells & stones.empty()).iter().for_each(|cell| on_filled.place(colour, cell));
            }
            let mut plain = Plain::sides(stones.lattice());
            for turn in Colour::BOTH {
                let winner = plain.winner(&stones, turn);
                assert_eq!(plain.winner(&on_filled, turn), winner, "{turn} to move on {game}");
                let others: Vec<usize> = on_filled.empty().iter().collect();
                let mut wins = others.iter().map(|&cell| {
                    let mut next = stones;
                    next.place(turn, cell);
                    plain.winner(&next, turn.opponent()) == turn
                });
                assert!(
                    winner != turn || others.is_empty() || wins.any(|wins| wins),
                    "{turn} to move on {game}"
                );
            }
        }
        assert!(filled_in > positions / 2, "{filled_in} of {positions}");
    }

    #[test]
    fn a_won_game_is_played_out() {
        let mut rng = Rng::new(5);
        let (mut games, mut turns, mut known) = (0, 0, 0);
        while games < scaled(20) {
            let stones = random_stones::<2>(9, 20 + rng.below(20) as usize, &mut rng);
            let mut game = hex(&stones, Colour::Black);
            let mut analyst = HexAnalyst::new(9, HexAnalysis::Both).unwrap();
            let told = analyst.look(&game).and_then(|outlook| outlook.winner);
            if told != Some(Colour::White) {
                continue;
            }
            games += 1;
            // Black tries anything; White has an answer without search nearly always.
            while game.winner().is_none() {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                game.play(moves[rng.below(moves.len() as u32) as usize]);
                let outlook = analyst.look(&game).unwrap();
                turns += 1;
                if outlook.winner != Some(Colour::White) {
                    break;
                }
                known += 1;
                assert_eq!(outlook.moves.len(), 1);
                game.play(HexMove::from_index(outlook.moves.first().unwrap()));
            }
        }
        assert!(known * 100 >= turns * 98, "{known} answers of {turns}");
    }
}
