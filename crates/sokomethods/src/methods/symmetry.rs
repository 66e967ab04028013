//! Symmetry: where the boxes are their own mirror image, the rest of the solution may be mirrored as well.
//!
//! At every position whose box set is its own image under a symmetry of the board, all remaining pushes are replaced
//! by their images. After the first of them the position is the image of the old one, so the cost of the rest is the
//! same. Only the walk to that first push changes, and whether the push continues the box session and the box line
//! before it. If that may gain, the whole solution is replayed and compared (trap 23: the replay decides, not the
//! symmetry).

use sokocore::{Metrics, Position, Push, Reach, pushes_of};
use sokosearch::{Context, Stop};

use crate::board_image::BoardImage;
use crate::{Method, Spec};

pub(crate) const SPEC: Spec = Spec {
    name: "symmetry",
    about: "mirrors or rotates the rest of the solution where the boxes are their own image",
    build: |_| Box::new(MirrorRest),
};

/// Tries the images of the rest at every symmetric position, until none is better.
#[derive(Clone, Copy, Debug)]
pub struct MirrorRest;

impl Method for MirrorRest {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working("symmetry", "mirroring");
        let images = BoardImage::all(cx.level().board());
        cx.poll()?;
        let mut improved = false;
        while !images.is_empty() && mirror_once(&images, cx)? {
            improved = true;
        }
        Ok(improved)
    }
}

/// Offers the image of the rest at every symmetric position until one is better.
fn mirror_once(images: &[BoardImage], cx: &mut Context<'_>) -> Result<bool, Stop> {
    let board = cx.level().board();
    let pushes = pushes_of(cx.level(), cx.incumbent().lurd());
    let mut reach = Reach::new(board);
    let mut position: Position = cx.level().start().clone();
    for at in 0..pushes.len() {
        for image in images {
            cx.tick()?;
            if image.keeps(&position.boxes) && is_promising(&position, &pushes, at, image, &mut reach, cx) {
                let rest = pushes[at..].iter().map(|&push| image.push(push));
                let candidate: Vec<Push> = pushes[..at].iter().copied().chain(rest).collect();
                if cx.found_pushes(&candidate) {
                    return Ok(true);
                }
            }
        }
        position.push(board, pushes[at]);
    }
    Ok(false)
}

/// Returns whether the image of the next push is reachable and may gain. All metrics are compared exactly, except for
/// player lines, whose upper bound is used.
fn is_promising(
    position: &Position,
    pushes: &[Push],
    at: usize,
    image: &BoardImage,
    reach: &mut Reach,
    cx: &Context<'_>,
) -> bool {
    let board = cx.level().board();
    let region = position.region(board, reach);
    let last = at.checked_sub(1).map(|last| pushes[last]);
    let joint = |push: Push| {
        let walk = push.stand(board).and_then(|stand| region.distance(stand)).map(u64::from)?;
        let same_box = last.is_some_and(|last| last.to(board) == Some(push.from));
        let same_line = same_box && last.is_some_and(|last| last.dir == push.dir);
        Some(Metrics {
            moves: walk,
            pushes: 0,
            box_lines: u64::from(!same_line),
            box_changes: u64::from(!same_box),
            pushing_sessions: u64::from(walk > 0),
            player_lines: 0,
        })
    };
    let (Some(old), Some(new)) = (joint(pushes[at]), joint(image.push(pushes[at]))) else { return false };
    let old = Metrics { player_lines: old.moves + 2, ..old };
    cx.objective().score(&new) < cx.objective().score(&old)
}
