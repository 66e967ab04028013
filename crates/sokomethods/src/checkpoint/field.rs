//! The fields of a checkpoint as bytes, and back.
//!
//! ```text
//!   number        LEB128: seven bits a byte, the least first; all bytes but the last have the highest bit set
//!   bits          eight bytes, the least first
//!   list          its length, then its entries
//!   moves         their number, then two moves a byte: direction, and 4 for a push
//! ```
//!
//! Invariant: a value that was written is read back as it was, except that numbers above [`MAX_NUMBER`] become that.
//! Reading never panics, whatever the bytes: it allocates no more than a constant times their number, and nests no
//! deeper than [`MAX_DEPTH`].

use std::time::Duration;

use sokocore::{Direction, Lurd, Metrics, Objective, Step};

/// The largest number: sums and products of a few such numbers fit into 64 bits.
pub(crate) const MAX_NUMBER: u64 = 1 << 53;
/// How deep a value may contain values of its own kind: an arm has arms, and these have none.
const MAX_DEPTH: u32 = 2;

/// A value that is written to bytes and read from them.
pub(crate) trait Field: Sized {
    /// Appends the value.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads a value; `None` if the bytes are none.
    fn read(input: &mut FieldReader<'_>) -> Option<Self>;
}

/// The bytes that are left to read.
#[derive(Debug)]
pub(crate) struct FieldReader<'a> {
    rest: &'a [u8],
    depth: u32,
}

/// A number all of whose bits count, such as a fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bits(pub(crate) u64);

/// Writes and reads a struct field by field.
macro_rules! fields {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::checkpoint::field::Field for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $($crate::checkpoint::field::Field::write(&self.$field, out);)+
            }

            fn read(input: &mut $crate::checkpoint::field::FieldReader<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::checkpoint::field::Field::read(input)?),+ })
            }
        }
    };
}
pub(crate) use fields;

impl<'a> FieldReader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, depth: 0 }
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a value that may contain values of its own kind.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }
}

impl Field for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = (*self).min(MAX_NUMBER);
        while rest >= 0x80 {
            out.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        out.push(rest.to_le_bytes()[0]);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        let mut number = 0;
        for place in 0..8 {
            let byte = input.byte()?;
            number |= Self::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return (number <= MAX_NUMBER).then_some(number);
            }
        }
        None
    }
}

impl Field for usize {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u64).write(out);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        Self::try_from(u64::read(input)?).ok()
    }
}

impl Field for u32 {
    fn write(&self, out: &mut Vec<u8>) {
        u64::from(*self).write(out);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        Self::try_from(u64::read(input)?).ok()
    }
}

impl Field for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        match input.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Field for Bits {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.0.to_le_bytes());
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        input.take(size_of::<u64>())?.try_into().ok().map(|bytes| Self(u64::from_le_bytes(bytes)))
    }
}

impl Field for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend(self.as_bytes());
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        let length = usize::read(input)?;
        str::from_utf8(input.take(length)?).ok().map(Self::from)
    }
}

impl Field for Duration {
    /// Writes whole milliseconds.
    fn write(&self, out: &mut Vec<u8>) {
        u64::try_from(self.as_millis()).unwrap_or(MAX_NUMBER).write(out);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        u64::read(input).map(Self::from_millis)
    }
}

impl Field for Objective {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_string().write(out);
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        String::read(input)?.parse().ok()
    }
}

fields!(Metrics { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines });

impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        Some(if bool::read(input)? { Some(T::read(input)?) } else { None })
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        self.iter().for_each(|value| value.write(out));
    }

    /// Every value takes a byte at least, so a length beyond the bytes is none.
    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        let length = usize::read(input)?;
        if length > input.rest.len() {
            return None;
        }
        (0..length).map(|_| T::read(input)).collect()
    }
}

/// Bit of a move that is a push, above the two of its direction.
const PUSH: u8 = 4;

