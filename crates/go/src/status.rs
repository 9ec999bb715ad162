//! The end of a game between people: which stones are dead, whose the points are, and the score.
//!
//! Playouts from the final position give each point an owner most of the time; stones that mostly
//! end up as the opponent's are dead, stones that survive about as often as not stand in seki or an
//! open fight and count as alive.

use kosumi_game::{Player, Playout, Rng, Trace};

use crate::class::{PerPoint, PointSet};
use crate::{Board, BoardClass, GoPlayoutParams, HeavyPlayout, Point, Position, Scoring};

/// How often each point ended up Black's, over a number of playouts.
#[derive(Clone)]
pub struct Ownership<C: BoardClass> {
    /// Playouts in which Black owned the point less those in which White did.
    balance: PerPoint<C, i32>,
    playouts: u32,
}

impl<C: BoardClass> std::fmt::Debug for Ownership<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ownership over {} playouts", self.playouts)
    }
}

impl<C: BoardClass> Ownership<C> {
    /// Plays `playouts` heavy playouts from the position, with Black and White to move in turn: the
    /// status of a finished position must not depend on who moves first.
    #[must_use]
    pub fn estimate(position: &Position<C>, playouts: u32, seed: u64) -> Self {
        let mut playout = HeavyPlayout::new(&GoPlayoutParams::default());
        let mut ownership = Self { balance: PerPoint::filled(0), playouts };
        let mut trace = Trace::new();
        let mut owners = PerPoint::filled(0);
        for index in 0..playouts {
            let mut start = position.clone();
            start.reopen(Player::BOTH[index as usize % 2]);
            trace.clear();
            let mut rng = Rng::stream(seed, u64::from(index));
            playout.run(&start, &mut rng, &mut trace);
            if let Some(end) = playout.final_board() {
                end.area_owners(&mut owners);
                for p in end.points() {
                    ownership.balance[p] += i32::from(owners[p]);
                }
            }
        }
        ownership
    }

    /// How surely the point is Black's (1) or White's (-1).
    #[must_use]
    pub fn at(&self, p: Point) -> f32 {
        self.balance[p] as f32 / self.playouts.max(1) as f32
    }

    /// What becomes of the chain of `p`: the mean over its stones.
    fn chain_fate(&self, board: &Board<C>, p: Point) -> Status {
        let Some(owner) = board.stone(p) else {
            return Status::Alive;
        };
        let balance: i64 = board.chain_stones(p).map(|s| i64::from(self.balance[s])).sum();
        let sign = match owner {
            Player::First => 1,
            Player::Second => -1,
        };
        let all = i64::from(self.playouts.max(1)) * board.chain_size(p) as i64;
        // Thresholds of -1/3 and 1/3 mean that the stones survive a third or two thirds of the time.
        if 3 * sign * balance < -all {
            Status::Dead
        } else if 3 * sign * balance < all {
            Status::Seki
        } else {
            Status::Alive
        }
    }
}

/// What becomes of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It stays.
    Alive,
    /// It is taken off before counting.
    Dead,
    /// It stays in seki or an open fight.
    Seki,
}

/// The judged end of a game.
#[derive(Clone, Debug)]
pub struct Verdicts<C: BoardClass> {
    dead: PointSet<C>,
    seki: PointSet<C>,
}

impl<C: BoardClass> Verdicts<C> {
    /// Judges every chain by playouts.
    #[must_use]
    pub fn judge(position: &Position<C>, playouts: u32, seed: u64) -> Self {
        let ownership = Ownership::estimate(position, playouts, seed);
        let mut verdicts = Self { dead: PointSet::EMPTY, seki: PointSet::EMPTY };
        let board = position.board();
        for p in board.points().filter(|&p| board.stone(p).is_some()) {
            match ownership.chain_fate(board, p) {
                Status::Dead => verdicts.dead.insert(p),
                Status::Seki => verdicts.seki.insert(p),
                Status::Alive => {}
            }
        }
        verdicts
    }

    /// What becomes of the stone on `p`.
    #[must_use]
    pub fn of(&self, p: Point) -> Status {
        if self.dead.contains(p) {
            Status::Dead
        } else if self.seki.contains(p) {
            Status::Seki
        } else {
            Status::Alive
        }
    }

    /// The same with all stones of `player` dead that are not sure to live: a count with these
    /// verdicts is not lost by any dispute.
    #[must_use]
    pub fn at_worst_for(mut self, board: &Board<C>, player: Player) -> Self {
        for p in board.points().filter(|&p| board.has(p, player)) {
            if self.seki.contains(p) {
                self.seki.remove(p);
                self.dead.insert(p);
            }
        }
        self
    }

    /// The stones with that status, chain by chain.
    #[must_use]
    pub fn chains(&self, board: &Board<C>, status: Status) -> Vec<Vec<Point>> {
        let heads = board.points().filter(|&p| board.stone(p).is_some() && board.head(p) == p);
        heads.filter(|&p| self.of(p) == status).map(|p| board.chain_stones(p).collect()).collect()
    }
}

