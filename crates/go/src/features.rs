//! Moves as teams of features, for the model of the tree (N2, N3).
//!
//! A feature is a number. The first ones belong to families with a few values each: distances,
//! captures, ladders and so on; a move that has nothing of a family has no feature of it. The others
//! are patterns ([`spatial`]), as many as a model knows.
//!
//! One pass over the chains of a position finds out what is urgent and where; then each move adds up
//! what it finds at its point. Nothing is kept between positions.

mod influence;
mod patterns;
mod selection;
pub(crate) mod spatial;
mod steps;
mod tactics;

use kosumi_game::Player;

use crate::class::PerPoint;
use crate::playout;
use crate::tactics::distance::from_last_move;
use crate::{Board, BoardClass, GoMove, Point, Position};

use influence::Influence;
pub use patterns::PatternTable;
pub use selection::{Selection, UnknownFeatures};
pub use spatial::PatternKind;
use spatial::{Area, LastMoves, distance};
use steps::Steps;
use tactics::Urgent;

/// Takes the features of moves.
pub trait FeatureSink {
    /// The move at hand has this feature.
    fn feature(&mut self, feature: u32);
}

/// The features of a family: their numbers and what they are called.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What it is called.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its first feature.
    pub first: u32,
    /// How many values there are.
    pub len: u32,
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident, $short:literal, $about:literal, $len:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name,)* COUNT }
        /// All families, in the order of their features.
        pub const FAMILIES: [Family; Number::COUNT as usize] = {
            let mut families = [$(Family { name: $short, about: $about, first: 0, len: $len },)*];
            let mut at = 1;
            while at < families.len() {
                families[at].first = families[at - 1].first + families[at - 1].len;
                at += 1;
            }
            families
        };
        $($(#[$doc])* const $name: Family = FAMILIES[Number::$name as usize];)*
    };
}

families! {
    /// Distances 2 to 17; beyond that none.
    LAST, "last", "distance to the last move", 16;
    BEFORE, "before", "distance to the move before the last", 16;
    /// Up to distance 8 each, or far.
    BOTH, "both", "distances to the last two moves together", 64;
    EARLIER, "earlier", "distances to the third- and fourth-last move together", 64;
    CHAIN, "chain", "steps along chains to the last move", 3;
    PLACE, "place", "lines from the two nearest edges by phase of the game", 55 * PHASES;
    STONES, "stones", "steps to the nearest own and opposing stone by phase", 36 * PHASES;
    WEAK, "weak", "steps to the nearest own and opposing chain of few liberties by phase", 25 * PHASES;
    INFLUENCE, "influence", "whose sphere, how sure, line, by phase", 9 * 4 * 4 * PHASES;
    CAPTURE, "capture", "capture: stones, urgency, what it saves", 12;
    ESCAPE, "escape", "escape from atari: stones, success", 6;
    ATARI, "atari", "atari: stones, success", 6;
    DOUBLE_ATARI, "double-atari", "atari to two chains", 1;
    DEFENCE, "defence", "defence of a chain that could be caught", 3;
    SQUEEZE, "squeeze", "takes the third-last liberty of a chain", 3;
    SELF_ATARI, "self-atari", "self-atari: stones, or with a purpose", 4;
    LIBERTIES, "liberties", "liberties after the move by own chains joined", 18;
    CONTACT, "contact", "own chains joined by opposing chains touched", 16;
    TOUCH, "touch", "fewest liberties of own and opposing chains touched, and after the move", 150;
    KO, "ko", "takes a ko", 1;
    EYE, "eye", "fills an own eye", 1;
    NAKADE, "nakade", "vital point of a small eye space", 1;
    /// Whether the last move put own stones in atari, and this move touches the last one's chain.
    URGENT, "urgent", "near a last move that gave atari", 3;
}

/// How many features belong to families; patterns come after them.
pub const FAMILY_FEATURES: u32 = {
    let last = FAMILIES[FAMILIES.len() - 1];
    last.first + last.len
};

/// The features below this one tell of earlier moves; the others of the families of the board.
pub const EARLIER_FEATURES: u32 = PLACE.first;

/// Phases of a game: stones on the board, were it of full size, up to which each lasts.
const PHASE_ENDS: [usize; 7] = [12, 30, 60, 90, 125, 165, 205];
const PHASES: u32 = PHASE_ENDS.len() as u32 + 1;
/// Steps to stones are counted so far.
const STEPS: u8 = 6;
/// Steps to chains of few liberties are counted so far.
const WEAK_STEPS: u8 = 5;
/// Chains of so many liberties are weak.
const WEAK_LIBERTIES: usize = 3;
/// How many moves of a ladder are read.
const LADDER: u32 = 100;

