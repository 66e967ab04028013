//! Positions that can no longer be solved, told apart by four checks of rising cost, and by patterns found beforehand.
//!
//! ```text
//!   freeze        bipartite       diagonal        corral
//!   #####         #######         #######         #########
//!   #$$.#         #$   .#         ##$   #         #..$ $ @#
//!   #@ .#         #.   @#         ## $  #         #########
//!   #####         #$    #         # $#@ #
//!                 #######         #######
//!   boxes that    two boxes,      every push      a search over the boxes that
//!   hold each     one goal        into the gap    touch a closed area: here the
//!   other         for both        jams            gap can only be closed
//! ```
//!
//! **Invariant**: no check ever says "deadlock" of a position that lies on a path from the level's start to a
//! solved position. The other direction is not promised: silence proves nothing. All checks know the level's
//! live squares, so a position that cannot be reached from the start may be called dead although it is not.
//!
//! | check | cost a call | allocates | needs the player |
//! |---|---|---|---|
//! | [`FreezeCheck`](crate::FreezeCheck) | boxes that touch each other | no | no |
//! | [`DiagonalCheck`](crate::DiagonalCheck) | a few diagonals | no | yes |
//! | [`GoalMatching`](crate::GoalMatching) | boxes x goals for each box that moved | no | no |
//! | [`CorralCheck`](crate::CorralCheck) | a search within a node budget | yes | yes |
//!
//! [`PatternSearch`](crate::PatternSearch) finds all pairs and triples of boxes that are dead by themselves, once for a
//! level; a search stores them in the form that suits it.

pub(crate) mod bipartite;
pub(crate) mod corral;
pub(crate) mod diagonal;
pub(crate) mod freeze;
pub(crate) mod patterns;
