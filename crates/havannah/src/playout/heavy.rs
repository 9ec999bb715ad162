//! Playouts that see immediate wins and keep bridges.
//!
//! In order: win at once, keep the opponent from winning at once, answer an intrusion into a
//! two-cell connection on its other cell (savebridge, H6), else a random cell.
//!
//! Saving bridges is nearly free. Seeing wins takes the time of about four more playouts (see the
//! benchmark), so it is off until a match shows that it pays.

use kosumi_game::{Playout, Reward, Rng, Trace};

use crate::board::Board;
use crate::geometry::{for_each_place, step};
use crate::playout::wins::{WinReach, Wins};
use crate::{Colour, Havannah};

kosumi_game::parameters! {
    /// What a [`HeavyPlayout`] does besides playing at random.
    pub struct HeavyParams {
        /// Whether a stone that wins at once is played.
        win "playout.win": bool = false;
        /// Whether a cell where the opponent would win at once is taken.
        block "playout.block": bool = false;
        /// Where cells that win at once are looked for after each stone.
        reach "playout.reach": WinReach = WinReach::Chains;
        /// How often a two-cell connection is saved when the opponent intrudes; 0 is never.
        bridge "playout.bridge": f64 = 1.0, 0.0..=1.0;
    }
}

/// Random stones to the first win or a full board, with the answers of [`HeavyParams`]. Never
/// swaps.
#[derive(Clone, Debug)]
pub struct HeavyPlayout {
    win: bool,
    block: bool,
    /// Out of 65,536.
    bridge: u32,
    wins: Wins,
    board: Option<Board>,
    empties: Vec<u16>,
}

impl HeavyPlayout {
    /// A playout for boards of any size.
    #[must_use]
    pub fn new(params: &HeavyParams) -> Self {
        Self {
            win: params.win,
            block: params.block,
            bridge: (params.bridge.clamp(0.0, 1.0) * 65_536.0) as u32,
            wins: Wins::new(params.reach),
            board: None,
            empties: Vec::new(),
        }
    }
}

impl Default for HeavyPlayout {
    fn default() -> Self {
        Self::new(&HeavyParams::default())
    }
}

impl Playout<Havannah> for HeavyPlayout {
    fn run(&mut self, from: &Havannah, rng: &mut Rng, trace: &mut Trace) -> Reward {
        let Self { wins, board, empties, .. } = self;
        let board = match board {
            Some(board) => {
                board.clone_from(&from.board);
                board
            }
            none => none.insert(from.board.clone()),
        };
        empties.clear();
        for_each_place(board.empties(), |place| empties.push(place as u16));
        let sees_wins = self.win || self.block;
        if sees_wins {
            wins.begin(board);
        }
        let indices = &board.geometry.indices;
        let players = Colour::BOTH.map(|colour| from.player_of(colour));
        let mut colour = from.colour_to_move().index();
        let mut last = from.last_place();
        for _ in 0..empties.len() {
            let mut answer = None;
            if self.win {
                answer = wins.find(board, colour);
            }
            if self.block && answer.is_none() {
                answer = wins.find(board, colour ^ 1);
            }
            if let Some(last) = last
                && answer.is_none()
                && self.bridge > 0
            {
                answer = save_bridge(board, colour, last, self.bridge, rng);
            }
            let place = answer.unwrap_or_else(|| draw(board, empties, rng));
            trace.push(players[colour], indices[place].into());
            let won = if sees_wins {
                wins.place(board, colour, place)
            } else {
                board.place(colour, place)
            };
            if won {
                return Reward::win(players[colour]);
            }
            last = Some(place);
            colour ^= 1;
        }
        Reward::DRAW
    }
}

/// A random empty cell. Cells that answers have taken are still in the list and are dropped when
/// drawn.
#[inline]
fn draw(board: &Board, empties: &mut Vec<u16>, rng: &mut Rng) -> usize {
    loop {
        let drawn = rng.below(empties.len() as u32) as usize;
        let place = usize::from(empties.swap_remove(drawn));
        if board.is_empty(place) {
            return place;
        }
    }
}

