//! A game of the host: its moves as a solution of the board, and where they leave the player.
//!
//! ```text
//!   given      ── moves up to the first solved position ──▶ ● ── further moves ──▶ end
//!   improved   ── better moves ───────────────────────────▶ ● ── shortest walk ──▶ end
//! ```

use sokocore::{Level, Lurd, Metrics, Position, Push, Solution, Square, Step, Walker, replay, replay_snapshot};

use crate::game_text;

/// Whether a better game must leave the player where the given one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameEnd {
    Kept,
    Free,
}

/// A game that was replayed.
#[derive(Debug)]
pub(crate) struct Game {
    /// Its moves up to the first solved position.
    solution: Solution,
    /// The walk from there to where the game leaves the player, if that is kept.
    tail: Vec<Step>,
    /// The square where the game leaves the player.
    end: Square,
    /// The metrics of all moves that were given.
    given: Metrics,
}

impl Game {
    /// Reads a game.
    ///
    /// # Errors
    /// What is wrong with it: a letter, a move, boxes off goal at the end, or an end that no walk reaches.
    pub(crate) fn read(level: &Level, text: &[u8], game_end: GameEnd) -> Result<Self, String> {
        let moves = game_text::read_moves(text)?;
        let solution = replay(level, &moves).map_err(|error| error.to_string())?;
        let given = replay_snapshot(level, &moves).map_err(|error| error.to_string());
        let given = match (given, game_end) {
            (Ok(given), _) => given,
            // Moves after the solved position count for nothing if the end does not.
            (Err(_), GameEnd::Free) => replay_snapshot(level, solution.lurd()).map_err(|error| error.to_string())?,
            (Err(reason), GameEnd::Kept) => return Err(reason),
        };
        let end = position_after(level, given.lurd()).player;
        let mut tail = Vec::new();
        if game_end == GameEnd::Kept {
            let solved = position_after(level, solution.lurd());
            let last = solution.lurd().steps().last().map(|step| step.dir());
            let board = level.board();
            if !Walker::new(board).walk(board, &solved, end, last, None, &mut tail) {
                let n = solution.lurd().len();
                return Err(format!("the boxes are at their end after move {n}, and cut the player off from its own"));
            }
        }
        Ok(Self { solution, tail, end, given: given.metrics() })
    }

    /// Returns the moves up to the first solved position.
    pub(crate) const fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Returns the metrics of all moves that were given.
    pub(crate) const fn given(&self) -> Metrics {
        self.given
    }

    /// Returns the square where the game leaves the player.
    pub(crate) const fn end(&self) -> Square {
        self.end
    }

    /// Returns the game with another solution, which leaves the player where that of the game does.
    pub(crate) fn with(&self, solution: &Solution) -> Lurd {
        let mut moves = solution.lurd().clone();
        moves.extend(self.tail.iter().copied());
        moves
    }

    /// Returns the number of moves of the game with another solution of `n_moves`.
    pub(crate) fn length_with(&self, n_moves: usize) -> usize {
        n_moves + self.tail.len()
    }
}

/// The position after moves that were replayed.
fn position_after(level: &Level, moves: &Lurd) -> Position {
    let board = level.board();
    let mut position = level.start().clone();
    for step in moves {
        let ahead = board.step(position.player, step.dir()).expect("invariant: replayed moves stay on the board");
        if step.is_push() {
            let is_made = position.push(board, Push { from: ahead, dir: step.dir() });
            assert!(is_made, "invariant: replayed pushes can be made");
        } else {
            position.player = ahead;
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level() -> Level {
        Level::parse("#######\n#     #\n#.$@$.#\n#######").unwrap()
    }

    fn read(text: &str, game_end: GameEnd) -> Result<(String, String), String> {
        let game = Game::read(&level(), text.as_bytes(), game_end)?;
        Ok((game.solution().to_string(), Lurd::from(game.tail.clone()).to_string()))
    }

    #[test]
    fn moves_after_the_solved_position_become_a_shortest_walk() {
        let parts = |solution: &str, tail: &str| Ok((solution.to_owned(), tail.to_owned()));
        assert_eq!(read("LrRullr", GameEnd::Kept), parts("LrR", "lu"));
        assert_eq!(read("lrr", GameEnd::Kept), parts("LrR", ""));
        assert_eq!(read("LrRullr", GameEnd::Free), parts("LrR", ""));
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for (text, reason) in
            [("L", "1 box off goal"), ("2L", "not a move"), ("d", "walks into a wall"), ("", "off goal")]
        {
            let error = read(text, GameEnd::Kept).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(read("LrRdd", GameEnd::Kept).is_err() && read("LrRdd", GameEnd::Free).is_ok());
    }
}
