/* A collection: its sums, how they have fallen, and its levels, a page at a time. */

import { asked, at, counted, el, fill, get, levelLink, n, picture, query, rangeCell, rangeFigure, table, trying, when } from "/page.js";
import { askExport, askForget, askRun } from "/dialogs.js";
import { chart } from "/chart.js";

const name = asked("name");
/** Whether the page shows the levels that are in no collection. */
const isLoose = asked("loose") === "true";
const COLUMNS = [
  ["", "check"],
  ["", "thumb"],
  ["Level", ""],
  ["Moves", "number"],
  ["Pushes", "number"],
  ["Solutions", "number wide"],
  ["Improved", "wide"],
];
const FILTERS = ["find", "only", "sort"];

let shownName = name;
let page = Number(asked("page")) || 1;
/** Identities that were chosen, on this page or another. */
const chosen = new Set();

function values() {
  const filter = Object.fromEntries(FILTERS.map((id) => [id, at(id).value]));
  return { name, loose: isLoose ? "true" : "", ...filter, page };
}

function row(level) {
  const title = level.title === "" ? `Level ${level.number}` : level.title;
  const label = `${level.number}. ${title}`;
  if (level.id === null) {
    const cells = [el("td", {}), el("td", { class: "thumb quiet", text: "?" })];
    return el("tr", {}, ...cells, el("th", { scope: "row" }, el("span", { class: "text", text: label })), el("td", { class: "quiet", colspan: 4, text: "this board is no level" }));
  }
  const check = el("input", { type: "checkbox", "aria-label": `Choose ${label}`, checked: chosen.has(level.id) });
  check.addEventListener("change", () => {
    if (check.checked) chosen.add(level.id);
    else chosen.delete(level.id);
    showChosen();
  });
  return el(
    "tr",
    {},
    el("td", { class: "check" }, check),
    el("td", { class: "thumb" }, picture(level.id)),
    el(
      "th",
      { scope: "row" },
      el("a", { class: "text name", title: label, href: levelLink(level.id, name), text: isLoose ? `${n(level.number)}. level ${level.id.slice(0, 8)}` : label }),
      level.author === "" ? null : el("div", { class: "quiet text", text: level.author }),
    ),
    rangeCell(level.moves),
    rangeCell(level.pushes),
    el("td", { class: "number wide", text: n(level.n_solutions) }),
    el("td", { class: "wide quiet", text: level.improved_at === null ? "" : when(level.improved_at) }),
  );
}

function showChosen() {
  const nothing = isLoose ? "Choose levels to run" : "Run…";
  at("run").textContent = chosen.size === 0 ? nothing : `Run on ${n(chosen.size)} chosen…`;
  at("run").disabled = isLoose && chosen.size === 0;
}

function showHistory(answer) {
  const charts = [
    ["Moves", answer.moves_history, "moves"],
    ["Pushes", answer.pushes_history, "pushes"],
  ].filter(([, points]) => points.length > 1 && points[0].sum > points[points.length - 1].sum);
  const time = (point) => [new Date(point.at).getTime(), point.sum];
  fill(at("charts"), ...charts.map(([text, points, line]) => chart(text, points.map(time), Date.now(), line)));
  at("history").hidden = charts.length === 0;
}

function showHead(answer) {
  const { collection } = answer;
  shownName = isLoose ? "Levels in no collection" : collection.shown_name;
  document.title = `${shownName} · Soko`;
  at("name").textContent = shownName;
  if (isLoose) {
    at("facts").textContent = "Their collections were forgotten; the levels and their solutions are still in the library.";
    [at("forget").hidden, at("export").hidden] = [true, true];
    return;
  }
  const about = [collection.title === shownName ? "" : collection.title, collection.author, `added ${when(collection.added_at)}`];
  const solved = `${n(collection.n_solved)} of ${counted(collection.n_levels, "level")} solved`;
  at("facts").textContent = [solved, ...about].filter((text) => text !== "").join(" · ");
  fill(at("ranges"), rangeFigure("Moves in sum", collection.moves), rangeFigure("Pushes in sum", collection.pushes));
}

async function load() {
  const answer = await trying(() => get(`collection?${query(values())}`));
  if (answer === undefined) return;
  const { levels } = answer;
  showHead(answer);
  showChosen();
  showHistory(answer);
  at("found").textContent = answer.n_found === answer.n_levels ? "" : counted(answer.n_found, "level");
  const nothing = el("p", { class: "empty", text: "No level is like that." });
  fill(at("levels"), levels.length === 0 ? nothing : table("Levels", COLUMNS, levels.map(row)));
  page = answer.page;
  at("pages").hidden = answer.n_pages === 1;
  at("page").textContent = `Page ${n(page)} of ${n(answer.n_pages)}`;
  at("before").disabled = page === 1;
  at("after").disabled = page === answer.n_pages;
}

/** Shows another page or another choice, and lets the address tell it. */
function show(newPage) {
  page = newPage;
  const { only, sort, ...others } = values();
  const address = query({ ...others, only: only === "all" ? "" : only, sort: sort === "number" ? "" : sort, page: page === 1 ? "" : page });
  history.replaceState(null, "", `/collection?${address}`);
  return load();
}

let timer;
FILTERS.forEach((id) => {
  const old = asked(id);
  if (old !== "") at(id).value = old;
  at(id).addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => show(1), id === "find" ? 250 : 0);
  });
});
at("filter").addEventListener("submit", (event) => event.preventDefault());
const turn = (step) => show(page + step).then(() => at("levels-title").scrollIntoView());
at("before").addEventListener("click", () => turn(-1));
at("after").addEventListener("click", () => turn(1));
at("run").addEventListener("click", () => {
  const levels = chosen.size === 0 ? undefined : [...chosen];
  const title = chosen.size === 0 ? shownName : `${counted(chosen.size, "level")} of ${isLoose ? "no collection" : shownName}`;
  askRun({ title, collections: isLoose ? [] : [name], levels });
});
at("forget").addEventListener("click", () => askForget({ name, shown_name: shownName }, () => location.assign("/")));
at("export").addEventListener("click", () => askExport(shownName, [name]));
load();
