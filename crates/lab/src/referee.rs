//! An independent program that counts finished games of Go, dead stones and all.

use std::time::Duration;

use kosumi_record::{Colour, GameResult};

use crate::arbiter::Rulebook;
use crate::gtp_client::{GtpClient, GtpError};
use crate::player::{PATIENCE, gtp_colour};

/// To read all dead stones of a 19x19 board takes GNU Go some seconds.
const COUNTING: Duration = Duration::from_secs(300);

/// Why the referee gave no score.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// It could not be asked.
    #[error(transparent)]
    Gtp(#[from] GtpError),
    /// It answered something else.
    #[error("the referee's score is '{0}'")]
    Unreadable(String),
}

/// Asks a referee, started with `command`, for the score of a game of these moves.
///
/// # Errors
/// The referee fails, refuses a move, or does not know the score.
pub fn score(
    command: &[String],
    rulebook: &Rulebook,
    moves: &[(Colour, String)],
) -> Result<GameResult, RefereeError> {
    let mut client = GtpClient::start(command, true)?;
    client.send(&format!("boardsize {}", rulebook.size), PATIENCE)?;
    client.send("clear_board", PATIENCE)?;
    client.send(&format!("komi {}", rulebook.komi), PATIENCE)?;
    for (colour, mv) in moves {
        client.send(&format!("play {} {mv}", gtp_colour(*colour)), PATIENCE)?;
    }
    let answer = client.send("final_score", COUNTING)?;
    client.finish();
    match GameResult::from_sgf(&answer) {
        result @ (GameResult::Win { .. } | GameResult::Draw) => Ok(result),
        _ => Err(RefereeError::Unreadable(crate::gtp_client::excerpt(&answer))),
    }
}
