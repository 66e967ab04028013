//! Where the results of a run go.
//!
//! | asked for | each target holds | it is written |
//! |---|---|---|
//! | nothing | one input and what is in `levels.soko.sok` beside it | to that file, if something was gained |
//! | `-o FILE` | all inputs | to a new file, or with `--force` in the place of an old one |
//! | `--into FILE` | the file, and all inputs | to the file |
//! | `-o FOLDER`, `--into FOLDER` | one input, and with `--into` what is there | to the same place below the folder |
//! | `-o -` | all inputs | to standard output, at the end |
//! | `--no-output`, or `--json` alone | nothing | nowhere |
//!
//! Invariant: an input is never written, but for a file of results, `*.soko.sok`, which is Soko's own, and the
//! `*.refused.sok` of a target. While a run lasts no other run writes its targets.

mod opener;
pub(crate) mod saver;
mod target;

use std::path::PathBuf;

use sokoio::OutputLock;
use sokolibrary::{Document, Keep};

use self::opener::Opener;
use self::target::{Target, TargetPlace};
use crate::args::OutputArgs;
use crate::complaint::{Complaints, with_causes};
use crate::inputs::Inputs;
use crate::work_list::WorkLevel;

/// All targets of a run.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    targets: Vec<Target>,
    /// What takes the levels of each input.
    of_inputs: Vec<Slot>,
    /// Held until the run is over.
    locks: Vec<(PathBuf, OutputLock)>,
    /// Targets that could not be opened.
    n_faults: usize,
}

/// What takes the levels of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// Nothing is written.
    Nowhere,
    Target(usize),
    /// The target cannot be opened, so its levels are left out.
    Failed,
}

impl Outputs {
    /// Opens the targets: reads what is there, locks them, and makes the files that are asked for by name.
    pub(crate) fn open(inputs: &Inputs, args: &OutputArgs, complaints: &Complaints) -> anyhow::Result<Self> {
        Opener { inputs, args, complaints }.open()
    }

    /// No targets: nothing is written.
    pub(crate) fn nowhere(inputs: &Inputs) -> Self {
        Self { of_inputs: vec![Slot::Nowhere; inputs.inputs().len()], ..Self::default() }
    }

    /// Adds the solutions that the library holds for the levels on the work list.
    pub(crate) fn add_known(&mut self, list: &[WorkLevel<'_>], keep: Keep, complaints: &Complaints) {
        for work in list {
            for place in &work.places {
                let target = &mut self.targets[place.target_idx];
                match target.document.add(place.level_idx, work.of_library.iter().cloned(), keep) {
                    Ok(true) => target.gain(),
                    Ok(false) => {}
                    Err(error) => complaints.error(&with_causes(error)),
                }
            }
        }
    }

    /// Returns the number of targets that could not be opened.
    pub(crate) const fn n_faults(&self) -> usize {
        self.n_faults
    }

    /// Returns whether standard output is taken by the results.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.targets.iter().any(|target| target.place == TargetPlace::Stdout)
    }

    /// Returns the document that takes the levels of an input, with its number.
    pub(crate) fn of_input(&self, input_idx: usize) -> Option<(usize, &Document)> {
        match self.of_inputs[input_idx] {
            Slot::Target(target_idx) => Some((target_idx, &self.targets[target_idx].document)),
            Slot::Nowhere | Slot::Failed => None,
        }
    }

    /// Returns what the target of an input refused in earlier runs.
    pub(crate) fn refused_of_input(&self, input_idx: usize) -> Option<&Document> {
        let (target_idx, _) = self.of_input(input_idx)?;
        self.targets[target_idx].refused.as_ref().map(|refused| &refused.document)
    }

    /// Returns whether the levels of an input are to be worked on: not where their results could not be written.
    pub(crate) fn is_open(&self, input_idx: usize) -> bool {
        self.of_inputs[input_idx] != Slot::Failed
    }

    /// Returns the number of different levels in all targets, and of solutions that replay.
    pub(crate) fn counts(&mut self) -> (usize, usize) {
        let documents = self.targets.iter_mut().map(|target| &mut target.document);
        documents.fold((0, 0), |(n_levels, n_solutions), document| {
            (n_levels + document.n_levels(), n_solutions + document.n_solutions())
        })
    }
}
