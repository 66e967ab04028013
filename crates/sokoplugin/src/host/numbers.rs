//! Numbers that a call returns through pointers.
#![expect(unsafe_code, reason = "writes the host's memory")]

/// Writes a number, unless the pointer is null. The address need not be aligned.
///
/// # Safety
/// `to` must be null or point to four bytes that can be written.
pub(crate) unsafe fn write(to: *mut u32, number: u32) {
    if !to.is_null() {
        // SAFETY: four bytes can be written there.
        unsafe { to.write_unaligned(number) };
    }
}
