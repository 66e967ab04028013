//! How much memory there is, as the system tells it. Where it does not tell, a modest guess.

use std::fs;
use std::path::Path;

/// What is assumed to be free when nobody says.
const FALLBACK: u64 = 2 << 30;

/// Returns the bytes that could be used now without disturbing others, honoring the limits of control groups.
pub(crate) fn free_memory() -> u64 {
    let free = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    group_room().into_iter().fold(free.unwrap_or(FALLBACK), u64::min)
}

/// Returns the bytes that this process occupies now.
pub(crate) fn resident_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").ok();
    status.and_then(|text| kibibytes(&text, "VmRSS:")).unwrap_or(16 << 20)
}

/// Room left in each control group that we belong to, of both versions of the interface.
fn group_room() -> Vec<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups.lines().flat_map(group_files).filter_map(|(limit, used)| room(&limit, &used)).collect()
}

/// Names the files of limit and use for a line such as `0::/user.slice` or `4:memory:/job`, the whole path and the
/// root, because a container often sees its own group as the root.
fn group_files(line: &str) -> Vec<(String, String)> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let path = path.trim_end_matches('/');
    let (root, limit, used) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
        "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
        _ => return Vec::new(),
    };
    let pair = |path: &str| (format!("{root}{path}/{limit}"), format!("{root}{path}/{used}"));
    vec![pair(path), pair("")]
}

/// `None` if there is no such group or no limit; `max` is not a number.
fn room(limit: &str, used: &str) -> Option<u64> {
    let number = |path: &str| fs::read_to_string(Path::new(path)).ok()?.trim().parse::<u64>().ok();
    Some(number(limit)?.saturating_sub(number(used).unwrap_or(0)))
}

/// Finds a line such as `MemAvailable:   24105 kB`.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernel_texts() {
        assert_eq!(kibibytes("MemTotal: 9 kB\nMemAvailable:   24 kB\n", "MemAvailable:"), Some(24 << 10));
        assert_eq!(kibibytes("MemTotal: 9 kB\n", "MemAvailable:"), None);
        let (limit, _) = &group_files("0::/user.slice")[0];
        assert_eq!(limit, "/sys/fs/cgroup/user.slice/memory.max");
        assert!(group_files("7:blkio:/").is_empty());
    }

    #[test]
    fn there_is_always_an_answer() {
        assert!(free_memory() > 0 && resident_memory() > 0);
    }
}
