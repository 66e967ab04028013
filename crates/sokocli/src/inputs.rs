//! The levels of a command: its files read, one that cannot be read left out with a message, all levels numbered
//! through.

mod named;
pub(crate) mod selection;
pub(crate) mod sources;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hashbrown::HashSet;
use sokocore::{Lurd, replay};
use sokoio::{
    Collection, LevelEntry, LooksLike, ReadCollectionError, SolutionKind, SolutionTitle, decode_moves, read_bytes,
};

use self::sources::{InputSource, is_results, refused_beside, results_beside};
use crate::complaint::{Complaints, with_causes};
use crate::wording::{count, level_name};

/// One text as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    source: InputSource,
    collection: Collection,
}

/// All inputs in the order of the command line.
#[derive(Debug)]
pub(crate) struct Inputs {
    inputs: Vec<Input>,
    /// Files and folders that could not be read, or hold no level.
    n_faults: usize,
}

/// What becomes of files of results that stand beside their inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnResults {
    /// They are inputs like others.
    Read,
    /// They are left out: the run reads them as its own outputs.
    LeftOut,
}

/// A level of some input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLevel<'a> {
    /// Number among the levels of all inputs, from 1.
    pub(crate) number: usize,
    /// Which input, from 0.
    pub(crate) input_idx: usize,
    /// The input's path.
    pub(crate) path: &'a Path,
    /// The level.
    pub(crate) entry: &'a LevelEntry,
}

impl Input {
    /// Returns where it was read from.
    pub(crate) const fn source(&self) -> &InputSource {
        &self.source
    }

    /// Returns what was read.
    pub(crate) const fn collection(&self) -> &Collection {
        &self.collection
    }
}

impl Inputs {
    /// Reads everything that can be read, and says what cannot.
    pub(crate) fn read(arguments: &[PathBuf], own: OwnResults, complaints: &Complaints) -> Self {
        let (mut listed, unreadable) = sources::list(arguments);
        for folder in &unreadable {
            let path = folder.path.display();
            complaints.error(&format!("cannot list the folder {path}: {}; it is left out", folder.cause));
        }
        if own == OwnResults::LeftOut {
            leave_out_results(&mut listed);
        }
        let mut inputs = Self { inputs: Vec::new(), n_faults: unreadable.len() };
        let mut games = Vec::new();
        for source in listed {
            match read(&source) {
                Ok(Text::Levels(collection)) => inputs.inputs.push(Input { source, collection }),
                Ok(Text::Moves(moves)) => games.push((source, moves)),
                // A folder may hold other texts.
                Err(Unreadable::Levels(ReadCollectionError::NoLevels { .. })) if source.folder.is_some() => {}
                Err(error) => inputs.complain(&error.text(), complaints),
            }
        }
        for (source, moves) in games {
            inputs.add_game(&source, &moves, complaints);
        }
        inputs
    }

    fn complain(&mut self, text: &str, complaints: &Complaints) {
        self.n_faults += 1;
        complaints.error(text);
    }

    /// Adds moves that stand in a file of their own to the levels that they solve.
    fn add_game(&mut self, source: &InputSource, moves: &Lurd, complaints: &Complaints) {
        let mut n_solved = 0;
        for input in &mut self.inputs {
            for level_idx in 0..input.collection.levels().len() {
                let Ok(level) = input.collection.levels()[level_idx].level() else { continue };
                let Ok(solution) = replay(level, moves) else { continue };
                // Some moves solve any small level if what follows is not looked at.
                if solution.remarks().cut_after_solved > 0 {
                    continue;
                }
                n_solved += 1;
                let name = source.path.file_name().unwrap_or_default().to_string_lossy();
                let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics()).with_program(&name);
                if let Err(error) = input.collection.add_solution(level_idx, &title, moves, &[]) {
                    let (moves, levels) = (source.path.display(), input.source.path.display());
                    complaints
                        .error(&format!("{moves}: these moves are not used for {levels}: {}", with_causes(error)));
                }
            }
        }
        let shown = source.path.display();
        if n_solved == 0 {
            let levels = match self.levels().count() {
                0 => "there is no level to replay them on; name the file of the level as well".to_owned(),
                n => format!("they solve none of the {} of the input", count(n, "level")),
            };
            self.complain(&format!("{shown}: moves without a board, and {levels}"), complaints);
        }
    }

    /// Returns the number of inputs that could not be read.
    pub(crate) const fn n_faults(&self) -> usize {
        self.n_faults
    }

    /// Returns the inputs.
    pub(crate) fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the levels of all inputs.
    pub(crate) fn levels(&self) -> impl Iterator<Item = InputLevel<'_>> + Clone {
        let levels = self.inputs.iter().enumerate().flat_map(|(input_idx, input)| {
            let path = input.source.path.as_path();
            input.collection.levels().iter().map(move |entry| (input_idx, path, entry))
        });
        levels.enumerate().map(|(at, (input_idx, path, entry))| InputLevel { number: at + 1, input_idx, path, entry })
    }
}

