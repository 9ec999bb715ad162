//! Rule sets: komi, repetition, suicide, scoring and handicap compensation.

use std::fmt;

use crate::RulesError;

/// Points given to White, in halves: `13` is 6½.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i32);

impl Komi {
    /// More than the points of the largest board makes no sense.
    const MAX_HALVES: i32 = 2 * 625;

    /// A komi of `halves / 2` points; `None` beyond ±625 points.
    #[must_use]
    pub const fn from_half_points(halves: i32) -> Option<Komi> {
        if halves < -Self::MAX_HALVES || halves > Self::MAX_HALVES {
            None
        } else {
            Some(Komi(halves))
        }
    }

    /// Twice the komi.
    #[inline]
    #[must_use]
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// Reads `6.5`, `-3`, `0`.
    ///
    /// # Errors
    /// Refuses what is no number, not a multiple of a half, or beyond ±625.
    pub fn parse(text: &str) -> Result<Komi, RulesError> {
        let invalid =
            || RulesError::Komi(text.chars().filter(|c| !c.is_control()).take(24).collect());
        let number: f64 = text.trim().parse().map_err(|_| invalid())?;
        let halves = number * 2.0;
        if !halves.is_finite() || halves.fract() != 0.0 {
            return Err(invalid());
        }
        // The conversion saturates, so that absurd numbers stay absurd.
        Self::from_half_points(halves as i32).ok_or_else(invalid)
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 2.0)
    }
}

/// Which repetitions are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KoRule {
    /// Only taking back a single stone at once. Longer cycles are legal, so a game of more than
    /// [`Rules::length_limit`] moves is a draw.
    Simple,
    /// No move may recreate an earlier position of the board.
    Positional,
    /// No move may recreate an earlier position of the board with the same player to move.
    Situational,
}

/// What counts at the end of a game between people; the search always counts area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// What White gets for the handicap stones of Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compensation {
    /// Nothing.
    None,
    /// One point per stone.
    Stones,
    /// One point per stone but the first.
    StonesLessOne,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Points given to White.
    pub komi: Komi,
    /// Which repetitions are forbidden.
    pub ko: KoRule,
    /// Whether a move may take the player's own stones (of more than one stone, where
    /// repetition of positions is forbidden).
    pub suicide: bool,
    /// What counts at the end.
    pub scoring: Scoring,
    /// What White gets for handicap stones.
    pub compensation: Compensation,
}

impl Rules {
    /// The rule sets known by name.
    pub const NAMES: [&str; 6] =
        ["chinese", "japanese", "tromp-taylor", "aga", "new-zealand", "cgos"];

    /// Area, positional superko, no suicide; White gets a point per handicap stone.
    pub const CHINESE: Rules = Rules {
        komi: Komi(15),
        ko: KoRule::Positional,
        suicide: false,
        scoring: Scoring::Area,
        compensation: Compensation::Stones,
    };
    /// Territory, simple ko, no suicide.
    pub const JAPANESE: Rules = Rules {
        komi: Komi(13),
        ko: KoRule::Simple,
        suicide: false,
        scoring: Scoring::Territory,
        compensation: Compensation::None,
    };
    /// Area, positional superko, suicide.
    pub const TROMP_TAYLOR: Rules = Rules {
        komi: Komi(15),
        ko: KoRule::Positional,
        suicide: true,
        scoring: Scoring::Area,
        compensation: Compensation::None,
    };
    /// Area, situational superko, no suicide; White gets a point per handicap stone but the first.
    pub const AGA: Rules = Rules {
        komi: Komi(15),
        ko: KoRule::Situational,
        suicide: false,
        scoring: Scoring::Area,
        compensation: Compensation::StonesLessOne,
    };
    /// Area, situational superko, suicide, komi 7.
    pub const NEW_ZEALAND: Rules = Rules {
        komi: Komi(14),
        ko: KoRule::Situational,
        suicide: true,
        scoring: Scoring::Area,
        compensation: Compensation::None,
    };
    /// The computer Go server's: area, positional superko, no suicide.
    pub const CGOS: Rules = Rules {
        komi: Komi(15),
        ko: KoRule::Positional,
        suicide: false,
        scoring: Scoring::Area,
        compensation: Compensation::None,
    };

    /// The rule set of that name, ignoring case and `-`, `_` and blanks.
    ///
    /// # Errors
    /// Lists the names there are.
    pub fn named(name: &str) -> Result<Rules, RulesError> {
        let plain: String = name
            .chars()
            .filter(|c| c.is_alphanumeric())
            .map(|c| c.to_ascii_lowercase())
            .take(24)
            .collect();
        match plain.as_str() {
            "chinese" => Ok(Self::CHINESE),
            "japanese" => Ok(Self::JAPANESE),
            "tromptaylor" => Ok(Self::TROMP_TAYLOR),
            "aga" => Ok(Self::AGA),
            "newzealand" | "nz" => Ok(Self::NEW_ZEALAND),
            "cgos" => Ok(Self::CGOS),
            _ => Err(RulesError::UnknownName { name: plain }),
        }
    }

    /// The same rules with another komi.
    #[must_use]
    pub const fn with_komi(self, komi: Komi) -> Rules {
        Rules { komi, ..self }
    }

    /// The same rules with another ko rule.
    #[must_use]
    pub const fn with_ko(self, ko: KoRule) -> Rules {
        Rules { ko, ..self }
    }

    /// Half points for White: komi and the compensation for `handicap` stones.
    #[must_use]
    pub const fn white_half_points(&self, handicap: usize) -> i32 {
        let stones = match self.compensation {
            Compensation::None => 0,
            Compensation::Stones => handicap,
            Compensation::StonesLessOne => handicap.saturating_sub(1),
        };
        self.komi.0 + 2 * stones as i32
    }

    /// How many moves a game with simple ko may take before it is a draw, on a board of `size`
    /// lines: far more than any real game, so that only an unending cycle gets there.
    #[must_use]
    pub const fn length_limit(size: usize) -> u32 {
        (6 * size * size) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_comes_in_halves() {
        assert_eq!(Komi::parse("6.5").unwrap().half_points(), 13);
        assert_eq!(Komi::parse(" -3 ").unwrap().to_string(), "-3");
        assert_eq!(Komi::parse("0.5").unwrap().to_string(), "0.5");
        for text in ["", "six", "NaN", "inf", "3.75", "3.14", "626", "-1e9"] {
            let error = Komi::parse(text).unwrap_err();
            assert!(error.to_string().contains("half"), "{error}");
        }
        assert_eq!(Komi::from_half_points(1251), None);
    }

    #[test]
    fn every_name_is_a_rule_set() {
        for name in Rules::NAMES {
            assert!(Rules::named(name).is_ok(), "{name}");
            assert_eq!(Rules::named(&name.to_uppercase().replace('-', "_")), Rules::named(name));
        }
        let error = Rules::named("korean").unwrap_err().to_string();
        assert!(error.contains("korean") && error.contains("aga"), "{error}");
    }

    #[test]
    fn white_is_paid_for_handicap_by_the_rules() {
        assert_eq!(Rules::CHINESE.white_half_points(4), 15 + 8);
        assert_eq!(Rules::AGA.white_half_points(4), 15 + 6);
        assert_eq!(Rules::AGA.white_half_points(0), 15);
        assert_eq!(Rules::JAPANESE.white_half_points(4), 13);
    }
}
