//! Multi-start search: many solutions of the level, improved for a while each, the worse half dropped again and again.
//!
//! What a solution can be improved to depends on its shape, and the solver finds the shape by chance. Its strategies find
//! many within a second, and after a fraction of a second of improvement the ranks are mostly those of the end. So the
//! run begins with a comparison of starts, the best of what the solver finds and the solutions that were given:
//!
//! ```text
//!   source ─┐                        round 1      round 2      round 3
//!           ├─▶ the best MAX_STARTS ──half──▶ ∙ ──half──▶ ∙ ──half──▶ one, improved until it stagnates
//!   given ──┘                          ╳            ╳            ╳                   crossed with the best
//! ```
//!
//! Every gain over the best of the run is offered to the run at once; the other arms then improve that. The comparison
//! has a reserved share of the work, since it cannot gain before it has compared, and how large that is depends on the best
//! of the run ([`StartShares`]). Batch follows batch, with a smaller share, until the source finds nothing new.

use hashbrown::HashSet;
use sokocore::{Lurd, Metrics, Objective, Solution, replay};
use sokosearch::{Context, SourceSlice, Stop};
use tracing::debug;

use super::TICKS_OF_SOURCE;
use super::archive::Archive;
use super::lineage::{Lineage, Stage};
use super::spare_pushes::SparePushes;
use super::start_shares::StartShares;
use super::successive_halving::{SavedHalving, SuccessiveHalving};
use crate::checkpoint::field::{Field, FieldReader, fields};
use crate::schedule::arm::{ArmSliceEnd, SavedArm, SavedSearch, SlicedSearch};
use crate::schedule::arm_context::ArmContext;
use crate::shared_source::SourceReader;
use crate::{Knobs, SharedSolutionSource, Technique, TechniqueSet};

/// Starts that are compared.
const MAX_STARTS: usize = 10;
/// Work of the source in one slice, and the most slices for a batch.
const SOURCE_SLICE: u64 = 12_500;
const MAX_SOURCE_SLICES: u64 = 240;
/// Solutions of the source that complete a batch.
const MAX_COLLECTED: usize = 32;
/// Ticks of each start before the worse half is dropped, in the first batch; twice as many in the next, and so on.
const FIRST_SHARE: u64 = 1_000_000;
const MAX_DOUBLINGS: u32 = 4;
/// Crossing a start with the archive takes at most this part of its share.
const CROSSING_PART: u64 = 8;
/// Most metrics of earlier starts in a checkpoint.
const MOST_SAVED: usize = 1 << 12;
/// No run compares so many batches.
const MAX_BATCHES: u32 = 1 << 20;

/// The comparison of many starts.
#[derive(Debug)]
pub(crate) struct MultiStart {
    seed: u64,
    archive: Archive,
    /// Made in the first slice; none if the run has no source, or it has nothing new.
    source: Option<SourceReader>,
    /// Batches that were compared.
    n_batches: u32,
    /// Metrics of all starts so far.
    known: HashSet<Metrics>,
    state: MultiStartState,
    /// `None` if the level is too large for a lower bound.
    spare: Option<SparePushes>,
    /// Of the best of the run at its last slice.
    shares: StartShares,
}

#[derive(Debug)]
enum MultiStartState {
    /// Before the first slice: the solutions that were given.
    Given(Vec<Solution>),
    /// Solutions are collected.
    Collecting {
        starts: Vec<Solution>,
        n_slices: u64,
    },
    /// The best of them are improved and halved.
    Comparing(SuccessiveHalving),
    Done,
}

/// The state of the comparison as a checkpoint has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedMultiStart {
    archive: Vec<Lurd>,
    /// Whether the source may find more, and where it is.
    has_source: bool,
    source_position: u64,
    n_batches: u32,
    known: Vec<Metrics>,
    phase: SavedPhase,
}

fields!(SavedMultiStart { archive, has_source, source_position, n_batches, known, phase });

/// As [`MultiStartState`].
#[derive(Clone, Debug, PartialEq, Eq)]
enum SavedPhase {
    Given,
    Collecting { starts: Vec<Lurd>, n_slices: u64 },
    Comparing(SavedHalving),
    Done,
}

impl SavedMultiStart {
    /// Visits the arms of each start that is compared.
    pub(crate) fn arms_mut(&mut self) -> impl Iterator<Item = &mut [SavedArm]> {
        let comparing = match &mut self.phase {
            SavedPhase::Comparing(halving) => Some(halving),
            SavedPhase::Given | SavedPhase::Collecting { .. } | SavedPhase::Done => None,
        };
        comparing.into_iter().flat_map(SavedHalving::arms_mut)
    }
}

