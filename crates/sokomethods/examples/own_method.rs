//! A method of one's own in the schedule: short cuts between the positions of a solution.
//!
//! From each position it searches a few pushes ahead, breadth-first. If it meets a later position of the solution in
//! fewer pushes than the solution needs, it offers the solution with the short cut. The schedule runs it as an arm, and
//! replays what it offers.
//!
//! `cargo run -p sokomethods --example own_method`

use std::error::Error;
use std::io::{self, Write};

use hashbrown::{HashMap, HashSet};
use sokocore::{Level, Objective, Position, Push, Reach, Square, SquareSet, pushes_of, replay};
use sokomethods::{CustomMethod, Method, Optimizer};
use sokosearch::{Context, Stop};

const LEVEL: &str = "
#########
#       #
#  $    #
#     . #
#   @   #
#       #
#########";

/// The box takes a detour of two pushes.
const MOVES: &str = "uuulDDldRRRdrU";

/// Boxes, and the player's region.
type Key = (SquareSet, Square);

/// Searches for short cuts of at most so many pushes.
#[derive(Debug)]
struct ShortCuts {
    most_pushes: usize,
}

impl Method for ShortCuts {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let level = cx.level();
        let pushes = pushes_of(level, cx.incumbent().lurd());
        let mut path = vec![level.start().clone()];
        for &push in &pushes {
            path.extend(path.last().map(|position| after(level, position, push)));
        }
        let places: HashMap<Key, usize> = path.iter().map(|position| look(level, position).0).zip(0..).collect();
        for (from, start) in path.iter().enumerate() {
            if let Some((cut, to)) = self.short_cut(start, from, &places, cx)? {
                return Ok(cx.found_pushes(&[&pushes[..from], &cut, &pushes[to..]].concat()));
            }
        }
        Ok(false)
    }
}

impl ShortCuts {
    /// Returns the pushes of a short cut and the number of the position that it leads to.
    fn short_cut(
        &self,
        start: &Position,
        from: usize,
        places: &HashMap<Key, usize>,
        cx: &mut Context<'_>,
    ) -> Result<Option<(Vec<Push>, usize)>, Stop> {
        let level = cx.level();
        // What grows is charged before it grows, and released when the charge is dropped.
        let mut charge = cx.budget().memory().nothing();
        let mut known: HashSet<Key> = HashSet::from([look(level, start).0]);
        let mut layer = vec![(start.clone(), Vec::new())];
        for n_pushes in 1..=self.most_pushes {
            let mut next = Vec::new();
            for (position, done) in layer {
                for push in look(level, &position).1 {
                    cx.tick()?;
                    let child = after(level, &position, push);
                    let (key, _) = look(level, &child);
                    let is_hopeless = !child.boxes.is_subset(level.live());
                    if is_hopeless || !known.insert(key.clone()) {
                        continue;
                    }
                    charge.add(1 << 10)?;
                    let done = [&done[..], &[push]].concat();
                    if let Some(&to) = places.get(&key).filter(|&&to| to > from + n_pushes) {
                        return Ok(Some((done, to)));
                    }
                    next.push((child, done));
                }
            }
            layer = next;
        }
        Ok(None)
    }
}

/// Returns what tells a position from others, and the pushes that can be made in it.
fn look(level: &Level, position: &Position) -> (Key, Vec<Push>) {
    let mut reach = Reach::new(level.board());
    let region = position.region(level.board(), &mut reach);
    ((position.boxes.clone(), region.zone()), region.pushes().collect())
}

/// Returns the position after a push.
fn after(level: &Level, position: &Position, push: Push) -> Position {
    let mut position = position.clone();
    position.push(level.board(), push);
    position
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}

/// Optimizes the solution with the method among the others, and writes what it gained.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let level = Level::parse(LEVEL.trim_matches('\n'))?;
    let start = replay(&level, &MOVES.parse()?)?;
    let outcome = Optimizer::new(&level)
        .objective(Objective::PUSHES)
        .work(1_000_000)
        .method(CustomMethod::new("short cuts", ShortCuts { most_pushes: 4 }))
        .run(&start)?;
    for result in &outcome.results {
        writeln!(out, "{result}")?;
    }
    for gains in outcome.gains.iter().filter(|gains| gains.method == "short cuts") {
        writeln!(out, "{} gained {} pushes", gains.method, gains.gained)?;
    }
    Ok(())
}
