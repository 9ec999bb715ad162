//! What a move does to chains in trouble.

use kosumi_game::Player;

use crate::class::PerPoint;
use crate::playout::{self, Candidates};
use crate::{Board, BoardClass, Point, Position};

/// The most urgent thing that a move does, in falling order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tactic {
    /// Takes stones that hold an own chain in atari.
    SavingCapture,
    /// Takes the chain of the last move.
    Snap,
    /// Takes other stones.
    Capture,
    /// Saves a chain of several stones from atari by running.
    Escape,
    /// Saves a single stone from atari by running.
    EscapeOne,
    /// Defends a chain of several stones that an atari would catch.
    Defend,
    /// Defends a single stone that an atari would catch.
    DefendOne,
    /// Catches a chain of several stones by an atari.
    Catch,
    /// Catches a single stone by an atari.
    CatchOne,
    /// Gives another atari.
    Atari,
    /// Runs in a ladder that does not work.
    LostLadder,
    /// Nothing of all that.
    None,
}

/// Finds the tactic of every point for the player to move. Ladders are read `ladder` moves deep.
pub(super) fn find<C: BoardClass>(
    position: &Position<C>,
    ladder: u32,
    tactics: &mut PerPoint<C, Tactic>,
) {
    let (board, player) = (position.board(), position.to_move());
    tactics.fill(Tactic::None);
    let mut claim = |p: Point, tactic: Tactic| tactics[p] = tactics[p].min(tactic);
    let last = position.last_move().point().map(|p| board.head(p));
    for p in board.points() {
        if board.head(p) != p {
            continue;
        }
        let several = board.chain_size(p) > 1;
        match (board.has(p, player), board.liberty_count(p)) {
            (false, 1) => {
                let at = board.liberties(p).first();
                claim(
                    at,
                    if holds_in_atari(board, p, player) {
                        Tactic::SavingCapture
                    } else if last == Some(p) {
                        Tactic::Snap
                    } else {
                        Tactic::Capture
                    },
                );
            }
            (true, 1) => {
                let exit = board.liberties(p).first();
                if board.is_playable(exit, player) && board.liberties_after(exit, player, 2) >= 2 {
                    claim(
                        exit,
                        if board.is_lost_in_ladder(p, ladder) {
                            Tactic::LostLadder
                        } else if several {
                            Tactic::Escape
                        } else {
                            Tactic::EscapeOne
                        },
                    );
                }
            }
            (true, 2) => {
                let mut moves = Candidates::new();
                playout::defend(board, player, p, ladder, &mut moves);
                for &at in moves.as_slice() {
                    claim(at, if several { Tactic::Defend } else { Tactic::DefendOne });
                }
            }
            (false, 2) => {
                for at in board.liberties(p) {
                    claim(
                        at,
                        match (board.atari_catches(p, at, ladder), several) {
                            (true, true) => Tactic::Catch,
                            (true, false) => Tactic::CatchOne,
                            (false, _) => Tactic::Atari,
                        },
                    );
                }
            }
            _ => {}
        }
    }
}

/// Whether the chain of `p` stands beside a chain of `player` in atari.
fn holds_in_atari<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> bool {
    board.chain_stones(p).any(|s| {
        let held = |n: Point| board.has(n, player) && board.liberty_count(n) == 1;
        s.neighbours::<C>().into_iter().any(held)
    })
}
