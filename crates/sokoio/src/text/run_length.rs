//! Run lengths, as versions of the format before 0.20 had them: `3#`, `2(3(#-)#)`.
//!
//! ```text
//!   2(3(#-)#)   ──▶   #-#-#-# #-#-#-#
//! ```
//!
//! The result is never longer than the reader allows: the limit is checked before a run is written, so the work is
//! bounded by the limit and the length of the text, however deep the groups are nested.

/// Counts are cut to this.
const MAX_COUNT: usize = 99_999;

/// A run was longer than what was left of the allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Writes every run in full. What is written is taken from the allowance.
///
/// Groups without a count, parentheses without a partner and a count at the end are ignored.
pub(crate) fn expand(text: impl IntoIterator<Item = u8>, allowance: &mut usize) -> Result<Vec<u8>, TooLong> {
    let mut full = Vec::new();
    let mut groups = Vec::new();
    let mut count = None;
    for byte in text {
        match byte {
            b'0'..=b'9' => count = Some((count.unwrap_or(0) * 10 + usize::from(byte - b'0')).min(MAX_COUNT)),
            b'(' => groups.push((full.len(), count.take().unwrap_or(1))),
            b')' => {
                count = None;
                if let Some((start, times)) = groups.pop() {
                    repeat_from(&mut full, start, times, allowance)?;
                }
            }
            _ => {
                let start = full.len();
                *allowance = allowance.checked_sub(1).ok_or(TooLong)?;
                full.push(byte);
                repeat_from(&mut full, start, count.take().unwrap_or(1), allowance)?;
            }
        }
    }
    Ok(full)
}

/// Makes what was written since `start` appear `times` times.
fn repeat_from(full: &mut Vec<u8>, start: usize, times: usize, allowance: &mut usize) -> Result<(), TooLong> {
    let length = full.len() - start;
    let Some(more) = times.checked_sub(1) else {
        full.truncate(start);
        return Ok(());
    };
    *allowance = length.checked_mul(more).and_then(|more| allowance.checked_sub(more)).ok_or(TooLong)?;
    let end = full.len();
    for _ in 0..if length == 0 { 0 } else { more } {
        full.extend_from_within(start..end);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: &str) {
        let full = expand(text.bytes(), &mut 1000).unwrap();
        assert_eq!(String::from_utf8(full).unwrap(), expect, "{text}");
    }

    #[test]
    fn writes_runs_in_full() {
        check("3#|#.3#", "###|#.###");
        check("2(3(#-)#)", "#-#-#-##-#-#-#");
        check("(ab)c", "abc");
        check("2a7", "aa");
        check("a)b(c", "abc");
        check("0ab", "b");
        check("2()a", "a");
        check("3(0a)b", "b");
    }

    #[test]
    fn stops_before_the_limit_is_passed() {
        assert_eq!(expand("9(9(9(9(#)))))".bytes(), &mut 6560), Err(TooLong));
        let mut allowance = 6561;
        assert_eq!(expand("9(9(9(9(#)))))".bytes(), &mut allowance).unwrap().len(), 6561);
        assert_eq!(allowance, 0);
        let deep = format!("{}#{}", "99999(".repeat(10_000), ")".repeat(10_000));
        assert_eq!(expand(deep.bytes(), &mut 1_000_000), Err(TooLong));
        assert_eq!(expand("123456789123456789123456789a".bytes(), &mut 100_000).unwrap().len(), MAX_COUNT);
        assert_eq!(expand(format!("{}()", "9(".repeat(1000)).bytes(), &mut 0).unwrap(), b"");
    }

    /// Writes runs of equal letters with counts, and now and then a pair as a group.
    fn encode(text: &str) -> String {
        let bytes = text.as_bytes();
        let (mut coded, mut at) = (String::new(), 0);
        while at < bytes.len() {
            let single = bytes[at..].iter().take_while(|&&byte| byte == bytes[at]).count();
            let pairs = bytes[at..].chunks_exact(2).take_while(|pair| *pair == &bytes[at..(at + 2).min(bytes.len())]);
            let n_pairs = pairs.count();
            if n_pairs > single.max(1) {
                coded += &format!("{n_pairs}({})", &text[at..at + 2]);
                at += 2 * n_pairs;
            } else {
                coded += &format!("{}{}", if single > 1 { single.to_string() } else { String::new() }, &text[at..=at]);
                at += single;
            }
        }
        coded
    }

    proptest! {
        #[test]
        fn round_trip(text in "[lurdLURD]{0,60}|[#@$. -]{0,60}|(#-){0,9}(.|  ){0,9}") {
            let text: String = text.chars().filter(char::is_ascii).filter(|c| !"()0123456789".contains(*c)).collect();
            let full = expand(encode(&text).bytes(), &mut 1000).unwrap();
            prop_assert_eq!(String::from_utf8(full).unwrap(), text);
        }
    }
}
