//! Moves played on the picture of their level: where the player and each box stand after each of them.
//!
//! Squares are cells here: `row * width + column`, from zero.

use sokocore::{Direction, Level, Lurd, Step};

/// A game as what changes on the picture.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    pub(crate) width: usize,
    /// Where the player starts.
    pub(crate) player: usize,
    /// Where the boxes start, those of sealed rooms included.
    pub(crate) boxes: Vec<usize>,
    pub(crate) moves: Vec<PlayedMove>,
}

/// What one move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayedMove {
    pub(crate) dir: Direction,
    /// The cell of the player after it.
    pub(crate) player: usize,
    /// The box that is pushed, and its cell after it.
    pub(crate) pushed: Option<(usize, usize)>,
}

/// Pushes of one box in a row, walks among them left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BoxTour {
    pub(crate) box_idx: usize,
    /// The cells of the box, from where it stands before to where it stands after.
    pub(crate) cells: Vec<usize>,
    /// The cell of the player after the last push.
    pub(crate) player: usize,
}

impl Playback {
    /// Plays moves that were replayed.
    pub(crate) fn of(level: &Level, moves: &Lurd) -> Self {
        let grid = level.grid();
        let width = grid.width();
        let cells = || grid.cells().iter().enumerate();
        let mut boxes: Vec<usize> = cells().filter(|(_, cell)| cell.is_box()).map(|(at, _)| at).collect();
        let start = cells().find(|(_, cell)| cell.is_player()).map_or(0, |(at, _)| at);
        let mut playback = Self { width, player: start, boxes: boxes.clone(), moves: Vec::new() };
        let mut box_at = vec![None; grid.cells().len()];
        boxes.iter().enumerate().for_each(|(idx, &cell)| box_at[cell] = Some(idx));
        let mut player = start;
        for step in moves {
            let dir = step.dir();
            player = beside(player, dir, width);
            let pushed = matches!(step, Step::Push(_)).then(|| {
                let idx = box_at[player].take().expect("invariant: the replay found a box there");
                let to = beside(player, dir, width);
                box_at[to] = Some(idx);
                boxes[idx] = to;
                (idx, to)
            });
            playback.moves.push(PlayedMove { dir, player, pushed });
        }
        playback
    }

    /// Returns the pushes, joined where one box is pushed again and again.
    pub(crate) fn tours(&self) -> Vec<BoxTour> {
        let mut tours: Vec<BoxTour> = Vec::new();
        for played in &self.moves {
            let Some((box_idx, to)) = played.pushed else { continue };
            match tours.last_mut().filter(|tour| tour.box_idx == box_idx) {
                Some(tour) => {
                    tour.cells.push(to);
                    tour.player = played.player;
                }
                None => tours.push(BoxTour { box_idx, cells: vec![played.player, to], player: played.player }),
            }
        }
        tours
    }
}

/// The cell beside another one. The replay has looked that it is on the board.
fn beside(cell: usize, dir: Direction, width: usize) -> usize {
    match dir {
        Direction::Up => cell - width,
        Direction::Down => cell + width,
        Direction::Left => cell - 1,
        Direction::Right => cell + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sokocore::{PlantSpec, planted, replay};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn boxes_end_on_goals_and_tours_are_box_changes((level, moves) in planted(PlantSpec::default())) {
            let solution = replay(&level, &moves).unwrap();
            let playback = Playback::of(&level, solution.lurd());
            let metrics = solution.metrics();
            let tours = playback.tours();
            prop_assert_eq!(tours.len() as u64, metrics.box_changes);
            prop_assert_eq!(tours.iter().map(|tour| tour.cells.len() as u64 - 1).sum::<u64>(), metrics.pushes);
            let mut boxes = playback.boxes.clone();
            for tour in &tours {
                prop_assert_eq!(boxes[tour.box_idx], tour.cells[0]);
                boxes[tour.box_idx] = *tour.cells.last().unwrap();
            }
            prop_assert!(boxes.iter().all(|&cell| level.grid().cells()[cell].is_goal()));
        }
    }

    #[test]
    fn a_tour_is_all_pushes_of_one_box_in_a_row() {
        let level = Level::parse("######\n#@$ .#\n#  $ #\n#   .#\n######").unwrap();
        let playback = Playback::of(&level, &"RRldlurrDldR".parse().unwrap());
        assert_eq!((playback.player, playback.boxes.as_slice()), (7, [8, 15].as_slice()));
        assert_eq!(playback.moves.last().map(|played| played.pushed), Some(Some((1, 22))));
        let tours: Vec<_> = playback.tours().into_iter().map(|tour| (tour.box_idx, tour.cells)).collect();
        assert_eq!(tours, [(0, vec![8, 9, 10]), (1, vec![15, 21, 22])]);
    }
}
