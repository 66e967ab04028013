//! Parts of longer games, as a host cuts them out: goals where the boxes stand at their end.

use sokocore::{Level, Objective, PlantSpec, n_cases, plant, replay};
use sokomethods::{Finish, SubLevel, UnpushedBoxes};
use sokoplugin::ResultCode;

use crate::library;
use crate::plugin::{Function, Plugin, Request};
use crate::random::Random;

/// The rows of a level, all of one width.
fn rows(level: &Level) -> Vec<String> {
    let grid = level.grid();
    grid.cells().chunks(grid.width()).map(|row| row.iter().map(|cell| cell.letter()).collect()).collect()
}

/// An improved part fits between the moves before and after it, and the whole game is better by what the part gains.
#[test]
fn an_improved_part_fits_into_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "threads = 1\nmemory-mib = 32\ntime-seconds = 1\n";
    let plugin = Plugin::load(&library::copy_with_settings(folder.path(), settings));
    let mut random = Random(1);
    let spec = PlantSpec {
        width: 6..=8,
        height: 6..=8,
        boxes: 2..=4,
        spare_goals: 0..=0,
        pulls: 20..=60,
        detours: 40,
        ..PlantSpec::default()
    };
    let (mut n_tried, mut n_improved) = (0, 0);
    while n_tried < n_cases(30, 500) {
        let Some((level, moves)) = plant(&spec, &mut |n| random.below(n)) else { continue };
        let n_pushes = moves.iter().filter(|step| step.is_push()).count();
        let first = random.below(n_pushes);
        let pushes = first..first + 1 + random.below(n_pushes - first);
        let unpushed = [UnpushedBoxes::Free, UnpushedBoxes::Frozen][random.below(2)];
        // Some parts pass their end before it.
        let Ok(part) = SubLevel::cut(&level, &moves, pushes, Finish::Exact, unpushed) else { continue };
        n_tried += 1;
        let rows = rows(part.level());
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let given = part.start().lurd().to_string();
        let reply = plugin.run(Function::Optimize, Request::new(&rows, &given).with_flags(258));
        let whole = replay(&level, &part.spliced(&reply.game().parse().unwrap()));
        let whole = whole.unwrap_or_else(|error| panic!("{}\n{given} -> {}: {error}", rows.join("\n"), reply.game()));
        let score = |metrics| Objective::MOVES.score(&metrics);
        if reply.code == 0 {
            n_improved += 1;
            assert!(score(whole.metrics()) < score(replay(&level, &moves).unwrap().metrics()), "{}", reply.text());
        } else {
            assert_eq!((reply.code, reply.game()), (ResultCode::Unsolved as i32, given), "{}", reply.text());
        }
    }
    assert!(n_improved * 4 > n_tried, "{n_improved} of {n_tried} parts were improved");
}
