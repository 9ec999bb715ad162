//! Distances on the board: along chains (the common fate graph) and to the nearest stone.

use crate::class::PointSet;
use crate::{Board, BoardClass, Point};

/// The empty points up to three steps from the last move, each with its distance in the common fate
/// graph (Graepel et al. 2001): stepping along a chain is free.
pub(crate) fn from_last_move<C: BoardClass>(board: &Board<C>, last: Point) -> Vec<(Point, u8)> {
    let mut seen = PointSet::<C>::EMPTY;
    let mut found = Vec::new();
    let mut ring = Vec::new();
    let enter = |p: Point, seen: &mut PointSet<C>, ring: &mut Vec<Point>| {
        if seen.contains(p) || !board.contains(p) {
            return;
        }
        if board.is_empty(p) {
            seen.insert(p);
            ring.push(p);
        } else {
            for s in board.chain_stones(p) {
                seen.insert(s);
                ring.push(s);
            }
        }
    };
    enter(last, &mut seen, &mut ring);
    for steps in 1..=3 {
        let mut next = Vec::new();
        for &p in &ring {
            for n in p.neighbours::<C>() {
                enter(n, &mut seen, &mut next);
            }
        }
        found.extend(next.iter().filter(|&&p| board.is_empty(p)).map(|&p| (p, steps)));
        ring = next;
    }
    found
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
    fn steps_along_a_chain_are_free() {
        let diagram = "
            . . . . . . .
            . . . . . a .
            X X X X X c .
            . b . . d . .
            . . . . . . .
            . . . . . . .
            . . e . . . .";
        let board = board(diagram);
        let found = from_last_move(&board, Point::at::<UpTo9>(0, 4));
        let steps = |mark| {
            let p = marked::<UpTo9>(diagram, mark);
            found.iter().find(|&&(q, _)| p == q).map(|&(_, steps)| steps)
        };
        assert_eq!(
            ['a', 'b', 'c', 'd', 'e'].map(steps),
            [Some(2), Some(1), Some(1), Some(1), None]
        );
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
