//! Opens the targets of a run: finds their places, locks them, reads what is there.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use hashbrown::HashMap;
use sokoio::{Collection, OutputLock, ReadCollectionError};
use sokolibrary::Document;

use super::target::{Target, TargetPlace};
use super::{Outputs, Slot};
use crate::args::OutputArgs;
use crate::complaint::Complaints;
use crate::inputs::sources::{is_dash, is_results, results_beside};
use crate::inputs::{Input, Inputs};
use crate::wording::count;

/// The most files that are locked one by one; of more files the folders are locked.
const MAX_LOCKS: usize = 256;

/// What the opening of targets needs to know.
#[derive(Clone, Copy)]
pub(super) struct Opener<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) args: &'a OutputArgs,
    pub(super) complaints: &'a Complaints,
}

/// What becomes of a text that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Old {
    Read,
    Replaced,
}

impl Opener<'_> {
    /// Opens what the options ask for. Where no input could be read nothing is opened, and above all nothing replaced.
    pub(super) fn open(self) -> anyhow::Result<Outputs> {
        if self.inputs.inputs().is_empty() {
            return Ok(Outputs::nowhere(self.inputs));
        }
        match (&self.args.output, &self.args.into) {
            (Some(path), _) if is_stdout(path) => {
                Ok(self.joined(Target::new(TargetPlace::Stdout, Document::default())))
            }
            (Some(path), _) if is_null(path) => Ok(Outputs::nowhere(self.inputs)),
            (Some(path), _) if self.is_folder(path) => self.mirrored(path, Old::Replaced),
            (Some(path), _) => self.new_file(path),
            (None, Some(path)) if self.is_folder(path) => self.mirrored(path, Old::Read),
            (None, Some(path)) => self.into_file(path),
            (None, None) => Ok(self.beside()),
        }
    }

    /// An existing folder, a path that ends like one, or a name without extension where all inputs come from folders.
    fn is_folder(self, path: &Path) -> bool {
        let ends_like_one = path.as_os_str().as_encoded_bytes().last().is_some_and(|byte| matches!(byte, b'/' | b'\\'));
        let inputs = || self.inputs.inputs().iter();
        let is_for_folders = || path.extension().is_none() && inputs().all(|input| input.source().folder.is_some());
        path.is_dir() || ends_like_one || (!path.exists() && is_for_folders())
    }

    /// One document for all inputs.
    fn joined(self, mut target: Target) -> Outputs {
        for input in self.inputs.inputs() {
            if target.merge(input, self.args.keep(), self.complaints) {
                target.gain();
            }
        }
        let of_inputs = vec![Slot::Target(0); self.inputs.inputs().len()];
        Outputs { targets: vec![target], of_inputs, ..Outputs::default() }
    }

    fn new_file(self, path: &Path) -> anyhow::Result<Outputs> {
        self.refuse_input(path)?;
        let lock = OutputLock::acquire(path)?;
        let old = fs::metadata(path).ok();
        if let Some(old) = &old {
            let shown = path.display();
            ensure!(old.is_file(), "{shown} is not a plain file; choose another name for -o");
            let options = "choose another name for -o, add to it with --into, or replace it with --force";
            ensure!(self.args.force, "{shown} exists; {options}");
            self.say_what_is_replaced(path);
        }
        let mut outputs = self.joined(opened(TargetPlace::File(path.to_owned()), Document::default())?);
        outputs.locks.push((path.to_owned(), lock));
        outputs.targets[0].write_first(old.is_none())?;
        Ok(outputs)
    }

    fn into_file(self, path: &Path) -> anyhow::Result<Outputs> {
        ensure!(!is_dash(path), "--into needs a file; use -o - to write to standard output");
        self.refuse_input(path)?;
        let lock = OutputLock::acquire(path)?;
        let is_new = fs::symlink_metadata(path).is_err();
        let mut outputs = self.joined(opened(TargetPlace::File(path.to_owned()), read_or_new(path)?)?);
        outputs.locks.push((path.to_owned(), lock));
        if is_new {
            outputs.targets[0].write_first(true)?;
        }
        Ok(outputs)
    }

    /// `levels.soko.sok` beside each input. What is read from standard input has no such place.
    fn beside(self) -> Outputs {
        let place = |input: &Input| {
            let source = input.source();
            source.is_file().then(|| results_beside(&source.path))
        };
        let places: Vec<_> = self.inputs.inputs().iter().map(place).collect();
        self.one_each(&places, Old::Read)
    }

    /// Below a folder, each input in the place that it has below its own one.
    fn mirrored(self, folder: &Path, old: Old) -> anyhow::Result<Outputs> {
        let mut places: Vec<Option<PathBuf>> = Vec::new();
        for input in self.inputs.inputs() {
            let path = mirror(input, folder);
            self.refuse_input(&path)?;
            if old == Old::Replaced && path.exists() && !places.iter().flatten().any(|place| *place == path) {
                let options = "choose another folder, add to it with --into, or replace it with --force";
                ensure!(self.args.force, "{} exists; {options}", path.display());
                self.say_what_is_replaced(&path);
            }
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
            places.push(Some(path));
        }
        let mut outputs = self.one_each(&places, old);
        for target in &mut outputs.targets {
            let Some(path) = target.place.path().map(Path::to_owned) else { continue };
            let is_new = !path.exists();
            target.place = TargetPlace::File(path);
            if old == Old::Replaced || is_new {
                target.write_first(is_new)?;
            }
        }
        Ok(outputs)
    }

    /// A document for each place, which holds the inputs of that place.
    fn one_each(self, places: &[Option<PathBuf>], old: Old) -> Outputs {
        let mut outputs = Outputs::default();
        let n_files = places.iter().flatten().count();
        let mut slots: HashMap<&Path, Slot> = HashMap::new();
        for (input, place) in self.inputs.inputs().iter().zip(places) {
            let slot = place.as_deref().map_or(Slot::Nowhere, |path| {
                *slots.entry(path).or_insert_with(|| self.open_target(&mut outputs, path, n_files, old))
            });
            if let Slot::Target(target_idx) = slot {
                let target = &mut outputs.targets[target_idx];
                let is_copy = target.document.collection().levels().is_empty();
                // A mere copy of the input is no gain.
                if target.merge(input, self.args.keep(), self.complaints) && !is_copy {
                    target.gain();
                }
            }
            outputs.of_inputs.push(slot);
        }
        outputs
    }

    /// Locks a file, and reads what is in it if that is wanted.
    fn open_target(self, outputs: &mut Outputs, path: &Path, n_files: usize, old: Old) -> Slot {
        let target = lock(&mut outputs.locks, path, n_files).and_then(|()| {
            let document = match old {
                Old::Read => read_or_new(path)?,
                Old::Replaced => Document::default(),
            };
            opened(TargetPlace::FileIfGained(path.to_owned()), document)
        });
        match target {
            Ok(target) => {
                outputs.targets.push(target);
                Slot::Target(outputs.targets.len() - 1)
            }
            Err(error) => {
                outputs.n_faults += 1;
                self.complaints.error(&format!("{error:#}; the levels that would go there are left out"));
                Slot::Failed
            }
        }
    }

    /// Refuses to write an input, unless it is a file of results.
    fn refuse_input(self, path: &Path) -> anyhow::Result<()> {
        let Ok(output) = fs::canonicalize(path) else { return Ok(()) };
        let is_same = |input: &Input| fs::canonicalize(&input.source().path).is_ok_and(|input| input == output);
        if self.inputs.inputs().iter().any(is_same) && !is_results(path) {
            bail!("{} is an input, and inputs are never changed; choose another name for the result", path.display());
        }
        Ok(())
    }

    /// Says what is lost with a file that is replaced.
    fn say_what_is_replaced(self, path: &Path) {
        let Ok(collection) = Collection::read(path) else { return };
        let n_levels = collection.levels().len();
        let n_solutions = Document::new(collection).n_solutions();
        let held = format!("{} and {}", count(n_levels, "level"), count(n_solutions, "solution"));
        self.complaints.warning(&format!("{} is replaced; it held {held}", path.display()));
    }
}

