/* A level: its board, what is known, its solutions, replayed and compared. */

import { asked, at, collectionLink, counted, download, downloadExport, duration, el, fill, get, levelLink, n, notice, query, rangeFigure, table, trying, when } from "/page.js";
import { askRun } from "/dialogs.js";
import { chart } from "/chart.js";
import { Board, Replay } from "/replay.js";

const id = asked("id");
const METRICS = [
  ["moves", "Moves"],
  ["pushes", "Pushes"],
  ["box_lines", "Box lines"],
  ["box_changes", "Box changes"],
  ["pushing_sessions", "Sessions"],
  ["player_lines", "Player lines"],
];

let level;
let shown = 0;
const compared = new Set();

const titleOf = (place) => (place.title === "" ? `Level ${place.number}` : place.title);

function bestName(solution) {
  const best = [solution.is_best_moves ? "moves" : "", solution.is_best_pushes ? "pushes" : ""].filter((text) => text !== "");
  return best.length === 0 ? "" : `best ${best.join(" and ")}`;
}

function showHead() {
  const { place } = level;
  const name = place === null ? "A level" : titleOf(place);
  document.title = `${name} · Soko`;
  at("name").textContent = name;
  const facts = [`${level.width} × ${level.height}`, counted(level.n_boxes, "box", "boxes")];
  if (place !== null && place.author !== "") facts.push(place.author);
  const others = level.places.filter((other) => other.collection !== place?.collection || other.number !== place?.number);
  if (place === null) facts.push("in no collection");
  if (others.length > 0) facts.push(`also ${others.map((other) => `${other.shown_collection}:${other.number}`).join(", ")}`);
  at("facts").textContent = facts.join(" · ");
  if (place !== null) {
    at("path").append(" › ", el("a", { class: "text", href: collectionLink(place.collection), text: place.shown_collection }), el("span", { class: "quiet", text: ` › ${n(place.number)}` }));
  }
  const beside = (other, text) =>
    other === null ? el("span", { class: "button off", "aria-hidden": "true", text }) : el("a", { class: "button", href: levelLink(other.id, other.collection), "aria-label": `${text}: ${titleOf(other)}`, text });
  fill(at("beside"), beside(level.previous, "Previous"), beside(level.next, "Next"));
  fill(at("ranges"), rangeFigure("Moves", level.moves), rangeFigure("Pushes", level.pushes));
  at("edit").href = `/edit#${query({ board: level.board })}`;
  fill(at("proofs"), ...level.proofs.map((text) => el("li", { class: "proof text", text: `Proved: ${text}` })));
  const charts = ["moves", "pushes"].map((objective) => {
    const points = level.history.filter((gain) => gain.objective === objective).map((gain) => [new Date(gain.at).getTime(), gain[objective]]);
    return points.length > 1 ? chart(objective === "moves" ? "Moves" : "Pushes", points, Date.now(), objective) : null;
  });
  fill(at("history"), ...charts);
}

/** Shows a solution in the place of the board. */
function show(at_) {
  shown = at_;
  const solution = level.solutions[at_];
  at("moves").hidden = solution === undefined;
  if (solution === undefined) {
    fill(at("board"), new Board(level.rows, "The board").element, el("p", { class: "quiet center", text: "No solution yet." }));
    return;
  }
  const { moves, pushes } = solution.metrics;
  const replay = new Replay({ rows: level.rows, moves: solution.moves, name: `${n(moves)} moves, ${n(pushes)} pushes` });
  fill(at("board"), replay.element);
}

function solutionRow(solution, at_) {
  const name = `${n(solution.metrics.moves)} moves, ${n(solution.metrics.pushes)} pushes`;
  const radio = el("input", { type: "radio", name: "shown", "aria-label": `Replay ${name}`, checked: at_ === shown });
  radio.addEventListener("change", () => show(at_));
  const check = el("input", { type: "checkbox", "aria-label": `Compare ${name}` });
  check.addEventListener("change", () => {
    if (check.checked) compared.add(at_);
    else compared.delete(at_);
    at("compare").disabled = compared.size !== 2;
  });
  const best = METRICS.map(([key]) => Math.min(...level.solutions.map((other) => other.metrics[key])));
  const numbers = METRICS.map(([key], k) => {
    const isBest = solution.metrics[key] === best[k] && level.solutions.length > 1;
    return el("td", { class: `number${isBest ? " best" : ""}${k > 1 ? " wide" : ""}`, text: n(solution.metrics[key]) });
  });
  const notes = solution.notes.map((text) => el("div", { class: "quiet text", text }));
  const what = bestName(solution) || (solution.objective === null ? "" : `for ${solution.objective}`);
  return el(
    "tr",
    {},
    el("td", { class: "check" }, radio),
    ...numbers,
    el("td", { class: "proved", text: what }),
    el("td", { class: "wide quiet" }, el("span", { class: "text", text: solution.from }), ...notes),
    el("td", { class: "wide quiet", text: when(solution.found_at) }),
    el("td", { class: "check" }, level.solutions.length > 1 ? check : null),
  );
}

