//! Announces which techniques are at work, so that an observer can tell what each of them costs and gains.

use sokosearch::{Context, Event};

use crate::TechniqueSet;

/// Runs something that belongs to these techniques, between the events that say so. Such runs may be nested.
pub(crate) fn announced<T>(
    techniques: TechniqueSet,
    cx: &mut Context<'_>,
    run: impl FnOnce(&mut Context<'_>) -> T,
) -> T {
    let start = cx.ticks();
    techniques.iter().for_each(|technique| cx.progress().on(Event::Entered { technique: technique.name() }));
    let result = run(cx);
    let ticks = cx.ticks() - start;
    techniques.iter().rev().for_each(|technique| {
        cx.progress().on(Event::Left { technique: technique.name(), ticks });
    });
    result
}