/// The other cell of a two-cell connection of `colour` that the stone at `last` intruded on; of
/// several, one at random.
///
/// The two cells are neighbours and the connected stones are next to both. So around `last` lie
/// stone, cell, stone in a row.
#[inline]
fn save_bridge(
    board: &Board,
    colour: usize,
    last: usize,
    chance: u32,
    rng: &mut Rng,
) -> Option<usize> {
    let own = board.around(colour, last).circle;
    let between = (own << 1 | own >> 5) & (own >> 1 | own << 5) & 0x3f;
    if between == 0 {
        return None;
    }
    let mut cells = between & board.empties_around(last);
    if cells == 0 || !rng.chance_in_65536(chance) {
        return None;
    }
    if !cells.is_power_of_two() {
        for _ in 0..rng.below(cells.count_ones()) {
            cells &= cells - 1;
        }
    }
    let cell = step(last, cells.trailing_zeros() as usize);
    // With a single run around the cell the two stones are connected behind it already.
    (board.around(colour, cell).runs > 1).then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HavannahRules, MAX_SIZE, MIN_SIZE};
    use kosumi_game::testing::playout_conformance;
    use kosumi_game::{Game, Move, Player};

    fn read(picture: &str) -> Havannah {
        Havannah::from_diagram(picture, HavannahRules::default(), Colour::White).unwrap()
    }

    /// Everything on.
    fn all() -> HeavyParams {
        HeavyParams { win: true, block: true, ..HeavyParams::default() }
    }

    fn first_moves(start: &Havannah, params: &HeavyParams) -> Vec<String> {
        let mut playout = HeavyPlayout::new(params);
        let mut texts: Vec<String> = (0..200)
            .map(|index| {
                let mut trace = Trace::new();
                playout.run(start, &mut Rng::stream(1, index), &mut trace);
                let mv = Move::from_index(trace.moves()[0].index());
                start.move_text(mv)
            })
            .collect();
        texts.sort();
        texts.dedup();
        texts
    }

    #[test]
    fn conforms_at_all_sizes() {
        for size in MIN_SIZE..=MAX_SIZE {
            for swap in [false, true] {
                let mut start = Havannah::new(size, HavannahRules { swap }).unwrap();
                let switched = [
                    HeavyParams::default(),
                    all(),
                    HeavyParams { reach: WinReach::Near, ..all() },
                    HeavyParams { win: false, bridge: 0.5, ..all() },
                    HeavyParams { bridge: 0.0, ..HeavyParams::default() },
                ];
                for params in &switched {
                    playout_conformance(&start, || HeavyPlayout::new(params), 40, 3, true);
                }
                // After a swap the colours are exchanged.
                start.play(start.cell(0, 1).unwrap());
                if swap {
                    start.play(start.swap_move());
                }
                playout_conformance(&start, || HeavyPlayout::new(&all()), 40, 5, true);
            }
        }
    }

    const ONE_SHORT: &str = "   . . . .
                               . O O . .
                              . O X . . .
                             . . O O . X .
                              . X . . X .
                               . . X X X
                                . . . . ";

    #[test]
    fn a_win_comes_before_a_block() {
        let start = read(ONE_SHORT);
        assert_eq!(first_moves(&start, &all()), ["c4"]);
        let reward = HeavyPlayout::new(&all()).run(&start, &mut Rng::new(1), &mut Trace::new());
        assert_eq!(reward, Reward::win(Player::First));
    }

    #[test]
    fn the_opponents_win_is_blocked() {
        let mut start = read(ONE_SHORT);
        start.set_turn(Colour::Black);
        assert_eq!(first_moves(&start, &all()), ["c4"]);
        assert!(first_moves(&start, &HeavyParams::default()).len() > 10);
    }

    #[test]
    fn a_bridge_is_saved() {
        let mut start = read(
            "   . . . .
               . . . . .
              . . X . . .
             . . . . X . .
              . . . . . .
               . . . . .
                . . . . ",
        );
        start.play(start.parse_move("c4").unwrap());
        assert_eq!(first_moves(&start, &HeavyParams::default()), ["d4"]);
        let never = HeavyParams { bridge: 0.0, ..HeavyParams::default() };
        assert!(first_moves(&start, &never).len() > 10);
    }
}