impl<C: BoardClass> Position<C> {
    /// Twice Black's lead when the dead stones are taken off, by the scoring of the rules, with komi
    /// and compensation.
    ///
    /// Territory scoring counts surrounded points and prisoners; it takes dead stones as prisoners
    /// and counts points around stones in seki as nobody's.
    #[must_use]
    pub fn final_lead_half_points(&self, verdicts: &Verdicts<C>) -> i32 {
        let board = self.board();
        let alive: Vec<_> = board
            .points()
            .filter(|&p| verdicts.of(p) != Status::Dead)
            .filter_map(|p| Some((board.stone(p)?, p)))
            .collect();
        let Ok(cleared) = Self::from_stones(self.size(), *self.rules(), &alive, Player::First)
        else {
            // Fewer stones of a legal position are a legal position.
            return self.area_lead_half_points();
        };
        let lead = match self.rules().scoring {
            Scoring::Area => cleared.board().area_score(),
            Scoring::Territory => {
                let count =
                    |player| board.stone_count(player) - cleared.board().stone_count(player);
                let lost = |player: Player| (board.prisoners(player) + count(player)) as i32;
                territory(cleared.board(), verdicts) + lost(Player::Second) - lost(Player::First)
            }
        };
        2 * lead - self.white_half_points()
    }
}

/// Black's surrounded points less White's; regions that touch stones in seki count for nobody.
fn territory<C: BoardClass>(board: &Board<C>, verdicts: &Verdicts<C>) -> i32 {
    let mut owners = PerPoint::filled(0);
    board.area_owners(&mut owners);
    let mut shared = PointSet::<C>::EMPTY;
    let mut queue: Vec<Point> =
        board.points().filter(|&p| verdicts.of(p) == Status::Seki && !board.is_empty(p)).collect();
    while let Some(p) = queue.pop() {
        for n in p.neighbours::<C>() {
            if board.is_empty(n) && !shared.contains(n) {
                shared.insert(n);
                queue.push(n);
            }
        }
    }
    board
        .points()
        .filter(|&p| board.is_empty(p) && !shared.contains(p))
        .map(|p| i32::from(owners[p]))
        .sum()
}

/// A score as GTP writes it: `B+3.5`, `W+0.5`, `0`.
#[must_use]
pub fn score_text(black_lead_half_points: i32) -> String {
    let points = f64::from(black_lead_half_points.abs()) / 2.0;
    match black_lead_half_points.signum() {
        1 => format!("B+{points:.1}"),
        -1 => format!("W+{points:.1}"),
        _ => "0".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Komi, Rules, UpTo9};
    use kosumi_game::Game;

    /// Black has the left, White the right; a white stone is dead on the left, two black ones on
    /// the right.
    const DEAD: &str = "
        . . X O . . .
        . . X O . X .
        . O X O . X .
        X X X O O O O
        . . X X O . .
        . . X X O . .
        . X X O O . .";

    fn position(diagram: &str, rules: Rules) -> Position<UpTo9> {
        Position::from_diagram(rules, diagram, Player::First).unwrap()
    }

    #[test]
    fn invaders_without_eyes_are_dead() {
        let game = position(DEAD, Rules::CHINESE);
        let verdicts = Verdicts::judge(&game, 400, 1);
        let dead = verdicts.chains(game.board(), Status::Dead);
        let mut sizes: Vec<usize> = dead.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 2], "{game}");
    }

    #[test]
    fn both_scorings_by_hand() {
        // Area: Black's three columns are 21 points, and D2 and D3; White has the other 26.
        let zero = Komi::parse("0").unwrap();
        let game = position(DEAD, Rules::CHINESE.with_komi(zero));
        let verdicts = Verdicts::judge(&game, 400, 1);
        assert_eq!(score_text(game.final_lead_half_points(&verdicts)), "W+3.0");
        // Territory: Black 6 + 5 points and a prisoner, White 9 + 6 points and two prisoners.
        let game = position(DEAD, Rules::JAPANESE.with_komi(zero));
        assert_eq!(score_text(game.final_lead_half_points(&verdicts)), "W+5.0");
        let game = position(DEAD, Rules::JAPANESE);
        assert_eq!(score_text(game.final_lead_half_points(&verdicts)), "W+11.5");
    }

    #[test]
    fn territory_in_seki_counts_for_nobody() {
        let diagram = "
            . . . X O . .
            . . . X O . .
            . . . X O . .
            X X X X O O O
            O O O X X X O
            X X O O O X O
            . X . X O X .";
        let game = position(diagram, Rules::JAPANESE.with_komi(Komi::parse("0").unwrap()));
        let mut verdicts = Verdicts::judge(&game, 2, 1);
        verdicts.dead = PointSet::EMPTY;
        verdicts.seki = PointSet::EMPTY;
        let all = game.final_lead_half_points(&verdicts);
        for p in game.board().points() {
            if game.board().stone(p).is_some() {
                verdicts.seki.insert(p);
            }
        }
        assert_eq!(game.final_lead_half_points(&verdicts), 0);
        assert_ne!(all, 0);
    }

    #[test]
    fn at_worst_the_stones_of_open_fate_are_lost() {
        let game = position(DEAD, Rules::CHINESE);
        let mut verdicts = Verdicts::judge(&game, 400, 1);
        let point = |text: &str| game.parse_move(text).unwrap().point().unwrap();
        let (black, white) = (point("C7"), point("D7"));
        for head in [black, white] {
            game.board().chain_stones(head).for_each(|p| verdicts.seki.insert(p));
        }
        let worst = verdicts.clone().at_worst_for(game.board(), Player::First);
        assert_eq!((worst.of(black), worst.of(white)), (Status::Dead, Status::Seki));
        // All that is left is White's: 49 points and komi of 7.5.
        assert_eq!(score_text(game.final_lead_half_points(&worst)), "W+56.5");
        let worst = verdicts.at_worst_for(game.board(), Player::Second);
        assert_eq!((worst.of(black), worst.of(white)), (Status::Seki, Status::Dead));
    }

    #[test]
    fn scores_read_like_gtp() {
        assert_eq!([7, -1, 0, 4].map(score_text), ["B+3.5", "W+0.5", "0", "B+2.0"]);
    }
}
