//! The arbiter: knows the rules of all three games, whose move it is, and who has won.

use std::collections::BTreeSet;

use kosumi_game::{Game, Move, Player, Playout, Rng, Trace, Turn};
use kosumi_go::{GoMove, Komi, Position, Rules, Scoring, UpTo25};
use kosumi_havannah::{Havannah, HavannahRules};
use kosumi_hex::{Hex, HexRules};
use kosumi_record::{Colour, GameKind, GameResult, Victory};

/// What is played: the game, its board and its rules.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Rulebook {
    /// `go`, `hex` or `havannah`.
    pub game: String,
    /// Lines of the board; cells along an edge in Havannah.
    pub size: usize,
    /// Komi in points; Go only.
    pub komi: f64,
    /// The name of a rule set; Go only.
    pub rules: String,
    /// Whether the second player may swap; Hex and Havannah only.
    pub swap: bool,
}

/// A rulebook that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulebookError {
    /// No such game.
    #[error("unknown game '{0}': choose go, hex or havannah")]
    Game(String),
    /// Komi or the rule set.
    #[error(transparent)]
    Go(#[from] kosumi_go::RulesError),
    /// Rules that no arbiter can count by.
    #[error("'{0}' rules count territory; matches count area: choose chinese, aga or tromp-taylor")]
    Territory(String),
    /// No such board.
    #[error("{0}")]
    Size(String),
}

impl Rulebook {
    /// A game on a board of that size, by its usual rules: in Go Chinese rules with komi 7.5. The
    /// swap is off: in a match the colours alternate, and programs disagree about its notation.
    #[must_use]
    pub fn new(game: GameKind, size: usize) -> Self {
        Self {
            game: game.name().to_ascii_lowercase(),
            size,
            komi: 7.5,
            rules: "chinese".to_owned(),
            swap: false,
        }
    }

    /// The game that is played.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn kind(&self) -> Result<GameKind, RulebookError> {
        GameKind::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(&self.game))
            .ok_or_else(|| RulebookError::Game(self.game.clone()))
    }

    /// More moves than a sensible game has; beyond, it is scored as it stands.
    pub(crate) fn most_moves(&self) -> usize {
        3 * self.size * self.size + 100
    }
}

#[derive(Clone)]
enum Board {
    Go(Box<Position<UpTo25>>),
    Hex(Box<Hex>),
    Havannah(Box<Havannah>),
}

/// Calls one expression on whichever game it is.
macro_rules! on_board {
    ($board:expr, $position:ident => $body:expr) => {
        match $board {
            Board::Go($position) => $body,
            Board::Hex($position) => $body,
            Board::Havannah($position) => $body,
        }
    };
}

/// A game in progress, as its rules see it.
#[derive(Clone)]
pub struct Arbiter {
    kind: GameKind,
    board: Board,
}

impl Arbiter {
    /// The start of a game.
    ///
    /// # Errors
    /// There is no such game, board, komi or rule set.
    pub fn new(rulebook: &Rulebook) -> Result<Self, RulebookError> {
        let kind = rulebook.kind()?;
        let (size, swap) = (rulebook.size, rulebook.swap);
        let no_board = |error: &dyn std::error::Error| RulebookError::Size(error.to_string());
        let board = match kind {
            GameKind::Hex => {
                let game = Hex::new(size, HexRules { swap }).map_err(|e| no_board(&e))?;
                Board::Hex(Box::new(game))
            }
            GameKind::Havannah => {
                let rules = HavannahRules { swap };
                let game = Havannah::new(size, rules).map_err(|e| no_board(&e))?;
                Board::Havannah(Box::new(game))
            }
            GameKind::Go => {
                let komi = Komi::parse(&rulebook.komi.to_string())?;
                let rules = Rules::named(&rulebook.rules)?.with_komi(komi);
                if rules.scoring == Scoring::Territory {
                    return Err(RulebookError::Territory(rulebook.rules.clone()));
                }
                let position = Position::new(size, rules).map_err(|e| no_board(&e))?;
                Board::Go(Box::new(position))
            }
        };
        Ok(Self { kind, board })
    }

