//! What is urgent on the board, point by point: one look at each chain.

use kosumi_game::Player;

use crate::class::PerPoint;
use crate::playout::{self, Candidates};
pub(super) use crate::tactics::size_class;
use crate::{Board, BoardClass, Point};

/// What a move would do to chains; each value is 0 if nothing, else one more than the feature.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    pub(super) capture: u8,
    pub(super) escape: u8,
    pub(super) atari: u8,
    pub(super) defence: u8,
    pub(super) squeeze: u8,
    /// How many chains it puts in atari.
    pub(super) ataris: u8,
    /// How many stones it takes, up to 255.
    pub(super) stones: u8,
}

/// What is urgent on the board.
pub(super) struct Urgent<C: BoardClass> {
    found: PerPoint<C, Found>,
}

/// The heads of the different chains of `player` beside `p`; the rest are no points.
fn heads_beside<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> ([Point; 4], usize) {
    let mut heads = [Point::NONE; 4];
    let mut count = 0;
    for n in p.neighbours::<C>() {
        let head = board.head(n);
        if board.has(n, player) && !heads[..count].contains(&head) {
            heads[count] = head;
            count += 1;
        }
    }
    (heads, count)
}

/// How many chains of `player` lie beside `p`.
pub(super) fn chains_beside<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> u32 {
    heads_beside(board, p, player).1 as u32
}

/// The fewest liberties of a chain of `player` beside `p`, and of the opponent's: 1 to 4, where 4 is
/// more; 0 without such a chain.
pub(super) fn fewest_liberties<C: BoardClass>(
    board: &Board<C>,
    p: Point,
    player: Player,
) -> [u32; 2] {
    [player, player.opponent()].map(|owner| {
        let beside = p.neighbours::<C>().into_iter().filter(|&n| board.has(n, owner));
        beside.map(|n| board.liberty_count(n).min(4) as u32).min().unwrap_or(0)
    })
}

/// How many stones a stone of `player` on `p` would be part of.
pub(super) fn stones_joined<C: BoardClass>(board: &Board<C>, p: Point, player: Player) -> usize {
    let (heads, count) = heads_beside(board, p, player);
    1 + heads[..count].iter().map(|&head| board.chain_size(head)).sum::<usize>()
}

impl<C: BoardClass> Urgent<C> {
    pub(super) fn new() -> Self {
        Self { found: PerPoint::filled(Found::default()) }
    }

    /// What a move on `p` would do.
    pub(super) fn at(&self, p: Point) -> Found {
        self.found[p]
    }

    /// Looks at all chains, for `player` to move; ladders are read `ladder` moves deep.
    pub(super) fn look_at(&mut self, board: &Board<C>, player: Player, ladder: u32) {
        self.found.fill(Found::default());
        for p in board.points() {
            let Some(owner) = board.stone(p) else { continue };
            if board.head(p) != p {
                continue;
            }
            let class = size_class(board.chain_size(p)) as u8;
            match (owner == player, board.liberty_count(p)) {
                (false, 1) => self.capture(board, p, player, class),
                (true, 1) => self.escape(board, p, player, class, ladder),
                (false, 2) => self.atari(board, p, class, ladder),
                (true, 2) => self.defence(board, p, player, class, ladder),
                (false, 3) => {
                    for at in board.liberties(p) {
                        raise(&mut self.found[at].squeeze, 1 + class);
                    }
                }
                _ => {}
            }
        }
    }

    /// Stones, whether they could still run, and whether taking them saves own stones.
    fn capture(&mut self, board: &Board<C>, p: Point, player: Player, class: u8) {
        let at = board.liberties(p).first();
        let runs = board.liberties_after(at, player.opponent(), 2) >= 2;
        let saves = board.chain_stones(p).any(|s| {
            let beside = |n: Point| board.has(n, player) && board.liberty_count(n) == 1;
            s.neighbours::<C>().into_iter().any(beside)
        });
        let found = &mut self.found[at];
        raise(&mut found.capture, 1 + class + 3 * u8::from(runs) + 6 * u8::from(saves));
        found.stones = found.stones.saturating_add(board.chain_size(p).min(255) as u8);
    }

    fn escape(&mut self, board: &Board<C>, p: Point, player: Player, class: u8, ladder: u32) {
        let exit = board.liberties(p).first();
        let runs = board.is_playable(exit, player) && board.liberties_after(exit, player, 2) >= 2;
        let escapes = runs && !board.is_lost_in_ladder(p, ladder);
        raise(&mut self.found[exit].escape, 1 + class + 3 * u8::from(escapes));
    }

    fn atari(&mut self, board: &Board<C>, p: Point, class: u8, ladder: u32) {
        for at in board.liberties(p) {
            let catches = board.atari_catches(p, at, ladder);
            let found = &mut self.found[at];
            raise(&mut found.atari, 1 + class + 3 * u8::from(catches));
            found.ataris += 1;
        }
    }

    fn defence(&mut self, board: &Board<C>, p: Point, player: Player, class: u8, ladder: u32) {
        let mut moves = Candidates::new();
        playout::defend(board, player, p, ladder, &mut moves);
        for &at in moves.as_slice() {
            raise(&mut self.found[at].defence, 1 + class);
        }
    }
}

/// The most urgent of what a move does counts.
fn raise(value: &mut u8, to: u8) {
    *value = (*value).max(to);
}
