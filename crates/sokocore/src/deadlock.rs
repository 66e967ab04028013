//! Positions that can no longer be solved, found by three checks of rising cost, and by patterns computed beforehand.
//!
//! ```text
//!   freeze        bipartite       diagonal
//!   #####         #######         #######
//!   #$$.#         #$   .#         ##$   #
//!   #@ .#         #.   @#         ## $  #
//!   #####         #$    #         # $#@ #
//!                 #######         #######
//!   boxes that    two boxes,      every push
//!   hold each     one goal        into the gap
//!   other         for both        jams
//! ```
//!
//! **Invariant**: no check ever says "deadlock" of a position that lies on a path from the level's start to a
//! solved position. The converse is not promised: silence proves nothing. All checks know the level's live squares,
//! so a position that cannot be reached from the start may be called dead although it is not.
//!
//! | check | cost a call | allocates | needs the player |
//! |---|---|---|---|
//! | [`FreezeCheck`](crate::FreezeCheck) | boxes that touch each other | no | no |
//! | [`DiagonalCheck`](crate::DiagonalCheck) | a few diagonals | no | yes |
//! | [`GoalMatching`](crate::GoalMatching) | boxes x goals for each box that moved | no | no |
//!
//! [`PatternSearch`](crate::PatternSearch) finds all pairs and triples of boxes that are dead by themselves, once for a
//! level; a search stores them in the form that suits it. Corral deadlocks need a search; they are in the solver.

pub(crate) mod bipartite;
pub(crate) mod diagonal;
pub(crate) mod freeze;
pub(crate) mod patterns;
