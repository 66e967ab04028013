//! Levels and wishes, on their way to the server. Submitting twice changes nothing.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv::UpdateErrorKind;
use sokocore::{Level, Objective, Solution};
use sokoio::{Collection, LevelId};
use sokonight::{LevelState, NightLevel};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::class::class_of;
use crate::fleet_error::Doing as _;
use crate::keys::{FindKey, ItemKey};
use crate::packing::{of_json, pack, to_json};
use crate::record::{CollectionRecord, FindRecord, ItemRecord, ItemStatus, LevelRecord};
use crate::server::{FleetServer, entry};
use crate::work::Boards;
use crate::{Fleet, FleetError};

/// Levels that are sent at a time.
const MAX_AT_A_TIME: usize = 256;
/// The worker in whose name solutions of files are kept.
pub(crate) const FILES: &str = "files";

/// A collection that is submitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Submission<'a> {
    /// Its name.
    pub name: String,
    /// Its levels, with the solutions that are known.
    pub collection: &'a Collection,
    /// Further solutions, as of a library.
    pub known: Vec<(LevelId, Vec<Solution>)>,
}

impl<'a> Submission<'a> {
    /// Makes the submission of a collection.
    #[must_use]
    pub fn new(name: impl Into<String>, collection: &'a Collection) -> Self {
        Self { name: name.into(), collection, known: Vec::new() }
    }

    /// Sets [`Submission::known`].
    #[must_use]
    pub fn with_known(self, known: Vec<(LevelId, Vec<Solution>)>) -> Self {
        Self { known, ..self }
    }
}

/// What is to be done with levels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wishes {
    /// What is improved. Default moves and pushes.
    pub objectives: Vec<Objective>,
    /// How long, from the submission on. Default until nothing is left to do.
    pub time: Option<Duration>,
}

impl Default for Wishes {
    fn default() -> Self {
        Self { objectives: vec![Objective::MOVES, Objective::PUSHES], time: None }
    }
}

impl Wishes {
    /// Sets [`Wishes::objectives`].
    #[must_use]
    pub fn with_objectives(self, objectives: impl Into<Vec<Objective>>) -> Self {
        Self { objectives: objectives.into(), ..self }
    }

    /// Sets [`Wishes::time`].
    #[must_use]
    pub fn with_time(self, time: Option<Duration>) -> Self {
        Self { time, ..self }
    }
}

/// What became of a submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Submitted {
    /// Levels, each once.
    pub n_levels: usize,
    /// Of these, those that the fleet did not have.
    pub n_new: usize,
    /// Items that are worked on because of it: new ones, and those whose time was over.
    pub n_opened: usize,
}

/// A level on its way.
struct SubmittedLevel {
    id: LevelId,
    level: Level,
    record: LevelRecord,
    known: Vec<Solution>,
}

