//! Playouts: light (uniform) and heavy (tactics and patterns).

mod light;

pub use light::LightPlayout;

/// How many moves a playout may take on a board of `size` lines. Simple ko allows cycles (triple
/// ko), so there must be a limit; it is too far away to matter otherwise.
const fn length_limit(size: usize) -> usize {
    3 * size * size + 60
}
