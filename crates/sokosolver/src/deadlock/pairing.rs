//! Whether a perfect matching exists in a bipartite graph, by augmenting paths.

/// Returns whether each of `n` rows can have a column of its own among `n`, where `fits` allows the pair.
pub(crate) fn can_pair(n: usize, fits: impl Fn(usize, usize) -> bool) -> bool {
    let mut owner = vec![usize::MAX; n];
    let mut tried = vec![usize::MAX; n];
    (0..n).all(|row| augment(row, row, &fits, &mut owner, &mut tried))
}

fn augment(
    row: usize,
    round: usize,
    fits: &impl Fn(usize, usize) -> bool,
    owner: &mut [usize],
    tried: &mut [usize],
) -> bool {
    for column in 0..owner.len() {
        if tried[column] == round || !fits(row, column) {
            continue;
        }
        tried[column] = round;
        if owner[column] == usize::MAX || augment(owner[column], round, fits, owner, tried) {
            owner[column] = row;
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::can_pair;

    #[test]
    fn two_rows_that_share_their_only_column_cannot_be_paired() {
        assert!(can_pair(2, |row, column| row == 0 || column == 0));
        assert!(!can_pair(2, |_, column| column == 0));
    }
}
