//! Solutions that wait on this computer's disk for a server that cannot be reached.

use std::fs;
use std::path::{Path, PathBuf};

use sokocore::Objective;
use sokoio::{LevelId, write_file};

use crate::record::FindRecord;
use crate::work::outbox::Parcel;

/// The end of the names of files.
const EXTENSION: &str = "find";

/// A folder of solutions, a file for each level and objective.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
}

/// A solution of an earlier run.
#[derive(Debug)]
pub(crate) struct Spooled {
    pub(crate) path: PathBuf,
    pub(crate) level: LevelId,
    pub(crate) objective: Objective,
    pub(crate) bytes: Vec<u8>,
}

impl Spool {
    pub(crate) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Keeps a solution. A disk that takes none is told of in the log: the solution is still in memory.
    pub(crate) fn keep(&self, parcel: &Parcel) {
        let path = self.path(parcel.level, parcel.objective);
        let bytes = parcel.bytes();
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            return;
        }
        let written = fs::create_dir_all(&self.folder).map_err(|error| error.to_string());
        let written = written.and_then(|()| write_file(&path, &bytes).map_err(|error| error.to_string()));
        if let Err(error) = written {
            tracing::warn!("{error}; a solution that the server does not have yet is in memory alone");
        }
    }

    /// Removes a solution that was delivered, unless a better one is there.
    pub(crate) fn remove(&self, parcel: &Parcel) {
        let path = self.path(parcel.level, parcel.objective);
        if fs::read(&path).is_ok_and(|kept| kept == parcel.bytes()) {
            fs::remove_file(path).ok();
        }
    }

    /// Returns what earlier runs have left.
    pub(crate) fn kept(&self) -> Vec<Spooled> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut kept: Vec<_> = entries.filter_map(|entry| self.read(&entry.ok()?.path())).collect();
        kept.sort_by(|one, other| one.path.cmp(&other.path));
        kept
    }

    fn read(&self, path: &Path) -> Option<Spooled> {
        let name = path.file_name()?.to_str()?.strip_suffix(&format!(".{EXTENSION}"))?;
        let (level, objective) = name.split_once('.')?;
        let (level, objective) = (level.parse().ok()?, objective.replace('+', "/").parse().ok()?);
        let bytes = fs::read(path).ok().filter(|bytes| FindRecord::head(bytes).is_some())?;
        Some(Spooled { path: path.to_owned(), level, objective, bytes })
    }

    fn path(&self, level: LevelId, objective: Objective) -> PathBuf {
        self.folder.join(format!("{level}.{}.{EXTENSION}", objective.to_string().replace('/', "+")))
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Lurd, replay};

    use super::*;

    #[test]
    fn what_is_kept_is_read_by_the_next_run_and_removed_when_it_was_delivered() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::at(&folder.path().join("new"));
        assert!(spool.kept().is_empty());
        let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
        let moves: Lurd = "rRR".parse().unwrap();
        let parcel = Parcel {
            level: LevelId::of(&level),
            name: "a level".to_owned(),
            objective: "boxlines/pushes".parse().unwrap(),
            before: None,
            metrics: replay(&level, &moves).unwrap().metrics(),
            moves,
            method: "test".to_owned(),
        };
        spool.keep(&parcel);
        fs::write(folder.path().join("new/other.txt"), "not ours").unwrap();
        let kept = spool.kept();
        assert_eq!((kept.len(), kept[0].level, kept[0].objective), (1, parcel.level, parcel.objective));
        assert!(FindRecord::replayed(&kept[0].bytes, &level).is_some());
        let better = Parcel { method: "another".to_owned(), ..parcel.clone() };
        spool.keep(&better);
        spool.remove(&parcel);
        assert_eq!(spool.kept().len(), 1, "the one that was delivered is not the one that is kept");
        spool.remove(&better);
        assert!(spool.kept().is_empty());
    }
}
