//! Playouts: random games that end with the first win.

mod heavy;
mod light;
mod wins;

pub use heavy::{HeavyParams, HeavyPlayout};
pub use light::LightPlayout;
pub use wins::WinReach;
