//! What is known of a position of Hex, as people look at it: inferior cells (H3), virtual
//! connections and mustplay (H2), the circuit (H4), patterns (H9), the net, who wins (H14).
//!
//! Colours and cells are those that protocols show: after `swap-pieces` they are translated to the
//! board of the search and back. Connections are those of the board with its dead and captured cells
//! filled in, as the search sees them.

use std::sync::Arc;

use kosumi_game::math::{exp, logistic};
use kosumi_game::{Context, Evaluation, Game, Move, Verdict};
use kosumi_hex::{
    CellSet, Circuit, Connections, End, Hex, HexMove, HexNet, HexPriors, HexSolver, Inferior, Kind,
    Limits, PatternModel, Stones, Surroundings,
};
use kosumi_record::Colour;

use super::hex::{HexKit, ours, theirs};
use super::{Kit, SolveLimits};
use crate::error::EngineError;

/// Sets for boards of every size: what people look at need not be found in microseconds.
type Cells = CellSet<6>;

/// The sides of Black and of White, in the order of [`End::Side`].
const SIDES: [[&str; 2]; 2] = [["north", "south"], ["west", "east"]];

/// Why a cell need not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inferiority {
    /// No stone there matters; it is filled in with this colour.
    Dead(Colour),
    /// It is as good as this colour's.
    Captured(Colour),
    /// It is as good as this colour's, though the opponent captures a part of the same set.
    PermanentlyInferior(Colour),
    /// One of these moves is at least as good.
    Dominated(Vec<String>),
    /// Each of these replies makes it dead.
    Vulnerable(Vec<String>),
    /// It leaves the opponent a connection of his sides.
    OutsideMustplay,
}

/// Whether a connection needs a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionKind {
    /// It holds even if the opponent moves first.
    Full,
    /// Its owner has to move first.
    Semi,
}

/// A virtual connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Connection {
    /// The cells and sides it joins.
    pub ends: [String; 2],
    /// The empty cells it needs.
    pub carrier: Vec<String>,
    /// The cell to begin with, if it is a semi connection.
    pub key: Option<String>,
}

/// What the circuit says of both colours.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resistance {
    /// `ln(R_white / R_black)`: above 0 if Black stands better.
    pub advantage: f64,
    /// Between the sides of Black and of White: 0 joined, infinite cut off.
    pub resistance: [f64; 2],
    /// For each empty cell the part of Black's and of White's current that goes through it.
    pub cells: Vec<(String, [f64; 2])>,
}

/// A position of Hex with everything that can be asked about it.
#[derive(Clone, Debug)]
pub struct HexView {
    position: Hex,
    /// Whether it is shown mirrored with colours reversed.
    exchanged: bool,
    patterns: Arc<PatternModel>,
    net: Arc<HexNet>,
    memory_mb: usize,
}

impl HexView {
    pub(super) fn new(
        position: Hex,
        exchanged: bool,
        patterns: Arc<PatternModel>,
        net: Arc<HexNet>,
        memory_mb: usize,
    ) -> Self {
        Self { position, exchanged, patterns, net, memory_mb }
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.position.size()
    }

    /// All cells that need not be considered when a colour is to move, with the reason.
    #[must_use]
    pub fn inferior(&self, to_move: Colour) -> Vec<(String, Inferiority)> {
        self.explained(to_move, |_, _| Vec::new())
    }

    /// The same with the moves outside the mustplay: those leave the opponent a connection of his
    /// sides.
    #[must_use]
    pub fn outside_mustplay(&self, to_move: Colour) -> Vec<(String, Inferiority)> {
        self.explained(to_move, |filled, mover| {
            let outside = filled.empty() - connections_of(filled).mustplay(mover);
            outside.iter().collect()
        })
    }

    fn explained(
        &self,
        to_move: Colour,
        outside: impl FnOnce(&Stones<6>, kosumi_hex::Colour) -> Vec<usize>,
    ) -> Vec<(String, Inferiority)> {
        let mover = self.inner(to_move);
        let mut inferior = Inferior::new();
        let findings = inferior.analyse(&self.stones(), mover);
        let filled = &findings.stones;
        let mut reasons: Vec<(usize, Inferiority)> = inferior
            .kinds(&findings)
            .into_iter()
            .map(|(cell, kind)| (cell, self.reason(cell, kind, filled)))
            .collect();
        for cell in outside(filled, mover) {
            if reasons.iter().all(|(known, _)| *known != cell) {
                reasons.push((cell, Inferiority::OutsideMustplay));
            }
        }
        let mut shown: Vec<(usize, String, Inferiority)> = reasons
            .into_iter()
            .map(|(cell, reason)| (self.shown(cell), self.text(cell), reason))
            .collect();
        shown.sort_by_key(|(place, ..)| *place);
        shown.into_iter().map(|(_, text, reason)| (text, reason)).collect()
    }

