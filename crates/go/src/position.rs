//! A position of a game of Go: the board with rules, turn, passes and history.

use kosumi_game::{
    Game, IllegalMove, ParseMoveError, Permutation, Player, Reward, Turn, zobrist_key,
};

use crate::class::GO;
use crate::history::History;
use crate::point::{move_text, parse_move};
use crate::{Board, BoardClass, GoMove, KoRule, Point, Rules, SetupError, score};

/// Key of White's turn.
const TURN: u64 = zobrist_key(GO, 3, 0);
/// Keys of one and of two passes in a row.
const PASSES: [u64; 3] = [0, zobrist_key(GO, 4, 1), zobrist_key(GO, 4, 2)];

/// A position with all that decides its future. Black is [`Player::First`].
///
/// Two passes in a row end the game; the result is the area score of the board as it stands.
pub struct Position<C: BoardClass> {
    board: Board<C>,
    rules: Rules,
    turn: Player,
    passes: u8,
    /// The last moves, the latest first; passes until there are any.
    last: [GoMove; 4],
    moves: u32,
    handicap: u16,
    outcome: Option<Reward>,
    history: History,
}

impl<C: BoardClass> Position<C> {
    /// The start of a game, Black to move.
    ///
    /// # Errors
    /// If the class has no board of that size.
    pub fn new(size: usize, rules: Rules) -> Result<Self, SetupError> {
        Self::from_stones(size, rules, &[], Player::First)
    }

    /// A position with these stones on the board and no history.
    ///
    /// # Errors
    /// Names the stone that lies off the board, on another stone, or without liberties.
    pub fn from_stones(
        size: usize,
        rules: Rules,
        stones: &[(Player, Point)],
        turn: Player,
    ) -> Result<Self, SetupError> {
        let mut board = Board::new(size).ok_or(SetupError::Size { size, max: C::MAX_SIZE })?;
        let text = |p| move_text::<C>(GoMove::on(p), size);
        for &(player, p) in stones {
            if !board.contains(p) {
                return Err(SetupError::OffBoard { size });
            }
            if board.stone(p).is_some() {
                return Err(SetupError::Occupied { point: text(p) });
            }
            board.play(p, player);
            // Whatever order the stones come in, one that takes stones closes some chain's last
            // liberty, and what is set up next can only close more.
            if board.prisoners(Player::First) + board.prisoners(Player::Second) > 0 {
                return Err(SetupError::NoLiberties { point: text(p) });
            }
        }
        board.forget_ko();
        let mut position = Self {
            board,
            rules,
            turn,
            passes: 0,
            last: [GoMove::PASS; 4],
            moves: 0,
            handicap: 0,
            outcome: None,
            history: History::new(),
        };
        position.remember();
        Ok(position)
    }

