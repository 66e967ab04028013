//! Corrals against a definition by areas, and the limits of their size.

use std::collections::BTreeSet;
use std::sync::Arc;

use sokocore::{Carving, PlantSpec, planted_levels};

use super::*;
use crate::board::level_tables::LevelTables;
use crate::board::tests::{Dice, meter_within, tables};
use crate::board::{Flood, SearchDirection};
use crate::deadlock::enclosed_areas::EnclosedAreas;
use crate::search_kind::SearchKind;
use crate::{Settings, Technique};

/// Asks for the start position of a level; corrals have at most so many boxes, and nothing is proved.
fn at_start(tables: &Arc<LevelTables>, max_corral: usize) -> Prune {
    let board = tables.board();
    let boxes = SearchBoard::set::<2>(board.starts());
    let mut flood = Flood::new(board);
    flood.run(board, &boxes, board.player());
    let position = FloodedPosition::new(boxes.view(), board.starts(), board.player(), &flood);
    let settings = Settings::default().without(Technique::CorralProofs);
    let mut learner = DeadlockLearner::new(Arc::clone(tables), &settings, &meter_within(1 << 28));
    CorralFinder::new(board).find(board, &FloodedPosition { max_corral, ..position }, &mut learner)
}

/// Where a square is, seen from a corral that grows.
enum Place {
    Reached,
    Inside,
    Beyond,
    Box,
}

/// A corral that grows, by floods from the squares that it enters.
struct Growth<'a> {
    board: &'a SearchBoard,
    flood: Flood,
    position: &'a FloodedPosition<'a>,
    learner: &'a mut DeadlockLearner,
    n_areas: usize,
    inside: BTreeSet<FloorSquare>,
    boxes: Vec<FloorSquare>,
    /// How often areas were a deadlock only together.
    n_joined: usize,
}

impl<'a> Growth<'a> {
    fn new(board: &'a SearchBoard, position: &'a FloodedPosition<'a>, learner: &'a mut DeadlockLearner) -> Self {
        let (flood, inside, boxes) = (Flood::new(board), BTreeSet::new(), Vec::new());
        Self { board, flood, position, learner, n_areas: 0, inside, boxes, n_joined: 0 }
    }

    /// Takes the first corral around an area beside a box that the player reaches; each area is tried once.
    fn first(&mut self) -> Prune {
        let (board, mut areas) = (self.board, EnclosedAreas::new(self.board));
        let FloodedPosition { squares, flood, .. } = *self.position;
        areas.label(board, flood);
        let mut tried = Vec::new();
        for &sq in squares.iter().filter(|&&sq| board.steps(sq).iter().any(|&next| flood.reaches(next))) {
            for entry in board.steps(sq) {
                let Some(area) = areas.of(entry).filter(|area| !tried.contains(area)) else { continue };
                tried.push(area);
                (self.n_areas, self.inside, self.boxes) = (0, BTreeSet::new(), Vec::new());
                match self.grow(entry) {
                    Ok(()) => return Prune::Only(self.boxes.clone()),
                    Err(Failure::Dead) => return Prune::Dead,
                    Err(Failure::Open) => {}
                }
            }
        }
        Prune::All
    }

    fn grow(&mut self, entry: FloorSquare) -> Result<(), Failure> {
        self.take(entry)?;
        let mut at = 0;
        while let Some(&sq) = self.boxes.get(at) {
            (0..4).try_for_each(|dir| self.close(sq, dir))?;
            at += 1;
        }
        let goals = self.board.goals();
        let is_filled = self.boxes.iter().all(|sq| goals.contains(sq));
        let most = self.position.max_corral.min(self.position.squares.len() - 1);
        let must_open = !is_filled || goals.iter().any(|goal| self.inside.contains(goal));
        if must_open && self.boxes.len() <= most { Ok(()) } else { Err(Failure::Open) }
    }

    /// Adds an area with all boxes that touch it, those at its sides first.
    fn take(&mut self, entry: FloorSquare) -> Result<(), Failure> {
        if self.n_areas == 8 {
            return Err(Failure::Open);
        }
        self.n_areas += 1;
        let FloodedPosition { boxes, squares, player, .. } = *self.position;
        self.flood.run(self.board, squares.iter().copied(), entry);
        let (board, area) = (self.board, self.flood.region());
        let sides = |sq: FloorSquare| board.steps(sq).into_iter().enumerate().filter(|&(_, next)| next != board.wall());
        let corners = |sq| sides(sq).flat_map(|(dir, next)| [1, 3].map(|turn| board.step(next, dir + turn)));
        let all_sides = area.iter().flat_map(|&sq| sides(sq)).map(|(_, next)| next);
        let mut touching = Vec::new();
        for sq in all_sides.chain(area.iter().flat_map(|&sq| corners(sq))).filter(|&sq| boxes.has(sq)) {
            if !touching.contains(&sq) {
                touching.push(sq);
            }
        }
        self.inside.extend(area);
        let is_alone = self.learner.examine_area(&touching, area, player);
        touching.iter().for_each(|&sq| self.add(sq));
        let all: Vec<FloorSquare> = self.inside.iter().copied().collect();
        let is_joined = self.learner.examine_area(&self.boxes, &all, player);
        self.n_joined += usize::from(is_joined && !is_alone);
        if is_alone || is_joined { Err(Failure::Dead) } else { Ok(()) }
    }

