//! The campaign `kills`: the program is killed at random moments, by a signal that it does not see. What it had reported is
//! kept, and every file and library is the old one or whole.
//!
//! | kind | killed | what must be there afterward |
//! |---|---|---|
//! | into | `soko optimize --into` | what was reported three seconds before, in a file that replays |
//! | library | `soko optimize --library` | the same, in the library |
//! | night | `soko night` | every gain that was reported, in the library |
//! | add | `soko library add` | all levels of the file or none, beside what was there |
//! | export | `soko library export --force` | the old file or the new one |
//! | compact | `soko library compact` | all that was there |
//! | serve | `soko serve`, with uploads and runs in progress | every upload and every run that was answered |
//! | work | `soko fleet work`, and in a third of the trials the server | what was reported three seconds before, by way of the next worker |
//! | submit | `soko fleet submit` | all levels after a second submission, each with its place in the queue |
//! | collect | `soko fleet collect` | the old file or the new one; a whole library |
//!
//! The kinds take turns. The library of a kind is used again and again, so that a kill also meets what the last one left.

mod fleet;

use std::cell::RefCell;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use sokosearch::Clock;

use self::fleet::FleetKills;
use super::run::CampaignRun;
use super::served::Served;
use super::soko::{Desk, Ended, SMALL, hard_level, lines_of, room_levels};
use crate::dataset::SplitMix64;

/// A find is in the file or in the library within a second; a busy machine gets two more.
const KEPT_WITHIN: Duration = Duration::from_secs(3);
/// Most time for a look at what was left, on a busy machine.
const LOOK_TIME: Duration = Duration::from_secs(300);
/// Levels of the collection that is added and exported.
const N_ROOMS: usize = 60;
/// A library is begun anew after so many kills.
const KILLS_PER_LIBRARY: u64 = 20;

/// A kind of kills, whose desk stays.
struct Kind<'a> {
    name: &'static str,
    kill: Kill<'a>,
    desk: Desk,
    n_kills: u64,
}

/// Kills once, and says what was lost.
type Kill<'a> = Box<dyn Fn(&Desk, &mut SplitMix64) -> anyhow::Result<Option<String>> + 'a>;

/// Kills until the time is over.
pub(super) fn run(run: &mut CampaignRun) -> anyhow::Result<()> {
    let soko = run.soko()?;
    let mut chance = SplitMix64(run.seed());
    let fleet = FleetKills::start()?.map(RefCell::new);
    let mut kills: Vec<(&'static str, Kill<'_>)> = vec![
        ("into", Box::new(into)),
        ("library", Box::new(library)),
        ("night", Box::new(night)),
        ("add", Box::new(add)),
        ("export", Box::new(export)),
        ("compact", Box::new(compact)),
        ("serve", Box::new(serve)),
    ];
    match &fleet {
        Some(fleet) => {
            kills.push(("work", Box::new(|desk, chance| fleet.borrow_mut().work(desk, chance))));
            kills.push(("submit", Box::new(|desk, chance| fleet.borrow_mut().submit(desk, chance))));
            kills.push(("collect", Box::new(|desk, chance| fleet.borrow_mut().collect(desk, chance))));
        }
        None => run.log(&"skipped: no fleet, for want of nats-server (apt install nats-server)")?,
    }
    let kind = |(name, kill)| anyhow::Ok(Kind { name, kill, desk: Desk::new(&soko)?, n_kills: 0 });
    let kills = run.chosen(kills, |(name, _)| name)?;
    let mut kinds = kills.into_iter().map(kind).collect::<anyhow::Result<Vec<_>>>()?;
    while run.has_time() {
        for kind in &mut kinds {
            if kind.n_kills.is_multiple_of(KILLS_PER_LIBRARY) {
                kind.desk.clear()?;
                lay_out(&kind.desk)?;
            }
            kind.n_kills += 1;
            let wrong = (kind.kill)(&kind.desk, &mut chance)?;
            run.tried(1)?;
            for what in wrong.into_iter().chain(broken(&kind.desk)?) {
                let repeat = format!("kills --seed {}", run.seed());
                run.defect(&format!("{}: {what}", kind.name), &repeat, &kind.desk.files()?.join("\n"))?;
                // The next kill starts from a cleared desk.
                kind.n_kills = kind.n_kills.next_multiple_of(KILLS_PER_LIBRARY);
            }
        }
    }
    let counts: Vec<_> = kinds.iter().map(|kind| format!("{} {}", kind.name, kind.n_kills)).collect();
    run.log(&counts.join(", "))
}

