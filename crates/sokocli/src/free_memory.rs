//! How much memory there is, as the system tells it. Where it does not tell, a modest guess.
//!
//! A process may use what the machine has available, and no more than its own limit of addresses (`ulimit -v`) leaves, nor
//! than what is left in any of the control groups above it: a limit may be set at any height, so all heights are looked
//! at, in both versions of the interface.
//!
//! ```text
//!  /proc/self/cgroup   0::/user.slice/job              /sys/fs/cgroup/user.slice/job/memory.max - use
//!                                                      /sys/fs/cgroup/user.slice/memory.max     - use
//!                                                      /sys/fs/cgroup/memory.max                - use   the least of all
//!  use = memory.current less inactive_file of memory.stat: what was read from files and can be dropped at any time
//! ```

use std::fs;
use std::path::{Path, PathBuf};

/// What is assumed to be free where the system does not tell.
const FALLBACK: u64 = 2 << 30;
/// What is assumed to be free even if the system says that there is less: a search needs something to begin with.
const LEAST: u64 = 64 << 20;

/// Returns the bytes that could be used now without disturbing others, honoring the limits of control groups.
pub(crate) fn free_memory() -> u64 {
    System { root: PathBuf::from("/") }.free()
}

/// The system's files below a directory: the root, or that of a test.
#[derive(Debug)]
struct System {
    root: PathBuf,
}

/// The files of one version of control groups.
#[derive(Clone, Copy, Debug)]
struct Interface {
    /// Where it is mounted.
    mount: &'static str,
    limit: &'static str,
    used: &'static str,
    /// The line of `memory.stat` about what can be dropped, of the group and all below it.
    droppable: &'static str,
}

const VERSION_2: Interface =
    Interface { mount: "sys/fs/cgroup", limit: "memory.max", used: "memory.current", droppable: "inactive_file " };
/// Version 2 beside version 1.
const HYBRID: Interface = Interface { mount: "sys/fs/cgroup/unified", ..VERSION_2 };
const VERSION_1: Interface = Interface {
    mount: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    droppable: "total_inactive_file ",
};

impl System {
    fn free(&self) -> u64 {
        let text = self.read(Path::new("proc/meminfo"));
        let free = text.and_then(|text| kibibytes(&text, "MemAvailable:")).unwrap_or(FALLBACK);
        let groups = self.read(Path::new("proc/self/cgroup")).unwrap_or_default();
        groups
            .lines()
            .flat_map(groups_of)
            .filter_map(|(group, files)| self.room(&group, files))
            .chain(self.room_of_addresses())
            .fold(free, u64::min)
            .max(LEAST)
    }

    /// The bytes left of what this process may map; `None` if there is no limit.
    fn room_of_addresses(&self) -> Option<u64> {
        let limits = self.read(Path::new("proc/self/limits"))?;
        let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        let limit = limit.split_whitespace().next()?.parse::<u64>().ok()?;
        let status = self.read(Path::new("proc/self/status"));
        let mapped = status.and_then(|text| kibibytes(&text, "VmSize:")).unwrap_or(0);
        Some(limit.saturating_sub(mapped))
    }

    fn read(&self, path: &Path) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// The bytes left in a group; `None` if there is no such group or no limit: `max` is not a number, and version 1
    /// writes a limit that no machine has.
    fn room(&self, group: &Path, files: Interface) -> Option<u64> {
        let number = |name: &str| self.read(&group.join(name))?.trim().parse::<u64>().ok();
        let limit = number(files.limit)?;
        let stat = self.read(&group.join("memory.stat")).unwrap_or_default();
        let droppable = stat.lines().find_map(|line| line.strip_prefix(files.droppable)?.trim().parse().ok());
        let used = number(files.used).unwrap_or(0).saturating_sub(droppable.unwrap_or(0));
        Some(limit.saturating_sub(used))
    }
}

/// Names the groups of a line such as `0::/user.slice/job` or `4:memory:/job`: itself and all above it. A container
/// often sees its own group as the root, which is among them.
fn groups_of(line: &str) -> Vec<(PathBuf, Interface)> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let interfaces: &[Interface] = match controllers {
        "" => &[VERSION_2, HYBRID],
        _ if controllers.split(',').any(|controller| controller == "memory") => &[VERSION_1],
        _ => &[],
    };
    let path = Path::new(path.trim_start_matches('/'));
    let groups = |files: &Interface| {
        let files = *files;
        path.ancestors().map(move |group| (Path::new(files.mount).join(group), files)).collect::<Vec<_>>()
    };
    interfaces.iter().flat_map(groups).collect()
}

/// Returns the bytes that the machine has, if the system tells.
pub(crate) fn total_memory() -> Option<u64> {
    fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemTotal:"))
}