    fn add(&mut self, sq: FloorSquare) {
        if !self.boxes.contains(&sq) {
            self.boxes.push(sq);
        }
    }

    fn place(&self, sq: FloorSquare) -> Place {
        let FloodedPosition { boxes, flood, .. } = *self.position;
        let (is_box, is_reached, is_inside) = (boxes.has(sq), flood.reaches(sq), self.inside.contains(&sq));
        match [is_box, is_reached, is_inside] {
            [true, ..] => Place::Box,
            [_, true, _] => Place::Reached,
            [_, _, true] => Place::Inside,
            _ => Place::Beyond,
        }
    }

    /// Adds what a push depends on.
    fn close(&mut self, sq: FloorSquare, dir: usize) -> Result<(), Failure> {
        let (to, stand) = (self.board.step(sq, dir), self.board.step(sq, dir + 2));
        if stand == self.board.wall() || !self.board.is_live(to) {
            return Ok(());
        }
        match (self.place(to), self.place(stand)) {
            (Place::Box, _) | (Place::Inside, Place::Inside | Place::Reached) => return Ok(()),
            _ if self.is_dead(sq, to) => return Ok(()),
            (Place::Reached, Place::Reached) => return Err(Failure::Open),
            (Place::Beyond, _) => self.take(to)?,
            _ => {}
        }
        match self.place(stand) {
            Place::Beyond => self.take(stand)?,
            Place::Box if !self.is_held(stand) => self.add(stand),
            _ => {}
        }
        Ok(())
    }

    fn is_dead(&mut self, from: FloorSquare, to: FloorSquare) -> bool {
        self.learner.count_lookups_at(to);
        let moved = SearchBoard::set::<2>(&self.boxes).moved(from, to);
        Freeze::default().is_dead(self.board, moved.view(), to) || self.learner.sets().forbids(moved.view(), from, to)
    }

    /// Whether a wall or a box of the corral is beside the square on both axes.
    fn is_held(&self, sq: FloorSquare) -> bool {
        let is_fixed = |dir| {
            let next = self.board.step(sq, dir);
            next == self.board.wall() || self.boxes.contains(&next)
        };
        [[0, 2], [1, 3]].iter().all(|axis| axis.iter().any(|&dir| is_fixed(dir)))
    }
}

fn in_order(prune: Prune) -> Prune {
    match prune {
        Prune::Only(mut boxes) => {
            boxes.sort_unstable();
            Prune::Only(boxes)
        }
        other => other,
    }
}

/// Compares answers, learned deadlocks, proofs and lookups in positions with the boxes of planted levels anywhere;
/// counts the answers *all*, *only* and *dead*, and areas that are dead only together.
fn check(settings: &Settings, n_levels: usize, n_positions: usize) -> [usize; 4] {
    let spec = PlantSpec {
        width: 6..=9,
        height: 6..=8,
        carving: Carving::Pillars(20),
        boxes: 3..=6,
        spare_goals: 0..=0,
        pulls: 10..=60,
        detours: 30,
    };
    let mut dice = Dice(1);
    let mut counts = [0; 4];
    for tables in planted_levels(spec, 1).filter_map(|(level, _)| LevelTables::new(&level)).map(Arc::new).take(n_levels)
    {
        let board = tables.board();
        let (mut finder, mut flood) = (CorralFinder::new(board), Flood::new(board));
        for _ in 0..n_positions {
            let mut free: Vec<FloorSquare> = board.live_squares().collect();
            let boxes: Vec<FloorSquare> =
                board.starts().iter().map(|_| free.swap_remove(dice.roll(free.len()))).collect();
            let players: Vec<FloorSquare> = board.squares().filter(|sq| !boxes.contains(sq)).collect();
            let (player, set) = (players[dice.roll(players.len())], SearchBoard::set::<2>(&boxes));
            flood.run(board, &set, player);
            let max_corral = [usize::MAX, 1, 2, 3][dice.roll(4)];
            let position = FloodedPosition { max_corral, ..FloodedPosition::new(set.view(), &boxes, player, &flood) };
            let new_learner = || DeadlockLearner::new(Arc::clone(&tables), settings, &meter_within(1 << 28));
            let (mut learner, mut other) = (new_learner(), new_learner());
            let mut growth = Growth::new(board, &position, &mut other);
            let expect = in_order(growth.first());
            counts[3] += growth.n_joined;
            let found = in_order(finder.find(board, &position, &mut learner));
            let [found, expect] = [(found, &learner), (expect, &other)]
                .map(|(prune, learner)| (prune, learner.sets().len(), learner.n_proof_nodes(), learner.n_lookups()));
            assert_eq!(found, expect, "{boxes:?} {player:?} {max_corral} {:?}", tables.level());
            counts[match found.0 {
                Prune::All => 0,
                Prune::Only(_) => 1,
                Prune::Dead => 2,
            }] += 1;
        }
    }
    counts
}