impl MultiStart {
    /// Makes a comparison of the given solutions and those of the run's source.
    pub(crate) fn new(given: Vec<Solution>, spare: Option<SparePushes>, seed: u64) -> Self {
        Self {
            seed,
            archive: Archive::default(),
            source: None,
            n_batches: 0,
            known: HashSet::new(),
            state: MultiStartState::Given(given),
            spare,
            shares: StartShares::Falling,
        }
    }

    /// Asks the source for another start, if there is one, and begins the comparison when the batch is complete.
    fn collect(
        &mut self,
        mut starts: Vec<Solution>,
        n_slices: u64,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let slice = match &mut self.source {
            Some(source) => source.run_slice(SOURCE_SLICE),
            None => Some(SourceSlice::Exhausted),
        };
        let Some(slice) = slice else {
            self.state = MultiStartState::Collecting { starts, n_slices };
            return Ok(ArmSliceEnd::Skipped);
        };
        if slice == SourceSlice::Exhausted {
            self.source = None;
            self.state = self.begin(starts, arm_cx, cx);
            return Ok(ArmSliceEnd::CutShort);
        }
        cx.working("multi-start", "solving the level anew");
        if let SourceSlice::Solution { solution, by } = slice {
            debug!(by, metrics = %solution.metrics(), "start");
            cx.found(solution.lurd());
            starts.push(solution);
        }
        self.state = match n_slices + 1 < MAX_SOURCE_SLICES && starts.len() < MAX_COLLECTED {
            true => MultiStartState::Collecting { starts, n_slices: n_slices + 1 },
            false => self.begin(starts, arm_cx, cx),
        };
        cx.tick_by(SOURCE_SLICE * TICKS_OF_SOURCE)?;
        Ok(ArmSliceEnd::CutShort)
    }

    /// Begins the comparison of the best of these starts that are new. A batch without any is the last.
    fn begin(&mut self, mut starts: Vec<Solution>, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> MultiStartState {
        let own = cx.objective();
        starts.sort_by_key(|start| own.score(&start.metrics()));
        starts.retain(|start| self.known.insert(start.metrics()));
        starts.truncate(MAX_STARTS);
        if starts.is_empty() {
            self.source = None;
            return MultiStartState::Done;
        }
        let batch = u64::from(self.n_batches) << 8;
        let lineage = |(number, start)| {
            let knobs = Knobs { seed: self.seed + batch + number, ..arm_cx.knobs.clone() };
            Lineage::new(start, vec![Stage::by(own)], knobs, arm_cx)
        };
        let lineages = (0..).zip(starts).map(lineage).collect();
        MultiStartState::Comparing(SuccessiveHalving::new(lineages, FIRST_SHARE << self.n_batches.min(MAX_DOUBLINGS)))
    }

    /// Ends a batch; another follows if the source may find more.
    fn next_batch(&mut self) -> MultiStartState {
        self.n_batches += 1;
        match self.source {
            Some(_) => MultiStartState::Collecting { starts: Vec::new(), n_slices: 0 },
            None => MultiStartState::Done,
        }
    }

    /// Runs a slice of the comparison.
    fn compare(
        &mut self,
        mut halving: SuccessiveHalving,
        arm_cx: ArmContext<'_>,
        cx: &mut Context<'_>,
    ) -> Result<ArmSliceEnd, Stop> {
        let ticks = halving.round_share() / CROSSING_PART;
        let end = halving.advance(&mut self.archive, ticks, arm_cx, cx);
        // A run that was stopped continues with it.
        self.state = match end {
            Ok(ArmSliceEnd::Finished) => self.next_batch(),
            _ => MultiStartState::Comparing(halving),
        };
        end
    }

    /// Returns the source of the run, which continues where that of the earlier run was.
    fn resumed_source(saved: &SavedMultiStart, knobs: &Knobs) -> Option<SourceReader> {
        let source = knobs.source.as_ref().filter(|_| saved.has_source)?;
        source.skip_to(saved.source_position);
        Some(source.reader())
    }
}

impl SlicedSearch for MultiStart {
    fn name(&self) -> &'static str {
        "multi-start"
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY.with(Technique::MultiStart)
    }