    fn reason(&self, cell: usize, kind: Kind<6>, filled: &Stones<6>) -> Inferiority {
        match kind {
            Kind::Dead => {
                let black = filled.of(kosumi_hex::Colour::Black).contains(cell);
                let owner = if black { Colour::Black } else { Colour::White };
                Inferiority::Dead(self.outer_if(owner))
            }
            Kind::Captured(owner) => Inferiority::Captured(self.outer_if(ours(owner))),
            Kind::PermanentlyInferior(owner) => {
                Inferiority::PermanentlyInferior(self.outer_if(ours(owner)))
            }
            Kind::Dominated { by } => Inferiority::Dominated(self.texts(by)),
            Kind::Vulnerable { killers, .. } => Inferiority::Vulnerable(self.texts(killers)),
        }
    }

    /// The connections between two cells, chains or sides that are known.
    ///
    /// # Errors
    /// What is no cell or side of that colour.
    pub fn connections(
        &self,
        colour: Colour,
        from: &str,
        to: &str,
        kind: ConnectionKind,
    ) -> Result<Vec<Connection>, EngineError> {
        let ends = [self.end(colour, from)?, self.end(colour, to)?];
        let names = ends.map(|end| self.end_text(colour, end));
        let connections = self.built();
        let inner = self.inner(colour);
        let connection = |carrier: Cells, key: Option<u16>| Connection {
            ends: names.clone(),
            carrier: self.texts(carrier),
            key: key.map(|key| self.text(usize::from(key))),
        };
        Ok(match kind {
            ConnectionKind::Full => {
                let fulls = connections.fulls(inner, ends[0], ends[1]).iter();
                fulls.map(|&carrier| connection(carrier, None)).collect()
            }
            ConnectionKind::Semi => {
                let semis = connections.semis(inner, ends[0], ends[1]).iter();
                semis.map(|semi| connection(semi.carrier, Some(semi.key))).collect()
            }
        })
    }

    /// All cells and sides that a cell, chain or side is connected to: for full connections also
    /// what it touches through stones.
    ///
    /// # Errors
    /// What is no cell or side of that colour.
    pub fn connected_to(
        &self,
        colour: Colour,
        from: &str,
        kind: ConnectionKind,
    ) -> Result<Vec<String>, EngineError> {
        let from = self.end(colour, from)?;
        let inner = self.inner(colour);
        let connections = self.built();
        let stones = connections.stones();
        let (chain, chain_sides) = joined(stones, inner, from);
        let open = stones.lattice().all - stones.of(inner.opponent());
        let sides = (0..2).map(End::Side);
        let is_connected = |&to: &End| {
            let one_chain = match to {
                End::Cell(cell) => chain.contains(cell),
                End::Side(side) => chain_sides[side],
            };
            to != from
                && match kind {
                    ConnectionKind::Full => {
                        one_chain || !connections.fulls(inner, from, to).is_empty()
                    }
                    ConnectionKind::Semi => !connections.semis(inner, from, to).is_empty(),
                }
        };
        let mut found: Vec<(usize, String)> =
            sides.filter(is_connected).map(|side| (0, self.end_text(colour, side))).collect();
        let cells = open.iter().filter(|&cell| is_connected(&End::Cell(cell)));
        found.extend(cells.map(|cell| (1 + self.shown(cell), self.text(cell))));
        found.sort_by_key(|(place, _)| *place);
        Ok(found.into_iter().map(|(_, text)| text).collect())
    }

    /// The smallest connection between the sides of a colour: a full one if there is one, else a
    /// semi connection. Where it rests on cells that are filled in, they are part of the carrier, for
    /// there the colour must answer.
    #[must_use]
    pub fn winning_connection(&self, colour: Colour) -> Option<Connection> {
        let inner = self.inner(colour);
        let stones = self.stones();
        let plain = winning(&connections_of(&stones), inner);
        let connections = self.built();
        let filled = connections.stones().of(inner) - stones.of(inner);
        let on_filled = winning(&connections, inner);
        let on_filled = on_filled.map(|(carrier, key)| (carrier | filled, key));
        let found: Vec<_> = plain.into_iter().chain(on_filled).collect();
        let full = found.iter().find(|(_, key)| key.is_none());
        let (carrier, key) = *full.or(found.first())?;
        Some(Connection {
            ends: [0, 1].map(|side| self.end_text(colour, End::Side(side))),
            carrier: self.texts(carrier),
            key: key.map(|key| self.text(usize::from(key))),
        })
    }

