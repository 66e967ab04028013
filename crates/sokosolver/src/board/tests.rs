//! Small boards for tests: squares by row and column, what searches make their tests from, and all positions of a level
//! with their true costs.

use std::sync::Arc;

use hashbrown::HashMap;
use sokocore::{FloorSquare, Level};
use sokosearch::{Budget, Cancel, MemoryAccount};

use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::board::{Flood, SearchBoard, SearchDirection};
use crate::bound::matching::MatrixRow;
use crate::deadlock::deadlock_test::DeadlockTest;
use crate::deadlock::learner::DeadlockLearner;
use crate::deadlock::library_parts::LibraryParts;
use crate::search_kind::SearchKind;
use crate::systematic::{PlayerKey, roots};
use crate::{Settings, WorkMeter};

/// Returns the meter of a search that may take so many bytes.
pub(crate) fn meter_within(bytes: u64) -> WorkMeter {
    WorkMeter::new(Budget::new(None, MemoryAccount::new(bytes), Cancel::default()), Cancel::default())
}

/// Compiles a level with as many goals as boxes.
pub(crate) fn tables(text: &str) -> Arc<LevelTables> {
    Arc::new(LevelTables::new(&Level::parse(text).unwrap()).unwrap())
}

/// Numbers as if by chance, the same for the same seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number below `n`.
    pub(crate) fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % n
    }
}

/// A level that is compiled, with the settings and the meter of a search.
#[derive(Debug)]
pub(crate) struct TestBoard {
    pub(crate) level: Level,
    pub(crate) board: SearchBoard,
    /// `None` if some goal needs no box.
    pub(crate) tables: Option<Arc<LevelTables>>,
    pub(crate) settings: Settings,
    pub(crate) meter: WorkMeter,
}

impl TestBoard {
    /// Compiles a level of these rows.
    #[track_caller]
    pub(crate) fn new(rows: &[&str]) -> Self {
        let level = Level::parse(&rows.join("\n")).expect("the level can be parsed");
        let board = SearchBoard::new(&level).expect("all boxes are on live squares");
        let tables = LevelTables::new(&level).map(Arc::new);
        Self { level, board, tables, settings: Settings::default(), meter: meter_within(1 << 28) }
    }

    /// Makes a hall of 32 by 32 squares with a goal in each corner, where all squares are live, and four boxes.
    pub(crate) fn large_hall() -> Self {
        let corners = format!("#.{}.#", " ".repeat(30));
        let wall = "#".repeat(34);
        let mut rows = vec![format!("#{}#", " ".repeat(32)); 32];
        rows[1] = format!("# $$$$@{} #", " ".repeat(25));
        (rows[0], rows[31]) = (corners.clone(), corners);
        let rows: Vec<&str> = [&wall].into_iter().chain(&rows).chain([&wall]).map(String::as_str).collect();
        Self::new(&rows)
    }

    /// Returns the square in a row and column.
    #[track_caller]
    pub(crate) fn sq(&self, row: usize, column: usize) -> FloorSquare {
        self.board.number(self.level.board().square_at(row, column).expect("it is floor"))
    }

    /// Returns the squares in these rows and columns, in ascending order.
    #[track_caller]
    pub(crate) fn squares(&self, places: &[(usize, usize)]) -> Vec<FloorSquare> {
        let mut squares: Vec<FloorSquare> = places.iter().map(|&(row, column)| self.sq(row, column)).collect();
        squares.sort_unstable();
        squares
    }

    /// Returns the set of boxes in these rows and columns.
    #[track_caller]
    pub(crate) fn set(&self, places: &[(usize, usize)]) -> BitSet<2> {
        SearchBoard::set(&self.squares(places))
    }

    /// Returns a flood from the player's square around boxes.
    pub(crate) fn flood(&self, boxes: &BitSet<2>, player: FloorSquare) -> Flood {
        let mut flood = Flood::new(&self.board);
        flood.run(&self.board, boxes, player);
        flood
    }

    /// Returns a learner that knows the capacity areas alone. Every goal must need a box.
    pub(crate) fn learner(&self) -> DeadlockLearner {
        let tables = self.tables.as_ref().expect("every goal needs a box");
        DeadlockLearner::new(Arc::clone(tables), &self.settings, &self.meter)
    }

    /// Returns what the deadlock tests of a search are made from, without a table of patterns.
    pub(crate) fn parts(&self, search: SearchKind, direction: SearchDirection) -> LibraryParts<'_> {
        LibraryParts {
            level: &self.level,
            board: &self.board,
            tables: self.tables.as_ref(),
            patterns: None,
            search,
            direction,
            settings: &self.settings,
            meter: &self.meter,
        }
    }
}

/// The kinds of search that deadlock tests tell apart: a systematic one, along packing orders, feature space search.
pub(crate) fn searches() -> [SearchKind; 3] {
    [SearchKind::of(&Settings::default()), SearchKind::Packing, SearchKind::Fess]
}

/// Makes a deadlock test, if the search wants it.
type MakeTest = fn(&LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>>;

impl TestBoard {
    /// Returns for which of the [`searches`] a test is made.
    pub(crate) fn made_for(&self, make: MakeTest, settings: &Settings, direction: SearchDirection) -> [bool; 3] {
        searches().map(|search| make(&LibraryParts { settings, ..self.parts(search, direction) }).is_some())
    }
}

/// Boxes and the name of the player's region.
pub(crate) type Position = (BitSet<2>, FloorSquare);

/// A step of a box: its row in the matching, its new square, and the side of it that the player is then on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxStep {
    pub(crate) row: MatrixRow,
    pub(crate) to: FloorSquare,
    pub(crate) side: usize,
}

/// All steps from a position, dead squares left out, and where they lead.
pub(crate) fn steps(
    board: &SearchBoard,
    direction: SearchDirection,
    (boxes, player): Position,
) -> Vec<(BoxStep, Position)> {
    let (mut flood, mut after) = (Flood::new(board), Flood::new(board));
    flood.run(board, &boxes, player);
    let mut steps = Vec::new();
    for (row, sq) in (0..).map(MatrixRow::new).zip(boxes.iter()) {
        for side in (0..4).filter(|&side| flood.reaches(board.step(sq, side))) {
            let stand = board.step(sq, side);
            let (to, player) = match direction {
                SearchDirection::Forward => (board.step(sq, side ^ 2), sq),
                SearchDirection::Backward => (stand, board.step(stand, side)),
            };
            let must_be_free = if direction == SearchDirection::Forward { to } else { player };
            if board.is_live(to) && flood.is_free(must_be_free) {
                let next = boxes.moved(sq, to);
                steps.push((BoxStep { row, to, side }, (next, after.run(board, &next, player))));
            }
        }
    }
    steps
}

/// The cost of every position that can be reached, breadth-first from all start positions. By pulls these are all
/// positions that can be solved, with their fewest pushes.
pub(crate) fn costs_to_go(board: &SearchBoard, direction: SearchDirection) -> HashMap<Position, u16> {
    let mut costs: HashMap<Position, u16> = HashMap::new();
    let mut layer = roots::<2>(board, direction, PlayerKey::Region).unwrap();
    for cost in 0.. {
        layer.retain(|&position| costs.try_insert(position, cost).is_ok());
        if layer.is_empty() {
            break;
        }
        layer = layer.iter().flat_map(|&position| steps(board, direction, position)).map(|(_, next)| next).collect();
    }
    costs
}
