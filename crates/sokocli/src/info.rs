//! The command `info`: what can be said about a level without solving it.

use serde_json::{Value, json};
use sokocore::{Level, Metrics, Objective, PushLowerBound};
use sokoio::LevelId;

use crate::args::FileArgs;
use crate::complaint;
use crate::exit::Exit;
use crate::inputs::{InputLevel, Inputs};
use crate::table::{Column, Table, short};
use crate::{json, output};

const COLUMNS: [Column; 13] = [
    Column::Right("level"),
    Column::Left("title"),
    Column::Right("size"),
    Column::Right("boxes"),
    Column::Right("goals"),
    Column::Right("floor"),
    Column::Right("live"),
    Column::Left("parity"),
    Column::Right("pushes >="),
    Column::Right("solutions"),
    Column::Right("best moves"),
    Column::Right("best pushes"),
    Column::Left("id"),
];

/// Runs the command.
pub(crate) fn run(args: &FileArgs) -> anyhow::Result<Exit> {
    let inputs = Inputs::read(&args.files)?;
    let mut table = Table::new(&COLUMNS);
    let mut n_faults = 0;
    for at in inputs.levels() {
        let facts = at.entry.level().map(|level| Facts::of(&at, level));
        if let Err(error) = facts {
            n_faults += 1;
            complaint::error(&at.bad_board(error));
        }
        if args.json {
            output::print_line(&line(&at, facts.ok().as_ref()).to_string())?;
        } else {
            table.row(row(&at, facts.ok().as_ref()));
        }
    }
    if !args.json {
        output::print(&table.draw())?;
    }
    Ok(Exit::of_faults(n_faults))
}

/// What is known about a level.
#[derive(Clone, Copy, Debug)]
struct Facts {
    size: (usize, usize),
    n_boxes: usize,
    n_goals: usize,
    n_floor: usize,
    n_live: usize,
    parity: Option<Parity>,
    lower_bound: LowerBound,
    n_solutions: usize,
    best_moves: Option<Metrics>,
    best_pushes: Option<Metrics>,
    id: LevelId,
}

/// Whether the number of pushes of every solution is even or odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parity {
    Even,
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LowerBound {
    Pushes(u64),
    /// Boxes and goals cannot be matched.
    Unsolvable,
    /// The level is too large for it.
    NotComputed,
}

impl Facts {
    fn of(at: &InputLevel<'_>, level: &Level) -> Self {
        let grid = level.grid();
        let known: Vec<_> = at.entry.solutions().filter_map(|(_, solution)| Some(solution.ok()?.metrics())).collect();
        let best = |objective: Objective| known.iter().min_by_key(|metrics| objective.score(metrics)).copied();
        let lower_bound = match PushLowerBound::new(level) {
            None => LowerBound::NotComputed,
            Some(mut bound) => bound.of(&level.start().boxes).map_or(LowerBound::Unsolvable, LowerBound::Pushes),
        };
        Self {
            size: (grid.width(), grid.height()),
            n_boxes: level.n_boxes(),
            n_goals: level.board().goals().len(),
            n_floor: level.board().n_squares(),
            n_live: level.live().len(),
            parity: push_parity(level),
            lower_bound,
            n_solutions: known.len(),
            best_moves: best(Objective::MOVES),
            best_pushes: best(Objective::PUSHES),
            id: LevelId::of(level),
        }
    }
}

/// Every push changes the sum of all boxes' rows and columns by one, and the sum at the end is that of the goals that
/// are taken. With spare goals it is not known which are taken, unless all goals are alike.
fn push_parity(level: &Level) -> Option<Parity> {
    let is_odd = |sq| {
        let (row, column) = level.board().place(sq);
        (row + column) % 2 == 1
    };
    let goals = level.board().goals();
    let n_odd_goals = goals.iter().filter(|&sq| is_odd(sq)).count();
    let n_odd_taken = match goals.len() {
        n_goals if n_goals == level.n_boxes() => n_odd_goals,
        _ if n_odd_goals == 0 => 0,
        n_goals if n_odd_goals == n_goals => level.n_boxes(),
        _ => return None,
    };
    let n_odd_boxes = level.start().boxes.iter().filter(|&sq| is_odd(sq)).count();
    Some(if (n_odd_taken + n_odd_boxes) % 2 == 0 { Parity::Even } else { Parity::Odd })
}

impl Parity {
    const fn name(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Odd => "odd",
        }
    }
}

fn row(at: &InputLevel<'_>, facts: Option<&Facts>) -> Vec<String> {
    let mut cells = vec![at.number.to_string(), short(&at.entry.title_or_number())];
    let Some(facts) = facts else {
        cells.push("not a level".to_owned());
        return cells;
    };
    let best = |metrics: Option<Metrics>| {
        metrics.map_or_else(|| "-".to_owned(), |metrics| format!("{}/{}", metrics.moves, metrics.pushes))
    };
    cells.push(format!("{}x{}", facts.size.0, facts.size.1));
    cells.extend([facts.n_boxes, facts.n_goals, facts.n_floor, facts.n_live].map(|n| n.to_string()));
    cells.push(facts.parity.map_or("either", Parity::name).to_owned());
    cells.push(match facts.lower_bound {
        LowerBound::Pushes(pushes) => pushes.to_string(),
        LowerBound::Unsolvable => "unsolvable".to_owned(),
        LowerBound::NotComputed => "-".to_owned(),
    });
    cells.extend([facts.n_solutions.to_string(), best(facts.best_moves), best(facts.best_pushes)]);
    cells.push(facts.id.to_string());
    cells
}

fn line(at: &InputLevel<'_>, facts: Option<&Facts>) -> Value {
    let mut line = json::level("info", at);
    let fields = match facts {
        None => json!({ "error": at.entry.level().err().map(complaint::with_causes) }),
        Some(facts) => json!({
            "author": at.entry.author(),
            "width": facts.size.0,
            "height": facts.size.1,
            "boxes": facts.n_boxes,
            "goals": facts.n_goals,
            "floor_squares": facts.n_floor,
            "live_squares": facts.n_live,
            "push_parity": facts.parity.map(Parity::name),
            "push_lower_bound": match facts.lower_bound {
                LowerBound::Pushes(pushes) => Some(pushes),
                _ => None,
            },
            "unsolvable": facts.lower_bound == LowerBound::Unsolvable,
            "solutions": facts.n_solutions,
            "best_moves": facts.best_moves.map(|metrics| json::metrics(&metrics)),
            "best_pushes": facts.best_pushes.map(|metrics| json::metrics(&metrics)),
            "id": facts.id.to_string(),
        }),
    };
    json::extend(&mut line, fields);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str], expect: Option<Parity>) {
        assert_eq!(push_parity(&Level::parse(&rows.join("\n")).unwrap()), expect, "{rows:?}");
    }

    #[test]
    fn parity_is_that_of_every_solution() {
        check(&["######", "#@$ .#", "######"], Some(Parity::Even));
        check(&["#####", "#@$.#", "#####"], Some(Parity::Odd));
        check(&["######", "##   #", "#@$ $#", "#.  .#", "######"], Some(Parity::Odd));
    }

    #[test]
    fn spare_goals_leave_it_open_unless_they_are_alike() {
        check(&["######", "#@$..#", "######"], None);
        check(&["#######", "#.@$ .#", "#######"], Some(Parity::Even));
    }
}
