//! What this process occupies, and how it stays within what it is allowed.
//!
//! Searches charge what they take to an account, and give back what they no longer need. The C library of Linux keeps
//! freed memory within the part of the heap that belongs to the thread that had it, for that thread alone: a process
//! whose searches hold 220 MiB of 256 came to occupy 460 in two hours. [`keep_within`] has such memory given back to
//! the system: large pieces and the ends of heaps at once, what is free between pieces when little is left. With other
//! systems and C libraries nothing is done.
#![cfg_attr(all(target_os = "linux", target_env = "gnu"), expect(unsafe_code, reason = "calls the C library"))]

use std::fs;
use std::thread::{Builder, sleep};
use std::time::Duration;

use parking_lot::Mutex;
use sokosearch::{Clock, MemoryAccount};

use crate::free_memory::kibibytes;

/// How long a measurement of resident memory is used: one takes some 25 microseconds, and a small level a millisecond.
const RESIDENT_FOR: Duration = Duration::from_millis(20);
/// Time between two looks at resident memory.
const LOOK: Duration = Duration::from_millis(500);
/// With all but one part in so many occupied, free memory is given back.
const SPARE_SHARE: u64 = 8;
/// It is given back again as soon as another part of so many is occupied.
const MORE_SHARE: u64 = 32;
/// Bytes of a piece of memory that is given back by itself.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: std::ffi::c_int = 1 << 20;

/// Returns the bytes that this process occupies now.
pub(crate) fn resident_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").ok();
    status.and_then(|text| kibibytes(&text, "VmRSS:")).unwrap_or(16 << 20)
}

/// The bytes that this process occupies, asked for again and again.
#[derive(Debug, Default)]
pub(crate) struct ResidentMemory {
    last: Mutex<Option<(Clock, u64)>>,
}

impl ResidentMemory {
    /// Returns the bytes that the process occupied at most [`RESIDENT_FOR`] ago.
    pub(crate) fn bytes(&self) -> u64 {
        let mut last = self.last.lock();
        match *last {
            Some((since, bytes)) if since.elapsed() < RESIDENT_FOR => bytes,
            _ => {
                let bytes = resident_memory();
                *last = Some((Clock::start(), bytes));
                bytes
            }
        }
    }
}

/// Returns the bytes of what the process is allowed that are left to the searches of so many threads.
pub(crate) fn memory_of_searches(allowed: u64, n_threads: usize) -> u64 {
    MemoryAccount::left_for_searches(allowed, resident_memory(), n_threads)
}

/// From now to the end of the process, has free memory given back to the system so that these bytes suffice.
///
/// It takes a thread, and does without where the system gives none: call it when Ctrl-C is listened to, which cannot.
pub(crate) fn keep_within(allowed: u64) {
    give_back_at_once();
    let mut trimmer = Trimmer::new(allowed);
    let keep = move || {
        loop {
            sleep(LOOK);
            trimmer.look(resident_memory, give_back);
        }
    };
    // Without a thread for it, the process may occupy more.
    drop(Builder::new().name("memory".to_owned()).spawn(keep));
}

/// When free memory is given back.
#[derive(Debug)]
struct Trimmer {
    allowed: u64,
    /// The bytes from which it is given back next.
    limit: u64,
}

impl Trimmer {
    const fn new(allowed: u64) -> Self {
        Self { allowed, limit: Self::least_limit(allowed) }
    }

    const fn least_limit(allowed: u64) -> u64 {
        allowed - allowed / SPARE_SHARE
    }

    /// Gives memory back if too much is occupied. What is still occupied then is in use: the limit follows it, upwards
    /// only when memory was given back, so that slow growth is noticed.
    fn look(&mut self, resident: impl Fn() -> u64, give_back: impl FnOnce()) {
        let next_limit = |resident: u64| Self::least_limit(self.allowed).max(resident + self.allowed / MORE_SHARE);
        let before = resident();
        self.limit = if before > self.limit {
            give_back();
            next_limit(resident())
        } else {
            self.limit.min(next_limit(before))
        };
    }
}

/// Has pieces from [`LARGE`] bytes on, and that much at the end of a heap, given back as soon as they are free. By itself
/// the C library raises both limits, up to 64 MiB, when large pieces are freed.
fn give_back_at_once() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for limit in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: it takes numbers alone, has no premises, and may be called from any thread.
        unsafe {
            libc::mallopt(limit, LARGE);
        }
    }
}

/// Gives what the C library keeps free between the pieces of all heaps back to the system.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it takes a number alone, has no premises, and may be called from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// What is occupied at each look of a process that is allowed 256, and whether memory is given back then: `kept` is
    /// what is in use after it.
    #[track_caller]
    fn check(looks: &[(u64, u64, bool)]) {
        let mut trimmer = Trimmer::new(256);
        for (at, &(occupied, kept, expect)) in looks.iter().enumerate() {
            let resident = Cell::new(occupied);
            trimmer.look(|| resident.get(), || resident.set(kept));
            assert_eq!(resident.get() != occupied, expect, "look {at}");
        }
    }

    #[test]
    fn free_memory_is_given_back_when_little_is_left() {
        check(&[(100, 60, false), (224, 60, false), (225, 60, true), (200, 60, false), (230, 60, true)]);
    }

    #[test]
    fn what_is_in_use_is_not_asked_for_again_at_each_look() {
        check(&[(240, 239, true), (247, 230, false), (248, 241, true), (249, 241, false), (250, 241, true)]);
        // Slow growth is noticed, and the limit comes down with what is occupied.
        check(&[(250, 249, true), (232, 230, false), (239, 230, false), (241, 230, true)]);
        check(&[(250, 249, true), (100, 90, false), (225, 90, true)]);
    }

    #[test]
    fn memory_is_measured() {
        assert!(resident_memory() > 0);
        assert_eq!(ResidentMemory::default().bytes() >> 30, 0);
        give_back();
    }

    /// What a thread had and freed is given back, though a piece behind it is still in use.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn free_memory_below_a_piece_in_use_is_given_back() {
        let (done, wait) = crossbeam::channel::bounded::<()>(0);
        let (tell, told) = crossbeam::channel::bounded(1);
        let thread = std::thread::spawn(move || {
            // Pieces so small that they are of the heap, not mappings of their own.
            let pieces: Vec<Vec<u8>> = (0..2_000).map(|_| vec![1; 32 << 10]).collect();
            let last = vec![1_u8; 32 << 10];
            drop(pieces);
            tell.send(()).unwrap();
            let _ended = wait.recv();
            last.len()
        });
        told.recv().unwrap();
        let before = resident_memory();
        give_back();
        let after = resident_memory();
        drop(done);
        assert_eq!(thread.join().unwrap(), 32 << 10);
        assert!(after + (32 << 20) < before, "{before} bytes before, {after} after");
    }
}