fn lay_out(desk: &Desk) -> anyhow::Result<()> {
    desk.write("hard.sok", hard_level())?;
    desk.write("rooms.sok", room_levels(N_ROOMS, 7))?;
    desk.write("small.sok", SMALL)?;
    done(desk, "library --library my.sqlite add small.sok")?;
    Ok(())
}

/// Runs a command that must succeed.
fn done(desk: &Desk, line: &str) -> anyhow::Result<Ended> {
    let ended = desk.soko(line, LOOK_TIME)?;
    ensure!(ended.code() == Some(0), "soko {line} fails: {}", ended.shown());
    Ok(ended)
}

/// What is broken on a desk, whatever was killed.
fn broken(desk: &Desk) -> anyhow::Result<Option<String>> {
    let checked = desk.soko("library --library my.sqlite check", LOOK_TIME)?;
    if checked.code() != Some(0) {
        return Ok(Some(format!("the library is broken: {}", checked.shown())));
    }
    let known = desk.soko("library --library my.sqlite show t2 --json", LOOK_TIME)?;
    Ok((known.code() != Some(0)).then(|| format!("a level that was there is lost: {}", known.shown())))
}

/// Some time up to a limit.
fn some_time(chance: &mut SplitMix64, limit: Duration) -> Duration {
    limit.mul_f64(chance.below(10_000) as f64 / 10_000.0)
}

/// Starts a command, kills it after some time up to a limit, and returns what it had printed so long before that all of it
/// must be kept, and at its death.
fn killed(desk: &Desk, line: &str, chance: &mut SplitMix64, limit: Duration) -> anyhow::Result<(String, String)> {
    let program = desk.started(desk.command(line))?;
    let time = some_time(chance, limit);
    let clock = Clock::start();
    sleep(time.saturating_sub(KEPT_WITHIN));
    let early = if time > KEPT_WITHIN { program.stdout() } else { String::new() };
    sleep(time.saturating_sub(clock.elapsed()));
    Ok((early, program.killed()?))
}

/// Whether a solution is kept that is as good as one that was found, in its metric.
fn is_kept(kept: &[Value], metric: &str, found: u64) -> bool {
    kept.iter().filter_map(|solution| solution["metrics"][metric].as_u64()).any(|least| least <= found)
}

/// The finds of a text that are not kept.
fn lost_finds(text: &str, kept: &[Value]) -> Option<String> {
    lines_of(text, "improved").into_iter().find_map(|find| {
        let metric = find["objective"].as_str()?;
        let found = find["metrics"][metric].as_u64()?;
        (!is_kept(kept, metric, found)).then(|| format!("{find} is not kept"))
    })
}

fn into(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let line = "optimize hard.sok --into grows.sok --time 10m --threads 1 --json";
    let (early, _) = killed(desk, line, chance, KEPT_WITHIN * 2)?;
    if !desk.path("grows.sok").exists() {
        return Ok((!early.is_empty()).then(|| "there is no file after three seconds".to_owned()));
    }
    let verified = desk.soko("verify grows.sok --json", LOOK_TIME)?;
    if verified.code() != Some(0) {
        return Ok(Some(format!("the file is broken: {}", verified.shown())));
    }
    Ok(lost_finds(&early, &verified.lines("game")))
}

fn library(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let line = "optimize hard.sok --library my.sqlite --no-output --time 10m --threads 1 --json";
    let (early, _) = killed(desk, line, chance, KEPT_WITHIN * 2)?;
    if lines_of(&early, "improved").is_empty() {
        return Ok(None);
    }
    let info = done(desk, "info hard.sok --json")?.lines("info");
    let id = info.first().and_then(|info| info["id"].as_str()).context("the level has no identity")?;
    Ok(lost_finds(&early, &known(desk, id)?))
}

/// The solutions of a level that the library has, by its identity; none of a level that is not there.
fn known(desk: &Desk, id: &str) -> anyhow::Result<Vec<Value>> {
    let known = desk.soko(&format!("library --library my.sqlite show {id} --json"), LOOK_TIME)?.lines("known");
    Ok(known.iter().filter_map(|known| known["solutions"].as_array()).flatten().cloned().collect())
}

