//! Keeps what was found on disk, all the time.
//!
//! Invariant: each target file holds, from its first moment on, every byte of its inputs, plus the solutions added
//! so far; it is replaced as a whole or not at all. An input is never a target.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use crossbeam::channel::{RecvTimeoutError, bounded};
use parking_lot::Mutex;
use sokoio::{Collection, EditError, WriteFileError, write_file, write_new_file};
use sokosearch::Clock;

use crate::complaint::{self, with_causes};
use crate::inputs::Inputs;

/// The shortest time between two writings.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// How many times longer than the last writing the pause is at least.
const PAUSE_FACTOR: u32 = 20;
/// How often the attendant looks whether something is to be saved.
const ATTEND_EVERY: Duration = Duration::from_millis(100);

/// A level of the input that may have gained something, while it is worked on and when it is done.
pub(crate) trait Gains: Sync {
    /// Tells it from the others of the run: the number of the level, and the game if it is about one.
    fn key(&self) -> (usize, Option<usize>);

    /// Which of the inputs it is from.
    fn input_idx(&self) -> usize;

    /// Adds what was gained so far to the level in its file. Returns whether there was anything.
    fn add_to(&self, collection: &mut Collection) -> Result<bool, EditError>;
}

/// Writes the results.
#[derive(Debug)]
pub(crate) struct Saver {
    targets: Vec<Target>,
    state: Mutex<State>,
}

/// A file to be written.
#[derive(Clone, Debug)]
struct Target {
    path: PathBuf,
    /// Range of the inputs that it holds.
    inputs: std::ops::Range<usize>,
    /// Made beside the input, to be removed if nothing is gained.
    is_ours: bool,
}

#[derive(Debug)]
struct State {
    /// The inputs with the gains of all levels that are done.
    documents: Vec<Collection>,
    has_gain: Vec<bool>,
    /// Keys of the tasks that are done.
    done: Vec<(usize, Option<usize>)>,
    is_dirty: bool,
    since_write: Clock,
    pause: Duration,
    error: Option<String>,
}

impl Saver {
    /// Writes `output`, or a new file beside each input, with what the inputs hold: if this works, so will the rest.
    pub(crate) fn open(inputs: &Inputs, output: Option<&Path>, force: bool) -> anyhow::Result<Self> {
        let documents: Vec<_> = inputs.files().map(|(_, collection)| collection.clone()).collect();
        let targets = match output {
            Some(path) => vec![claim_output(inputs, path, force)?],
            None => claim_beside(inputs)?,
        };
        let state = State {
            has_gain: vec![false; documents.len()],
            documents,
            done: Vec::new(),
            is_dirty: false,
            since_write: Clock::start(),
            pause: MIN_PAUSE,
            error: None,
        };
        Ok(Self { targets, state: Mutex::new(state) })
    }

    /// Does the work, while an attendant thread saves what the tasks gain.
    pub(crate) fn attend<T: Gains, R>(&self, tasks: &[T], work: impl FnOnce() -> R) -> R {
        let (running, ended) = bounded::<()>(0);
        let attend = || {
            while matches!(ended.recv_timeout(ATTEND_EVERY), Err(RecvTimeoutError::Timeout)) {
                self.tick(tasks);
            }
        };
        let joined = crossbeam::scope(|scope| {
            scope.spawn(|_| attend());
            let result = work();
            drop(running);
            result
        });
        joined.expect("the attendant panicked")
    }

    /// Adds what a finished level has gained; it is written soon.
    pub(crate) fn level_done(&self, task: &impl Gains) {
        let mut state = self.state.lock();
        let state = &mut *state;
        state.done.push(task.key());
        match task.add_to(&mut state.documents[task.input_idx()]) {
            Ok(true) => {
                state.has_gain[task.input_idx()] = true;
                state.is_dirty = true;
            }
            Ok(false) => {}
            Err(error) => complaint::error(&with_causes(error)),
        }
    }

    /// Notes that a level that is under way has gained something.
    pub(crate) fn level_improved(&self) {
        self.state.lock().is_dirty = true;
    }

    /// Writes, if there is something to write and the last writing is long enough ago.
    pub(crate) fn tick<T: Gains>(&self, tasks: &[T]) {
        let is_due = |state: &State| state.is_dirty && state.since_write.elapsed() >= state.pause;
        let mut state = self.state.lock();
        if !is_due(&state) {
            return;
        }
        state.is_dirty = false;
        let (mut documents, mut has_gain) = (state.documents.clone(), state.has_gain.clone());
        let done = state.done.clone();
        drop(state);
        let clock = Clock::start();
        for task in tasks.iter().filter(|task| !done.contains(&task.key())) {
            has_gain[task.input_idx()] |= task.add_to(&mut documents[task.input_idx()]).unwrap_or(false);
        }
        let error = self.write(&documents, &has_gain).err().map(with_causes);
        let mut state = self.state.lock();
        state.pause = MIN_PAUSE.max(clock.elapsed() * PAUSE_FACTOR);
        state.since_write = Clock::start();
        if let (Some(error), None) = (&error, &state.error) {
            complaint::warning(&format!("{error}; trying again"));
        }
        state.is_dirty |= error.is_some();
        state.error = error;
    }

