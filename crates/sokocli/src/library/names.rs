//! How collections and levels of the library are named on the command line.

use sokoio::LevelId;
use sokolibrary::{Library, StoredCollection, StoredLevel};

use crate::exit::UsageError;
use crate::wording::count;

/// Levels that one name may stand for before they are only counted.
const MAX_SHOWN: usize = 8;
/// The fewest digits of an identity that name a level.
const MIN_DIGITS: usize = 6;

/// Finds a collection by its name, any case.
pub(crate) fn find_collection(library: &Library, name: &str) -> anyhow::Result<StoredCollection> {
    let collections = library.collections()?;
    if let Some(found) = collections.iter().find(|collection| collection.name.eq_ignore_ascii_case(name)) {
        return Ok(found.clone());
    }
    let near = |collection: &&StoredCollection| collection.name.to_lowercase().contains(&name.to_lowercase());
    let near: Vec<_> = collections.iter().filter(near).map(|collection| format!("'{}'", collection.name)).collect();
    let hint = match &near[..] {
        [] => "`soko library list` shows those that it has".to_owned(),
        names if names.len() > MAX_SHOWN => format!("{} contain that", count(names.len(), "name")),
        names => format!("is it {}?", names.join(" or ")),
    };
    Err(UsageError(format!("the library has no collection '{name}'; {hint}")).into())
}

/// Finds a level: by the first digits of its identity, as `NAME:NUMBER`, or by its title.
pub(crate) fn find_level(library: &Library, name: &str) -> anyhow::Result<StoredLevel> {
    let is_identity = name.len() >= MIN_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_identity {
        let found = library.levels_by_prefix(&name.to_ascii_lowercase(), 2)?;
        match &found[..] {
            [level] => return Ok(level.clone()),
            [] => {}
            _ => return Err(UsageError(format!("several identities begin with {name}; give more digits")).into()),
        }
    }
    if let Some((collection, number)) = name.rsplit_once(':')
        && let Ok(number) = number.parse::<u64>()
    {
        let collection = find_collection(library, collection)?;
        let entries = library.entries(&collection.name)?;
        let Some(entry) = entries.iter().find(|entry| entry.number == number) else {
            let n = count(entries.len(), "level");
            return Err(UsageError(format!("'{}' has no level {number}, only {n}", collection.name)).into());
        };
        let bad = || UsageError(format!("level {number} of '{}' is a bad board", collection.name));
        return level(library, entry.id.ok_or_else(bad)?);
    }
    let entries = library.entries_by_title(name, MAX_SHOWN + 1)?;
    let mut ids: Vec<LevelId> = entries.iter().filter_map(|entry| entry.id).collect();
    ids.sort_unstable();
    ids.dedup();
    match &ids[..] {
        [id] => level(library, *id),
        [] => Err(UsageError(format!(
            "the library has no level '{name}'; give the first six digits of an identity or more, NAME:NUMBER, or a title"
        ))
        .into()),
        _ => {
            let places: Vec<_> =
                entries.iter().take(MAX_SHOWN).map(|entry| format!("{}:{}", entry.collection, entry.number)).collect();
            Err(UsageError(format!("several levels are called '{name}': {}", places.join(", "))).into())
        }
    }
}

fn level(library: &Library, id: LevelId) -> anyhow::Result<StoredLevel> {
    library.level(id)?.ok_or_else(|| UsageError(format!("the library has no level {id}")).into())
}