function showSolutions() {
  const { solutions } = level;
  if (solutions.length === 0) {
    fill(at("solutions"), el("p", { class: "empty", text: "No solution yet; a run may find one." }));
    return;
  }
  const metrics = METRICS.map(([, text], k) => [text, k > 1 ? "number wide" : "number"]);
  const columns = [["Replay", "check"], ...metrics, ["Best", ""], ["From", "wide"], ["Since", "wide"], [solutions.length > 1 ? "Compare" : "", "check"]];
  fill(at("solutions"), table("Solutions", columns, solutions.map(solutionRow)));
  at("compare").hidden = solutions.length < 2;
}

function showWork() {
  at("work").hidden = level.work.length === 0;
  const columns = [
    ["For", ""],
    ["Runs", "number"],
    ["Time", "number"],
    ["Without a gain", "number"],
    ["Ended", ""],
    ["Last", "wide"],
  ];
  const rows = level.work.map((work) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: work.purpose }),
      el("td", { class: "number", text: n(work.n_runs) }),
      el("td", { class: "number", text: duration(work.seconds) }),
      el("td", { class: "number", text: duration(work.dry_seconds) }),
      el("td", { text: work.ended }),
      el("td", { class: "wide quiet", text: when(work.at) }),
    ),
  );
  fill(at("tried"), table("What was tried", columns, rows));
}

async function compare() {
  const [a, b] = [...compared].sort((one, other) => one - other);
  const two = await trying(() => get(`compare?${query({ id, a, b })}`));
  if (two === undefined) return;
  const replay = (moves, name) => new Replay({ rows: two.rows, moves, name });
  const replays = [replay(two.a, "first"), replay(two.b, "second")];
  const titled = (name, one) => el("div", { class: "panel" }, el("h3", { text: name }), one.element);
  fill(at("both"), titled("First", replays[0]), titled("Second", replays[1]));
  at("part").onclick = () => replays.forEach((one) => {
    one.pause();
    one.jump(two.common_moves);
  });
  fill(at("remarks"), ...two.remarks.map((text) => el("li", { text })));
  const sign = (number) => (number > 0 ? `+${n(number)}` : n(number).replace("-", "−"));
  const rows = two.metrics.map((metric) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", text: metric.name }),
      el("td", { class: "number", text: n(metric.a) }),
      el("td", { class: "number", text: n(metric.b) }),
      el("td", { class: `number ${metric.difference < 0 ? "proved" : "quiet"}`, text: sign(metric.difference) }),
    ),
  );
  const columns = [["Metric", ""], ["First", "number"], ["Second", "number"], ["Difference", "number"]];
  fill(at("metrics"), table("Metrics of both", columns, rows));
  at("comparison").hidden = false;
  at("comparison-title").focus();
}

async function load() {
  level = await trying(() => get(`level?${query({ id, in: asked("in") })}`));
  if (level === undefined) return;
  showHead();
  shown = Math.max(0, level.solutions.findIndex((solution) => solution.is_best_moves));
  show(shown);
  showSolutions();
  showWork();
}

at("compare").addEventListener("click", compare);
at("copy").addEventListener("click", () =>
  navigator.clipboard.writeText(level.solutions[shown].moves).then(
    () => notice("good", "The moves are in the clipboard."),
    () => notice("bad", "The browser does not let this page write to the clipboard."),
  ),
);
at("save").addEventListener("click", () => {
  const { moves, metrics } = level.solutions[shown];
  download(`${id.slice(0, 8)}-${metrics.moves}-${metrics.pushes}.lurd`, new Blob([`${moves}\n`], { type: "text/plain" }));
});
at("export").addEventListener("click", () => trying(() => downloadExport({ level: id, all: true })));
at("run").addEventListener("click", () => {
  const { place } = level;
  if (place === null) askRun({ title: "a level", levels: [id] });
  else askRun({ title: titleOf(place), collections: [place.collection], levels: [id] });
});
load();
