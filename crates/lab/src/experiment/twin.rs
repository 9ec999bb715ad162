//! Points that are one match: figures of a paper share players, and what would be played move by move
//! as before need not be played again.

use std::path::Path;

use super::PlannedPoint;
use crate::game::PlayedGame;
use crate::journal::{Introduction, read_journal};
use crate::match_runner::Match;
use crate::player::Limit;

/// The games of the point, of another experiment or series beside `folder`, that is the same match:
/// equal programs with equal parameters, whichever words set them, at fixed simulations and with equal
/// seeds. The one with most games counts. Journals that cannot be read are nobody's twin.
pub(super) fn games_of_twin(
    folder: &Path,
    point: &PlannedPoint,
    introduction: &Introduction,
) -> Vec<PlayedGame> {
    if !is_repeatable(&point.settings, introduction) {
        return Vec::new();
    }
    let beside = folder.parent().into_iter().flat_map(|runs| std::fs::read_dir(runs).ok());
    let folders = beside.flatten().flatten().map(|entry| entry.path());
    let files = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let journals = files.map(|file| file.path());
    let journals = journals.filter(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.xz")
    });
    let twins = journals.filter_map(|path| read_journal(&path).ok()).filter(|journal| {
        journal.introduction.as_ref() == Some(introduction)
            && is_same(&journal.settings, &point.settings)
    });
    let best = twins.max_by_key(|journal| journal.games.len());
    best.map(|journal| journal.games).unwrap_or_default()
}

/// Whether the players play the same moves each time.
fn is_repeatable(settings: &Match, introduction: &Introduction) -> bool {
    if settings.equal_cpu.is_some() {
        return false;
    }
    let has = |parameters: &Option<Vec<String>>, fixed: &str| {
        parameters.as_ref().is_some_and(|list| list.iter().any(|line| line == fixed))
    };
    let fixed = introduction.parameters.iter().all(|parameters| {
        has(parameters, "search.threads 1")
            && has(parameters, "think.seconds 0")
            && !has(parameters, "think.simulations 0")
    });
    fixed && settings.players.iter().all(|player| player.limit == Limit::Own)
}

/// Whether two matches differ in the words of their players' commands alone.
fn is_same(a: &Match, b: &Match) -> bool {
    let plain = |settings: &Match| {
        let mut settings = settings.clone();
        for player in &mut settings.players {
            player.command.clear();
            player.name.clear();
        }
        settings
    };
    plain(a) == plain(b)
}
