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
