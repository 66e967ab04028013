//! Load-time clean-up: loops are cut, and every walk becomes a shortest one with the fewest turns.

use sokocore::pushes_of;
use sokosearch::{Context, Stop};

use crate::loops::without_loops;
use crate::{Method, Spec};

pub(crate) const SPEC: Spec =
    Spec { name: "tidy path", about: "cuts loops and makes every walk a shortest one", build: |_| Box::new(TidyPath) };

/// Cuts loops and straightens walks.
#[derive(Clone, Copy, Debug)]
pub struct TidyPath;

impl Method for TidyPath {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working("tidy path", "cutting loops");
        let pushes = pushes_of(cx.level(), cx.incumbent().lurd());
        let cut = without_loops(cx.level(), &pushes);
        let improved = cx.found_pushes(&cut);
        cx.poll().map(|()| improved)
    }
}
