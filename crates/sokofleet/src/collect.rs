//! What a fleet has found, after a replay here.

use sokocore::{Level, Objective, Solution};
use sokoio::{Collection, LevelId, Proved};

use crate::keys::FindKey;
use crate::submit::collections;
use crate::work::{AttributedSolution, Boards};
use crate::{Fleet, FleetError};

/// A level with what the fleet knows of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollectedLevel {
    /// Its identity.
    pub id: LevelId,
    /// The level.
    pub level: Level,
    /// What a person calls it.
    pub name: String,
    /// The best solution by each objective. All were replayed here.
    pub solutions: Vec<CollectedSolution>,
    /// What workers say is proved. No replay shows it.
    pub proofs: Vec<Proved>,
    /// The least moves and pushes of a solution, as workers say.
    pub bounds: (u64, u64),
}

/// A solution with who has found it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollectedSolution {
    /// What it is the best in.
    pub objective: Objective,
    /// The solution.
    pub solution: Solution,
    /// The worker; "files" if it was submitted.
    pub worker: String,
    /// The method or strategy that found it; empty if that is not known.
    pub method: String,
}

impl Fleet {
    /// Returns every level that has a solution or a proof, with the best solution by each objective.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn collect(&self) -> Result<Vec<CollectedLevel>, FleetError> {
        self.ask(async {
            let server = self.server();
            let mut ids: Vec<LevelId> = Vec::new();
            for key in server.keys(&server.finds, ">").await? {
                ids.extend(FindKey::parse(&key).map(|key| key.level));
            }
            ids.sort_unstable();
            ids.dedup();
            let boards = Boards::default();
            let mut collected = Vec::with_capacity(ids.len());
            for id in ids {
                let Some(known) = boards.known(server, id).await? else { continue };
                collected.push(CollectedLevel {
                    id,
                    name: known.level.name(),
                    solutions: bests(&known.solutions),
                    proofs: known.proofs.proved().collect(),
                    bounds: known.proofs.bounds,
                    level: known.level.level,
                });
            }
            Ok(collected)
        })
    }

    /// Returns the collections that were submitted, in their order, by name.
    ///
    /// # Errors
    /// The server cannot be reached.
    pub fn collections(&self) -> Result<Vec<(String, Collection)>, FleetError> {
        let found = self.ask(collections(self.server()))?;
        Ok(found.into_iter().map(|(name, text)| (name, Collection::parse(&text))).collect())
    }
}

/// Returns the best by each objective, by the metrics that the replay has shown.
fn bests(attributed: &[AttributedSolution]) -> Vec<CollectedSolution> {
    let mut bests: Vec<CollectedSolution> = Vec::new();
    for AttributedSolution { objective, worker, method, solution } in attributed {
        let found = CollectedSolution {
            objective: *objective,
            solution: solution.clone(),
            worker: worker.clone(),
            method: method.clone(),
        };
        match bests.iter_mut().find(|best| best.objective == *objective) {
            Some(best) => {
                if objective.score(&solution.metrics()) < objective.score(&best.solution.metrics()) {
                    *best = found;
                }
            }
            None => bests.push(found),
        }
    }
    bests
}