/// Locks one of `n_files` files, or of many files their folder: a process may not hold many files open.
fn lock(locks: &mut Vec<(PathBuf, OutputLock)>, path: &Path, n_files: usize) -> anyhow::Result<()> {
    let path = if n_files <= MAX_LOCKS { path.to_owned() } else { path.with_file_name("soko") };
    if !locks.iter().any(|(locked, _)| *locked == path) {
        let lock = OutputLock::acquire(&path)?;
        locks.push((path, lock));
    }
    Ok(())
}

/// Standard output, by either of its names.
fn is_stdout(path: &Path) -> bool {
    is_dash(path) || path == Path::new("/dev/stdout")
}

/// The file in which everything is lost.
fn is_null(path: &Path) -> bool {
    path == Path::new("/dev/null")
}

/// The place of an input below the folder of results: where it was below its own folder, with the extension `.sok`.
fn mirror(input: &Input, folder: &Path) -> PathBuf {
    let source = input.source();
    if source.is_stdin() {
        return folder.join("stdin.sok");
    }
    let root = source.folder.as_deref().unwrap_or_else(|| source.path.parent().unwrap_or(Path::new("")));
    let below = source.path.strip_prefix(root).unwrap_or(&source.path);
    let name = Path::new(below.file_name().unwrap_or_default());
    let is_packed = name.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    let name = if is_packed { name.with_extension("") } else { name.to_owned() };
    folder.join(below).with_file_name(name).with_extension("sok")
}

/// Makes a target of what was read, with what earlier runs could not write into it.
fn opened(place: TargetPlace, document: Document) -> anyhow::Result<Target> {
    let mut target = Target::new(place, document);
    let path = target.place.refused();
    if path.exists() {
        let document = read_or_new(&path)?;
        target.refused = Some(Box::new(Target::new(TargetPlace::FileIfGained(path), document)));
    }
    Ok(target)
}

/// Reads a file of results; a new one is empty.
fn read_or_new(path: &Path) -> anyhow::Result<Document> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(Document::default());
    }
    let collection = match Collection::read(path) {
        Ok(collection) => collection,
        Err(ReadCollectionError::NoLevels { .. }) if fs::metadata(path).is_ok_and(|found| found.len() == 0) => {
            return Ok(Document::default());
        }
        Err(error) => return Err(error.into()),
    };
    let shown = path.display();
    ensure!(collection.is_text(), "{shown} is no .sok file, and other formats are not written; choose another name");
    Ok(Document::new(collection))
}
