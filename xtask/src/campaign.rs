//! `cargo xtask campaign NAME [--for 2h]`: long attacks on what Soko promises, which anyone can repeat.
//!
//! A campaign tries until its time is over. It writes a log and one last line, and each defect that it finds into a file
//! of its own, with what is needed to repeat it. The report is `docs/trust.md`.
//!
//! # Contents
//! * `run`: [`CampaignRun`], the limits, the log and the defects of a run. Start here.
//! * `soko`: the program that is attacked, and the folder of a trial.
//! * `served`: the server of the pages.
//! * `fleet_gains`: what workers of a fleet have reported.
//! * The campaigns, one file each: `soundness`, `fuzzing`, `command_lines`, `mutation_tests`, `faults`, `kills`,
//!   `repeatability`, `soak`.
//!
//! A new campaign is a file with a `pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()>`, and a row in
//! [`CAMPAIGNS`].

mod command_lines;
mod faults;
mod fleet_gains;
mod fuzzing;
mod kills;
mod mutation_tests;
mod repeatability;
mod run;
mod served;
mod soak;
mod soko;
mod soundness;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;

use self::run::CampaignRun;

/// Arguments of `cargo xtask campaign`.
#[derive(Debug, Args)]
pub(crate) struct CampaignArgs {
    /// Campaign to run; `--list` prints all
    #[arg(value_parser = named, required_unless_present = "list")]
    name: Option<&'static Campaign>,
    /// How long to try, such as 90s, 30m or 2h
    #[arg(long = "for", value_name = "DURATION", default_value = "1m", value_parser = parse_duration)]
    time: Duration,
    /// Seed of all that is left to chance: the same seed tries the same, in the same order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to attack [default: the release build, made now]
    #[arg(long, value_name = "PROGRAM")]
    soko: Option<PathBuf>,
    /// Parts to try instead of all, such as `serve,work` of the kills; a name that is none lists them
    #[arg(long, value_name = "PART,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Print the campaigns
    #[arg(long)]
    list: bool,
}

/// A campaign, by name.
#[derive(Debug)]
struct Campaign {
    /// For the command line and the files: lower case, words joined by hyphens.
    name: &'static str,
    /// What it attacks, in one line.
    about: &'static str,
    /// What it counts, in the plural.
    unit: &'static str,
    /// Tries until [`CampaignRun::has_time`] ends. An error is a campaign that could not run, not a defect.
    run: fn(&mut CampaignRun) -> anyhow::Result<()>,
}

/// Every campaign.
const CAMPAIGNS: &[Campaign] = &[
    Campaign {
        name: "soundness",
        about: "every answer of solver and optimizer on small levels, against exhaustive search",
        unit: "levels",
        run: soundness::run,
    },
    Campaign {
        name: "fuzzing",
        about: "every reader on input that a coverage-guided fuzzer makes up",
        unit: "executions",
        run: fuzzing::run,
    },
    Campaign {
        name: "command-lines",
        about: "options as people and scripts write them, well and badly, in any number and order",
        unit: "command lines",
        run: command_lines::run,
    },
    Campaign {
        name: "mutation-tests",
        about: "whether the tests notice small changes to what everything else believes",
        unit: "changes",
        run: mutation_tests::run,
    },
    Campaign {
        name: "faults",
        about: "calls of the system that fail, and a system that is short of something",
        unit: "runs",
        run: faults::run,
    },
    Campaign {
        name: "kills",
        about: "sudden death at random moments: nothing that was reported is lost, no file broken",
        unit: "kills",
        run: kills::run,
    },
    Campaign {
        name: "repeatability",
        about: "work-limited runs by other builds, on other processors, beside others: the same bytes",
        unit: "runs",
        run: repeatability::run,
    },
    Campaign {
        name: "soak",
        about: "a night, the pages and a fleet for long: memory, handles and latency stay as they are",
        unit: "samples",
        run: soak::run,
    },
];

/// Runs a campaign.
///
/// # Errors
/// It found a defect, or could not run.
pub(crate) fn run(args: &CampaignArgs) -> anyhow::Result<()> {
    let Some(campaign) = args.name.filter(|_| !args.list) else {
        CAMPAIGNS.iter().for_each(|campaign| println!("{:16}{}", campaign.name, campaign.about));
        return Ok(());
    };
    let folder = crate::workspace::root().join("target/campaign");
    let run = CampaignRun::start(campaign.name, campaign.unit, &folder, args.seed, args.time)?;
    let mut run = run.of_program(args.soko.clone()).of_parts(&args.only);
    let end = (campaign.run)(&mut run).with_context(|| format!("the campaign {} was cut short", campaign.name));
    println!("{}", run.finish()?);
    end?;
    let n_defects = run.n_defects();
    ensure!(n_defects == 0, "the campaign {} found defects: they are in {}", campaign.name, run.folder().display());
    Ok(())
}

fn named(name: &str) -> Result<&'static Campaign, String> {
    let names: Vec<_> = CAMPAIGNS.iter().map(|campaign| campaign.name).collect();
    let found = CAMPAIGNS.iter().find(|campaign| campaign.name == name);
    found.ok_or_else(|| format!("there is no campaign '{name}'; there are {}", names.join(", ")))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let wanted = || format!("'{text}' is no duration; write it like 90s, 30m or 2h");
    let duration: jiff::SignedDuration = text.parse().map_err(|_| wanted())?;
    Duration::try_from(duration).map_err(|_| wanted())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_secs(5_400)));
        for bad in ["", "2", "-2h", "soon"] {
            assert!(parse_duration(bad).is_err_and(|error| error.contains("2h")), "{bad}");
        }
    }

    #[test]
    fn campaigns_are_found_by_their_names() {
        for campaign in CAMPAIGNS {
            assert_eq!(named(campaign.name).map(|found| found.name), Ok(campaign.name));
        }
        assert!(
            named("luck")
                .is_err_and(|error| error.contains("there are soundness, fuzzing, command-lines, mutation-tests"))
        );
    }
}