    /// Who is to move: the person, and the person's colour.
    #[must_use]
    pub fn to_move(&self) -> (Player, Colour) {
        let turn = on_board!(&self.board, position => position.turn());
        let player = match turn {
            Turn::Player(player) => player,
            _ => Player::First,
        };
        (player, self.colour_of(player))
    }

    /// The colour of a person. It stays: after a swap it is the stone that changes, see
    /// [`Arbiter::play`].
    #[must_use]
    pub fn colour_of(&self, player: Player) -> Colour {
        self.kind.colour(player)
    }

    /// Plays a move in the game's notation and gives it back in its usual form.
    ///
    /// A swap is the one of the protocols: the stone changes its colour (in Hex its cell is
    /// mirrored too), the persons keep theirs, and whoever moved first is to move again.
    ///
    /// # Errors
    /// Says why it is no legal move here.
    pub fn play(&mut self, text: &str) -> Result<String, String> {
        fn play<G: Game>(position: &mut G, text: &str) -> Result<(String, G::Move), String> {
            let mv = position.parse_move(text).map_err(|e| e.to_string())?;
            position.try_play(mv).map_err(|e| e.to_string())?;
            Ok((position.move_text(mv), mv))
        }
        match &mut self.board {
            Board::Go(position) => play(&mut **position, text).map(|(text, _)| text),
            Board::Hex(position) => {
                let (text, mv) = play(&mut **position, text)?;
                if mv == position.swap_move() {
                    **position = hex_after_swap(position).map_err(|e| e.to_string())?;
                }
                Ok(text)
            }
            Board::Havannah(position) => {
                let (text, mv) = play(&mut **position, text)?;
                if mv == position.swap_move() {
                    **position = havannah_after_swap(position).map_err(|e| e.to_string())?;
                }
                Ok(text)
            }
        }
    }

