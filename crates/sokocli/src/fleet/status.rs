//! The commands `fleet status` and `fleet watch`: who works, what waits, what was gained.

use std::fmt::Write as _;
use std::thread::sleep;
use std::time::Duration;

use hashbrown::HashMap;
use sokocore::{Metrics, Objective};
use sokofleet::{FleetView, GainView};

use super::json_line::{FleetLine, FleetRun, FleetSums};
use super::open;
use crate::args::{FleetPlace, StatusArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::json::JsonLines;
use crate::known_solutions::moves_and_pushes;
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::terminal::Terminal;
use crate::wording::{count, duration, harmless, thousands};

/// How often the screen of `watch` is drawn.
const PAUSE: Duration = Duration::from_secs(2);
/// Gains that are shown.
const N_GAINS: usize = 5;
/// The parts of time that the curve of gains has.
const N_PARTS: usize = 24;

const WORKERS: [Column; 7] = [
    Column::title("worker", "worker"),
    Column::number("threads", "threads"),
    Column::number("slices", "slices").rank(2),
    Column::number("finds", "found"),
    Column::number("best", "best"),
    Column::text("uptime", "here for").rank(1),
    Column::remark("doing", "at").if_any(),
];

/// Runs `fleet status`.
pub(super) fn run(place: &FleetPlace, args: &StatusArgs, console: &Console) -> anyhow::Result<Exit> {
    let view = open(place)?.view()?;
    let lines = JsonLines::new(args.json);
    if args.json {
        lines.print(&FleetLine::Run(FleetRun::of("fleet status", place)));
        view.workers.iter().for_each(|worker| lines.print(&FleetLine::Worker(worker.into())));
        view.items.iter().for_each(|item| lines.print(&FleetLine::Item(item.into())));
        view.gains.iter().for_each(|gain| lines.print(&FleetLine::Gain(gain.into())));
        lines.print(&FleetLine::Status(FleetSums::from(&view)));
        lines.end()?;
    } else {
        output::print(&text(&view, place, &console.stdout))?;
    }
    Ok(Exit::Done)
}

/// Runs `fleet watch`.
pub(super) fn watch(place: &FleetPlace, console: &Console) -> anyhow::Result<Exit> {
    let fleet = open(place)?;
    loop {
        let terminal = console.stdout.measured_again();
        let drawn = match fleet.view() {
            Ok(view) => text(&view, place, &terminal),
            // A server that is restarted comes back.
            Err(error) => format!("{error}\n"),
        };
        let clear = if terminal.can_redraw() { "\x1b[H\x1b[2J" } else { "" };
        output::print(&format!("{clear}{drawn}"))?;
        sleep(PAUSE);
    }
}

/// Draws the state of a fleet.
fn text(view: &FleetView, place: &FleetPlace, terminal: &Terminal) -> String {
    let mut text = format!("fleet {} at {}\n", place.fleet, place.address());
    let bests = bests(&view.gains);
    if view.workers.is_empty() {
        text += "no worker is there; start some with `soko fleet work`\n";
    } else {
        let mut table = Table::new(&WORKERS);
        for worker in &view.workers {
            let doing = worker.doing.iter().map(|doing| harmless(doing)).collect::<Vec<_>>().join("; ");
            table.row([
                TableCell::text(harmless(&worker.name)),
                TableCell::number(worker.n_threads.to_string()),
                TableCell::number(thousands(worker.n_slices)),
                TableCell::number(thousands(worker.n_finds)),
                TableCell::number(thousands(bests.get(&*worker.name).copied().unwrap_or(0))),
                TableCell::text(duration(worker.uptime)),
                TableCell::text(doing),
            ]);
        }
        text += &table.draw(terminal);
        text += "\n";
    }
    text += &sums(view, terminal);
    for gain in view.gains.iter().rev().take(N_GAINS) {
        let ago = Duration::from_secs(u64::try_from(view.now - gain.at).unwrap_or(0));
        // Where moves and pushes are the same, what is better is further down.
        let is_lower = gain.before.is_some_and(|before| moves_and_pushes(&before) == moves_and_pushes(&gain.after));
        let shown = |metrics: Metrics| if is_lower { metrics.to_string() } else { moves_and_pushes(&metrics) };
        let before = gain.before.map_or(String::new(), |before| format!(" for {}", shown(before)));
        let after = shown(gain.after);
        let [name, worker] = [&gain.name, &gain.worker].map(|text| harmless(text));
        let _ = writeln!(text, "  {name}, {}: {after}{before}, {worker}, {} ago", gain.objective, duration(ago));
    }
    text
}

/// What waits, and what was gained over time.
fn sums(view: &FleetView, terminal: &Terminal) -> String {
    let of_first_islands = || view.items.iter().filter(|item| item.island == 0);
    let n_open = of_first_islands().filter(|item| item.is_open).count();
    let n_settled = of_first_islands().filter(|item| item.is_settled).count();
    let n_islands = view.items.len() - of_first_islands().count();
    let seconds: f64 = view.items.iter().map(|item| item.seconds).sum();
    let spent = duration(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    let drained = if view.is_drained { "; drained: no slice begins" } else { "" };
    let mut text = format!(
        "{} open, {} settled, {}; {} in the queue; {spent} of threads{drained}\n",
        count(n_open, "item"),
        thousands(n_settled as u64),
        count(n_islands, "further island"),
        count(view.n_queued, "slice"),
    );
    for objective in objectives(&view.gains) {
        let gains: Vec<_> = view.gains.iter().filter(|gain| gain.objective == objective).collect();
        let n_first = gains.iter().filter(|gain| gain.before.is_none()).count();
        let curve = GainCurve::of(&gains, view.now);
        let found = if n_first == 0 { String::new() } else { format!(", {} solved", thousands(n_first as u64)) };
        let gained = format!("{objective}: {} gained{found}", thousands(curve.gained));
        let (minute, hour) = (thousands(curve.of_minute), thousands(curve.of_hour));
        let last = format!("{minute} in the last minute, {hour} in the last hour");
        let _ = writeln!(text, "{gained}; {last}  {}", curve.draw(terminal));
    }
    text
}

fn objectives(gains: &[GainView]) -> Vec<Objective> {
    let mut objectives: Vec<Objective> = Vec::new();
    for gain in gains {
        if !objectives.contains(&gain.objective) {
            objectives.push(gain.objective);
        }
    }
    objectives
}

/// Gains over time.
#[derive(Debug, Default)]
struct GainCurve {
    gained: u64,
    of_minute: u64,
    of_hour: u64,
    parts: Vec<u64>,
}

impl GainCurve {
    /// Sums gains up, in their order. What two islands have found counts once.
    fn of(gains: &[&GainView], now: i64) -> Self {
        let Some(first) = gains.first().map(|gain| gain.at) else { return Self::default() };
        let mut curve = Self { parts: vec![0; N_PARTS], ..Self::default() };
        let mut bests: HashMap<&str, u64> = HashMap::new();
        let length = (now - first).max(1);
        for gain in gains {
            let counted = |metrics| gain.objective.score(metrics).primary();
            let after = counted(&gain.after);
            let before = bests.get(&*gain.level).copied().or_else(|| gain.before.as_ref().map(counted));
            let gained = before.map_or(0, |before| before.saturating_sub(after));
            bests.entry(&gain.level).and_modify(|best| *best = after.min(*best)).or_insert(after);
            let within = |seconds| if now - gain.at <= seconds { gained } else { 0 };
            let last = i64::try_from(N_PARTS - 1).unwrap_or(i64::MAX);
            let part = ((gain.at - first) * (last + 1) / length).clamp(0, last);
            let of_part = &mut curve.parts[usize::try_from(part).unwrap_or(0)];
            let sums = [&mut curve.gained, &mut curve.of_minute, &mut curve.of_hour, of_part];
            // Metrics are what a worker tells of them.
            for (sum, more) in sums.into_iter().zip([gained, within(60), within(3_600), gained]) {
                *sum = sum.saturating_add(more);
            }
        }
        curve
    }

    /// Draws how much each part of the time has gained.
    fn draw(&self, terminal: &Terminal) -> String {
        let most = self.parts.iter().copied().max().unwrap_or(0).max(1);
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = |part: u64| part as f64 / most as f64;
        self.parts.iter().map(|&part| terminal.level(share(part))).collect()
    }
}

/// Returns how many best solutions each worker has found, of all levels and objectives.
fn bests(gains: &[GainView]) -> HashMap<&str, u64> {
    let mut bests: HashMap<(&str, Objective), &GainView> = HashMap::new();
    for gain in gains {
        let best = bests.entry((&gain.level, gain.objective)).or_insert(gain);
        if gain.objective.score(&gain.after) < gain.objective.score(&best.after) {
            *best = gain;
        }
    }
    let mut of_workers = HashMap::new();
    for gain in bests.values() {
        *of_workers.entry(&*gain.worker).or_default() += 1;
    }
    of_workers
}
