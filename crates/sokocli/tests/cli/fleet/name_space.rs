//! Name spaces of the system: a network or mounts of their own, which go when the test ends, however it ends.
//!
//! A shell holds each of them, and ends with the test that it reads from. Nothing outside is changed, and no rights are
//! needed where the system lets users have name spaces.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A name space with what was set up in it.
pub(super) struct NameSpace {
    holder: Child,
    /// Options of `nsenter`.
    kind: &'static str,
}

impl NameSpace {
    /// Makes a network, beside another one if that is given, and runs a script of the shell in it; an error says why not.
    pub(super) fn network(beside: Option<&Self>, script: &str) -> Result<Self, String> {
        match beside {
            Some(other) => Self::of(Command::new("nsenter").args(other.options()).arg("unshare"), "--net", script),
            None => Self::of(Command::new("unshare").arg("--map-root-user"), "--net", script),
        }
    }

    /// Makes a place where file systems can be mounted, and runs a script of the shell in it; an error says why not.
    pub(super) fn mounts(script: &str) -> Result<Self, String> {
        Self::of(Command::new("unshare").arg("--map-root-user"), "--mount", script)
    }

    fn of(command: &mut Command, kind: &'static str, script: &str) -> Result<Self, String> {
        let script = format!("({script}) 2>&1 && echo ready && read -r end");
        command.args([kind, "sh", "-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut holder = command.spawn().map_err(|error| error.to_string())?;
        let said = BufReader::new(holder.stdout.take().expect("invariant: it is piped"));
        // Scripts here say nothing unless they fail.
        let first = said.lines().next().and_then(Result::ok).unwrap_or_else(|| "unshare is refused".to_owned());
        let made = Self { holder, kind };
        if first == "ready" { Ok(made) } else { Err(first) }
    }

    fn options(&self) -> Vec<String> {
        let of = self.holder.id().to_string();
        ["--preserve-credentials", "--user", self.kind, "--target", &of].map(str::to_owned).to_vec()
    }

    /// Returns the command that starts a program in it.
    pub(super) fn enter(&self) -> Vec<String> {
        [vec!["nsenter".to_owned()], self.options()].concat()
    }

    /// Runs a script of the shell in it; an error is what it says.
    pub(super) fn run(&self, script: &str) -> Result<(), String> {
        let output = Command::new("nsenter").args(self.options()).args(["sh", "-c", script]).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()) }
    }
}

impl Drop for NameSpace {
    fn drop(&mut self) {
        self.holder.kill().ok();
        self.holder.wait().ok();
    }
}

/// Computers in a network: each has its own, and a cable into a bridge.
pub(super) struct Computers {
    bridge: NameSpace,
    computers: Vec<NameSpace>,
}

impl Computers {
    /// Connects so many computers, which are numbered from 0.
    pub(super) fn connected(n_computers: usize) -> Result<Self, String> {
        let bridge = NameSpace::network(None, "ip link add bridge type bridge && ip link set bridge up")?;
        let mut computers = Vec::new();
        for at in 0..n_computers {
            let computer = NameSpace::network(Some(&bridge), "ip link set lo up")?;
            let pid = computer.holder.id();
            bridge.run(&format!(
                "ip link add cable{at} type veth peer name eth0 netns {pid} && ip link set cable{at} master bridge up"
            ))?;
            computer.run(&format!("ip address add {}/24 dev eth0 && ip link set eth0 up", Self::address(at)))?;
            computers.push(computer);
        }
        Ok(Self { bridge, computers })
    }

    /// Returns the address of a computer.
    pub(super) fn address(at: usize) -> String {
        format!("10.77.0.{}", at + 1)
    }

    /// Returns the command that starts a program on a computer.
    pub(super) fn enter(&self, at: usize) -> Vec<String> {
        self.computers[at].enter()
    }

    /// Takes the cable of a computer out of the bridge, or puts it back. What is sent meanwhile vanishes, and its sender is
    /// told nothing.
    pub(super) fn set_connected(&self, at: usize, is_connected: bool) {
        let master = if is_connected { "master bridge" } else { "nomaster" };
        self.bridge.run(&format!("ip link set cable{at} {master}")).unwrap();
    }

    /// Makes the cable of a computer slow and lossy; an error says why not.
    pub(super) fn set_bad(&self, at: usize) -> Result<(), String> {
        self.bridge.run(&format!("tc qdisc add dev cable{at} root netem delay 100ms 50ms loss 5%"))
    }
}