    /// Writes everything a last time. Returns the files that hold results.
    pub(crate) fn close(self) -> anyhow::Result<Vec<PathBuf>> {
        let state = self.state.lock();
        if let Err(error) = self.write(&state.documents, &state.has_gain) {
            let rescued = self.rescue(&state);
            return Err(error).context(match rescued {
                Some(path) => format!("the results are in {} instead", path.display()),
                None => "the results could not be saved".to_owned(),
            });
        }
        let mut paths = Vec::new();
        for target in &self.targets {
            if target.is_ours && !target.has_gain(&state.has_gain) {
                // It is a mere copy of the input; if it stays, no harm is done.
                let _ = fs::remove_file(&target.path);
            } else {
                paths.push(target.path.clone());
            }
        }
        Ok(paths)
    }

    fn write(&self, documents: &[Collection], has_gain: &[bool]) -> Result<(), WriteFileError> {
        let targets = self.targets.iter().filter(|target| target.has_gain(has_gain));
        targets.into_iter().try_for_each(|target| write_file(&target.path, &join(&documents[target.inputs.clone()])))
    }

    /// Writes everything where temporary files go.
    fn rescue(&self, state: &State) -> Option<PathBuf> {
        let path = std::env::temp_dir().join(format!("soko-results-{}.sok", std::process::id()));
        write_new_file(&path, &join(&state.documents)).ok().map(|()| path)
    }
}

impl Target {
    fn has_gain(&self, has_gain: &[bool]) -> bool {
        has_gain[self.inputs.clone()].contains(&true)
    }
}

fn claim_output(inputs: &Inputs, path: &Path, force: bool) -> anyhow::Result<Target> {
    let same =
        |input: &Path| fs::canonicalize(input).ok().is_some_and(|input| fs::canonicalize(path).ok() == Some(input));
    if inputs.files().any(|(input, _)| same(input)) {
        bail!("{} is an input, and inputs are never changed; choose another name for -o", path.display());
    }
    if let Ok(found) = fs::metadata(path) {
        ensure!(found.is_file(), "{} is not a plain file; choose another name for -o", path.display());
        ensure!(force, "{} exists; choose another name for -o, or replace it with --force", path.display());
    }
    let documents: Vec<_> = inputs.files().map(|(_, collection)| collection.clone()).collect();
    let joined = join(&documents);
    if !holds_the_same(&Collection::parse(&joined), &documents) {
        bail!("the inputs cannot be put into one file without mixing them up; optimize them one by one");
    }
    if force {
        write_file(path, &joined)?;
    } else {
        write_new_file(path, &joined)?;
    }
    Ok(Target { path: path.to_owned(), inputs: 0..documents.len(), is_ours: false })
}

/// Makes `levels.soko.sok` beside `levels.sok`, or `levels.soko-2.sok` and so on.
fn claim_beside(inputs: &Inputs) -> anyhow::Result<Vec<Target>> {
    let claim = |(idx, (input, collection)): (usize, (&Path, &Collection))| {
        let extension = input.extension().map_or_else(|| "sok".into(), |extension| extension.to_string_lossy());
        let stem = input.file_stem().unwrap_or_default().to_string_lossy();
        for number in 1.. {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = input.with_file_name(format!("{stem}.soko{suffix}.{extension}"));
            match write_new_file(&path, &collection.to_bytes()) {
                Ok(()) => return Ok(Target { path, inputs: idx..idx + 1, is_ours: true }),
                Err(WriteFileError::Exists { .. }) => {}
                Err(error) => return Err(error).context("no file can be made beside the input; choose one with -o"),
            }
        }
        unreachable!("invariant: the loop ends with a name that is free")
    };
    inputs.files().enumerate().map(claim).collect()
}

/// Puts files one after the other, each beginning on a line of its own after a blank one.
fn join(documents: &[Collection]) -> Vec<u8> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let mut bytes: Vec<u8> = Vec::new();
    for document in documents {
        let next = document.to_bytes();
        let next = if bytes.is_empty() { &next } else { next.strip_prefix(MARK).unwrap_or(&next) };
        if !bytes.is_empty() {
            bytes.extend_from_slice(if bytes.ends_with(b"\n") { b"\n" } else { b"\n\n" });
        }
        bytes.extend_from_slice(next);
    }
    bytes
}

/// Whether a joined file has the boards and games of its parts.
fn holds_the_same(joined: &Collection, documents: &[Collection]) -> bool {
    let mut levels = joined.levels().iter();
    let is_next = |level: &sokoio::LevelEntry| {
        levels
            .next()
            .is_some_and(|found| found.board_rows() == level.board_rows() && found.games().len() == level.games().len())
    };
    documents.iter().flat_map(Collection::levels).all(is_next) && levels.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "######\n#@$ .#\n######\n";

    #[test]
    fn joined_files_keep_their_levels_apart() {
        let [first, second] = [format!("One\n{LEVEL}\nRR"), format!("\u{feff}Two\n\n{LEVEL}")];
        let documents = [Collection::parse(first.as_bytes()), Collection::parse(second.as_bytes())];
        let joined = join(&documents);
        assert_eq!(String::from_utf8(joined.clone()).unwrap(), format!("One\n{LEVEL}\nRR\n\nTwo\n\n{LEVEL}"));
        assert!(holds_the_same(&Collection::parse(&joined), &documents));
        let mail = [Collection::parse(LEVEL.as_bytes()), Collection::parse(b"> #####\n> #@$.#\n> #####\n")];
        assert!(!holds_the_same(&Collection::parse(&join(&mail)), &mail));
    }
}
