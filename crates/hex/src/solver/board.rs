//! A position with undo, for df-pn.

use kosumi_game::zobrist_key;
use kosumi_proof::Position;

use crate::{Colour, Stones};

/// The tag of the keys; they are kept nowhere but in a table.
const TAG: u64 = u64::from_be_bytes(*b"hexproof");
/// The place of the key of White to move: beyond all cells.
const WHITE_TO_MOVE: u64 = zobrist_key(TAG, 2, 0);

/// Stones and the colour to move, with what was before.
#[derive(Clone, Debug)]
pub(crate) struct Board<const W: usize> {
    stones: Stones<W>,
    to_move: Colour,
    key: u64,
    /// Stones and key before each move.
    before: Vec<(Stones<W>, u64)>,
}

fn stone_key(colour: Colour, cell: usize) -> u64 {
    zobrist_key(TAG, colour.index() as u64, cell as u64)
}

impl<const W: usize> Board<W> {
    pub(crate) fn new(stones: Stones<W>, to_move: Colour) -> Self {
        let of = |colour| move |key, cell| key ^ stone_key(colour, cell);
        let key = stones.of(Colour::Black).iter().fold(0, of(Colour::Black));
        let key = stones.of(Colour::White).iter().fold(key, of(Colour::White));
        let turn = if to_move == Colour::White { WHITE_TO_MOVE } else { 0 };
        Self { stones, to_move, key: key ^ turn, before: Vec::new() }
    }

    pub(crate) fn stones(&self) -> &Stones<W> {
        &self.stones
    }

    pub(crate) fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Gives the move to the other colour and back.
    pub(crate) fn pass(&mut self) {
        self.to_move = self.to_move.opponent();
        self.key ^= WHITE_TO_MOVE;
    }
}

impl<const W: usize> Position for Board<W> {
    /// A cell.
    type Move = u16;

    fn key(&self) -> u64 {
        self.key
    }

    fn key_after(&self, cell: u16) -> u64 {
        self.key ^ WHITE_TO_MOVE ^ stone_key(self.to_move, usize::from(cell))
    }

    fn play(&mut self, cell: u16) {
        self.before.push((self.stones, self.key));
        self.key = self.key_after(cell);
        self.stones.place(self.to_move, usize::from(cell));
        self.to_move = self.to_move.opponent();
    }

    fn undo(&mut self) {
        if let Some((stones, key)) = self.before.pop() {
            self.stones = stones;
            self.key = key;
            self.to_move = self.to_move.opponent();
        }
    }
}
