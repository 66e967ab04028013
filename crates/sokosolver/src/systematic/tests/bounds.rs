//! Bounds against what is really left to do, from every position of small levels and in both games.

use hashbrown::HashMap;

use super::*;
use crate::bits::Bits;
use crate::ground::{Flood, SideRows, Way};
use crate::systematic::bounds::Bounds;
use crate::systematic::home::roots;
use crate::systematic::tables::TableMaker;

/// Levels whose floor a box parts.
const N_LEVELS: usize = 60;

/// Boxes and the name of the player's region.
type Position = (Bits<1>, u16);

/// A step of a box: its place among the boxes, its new square, and the side of it that the player is then on.
type Step = (usize, u16, usize);

/// All steps from a position, dead squares left out, and where they lead.
fn steps(ground: &Ground, way: Way, (boxes, player): Position) -> Vec<(Step, Position)> {
    let (mut flood, mut after) = (Flood::new(ground), Flood::new(ground));
    flood.run(ground, &boxes, player);
    let mut steps = Vec::new();
    for (number, sq) in boxes.iter().enumerate() {
        for side in (0..4).filter(|&side| flood.reaches(ground.step(sq, side))) {
            let stand = ground.step(sq, side);
            let (to, player) = match way {
                Way::Forward => (ground.step(sq, side ^ 2), sq),
                Way::Backward => (stand, ground.step(stand, side)),
            };
            let room = if way == Way::Forward { to } else { player };
            if ground.is_live(to) && flood.is_free(room) {
                let next = boxes.moved(sq, to);
                steps.push(((number, to, side), (next, after.run(ground, &next, player))));
            }
        }
    }
    steps
}

/// What every position takes that the game can come to: breadth first, from all its beginnings.
fn played(ground: &Ground, way: Way) -> HashMap<Position, u16> {
    let mut costs: HashMap<Position, u16> = HashMap::new();
    let mut layer = roots::<1>(ground, way, false).unwrap();
    for cost in 0.. {
        layer.retain(|&position| costs.try_insert(position, cost).is_ok());
        if layer.is_empty() {
            break;
        }
        layer = layer.iter().flat_map(|&position| steps(ground, way, position)).map(|(_, next)| next).collect();
    }
    costs
}

fn bounds(ground: &Ground, way: Way, settings: &Settings) -> Bounds<1> {
    let mut effort = effort();
    let mut maker = TableMaker::new(ground, way, settings, &effort);
    maker.go_on(ground, &mut effort).unwrap();
    let tables = maker.finish(ground, &effort);
    Bounds::new(ground, way, settings, tables.penalties, tables.sides, &effort)
}

/// With these techniques no position is said to take more than it does, nor any that follows it.
fn check(level: &Level, ground: &Ground, way: Way, left: &HashMap<Position, u16>, on: &[&str]) -> Vec<u16> {
    let mut settings = Settings::default().plain();
    on.iter().for_each(|name| *settings.technique(name).unwrap() = true);
    let mut bounds = bounds(ground, way, &settings);
    let mut all = Vec::new();
    let mut positions: Vec<_> = left.iter().collect();
    positions.sort_unstable_by_key(|((boxes, player), _)| (boxes.0, *player));
    for (&(boxes, player), &expect) in positions {
        let squares: Vec<u16> = boxes.iter().collect();
        let bound = bounds.exact(ground, &boxes, &squares, player);
        assert!(bound.is_some_and(|bound| bound <= expect), "{bound:?} {expect} {way:?} {on:?} {boxes:?} {level:?}");
        for ((number, to, side), next) in steps(ground, way, (boxes, player)) {
            let Some(&expect) = left.get(&next) else { continue };
            let bound = bounds.after(number, to, side);
            assert!(bound.is_some_and(|bound| bound <= expect), "{bound:?} {expect} {way:?} {on:?} {next:?} {level:?}");
        }
        all.extend(bound);
    }
    all
}

/// Each set of techniques with and without the player's side, which raises bounds and none above what is left.
#[test]
fn no_bound_is_more_than_what_is_left() {
    let mut n_raised = [0; 2];
    let levels = (0..).filter_map(|number| small_levels::level(number, 4));
    let parted = levels.filter_map(|level| {
        let ground = Ground::new(&level)?;
        SideRows::new(&ground)?;
        let far = played(&ground, Way::Backward).len() > 50 && played(&ground, Way::Forward).len() > 50;
        far.then_some((level, ground))
    });
    for (level, ground) in parted.take(N_LEVELS) {
        for (at, way) in [Way::Forward, Way::Backward].into_iter().enumerate() {
            let left = played(&ground, if way == Way::Forward { Way::Backward } else { Way::Forward });
            for walls in [&[][..], &["frozen-walls"], &["frozen-walls", "goal-pairs"]] {
                for more in [&[][..], &["matching"], &["penalties"], &["matching", "penalties"]] {
                    let with: Vec<_> = walls.iter().chain(more).chain(&["side-distances"]).copied().collect();
                    let by_side = check(&level, &ground, way, &left, &with);
                    let plain = check(&level, &ground, way, &left, &with[..with.len() - 1]);
                    assert!(plain.iter().zip(&by_side).all(|(plain, by_side)| plain <= by_side));
                    n_raised[at] += usize::from(plain != by_side);
                }
            }
        }
    }
    assert!(n_raised.iter().all(|&n| n > 20), "{n_raised:?}");
}