impl Field for Lurd {
    fn write(&self, out: &mut Vec<u8>) {
        let bits = |step: &Step| step.dir() as u8 | if step.is_push() { PUSH } else { 0 };
        self.len().write(out);
        out.extend(self.steps().chunks(2).map(|pair| bits(&pair[0]) | pair.get(1).map_or(0, bits) << 4));
    }

    fn read(input: &mut FieldReader<'_>) -> Option<Self> {
        let length = usize::read(input)?;
        let pairs = input.take(length.div_ceil(2))?;
        let step = |bits: u8| {
            let dir = Direction::ALL[usize::from(bits & 3)];
            if bits & PUSH == 0 { Step::Walk(dir) } else { Step::Push(dir) }
        };
        Some(pairs.iter().flat_map(|pair| [step(*pair), step(pair >> 4)]).take(length).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn round_trip<T: Field>(value: &T) -> Option<T> {
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        // Cut off anywhere, it is none, or it would not tell where it ends.
        assert!((0..bytes.len()).all(|n| T::read(&mut FieldReader::new(&bytes[..n])).is_none()));
        let mut input = FieldReader::new(&bytes);
        let value = T::read(&mut input);
        assert!(input.is_at_end());
        value
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            number in 0..=MAX_NUMBER,
            bits: u64,
            flag: bool,
            text: String,
            list: Vec<u32>,
            seconds in 0..1_000_000_u64,
            moves in "[udlrUDLR]{0,40}",
        ) {
            prop_assert_eq!(round_trip(&number), Some(number));
            prop_assert_eq!(round_trip(&Bits(bits)), Some(Bits(bits)));
            prop_assert_eq!(round_trip(&text), Some(text));
            prop_assert_eq!(round_trip(&Some(list.clone())), Some(Some(list)));
            prop_assert_eq!(round_trip(&flag), Some(flag));
            let time = Duration::from_secs(seconds);
            prop_assert_eq!(round_trip(&time), Some(time));
            let moves: Lurd = moves.parse().unwrap();
            prop_assert_eq!(round_trip(&moves), Some(moves));
        }
    }

    #[test]
    fn numbers_are_short_and_have_a_limit() {
        let bytes = |number: u64| {
            let mut bytes = Vec::new();
            number.write(&mut bytes);
            bytes
        };
        assert_eq!((bytes(0), bytes(127), bytes(300)), (vec![0], vec![127], vec![0xac, 2]));
        assert_eq!(round_trip(&u64::MAX), Some(MAX_NUMBER));
        assert_eq!(u64::read(&mut FieldReader::new(&[0xff; 20])), None);
        let too_large = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f];
        assert_eq!(u64::read(&mut FieldReader::new(&too_large)), None);
    }

    #[test]
    fn lengths_that_are_lies_are_refused_before_anything_is_allocated() {
        let mut bytes = Vec::new();
        MAX_NUMBER.write(&mut bytes);
        bytes.extend([0; 100]);
        assert_eq!(Vec::<u64>::read(&mut FieldReader::new(&bytes)), None);
        assert_eq!(String::read(&mut FieldReader::new(&bytes)), None);
        assert_eq!(Lurd::read(&mut FieldReader::new(&bytes)), None);
    }

    #[test]
    fn other_values_are_refused() {
        assert_eq!(bool::read(&mut FieldReader::new(&[2])), None);
        assert_eq!(String::read(&mut FieldReader::new(&[1, 0xff])), None);
        assert_eq!(Objective::read(&mut FieldReader::new(&[2, b'n', b'o'])), None);
        assert_eq!(round_trip(&Objective::PUSHES_ONLY), Some(Objective::PUSHES_ONLY));
    }

    #[test]
    fn values_nest_to_a_depth() {
        fn depth(input: &mut FieldReader<'_>, n: u32) -> Option<u32> {
            if n == 0 { Some(0) } else { input.nested(|input| depth(input, n - 1)).map(|depth| depth + 1) }
        }
        assert_eq!(depth(&mut FieldReader::new(&[]), MAX_DEPTH), Some(MAX_DEPTH));
        assert_eq!(depth(&mut FieldReader::new(&[]), MAX_DEPTH + 1), None);
    }
}