    /// What the circuit, with virtual connections as further links, says of both colours.
    #[must_use]
    pub fn resistance(&self) -> Resistance {
        let connections = self.built();
        let mut circuit = Circuit::new();
        let flows = [Colour::Black, Colour::White].map(|colour| {
            let inner = self.inner(colour);
            let apart = connections.links(inner).filter(|link| !link.touching);
            let links: Vec<(End, End)> = apart.map(|link| (link.from, link.to)).collect();
            circuit.flow(connections.stones(), inner, links)
        });
        let empty = connections.stones().empty();
        let mut cells: Vec<usize> = empty.iter().collect();
        cells.sort_by_key(|&cell| self.shown(cell));
        Resistance {
            advantage: flows[0].advantage(&flows[1]),
            resistance: [flows[0].resistance, flows[1].resistance],
            cells: cells
                .into_iter()
                .map(|cell| (self.text(cell), [flows[0].share[cell], flows[1].share[cell]]))
                .collect(),
        }
    }

    /// The strength of each move of a colour by patterns: global and local gamma, added.
    #[must_use]
    pub fn gammas(&self, colour: Colour) -> Vec<(String, f32)> {
        let position = self.with_turn(colour);
        let around = Surroundings::of(&position);
        let strength = |cell: usize| {
            let at = position.point(HexMove::from_index(cell))?;
            Some(self.patterns.strength(&around, at))
        };
        self.per_cell(|cell| strength(cell).unwrap_or_default())
    }

    /// The prior of each move of a colour, in which prunable moves have no part.
    #[must_use]
    pub fn priors(&self, colour: Colour) -> Vec<(String, f32)> {
        let position = self.with_turn(colour);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut verdict = Verdict::new();
        HexPriors::new(Arc::clone(&self.patterns)).assess(
            &position,
            &Context::new(0, &moves),
            &mut verdict,
        );
        let place = |cell: usize| moves.iter().position(|mv| mv.index() == cell);
        let prior = |cell| place(cell).and_then(|place| verdict.priors.get(place)).copied();
        self.per_cell(|cell| prior(cell).unwrap_or_default())
    }

    /// What the net tells if a colour is to move: the probability of each move, and of winning.
    #[must_use]
    pub fn evaluated(&self, colour: Colour) -> (Vec<(String, f32)>, f32) {
        let Evaluation { policy, value_logit, .. } =
            self.net.evaluate_once(&self.with_turn(colour));
        let cells = self.empty_cells();
        let most = cells.iter().map(|(cell, _)| policy[*cell]).fold(f32::MIN, f32::max);
        let strength = |cell: usize| exp(policy[cell] - most);
        let total: f32 = cells.iter().map(|(cell, _)| strength(*cell)).sum();
        (self.per_cell(|cell| strength(cell) / total), logistic(value_logit))
    }

    /// Who wins if a colour is to move; a swap that is possible is left out of account. `None` if
    /// `limits` ended the search before.
    pub fn solve(&self, to_move: Colour, limits: &mut SolveLimits<'_>) -> Option<Colour> {
        let mut solver = self.solver()?;
        let winner = limits.run(&mut solver, &self.with_turn(to_move))?;
        Some(self.outer_if(ours(winner)))
    }

    /// The moves that win for a colour, of those that are neither inferior nor outside the
    /// mustplay. `None` if `limits` ended the search before all were known.
    pub fn winning_moves(
        &self,
        to_move: Colour,
        limits: &mut SolveLimits<'_>,
    ) -> Option<Vec<String>> {
        let position = self.with_turn(to_move);
        if position.winner().is_some() {
            return Some(Vec::new());
        }
        let mut solver = self.solver()?;
        let left_out = self.outside_mustplay(to_move);
        let mut winning = Vec::new();
        for (cell, text) in self.empty_cells() {
            if left_out.iter().any(|(known, _)| *known == text) {
                continue;
            }
            let mut after = position.clone();
            after.try_play(HexMove::from_index(cell)).ok()?;
            if limits.run(&mut solver, &after)? == position.colour_to_move() {
                winning.push(text);
            }
        }
        Some(winning)
    }

    fn solver(&self) -> Option<HexSolver> {
        HexSolver::new(self.size(), self.memory_mb.max(1) << 20)
    }

    /// The board of the search with a colour to move.
    fn with_turn(&self, colour: Colour) -> Hex {
        let mut position = self.position.clone();
        position.set_turn(self.inner(colour));
        position
    }

