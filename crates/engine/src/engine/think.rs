//! From a search to a move: limits and clocks, when to resign, what to play.

use std::time::{Duration, Instant};

use kosumi_record::Colour;
use kosumi_search::{Clock, Limits, TimeControl};

use super::Engine;
use crate::analysis::{Analysis, Proven, Thinking};
use crate::error::EngineError;
use crate::player::Goal;

/// A move that may take less time than this is played without second thoughts.
const SECOND_THOUGHT_TIME: Duration = Duration::from_millis(500);

/// Simulations behind a move for which there was no time at all.
const GLANCE_SIMULATIONS: u64 = 64;

/// Seconds for a move when parameters give no limit at all.
const LAST_RESORT_SECONDS: f64 = 3.0;

/// A generated move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The move, or `resign`.
    pub mv: String,
    /// What the search found. Without simulations if no search was needed.
    pub analysis: Analysis,
}

impl Decision {
    /// Whether the engine resigns.
    #[must_use]
    pub fn resigns(&self) -> bool {
        self.mv == RESIGN
    }
}

pub(super) const RESIGN: &str = "resign";

/// A generated move on its way: searching, or decided without.
pub struct Pending {
    colour: Colour,
    goal: Goal,
    begun: Instant,
    reflex: Option<String>,
    thinking: Option<Box<dyn Thinking>>,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending")
            .field("colour", &self.colour)
            .field("reflex", &self.reflex)
            .finish_non_exhaustive()
    }
}

impl Pending {
    /// The search, if one runs.
    #[must_use]
    pub fn thinking(&self) -> Option<&dyn Thinking> {
        self.thinking.as_deref()
    }
}

const fn index(colour: Colour) -> usize {
    match colour {
        Colour::Black => 0,
        Colour::White => 1,
    }
}

/// Whether the best move's win rate is below this by more than a few simulations' word. What is
/// proven to be won never is.
fn is_hopeless(analysis: &Analysis, below: f32) -> bool {
    const ENOUGH: u64 = 50;
    let trusted = analysis.proven.is_some();
    let trusted = trusted || analysis.best().is_some_and(|best| best.visits >= ENOUGH);
    let won = analysis.moves.iter().any(|mv| mv.proven == Some(Proven::Win));
    trusted && !won && analysis.outlook() < below
}

impl Engine {
    /// Limits for the next move of `colour`, by its clock or by the parameters.
    #[must_use]
    pub fn limits(&self, colour: Colour) -> Limits {
        let play = &self.params.play;
        let limits = match &self.clocks {
            Some(clocks) => {
                let moves_left = self.player.moves_left();
                Limits::time(clocks[index(colour)].budget(&self.params.search, moves_left))
            }
            None if play.seconds > 0.0 => Limits::seconds(play.seconds),
            None if play.simulations > 0 => Limits::infinite(),
            None => Limits::seconds(LAST_RESORT_SECONDS),
        };
        match play.simulations {
            0 => limits,
            simulations => limits.and_simulations(simulations),
        }
    }

    /// Begins to look for a move. The answer comes from [`Engine::decide`].
    ///
    /// # Errors
    /// The game is over.
    pub fn begin(&mut self, colour: Colour, goal: Goal) -> Result<Pending, EngineError> {
        let begun = Instant::now();
        self.player.halt()?;
        let reflex = match goal {
            Goal::Win => self.player.reflex(colour, &self.params),
            Goal::CleanUp => None,
        };
        let limits = match reflex {
            None => self.limits(colour),
            Some(_) => Limits::simulations(0),
        };
        let thinking = self.player.think(colour, limits, &[])?;
        Ok(Pending { colour, goal, begun, reflex, thinking: Some(thinking) })
    }

    /// Waits for the search and says what to play; plays nothing.
    ///
    /// # Errors
    /// The search failed.
    pub fn decide(&mut self, pending: &mut Pending) -> Result<Decision, EngineError> {
        let colour = pending.colour;
        let Some(thinking) = pending.thinking.take() else {
            return Err(EngineError::Internal("the move is decided already".to_string()));
        };
        thinking.wait();
        // Also tells whether a thread failed.
        self.player.halt()?;
        let mut analysis = thinking.analysis()?;
        if let Some(mv) = pending.reflex.take() {
            self.last_analysis = Some(analysis.clone());
            return Ok(Decision { mv, analysis });
        }
        if analysis.best().is_none_or(|best| best.visits == 0) && analysis.proven.is_none() {
            // The machine was too busy, or the limit too small, for a single look at the moves.
            let glance = self.player.think(colour, Limits::simulations(GLANCE_SIMULATIONS), &[])?;
            glance.wait();
            self.player.halt()?;
            analysis = glance.analysis()?;
        }
        self.last_analysis = Some(analysis.clone());
        let best = analysis.best().map(|best| best.mv.clone());
        let best = best.or_else(|| self.player.legal_moves(colour).into_iter().next());
        let Some(best) = best else {
            return Err(EngineError::Internal("the search has no move".to_string()));
        };
        // Second thoughts cost playouts; a player in time trouble has none.
        let time = self.limits(colour).time;
        let hurried = time.is_some_and(|time| time.maximum < SECOND_THOUGHT_TIME);
        let second = match pending.goal {
            Goal::Win if hurried => None,
            goal => self.player.second_thought(colour, &analysis, &self.params, goal),
        };
        let mv = match second {
            Some(mv) => mv,
            None if pending.goal == Goal::Win && self.resigns(colour, &analysis) => {
                RESIGN.to_string()
            }
            None => best,
        };
        Ok(Decision { mv, analysis })
    }

