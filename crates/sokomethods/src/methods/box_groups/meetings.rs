//! How often boxes meet: they are pushed in turn, or from the same squares.

use hashbrown::HashMap;
use sokocore::Square;

/// Most boxes of a window that are looked at: those pushed most often.
pub(super) const MOST_BOXES: usize = 64;

/// The pairs of boxes that meet, each with a count: once for each change from one to the other, and once for each square
/// that both are pushed from.
#[derive(Debug)]
pub(super) struct Meetings {
    /// The numbers of the boxes, ascending.
    boxes: Vec<usize>,
    /// For each pair of places in `boxes`, the smaller one first.
    counts: Vec<usize>,
}

impl Meetings {
    /// Counts for a sequence of pushes, each given by the square that the box leaves and the number of the box.
    pub(super) fn of(pushes: impl Iterator<Item = (Square, usize)>) -> Self {
        let pushes: Vec<_> = pushes.collect();
        let mut n_pushes: HashMap<usize, usize> = HashMap::new();
        pushes.iter().for_each(|&(_, n)| *n_pushes.entry(n).or_default() += 1);
        let mut boxes: Vec<_> = n_pushes.keys().copied().collect();
        boxes.sort_unstable_by_key(|n| (std::cmp::Reverse(n_pushes[n]), *n));
        boxes.truncate(MOST_BOXES);
        boxes.sort_unstable();
        let mut meetings = Self { counts: vec![0; boxes.len() * boxes.len()], boxes };
        let places: Vec<_> =
            pushes.iter().filter_map(|&(sq, n)| Some((sq, meetings.boxes.binary_search(&n).ok()?))).collect();
        for (one, other) in places.iter().zip(places.iter().skip(1)) {
            meetings.add(one.1, other.1);
        }
        // The boxes of each square, as the bits of a word.
        let mut boxes_of: HashMap<Square, u64> = HashMap::new();
        places.iter().for_each(|&(sq, place)| *boxes_of.entry(sq).or_default() |= 1 << place);
        for boxes in boxes_of.into_values() {
            for one in 0..meetings.boxes.len() {
                for other in one + 1..meetings.boxes.len() {
                    if boxes >> one & boxes >> other & 1 != 0 {
                        meetings.add(one, other);
                    }
                }
            }
        }
        meetings
    }

    fn add(&mut self, one: usize, other: usize) {
        if one != other {
            self.counts[one.min(other) * self.boxes.len() + one.max(other)] += 1;
        }
    }

    fn count(&self, one: usize, other: usize) -> usize {
        self.counts[one.min(other) * self.boxes.len() + one.max(other)]
    }

    /// Returns the groups of so many boxes in which each box meets each other, with the sum of their counts.
    pub(super) fn groups(&self, n_boxes: usize) -> Vec<(usize, Vec<usize>)> {
        let mut groups: Vec<(usize, Vec<usize>)> = (0..self.boxes.len()).map(|place| (0, vec![place])).collect();
        for _ in 1..n_boxes {
            let longer = |(worth, group): &(usize, Vec<usize>)| {
                let (worth, group) = (*worth, group.clone());
                let next = group.last().map_or(0, |last| last + 1);
                (next..self.boxes.len()).filter_map(move |place| {
                    let counts: Vec<_> = group.iter().map(|&other| self.count(place, other)).collect();
                    let meets_all = counts.iter().all(|&count| count > 0);
                    meets_all.then(|| (worth + counts.iter().sum::<usize>(), [group.as_slice(), &[place]].concat()))
                })
            };
            groups = groups.iter().flat_map(longer).collect();
        }
        for (_, group) in &mut groups {
            group.iter_mut().for_each(|place| *place = self.boxes[*place]);
        }
        groups
    }
}
