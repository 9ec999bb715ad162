//! Records in and out.

use kosumi_record::{Colour, GameInfo, GameKind, GameRecord, RecordMove, Setup};

use super::Engine;
use super::think::RESIGN;
use crate::error::EngineError;

impl Engine {
    /// Puts up the position of a record before move number `up_to` (from 1), or at its end.
    ///
    /// # Errors
    /// A record of another game, a size that does not exist, or a move the rules forbid; the board
    /// then shows the position before that move.
    pub fn load(&mut self, record: &GameRecord, up_to: Option<usize>) -> Result<(), EngineError> {
        let info = &record.info;
        if info.game != self.game {
            return Err(EngineError::RecordOfOtherGame {
                record: info.game.name(),
                game: self.game.name(),
            });
        }
        self.set_size(usize::from(info.size))?;
        if self.game == GameKind::Go {
            if let Some(rules) = &info.rules {
                // Names nobody knows leave the rules as they are.
                let _ = self.set_rules(rules);
            }
            if let Some(komi) = info.komi {
                self.set_komi(&komi.to_string())?;
            }
        }
        let last = up_to.map_or(usize::MAX, |n| n.saturating_sub(1));
        let mut number = 0;
        for (step_number, step) in record.steps.iter().enumerate() {
            if step.mv.is_some() && number >= last {
                break;
            }
            if !step.setup.is_empty() {
                let next = if step_number == 0 { record.first_to_play() } else { self.to_move() };
                self.edit(&step.setup, step.setup.to_play.unwrap_or(next))?;
            }
            if let Some(table) = self.player.go()
                && step_number == 0
            {
                table.set_handicap(info.handicap as usize);
            }
            let Some(RecordMove { colour, mv }) = &step.mv else {
                continue;
            };
            number += 1;
            if mv.eq_ignore_ascii_case(RESIGN) {
                break;
            }
            self.player
                .play(*colour, mv)
                .map_err(|error| EngineError::RecordMove { number, error: Box::new(error) })?;
        }
        Ok(())
    }

    /// Adds and removes stones as set-up of a record says.
    fn edit(&mut self, setup: &Setup, to_move: Colour) -> Result<(), EngineError> {
        let named = |list: &[String], text: &str| list.iter().any(|p| p.eq_ignore_ascii_case(text));
        let mut stones = self.player.stones();
        stones.retain(|(_, text)| {
            ![&setup.black, &setup.white, &setup.empty].into_iter().any(|list| named(list, text))
        });
        stones.extend(setup.black.iter().map(|p| (Colour::Black, p.clone())));
        stones.extend(setup.white.iter().map(|p| (Colour::White, p.clone())));
        self.player.set_up(&stones, to_move)
    }

    /// The game so far as a record; stones set up before the first move are not in it.
    ///
    /// # Errors
    /// The size is none that records have.
    pub fn record(&self) -> Result<GameRecord, EngineError> {
        let size = u8::try_from(self.size()).unwrap_or(u8::MAX);
        let mut record = GameRecord::new(GameInfo::new(self.game, size)?);
        if self.game == GameKind::Go {
            record.info.komi = Some(f64::from(self.start.go.komi.half_points()) / 2.0);
            record.info.rules = Some(self.rules_name.clone());
        }
        for mv in self.moves() {
            record.play(mv.colour, mv.mv);
        }
        record.info.result = self.result();
        Ok(record)
    }
}
