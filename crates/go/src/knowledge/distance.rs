//! Distances on the board: between moves, and to the nearest stone.

use crate::{Board, BoardClass, Point};

/// The distance that move predictors use: `dx + dy + max(dx, dy)`.
pub(crate) fn between<C: BoardClass>(p: Point, q: Point) -> usize {
    let ((px, py), (qx, qy)) = (p.xy::<C>(), q.xy::<C>());
    let (dx, dy) = (px.abs_diff(qx), py.abs_diff(qy));
    dx + dy + dx.max(dy)
}

/// Whether no stone lies within `reach` steps of `p`.
pub(crate) fn is_empty_around<C: BoardClass>(board: &Board<C>, p: Point, reach: usize) -> bool {
    let (x, y) = p.xy::<C>();
    let last = board.size() - 1;
    let lines = y.saturating_sub(reach)..=(y + reach).min(last);
    lines.into_iter().all(|line| {
        let rest = reach - line.abs_diff(y);
        let columns = x.saturating_sub(rest)..=(x + rest).min(last);
        columns.into_iter().all(|column| board.is_empty(Point::at::<C>(column, line)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UpTo9;
    use crate::tests::{board, marked};

    #[test]
    fn a_diagonal_step_is_farther_than_a_straight_one() {
        let at = |x, y| Point::at::<UpTo9>(x, y);
        assert_eq!(between::<UpTo9>(at(3, 3), at(3, 4)), 2);
        assert_eq!(between::<UpTo9>(at(3, 3), at(4, 4)), 3);
        assert_eq!(between::<UpTo9>(at(3, 3), at(1, 4)), 5);
    }

    #[test]
    fn emptiness_is_measured_in_steps() {
        let diagram = "
            . . . . . . .
            . a . b . . .
            . . . . . X .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let board = board(diagram);
        assert!(is_empty_around(&board, marked::<UpTo9>(diagram, 'a'), 3));
        assert!(!is_empty_around(&board, marked::<UpTo9>(diagram, 'b'), 3));
    }
}
