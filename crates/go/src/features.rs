//! Moves as teams of features, for the model of the tree (N2, N3).
//!
//! A feature is a number. The first ones belong to families with a few values each: distances,
//! captures, ladders and so on; a move that has nothing of a family has no feature of it. The others
//! are patterns ([`spatial`]), as many as a model knows.
//!
//! One pass over the chains of a position finds out what is urgent and where; then each move adds up
//! what it finds at its point. Nothing is kept between positions.

mod patterns;
pub(crate) mod spatial;
mod tactics;

use kosumi_game::Player;

use crate::playout;
use crate::tactics::distance::from_last_move;
use crate::{Board, BoardClass, GoMove, Point, Position};

pub use patterns::PatternTable;
use spatial::{Area, distance};
use tactics::Urgent;

/// Takes the features of moves.
pub trait FeatureSink {
    /// The move at hand has this feature.
    fn feature(&mut self, feature: u32);
}

/// The features of a family: their numbers and what they are called.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What the family is about.
    pub name: &'static str,
    /// Its first feature.
    pub first: u32,
    /// How many values there are.
    pub len: u32,
}

macro_rules! families {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $len:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($name,)* COUNT }
        /// All families, in the order of their features.
        pub const FAMILIES: [Family; Number::COUNT as usize] = {
            let mut families = [$(Family { name: $text, first: 0, len: $len },)*];
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
    LAST, "distance to the last move", 16;
    BEFORE, "distance to the move before the last", 16;
    /// Up to distance 8 each, or far.
    BOTH, "distances to the last two moves together", 64;
    CHAIN, "steps along chains to the last move", 3;
    LINE, "line by phase of the game", 40;
    CAPTURE, "capture: stones, urgency, what it saves", 12;
    ESCAPE, "escape from atari: stones, success", 6;
    ATARI, "atari: stones, success", 6;
    DOUBLE_ATARI, "atari to two chains", 1;
    DEFENCE, "defence of a chain that could be caught", 3;
    SQUEEZE, "takes the third-last liberty of a chain", 3;
    SELF_ATARI, "self-atari: stones, or with a purpose", 4;
    LIBERTIES, "liberties after the move by own chains joined", 18;
    CONTACT, "own chains joined by opposing chains touched", 16;
    KO, "takes a ko", 1;
    EYE, "fills an own eye", 1;
    NAKADE, "vital point of a small eye space", 1;
    /// Whether the last move put own stones in atari, and this move touches the last one's chain.
    URGENT, "near a last move that gave atari", 3;
}

/// How many features belong to families; patterns come after them.
pub const FAMILY_FEATURES: u32 = {
    let last = FAMILIES[FAMILIES.len() - 1];
    last.first + last.len
};

/// How many moves of a ladder are read.
const LADDER: u32 = 100;

/// Finds the features of moves; scratch memory of one thread.
pub struct Features<C: BoardClass> {
    area: Area,
    urgent: Urgent<C>,
    /// Steps along chains from the last move, for the points near it.
    near: Vec<(Point, u8)>,
}

impl<C: BoardClass> std::fmt::Debug for Features<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Features")
    }
}

impl<C: BoardClass> Default for Features<C> {
    fn default() -> Self {
        Self { area: Area::new(), urgent: Urgent::new(), near: Vec::new() }
    }
}

/// What is common to all moves of a position.
struct Situation<'a, C: BoardClass> {
    board: &'a Board<C>,
    player: Player,
    last: Option<Point>,
    before: Option<Point>,
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
        for (place, mv) in moves.iter().enumerate() {
            let Some(p) = mv.point() else { continue };
            self.families(&situation, p, sink);
            self.area.patterns(situation.board, p, situation.last, |key| match table.get(key) {
                Some(pattern) => {
                    sink.feature(FAMILY_FEATURES + pattern);
                    true
                }
                None => false,
            });
            team(sink, place);
        }
    }

    /// Calls `found` with the keys of all patterns around one move, large and small.
    pub fn pattern_keys(&mut self, position: &Position<C>, p: Point, mut found: impl FnMut(u32)) {
        let board = position.board();
        self.area.set(board, position.to_move());
        let last = position.last_move().point();
        self.area.patterns(board, p, last, |key| {
            found(key);
            true
        });
    }

    fn look_at<'a>(&mut self, position: &'a Position<C>) -> Situation<'a, C> {
        let (board, player) = (position.board(), position.to_move());
        let [last, before, ..] = position.last_moves().map(GoMove::point);
        self.area.set(board, player);
        self.urgent.look_at(board, player, LADDER);
        self.near.clear();
        if let Some(last) = last {
            self.near.extend(from_last_move(board, last));
        }
        let stones = board.stone_count(Player::First) + board.stone_count(Player::Second);
        // As many stones as would lie on the full-size board.
        let phase = match stones * 361 / (board.size() * board.size()) {
            0..12 => 0,
            12..40 => 1,
            40..100 => 2,
            _ => 3,
        };
        let beside = |p: Point| {
            let own = |n: &Point| board.has(*n, player) && board.liberty_count(*n) == 1;
            p.neighbours::<C>().iter().any(own)
        };
        Situation {
            board,
            player,
            last,
            before,
            phase,
            nakade: last.map_or(Point::NONE, |last| playout::nakade(board, last)),
            atari: last.is_some_and(beside),
        }
    }

    fn families(&self, situation: &Situation<'_, C>, p: Point, sink: &mut impl FeatureSink) {
        let &Situation { board, player, .. } = situation;
        let mut say = |family: Family, value: u32| {
            debug_assert!(value < family.len);
            sink.feature(family.first + value);
        };
        let (x, y) = p.xy::<C>();
        let away = |other: Option<Point>| {
            let (ox, oy) = other?.xy::<C>();
            Some(distance(ox as i32 - x as i32, oy as i32 - y as i32) as u32)
        };
        let (last, before) = (away(situation.last), away(situation.before));
        for (family, away) in [(LAST, last), (BEFORE, before)] {
            if let Some(away) = away.filter(|&away| (2..18).contains(&away)) {
                say(family, away - 2);
            }
        }
        let near = |away: Option<u32>| away.map_or(7, |away| (away.max(2) - 2).min(7));
        let (near_last, near_before) = (near(last), near(before));
        if near_last < 7 || near_before < 7 {
            say(BOTH, near_last * 8 + near_before);
        }
        let steps = self.near.iter().find(|(near, _)| *near == p).map(|&(_, steps)| steps);
        if let Some(steps) = steps {
            say(CHAIN, u32::from(steps) - 1);
            if situation.atari {
                say(URGENT, u32::from(steps) - 1);
            }
        }
        let end = board.size() - 1;
        let line = x.min(y).min(end - x).min(end - y).min(9) as u32;
        say(LINE, situation.phase * 10 + line);

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
        let code = board.code(p);
        if code.is_eye_of(player) {
            say(EYE, 0);
        }
        let own = tactics::chains_beside(board, p, player);
        let others = tactics::chains_beside(board, p, player.opponent());
        if own + others > 0 {
            say(CONTACT, own.min(3) * 4 + others.min(3));
            let liberties = board.liberties_after(p, player, 6);
            say(LIBERTIES, own.min(2) * 6 + liberties.max(1) - 1);
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
}

#[cfg(test)]
mod tests;