impl Fleet {
    /// Submits collections. The function is told how many levels are on the server, and of how many. Work that was drained
    /// begins again.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses. What was submitted by then stays; submitting again adds the rest.
    pub fn submit(
        &self,
        submissions: &[Submission<'_>],
        wishes: &Wishes,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Submitted, FleetError> {
        self.ask(submit(self.server(), submissions, wishes, progress))
    }
}

async fn submit(
    server: &FleetServer,
    submissions: &[Submission<'_>],
    wishes: &Wishes,
    progress: &dyn Fn(usize, usize),
) -> Result<Submitted, FleetError> {
    let mut parcels = Vec::new();
    let mut seen = hashbrown::HashSet::new();
    for submission in submissions {
        put_collection(server, submission).await?;
        for (number, entry) in (1..).zip(submission.collection.levels()) {
            let Ok(level) = entry.level() else { continue };
            let id = LevelId::of(level);
            if !seen.insert(id) {
                continue;
            }
            let record = LevelRecord::new(level, &submission.name, number, entry.title().unwrap_or_default());
            let mut known: Vec<_> = entry.solutions().filter_map(|(_, solution)| solution.ok()).collect();
            let others = submission.known.iter().filter(|(of, _)| *of == id);
            known.extend(others.flat_map(|(_, solutions)| solutions.iter().cloned()));
            parcels.push(SubmittedLevel { id, level: level.clone(), record, known });
        }
    }
    let n_levels = parcels.len();
    let mut submitted = Submitted { n_levels, ..Submitted::default() };
    let now = server.now().await?;
    let places = Arc::new(Semaphore::new(MAX_AT_A_TIME));
    let mut tasks: JoinSet<Result<(bool, usize), FleetError>> = JoinSet::new();
    let mut n_done = 0;
    let mut done = |ended: Result<(bool, usize), FleetError>| -> Result<(), FleetError> {
        let (is_new, n_opened) = ended?;
        submitted.n_new += usize::from(is_new);
        submitted.n_opened += n_opened;
        n_done += 1;
        progress(n_done, n_levels);
        Ok(())
    };
    for parcel in parcels {
        let place = places.clone().acquire_owned().await.expect("invariant: it is never closed");
        let (server, wishes) = (server.clone(), wishes.clone());
        tasks.spawn(async move {
            let sent = submit_level(&server, &parcel, &wishes, now).await;
            drop(place);
            sent
        });
        while let Some(ended) = tasks.try_join_next() {
            done(ended.map_err(|error| FleetError::System(error.to_string()))?)?;
        }
    }
    while let Some(ended) = tasks.join_next().await {
        done(ended.map_err(|error| FleetError::System(error.to_string()))?)?;
    }
    server.set_drained(false).await?;
    Ok(submitted)
}

/// Keeps the text of a collection.
async fn put_collection(server: &FleetServer, submission: &Submission<'_>) -> Result<(), FleetError> {
    let text = submission.collection.to_string();
    let packed = pack(text.as_bytes());
    let is_large = packed.len() + 1_024 > server.max_payload();
    let n_bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let record = CollectionRecord { name: submission.name.clone(), n_bytes, is_large };
    let key = collection_key(&submission.name);
    let mut value = to_json(&record);
    value.push(b'\n');
    if is_large {
        server.put_large(&format!("collection.{key}"), &packed).await?;
    } else {
        value.extend(packed);
    }
    if entry(&server.collections, &key).await?.is_some_and(|old| *old.value == *value) {
        return Ok(());
    }
    server.collections.put(&key, value.into()).await.doing("submit a collection")?;
    Ok(())
}

/// The key of a collection: names have letters that keys may not have.
fn collection_key(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Sends a level with its solutions, and opens its items. Returns whether it is new, and how many items were opened.
async fn submit_level(
    server: &FleetServer,
    parcel: &SubmittedLevel,
    wishes: &Wishes,
    now: i64,
) -> Result<(bool, usize), FleetError> {
    let id = parcel.id.to_string();
    let is_new = entry(&server.levels, &id).await?.is_none() && {
        // Another submission may be faster.
        match server.levels.update(&id, to_json(&parcel.record).into(), 0).await {
            Ok(_) => true,
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => false,
            Err(error) => return Err(error).doing("submit a level"),
        }
    };
    // What the fleet has found before counts as well.
    let known = if is_new { None } else { Boards::default().known(server, parcel.id).await? };
    let level = match known {
        Some(known) => known.with_proofs_of(&wishes.objectives).level,
        None => NightLevel::new(parcel.level.clone()),
    };
    let state = LevelState::new(&level, &wishes.objectives);
    for solution in &parcel.known {
        state.take_over(solution);
    }
    let is_given = |solution: &Solution| parcel.known.contains(solution);
    for (objective, solution) in state.bests().into_iter().filter(|(_, solution)| is_given(solution)) {
        put_known(server, parcel.id, objective, &solution).await?;
    }
    let mut n_opened = 0;
    for purpose in state.open_purposes(&wishes.objectives) {
        let key = ItemKey { level: parcel.id, purpose, island: 0 };
        n_opened += usize::from(open(server, &key, &state, wishes, now).await?);
    }
    Ok((is_new, n_opened))
}

/// Keeps a solution of a file, unless the one that is kept is as good.
async fn put_known(
    server: &FleetServer,
    level: LevelId,
    objective: Objective,
    solution: &Solution,
) -> Result<(), FleetError> {
    let key = FindKey { level, objective: Some(objective), worker: FILES.to_owned() }.to_string();
    let score = objective.score(&solution.metrics());
    let kept = entry(&server.finds, &key).await?.and_then(|entry| FindRecord::head(&entry.value));
    if kept.is_none_or(|kept| score < objective.score(&kept.metrics.metrics())) {
        let record = FindRecord { metrics: solution.metrics().into(), method: String::new() };
        let bytes = record.with_moves(solution.lurd());
        let limit = server.max_payload();
        if bytes.len() > limit {
            let what = format!("a solution of level {level} with {} moves", solution.metrics().moves);
            return Err(FleetError::TooLarge { what, size: bytes.len(), limit });
        }
        server.finds.put(&key, bytes.into()).await.doing("submit a solution")?;
    }
    Ok(())
}

/// Opens an item that is not there, and one whose time is over. Returns whether it did.
async fn open(
    server: &FleetServer,
    key: &ItemKey,
    state: &LevelState<'_>,
    wishes: &Wishes,
    now: i64,
) -> Result<bool, FleetError> {
    let seconds = wishes.time.map(|time| time.as_secs().max(1));
    let until = seconds.map(|seconds| now.saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX)));
    loop {
        let Some((record, revision)) = server.item(key).await? else {
            let record = ItemRecord { until, wished: seconds, ..ItemRecord::new(&wishes.objectives) };
            return server.open_item(key, record, class_of(state.item(key.purpose).rate())).await;
        };
        let mut wished = record.clone();
        let names = wishes.objectives.iter().map(ToString::to_string);
        let more: Vec<_> = names.filter(|name| !record.objectives.contains(name)).collect();
        wished.objectives.extend(more);
        let is_written = match record.state {
            ItemStatus::TimeOver => {
                (wished.until, wished.wished) = (until, seconds);
                let class = class_of(state.item(key.purpose).with_history(&record.history()).rate());
                if server.reopen_item(key, wished, revision, class).await? {
                    return Ok(true);
                }
                false
            }
            ItemStatus::Open if seconds != record.wished => {
                (wished.until, wished.wished) = (until, seconds);
                server.write(key, &wished, revision).await?
            }
            ItemStatus::Open | ItemStatus::Settled if wished.objectives != record.objectives => {
                server.write(key, &wished, revision).await?
            }
            ItemStatus::Open | ItemStatus::Settled => true,
        };
        if is_written {
            return Ok(false);
        }
    }
}

/// Returns the collections that were submitted: their names and texts.
pub(crate) async fn collections(server: &FleetServer) -> Result<Vec<(String, Vec<u8>)>, FleetError> {
    let mut found = Vec::new();
    for key in server.keys(&server.collections, ">").await? {
        let Some(entry) = entry(&server.collections, &key).await? else { continue };
        let Some(end) = entry.value.iter().position(|&byte| byte == b'\n') else { continue };
        let Some(record) = of_json::<CollectionRecord>(&entry.value[..end]) else { continue };
        let packed = if record.is_large {
            server.large(&format!("collection.{key}")).await?
        } else {
            entry.value[end + 1..].to_vec()
        };
        if let Some(text) = crate::packing::unpack(&packed) {
            found.push((entry.revision, record.name, text));
        }
    }
    found.sort_by_key(|(revision, ..)| *revision);
    Ok(found.into_iter().map(|(_, name, text)| (name, text)).collect())
}
