//! Solutions: which of them are kept, and which is best.
//!
//! Invariant: of each level those are kept that are in some metric better than each other one, and the best by each
//! objective that one was searched for. A tie goes to the one that came first.

use rusqlite::{Connection, Row, params};
use sokocore::{Level, Lurd, Metrics, Objective, replay};
use sokoio::LevelId;

use crate::changes::{Changes, NOW, count, int};
use crate::levels::KeyedLevel;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::origin::{self, Origin};

/// A solution for a level of the library, not yet replayed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NewSolution {
    /// The moves.
    pub moves: Lurd,
    /// What it was searched for, if that is known.
    pub objective: Option<Objective>,
    /// The method or strategy that found it; empty if not known.
    pub method: String,
    /// What its file says about it.
    pub notes: Vec<String>,
    /// Seconds of search until it was found, if they are known.
    pub seconds: Option<f64>,
    /// Where it is from.
    pub origin: Origin,
}

/// A solution of the library.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StoredSolution {
    /// The moves.
    pub moves: Lurd,
    /// What they measure.
    pub metrics: Metrics,
    /// What it was searched for, if that is known.
    pub objective: Option<Objective>,
    /// The method or strategy that found it; empty if not known.
    pub method: String,
    /// What its file says about it.
    pub notes: Vec<String>,
    /// Seconds of search until it was found, if they are known.
    pub seconds: Option<f64>,
    /// Where it is from.
    pub origin: Origin,
    /// When it entered the library: UTC, such as `2026-11-23T21:04:09.250Z`.
    pub found_at: String,
}

/// What became of a solution that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It is in the library now.
    Added {
        /// It is the best by [`Objective::MOVES`].
        is_best_moves: bool,
        /// It is the best by [`Objective::PUSHES`].
        is_best_pushes: bool,
    },
    /// Another one is as good in every metric.
    Dominated,
}

impl NewSolution {
    /// Makes a solution of which only the moves are known.
    #[must_use]
    pub fn new(moves: Lurd) -> Self {
        let (objective, seconds, origin) = (None, None, Origin::default());
        Self { moves, objective, method: String::new(), notes: Vec::new(), seconds, origin }
    }

    /// Says where it is from.
    #[must_use]
    pub fn from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// Says what it was searched for.
    #[must_use]
    pub fn for_objective(self, objective: Objective) -> Self {
        Self { objective: Some(objective), ..self }
    }

    /// Says which method found it.
    #[must_use]
    pub fn with_method(self, method: impl Into<String>) -> Self {
        Self { method: method.into(), ..self }
    }

    /// Sets the notes.
    #[must_use]
    pub fn with_notes(self, notes: impl IntoIterator<Item = String>) -> Self {
        Self { notes: notes.into_iter().collect(), ..self }
    }

    /// Says how long it was searched for.
    #[must_use]
    pub fn after_seconds(self, seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..self }
    }
}

/// What decides whether a solution is kept.
#[derive(Clone, Copy, Debug)]
struct Rated {
    key: i64,
    metrics: Metrics,
    objective: Option<Objective>,
}

const METRICS: &str = "moves, pushes, box_lines, box_changes, pushing_sessions, player_lines";

/// Reads the six metrics from the columns from `at` on.
pub(crate) fn metrics_of(row: &Row<'_>, at: usize) -> rusqlite::Result<Metrics> {
    let metric = |offset: usize| row.get(at + offset).map(count);
    Ok(Metrics {
        moves: metric(0)?,
        pushes: metric(1)?,
        box_lines: metric(2)?,
        box_changes: metric(3)?,
        pushing_sessions: metric(4)?,
        player_lines: metric(5)?,
    })
}

