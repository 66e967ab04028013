//! The levels that a run works on: each once, however many files hold it.
//!
//! Invariant: a level comes with all solutions of it that the inputs and the targets hold and that replay, and with all
//! places in the targets where it stands. A further copy of it is on the list as [`WorkLevel::same_as`], and no work.

use hashbrown::HashMap;
use sokocore::{ParseLevelError, Solution};
use sokoio::{LevelEntry, LevelId, ProofNote};
use sokolibrary::{Find, LibraryError};

use crate::complaint::{Complaints, with_causes};
use crate::inputs::selection::LevelSelection;
use crate::inputs::{InputLevel, Inputs};
use crate::library::sync::LibrarySync;
use crate::outputs::Outputs;
use crate::outputs::saver::TargetLevel;
use crate::wording::count;

/// A level that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct WorkLevel<'a> {
    pub(crate) at: InputLevel<'a>,
    /// `None` for a board that is no level.
    pub(crate) id: Option<LevelId>,
    /// Where gains are written.
    pub(crate) places: Vec<TargetLevel>,
    /// The solutions that replay, each once.
    pub(crate) solutions: Vec<Solution>,
    /// What is proved, as the files say.
    pub(crate) proofs: Vec<ProofNote>,
    /// The number of the same level, if that is on the list before.
    pub(crate) same_as: Option<usize>,
    /// Solutions in the inputs that do not solve it.
    pub(crate) n_invalid: usize,
    /// What the library adds, for the files.
    pub(crate) of_library: Vec<Find>,
}

/// Whether warnings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Warnings {
    /// Say everything.
    Shown,
    /// Say only what makes the exit code 1.
    Hidden,
}

/// Lists the levels that were asked for, and says what is wrong with their solutions.
pub(crate) fn work_list<'a>(
    inputs: &'a Inputs,
    outputs: &Outputs,
    selection: &LevelSelection,
    warnings: Warnings,
    complaints: &Complaints,
) -> Vec<WorkLevel<'a>> {
    let mut list: Vec<WorkLevel<'a>> = Vec::new();
    let mut first: HashMap<LevelId, usize> = HashMap::new();
    for at in inputs.levels().filter(|at| outputs.is_open(at.input_idx) && selection.contains(at)) {
        let id = at.entry.level().ok().map(LevelId::of);
        let same_as = id.and_then(|id| first.get(&id)).map(|&idx: &usize| list[idx].at.number);
        if let (Some(id), None) = (id, same_as) {
            first.insert(id, list.len());
        }
        let (places, solutions, proofs, of_library) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        list.push(WorkLevel { at, id, places, solutions, proofs, same_as, n_invalid: 0, of_library });
    }
    for at in inputs.levels().filter(|at| outputs.is_open(at.input_idx)) {
        let Some(&idx) = at.entry.level().ok().and_then(|level| first.get(&LevelId::of(level))) else { continue };
        let work = &mut list[idx];
        let n_invalid = work.take_from(at.entry, Some((&at, warnings, complaints)));
        work.n_invalid += n_invalid;
        work.take_places(outputs, at.input_idx);
    }
    list
}

impl<'a> WorkLevel<'a> {
    /// Takes a level by itself: with the solutions beside it, without others like it, and nowhere to be written.
    pub(crate) fn alone(at: InputLevel<'a>, warnings: Warnings, complaints: &Complaints) -> Self {
        let (places, solutions, proofs, of_library) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut work = Self { at, id: None, places, solutions, proofs, same_as: None, n_invalid: 0, of_library };
        work.n_invalid = work.take_from(at.entry, Some((&at, warnings, complaints)));
        work
    }

    /// Returns the level, or why the board is none.
    pub(crate) fn level(&self) -> Result<&'a sokocore::Level, ParseLevelError> {
        self.at.entry.level()
    }

    /// Takes the solutions of a copy of the level. Returns how many do not solve it.
    fn take_from(&mut self, entry: &LevelEntry, said: Option<(&InputLevel<'_>, Warnings, &Complaints)>) -> usize {
        let mut n_invalid = 0;
        for (game, solution) in entry.solutions() {
            match solution {
                Ok(solution) => {
                    if let Some((at, Warnings::Shown, complaints)) = said {
                        warn_of_corrections(at, game, &solution, complaints);
                    }
                    let proofs = entry.games()[game].notes().iter().filter_map(|note| ProofNote::parse(note));
                    let holding: Vec<_> = proofs.filter(|proof| proof.holds_for(&solution.metrics())).collect();
                    self.proofs.extend(holding);
                    if !self.solutions.iter().any(|known| known.lurd() == solution.lurd()) {
                        self.solutions.push(solution);
                    }
                }
                Err(error) => {
                    n_invalid += 1;
                    if let Some((at, _, complaints)) = said {
                        let place = at.place(entry.games()[game].line());
                        let cause = with_causes(error);
                        complaints.warning_of_kind(
                            "wrong solution",
                            &format!("{place}: {cause}; kept in the output, but not used"),
                        );
                    }
                }
            }
        }
        n_invalid
    }

    /// Takes the solutions and proofs that the library holds, unless the level is a copy of one before.
    pub(crate) fn take_known(&mut self, library: &LibrarySync) -> Result<(), LibraryError> {
        let (Ok(level), None) = (self.level(), self.same_as) else { return Ok(()) };
        let known = library.known(level)?;
        for (solution, find) in known.solutions {
            if !self.solutions.iter().any(|other| other.lurd() == solution.lurd()) {
                self.solutions.push(solution);
            }
            self.of_library.push(find);
        }
        self.proofs.extend(known.proofs);
        Ok(())
    }

    /// Takes the places in the target of an input, and the solutions that are there or were refused there.
    fn take_places(&mut self, outputs: &Outputs, input_idx: usize) {
        let Some((id, (target_idx, document))) = self.id.zip(outputs.of_input(input_idx)) else { return };
        for &level_idx in document.places(id) {
            let place = TargetLevel { target_idx, level_idx };
            if !self.places.contains(&place) {
                self.places.push(place);
                self.take_from(&document.collection().levels()[level_idx], None);
            }
        }
        let refused = outputs.refused_of_input(input_idx);
        let copies = refused.into_iter().flat_map(|document| {
            document.places(id).iter().map(move |&level_idx| &document.collection().levels()[level_idx])
        });
        for entry in copies {
            self.take_from(entry, None);
        }
    }
}

fn warn_of_corrections(at: &InputLevel<'_>, game: usize, solution: &Solution, complaints: &Complaints) {
    let place = || at.place(at.entry.games()[game].line());
    let remarks = solution.remarks();
    if remarks.case_corrected > 0 {
        let letters = count(remarks.case_corrected, "letter");
        complaints.warning_of_kind(
            "wrong letter case",
            &format!("{}: {letters} of the wrong case; read as replayed", place()),
        );
    }
    if remarks.cut_after_solved > 0 {
        let moves = count(remarks.cut_after_solved, "move");
        complaints.warning_of_kind(
            "moves after the end",
            &format!("{}: {moves} after the level is solved; ignored", place()),
        );
    }
}