    fn resigns(&self, colour: Colour, analysis: &Analysis) -> bool {
        let play = &self.params.play;
        self.player.moves().len() >= play.resign_from as usize
            && is_hopeless(analysis, play.resign)
            && self.hopeless[index(colour)] + 1 >= play.resign_moves
    }

    /// Plays what was decided, takes the time off the clock, and goes on thinking if
    /// `play.ponder` says so.
    ///
    /// # Errors
    /// The move is illegal, which would be a fault of ours.
    pub fn commit(&mut self, pending: &Pending, decision: &Decision) -> Result<(), EngineError> {
        let colour = pending.colour;
        let hopeless = &mut self.hopeless[index(colour)];
        *hopeless = if is_hopeless(&decision.analysis, self.params.play.resign) {
            hopeless.saturating_add(1)
        } else {
            0
        };
        if !decision.resigns() {
            self.player.play(colour, &decision.mv)?;
        }
        if let Some(clocks) = &mut self.clocks {
            clocks[index(colour)].spend(pending.begun.elapsed().as_secs_f64());
        }
        if self.params.play.ponder && !decision.resigns() && self.player.result().is_none() {
            self.ponder()?;
        }
        Ok(())
    }

    /// Searches on in the background until anything else is asked of the engine.
    ///
    /// # Errors
    /// The game is over.
    pub fn ponder(&mut self) -> Result<(), EngineError> {
        self.player.think(self.player.to_move(), Limits::infinite(), &[])?;
        Ok(())
    }

    /// Thinks within [`Engine::limits`] and plays a move.
    ///
    /// # Errors
    /// The game is over, or the search failed.
    pub fn genmove(&mut self, colour: Colour) -> Result<Decision, EngineError> {
        let mut pending = self.begin(colour, Goal::Win)?;
        let decision = self.decide(&mut pending)?;
        self.commit(&pending, &decision)?;
        Ok(decision)
    }

    /// Gives both players full clocks; `None`: no time limits.
    pub fn set_time_control(&mut self, control: Option<TimeControl>) {
        self.clocks = control.map(|control| [Clock::new(control); 2]);
    }

    /// What is left on a player's clock: main time if `count` is 0, else overtime with so many
    /// moves or periods left.
    pub fn set_time_left(&mut self, colour: Colour, seconds: f64, count: u32) {
        let clocks = self.clocks.get_or_insert_with(|| {
            let main = seconds.clamp(0.0, 1e9);
            let control = match count {
                0 => TimeControl::Absolute { main },
                stones => TimeControl::Canadian { main: 0.0, period: main, stones },
            };
            [Clock::new(control); 2]
        });
        clocks[index(colour)].set_left(seconds, count);
    }

    /// A new game: full clocks.
    pub(super) fn reset_clocks(&mut self) {
        if let Some(clocks) = &mut self.clocks {
            *clocks = clocks.map(|clock| Clock::new(clock.control()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::MoveAnalysis;

    fn analysis(visits: u64, value: f32, proven: Option<Proven>) -> Analysis {
        let best = MoveAnalysis {
            mv: "A1".to_owned(),
            visits,
            value,
            prior: 0.0,
            rave_count: 0.0,
            rave_value: 0.0,
            depth: 1,
            width: 1,
            proven,
            line: Vec::new(),
        };
        Analysis {
            to_move: Colour::Black,
            moves: vec![best],
            visits,
            value,
            simulations: visits,
            seconds: 1.0,
            depth: 1,
            width: 1,
            proven: None,
            memory: 0,
            recycled: 0,
        }
    }

    #[test]
    fn hopeless_is_what_enough_simulations_or_a_proof_say() {
        let hopeless = |analysis: &Analysis| is_hopeless(analysis, 0.05);
        assert!(hopeless(&analysis(1000, 0.04, None)));
        assert!(!hopeless(&analysis(1000, 0.06, None)));
        assert!(!hopeless(&analysis(10, 0.0, None)));
        // A win that is proven may have been found a moment ago, by few simulations.
        assert!(!hopeless(&analysis(1000, 0.04, Some(Proven::Win))));
        let proven = |proof| Analysis { proven: Some(proof), ..analysis(1000, 0.04, None) };
        assert!(!hopeless(&proven(Proven::Win)));
        assert!(!hopeless(&proven(Proven::Draw)));
        assert!(hopeless(&Analysis { proven: Some(Proven::Loss), ..analysis(3, 0.5, None) }));
        assert!(!is_hopeless(&analysis(1000, 0.0, None), 0.0), "0: never");
    }
}