    fn run_slice(&mut self, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        self.shares = StartShares::of(&cx.incumbent(), self.spare, arm_cx, cx);
        match std::mem::replace(&mut self.state, MultiStartState::Done) {
            MultiStartState::Done => Ok(ArmSliceEnd::Skipped),
            MultiStartState::Comparing(halving) => self.compare(halving, arm_cx, cx),
            MultiStartState::Collecting { starts, n_slices } => self.collect(starts, n_slices, arm_cx, cx),
            MultiStartState::Given(starts) => {
                self.source = arm_cx.knobs.source.as_ref().map(SharedSolutionSource::reader);
                self.collect(starts, 0, arm_cx, cx)
            }
        }
    }

    fn is_done(&self) -> bool {
        matches!(self.state, MultiStartState::Done)
    }

    /// Starts are compared once.
    fn revive(&mut self) {}

    fn save(&self) -> SavedSearch {
        let mut known: Vec<_> = self.known.iter().copied().collect();
        known.sort_unstable_by_key(|metrics| Objective::MOVES.score(metrics));
        known.truncate(MOST_SAVED);
        SavedSearch::MultiStart(SavedMultiStart {
            archive: self.archive.save(),
            has_source: self.source.is_some(),
            source_position: self.source.as_ref().map_or(0, SourceReader::position),
            n_batches: self.n_batches,
            known,
            phase: match &self.state {
                MultiStartState::Given(_) => SavedPhase::Given,
                MultiStartState::Collecting { starts, n_slices } => {
                    let starts = starts.iter().map(|start| start.lurd().clone()).collect();
                    SavedPhase::Collecting { starts, n_slices: *n_slices }
                }
                MultiStartState::Comparing(halving) => SavedPhase::Comparing(halving.save()),
                MultiStartState::Done => SavedPhase::Done,
            },
        })
    }

    /// Takes up the comparison of an earlier run. Solutions that were given since then join the starts that are collected.
    fn restore(&mut self, saved: &SavedSearch, arm_cx: ArmContext<'_>, cx: &Context<'_>) {
        let SavedSearch::MultiStart(saved) = saved else { return };
        let given = match std::mem::replace(&mut self.state, MultiStartState::Done) {
            MultiStartState::Given(given) => given,
            MultiStartState::Collecting { .. } | MultiStartState::Comparing(_) | MultiStartState::Done => Vec::new(),
        };
        self.archive.restore(&saved.archive, cx);
        self.n_batches = saved.n_batches.min(MAX_BATCHES);
        self.known = saved.known.iter().copied().collect();
        self.source = Self::resumed_source(saved, arm_cx.knobs);
        let is_new = |start: &Solution| !saved.known.contains(&start.metrics());
        self.state = match &saved.phase {
            SavedPhase::Given => MultiStartState::Given(given),
            SavedPhase::Collecting { starts, n_slices } => {
                let saved = starts.iter().filter_map(|moves| replay(cx.level(), moves).ok());
                MultiStartState::Collecting { starts: saved.chain(given).collect(), n_slices: *n_slices }
            }
            SavedPhase::Comparing(halving) => {
                MultiStartState::Comparing(SuccessiveHalving::restored(halving, arm_cx, cx))
            }
            SavedPhase::Done if given.iter().any(is_new) => MultiStartState::Collecting { starts: given, n_slices: 0 },
            SavedPhase::Done => MultiStartState::Done,
        };
    }

    fn reserved_share(&self, _: u64) -> f64 {
        match &self.state {
            MultiStartState::Done => 0.0,
            // Another run on the level searches for all.
            MultiStartState::Collecting { .. } if self.source.as_ref().is_some_and(|source| !source.is_ready()) => 0.0,
            MultiStartState::Collecting { starts, n_slices } if starts.is_empty() => {
                self.shares.waiting(*n_slices, self.n_batches)
            }
            MultiStartState::Given(_) | MultiStartState::Collecting { .. } => self.shares.collecting(self.n_batches),
            MultiStartState::Comparing(_) => self.shares.comparing(self.n_batches),
        }
    }

    fn ticks_per_charge(&self) -> u64 {
        super::TICKS_PER_CHARGE
    }
}

impl Field for SavedPhase {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Given => 0_u32.write(out),
            Self::Collecting { starts, n_slices } => {
                1_u32.write(out);
                starts.write(out);
                n_slices.write(out);
            }
            Self::Comparing(halving) => {
                2_u32.write(out);
                halving.write(out);
            }
            Self::Done => 3_u32.write(out),
        }
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        Some(match u32::read(input)? {
            0 => Self::Given,
            1 => Self::Collecting { starts: Field::read(input)?, n_slices: Field::read(input)? },
            2 => Self::Comparing(Field::read(input)?),
            3 => Self::Done,
            _ => return None,
        })
    }
}