impl InputLevel<'_> {
    /// Says which one: `level 3 "Title"`.
    pub(crate) fn name(&self) -> String {
        level_name(self.number, self.entry.title())
    }

    /// Says where and what: `levels.sok:12: level 3 "Title"`.
    pub(crate) fn place(&self, line: usize) -> String {
        format!("{}:{line}: {}", self.path.display(), self.name())
    }
}

/// What a file holds.
enum Text {
    Levels(Collection),
    /// Moves without a board.
    Moves(Lurd),
}

/// Why a file cannot be read.
enum Unreadable {
    Levels(ReadCollectionError),
    Moves(sokoio::ReadMovesError),
}

impl Unreadable {
    fn text(self) -> String {
        match self {
            Self::Levels(error) => with_causes(error),
            Self::Moves(error) => with_causes(error),
        }
    }
}

/// Reads the levels of one source; `None` if a folder's file holds none.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn read_levels(source: &InputSource) -> Result<Option<Collection>, String> {
    match read(source) {
        Ok(Text::Levels(collection)) => Ok(Some(collection)),
        Ok(Text::Moves(_)) => {
            Err(format!("{}: moves without a board, which are no levels; it is left out", source.path.display()))
        }
        Err(Unreadable::Levels(ReadCollectionError::NoLevels { .. })) if source.folder.is_some() => Ok(None),
        Err(error) => Err(error.text()),
    }
}

fn read(source: &InputSource) -> Result<Text, Unreadable> {
    let bytes = if source.is_stdin() { read_stdin() } else { read_bytes(&source.path) };
    let bytes = bytes.map_err(Unreadable::Levels)?;
    let name = if source.is_stdin() { "standard input".to_owned() } else { source.path.display().to_string() };
    match Collection::decode(&name, bytes.clone()) {
        Ok(collection) => Ok(Text::Levels(collection)),
        Err(ReadCollectionError::NoLevels { looks_like: Some(LooksLike::Moves), .. }) => {
            decode_moves(&name, bytes).map(Text::Moves).map_err(Unreadable::Moves)
        }
        Err(error) => Err(Unreadable::Levels(error)),
    }
}

fn read_stdin() -> Result<Vec<u8>, ReadCollectionError> {
    let limit = u64::try_from(Collection::MAX_FILE_SIZE).unwrap_or(u64::MAX) + 1;
    let mut bytes = Vec::new();
    let name = "standard input";
    let read = io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(|source| ReadCollectionError::Io { path: name.into(), source })?;
    if bytes.len() > Collection::MAX_FILE_SIZE {
        return Err(ReadCollectionError::TooLarge { name: name.to_owned() });
    }
    Ok(bytes)
}

/// Leaves out files of results whose inputs are listed as well, and what those refused.
fn leave_out_results(listed: &mut Vec<InputSource>) {
    let files = || listed.iter().filter(|source| !source.is_stdin()).map(|source| &source.path);
    let refused = files().map(|path| refused_beside(&results_beside(path)));
    let outputs = files().filter(|path| !is_results(path)).map(|path| results_beside(path));
    let own: HashSet<PathBuf> = outputs.chain(refused).collect();
    // `levels.soko-2.sok`, as early versions wrote, is read: what is good in it goes into `levels.soko.sok`.
    listed.retain(|source| !own.contains(&source.path));
}
