/* Runs as they are: a card for each, drawn anew where something is different. */

import { at, counted, duration, el, fill, get, levelLink, n, post, query, trying, watchRuns, when } from "/page.js";
import { askRun } from "/dialogs.js";
import { drawChart } from "/chart.js";
import { Replay } from "/replay.js";

/** The shortest time between two loads of a best solution, in milliseconds. */
const PAUSE = 1000;
const ACTIVE = ["loading", "running", "paused", "stopping"];
const PHASES = { loading: "reading the library", running: "running", paused: "paused", stopping: "stopping", ended: "ended", failed: "failed", cut_off: "cut off" };

const KINDS = { solve: "Solve", optimize: "Optimize", night: "Night" };

const metricsText = (metrics) => `${n(metrics.moves)}/${n(metrics.pushes)}`;
const isActive = (run) => ACTIVE.includes(run.phase);

/** A run on the page. */
class Card {
  constructor(run) {
    const id = `run-${run.id}`;
    this.id = run.id;
    this.title = el("h2", { id, class: "text" });
    this.phase = el("span", { class: "phase" });
    this.buttons = el("div", { class: "bar" });
    this.progress = el("progress", { max: 1, "aria-label": "Time gone" });
    this.facts = el("p", { class: "quiet" });
    this.trouble = el("p", { class: "notice bad text", hidden: true });
    this.best = el("div", { class: "best" });
    this.caption = el("p", { class: "quiet center text" });
    this.charts = { moves: el("figure", { class: "chart" }), pushes: el("figure", { class: "chart" }) };
    this.inWork = el("ul", { class: "plain work" });
    this.gains = el("ol", { class: "plain gains" });
    this.nothing = el("p", { class: "quiet", text: "Nothing gained yet." });
    const curves = el("div", { class: "charts" }, this.charts.moves, this.charts.pushes);
    this.working = el("h3", { text: "In work" });
    const lists = [this.working, this.inWork, el("h3", { text: "Last gains" }), this.nothing, this.gains];
    this.element = el(
      "article",
      { class: "panel run", "aria-labelledby": id },
      el("div", { class: "bar" }, this.title, this.phase, el("span", { class: "gap" }), this.buttons),
      this.progress,
      this.facts,
      this.trouble,
      el("div", { class: "two" }, el("div", {}, this.best, this.caption), el("div", {}, curves, ...lists)),
    );
    this.version = 0;
    this.loadedAt = -PAUSE;
    this.shown = {};
  }

  /** Draws a part if it is not what was drawn before. */
  part(name, value, draw) {
    const text = JSON.stringify(value);
    if (this.shown[name] === text) return;
    this.shown[name] = text;
    draw(value);
  }

  draw(run) {
    this.part("head", [run.kind, run.title, run.objectives], () => {
      this.title.textContent = `${KINDS[run.kind]}: ${run.title}`;
    });
    this.part("phase", [run.phase, run.can_continue], () => this.drawPhase(run));
    this.drawFacts(run);
    this.part("trouble", run.trouble, (text) => {
      this.trouble.hidden = text === null;
      this.trouble.textContent = text === null ? "" : `${text}; what was found is kept in memory, and tried again.`;
    });
    this.part("curve", [run.curve, isActive(run) ? Math.floor(run.seconds) : run.seconds], () => this.drawCurve(run));
    this.working.hidden = !isActive(run);
    this.part("in_work", run.in_work, (slices) => fill(this.inWork, ...slices.map((slice) => this.slice(slice))));
    this.part("gains", run.gains, (gains) => {
      this.nothing.hidden = gains.length > 0;
      fill(this.gains, ...gains.map((gain) => this.gain(gain)));
    });
    this.drawBest(run);
  }

  drawPhase(run) {
    this.phase.textContent = PHASES[run.phase];
    this.phase.className = `phase ${run.phase}`;
    const button = (text, wish) =>
      el("button", { type: "button", class: "small", "aria-label": `${text}: ${run.title}`, text, click: () => trying(() => post(`run?${query({ id: run.id, do: wish })}`)) });
    const buttons = { running: [["Pause", "pause"], ["Stop", "stop"]], loading: [["Stop", "stop"]], paused: [["Resume", "resume"], ["Stop", "stop"]] };
    const atRest = [...(run.can_continue ? [["Continue", "continue"]] : []), ["Take off the page", "dismiss"]];
    const wishes = buttons[run.phase] ?? (isActive(run) ? [] : atRest);
    const hadFocus = this.buttons.contains(document.activeElement);
    fill(this.buttons, ...wishes.map(([text, wish]) => button(text, wish)));
    if (hadFocus) this.buttons.firstChild?.focus();
  }

