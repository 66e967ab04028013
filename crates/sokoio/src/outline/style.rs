//! Where a collection writes the headings of its levels: decided once for all of them, from counts.
//!
//! Gap 0 is above board 1, gap n below board n. Between two boards a paragraph may belong to either; the ends of the
//! collection tell: a file that has a heading in gap 0, and none in gap n, heads its levels from above.
//!
//! ```text
//!            gap 0   gap 1   ...   gap n
//!   above      x       x       x     -
//!   below      -       x       x     x
//! ```
//!
//! Invariant: a style is a function of the sums in [`CollectionVotes`] alone, so that an edit of one gap needs to look at that
//! gap only. A game written between the two sides of a gap never takes a vote from the side that was decided.

use super::gap::{Gap, GapPosition, Reader};
use super::heading::{self, Class};

/// The side of the board that the headings are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadingSide {
    Above,
    Below,
}

/// The sides of all classes of headings; `None` if the collection is irregular, so that each gap decides by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    sides: [Option<HeadingSide>; 4],
}

impl Style {
    pub(crate) const fn side(&self, class: Class) -> Option<HeadingSide> {
        self.sides[class as usize]
    }
}

/// What gaps offer as headings of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ClassVotes {
    /// A paragraph that may head the board below.
    lead: usize,
    /// It touches that board.
    lead_touches: usize,
    /// It touches that board and no other.
    lead_sure: usize,
    /// A paragraph that may head the board above.
    foot: usize,
    /// It touches that board.
    foot_touches: usize,
    /// The number in it is that of the board below.
    number_below: usize,
    /// The number in it is that of the board above.
    number_above: usize,
}

/// The votes of one gap, for each class of headings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GapVotes([ClassVotes; 4]);

/// The votes of a whole collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CollectionVotes {
    head: GapVotes,
    inner: GapVotes,
    n_inner: usize,
    last: GapVotes,
}

impl GapVotes {
    /// Counts what a gap offers; `number` is that of the board above, 0 in the head.
    pub(crate) fn of(reader: Reader<'_>, gap: &Gap, number: usize) -> Self {
        let votes = |class: Class| {
            let lead = reader.lead_candidate(gap, class).filter(|found| !found.paragraph.is_surely_above());
            let foot = reader.foot_candidate(gap, class).filter(|found| !found.paragraph.is_surely_below());
            let line = lead.as_ref().or(foot.as_ref()).map(|found| found.heading);
            let found = line.and_then(|line| heading::numbered(&reader.lines.text(line)));
            let found = found.and_then(|(_, found)| usize::try_from(found).ok());
            ClassVotes {
                lead: usize::from(lead.is_some()),
                lead_touches: usize::from(lead.as_ref().is_some_and(|found| found.paragraph.below)),
                lead_sure: usize::from(lead.is_some_and(|found| found.paragraph.is_surely_below())),
                foot: usize::from(foot.is_some()),
                foot_touches: usize::from(foot.is_some_and(|found| found.paragraph.above)),
                number_below: usize::from(found == Some(number + 1)),
                number_above: usize::from(found == Some(number)),
            }
        };
        Self(Class::ALL.map(votes))
    }

    fn combine(&mut self, other: &Self, change: fn(usize, usize) -> usize) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine = ClassVotes {
                lead: change(mine.lead, other.lead),
                lead_touches: change(mine.lead_touches, other.lead_touches),
                lead_sure: change(mine.lead_sure, other.lead_sure),
                foot: change(mine.foot, other.foot),
                foot_touches: change(mine.foot_touches, other.foot_touches),
                number_below: change(mine.number_below, other.number_below),
                number_above: change(mine.number_above, other.number_above),
            };
        }
    }
}

impl CollectionVotes {
    /// Counts the votes of one more gap.
    pub(crate) fn add(&mut self, votes: &GapVotes, place: GapPosition) {
        match place {
            GapPosition::Head => self.head = *votes,
            GapPosition::Last => self.last = *votes,
            GapPosition::Inner => {
                self.inner.combine(votes, |sum, votes| sum + votes);
                self.n_inner += 1;
            }
        }
    }

    /// Counts a gap that was edited.
    pub(crate) fn replace(&mut self, old: &GapVotes, new: &GapVotes, place: GapPosition) {
        if place == GapPosition::Inner {
            self.inner.combine(old, |sum, votes| sum - votes);
            self.n_inner -= 1;
        }
        self.add(new, place);
    }

    /// Decides for each class.
    pub(crate) fn style(&self) -> Style {
        let [title, comment, text, heading] = Class::ALL.map(|class| self.side(class));
        // With better headings, lines below the boards are notes.
        let is_note =
            heading == Some(HeadingSide::Below) && [title, comment, text].into_iter().any(|side| side.is_some());
        Style { sides: [title, comment, text, heading.filter(|_| !is_note)] }
    }

