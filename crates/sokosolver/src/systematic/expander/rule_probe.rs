//! The rules of a systematic search, asked about one position after the other, for tests from outside.
//!
//! A search asks its deadlock tests, bounds and restrictions only about positions on its way. A probe asks the same
//! [`Expander`] about any position, in any order. What it learns from one position stays known for the next.
//!
//! Tunnels are for positions that a search with tunnels reaches, in which it has pushed each box through; the probe of
//! any position is made without them.

use std::sync::Arc;

use sokocore::{Level, Position, Push};
use sokosearch::{Budget, Cancel, MemoryAccount};

use super::{Child, Expander, MatrixRow};
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};
use crate::systematic::effective;
use crate::systematic::level_source::LevelSource;
use crate::systematic::tables::TableMaker;
use crate::{Optimal, Settings, Technique, WorkMeter};

/// Words of a set of squares: the width that every build has.
const WORDS: usize = 2;
/// Memory of the tables, and of what is learned.
const MEMORY: u64 = 256 << 20;

/// Asks the rules of a search for fewest pushes about any position of a level.
///
/// ```
/// use sokocore::{Level, SearchDirection};
/// use sokosolver::{RuleProbe, Settings};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let mut probe = RuleProbe::new(&level, SearchDirection::Forward, &Settings::default()).expect("it has live squares");
/// let asked = probe.ask(level.start());
/// assert_eq!((asked.bound, asked.pushes.len(), asked.kept.len()), (Some(2), 1, 1));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Debug)]
pub struct RuleProbe {
    board: Arc<SearchBoard>,
    expander: Expander<WORDS>,
    flood: Flood,
}

/// What the rules say about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProbedPosition {
    /// A lower bound of the pushes left, or of the pulls in a search by pulls; `None` if the position is lost.
    pub bound: Option<u64>,
    /// The pushes, or pulls, that no rule forbids by themselves. A pull is the push that takes it back.
    pub pushes: Vec<ProbedPush>,
    /// The pushes that the search makes: those, restricted to the boxes that need be moved.
    pub kept: Vec<ProbedPush>,
}

/// A push, and what the rules say about the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProbedPush {
    /// The push.
    pub push: Push,
    /// A lower bound of what is left after it.
    pub bound: u64,
}

impl RuleProbe {
    /// Makes the rules that these settings switch on, without tunnels; `None` if the level needs no search, or has more
    /// than 128 live squares.
    #[must_use]
    pub fn new(level: &Level, direction: SearchDirection, settings: &Settings) -> Option<Self> {
        let settings =
            effective(&Settings { optimal: Optimal::Pushes, ..settings.clone() }).without(Technique::Tunnels);
        let board = Arc::new(SearchBoard::new(level)?);
        if board.n_words() > WORDS {
            return None;
        }
        let mut meter =
            WorkMeter::new(Budget::new(None, MemoryAccount::new(MEMORY), Cancel::default()), Cancel::default());
        let source = LevelSource::new(level, &board, &settings);
        let mut maker = TableMaker::new(&board, direction, &settings, &meter);
        maker.resume(&board, &mut meter).ok()?;
        let tables = maker.finish(&board, &meter);
        let expander = Expander::new(Arc::clone(&board), direction, &settings, tables, &source, &meter);
        let flood = Flood::new(&*board);
        Some(Self { board, expander, flood })
    }

    /// Asks about a position of the level.
    ///
    /// # Panics
    /// If the position is one of another level.
    pub fn ask(&mut self, position: &Position) -> ProbedPosition {
        let squares: Vec<_> = position.boxes.iter().map(|sq| self.board.number(sq)).collect();
        if squares.iter().any(|&sq| !self.board.is_live(sq)) {
            return ProbedPosition::default();
        }
        let boxes = SearchBoard::set::<WORDS>(&squares);
        let player = self.flood.run(&*self.board, &boxes, self.board.number(position.player));
        let Some(bound) = self.expander.bound(&boxes, player) else { return ProbedPosition::default() };
        let mut kept = Vec::new();
        self.expander.children(&boxes, player, &mut kept);
        // The last call may have changed the bounds of this position.
        let again = self.expander.bound(&boxes, player);
        let pushes = if again.is_some() { self.expander.unrestricted_children(&boxes, player) } else { Vec::new() };
        let probed = |children: Vec<Child<WORDS>>| children.iter().map(|child| self.probed(child)).collect();
        ProbedPosition { bound: Some(u64::from(bound)), pushes: probed(pushes), kept: probed(kept) }
    }

    fn probed(&self, child: &Child<WORDS>) -> ProbedPush {
        ProbedPush { push: self.board.push(child.packed_push.unpack()), bound: u64::from(child.bound) }
    }
}

impl<const W: usize> Expander<W> {
    /// Generates the children of the position of the last call of [`Expander::bound`], of all boxes.
    fn unrestricted_children(&mut self, boxes: &BitSet<W>, player: sokocore::FloorSquare) -> Vec<Child<W>> {
        self.flood.place(self.squares.iter().copied());
        self.flood.spread(&*self.board, player);
        let mut children = Vec::new();
        for (row, side) in (0..self.squares.len()).flat_map(|row| (0..4).map(move |side| (MatrixRow::new(row), side))) {
            let stand = self.board.step(self.squares[row.idx()], side);
            if self.flood.reaches(stand) {
                children.extend(self.child(boxes, row, side, stand));
            }
        }
        children
    }
}
