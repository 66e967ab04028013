//! Text of a host, ended by a NUL.
#![expect(unsafe_code, reason = "reads and writes the host's memory")]

/// The text that a host hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostText {
    /// Ended by a NUL within the size.
    Ended(Vec<u8>),
    /// As long as the size, without a NUL.
    Open(Vec<u8>),
}

impl HostText {
    /// Returns the bytes.
    pub(crate) fn bytes(self) -> Vec<u8> {
        match self {
            Self::Ended(bytes) | Self::Open(bytes) => bytes,
        }
    }
}

/// Copies the bytes before the first NUL, `max` of them at most. No byte after the NUL is read.
///
/// # Safety
/// `from` must point to bytes that can be read, up to a NUL or `max` of them.
pub(crate) unsafe fn read(from: *const u8, max: usize) -> HostText {
    let mut bytes = Vec::new();
    while bytes.len() < max {
        // SAFETY: all bytes before were not NUL, and there are fewer than `max`, so this one can be read.
        match unsafe { from.add(bytes.len()).read() } {
            0 => return HostText::Ended(bytes),
            byte => bytes.push(byte),
        }
    }
    HostText::Open(bytes)
}

/// Writes as much of a text as fits, and a NUL; nothing if `size` is 0. Returns whether all of it fits.
///
/// # Safety
/// `to` must point to `size` bytes that can be written.
pub(crate) unsafe fn write(to: *mut u8, size: usize, text: &[u8]) -> bool {
    let Some(room) = size.checked_sub(1) else { return false };
    let n = text.len().min(room);
    // SAFETY: `n + 1 <= size` bytes are written, and the text is memory of our own.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr(), n);
        to.add(n).write(0);
    }
    n == text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_at_the_nul_or_at_the_size() {
        // SAFETY: the sizes are those of the arrays.
        unsafe {
            assert_eq!(read(b"ab\0c".as_ptr(), 4), HostText::Ended(b"ab".to_vec()));
            assert_eq!(read(b"abcd".as_ptr(), 4), HostText::Open(b"abcd".to_vec()));
            assert_eq!(read(std::ptr::null(), 0), HostText::Open(Vec::new()));
        }
    }

    #[test]
    fn writing_keeps_to_the_size() {
        let mut buffer = *b"......";
        // SAFETY: the sizes are those of the array, or less.
        unsafe {
            assert!(write(buffer.as_mut_ptr(), 6, b"abc"));
            assert_eq!(&buffer, b"abc\0..");
            assert!(!write(buffer.as_mut_ptr(), 3, b"xyz"));
            assert_eq!(&buffer, b"xy\0\0..");
            assert!(!write(std::ptr::null_mut(), 0, b"xyz"));
        }
    }
}
