//! A text of levels that gains solutions: which are added, and under which titles.
//!
//! | best in | title |
//! |---|---|
//! | moves and pushes | `Best Solution 230/97/...` |
//! | moves | `Solution/Moves 96/25/...` |
//! | pushes | `Solution/Pushes 116/19/...` |
//! | another objective | `Solution 120/30/... (Soko boxlines)` |
//!
//! Invariant: nothing is removed, and a level without gain is not touched. A solution that is in no metric better than
//! one that is there is not added, unless all are to be kept. A title that a person worded is left as it is; a title in
//! the usual form that has become false is corrected, `Solution ...` for a best of the past, unless that would change how
//! the rest is read.

pub(crate) mod level_copy;

use std::sync::Arc;

use hashbrown::HashMap;
use sokocore::{Lurd, Metrics, Objective, Solution};
use sokoio::{Collection, EditError, LevelEntry, LevelId, NewLevel, ProofNote, Proved, SolutionKind, SolutionTitle};

use crate::{Origin, StoredSolution};

/// The name that solutions of Soko carry.
pub const PROGRAM: &str = "Soko";

/// Which solutions a document takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Those that are better in some metric than each solution that is there.
    #[default]
    NotDominated,
    /// All but those that are there, move by move.
    All,
}

/// A solution for a level of a document.
#[derive(Clone, Debug)]
pub struct Find {
    /// The moves.
    pub moves: Lurd,
    /// What they measure.
    pub metrics: Metrics,
    /// The program that found it; `None` for one that a person may have found.
    pub program: Option<String>,
    /// What it was searched for; a title that calls it best in nothing says so.
    pub objective: Option<Objective>,
    /// What its title calls it best in; by comparison with the others of its level if `None`.
    pub kind: Option<SolutionKind>,
    /// Lines for below the moves.
    pub notes: Vec<String>,
}

/// A text of levels that gains solutions: the collection, its levels by identity, and what its solutions measure.
///
/// ```
/// use sokocore::replay;
/// use sokoio::Collection;
/// use sokolibrary::{Document, Find, Keep};
///
/// let mut document = Document::new(Collection::parse(b"Two steps\n#######\n#@ $ .#\n#######\n"));
/// let solution = replay(document.collection().levels()[0].level()?, &"rRR".parse()?)?;
/// assert_eq!(document.add(0, [Find::ours(&solution)], Keep::NotDominated), Ok(true));
/// assert!(String::from_utf8_lossy(&document.collection().to_bytes()).contains("Best Solution 3/2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Document {
    collection: Collection,
    places: Arc<HashMap<LevelId, Vec<usize>>>,
    /// For each level the games that solve it; `None` until it is needed.
    known: Vec<Option<Arc<Vec<Known>>>>,
}

/// What is to be added to a level of a document; returns whether there was anything.
pub type Addition<'a> = &'a dyn Fn(&mut Document, usize) -> Result<bool, EditError>;

/// A game that solves its level.
#[derive(Clone, Copy, Debug)]
struct Known {
    game: usize,
    metrics: Metrics,
}

impl Find {
    /// Makes a find of Soko.
    #[must_use]
    pub fn ours(solution: &Solution) -> Self {
        Self {
            moves: solution.lurd().clone(),
            metrics: solution.metrics(),
            program: Some(PROGRAM.to_owned()),
            objective: None,
            kind: None,
            notes: Vec::new(),
        }
    }

    /// Makes a find of a solution of the library.
    #[must_use]
    pub fn of_stored(stored: &StoredSolution) -> Self {
        let Origin { program, .. } = &stored.origin;
        Self {
            moves: stored.moves.clone(),
            metrics: stored.metrics,
            program: if program.is_empty() { None } else { Some(program.clone()) },
            objective: stored.objective,
            kind: None,
            notes: stored.notes.clone(),
        }
    }

    /// Whether each of the others is worse in some metric, or by what this one was searched for.
    fn is_best_in_something(&self, mut others: impl Iterator<Item = Metrics> + Clone) -> bool {
        let is_worse =
            |objective: Objective| move |other: Metrics| objective.score(&other) > objective.score(&self.metrics);
        self.objective.is_some_and(|objective| others.clone().all(is_worse(objective)))
            || !others.any(|other| other.dominates(&self.metrics))
    }
}

impl Document {
    /// Makes a document of what was read.
    #[must_use]
    pub fn new(collection: Collection) -> Self {
        let mut places: HashMap<LevelId, Vec<usize>> = HashMap::new();
        for (level_idx, entry) in collection.levels().iter().enumerate() {
            if let Ok(level) = entry.level() {
                places.entry(LevelId::of(level)).or_default().push(level_idx);
            }
        }
        let known = vec![None; collection.levels().len()];
        Self { collection, places: Arc::new(places), known }
    }