    /// The result, once the rules have ended the game.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let over = on_board!(&self.board, position => position.outcome().is_some());
        over.then(|| self.standing())
    }

    /// The result if the game ended here: in Go the area as it stands, else a draw unless somebody
    /// has won.
    #[must_use]
    pub fn standing(&self) -> GameResult {
        if let Board::Go(position) = &self.board {
            let lead = f64::from(position.area_lead_half_points()) / 2.0;
            return if lead > 0.0 {
                GameResult::win(Colour::Black, Victory::Points(lead))
            } else if lead < 0.0 {
                GameResult::win(Colour::White, Victory::Points(-lead))
            } else {
                GameResult::Draw
            };
        }
        let outcome = on_board!(&self.board, position => position.outcome());
        match outcome.and_then(|reward| reward.winner()) {
            Some(player) => GameResult::win(self.colour_of(player), Victory::Unspecified),
            None => GameResult::Draw,
        }
    }

    /// The result of a game of Go that has ended if these stones are taken off first; `None` if one
    /// of them is no stone, or the game is another.
    pub(crate) fn standing_without(&self, dead: &BTreeSet<String>) -> Option<GameResult> {
        let Board::Go(position) = &self.board else {
            return None;
        };
        let mut gone = BTreeSet::new();
        for text in dead {
            let point = position.parse_move(text).ok()?.point()?;
            position.board().stone(point)?;
            gone.insert(position.move_text(GoMove::on(point)));
        }
        let board = position.board();
        let stones: Vec<_> = board
            .points()
            .filter(|&p| !gone.contains(&position.move_text(GoMove::on(p))))
            .filter_map(|p| Some((board.stone(p)?, p)))
            .collect();
        let (size, rules) = (position.size(), *position.rules());
        let mut cleared = Position::from_stones(size, rules, &stones, position.to_move()).ok()?;
        cleared.set_handicap(position.handicap());
        let cleared = Self { kind: self.kind, board: Board::Go(Box::new(cleared)) };
        Some(cleared.standing())
    }

    /// Lets a game of Go go on after two passes.
    pub(crate) fn reopen(&mut self) {
        if let Board::Go(position) = &mut self.board {
            position.reopen(position.to_move());
        }
    }

    /// The stones that can come first, one for all that are alike by symmetry.
    pub(crate) fn first_moves(&self) -> Vec<String> {
        fn distinct<G: Game>(position: &G, is_stone: impl Fn(&G, G::Move) -> bool) -> Vec<String> {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.retain(|&mv| {
                let least = position.symmetries().iter().map(|s| s.apply(mv.index())).min();
                is_stone(position, mv) && least.is_none_or(|least| mv.index() <= least)
            });
            moves.into_iter().map(|mv| position.move_text(mv)).collect()
        }
        match &self.board {
            Board::Go(position) => distinct(&**position, |_, mv| mv != GoMove::PASS),
            Board::Hex(position) => distinct(&**position, |p, mv| mv != p.swap_move()),
            Board::Havannah(position) => distinct(&**position, |p, mv| mv != p.swap_move()),
        }
    }

    /// What the position is worth to whoever moved first, by random playouts.
    pub(crate) fn value_by_playouts(&self, rng: &mut Rng) -> f64 {
        fn value<G: Game>(position: &G, mut playout: impl Playout<G>, rng: &mut Rng) -> f64 {
            const PLAYOUTS: u32 = 400;
            let mut trace = Trace::new();
            let mut sum = 0.0;
            for _ in 0..PLAYOUTS {
                trace.clear();
                let reward = playout.run(position, rng, &mut trace);
                sum += f64::from(reward.value_for(Player::First).get());
            }
            sum / f64::from(PLAYOUTS)
        }
        match &self.board {
            Board::Go(position) => value(&**position, kosumi_go::LightPlayout::new(), rng),
            Board::Hex(position) => value(&**position, kosumi_hex::LightPlayout::new(), rng),
            Board::Havannah(position) => {
                value(&**position, kosumi_havannah::LightPlayout::new(), rng)
            }
        }
    }

    /// Whether only two passes could have ended the game, so that dead stones are a question.
    pub(crate) fn needs_scoring(&self) -> bool {
        self.kind == GameKind::Go
    }

    /// Plays `count` random stones, none of which passes, swaps or ends the game.
    ///
    /// Gives `None` if that is not possible, as on a board that is too small.
    pub(crate) fn random_opening(&mut self, count: usize, rng: &mut Rng) -> Option<Vec<String>> {
        fn stones<G: Game>(
            position: &mut G,
            count: usize,
            rng: &mut Rng,
            is_stone: impl Fn(&G, G::Move) -> bool,
        ) -> Option<Vec<String>> {
            let mut texts = Vec::with_capacity(count);
            let mut moves = Vec::new();
            while texts.len() < count {
                moves.clear();
                position.legal_moves(&mut moves);
                moves.retain(|&mv| {
                    let mut next = position.clone();
                    is_stone(position, mv) && {
                        next.play(mv);
                        next.outcome().is_none()
                    }
                });
                let mv = *moves.get(rng.below(moves.len() as u32) as usize)?;
                texts.push(position.move_text(mv));
                position.play(mv);
            }
            Some(texts)
        }
        match &mut self.board {
            Board::Go(position) => stones(&mut **position, count, rng, |_, mv| mv != GoMove::PASS),
            Board::Hex(position) => {
                stones(&mut **position, count, rng, |p, mv| mv != p.swap_move())
            }
            Board::Havannah(position) => {
                stones(&mut **position, count, rng, |p, mv| mv != p.swap_move())
            }
        }
    }
}

/// White has the first stone, mirrored at the short diagonal, and Black is to move.
fn hex_after_swap(position: &Hex) -> Result<Hex, kosumi_hex::SetupError> {
    let stone = position.last_stone();
    let mirrored = stone.map(|at| kosumi_hex::Point::new(at.row(), at.column()));
    let stone = mirrored.and_then(|at| position.move_at(at));
    let stones = stone.map(|mv| (kosumi_hex::Colour::White, mv));
    let black = kosumi_hex::Colour::Black;
    Hex::from_stones(position.size(), position.rules(), stones, black)
}

