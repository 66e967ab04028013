/*
 * The table of levels: sorted, filtered, filled as it comes into sight. Follows replay.js in one module.
 *
 * Texts of files are set as text, never as markup.
 */

/** Squares of a side from which on a board has the whole width. */
const LARGE_BOARD = 40;

/** Rows that are added at a time. */
const ROWS_AT_ONCE = 60;

const { levels } = JSON.parse(document.getElementById("data").textContent);
const table = document.getElementById("levels");
const [head, body] = [table.tHead.rows[0], table.tBodies[0]];
const search = document.getElementById("search");
const kind = document.getElementById("kind");

/** What counts first (0 moves, 1 pushes), by what the table is sorted, and which levels are open. */
const state = { objective: 0, sortBy: "number", isDown: false, open: new Set() };
let chosen = levels;
let nShown = 0;

const best = (level) => level.best[state.objective];
const counted = (shown) => (state.objective === 0 ? shown.moves : shown.pushes);
const figures = (shown) => `${shown.moves.toLocaleString("en")}/${shown.pushes.toLocaleString("en")}`;
const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const nameOf = (level) => level.title || `Level ${level.number}`;

function gainText(rating) {
  if (rating === null) return "";
  if (rating.before === null) return "new";
  if (rating.gain > 0) return `−${rating.gain.toLocaleString("en")}`;
  return rating.is_better ? "better" : "";
}

function secondsText(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** A time to the minute; a text that is none stays as it is. */
function timeText(at) {
  return /^\d{4}-\d\d-\d\dT/.test(at) ? at.slice(0, 16).replace("T", " ") : at;
}

/** Columns: what they are sorted by (null comes last), and what they show. */
const COLUMNS = [
  { key: "number", name: "#", sort: (level) => level.number, show: (level) => level.number, kind: "number" },
  { key: "board", name: "Board", kind: "board" },
  { key: "title", name: "Level", sort: (level) => nameOf(level).toLowerCase(), kind: "title" },
  {
    key: "before", name: "Before", kind: "number wide",
    sort: (level) => (best(level)?.before ? counted(best(level).before) : null),
    show: (level) => (best(level)?.before ? figures(best(level).before) : "–"),
  },
  {
    key: "after", name: "After", kind: "number",
    sort: (level) => (best(level) ? counted(best(level).after) : null),
    show: (level) => (best(level) ? figures(best(level).after) : "–"),
  },
  {
    key: "gain", name: "Gain", kind: "number gain",
    sort: (level) => (best(level) ? best(level).gain + (best(level).is_better ? 0.5 : 0) : null),
    show: (level) => gainText(best(level)),
  },
  {
    key: "gap", name: "Gap %", kind: "number",
    sort: (level) => best(level)?.gap ?? null,
    show: (level) => (best(level) && best(level).gap !== null ? (best(level).gap === 0 ? "proved" : best(level).gap.toFixed(1)) : "–"),
  },
  { key: "by", name: "Found by", about: "who found the best solution", kind: "text wide", sort: (level) => best(level)?.by.toLowerCase() || null, show: (level) => best(level)?.by || "–" },
  {
    key: "at", name: "When (UTC)", about: "when it was found", kind: "text wide",
    sort: (level) => best(level)?.at || null,
    show: (level) => timeText(best(level)?.at ?? "") || "–",
  },
  {
    key: "seconds", name: "Time", about: "how long the search took", kind: "number wide",
    sort: (level) => best(level)?.seconds ?? null,
    show: (level) => (best(level) && best(level).seconds !== null ? secondsText(best(level).seconds) : "–"),
  },
];

const KINDS = {
  all: () => true,
  improved: (level) => best(level) !== null && best(level).before !== null && best(level).is_better,
  new: (level) => best(level) !== null && best(level).before === null,
  same: (level) => best(level) !== null && !best(level).is_better,
  proved: (level) => best(level) !== null && best(level).gap === 0,
  unsolved: (level) => best(level) === null,
};

/** Draws a board when its place comes into sight. */
const boards = new IntersectionObserver(
  (entries) => {
    for (const entry of entries.filter((entry) => entry.isIntersecting)) {
      boards.unobserve(entry.target);
      const level = levels[Number(entry.target.dataset.level)];
      entry.target.append(new Board(level.rows).element);
    }
  },
  { rootMargin: "300px" },
);

/** Adds rows when the end of the table comes into sight. */
const end = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && showMore(), {
  rootMargin: "800px",
});