    fn side(&self, class: Class) -> Option<HeadingSide> {
        let [head, inner, last] = [&self.head, &self.inner, &self.last].map(|found| found.0[class as usize]);
        let n_inner = self.n_inner;
        if n_inner == 0 && class == Class::Title {
            return None;
        }
        let most = |count: usize| count * 10 >= n_inner * 9;
        let surely = |count: usize| n_inner > 0 && most(count);
        // What is at the end has to look like what is between the boards: a detached note of the file is no sign.
        let is_above =
            head.lead > 0 && most(inner.lead) && head.lead_touches >= usize::from(surely(inner.lead_touches));
        // One line below one board is a note, unless it is `; 1`.
        let is_below = last.foot > 0
            && most(inner.foot)
            && last.foot_touches >= usize::from(surely(inner.foot_touches))
            && (n_inner > 0 || class == Class::CommentNumber);
        match (is_above, is_below) {
            (true, false) => Some(HeadingSide::Above),
            (false, true) => Some(HeadingSide::Below),
            (true, true) if surely(inner.lead_sure) => Some(HeadingSide::Above),
            (true, true) if inner.number_above > inner.number_below => Some(HeadingSide::Below),
            (true, true) => Some(HeadingSide::Above),
            (false, false) if surely(inner.number_below) => Some(HeadingSide::Above),
            // A number one too small, as where levels were put in front of `Level 1`, does not outweigh the ends.
            (false, false) if surely(inner.number_above) && self.ends_have_leads_alone() => Some(HeadingSide::Above),
            (false, false) if surely(inner.number_above) => Some(HeadingSide::Below),
            (false, false) => None,
        }
    }

    /// Whether the first board has a line above it that may be a heading of any class, and the last one none below.
    fn ends_have_leads_alone(&self) -> bool {
        let lines = &[Class::CommentNumber, Class::TextNumber, Class::Heading];
        let has_lead = lines.iter().any(|class| self.head.0[*class as usize].lead > 0);
        let has_foot = lines.iter().any(|class| self.last.0[*class as usize].foot > 0);
        has_lead && !has_foot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: ClassVotes = ClassVotes {
        lead: 0,
        lead_touches: 0,
        lead_sure: 0,
        foot: 0,
        foot_touches: 0,
        number_below: 0,
        number_above: 0,
    };

    /// Votes of one class in one gap.
    fn one(class: Class, votes: ClassVotes) -> GapVotes {
        let mut gap = GapVotes::default();
        gap.0[class as usize] = votes;
        gap
    }

    /// The side of numbers in comments, where two gaps are between the boards and vote together.
    #[track_caller]
    fn check(head: ClassVotes, inner: ClassVotes, last: ClassVotes, expect: Option<HeadingSide>) {
        let [head, inner, last] = [head, inner, last].map(|votes| one(Class::CommentNumber, votes));
        let votes = CollectionVotes { head, inner, n_inner: 2, last };
        assert_eq!(votes.side(Class::CommentNumber), expect, "{votes:?}");
    }

    #[test]
    fn ends_and_gaps_decide_together() {
        let (above, below) = (Some(HeadingSide::Above), Some(HeadingSide::Below));
        let (lead, foot) = (ClassVotes { lead: 2, ..NONE }, ClassVotes { foot: 2, ..NONE });
        check(lead, lead, NONE, above);
        check(NONE, lead, NONE, None);
        check(NONE, foot, foot, below);
        check(NONE, foot, NONE, None);
        // Where both fit, what surely belongs below a board, and then its number, tell.
        let both = ClassVotes { lead: 2, foot: 2, ..NONE };
        check(lead, both, foot, above);
        check(lead, ClassVotes { number_above: 2, ..both }, foot, below);
        check(lead, ClassVotes { number_below: 2, ..both }, foot, above);
        check(lead, ClassVotes { number_above: 2, number_below: 2, ..both }, foot, above);
        check(lead, ClassVotes { number_above: 2, lead_sure: 2, ..both }, foot, above);
        check(lead, ClassVotes { number_above: 2, lead_sure: 1, ..both }, foot, below);
        // Where neither fits, the numbers alone tell.
        check(NONE, ClassVotes { number_below: 2, ..NONE }, NONE, above);
        check(NONE, ClassVotes { number_above: 2, ..NONE }, NONE, below);
        check(NONE, ClassVotes { number_above: 1, ..NONE }, NONE, None);
        check(lead, ClassVotes { number_above: 2, ..NONE }, NONE, above);
        check(lead, ClassVotes { number_above: 2, ..NONE }, foot, below);
        check(NONE, ClassVotes { number_above: 2, ..NONE }, foot, below);
    }

    #[test]
    fn without_a_gap_the_ends_tell_alone() {
        let head = one(Class::CommentNumber, ClassVotes { lead: 1, ..NONE });
        let only = CollectionVotes { head, ..CollectionVotes::default() };
        assert_eq!(only.side(Class::CommentNumber), Some(HeadingSide::Above));
        let last = one(Class::CommentNumber, ClassVotes { foot: 1, ..NONE });
        let only = CollectionVotes { last, ..CollectionVotes::default() };
        assert_eq!(only.side(Class::CommentNumber), Some(HeadingSide::Below));
        assert_eq!(CollectionVotes::default().side(Class::CommentNumber), None);
    }

    #[test]
    fn the_votes_of_a_gap_are_replaced() {
        let [old, new, other] = [1, 2, 3].map(|lead| one(Class::Heading, ClassVotes { lead, foot: lead + 1, ..NONE }));
        for place in [GapPosition::Head, GapPosition::Inner, GapPosition::Last] {
            let with = |gap: &GapVotes| {
                let mut votes = CollectionVotes::default();
                votes.add(&other, GapPosition::Inner);
                votes.add(gap, place);
                votes
            };
            let mut votes = with(&old);
            votes.replace(&old, &new, place);
            assert_eq!(votes, with(&new), "{place:?}");
        }
    }
}
