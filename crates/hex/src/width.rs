//! One analysis for all sizes: code generic in the words of a set ([`CellSet`](crate::CellSet)),
//! picked by the size of the board when it is made.

/// Declares `enum Name` with one variant of `Inner<W>` for each number of words, made by
/// `Inner::new`.
macro_rules! any_width {
    ($(#[$meta:meta])* enum $name:ident of $inner:ident($($argument:ident: $type:ty),*)) => {
        $(#[$meta])*
        enum $name {
            One($inner<1>),
            Two($inner<2>),
            Three($inner<3>),
            Six($inner<6>),
        }

        impl $name {
            /// The narrowest one that holds boards of that size.
            fn new(size: usize $(, $argument: $type)*) -> Option<Self> {
                Some(match size {
                    ..=8 => Self::One($inner::new(size $(, $argument)*)?),
                    9..=11 => Self::Two($inner::new(size $(, $argument)*)?),
                    12..=13 => Self::Three($inner::new(size $(, $argument)*)?),
                    _ => Self::Six($inner::new(size $(, $argument)*)?),
                })
            }
        }
    };
}

/// Runs the same code on whichever variant there is.
macro_rules! each_width {
    ($name:ident, $value:expr, $inner:ident => $body:expr) => {
        match $value {
            $name::One($inner) => $body,
            $name::Two($inner) => $body,
            $name::Three($inner) => $body,
            $name::Six($inner) => $body,
        }
    };
}

pub(crate) use {any_width, each_width};
