//! Levels in which one method gains and the others do not, and their poor solutions.

use std::ops::Range;

use sokocore::{Direction, Level, Push, Solution, moves_of, replay};

pub(crate) fn parse(rows: &[impl AsRef<str>]) -> Level {
    let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
    Level::parse(&rows.join("\n")).unwrap()
}

/// The place of a box, a direction, and a number of pushes.
pub(crate) type Run = ((usize, usize), Direction, usize);

/// Makes a solution of runs of pushes.
pub(crate) fn solution(level: &Level, runs: &[Run]) -> Solution {
    let mut pushes = Vec::new();
    for &(place, dir, n_pushes) in runs {
        let mut from = level.board().square_at(place.0, place.1).expect("a floor square");
        for _ in 0..n_pushes {
            pushes.push(Push { from, dir });
            from = level.board().step(from, dir).expect("a floor square");
        }
    }
    replay(level, &moves_of(level, &pushes).expect("the pushes can be made")).unwrap()
}

/// Two rooms that mirror each other, three boxes to push seven squares in each; the player starts at the right one.
pub(crate) fn mirrored_rooms() -> (Level, Solution) {
    let level = parse(&[
        "###############################",
        "#.      $ ########### $      .#",
        "#.      $ ########### $      .#",
        "#.      $         @   $      .#",
        "###############################",
    ]);
    let rooms = [(8, Direction::Left), (22, Direction::Right)];
    let runs: Vec<_> = rooms.iter().flat_map(|&(column, dir)| [3, 2, 1].map(|row| ((row, column), dir, 7))).collect();
    let start = solution(&level, &runs);
    (level, start)
}

/// Shafts, each with a box to push up by two. The board is not symmetric.
pub(crate) fn shafts(n_shafts: usize) -> Level {
    let wall = format!("{}#", "##".repeat(n_shafts + 1));
    let row = |cell| format!("#{}##", format!("{cell}#").repeat(n_shafts));
    let lane = format!("#@ {}#", "  ".repeat(n_shafts)).replace("  #", " #");
    parse(&[wall.clone(), row('.'), row(' '), row('$'), lane, wall])
}

/// Pushes up by two in one go, one shaft after the other.
pub(crate) fn in_one_pass(shafts: Range<usize>) -> Vec<Run> {
    shafts.map(|n| ((3, 2 * n + 1), Direction::Up, 2)).collect()
}

/// Pushes every box up by one, and then all of them once more.
pub(crate) fn in_two_passes(shafts: Range<usize>) -> Vec<Run> {
    let pass = |row| shafts.clone().map(move |n| ((row, 2 * n + 1), Direction::Up, 1));
    pass(3).chain(pass(2)).collect()
}

/// A picture made by cutting cells out of the rock.
pub(crate) struct Carving(Vec<Vec<char>>);

impl Carving {
    pub(crate) fn new(n_rows: usize, n_columns: usize) -> Self {
        Self(vec![vec!['#'; n_columns]; n_rows])
    }

    pub(crate) fn put(&mut self, (row, column): (usize, usize), letter: char) {
        self.0[row][column] = letter;
    }

    fn lane(&mut self, row: usize, columns: std::ops::RangeInclusive<usize>) {
        columns.for_each(|column| self.put((row, column), ' '));
    }

    fn shaft(&mut self, rows: std::ops::RangeInclusive<usize>, column: usize) {
        rows.for_each(|row| self.put((row, column), ' '));
    }

    pub(crate) fn level(&self) -> Level {
        parse(&self.0.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>())
    }
}

/// A box X that must go right by two, and gates that keep the player from getting to its left: boxes at the bends of a
/// staircase, each of which one push takes into a niche beyond. All of them must be opened, or X goes all the way left
/// to a loop where the player can get round it, and back. On its goal X blocks no other box.
///
/// ```text
///                 .* <-- player's side       . niches and the goal of X
///                  *
///               .* .
///     ---        *
///     - -   ----- .
///     - -   -
///     -------- X .---
///                ---
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Staircase {
    pub(crate) n_gates: usize,
    pub(crate) detour: usize,
}

impl Staircase {
    pub(crate) fn exit(self) -> usize {
        self.detour + 3
    }

    /// The column of the player's side, the right end of everything.
    pub(crate) fn right(self) -> usize {
        self.exit() + self.n_gates + 2
    }

    pub(crate) fn row_of_x(self) -> usize {
        self.n_gates + 6
    }

    /// The gates in the order in which the player reaches them, with the direction that opens them.
    fn gates(self) -> impl Iterator<Item = ((usize, usize), Direction)> {
        (0..self.n_gates).map(move |n| {
            let (row, column) = (3 + n.div_ceil(2) * 2, self.right() - 2 - n / 2 * 2);
            ((row, column), if n % 2 == 0 { Direction::Left } else { Direction::Down })
        })
    }

    pub(crate) fn carve(self, picture: &mut Carving) {
        let (exit, right, row) = (self.exit(), self.right(), self.row_of_x());
        picture.shaft(1..=row, right);
        picture.lane(row, exit - self.detour..=right);
        picture.lane(row - 1, exit - self.detour..=exit - self.detour + 2);
        picture.lane(row + 1, exit + 3..=exit + 5);
        picture.lane(self.n_gates + 3, exit..=exit + 1);
        picture.shaft(self.n_gates + 3..=row, exit);
        for ((row, column), dir) in self.gates() {
            let (down, back) = if dir == Direction::Left { (0, 1) } else { (1, 0) };
            picture.put((row - down, column + back), ' ');
            picture.put((row, column), '*');
            picture.put((row + down, column - back), '.');
        }
        picture.put((row, exit + 2), '$');
        picture.put((row, exit + 4), '.');
    }

    /// Takes X to its goal, through the gates or round the loop.
    pub(crate) fn runs(self, way: Way) -> Vec<Run> {
        let (row, x) = (self.row_of_x(), self.exit() + 2);
        match way {
            Way::Loop => {
                let there = self.detour + 1;
                vec![((row, x), Direction::Left, there), ((row, x - there), Direction::Right, there + 2)]
            }
            Way::Gates => {
                let gates = self.gates().map(|(place, dir)| (place, dir, 1));
                gates.chain([((row, x), Direction::Right, 2)]).collect()
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Loop,
    Gates,
}