  drawFacts(run) {
    const isEndless = run.limit_seconds === null;
    this.progress.hidden = isEndless || !isActive(run);
    if (!isEndless) this.progress.value = Math.min(1, run.seconds / run.limit_seconds);
    const time = duration(run.seconds) + (isEndless || !isActive(run) ? "" : ` of ${duration(run.limit_seconds)}`);
    const gained = [
      run.n_gains > 0 ? counted(run.n_gains, "gain") : "",
      run.n_newly_solved > 0 ? counted(run.n_newly_solved, "level") + " solved" : "",
      run.moves_gained > 0 ? counted(run.moves_gained, "move") + " gained" : "",
      run.pushes_gained > 0 ? counted(run.pushes_gained, "push", "pushes") + " gained" : "",
      run.n_proved > 0 ? counted(run.n_proved, "proof") : "",
    ];
    const facts = [
      run.ended === null ? "" : run.ended,
      time,
      `${counted(run.n_levels, "level")}, ${n(run.n_solved)} solved`,
      ...gained,
      run.objectives.join(" and "),
      `${counted(run.n_threads, "thread")}, ${n(run.memory_mib)} MiB`,
      `begun ${when(run.begun_at)}`,
    ];
    this.facts.textContent = facts.filter((text) => text !== "").join(" · ");
  }

  drawCurve(run) {
    for (const key of ["moves", "pushes"]) {
      const figure = this.charts[key];
      figure.hidden = run.curve.length === 0;
      if (figure.hidden) continue;
      const points = run.curve.map((point) => [point.ms, point[key]]);
      drawChart(figure, key === "moves" ? "Moves" : "Pushes", points, run.seconds * 1000, key);
    }
  }

  slice(slice) {
    const limit = slice.seconds > slice.limit_seconds ? "" : ` of ${duration(slice.limit_seconds)}`;
    const time = duration(slice.seconds) + limit;
    const best = slice.best === null ? "" : ` · ${metricsText(slice.best)}`;
    return el("li", {}, el("a", { class: "text", href: levelLink(slice.id), text: slice.level }), el("span", { class: "quiet", text: ` ${slice.purpose} · ${time}${best}` }));
  }

  gain(gain) {
    const before = gain.before === null ? "first solution" : `for ${metricsText(gain.before)}`;
    return el(
      "li",
      {},
      el("span", { class: "quiet number", text: duration(gain.seconds) }),
      el("a", { class: "text", href: levelLink(gain.id), text: gain.level }),
      el("strong", { class: "number", text: metricsText(gain.after) }),
      el("span", { class: "by", text: `${before}, ${gain.objective}, by ${gain.by}` }),
    );
  }

  /** Loads the best solution if there is another one, but not more often than once a second. */
  async drawBest(run) {
    if (run.best_version === this.version || performance.now() - this.loadedAt < PAUSE || this.replay?.isPlaying) return;
    [this.version, this.loadedAt] = [run.best_version, performance.now()];
    if (run.best_version === 0) return;
    const best = await get(`run?${query({ id: this.id })}`).catch(() => null);
    if (best === null) return;
    this.replay = new Replay({ rows: best.rows, moves: best.moves, name: best.level });
    this.replay.jump(best.moves.length);
    fill(this.best, this.replay.element);
    fill(this.caption, el("a", { class: "text", href: levelLink(best.id), text: best.level }), ` ${metricsText(best.metrics)}, by ${best.by}`);
  }
}

const cards = new Map();
const phases = new Map();

/** Says what a reader of the screen would want to know: beginnings and ends, not every gain. */
function say(run) {
  const before = phases.get(run.id);
  phases.set(run.id, run.phase);
  if (before === undefined || before === run.phase) return;
  const said = el("p", { text: `${run.kind}, ${run.title}: ${run.ended ?? PHASES[run.phase]}` });
  at("said").append(said);
  while (at("said").children.length > 5) at("said").firstChild.remove();
}

function draw(server) {
  const memory = server.resident_mib === null ? "" : ` · ${n(server.resident_mib)} MiB in memory`;
  at("server").textContent = `${counted(server.n_threads, "thread")}, ${n(server.memory_mib)} MiB for searches${memory}`;
  const ids = new Set(server.runs.map((run) => run.id));
  for (const [id, card] of cards) {
    if (!ids.has(id)) {
      card.element.remove();
      cards.delete(id);
    }
  }
  const list = at("runs");
  if (server.runs.length === 0) {
    const words = "Choose levels in the library and run them, or run a night over all of it. Closing this page does not stop a run.";
    fill(list, el("div", { class: "empty" }, el("p", { text: "Nothing is running." }), el("p", { class: "quiet", text: words })));
    return;
  }
  list.querySelector(".empty")?.remove();
  list.removeAttribute("aria-busy");
  // The newest is first.
  [...server.runs].reverse().forEach((run) => {
    if (!cards.has(run.id)) {
      const card = new Card(run);
      cards.set(run.id, card);
      list.prepend(card.element);
    }
    say(run);
    cards.get(run.id).draw(run);
  });
}

/** Pictures are drawn once for each frame, from the latest state. */
let latest = null;
function take(server) {
  if (latest === null) requestAnimationFrame(() => {
    const state = latest;
    latest = null;
    draw(state);
  });
  latest = server;
}

at("night").addEventListener("click", () => askRun({ title: "the whole library" }));
watchRuns(take);