    /// The stones.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board<C> {
        &self.board
    }

    /// Lines of the board.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes komi, scoring and compensation in the middle of a game; the rules of play stay.
    pub fn set_scoring(&mut self, rules: Rules) {
        self.rules = Rules { ko: self.rules.ko, suicide: self.rules.suicide, ..rules };
        self.settle();
    }

    /// Who is to move.
    #[inline]
    #[must_use]
    pub fn to_move(&self) -> Player {
        self.turn
    }

    /// Gives the move to `player`, as when GTP plays two moves of one colour in a row. The ko is
    /// open afterwards if the turn changes.
    pub fn set_turn(&mut self, player: Player) {
        if self.turn != player {
            self.turn = player;
            self.board.forget_ko();
            self.passes = 0;
            self.settle();
        }
    }

    /// Goes on after the end: `player` to move, as if nobody had passed.
    pub fn reopen(&mut self, player: Player) {
        self.turn = player;
        self.board.forget_ko();
        self.passes = 0;
        self.last = [GoMove::PASS; 4];
        self.outcome = None;
    }

    /// How many passes in a row came last.
    #[inline]
    #[must_use]
    pub fn passes(&self) -> usize {
        usize::from(self.passes)
    }

    /// The last move; a pass at the start.
    #[inline]
    #[must_use]
    pub fn last_move(&self) -> GoMove {
        self.last[0]
    }

    /// The last four moves, the latest first; passes at the start.
    #[inline]
    #[must_use]
    pub fn last_moves(&self) -> [GoMove; 4] {
        self.last
    }

    /// How many moves have been played since the set-up, passes included.
    #[inline]
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.moves as usize
    }

    /// How many handicap stones White is compensated for.
    #[inline]
    #[must_use]
    pub fn handicap(&self) -> usize {
        usize::from(self.handicap)
    }

    /// Says how many of Black's stones are handicap.
    pub fn set_handicap(&mut self, stones: usize) {
        self.handicap = stones.min(625) as u16;
        self.settle();
    }

    /// Half points that White gets: komi and compensation.
    #[inline]
    #[must_use]
    pub fn white_half_points(&self) -> i32 {
        self.rules.white_half_points(self.handicap())
    }

    /// Twice Black's lead by area, komi included.
    #[must_use]
    pub fn area_lead_half_points(&self) -> i32 {
        2 * self.board.area_score() - self.white_half_points()
    }

    /// What the ko rule compares. Positional superko does not look at the turn.
    #[inline]
    fn repetition_key(&self, board_hash: u64, to_move: Player) -> u64 {
        match (self.rules.ko, to_move) {
            (KoRule::Situational, Player::Second) => board_hash ^ TURN,
            _ => board_hash,
        }
    }

    fn remember(&mut self) {
        if self.rules.ko != KoRule::Simple {
            let stones =
                self.board.stone_count(Player::First) + self.board.stone_count(Player::Second);
            let key = self.repetition_key(self.board.hash(), self.turn);
            self.history.push(key, stones);
        }
    }

    /// Works out the outcome after anything it depends on has changed.
    fn settle(&mut self) {
        self.outcome = if self.passes >= 2 {
            Some(score::reward(self.board.area_score(), self.white_half_points()))
        } else if self.rules.ko == KoRule::Simple && self.moves >= Rules::length_limit(self.size())
        {
            Some(Reward::DRAW)
        } else {
            None
        };
    }

    /// Whether the player to move may play on `p`, and if not, why.
    fn legality(&self, p: Point) -> Result<(), &'static str> {
        if !self.board.contains(p) {
            return Err("not a point of this board");
        }
        if !self.board.is_empty(p) {
            return Err("the point is occupied");
        }
        if p == self.board.ko() {
            return Err("ko");
        }
        let suicide = self.board.is_suicide(p, self.turn);
        if suicide && !self.rules.suicide {
            return Err("suicide");
        }
        if self.rules.ko != KoRule::Simple && self.repeats(p, suicide) {
            return Err("superko: the position was there before");
        }
        Ok(())
    }

    /// Whether a legal stone on `p` would recreate an earlier position.
    fn repeats(&self, p: Point, suicide: bool) -> bool {
        let board = &self.board;
        let key = |p: Point, player: Player| C::keys()[p.index()][player.index()];
        let mut stones = board.stone_count(Player::First) + board.stone_count(Player::Second) + 1;
        let mut hash = board.hash() ^ key(p, self.turn);
        if suicide || board.is_capture(p, self.turn) {
            let loser = if suicide { self.turn } else { self.turn.opponent() };
            if suicide {
                // The stone itself goes with the chains it joins.
                stones -= 1;
                hash ^= key(p, self.turn);
            }
            let mut taken = [Point::NONE; 4];
            for (k, n) in p.neighbours::<C>().into_iter().enumerate() {
                let head = board.head(n);
                if board.stone(n) == Some(loser)
                    && board.liberty_count(n) == 1
                    && !taken.contains(&head)
                {
                    taken[k] = head;
                    stones -= board.chain_size(n);
                    hash = board.chain_stones(n).fold(hash, |h, s| h ^ key(s, loser));
                }
            }
        }
        let key = self.repetition_key(hash, self.turn.opponent());
        self.history.contains(|| key, stones)
    }

    /// Plays a pass or a stone that is legal.
    fn advance(&mut self, mv: GoMove) {
        match mv.point() {
            None => {
                self.board.forget_ko();
                self.passes += 1;
            }
            Some(p) => {
                self.board.play(p, self.turn);
                self.passes = 0;
            }
        }
        self.turn = self.turn.opponent();
        let [last, before, third, _] = self.last;
        self.last = [mv, last, before, third];
        self.moves += 1;
        // A pass may be the first time this board stands with this player to move.
        self.remember();
        self.settle();
    }
}

impl<C: BoardClass> Clone for Position<C> {
    fn clone(&self) -> Self {
        Self { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.board = source.board;
        self.rules = source.rules;
        self.turn = source.turn;
        self.passes = source.passes;
        self.last = source.last;
        self.moves = source.moves;
        self.handicap = source.handicap;
        self.outcome = source.outcome;
        self.history.clone_from(&source.history);
    }
}

impl<C: BoardClass> Game for Position<C> {
    type Move = GoMove;

    #[inline]
    fn turn(&self) -> Turn {
        Turn::Player(self.turn)
    }

    #[inline]
    fn outcome(&self) -> Option<Reward> {
        self.outcome
    }

    fn legal_moves(&self, out: &mut Vec<GoMove>) {
        if self.outcome.is_some() {
            return;
        }
        let legal = |&p: &Point| self.board.is_empty(p) && self.legality(p).is_ok();
        out.extend(self.board.points().filter(legal).map(GoMove::on));
        out.push(GoMove::PASS);
    }

    fn is_legal(&self, mv: GoMove) -> bool {
        self.outcome.is_none() && mv.point().is_none_or(|p| self.legality(p).is_ok())
    }

    fn play(&mut self, mv: GoMove) {
        debug_assert!(self.is_legal(mv), "{}", self.move_text(mv));
        self.advance(mv);
    }

    fn try_play(&mut self, mv: GoMove) -> Result<(), IllegalMove> {
        let legality = match mv.point() {
            _ if self.outcome.is_some() => Err("the game is over"),
            None => Ok(()),
            Some(p) => self.legality(p),
        };
        legality.map_err(|reason| IllegalMove::new(self.move_text(mv), reason))?;
        self.advance(mv);
        Ok(())
    }

    #[inline]
    fn move_space(&self) -> usize {
        (self.size() + 1) * C::STRIDE
    }

    #[inline]
    fn position_hash(&self) -> u64 {
        self.board.hash()
    }

    fn state_hash(&self) -> u64 {
        let ko = match self.board.ko() {
            Point::NONE => 0,
            p => {
                let (x, y) = p.xy::<C>();
                zobrist_key(GO, 5, (y * 32 + x) as u64)
            }
        };
        let turn = if self.turn == Player::Second { TURN } else { 0 };
        self.board.hash() ^ turn ^ PASSES[self.passes()] ^ ko
    }

    fn symmetries(&self) -> &[Permutation] {
        C::symmetries(self.size())
    }

    fn move_text(&self, mv: GoMove) -> String {
        move_text::<C>(mv, self.size())
    }

    fn parse_move(&self, text: &str) -> Result<GoMove, ParseMoveError> {
        parse_move::<C>(text, self.size())
    }
}