/// Reads an objective from a column; one that this version does not know is none.
fn objective_of(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Objective>> {
    row.get::<_, String>(at).map(|text| text.parse().ok())
}

impl StoredSolution {
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let lurd: String = row.get(0)?;
        let moves = lurd.parse().map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
        })?;
        let notes: String = row.get(9)?;
        Ok(Self {
            moves,
            metrics: metrics_of(row, 1)?,
            objective: objective_of(row, 7)?,
            method: row.get(8)?,
            notes: notes.lines().map(str::to_owned).collect(),
            seconds: row.get(10)?,
            found_at: row.get(11)?,
            origin: Origin::of_row(row, 12)?,
        })
    }
}

/// Selects solutions as [`StoredSolution::of_row`] reads them.
fn select() -> String {
    format!(
        "SELECT lurd, {METRICS}, objective, method, notes, seconds, found_at, {}
         FROM solution JOIN origin USING (origin_id)",
        origin::COLUMNS
    )
}

impl Library {
    /// Returns the solutions of a level, those with the fewest moves first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn solutions(&self, id: LevelId) -> Result<Vec<StoredSolution>, LibraryError> {
        self.read(|connection| solutions(connection, id))
    }

    /// Returns the best solution of a level by an objective.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn best(&self, id: LevelId, objective: Objective) -> Result<Option<StoredSolution>, LibraryError> {
        let solutions = self.solutions(id)?;
        Ok(solutions.into_iter().min_by_key(|solution| objective.score(&solution.metrics)))
    }
}

