//! Ladders: a chain in atari that runs, an attacker that keeps it in atari.

use crate::{Board, BoardClass, Point};

impl<C: BoardClass> Board<C> {
    /// Whether the chain of `p`, in atari with its owner to move, is lost in a ladder even if it
    /// runs. Reads at most `nodes` attacking moves and believes in escape beyond that.
    ///
    /// Taking a stone of the attacker counts as escape, and the attacker tries only moves that are
    /// not themselves in atari: cheap, and right for nearly all ladders of real games.
    #[must_use]
    pub fn is_lost_in_ladder(&self, p: Point, nodes: u32) -> bool {
        let mut nodes = nodes;
        let mut board = *self;
        board.run_is_hopeless(p, &mut nodes)
    }

    /// The chain of `p` is in atari and its owner to move; the board is this function's to play on.
    fn run_is_hopeless(&mut self, p: Point, nodes: &mut u32) -> bool {
        let Some(owner) = self.stone(p) else {
            return false;
        };
        let attacker = owner.opponent();
        loop {
            if self.can_capture_beside(p) {
                return false;
            }
            let exit = self.liberties(p).first();
            if !self.is_playable(exit, owner) {
                return true;
            }
            match self.liberties_after(exit, owner, 3) {
                0 | 1 => return true,
                2 => {}
                _ => return false,
            }
            self.play_unhashed(exit, owner);
            let mut liberties = self.liberties(p).iter();
            let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else {
                return false;
            };
            // What remains to the runner if the attacker plays `a` is running to `b`.
            let keeps = |at, other| {
                self.is_playable(at, attacker)
                    && !self.is_self_atari(at, attacker)
                    && self.liberties_after_without(other, owner, at, 3) <= 2
            };
            let attack = match (keeps(a, b), keeps(b, a)) {
                (false, false) => return false,
                (true, false) => a,
                (false, true) => b,
                (true, true) => {
                    if *nodes == 0 {
                        return false;
                    }
                    *nodes -= 1;
                    let mut branch = *self;
                    branch.play_unhashed(a, attacker);
                    if branch.run_is_hopeless(p, nodes) {
                        return true;
                    }
                    b
                }
            };
            if *nodes == 0 {
                return false;
            }
            *nodes -= 1;
            self.play_unhashed(attack, attacker);
        }
    }

    /// Whether the attacker catches the chain of `p`, which has two liberties, by an atari on `at`:
    /// the chain cannot run at once, or runs into a ladder of up to `nodes` moves.
    #[must_use]
    pub fn atari_catches(&self, p: Point, at: Point, nodes: u32) -> bool {
        let Some(owner) = self.stone(p) else {
            return false;
        };
        let attacker = owner.opponent();
        if !self.is_playable(at, attacker) || self.is_self_atari(at, attacker) {
            return false;
        }
        let mut liberties = self.liberties(p).iter();
        let exit = match (liberties.next(), liberties.next()) {
            (Some(a), Some(b)) if a == at => b,
            (Some(a), Some(_)) => a,
            _ => return false,
        };
        match self.liberties_after_without(exit, owner, at, 3) {
            0 | 1 => !self.can_capture_beside(p),
            2 if nodes > 0 => {
                let mut board = *self;
                let mut nodes = nodes;
                board.play_unhashed(at, attacker);
                board.run_is_hopeless(p, &mut nodes)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{board, marked};
    use crate::{Board, UpTo9};
    use kosumi_game::Player;

    fn caught(diagram: &str) -> bool {
        let board: Board<UpTo9> = board(diagram);
        let at = marked::<UpTo9>(diagram, 'a');
        let prey = at
            .neighbours::<UpTo9>()
            .into_iter()
            .find(|&n| board.stone(n) == Some(Player::Second))
            .unwrap();
        board.atari_catches(prey, at, 100)
    }

    #[test]
    fn a_ladder_to_the_edge_catches() {
        assert!(caught(
            "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . a . . . .
            . X O . . . .
            . . X X . . ."
        ));
    }

    #[test]
    fn a_stone_in_the_way_breaks_it() {
        assert!(!caught(
            "
            . . . . . . .
            . . . . . . .
            . . . . O . .
            . . . . . . .
            . . a . . . .
            . X O . . . .
            . . X X . . ."
        ));
    }

    #[test]
    fn a_stone_on_the_first_line_runs_in_vain() {
        assert!(caught(
            "
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . X X . . .
            . . a O . . ."
        ));
    }

    #[test]
    fn few_nodes_believe_in_escape() {
        let diagram = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . a . . . . . .
            . X O . . . . . .
            . . X X . . . . .";
        let board = board(diagram);
        let (prey, at) = (Point::at::<UpTo9>(2, 1), marked::<UpTo9>(diagram, 'a'));
        assert!(!board.atari_catches(prey, at, 2));
        assert!(board.atari_catches(prey, at, 50));
    }
}
