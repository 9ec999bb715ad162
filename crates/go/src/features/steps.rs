//! Steps through empty points to the nearest of some stones.

use crate::class::PerPoint;
use crate::{Board, BoardClass, Point};

/// How far each empty point is from the nearest of some stones; scratch memory of one thread.
pub(super) struct Steps<C: BoardClass> {
    steps: PerPoint<C, u8>,
    /// The points reached, the nearest first.
    queue: Vec<Point>,
    limit: u8,
}

impl<C: BoardClass> Steps<C> {
    /// Counts up to `limit` steps; whatever is farther away is that far.
    pub(super) fn up_to(limit: u8) -> Self {
        Self { steps: PerPoint::filled(limit), queue: Vec::new(), limit }
    }

    /// Steps from the empty point `p`: 1 beside one of the stones.
    pub(super) fn at(&self, p: Point) -> u32 {
        u32::from(self.steps[p])
    }

    /// Counts from the stones that `counts` names.
    pub(super) fn look_at(&mut self, board: &Board<C>, counts: impl Fn(Point) -> bool) {
        let Self { steps, queue, limit } = self;
        steps.fill(*limit);
        queue.clear();
        queue.extend(board.points().filter(|&p| counts(p)));
        queue.iter().for_each(|&p| steps[p] = 0);
        let mut next = 0;
        while let Some(&p) = queue.get(next) {
            next += 1;
            let away = steps[p] + 1;
            if away == *limit {
                break;
            }
            for n in p.neighbours::<C>() {
                if board.is_empty(n) && steps[n] > away {
                    steps[n] = away;
                    queue.push(n);
                }
            }
        }
    }
}
