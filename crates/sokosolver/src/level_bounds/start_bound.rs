//! The bounds of the systematic searches at both ends of a level: those of the start position, and the least of those of
//! the solved positions by pulls.

use sokocore::FloorSquare;
use sokosearch::Stop;

use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};
use crate::bound::lower_bounds::Bounds;
use crate::bound::penalties::PenaltyMaker;
use crate::bound::side_costs::SideCosts;
use crate::systematic::{PlayerKey, roots};
use crate::{Settings, WorkMeter};

/// The most solved positions that are looked at.
const MAX_ROOTS: usize = 256;

/// Returns the least pushes of a solution by the better of both ends; `None` if neither end says anything.
///
/// # Errors
/// The budget is used up.
pub(super) fn least_pushes(board: &SearchBoard, meter: &mut WorkMeter) -> Result<Option<u16>, Stop> {
    if board.n_words() <= 2 { by_width::<2>(board, meter) } else { by_width::<32>(board, meter) }
}

fn by_width<const W: usize>(board: &SearchBoard, meter: &mut WorkMeter) -> Result<Option<u16>, Stop> {
    if board.n_words() > W {
        return Ok(None);
    }
    let forward = of_direction::<W>(board, SearchDirection::Forward, meter)?;
    Ok(forward.max(of_direction::<W>(board, SearchDirection::Backward, meter)?))
}

/// The least bound of the positions that a search in this direction starts from.
fn of_direction<const W: usize>(
    board: &SearchBoard,
    direction: SearchDirection,
    meter: &mut WorkMeter,
) -> Result<Option<u16>, Stop> {
    let Some(roots) = roots::<W>(board, direction, PlayerKey::Region).filter(|roots| roots.len() <= MAX_ROOTS) else {
        return Ok(None);
    };
    let sides = SideCosts::within(board, direction, meter)?;
    let penalties = match PenaltyMaker::new(board, direction, meter) {
        Some(mut maker) => match maker.resume(board, meter) {
            Ok(()) => Some(maker.finish(board, meter)),
            // On a large board there is no time for pairs.
            Err(Stop::Work) => None,
            Err(stop) => return Err(stop),
        },
        None => None,
    };
    let mut bounds = Bounds::<W>::new(board, direction, &Settings::default(), penalties, sides, meter);
    let of_root = |(boxes, player): &(BitSet<W>, FloorSquare)| {
        let squares: Vec<FloorSquare> = boxes.iter().collect();
        bounds.exact(board, boxes, &squares, *player)
    };
    Ok(roots.iter().filter_map(of_root).min())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::meter_within;
    use sokocore::Level;
    /// A hall of ten rows; its box has to be pushed to the right, three squares less than there are columns.
    fn hall(n_columns: usize) -> SearchBoard {
        let (wall, floor) = ("#".repeat(n_columns + 2), format!("#{}#", " ".repeat(n_columns)));
        let pieces = format!("#@${}. #", " ".repeat(n_columns - 4));
        let mut rows = vec![wall.clone(), floor.clone(), pieces];
        rows.extend(vec![floor; 8]);
        rows.push(wall);
        SearchBoard::new(&Level::parse(&rows.join("\n")).unwrap()).unwrap()
    }

    #[test]
    fn boards_of_any_width_have_a_bound() {
        for (n_columns, n_words, pushes) in [(10, 1, 7), (18, 2, 15), (19, 3, 16)] {
            let board = hall(n_columns);
            assert_eq!(board.n_words(), n_words);
            assert_eq!(least_pushes(&board, &mut meter_within(1 << 28)), Ok(Some(pushes)), "{n_columns}");
            let narrow = if n_words <= 2 { Some(pushes) } else { None };
            assert_eq!(by_width::<2>(&board, &mut meter_within(1 << 28)), Ok(narrow), "{n_columns}");
        }
    }

    /// Two boxes on 23 goals are 253 solved positions, on 24 goals 276.
    #[test]
    fn pulls_have_a_bound_if_there_are_few_solved_positions() {
        for (last_goals, pulls) in [("# ..      #", Some(4)), ("# ...     #", None)] {
            let rows = [
                "###########",
                "#         #",
                "#@$ $     #",
                "#         #",
                "# ....... #",
                "# ....... #",
                "# ....... #",
            ];
            let rows = [&rows[..], &[last_goals, "#         #", "###########"]].concat();
            let board = SearchBoard::new(&Level::parse(&rows.join("\n")).unwrap()).unwrap();
            assert_eq!(of_direction::<2>(&board, SearchDirection::Backward, &mut meter_within(1 << 28)), Ok(pulls));
            assert_eq!(least_pushes(&board, &mut meter_within(1 << 28)), Ok(Some(4)));
        }
    }
}