    fn stones(&self) -> Stones<6> {
        Stones::new(&self.position).expect("six words hold every board")
    }

    fn built(&self) -> Connections<6> {
        connections_of(&Inferior::new().fill_in(&self.stones()))
    }

    /// A colour of the protocol as the board of the search has it.
    fn inner(&self, colour: Colour) -> kosumi_hex::Colour {
        theirs(self.outer_if(colour))
    }

    /// The other colour if the board is shown exchanged.
    fn outer_if(&self, colour: Colour) -> Colour {
        if self.exchanged { colour.opponent() } else { colour }
    }

    /// Where a cell is shown, or the other way round: the mirror is its own inverse.
    fn shown(&self, cell: usize) -> usize {
        if !self.exchanged {
            return cell;
        }
        HexKit::exchanged_move(&self.position, HexMove::from_index(cell)).index()
    }

    fn text(&self, cell: usize) -> String {
        self.position.move_text(HexMove::from_index(self.shown(cell)))
    }

    fn texts(&self, cells: Cells) -> Vec<String> {
        let mut shown: Vec<usize> = cells.iter().map(|cell| self.shown(cell)).collect();
        shown.sort_unstable();
        shown.into_iter().map(|cell| self.position.move_text(HexMove::from_index(cell))).collect()
    }

    /// Empty cells with their names, in the order they are shown in.
    fn empty_cells(&self) -> Vec<(usize, String)> {
        let mut cells: Vec<usize> = self.stones().empty().iter().collect();
        cells.sort_by_key(|&cell| self.shown(cell));
        cells.into_iter().map(|cell| (cell, self.text(cell))).collect()
    }

    fn per_cell(&self, value: impl Fn(usize) -> f32) -> Vec<(String, f32)> {
        self.empty_cells().into_iter().map(|(cell, text)| (text, value(cell))).collect()
    }

    fn end(&self, colour: Colour, text: &str) -> Result<End, EngineError> {
        let lower = text.to_ascii_lowercase();
        if let Some(side) = SIDES[theirs(colour).index()].iter().position(|name| *name == lower) {
            return Ok(End::Side(side));
        }
        if SIDES.as_flattened().contains(&lower.as_str()) {
            return Err(EngineError::Unanswerable(format!("{lower} is no side of {colour}")));
        }
        let mv = self.position.parse_move(text)?;
        if self.position.point(mv).is_none() {
            return Err(EngineError::Unanswerable(format!("{lower} is no cell")));
        }
        let cell = self.shown(mv.index());
        let at = self.position.point(HexMove::from_index(cell));
        let taken = at.and_then(|at| self.position.cell(at).colour());
        if taken == Some(self.inner(colour.opponent())) {
            let opponent = colour.opponent();
            return Err(EngineError::Unanswerable(format!("{lower} holds a stone of {opponent}")));
        }
        Ok(End::Cell(cell))
    }

    fn end_text(&self, colour: Colour, end: End) -> String {
        match end {
            End::Cell(cell) => self.text(cell),
            End::Side(side) => SIDES[theirs(colour).index()][side].to_owned(),
        }
    }
}

/// The smallest carrier that joins the sides, with the key if it is a semi connection.
fn winning(
    connections: &Connections<6>,
    colour: kosumi_hex::Colour,
) -> Option<(Cells, Option<u16>)> {
    let full = connections.won_by_connection(colour).map(|carrier| (carrier, None));
    full.or_else(|| connections.winning_semi(colour).map(|semi| (semi.carrier, Some(semi.key))))
}

fn connections_of(stones: &Stones<6>) -> Connections<6> {
    Connections::new(stones, Limits::default())
}

/// What a cell or side is one chain with: cells, and which sides.
fn joined(stones: &Stones<6>, colour: kosumi_hex::Colour, end: End) -> (Cells, [bool; 2]) {
    let (own, lattice) = (stones.of(colour), stones.lattice());
    let beside = lattice.beside[colour.index()];
    let mut sides = [0, 1].map(|side| end == End::Side(side));
    let mut chain = match end {
        End::Cell(cell) if own.contains(cell) => lattice.flood(CellSet::of(cell), own),
        End::Cell(cell) => return (CellSet::of(cell), sides),
        End::Side(_) => CellSet::EMPTY,
    };
    // Each side may bring chains that touch the other.
    for _ in 0..2 {
        for side in 0..2 {
            sides[side] |= !chain.is_disjoint(&beside[side]);
            if sides[side] {
                chain |= lattice.flood(beside[side], own);
            }
        }
    }
    (chain, sides)
}
