//! 3x3 shapes: codes that are the same turned, mirrored, or with colours exchanged.

use std::sync::OnceLock;

use kosumi_game::Player;

use crate::Code;
use crate::pattern::{colours, is_possible};

/// Numbers of shapes by code, seen by Black.
#[derive(Debug)]
pub(crate) struct Shapes {
    numbers: Box<[u16]>,
    count: usize,
}

impl Shapes {
    /// The table, made once.
    pub(crate) fn get() -> &'static Shapes {
        static TABLE: OnceLock<Shapes> = OnceLock::new();
        TABLE.get_or_init(Self::build)
    }

    /// How many shapes there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number of the shape that `player` sees; `None` if no point of a board has the code.
    #[inline]
    pub(crate) fn number(&self, code: Code, player: Player) -> Option<usize> {
        let seen = match player {
            Player::First => code,
            Player::Second => code.colours_exchanged(),
        };
        Some(usize::from(self.numbers[usize::from(seen.0)])).filter(|number| *number < self.count)
    }

    fn build() -> Shapes {
        let mut numbers = vec![u16::MAX; 1 << 16];
        let mut names = std::collections::HashMap::new();
        for code in (0..=u16::MAX).filter(|&code| is_possible(code)) {
            let name = (0..8).map(|symmetry| colours(code, symmetry)).min();
            let next = names.len() as u16;
            numbers[usize::from(code)] = *names.entry(name).or_insert(next);
        }
        Shapes { numbers: numbers.into(), count: names.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    fn number(diagram: &str, player: Player) -> usize {
        let code = board(diagram).code(marked::<UpTo9>(diagram, 'a'));
        Shapes::get().number(code, player).unwrap()
    }

    #[test]
    fn there_are_as_many_as_symmetry_leaves() {
        // Burnside, by hand. Inside: 3^8 colourings, four mirrors that leave 3^5 each, half a turn
        // 3^4, quarter turns 3^2 each. At an edge: 3^5 and a mirror with 3^3. In a corner: 3^3 and
        // a mirror with 3^2.
        let inside = (6561 + 4 * 243 + 81 + 2 * 9) / 8;
        let (edge, corner) = ((243 + 27) / 2, (27 + 9) / 2);
        // Borders on opposite sides, which no board has: none beside them (3^2 and two mirrors and
        // half a turn), one (3 colours), two.
        let narrow = (2 * 9 + 2 * 3) / 4 + 3 + 1;
        assert_eq!(Shapes::get().count(), inside + edge + corner + narrow);
    }

    #[test]
    fn turned_and_exchanged_shapes_are_one() {
        let hane = "
            . . . . .
            . X O . .
            . . a . .
            . . . . .
            . . . . .";
        let turned = "
            . . . . .
            . . . X .
            . . a O .
            . . . . .
            . . . . .";
        let exchanged = "
            . . . . .
            . O X . .
            . . a . .
            . . . . .
            . . . . .";
        assert_eq!(number(hane, Player::First), number(turned, Player::First));
        assert_eq!(number(hane, Player::First), number(exchanged, Player::Second));
        assert_ne!(number(hane, Player::First), number(hane, Player::Second));
    }
}
