//! The status record of a call: numbers and a line of text that the host shows while a search runs.
//!
//! ```text
//!   0     4      8                16                24                32           288      292
//!   ├─────┼──────┼────────────────┼─────────────────┼─────────────────┼────────────┼────────┤
//!   │size │flags │ moves generated│ pushes generated│ states generated│ text, NUL  │time ms │
//! ```
//!
//! Invariant: no byte beyond the size that the host has written into the record, nor beyond 292, is read or written. A
//! field that does not fit into that size is left out; the text is cut.
#![expect(unsafe_code, reason = "reads and writes the host's memory")]

use std::mem::offset_of;
use std::time::Duration;

/// The record as hosts declare it: packed, 292 bytes. C compilers that align the numbers make it 296 bytes long, with the
/// same places.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed)]
pub struct PluginStatus {
    /// Size of the record in bytes, set by the host.
    pub size: u32,
    /// What is optimized, and what is known of the result; set by both.
    pub flags: u32,
    /// Moves that a search has generated; 0 here, since the searches generate pushes.
    pub moves_generated: i64,
    /// Pushes that a search has generated.
    pub pushes_generated: i64,
    /// Positions that a search has visited.
    pub states_generated: i64,
    /// A line in 7-bit letters, ended by a NUL. The last byte is never written: hosts give it a meaning of its own.
    pub text: [u8; 256],
    /// Time of the call in milliseconds.
    pub time_ms: u32,
}

const _: () = assert!(size_of::<PluginStatus>() == 292);

/// Bytes for the text and its NUL: the last byte of the field is the host's.
const MAX_TEXT: usize = 255;

/// The status record of a host. It may be absent: null, or too small for any field.
#[derive(Debug)]
pub(crate) struct Status {
    record: *mut u8,
    /// Bytes that may be touched.
    size: usize,
}

impl Status {
    /// Accepts the record of a host.
    ///
    /// # Safety
    /// `record` must be null or point to at least four bytes, which hold the number of bytes that can be read and written
    /// as long as the value exists.
    pub(crate) unsafe fn new(record: *mut PluginStatus) -> Self {
        let record: *mut u8 = record.cast();
        if record.is_null() {
            return Self { record, size: 0 };
        }
        // SAFETY: there are four bytes, which need not be aligned.
        let size = unsafe { record.cast::<u32>().read_unaligned() };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Self { record, size: size.min(size_of::<PluginStatus>()) }
    }

    /// Returns the flags; none if there are none.
    pub(crate) fn flags(&self) -> u32 {
        let at = offset_of!(PluginStatus, flags);
        if at + size_of::<u32>() > self.size {
            return 0;
        }
        // SAFETY: the four bytes are within the record.
        unsafe { self.record.add(at).cast::<u32>().read_unaligned() }
    }

    /// Sets the flags.
    pub(crate) fn set_flags(&mut self, flags: u32) {
        self.write(offset_of!(PluginStatus, flags), &flags.to_ne_bytes());
    }

    /// Sets the counters.
    pub(crate) fn set_counts(&mut self, pushes: u64, states: u64) {
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX).to_ne_bytes();
        self.write(offset_of!(PluginStatus, moves_generated), &number(0));
        self.write(offset_of!(PluginStatus, pushes_generated), &number(pushes));
        self.write(offset_of!(PluginStatus, states_generated), &number(states));
    }

    /// Sets the time of the call.
    pub(crate) fn set_time(&mut self, time: Duration) {
        let millis = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        self.write(offset_of!(PluginStatus, time_ms), &millis.to_ne_bytes());
    }

    /// Sets the text: one line in 7-bit letters, cut where the field ends.
    pub(crate) fn set_text(&mut self, text: &str) {
        let at = offset_of!(PluginStatus, text);
        let room = self.size.saturating_sub(at).min(MAX_TEXT);
        let plain = |letter: char| match letter {
            ' '..='~' => letter as u8,
            _ if letter.is_whitespace() => b' ',
            _ => b'?',
        };
        let mut line: Vec<u8> = text.chars().map(plain).take(room.saturating_sub(1)).collect();
        if room > 0 {
            line.push(0);
            self.write(at, &line);
        }
    }

    /// Writes a field, if all of it is within the record.
    fn write(&mut self, at: usize, bytes: &[u8]) {
        if at + bytes.len() <= self.size {
            // SAFETY: the bytes are within the record, and those written are our own.
            unsafe { self.record.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills a record of this size with all that there is, and returns its bytes and those behind it.
    fn filled(size: u32) -> Vec<u8> {
        let mut bytes = vec![0xAA; 300];
        bytes[..4].copy_from_slice(&size.to_ne_bytes());
        // SAFETY: the record has 300 bytes, and no size here is larger than that, or it is cut to 292.
        let mut status = unsafe { Status::new(bytes.as_mut_ptr().cast()) };
        status.set_flags(5);
        status.set_counts(7, 9);
        status.set_time(Duration::from_millis(1_234));
        status.set_text(&"é\nx".repeat(200));
        bytes
    }

    #[test]
    fn a_whole_record_is_filled_up_to_the_last_byte_of_its_text() {
        for size in [292, 296, u32::MAX] {
            let bytes = filled(size);
            assert_eq!(bytes[4..8], 5_u32.to_ne_bytes());
            assert_eq!(bytes[16..24], 7_i64.to_ne_bytes());
            assert_eq!(bytes[24..32], 9_i64.to_ne_bytes());
            assert!(bytes[32..].starts_with(b"? x? x"));
            assert_eq!((bytes[286], bytes[287]), (0, 0xAA), "the last byte of the text is the host's");
            assert_eq!(bytes[288..292], 1_234_u32.to_ne_bytes());
            assert!(bytes[292..].iter().all(|&byte| byte == 0xAA));
        }
    }

    #[test]
    fn nothing_is_written_beyond_the_size() {
        for size in 0..292_u32 {
            let n = size as usize;
            assert!(filled(size)[n.max(4)..].iter().all(|&byte| byte == 0xAA), "{size} bytes");
        }
    }

    #[test]
    fn no_record_is_no_trouble() {
        // SAFETY: null is allowed.
        let mut status = unsafe { Status::new(std::ptr::null_mut()) };
        status.set_text("text");
        status.set_flags(1);
        assert_eq!(status.flags(), 0);
    }
}
