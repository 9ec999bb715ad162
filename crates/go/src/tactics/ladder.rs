//! Ladders: a chain in atari that runs, an attacker that keeps it in atari.
//!
//! The reader copies no board: it lays the stones of the ladder over the board as sets of points and
//! keeps the liberties of the runner alone, which makes it cheap enough for playouts on 19x19.

use kosumi_game::Player;

use crate::class::PointSet;
use crate::{Board, BoardClass, Point};

/// A ladder on its way: the runner in atari and to move.
#[derive(Clone)]
struct Ladder<'a, C: BoardClass> {
    board: &'a Board<C>,
    runner: Player,
    /// Stones played since, by the runner and by the attacker.
    run: PointSet<C>,
    attacks: PointSet<C>,
    /// The runner's liberties now.
    liberties: PointSet<C>,
    /// The runner's last stone.
    last: Point,
}

impl<C: BoardClass> Board<C> {
    /// Whether the chain of `p`, in atari with its owner to move, is lost in a ladder even if it
    /// runs. Reads at most `nodes` attacking moves and believes in escape beyond that.
    ///
    /// Taking a stone of the attacker counts as escape, and the attacker tries only moves that are
    /// not themselves in atari: cheap, and right for nearly all ladders of real games.
    #[must_use]
    pub fn is_lost_in_ladder(&self, p: Point, nodes: u32) -> bool {
        let Some(runner) = self.stone(p) else {
            return false;
        };
        let mut nodes = nodes;
        !self.can_capture_beside(p) && Ladder::new(self, p, runner).fails(&mut nodes)
    }

    /// Whether the attacker catches the chain of `p`, which has two liberties, by an atari on `at`:
    /// the chain cannot run at once, or runs into a ladder of up to `nodes` moves.
    #[must_use]
    pub fn atari_catches(&self, p: Point, at: Point, nodes: u32) -> bool {
        let Some(runner) = self.stone(p) else {
            return false;
        };
        let exit = match self.liberties(p).pair() {
            (a, b) if a == at => b,
            (a, _) => a,
        };
        let rest = self.liberties_after_without(exit, runner, at, 3);
        if rest > 2
            || (rest == 2 && nodes == 0)
            || !self.is_playable(at, runner.opponent())
            || self.is_self_atari(at, runner.opponent())
        {
            return false;
        }
        let ko = self.ko();
        let mut takes = false;
        self.for_captures_beside(p, |liberty| takes |= liberty != ko && liberty != at);
        if takes {
            return false;
        }
        if rest < 2 {
            return true;
        }
        let mut ladder = Ladder::new(self, p, runner);
        ladder.attack(at);
        let mut nodes = nodes;
        ladder.fails(&mut nodes)
    }
}

impl<'a, C: BoardClass> Ladder<'a, C> {
    fn new(board: &'a Board<C>, p: Point, runner: Player) -> Self {
        Self {
            board,
            runner,
            run: PointSet::EMPTY,
            attacks: PointSet::EMPTY,
            liberties: *board.liberties(p),
            last: Point::NONE,
        }
    }

    fn is_free(&self, p: Point) -> bool {
        self.board.is_empty(p) && !self.run.contains(p) && !self.attacks.contains(p)
    }

    fn attack(&mut self, at: Point) {
        self.attacks.insert(at);
        self.liberties.remove(at);
    }

    fn extend(&mut self, exit: Point) {
        self.liberties = self.liberties_after(exit);
        self.run.insert(exit);
        self.last = exit;
    }

    /// The runner's liberties after running to `exit`.
    fn liberties_after(&self, exit: Point) -> PointSet<C> {
        let mut liberties = self.liberties;
        for n in exit.neighbours::<C>() {
            if self.board.has(n, self.runner) {
                liberties.add_all(self.board.liberties(n));
            } else if self.board.is_empty(n) {
                liberties.insert(n);
            }
        }
        liberties.remove_all(&self.run);
        liberties.remove_all(&self.attacks);
        liberties.remove(exit);
        liberties
    }

    /// Liberties of the attacker's chain of `stone`, counted up to two.
    fn attacker_liberties(&self, stone: Point) -> u32 {
        let attacker = self.runner.opponent();
        let mut liberties = PointSet::<C>::EMPTY;
        // Stones to look at: played ones by themselves, old ones by their head.
        let mut group = [stone; 16];
        let mut len = 1;
        let mut at = 0;
        while at < len {
            let s = group[at];
            at += 1;
            let mut join = |p: Point| {
                if len < group.len() && !group[..len].contains(&p) {
                    group[len] = p;
                    len += 1;
                }
            };
            if self.board.is_empty(s) {
                for n in s.neighbours::<C>() {
                    if self.is_free(n) {
                        liberties.insert(n);
                    } else if self.attacks.contains(n) {
                        join(n);
                    } else if self.board.has(n, attacker) {
                        join(self.board.head(n));
                    }
                }
            } else {
                let mut own = *self.board.liberties(s);
                let mut played = own;
                played.keep_all(&self.attacks);
                played.iter().for_each(&mut join);
                own.remove_all(&self.attacks);
                own.remove_all(&self.run);
                liberties.add_all(&own);
            }
            if liberties.len_up_to(2) == 2 {
                return 2;
            }
        }
        liberties.len_up_to(2)
    }

    /// Whether the runner's last stone has left a stone of the attacker in atari.
    fn can_take(&self) -> bool {
        if self.last == Point::NONE {
            return false;
        }
        self.last.neighbours::<C>().into_iter().any(|n| {
            let stone = if self.attacks.contains(n) {
                n
            } else if self.board.has(n, self.runner.opponent()) {
                self.board.head(n)
            } else {
                return false;
            };
            self.attacker_liberties(stone) < 2
        })
    }

    /// Whether attacking at `at` keeps the runner short of liberties when it runs to `exit`.
    fn keeps(&self, at: Point, exit: Point) -> bool {
        let mut after = self.liberties_after(exit);
        after.remove(at);
        if after.len_up_to(3) > 2 {
            return false;
        }
        let attacker = self.runner.opponent();
        if self.board.is_capture(at, attacker) {
            return true;
        }
        let mut with = self.clone();
        with.attacks.insert(at);
        with.attacker_liberties(at) >= 2
    }

    /// Whether the runner, in atari and to move, is caught.
    fn fails(mut self, nodes: &mut u32) -> bool {
        loop {
            if self.can_take() {
                return false;
            }
            self.extend(self.liberties.first());
            match self.liberties.len_up_to(3) {
                0 | 1 => return true,
                2 => {}
                _ => return false,
            }
            let (a, b) = self.liberties.pair();
            let attack = match (self.keeps(a, b), self.keeps(b, a)) {
                (false, false) => return false,
                (true, false) => a,
                (false, true) => b,
                (true, true) => {
                    if *nodes == 0 {
                        return false;
                    }
                    *nodes -= 1;
                    let mut branch = self.clone();
                    branch.attack(a);
                    if branch.fails(nodes) {
                        return true;
                    }
                    b
                }
            };
            if *nodes == 0 {
                return false;
            }
            *nodes -= 1;
            self.attack(attack);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

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