function makeHead() {
  const missing = [];
  for (const column of COLUMNS) {
    // What is known of no level takes no room.
    const known = ([, rating]) => rating && rating[column.key] !== null && rating[column.key] !== "";
    const isFact = ["by", "at", "seconds"].includes(column.key);
    if (isFact && !levels.some((level) => Object.entries(level.best).some(known))) {
      column.kind += " unknown";
      missing.push(column.about);
    }
    const cell = html("th", { scope: "col", class: column.kind });
    if (column.sort) {
      const button = html("button", { type: "button" }, column.name);
      button.addEventListener("click", () => sortBy(column.key));
      cell.append(button);
    } else {
      cell.append(column.name);
    }
    head.append(cell);
  }
  if (missing.length === 0 || !levels.some((level) => level.best.some((rating) => rating !== null))) return;
  const note = document.getElementById("missing");
  note.textContent = `Not known of any level: ${missing.join(", ")}.`;
  note.hidden = false;
}

function sortBy(key) {
  // Figures begin with the largest, but for what is to be small.
  const beginsDown = ["gain", "gap", "seconds", "at"].includes(key);
  state.isDown = state.sortBy === key ? !state.isDown : beginsDown;
  state.sortBy = key;
  update();
}

function compare(one, other) {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return (one < other ? -1 : 1) * (state.isDown ? -1 : 1);
}

function update() {
  const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const text = (level) => `${level.number} ${nameOf(level)} ${level.author} ${best(level)?.by ?? ""}`.toLowerCase();
  chosen = levels.filter((level) => KINDS[kind.value](level) && words.every((word) => text(level).includes(word)));
  const sort = COLUMNS.find((column) => column.key === state.sortBy).sort;
  chosen.sort((one, other) => compare(sort(one), sort(other)) || one.number - other.number);
  [...head.cells].forEach((cell, at) => {
    const isSorted = COLUMNS[at].key === state.sortBy;
    if (COLUMNS[at].sort) cell.setAttribute("aria-sort", isSorted ? (state.isDown ? "descending" : "ascending") : "none");
  });
  boards.disconnect();
  body.replaceChildren();
  nShown = 0;
  const all = levels.length.toLocaleString("en");
  document.getElementById("shown").textContent = `${chosen.length.toLocaleString("en")} of ${all}`;
  document.getElementById("none").hidden = chosen.length > 0;
  table.hidden = chosen.length === 0;
  showMore();
}

function showMore() {
  const more = chosen.slice(nShown, nShown + ROWS_AT_ONCE);
  nShown += more.length;
  more.forEach((level) => body.append(...rowsOf(level)));
  const place = document.getElementById("more");
  end.unobserve(place);
  // Observed anew, it tells at once whether there is room for more.
  if (nShown < chosen.length) end.observe(place);
}

/** The row of a level, and below it what is open. */
function rowsOf(level) {
  const row = html("tr", { id: `level-${level.number}` });
  for (const column of COLUMNS) {
    const cell = html("td", { class: column.kind });
    if (column.key === "board") {
      cell.dataset.level = String(level.number - 1);
      if (!level.fault) boards.observe(cell);
    } else if (column.key === "title") {
      cell.append(...titleOf(level, row));
    } else {
      cell.textContent = column.show(level);
      if (column.key === "gap" && best(level)?.gap === 0) cell.classList.add("proved");
      if (column.kind.includes("text")) cell.title = cell.textContent;
    }
    row.append(cell);
  }
  row.addEventListener("click", (event) => {
    if (event.target.closest("button, a") === null && document.getSelection().isCollapsed) toggle(level, row);
  });
  return state.open.has(level) ? [row, detailsOf(level)] : [row];
}