#[test]
fn corrals_are_those_that_grow_by_areas_and_boxes() {
    let [n_all, n_only, n_dead, _] = check(&Settings::default().without(Technique::CorralProofs), 200, 20);
    assert!(n_all > 1_000 && n_only > 500 && n_dead == 0, "{n_all} {n_only} {n_dead}");
}

/// Areas are examined alone and together with those before them.
#[test]
fn areas_of_corrals_are_examined() {
    let [n_all, n_only, n_dead, n_joined] = check(&Settings::default(), 200, 20);
    assert!(n_all > 500 && n_only > 100 && n_dead > 500 && n_joined > 20, "{n_all} {n_only} {n_dead} {n_joined}");
}

/// A hall with a box, and a corridor with more; each push of a box in the corridor leads into the next area.
fn corridor(n_boxes: usize) -> Arc<LevelTables> {
    let corridor = format!("{}{}#", "$  ".repeat(n_boxes), ".".repeat(n_boxes + 1));
    let wall = "#".repeat(corridor.len());
    tables(&format!("######{wall}\n#    #{wall}\n#@ $  {corridor}\n#    #{wall}\n######{wall}"))
}

#[test]
fn at_most_eight_areas_are_joined() {
    let eight = corridor(8);
    assert_eq!(in_order(at_start(&eight, usize::MAX)), Prune::Only(eight.board().starts()[1..].to_vec()));
    assert_eq!(at_start(&corridor(9), usize::MAX), Prune::All);
}

#[test]
fn a_corral_has_at_most_as_many_boxes_as_are_asked_for() {
    let three = corridor(3);
    let boxes = three.board().starts()[1..].to_vec();
    let found = [2, 3, 4].map(|max_corral| in_order(at_start(&three, max_corral)));
    assert_eq!(found, [Prune::All, Prune::Only(boxes.clone()), Prune::Only(boxes)]);
}

/// All boxes of the level are in the corridor, so that no other push is left out.
#[test]
fn a_corral_of_all_boxes_restricts_nothing() {
    let closed = tables("############\n#@ $  $  ..#\n############");
    assert_eq!(at_start(&closed, usize::MAX), Prune::All);
}

/// Without a learner nothing is restricted, and only searches along packing orders have the test.
#[test]
fn corrals_are_for_searches_along_packing_orders_that_learn() {
    let tables = corridor(2);
    let (settings, meter, board) = (Settings::default(), meter_within(1 << 28), tables.board());
    let made = |search| {
        let (direction, settings) = (SearchDirection::Forward, &settings);
        let (level, tables) = (tables.level(), Some(&tables));
        make(&LibraryParts { level, board, tables, patterns: None, search, direction, settings, meter: &meter })
    };
    assert!(made(SearchKind::Fess).is_none() && made(SearchKind::of(&settings)).is_none());
    let mut test = made(SearchKind::Packing).unwrap();
    let boxes = SearchBoard::set::<2>(board.starts());
    let mut flood = Flood::new(board);
    flood.run(board, &boxes, board.player());
    let position = FloodedPosition::new(boxes.view(), board.starts(), board.player(), &flood);
    let areas = EnclosedAreas::new(board);
    let mut learner =
        DeadlockLearner::new(Arc::clone(&tables), &settings.clone().without(Technique::CorralProofs), &meter);
    let mut restrict = |learner| in_order(test.restrict(&position, &mut TestContext { board, learner, areas: &areas }));
    assert_eq!(restrict(None), Prune::All);
    assert_eq!(restrict(Some(&mut learner)), Prune::Only(board.starts()[1..].to_vec()));
}
