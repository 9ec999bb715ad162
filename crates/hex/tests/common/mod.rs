//! Who has won, the slow way: a breadth-first search written from the notation's definition, which
//! shares nothing with the board but [`Hex::cell`].

use kosumi_hex::{Colour, Hex, Point};

/// The colours that have joined their sides.
pub fn joined(position: &Hex) -> Vec<Colour> {
    Colour::BOTH.into_iter().filter(|&colour| joins(position, colour)).collect()
}

fn joins(position: &Hex, colour: Colour) -> bool {
    let n = position.size() as i32;
    let stone = |c: i32, r: i32| {
        (1..=n).contains(&c)
            && (1..=n).contains(&r)
            && position.cell(Point::new(c as usize, r as usize)) == colour.cell()
    };
    let mut seen = [[false; 20]; 20];
    let mut queue: Vec<(i32, i32)> = (1..=n)
        .map(|i| match colour {
            Colour::Black => (i, 1),
            Colour::White => (1, i),
        })
        .filter(|&(c, r)| stone(c, r))
        .collect();
    for &(c, r) in &queue {
        seen[c as usize][r as usize] = true;
    }
    let mut next = 0;
    while let Some(&(c, r)) = queue.get(next) {
        next += 1;
        let distance = match colour {
            Colour::Black => r,
            Colour::White => c,
        };
        if distance == n {
            return true;
        }
        for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
            let (c, r) = (c + dc, r + dr);
            if stone(c, r) && !std::mem::replace(&mut seen[c as usize][r as usize], true) {
                queue.push((c, r));
            }
        }
    }
    false
}