/// Finds a line such as `MemAvailable:   24105 kB`.
pub(crate) fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    /// What a machine with 8 GiB available tells whose system files are these.
    #[track_caller]
    fn check(files: &[(&str, &str)], expect: u64) {
        let desk = tempfile::tempdir().unwrap();
        let machine = ("proc/meminfo", "MemTotal: 16777216 kB\nMemAvailable:   8388608 kB\n");
        for (path, text) in [machine].iter().chain(files) {
            let path = desk.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        assert_eq!(System { root: desk.path().to_owned() }.free(), expect);
    }

    #[test]
    fn reads_the_kernel_texts() {
        assert_eq!(kibibytes("MemTotal: 9 kB\nMemAvailable:   24 kB\n", "MemAvailable:"), Some(24 << 10));
        assert_eq!(kibibytes("MemTotal: 9 kB\n", "MemAvailable:"), None);
        assert!(groups_of("7:blkio:/").is_empty() && groups_of("nonsense").is_empty());
        let desk = tempfile::tempdir().unwrap();
        assert_eq!(System { root: desk.path().to_owned() }.free(), FALLBACK);
    }

    #[test]
    fn without_limits_it_is_what_the_machine_has() {
        check(&[], 8 * GIB);
        let version_2 = [
            ("proc/self/cgroup", "0::/user.slice\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "max\n"),
            ("sys/fs/cgroup/user.slice/memory.current", "123\n"),
        ];
        check(&version_2, 8 * GIB);
        let version_1 = [
            ("proc/self/cgroup", "4:memory:/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n"),
        ];
        check(&version_1, 8 * GIB);
    }

    /// The limit in the middle is the least, whatever is said above and below it.
    #[test]
    fn of_all_groups_above_the_least_room_counts() {
        let files = [
            ("proc/self/cgroup", "0::/a/b/c\n"),
            ("sys/fs/cgroup/a/b/c/memory.max", "4294967296\n"),
            ("sys/fs/cgroup/a/b/c/memory.current", "0\n"),
            ("sys/fs/cgroup/a/b/memory.max", "3221225472\n"),
            ("sys/fs/cgroup/a/b/memory.current", "2147483648\n"),
            ("sys/fs/cgroup/a/memory.max", "6442450944\n"),
            ("sys/fs/cgroup/a/memory.current", "2147483648\n"),
        ];
        check(&files, GIB);
    }

    #[test]
    fn both_versions_at_once_and_joined_controllers() {
        let files = [
            ("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory,hugetlb:/job/step\n0::/job\n"),
            ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n"),
            ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "536870912\n"),
            ("sys/fs/cgroup/unified/job/memory.max", "5368709120\n"),
        ];
        check(&files, 2 * GIB - GIB / 2);
    }

    /// In a container the path is that of the host, and the group is mounted as the root.
    #[test]
    fn a_container_sees_its_group_as_the_root() {
        let files = [
            ("proc/self/cgroup", "0::/kubepods/pod7\n"),
            ("sys/fs/cgroup/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/memory.current", "268435456\n"),
        ];
        check(&files, GIB - GIB / 4);
    }

    /// Files that were read stay in memory until it is needed for something else: they are no use of it.
    #[test]
    fn what_can_be_dropped_is_free() {
        let version_2 = [
            ("proc/self/cgroup", "0::/job\n"),
            ("sys/fs/cgroup/job/memory.max", "2147483648\n"),
            ("sys/fs/cgroup/job/memory.current", "2147483648\n"),
            ("sys/fs/cgroup/job/memory.stat", "anon 5\nfile 1610612736\ninactive_file 1073741824\n"),
        ];
        check(&version_2, GIB);
        let version_1 = [
            ("proc/self/cgroup", "4:memory:/job\n"),
            ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n"),
            ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "2147483648\n"),
            ("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 1073741824\n"),
        ];
        check(&version_1, GIB);
    }

    #[test]
    fn the_limit_of_addresses_counts() {
        let limits = |limit: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units\n\
                     Max cpu time              unlimited            unlimited            seconds\n\
                     Max address space         {limit:21}unlimited            bytes\n"
            )
        };
        let status = ("proc/self/status", "VmPeak:\t 9999999 kB\nVmSize:\t  524288 kB\n");
        check(&[("proc/self/limits", &limits("2147483648")), status], 2 * GIB - GIB / 2);
        check(&[("proc/self/limits", &limits("unlimited")), status], 8 * GIB);
        check(&[("proc/self/limits", &limits("1000")), status], LEAST);
    }

    #[test]
    fn there_is_always_something_to_begin_with() {
        let files = [
            ("proc/self/cgroup", "0::/full\n"),
            ("sys/fs/cgroup/full/memory.max", "1000\n"),
            ("sys/fs/cgroup/full/memory.current", "2000\n"),
        ];
        check(&files, LEAST);
        assert!(free_memory() >= LEAST);
    }
}