/// Finds the features of moves; scratch memory of one thread.
pub struct Features<C: BoardClass> {
    area: Area,
    urgent: Urgent<C>,
    influence: Influence<C>,
    /// Steps to own and opposing stones.
    stones: [Steps<C>; 2],
    /// Steps to own and opposing stones of weak chains.
    weak: [Steps<C>; 2],
    /// Steps along chains from the last move, for the points near it; else 0.
    near: PerPoint<C, u8>,
}

impl<C: BoardClass> std::fmt::Debug for Features<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Features")
    }
}

impl<C: BoardClass> Default for Features<C> {
    fn default() -> Self {
        Self {
            area: Area::new(),
            urgent: Urgent::new(),
            influence: Influence::new(),
            stones: [Steps::up_to(STEPS), Steps::up_to(STEPS)],
            weak: [Steps::up_to(WEAK_STEPS), Steps::up_to(WEAK_STEPS)],
            near: PerPoint::filled(0),
        }
    }
}

/// What is common to all moves of a position.
struct Situation<'a, C: BoardClass> {
    board: &'a Board<C>,
    player: Player,
    /// The last four moves, the latest first.
    last: [Option<Point>; 4],
    phase: u32,
    nakade: Point,
    atari: bool,
}

impl<C: BoardClass> Features<C> {
    /// Calls `team` with each of the moves but passes, and a function that tells the move's features
    /// to a sink. Patterns are those of the table.
    pub fn for_each<S: FeatureSink>(
        &mut self,
        position: &Position<C>,
        table: &PatternTable,
        moves: &[GoMove],
        sink: &mut S,
        mut team: impl FnMut(&mut S, usize),
    ) {
        let situation = self.look_at(position);
        let last = last_moves(position);
        for (place, mv) in moves.iter().enumerate() {
            let Some(p) = mv.point() else { continue };
            self.families(&situation, p, sink);
            self.area.patterns::<C>(p, last, |_, key| match table.get(key) {
                Some(pattern) => {
                    sink.feature(FAMILY_FEATURES + pattern);
                    true
                }
                None => false,
            });
            team(sink, place);
        }
    }

    /// Calls `found` with the kinds and keys of all patterns around one move, large and small.
    pub fn pattern_keys(
        &mut self,
        position: &Position<C>,
        p: Point,
        mut found: impl FnMut(PatternKind, u32),
    ) {
        self.area.set(position.board(), position.to_move());
        self.area.patterns::<C>(p, last_moves(position), |kind, key| {
            found(kind, key);
            true
        });
    }

