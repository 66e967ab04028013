//! A search of one's own in the portfolio: breadth-first over pushes, with nothing but the rules of `sokocore`.
//!
//! `cargo run -p sokosolver --example own_search`

use std::error::Error;
use std::io::{self, Write};

use hashbrown::HashSet;
use sokocore::{Level, Position, Push, Reach, Square, SquareSet};
use sokosearch::{Charge, Stop};
use sokosolver::{CustomStrategy, Search, SearchStats, Solver, Verdict, WorkMeter};

/// About what a position takes in the tree and in the set.
const BYTES_PER_POSITION: u64 = 256;

const LEVEL: &str = "
######
##   #
#@$ $#
#.  .#
######";

/// The left box can be pushed once, and then neither.
const HOPELESS: &str = "
#########
#@ $ $..#
#########";

/// Breadth-first search by pushes.
struct BreadthFirst {
    level: Level,
    /// The positions generated, in the order of their pushes.
    nodes: Vec<Node>,
    /// Boxes and the player's region of each.
    known: HashSet<(SquareSet, Square)>,
    /// The position to be expanded next.
    next: usize,
    charge: Charge,
}

struct Node {
    position: Position,
    /// The node before, and the push from there.
    from: Option<(usize, Push)>,
}

impl BreadthFirst {
    fn new(level: &Level, meter: &WorkMeter) -> Self {
        let root = Node { position: level.start().clone(), from: None };
        let (nodes, charge) = (vec![root], meter.memory().nothing());
        Self { level: level.clone(), nodes, known: HashSet::new(), next: 0, charge }
    }

    /// Floods from the player, and returns the region with the pushes that can be made from it.
    fn pushes(&self, position: &Position) -> (Square, Vec<Push>) {
        let board = self.level.board();
        let mut reach = Reach::new(board);
        let region = position.region(board, &mut reach);
        (region.zone(), region.pushes().collect())
    }

    /// Returns the pushes from the start to the last node.
    fn path(&self) -> Vec<Push> {
        let mut path = Vec::new();
        let mut node = self.nodes.last();
        while let Some((before, push)) = node.and_then(|node| node.from) {
            path.push(push);
            node = self.nodes.get(before);
        }
        path.reverse();
        path
    }
}

impl Search for BreadthFirst {
    fn name(&self) -> &str {
        "breadth-first"
    }

    /// Expands one position after the other. A pause comes before an expansion, so nothing is lost or done twice.
    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        while self.next < self.nodes.len() {
            let position = self.nodes[self.next].position.clone();
            let (_, pushes) = self.pushes(&position);
            meter.ticks_of(1 + pushes.len() as u64)?;
            self.charge.add(BYTES_PER_POSITION * pushes.len() as u64)?;
            for push in pushes {
                let mut child = position.clone();
                child.push(self.level.board(), push);
                // A box on a dead square can never be brought home, so leaving the child out loses no solution.
                if !child.boxes.is_subset(self.level.live()) {
                    continue;
                }
                let (zone, _) = self.pushes(&child);
                if self.known.insert((child.boxes.clone(), zone)) {
                    let is_solved = self.level.is_solved(&child.boxes);
                    self.nodes.push(Node { position: child, from: Some((self.next, push)) });
                    if is_solved {
                        return Ok(Verdict::Solved(self.path()));
                    }
                }
            }
            self.next += 1;
        }
        Ok(Verdict::Unsolvable)
    }

    fn stats(&self) -> SearchStats {
        let mut stats = SearchStats::default();
        stats.expanded = self.next as u64;
        stats
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Runs the search alone, then in the portfolio, and writes what came of it.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let breadth_first =
        CustomStrategy::new("breadth-first", |level, meter| Ok(Box::new(BreadthFirst::new(level, meter))))
            .with_weight(6);
    for text in [LEVEL, HOPELESS] {
        let level = Level::parse(text.trim_matches('\n'))?;
        let alone = Solver::new(&level).custom(breadth_first.clone()).only_custom().work(1_000_000).run();
        writeln!(out, "alone: {}, {} positions expanded", alone.answer, alone.n_nodes())?;
    }
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let outcome = Solver::new(&level).custom(breadth_first).work(1_000_000).run();
    let names: Vec<_> = outcome.tried.iter().map(|attempt| &*attempt.strategy).collect();
    writeln!(out, "portfolio: {}", names.join(", "))?;
    writeln!(out, "solved: {}", outcome.solution().is_some())?;
    Ok(())
}
