//! All deadlock checks of this crate at once, asked about any position, for tests.

use std::collections::BTreeSet;

use crate::{
    DiagonalCheck, FloorGraph, FloorSquare, FreezeCheck, GoalMatching, Level, PatternSearch, Position, PushLowerBound,
    SearchDirection, Square,
};

/// All checks of one level.
#[derive(Debug)]
pub struct DeadlockChecks {
    freeze: FreezeCheck,
    matching: GoalMatching,
    diagonal: DiagonalCheck,
    bound: PushLowerBound,
    patterns: DeadPatterns,
    level: Level,
}

impl DeadlockChecks {
    /// Makes the checks; `None` if the board is too large for [`PushLowerBound`].
    #[must_use]
    pub fn new(level: &Level) -> Option<Self> {
        Some(Self {
            freeze: FreezeCheck::new(level),
            matching: GoalMatching::new(level),
            diagonal: DiagonalCheck::new(level),
            bound: PushLowerBound::new(level)?,
            patterns: DeadPatterns::new(level),
            level: level.clone(),
        })
    }

    /// Asks every check about every box; returns the names of those that say deadlock.
    pub fn ask(&mut self, position: &Position) -> Vec<&'static str> {
        let Position { boxes, player } = position;
        let mut frozen = self.level.board().no_squares();
        let mut found = Vec::new();
        let mut note = |name, is_deadlock| {
            if is_deadlock {
                found.push(name);
            }
        };
        note("freeze", boxes.iter().any(|sq| self.freeze.is_deadlock(boxes, sq)));
        note("all frozen", self.freeze.all_frozen(boxes, &mut frozen));
        note("matching", self.matching.is_deadlock(boxes));
        note("matching around frozen", GoalMatching::around(&self.level, &frozen).is_deadlock(boxes));
        note("diagonal", boxes.iter().any(|sq| self.diagonal.is_deadlock(boxes, *player, sq)));
        note("bound", self.bound.of(boxes).is_none());
        note("patterns", self.patterns.meet(position));
        found
    }

    /// Returns the lower bound of the pushes left; `None` if the position is dead.
    pub fn bound(&mut self, position: &Position) -> Option<u64> {
        self.bound.of(&position.boxes)
    }
}

/// All dead patterns of a level, in both games.
#[derive(Debug, Default)]
struct DeadPatterns {
    hopeless: BTreeSet<Vec<Square>>,
    /// With where the player stands.
    dead: BTreeSet<(Vec<Square>, Square)>,
}

impl DeadPatterns {
    fn new(level: &Level) -> Self {
        let graph = FloorGraph::new(level);
        let named = |pattern: &[FloorSquare]| pattern.iter().map(|&sq| graph.square(sq)).collect::<Vec<_>>();
        let mut patterns = Self::default();
        for (game, size) in [SearchDirection::Forward, SearchDirection::Backward]
            .iter()
            .flat_map(|&game| (1..=3).map(move |size| (game, size)))
        {
            let mut search = PatternSearch::new(level, game, size);
            let Ok(()) = search.resume(|| Ok::<_, std::convert::Infallible>(()));
            search.each_hopeless(|pattern| _ = patterns.hopeless.insert(named(pattern)));
            search.each_dead(|pattern, moved, side| {
                let pattern = named(pattern);
                let stand = level.board().step(pattern[moved], side);
                let stand = stand.expect("invariant: a box is moved by a player who stands beside it");
                patterns.dead.insert((pattern, stand));
            });
        }
        patterns
    }

    /// Whether some of the boxes are such a pattern.
    fn meet(&self, position: &Position) -> bool {
        let boxes: Vec<Square> = position.boxes.iter().collect();
        let singles = boxes.iter().map(|&a| vec![a]);
        let pairs = (1..boxes.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        let triples = pairs.clone().flat_map(|[a, b]| (b + 1..boxes.len()).map(move |c| vec![a, b, c]));
        let named = pairs.map(Vec::from).chain(triples).map(|places| places.iter().map(|&at| boxes[at]).collect());
        let is_dead =
            |pattern: Vec<Square>| self.hopeless.contains(&pattern) || self.dead.contains(&(pattern, position.player));
        singles.chain(named).any(is_dead)
    }
}