fn solutions(connection: &Connection, id: LevelId) -> Result<Vec<StoredSolution>, LibraryProblem> {
    let sql = format!(
        "{} WHERE level_id = (SELECT level_id FROM level WHERE identity = ?1) ORDER BY moves, pushes, solution_id",
        select()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([id.to_string()], StoredSolution::of_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

impl Changes<'_> {
    /// Offers a solution of a level: it is replayed, and added if it is better than what is there. The level is added if
    /// it is not there. Solutions that the new one dominates are removed.
    ///
    /// ```
    /// use sokolibrary::{Library, NewSolution, Offer};
    ///
    /// let level = "######\n#@$ .#\n######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// let offers = library.write(|changes| {
    ///     let one = changes.offer(&level, &NewSolution::new("RR".parse().expect("these are moves")))?;
    ///     let other = changes.offer(&level, &NewSolution::new("RR".parse().expect("these are moves")))?;
    ///     Ok((one, other))
    /// })?;
    /// assert_eq!(offers, (Offer::Added { is_best_moves: true, is_best_pushes: true }, Offer::Dominated));
    /// assert!(library.write(|changes| changes.offer(&level, &NewSolution::new("L".parse().unwrap()))).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The moves do not solve the level, or the file cannot be written.
    pub fn offer(&self, level: &Level, find: &NewSolution) -> Result<Offer, LibraryProblem> {
        let stored = self.keyed_level(level)?;
        self.offer_at(&stored, find, None)
    }

    /// Offers a solution of a stored level, with the time of its first entry if that is known. The gain is of now.
    pub(crate) fn offer_at(
        &self,
        at: &KeyedLevel,
        find: &NewSolution,
        found_at: Option<&str>,
    ) -> Result<Offer, LibraryProblem> {
        self.offer_with_gain(at, find, found_at, None)
    }

    /// Offers a solution whose gain is of a time that is known, too.
    pub(crate) fn offer_with_gain(
        &self,
        at: &KeyedLevel,
        find: &NewSolution,
        found_at: Option<&str>,
        gained_at: Option<&str>,
    ) -> Result<Offer, LibraryProblem> {
        // Letters of the wrong case are corrected and moves after the end cut by replay.
        let solution = replay(&at.level, &find.moves)?;
        let metrics = solution.metrics();
        let mut rated = self.rated(at.key)?;
        let is_best = |objective: Objective| {
            rated.iter().all(|other| objective.score(&metrics) < objective.score(&other.metrics))
        };
        let is_best_in_its_own = find.objective.is_some_and(is_best);
        if rated.iter().any(|other| other.metrics.dominates(&metrics)) && !is_best_in_its_own {
            return Ok(Offer::Dominated);
        }
        let (is_best_moves, is_best_pushes) = (is_best(Objective::MOVES), is_best(Objective::PUSHES));
        let key = self.insert(at.key, solution.lurd(), &metrics, find, found_at)?;
        for (objective, is_best) in [(Objective::MOVES, is_best_moves), (Objective::PUSHES, is_best_pushes)] {
            if is_best {
                self.add_gain(at.key, objective, &metrics, gained_at)?;
            }
        }
        self.refute(at.key, &metrics)?;
        rated.push(Rated { key, metrics, objective: find.objective });
        for surplus in rated.iter().filter(|one| is_surplus(one, &rated)) {
            self.transaction.prepare_cached("DELETE FROM solution WHERE solution_id = ?1")?.execute([surplus.key])?;
        }
        Ok(Offer::Added { is_best_moves, is_best_pushes })
    }

    /// Takes back claims that a solution refutes. They came from a file: what this program proves is true.
    fn refute(&self, level: i64, metrics: &Metrics) -> Result<(), LibraryProblem> {
        let sql = "SELECT 1 FROM level WHERE level_id = ?1 AND (least_moves > ?2 OR least_pushes > ?3)";
        let bounds = params![level, int(metrics.moves), int(metrics.pushes)];
        if self.transaction.prepare_cached(sql)?.exists(bounds)? {
            self.take_back_claims(level, metrics)
        } else {
            Ok(())
        }
    }

    fn rated(&self, level: i64) -> Result<Vec<Rated>, LibraryProblem> {
        let sql = format!("SELECT solution_id, {METRICS}, objective FROM solution WHERE level_id = ?1");
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map([level], |row| {
            Ok(Rated { key: row.get(0)?, metrics: metrics_of(row, 1)?, objective: objective_of(row, 7)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn insert(
        &self,
        level: i64,
        moves: &Lurd,
        metrics: &Metrics,
        find: &NewSolution,
        found_at: Option<&str>,
    ) -> Result<i64, LibraryProblem> {
        let origin = self.origin(&find.origin)?;
        let sql = format!(
            "INSERT INTO solution (level_id, {METRICS}, lurd, objective, method, notes, seconds, origin_id, found_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, COALESCE(?14, {NOW}))"
        );
        let objective = find.objective.map(|objective| objective.to_string()).unwrap_or_default();
        let row = params![
            level,
            int(metrics.moves),
            int(metrics.pushes),
            int(metrics.box_lines),
            int(metrics.box_changes),
            int(metrics.pushing_sessions),
            int(metrics.player_lines),
            moves.to_string(),
            objective,
            find.method,
            find.notes.join("\n"),
            find.seconds,
            origin,
            found_at,
        ];
        Ok(self.transaction.prepare_cached(&sql)?.insert(row)?)
    }

    fn add_gain(
        &self,
        level: i64,
        objective: Objective,
        metrics: &Metrics,
        at: Option<&str>,
    ) -> Result<(), LibraryProblem> {
        let sql = format!(
            "INSERT INTO gain (level_id, objective, moves, pushes, at) VALUES (?1, ?2, ?3, ?4, COALESCE(?5, {NOW}))"
        );
        let row = params![level, objective.to_string(), int(metrics.moves), int(metrics.pushes), at];
        self.transaction.prepare_cached(&sql)?.execute(row)?;
        Ok(())
    }
}

/// Returns whether another solution is as good in every metric, and this one is not the best in what it was searched for.
fn is_surplus(one: &Rated, all: &[Rated]) -> bool {
    let others = || all.iter().filter(|other| other.key != one.key);
    let is_before = |other: &Rated| other.metrics != one.metrics || other.key < one.key;
    let is_dominated = others().any(|other| other.metrics.dominates(&one.metrics) && is_before(other));
    let is_best_in_its_own = one.objective.is_some_and(|objective| {
        let score = |rated: &Rated| (objective.score(&rated.metrics), rated.key);
        others().all(|other| score(one) < score(other))
    });
    is_dominated && !is_best_in_its_own
}
