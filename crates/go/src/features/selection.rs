//! Some of the features, to learn what the others are worth.

use super::spatial::PatternKind;
use super::{FAMILIES, FAMILY_FEATURES};

/// Which features count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each feature of the families.
    families: Vec<bool>,
    /// For each kind of pattern.
    kinds: [bool; PatternKind::ALL.len()],
}

/// There are no such features.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no features are called '{name}'; there are {}", Selection::names().join(", "))]
pub struct UnknownFeatures {
    /// What they were called.
    pub name: String,
}

impl Default for Selection {
    /// All features.
    fn default() -> Self {
        Self {
            families: vec![true; FAMILY_FEATURES as usize],
            kinds: [true; PatternKind::ALL.len()],
        }
    }
}

impl Selection {
    /// What families and kinds of patterns are called.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        let kinds = PatternKind::ALL.iter().map(|kind| kind.name());
        FAMILIES.iter().map(|family| family.name).chain(kinds).collect()
    }

    /// Leaves out a family or a kind of pattern.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn leave_out(&mut self, name: &str) -> Result<(), UnknownFeatures> {
        if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
            self.families[family.first as usize..][..family.len as usize].fill(false);
        } else if let Some(kind) = PatternKind::ALL.iter().find(|kind| kind.name() == name) {
            self.kinds[*kind as usize] = false;
        } else {
            return Err(UnknownFeatures { name: name.to_owned() });
        }
        Ok(())
    }

    /// What is left out.
    #[must_use]
    pub fn left_out(&self) -> Vec<&'static str> {
        let families = FAMILIES.iter().filter(|family| !self.has(family.first));
        let kinds = PatternKind::ALL.iter().filter(|kind| !self.has_kind(**kind));
        families.map(|family| family.name).chain(kinds.map(|kind| kind.name())).collect()
    }

    /// Whether a feature counts; a pattern that a model knows does.
    #[inline]
    #[must_use]
    pub fn has(&self, feature: u32) -> bool {
        self.families.get(feature as usize).is_none_or(|&has| has)
    }

    /// Whether patterns of a kind count.
    #[inline]
    #[must_use]
    pub fn has_kind(&self, kind: PatternKind) -> bool {
        self.kinds[kind as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_does_not_count() {
        let mut selection = Selection::default();
        selection.leave_out("before").unwrap();
        selection.leave_out("patterns-last").unwrap();
        let family = FAMILIES.iter().find(|family| family.name == "before").unwrap();
        for feature in 0..FAMILY_FEATURES + 10 {
            let left_out = (family.first..family.first + family.len).contains(&feature);
            assert_eq!(selection.has(feature), !left_out);
        }
        assert!(!selection.has_kind(PatternKind::Last));
        assert!(selection.has_kind(PatternKind::Stones));
        let error = selection.leave_out("nonsense").unwrap_err().to_string();
        assert!(error.contains("'nonsense'; there are last, before, "), "{error}");
    }

    #[test]
    fn names_are_different() {
        let mut names = Selection::names();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FAMILIES.len() + PatternKind::ALL.len());
    }
}
