//! What the fleet knows of a level: its board, everyone's solutions after a replay, everyone's proofs.

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::{Metrics, Objective, Solution};
use sokoio::LevelId;
use sokonight::NightLevel;

use crate::FleetError;
use crate::fleet_error::Doing as _;
use crate::keys::FindKey;
use crate::packing::{of_json, to_json};
use crate::record::{FindRecord, LevelRecord, ProofsRecord};
use crate::server::{FleetServer, entry};

/// Boards that a worker remembers.
const MAX_REMEMBERED: usize = 4_096;
/// Solutions of a level and objective that are read: the best, as they are told.
const MAX_READ: usize = 8;

/// Boards that a worker has seen.
#[derive(Debug, Default)]
pub(crate) struct Boards(Mutex<HashMap<LevelId, LevelRecord>>);

/// A level as the fleet knows it.
#[derive(Debug)]
pub(crate) struct LevelKnowledge {
    pub(crate) level: NightLevel,
    pub(crate) proofs: ProofsRecord,
    /// Whose solution is the best by each objective, with what found it.
    pub(crate) solutions: Vec<AttributedSolution>,
}

/// Who has found a solution.
#[derive(Clone, Debug)]
pub(crate) struct AttributedSolution {
    pub(crate) objective: Objective,
    pub(crate) worker: String,
    pub(crate) method: String,
    pub(crate) solution: Solution,
}

impl Boards {
    /// Returns a level with everything that the fleet knows of it; `None` if the server has no such level, or a damaged one.
    pub(crate) async fn known(&self, server: &FleetServer, id: LevelId) -> Result<Option<LevelKnowledge>, FleetError> {
        let remembered = self.0.lock().get(&id).cloned();
        let record = match remembered {
            Some(record) => record,
            None => {
                let found = entry(&server.levels, id.to_string()).await?;
                let Some(record) = found.and_then(|entry| of_json::<LevelRecord>(&entry.value)) else {
                    return Ok(None);
                };
                let mut boards = self.0.lock();
                if boards.len() >= MAX_REMEMBERED {
                    boards.clear();
                }
                boards.insert(id, record.clone());
                record
            }
        };
        let Some(level) = record.level(id) else { return Ok(None) };
        known(server, level).await.map(Some)
    }
}

impl FleetServer {
    /// Writes what a worker says is proved of a level.
    pub(crate) async fn put_proofs(
        &self,
        level: LevelId,
        worker: &str,
        proofs: &ProofsRecord,
    ) -> Result<(), FleetError> {
        let key = FindKey { level, objective: None, worker: worker.to_owned() };
        self.finds.put(key.to_string(), to_json(proofs).into()).await.doing("tell what is proved")?;
        Ok(())
    }
}

/// Adds what the fleet knows to a level.
async fn known(server: &FleetServer, mut level: NightLevel) -> Result<LevelKnowledge, FleetError> {
    let mut proofs = ProofsRecord::default();
    let mut told = Vec::new();
    for key in server.keys(&server.finds, &format!("{}.>", level.id)).await? {
        let Some(key) = FindKey::parse(&key) else { continue };
        let Some(found) = entry(&server.finds, key.to_string()).await? else { continue };
        match key.objective {
            None => proofs.merge(of_json(&found.value).unwrap_or_default()),
            Some(objective) => {
                if let Some(head) = FindRecord::head(&found.value) {
                    told.push((objective, objective.score(&head.metrics.metrics()), key.worker, found.value));
                }
            }
        }
    }
    // Equals in an order that all workers share.
    told.sort_by(|one, other| (one.1, &one.2).cmp(&(other.1, &other.2)));
    let mut solutions: Vec<AttributedSolution> = Vec::new();
    let mut n_read: HashMap<Objective, usize> = HashMap::new();
    for (objective, _, worker, bytes) in told {
        let n_read = n_read.entry(objective).or_default();
        if *n_read >= MAX_READ {
            continue;
        }
        // One that solves nothing counts for nothing, whatever is told of it.
        let Some((head, solution)) = FindRecord::replayed(&bytes, &level.level) else {
            tracing::warn!(level = %level.id, %worker, "a solution that solves nothing is left out");
            continue;
        };
        *n_read += 1;
        solutions.push(AttributedSolution { objective, worker, method: head.method, solution });
    }
    for known in &solutions {
        if !level.known.contains(&known.solution) {
            level.known.push(known.solution.clone());
        }
    }
    level.bounds = proofs.bounds;
    level.is_unsolvable = proofs.is_unsolvable && level.known.is_empty();
    Ok(LevelKnowledge { level, proofs, solutions })
}

impl LevelKnowledge {
    /// Returns what the best solution by an objective measures.
    pub(crate) fn best(&self, objective: Objective) -> Option<Metrics> {
        self.level.known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics))
    }

    /// Sets which best solutions are proved, as far as workers say so.
    pub(crate) fn with_proofs_of(mut self, objectives: &[Objective]) -> Self {
        let is_proved = |objective: &Objective| {
            self.best(*objective)
                .is_some_and(|best| self.proofs.proved().any(|proved| proved.is_best_by(*objective, &best)))
        };
        self.level.proved = objectives.iter().copied().filter(is_proved).collect();
        self
    }
}