    fn look_at<'a>(&mut self, position: &'a Position<C>) -> Situation<'a, C> {
        let (board, player) = (position.board(), position.to_move());
        let moves = position.last_moves().map(GoMove::point);
        let last = moves[0];
        self.area.set(board, player);
        self.urgent.look_at(board, player, LADDER);
        self.influence.look_at(board, player);
        for (who, owner) in [player, player.opponent()].into_iter().enumerate() {
            self.stones[who].look_at(board, |p| board.has(p, owner));
            let weak = |p| board.has(p, owner) && board.liberty_count(p) <= WEAK_LIBERTIES;
            self.weak[who].look_at(board, weak);
        }
        self.near.fill(0);
        if let Some(last) = last {
            for (p, steps) in from_last_move(board, last) {
                self.near[p] = steps;
            }
        }
        let beside = |p: Point| {
            let own = |n: &Point| board.has(*n, player) && board.liberty_count(*n) == 1;
            p.neighbours::<C>().iter().any(own)
        };
        Situation {
            board,
            player,
            last: moves,
            phase: phase(board),
            nakade: last.map_or(Point::NONE, |last| playout::nakade(board, last)),
            atari: last.is_some_and(beside),
        }
    }

    fn families(&self, situation: &Situation<'_, C>, p: Point, sink: &mut impl FeatureSink) {
        let mut say = |family: Family, value: u32| {
            debug_assert!(value < family.len, "{}: {value}", family.name);
            sink.feature(family.first + value);
        };
        self.of_earlier_moves(situation, p, &mut say);
        self.of_the_place(situation, p, &mut say);
        self.of_chains(situation, p, &mut say);
    }

    /// How far the move is from the moves before it.
    fn of_earlier_moves(
        &self,
        situation: &Situation<'_, C>,
        p: Point,
        say: &mut impl FnMut(Family, u32),
    ) {
        let (x, y) = p.xy::<C>();
        let away = |other: Option<Point>| {
            let (ox, oy) = other?.xy::<C>();
            Some(distance(ox as i32 - x as i32, oy as i32 - y as i32) as u32)
        };
        let [last, before, third, fourth] = situation.last.map(away);
        for (family, away) in [(LAST, last), (BEFORE, before)] {
            if let Some(away) = away.filter(|&away| (2..18).contains(&away)) {
                say(family, away - 2);
            }
        }
        let near = |away: Option<u32>| away.map_or(7, |away| (away.max(2) - 2).min(7));
        for (family, one, other) in [(BOTH, last, before), (EARLIER, third, fourth)] {
            let (one, other) = (near(one), near(other));
            if one < 7 || other < 7 {
                say(family, one * 8 + other);
            }
        }
        if let Some(steps) = u32::from(self.near[p]).checked_sub(1) {
            say(CHAIN, steps);
            if situation.atari {
                say(URGENT, steps);
            }
        }
    }

    /// Where on the board the move is, and among which stones.
    fn of_the_place(
        &self,
        situation: &Situation<'_, C>,
        p: Point,
        say: &mut impl FnMut(Family, u32),
    ) {
        let &Situation { board, phase, .. } = situation;
        let (x, y) = p.xy::<C>();
        let end = board.size() - 1;
        let (column, row) = (x.min(end - x).min(9), y.min(end - y).min(9));
        let (line, other) = (column.min(row) as u32, column.max(row) as u32);
        // The pairs of lines form a triangle.
        say(PLACE, phase * 55 + other * (other + 1) / 2 + line);
        let steps = |from: &[Steps<C>; 2]| [from[0].at(p) - 1, from[1].at(p) - 1];
        let [own, other] = steps(&self.stones);
        say(STONES, (phase * 6 + own) * 6 + other);
        let [own, other] = steps(&self.weak);
        say(WEAK, (phase * 5 + own) * 5 + other);
        let line_class = [0, 1, 2, 2, 3][line.min(4) as usize];
        let (sphere, slope) = (self.influence.sphere(p), self.influence.slope(board, p));
        say(INFLUENCE, ((phase * 4 + line_class) * 9 + sphere) * 4 + slope);
    }

    /// What the move does to chains.
    fn of_chains(&self, situation: &Situation<'_, C>, p: Point, say: &mut impl FnMut(Family, u32)) {
        let &Situation { board, player, .. } = situation;
        let found = self.urgent.at(p);
        for (family, value) in [
            (CAPTURE, found.capture),
            (ESCAPE, found.escape),
            (ATARI, found.atari),
            (DEFENCE, found.defence),
            (SQUEEZE, found.squeeze),
        ] {
            if let Some(value) = u32::from(value).checked_sub(1) {
                say(family, value);
            }
        }
        if found.ataris > 1 {
            say(DOUBLE_ATARI, 0);
        }
        if p == situation.nakade {
            say(NAKADE, 0);
        }
        if board.code(p).is_eye_of(player) {
            say(EYE, 0);
        }
        let own = tactics::chains_beside(board, p, player);
        let others = tactics::chains_beside(board, p, player.opponent());
        if own + others == 0 {
            return;
        }
        say(CONTACT, own.min(3) * 4 + others.min(3));
        let liberties = board.liberties_after(p, player, 6);
        let after = liberties.max(1) - 1;
        say(LIBERTIES, own.min(2) * 6 + after);
        let [own_fewest, others_fewest] = tactics::fewest_liberties(board, p, player);
        say(TOUCH, (own_fewest * 5 + others_fewest) * 6 + after);
        if liberties < 2 {
            let purpose = !playout::is_bad_self_atari(board, p, player);
            let lost = tactics::stones_joined(board, p, player);
            say(SELF_ATARI, if purpose { 3 } else { tactics::size_class(lost) });
            let takes_ko = found.capture > 0 && own == 0 && lost == 1;
            if takes_ko && board.is_capture(p, player) && found.stones == 1 {
                say(KO, 0);
            }
        }
    }
}

/// The phase of the game.
fn phase<C: BoardClass>(board: &Board<C>) -> u32 {
    let stones = board.stone_count(Player::First) + board.stone_count(Player::Second);
    let on_full_size = stones * 361 / (board.size() * board.size());
    PHASE_ENDS.iter().filter(|&&end| on_full_size >= end).count() as u32
}

/// The moves that patterns tell of.
fn last_moves<C: BoardClass>(position: &Position<C>) -> LastMoves {
    let [last, before, ..] = position.last_moves().map(GoMove::point);
    [last, before]
}

#[cfg(test)]
mod tests;