function titleOf(level, row) {
  const button = html("button", { type: "button", "aria-expanded": String(state.open.has(level)) }, nameOf(level));
  button.addEventListener("click", () => toggle(level, row));
  const below = level.fault ?? level.author;
  return below ? [button, html("span", { class: level.fault ? "fault" : "muted" }, below)] : [button];
}

function toggle(level, row) {
  const button = row.querySelector("button");
  if (state.open.delete(level)) row.nextElementSibling.remove();
  else {
    state.open.add(level);
    row.after(detailsOf(level));
  }
  button.setAttribute("aria-expanded", String(state.open.has(level)));
}

/** Both solutions to replay, and the figures that narrow screens leave out. */
function detailsOf(level) {
  const rating = best(level);
  const panels = html("div", { class: "panels" });
  if (rating === null) {
    panels.append(html("div", { class: "panel" }, level.fault ? rowsText(level) : new Board(level.rows, nameOf(level)).element));
  } else {
    if (rating.before !== null && rating.is_better) panels.append(panelOf(level, "Before", rating.before));
    panels.append(panelOf(level, rating.before === null || rating.is_better ? "After" : "Solution", rating.after));
  }
  const least = rating?.least ? `no solution has fewer than ${rating.least.toLocaleString("en")} ${["moves", "pushes"][state.objective]}` : "";
  const facts = [rating?.by && `found by ${rating.by}`, timeText(rating?.at ?? ""), rating?.seconds != null && `in ${secondsText(rating.seconds)}`, least].filter(Boolean);
  const cell = html("td", { colspan: COLUMNS.length }, panels, html("p", { class: "muted" }, facts.join(" · ")));
  return html("tr", { class: "details" }, cell);
}

function rowsText(level) {
  return html("pre", {}, level.rows.join("\n"));
}

function panelOf(level, what, shown) {
  const moves = level.solutions[shown.solution];
  const replay = new Replay({ rows: level.rows, moves, name: `${nameOf(level)}, ${what.toLowerCase()}` });
  const text = html("details", {}, html("summary", {}, "Moves as text"), html("code", { tabindex: 0 }, moves));
  const measured = `${count(shown.moves, "move", "moves")}, ${count(shown.pushes, "push", "pushes")}`;
  const heading = html("h3", {}, `${what} `, html("span", { class: "muted" }, measured));
  // In two columns the pieces of a large board would be dots.
  const isLarge = Math.max(level.rows.length, ...level.rows.map((row) => row.length)) > LARGE_BOARD;
  return html("section", { class: isLarge ? "panel large" : "panel" }, heading, replay.element, text);
}

function chooseObjective(objective) {
  state.objective = objective;
  document.body.className = `by-${objective}`;
  update();
}

makeHead();
search.addEventListener("input", update);
kind.addEventListener("change", update);
document.querySelectorAll("input[name=objective]").forEach((input) => {
  input.addEventListener("change", () => chooseObjective(Number(input.value)));
});
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input, select") !== null;
  if (event.key === "/" && !isTyped) {
    event.preventDefault();
    search.focus();
  }
});
// A print has all levels.
addEventListener("beforeprint", () => {
  while (nShown < chosen.length) showMore();
});
const asked = levels.find((level) => `#level-${level.number}` === location.hash);
if (asked) state.open.add(asked);
// A browser that reloads a page may keep what was chosen.
chooseObjective(Number(document.querySelector("input[name=objective]:checked")?.value ?? 0));
if (asked) {
  while (!document.getElementById(`level-${asked.number}`) && nShown < chosen.length) showMore();
  document.getElementById(`level-${asked.number}`)?.scrollIntoView();
}