/// Black has the first stone, and White is to move.
fn havannah_after_swap(position: &Havannah) -> Result<Havannah, kosumi_havannah::SetupError> {
    let stone = position.last_stone();
    let stones = stone.map(|mv| (kosumi_havannah::Colour::Black, mv));
    let white = kosumi_havannah::Colour::White;
    // One stone that is White's no more: the swap cannot come again.
    Havannah::from_stones(position.size(), position.rules(), stones, white)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arbiter(kind: GameKind, size: usize) -> Arbiter {
        Arbiter::new(&Rulebook::new(kind, size)).unwrap()
    }

    #[test]
    fn two_passes_end_go_and_the_area_counts() {
        let mut game = arbiter(GameKind::Go, 3);
        assert_eq!(game.to_move(), (Player::First, Colour::Black));
        assert_eq!(game.play("b2").unwrap(), "B2");
        assert!(game.play("B2").unwrap_err().contains("illegal"));
        game.play("pass").unwrap();
        assert_eq!(game.result(), None);
        game.play("PASS").unwrap();
        // Nine points for Black less 7½.
        assert_eq!(game.result().unwrap().to_string(), "B+1.5");
        assert!(game.play("A1").is_err());
    }

    #[test]
    fn a_swap_takes_the_stone_and_not_the_colour() {
        for (kind, first, taken, free) in [
            (GameKind::Hex, Colour::Black, "b1", "a2"),
            (GameKind::Havannah, Colour::White, "a2", "b1"),
        ] {
            let mut rulebook = Rulebook::new(kind, 4);
            let mut fixed = Arbiter::new(&rulebook).unwrap();
            fixed.play("a2").unwrap();
            assert!(fixed.play("swap").is_err(), "the swap is off");
            rulebook.swap = true;
            let mut game = Arbiter::new(&rulebook).unwrap();
            assert_eq!(game.to_move(), (Player::First, first));
            game.play("a2").unwrap();
            assert_eq!(game.to_move(), (Player::Second, first.opponent()));
            game.play("swap").unwrap();
            assert_eq!(game.to_move(), (Player::First, first));
            assert!(game.play("swap").is_err(), "one swap a game");
            assert!(game.play(taken).is_err(), "{kind:?}: the stone is on {taken}");
            game.play(free).unwrap();
            assert!(game.play("swap").is_err(), "one swap a game");
        }
    }

    #[test]
    fn hex_ends_with_a_connection() {
        let mut game = arbiter(GameKind::Hex, 3);
        for mv in ["b1", "a1", "b2", "a2"] {
            game.play(mv).unwrap();
        }
        assert_eq!(game.result(), None);
        game.play("b3").unwrap();
        assert_eq!(game.result().unwrap().to_string(), "B+");
    }

    #[test]
    fn openings_are_random_stones_that_end_nothing() {
        for (kind, size) in [(GameKind::Go, 5), (GameKind::Hex, 5), (GameKind::Havannah, 4)] {
            let opening = |seed| arbiter(kind, size).random_opening(6, &mut Rng::new(seed));
            let moves = opening(1).unwrap();
            assert_eq!(moves.len(), 6);
            assert_eq!(opening(1), opening(1));
            assert_ne!(opening(1), opening(2));
            let mut game = arbiter(kind, size);
            for mv in &moves {
                game.play(mv).unwrap();
                assert_ne!(mv, "pass");
            }
            assert_eq!(game.result(), None);
        }
        assert_eq!(arbiter(GameKind::Hex, 3).random_opening(9, &mut Rng::new(1)), None);
    }

    #[test]
    fn refuses_what_does_not_exist() {
        let mut rulebook = Rulebook::new(GameKind::Go, 9);
        rulebook.komi = 7.3;
        assert!(Arbiter::new(&rulebook).is_err());
        rulebook.komi = 7.0;
        for rules in ["house", "japanese"] {
            rulebook.rules = rules.to_owned();
            assert!(Arbiter::new(&rulebook).is_err());
        }
        rulebook.game = "chess".to_owned();
        assert!(Arbiter::new(&rulebook).err().unwrap().to_string().contains("hex"));
        assert!(Arbiter::new(&Rulebook::new(GameKind::Go, 26)).is_err());
        assert!(Arbiter::new(&Rulebook::new(GameKind::Hex, 2)).is_err());
        assert!(Arbiter::new(&Rulebook::new(GameKind::Havannah, 11)).is_err());
    }
}