    /// Returns the collection.
    #[must_use]
    pub const fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Returns the places of a level, from 0; a file may hold it more than once.
    #[must_use]
    pub fn places(&self, id: LevelId) -> &[usize] {
        self.places.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of different levels.
    #[must_use]
    pub fn n_levels(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of solutions that solve their levels.
    pub fn n_solutions(&mut self) -> usize {
        (0..self.known.len()).map(|level_idx| self.known(level_idx).len()).sum()
    }

    /// Puts another collection behind this one, as it stands. Returns `false`, and changes nothing, if some of its levels
    /// are here already, or if that would change how either is read.
    pub fn take_over(&mut self, other: &Collection) -> bool {
        let mut ids = other.levels().iter().filter_map(|entry| entry.level().ok().map(LevelId::of));
        if ids.any(|id| !self.places(id).is_empty()) {
            return false;
        }
        if self.collection.levels().is_empty() && self.collection.to_bytes().is_empty() {
            *self = Self::new(other.clone());
            return true;
        }
        if self.collection.append(other).is_err() {
            return false;
        }
        *self = Self::new(self.collection.clone());
        true
    }

    /// Puts a level without solutions at the end. Returns its place.
    ///
    /// # Errors
    /// The text would be read differently with it.
    pub fn append_level(&mut self, level: &NewLevel, id: LevelId) -> Result<usize, EditError> {
        let level_idx = self.collection.append_level(level)?;
        Arc::make_mut(&mut self.places).entry(id).or_default().push(level_idx);
        self.known.push(None);
        Ok(level_idx)
    }

    /// Adds solutions to a level. Returns whether there was anything to add. What was added before an
    /// error is there.
    ///
    /// # Errors
    /// Nothing can be added to the level without changing how the text is read.
    pub fn add(
        &mut self,
        level_idx: usize,
        finds: impl IntoIterator<Item = Find>,
        keep: Keep,
    ) -> Result<bool, EditError> {
        let mut known = self.known(level_idx);
        let mut new: Vec<Find> = Vec::new();
        for find in finds {
            let is_there = self.has_moves(level_idx, &known, &find.moves);
            let others = known.iter().map(|known| known.metrics).chain(new.iter().map(|other| other.metrics));
            let is_wanted = keep == Keep::All || find.is_best_in_something(others);
            if is_wanted && !is_there && !new.iter().any(|other| other.moves == find.moves) {
                new.push(find);
            }
        }
        if new.is_empty() {
            return Ok(false);
        }
        let all = known.iter().map(|known| known.metrics).chain(new.iter().map(|find| find.metrics));
        let best = Bests::of(all).expect("invariant: a solution is added");
        let is_compared = new.iter().all(|find| find.kind.is_none());
        self.retitle(level_idx, &known, &best, is_compared);
        let mut added = Ok(true);
        for find in new {
            let title = best.title(&find);
            match self.collection.add_solution(level_idx, &title, &find.moves, &find.notes) {
                Ok(game) => Arc::make_mut(&mut known).push(Known { game, metrics: find.metrics }),
                Err(error) => {
                    added = Err(error);
                    break;
                }
            }
        }
        self.known[level_idx] = Some(known);
        added
    }

    /// Adds a snapshot to a level, unless it is there, move by move. Returns whether it was added.
    ///
    /// # Errors
    /// Nothing can be added to the level without changing how the text is read.
    pub fn add_snapshot(&mut self, level_idx: usize, title: &SolutionTitle, moves: &Lurd) -> Result<bool, EditError> {
        let games = self.collection.levels().get(level_idx).map_or(&[][..], LevelEntry::games);
        if games.iter().any(|game| game.moves().is_ok_and(|known| known == moves)) {
            return Ok(false);
        }
        self.collection.add_snapshot(level_idx, title, moves)?;
        Ok(true)
    }

    /// Writes below the best solution by an objective what is proved about it, unless as much is written there.
    ///
    /// # Errors
    /// No note can be added there without changing how the text is read.
    pub fn add_proof(&mut self, level_idx: usize, objective: Objective, proof: &ProofNote) -> Result<bool, EditError> {
        let known = self.known(level_idx);
        let holding = known.iter().filter(|known| proof.holds_for(&known.metrics));
        let Some(best) = holding.min_by_key(|known| objective.score(&known.metrics)) else { return Ok(false) };
        let game = &self.collection.levels()[level_idx].games()[best.game];
        let is_said = |note: &str| ProofNote::parse(note).is_some_and(|old| says_as_much(old.proved(), proof.proved()));
        if game.notes().iter().any(|note| is_said(note)) {
            return Ok(false);
        }
        self.collection.add_note(level_idx, best.game, &proof.to_string())?;
        Ok(true)
    }

    /// The games that solve a level.
    fn known(&mut self, level_idx: usize) -> Arc<Vec<Known>> {
        let Some(known) = self.known.get_mut(level_idx) else { return Arc::default() };
        let entry = &self.collection.levels()[level_idx];
        let replay = || {
            let solutions = entry.solutions().filter_map(|(game, solution)| Some((game, solution.ok()?)));
            Arc::new(solutions.map(|(game, solution)| Known { game, metrics: solution.metrics() }).collect())
        };
        known.get_or_insert_with(replay).clone()
    }

    fn has_moves(&self, level_idx: usize, known: &[Known], moves: &Lurd) -> bool {
        let games = self.collection.levels()[level_idx].games();
        known.iter().any(|known| games[known.game].moves().is_ok_and(|other| other == moves))
    }

    /// Corrects the titles of the solutions that were there before: claims that are false now, and, if the titles come
    /// from a comparison, the claim of one that is still best in something. A title that cannot be changed stays: it is no
    /// reason to lose a solution.
    fn retitle(&mut self, level_idx: usize, known: &[Known], best: &Bests, is_compared: bool) {
        let mut claimed = Vec::new();
        for &Known { game, metrics } in known {
            let kind = best.kind(&metrics);
            let old = old_title(&self.collection.levels()[level_idx], game, metrics);
            let is_first = !claimed.contains(&kind);
            claimed.push(kind);
            let Some(old) = old.filter(|old| old.kind() != kind) else { continue };
            if (is_first && is_compared) || old.kind() != SolutionKind::Plain {
                let kind = if is_first { kind } else { SolutionKind::Plain };
                let _ = self.collection.retitle(level_idx, game, &old.with_kind(kind).with_number(1));
            }
        }
    }
}

/// Returns whether one claim says all that another one says.
fn says_as_much(one: Proved, other: Proved) -> bool {
    match other {
        Proved::AtLeastPushes(pushes) => one.least_pushes().is_some_and(|least| least >= pushes),
        Proved::AtLeastMoves(moves) => one.least_moves().is_some_and(|least| least >= moves),
        _ => one == other,
    }
}

/// Returns the solutions of an entry, under the names of the programs that found them and with their notes.
#[must_use]
pub fn finds_of(entry: &LevelEntry) -> Vec<Find> {
    let find = |(game, solution): (usize, Solution)| {
        let game = &entry.games()[game];
        let title = game.title().and_then(SolutionTitle::parse);
        Find {
            program: title.and_then(|title| title.program().map(str::to_owned)),
            notes: game.notes().to_vec(),
            ..Find::ours(&solution)
        }
    };
    entry.solutions().filter_map(|(game, solution)| Some(find((game, solution.ok()?)))).collect()
}

/// What the best solutions in moves and in pushes measure.
#[derive(Clone, Copy)]
struct Bests {
    moves: Metrics,
    pushes: Metrics,
}

impl Bests {
    fn of(all: impl Iterator<Item = Metrics> + Clone) -> Option<Self> {
        let best = |objective: Objective| all.clone().min_by_key(|metrics| objective.score(metrics));
        Some(Self { moves: best(Objective::MOVES)?, pushes: best(Objective::PUSHES)? })
    }

    /// What a solution with these metrics is best in.
    fn kind(&self, metrics: &Metrics) -> SolutionKind {
        let same = |objective: Objective, best| objective.score(metrics) == objective.score(best);
        match (same(Objective::MOVES, &self.moves), same(Objective::PUSHES, &self.pushes)) {
            (true, true) => SolutionKind::Best,
            (true, false) => SolutionKind::Moves,
            (false, true) => SolutionKind::Pushes,
            (false, false) => SolutionKind::Plain,
        }
    }

    fn title(&self, find: &Find) -> SolutionTitle {
        let kind = find.kind.unwrap_or_else(|| self.kind(&find.metrics));
        let title = SolutionTitle::new(kind, find.metrics);
        match (&find.program, kind) {
            (None, _) => title,
            (Some(program), kind) => match find.objective.filter(|_| kind == SolutionKind::Plain) {
                Some(objective) => title.with_program(&format!("{program} {objective}")),
                None => title.with_program(program),
            },
        }
    }
}

/// The title as it could be rewritten without loss: `None` if a person worded it.
fn old_title(entry: &LevelEntry, game: usize, metrics: Metrics) -> Option<SolutionTitle> {
    let Some(text) = entry.games()[game].title() else {
        return Some(SolutionTitle::new(SolutionKind::Plain, metrics));
    };
    let title = SolutionTitle::parse(text)?;
    let letters = |text: &str| text.to_lowercase().replace([' ', ':'], "").replace("/steps", "/moves");
    (letters(&title.to_string()) == letters(text)).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_worth_its_bound() {
        assert!(says_as_much(Proved::FewestPushes(97), Proved::AtLeastPushes(97)));
        assert!(says_as_much(Proved::AtLeastPushes(95), Proved::AtLeastPushes(92)));
        assert!(!says_as_much(Proved::AtLeastPushes(95), Proved::AtLeastPushes(96)));
        assert!(!says_as_much(Proved::AtLeastPushes(97), Proved::FewestPushes(97)));
        assert!(!says_as_much(Proved::AtLeastMoves(97), Proved::AtLeastPushes(90)));
    }
}