fn night(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let line = "night rooms.sok --library my.sqlite --threads 1 --json";
    let (_, said) = killed(desk, line, chance, Duration::from_secs(3))?;
    for gain in lines_of(&said, "gain") {
        let (Some(id), Some(metric)) = (gain["id"].as_str(), gain["objective"].as_str()) else { continue };
        let Some(found) = gain["after"][metric].as_u64() else { continue };
        if !is_kept(&known(desk, id)?, metric, found) {
            return Ok(Some(format!("{gain} is not kept")));
        }
    }
    Ok(None)
}

/// The number of levels in the library.
fn n_levels(desk: &Desk) -> anyhow::Result<u64> {
    let list = done(desk, "library --library my.sqlite list --json")?;
    Ok(list.lines("summary").first().and_then(|summary| summary["levels"].as_u64()).unwrap_or(0))
}

fn add(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let before = n_levels(desk)?;
    killed(desk, "library --library my.sqlite add rooms.sok", chance, Duration::from_millis(300))?;
    let (after, all) = (n_levels(desk)?, before.max(N_ROOMS as u64 + 1));
    if after == all && before < all {
        done(desk, "library --library my.sqlite forget rooms --yes")?;
    }
    Ok((after != before && after != all).then(|| format!("{before} levels have become {after}")))
}

fn export(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let old = "the old file\n";
    if !desk.path("whole.sok").exists() {
        done(desk, "library --library my.sqlite add rooms.sok")?;
        done(desk, "library --library my.sqlite export -o whole.sok")?;
    }
    desk.write("out.sok", old)?;
    let line = "library --library my.sqlite export -o out.sok --force";
    killed(desk, line, chance, Duration::from_millis(300))?;
    let [out, whole] = [desk.read("out.sok")?, desk.read("whole.sok")?];
    Ok((out != old && out != whole).then(|| format!("the file is neither the old one nor the new one: {out}")))
}

fn compact(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    done(desk, "library --library my.sqlite add rooms.sok")?;
    let before = n_levels(desk)?;
    killed(desk, "library --library my.sqlite compact", chance, Duration::from_millis(300))?;
    let after = n_levels(desk)?;
    Ok((after != before).then(|| format!("{before} levels have become {after}")))
}

fn serve(desk: &Desk, chance: &mut SplitMix64) -> anyhow::Result<Option<String>> {
    let options = "--library my.sqlite --threads 1 --memory 256MiB";
    let served = Served::start(desk, options)?;
    let (time, clock) = (some_time(chance, Duration::from_secs(2)), Clock::start());
    let (mut n_uploads, mut runs) = (0, Vec::new());
    // One more upload is under way when the server dies.
    while clock.elapsed() < time {
        let (name, level) = (format!("kill{n_uploads}"), room_levels(1, chance.next()));
        served.ask("POST", &format!("upload?name={name}.sok"), &level)?.json()?;
        n_uploads += 1;
        if n_uploads == 2 {
            let begun = served.ask("POST", "runs", r#"{"kind": "night", "threads": 1, "memory_mib": 64}"#)?.json()?;
            runs.extend(begun["id"].as_u64());
        }
    }
    drop(served.request("POST", "upload?name=last.sok", &room_levels(1, chance.next()))?);
    served.program.killed()?;
    let list = done(desk, "library --library my.sqlite list --json")?.lines("collection");
    let is_there = |name: &str| list.iter().any(|collection| collection["collection"] == name);
    let lost = (0..n_uploads).map(|number| format!("kill{number}")).find(|name| !is_there(name));
    let again = Served::start(desk, options)?;
    let after = again.ask("GET", "runs", "")?.json()?;
    let is_listed = |id: &u64| after["runs"].as_array().is_some_and(|runs| runs.iter().any(|run| run["id"] == *id));
    let lost_run = runs.iter().find(|&id| !is_listed(id));
    again.program.killed()?;
    Ok(lost
        .map(|name| format!("the upload {name} was answered and is lost"))
        .or_else(|| lost_run.map(|id| format!("the run {id} was begun and is lost"))))
}
