/* The library: its collections, and files that are dropped on it. */

import { at, collectionLink, counted, duration, el, fill, get, n, notice, post, query, rangeCell, table, trying } from "/page.js";
import { askExport, askForget, askRun } from "/dialogs.js";

const MAX_FILE = 64 * 1024 * 1024;

const COLUMNS = [
  ["Collection", ""],
  ["Levels", "number"],
  ["Solved", "number less"],
  ["Moves", "number"],
  ["Gap", "number wide"],
  ["Pushes", "number"],
  ["Gap", "number wide"],
  ["", "wide"],
];

function row(collection) {
  const { name, shown_name, title, author, n_levels, n_solved } = collection;
  const about = [title === shown_name ? "" : title, author].filter((text) => text !== "").join(", ");
  const gap = (range) => {
    const text = range.best === null || range.is_proved || range.gap_percent === null ? "" : `${n(range.gap_percent)} %`;
    return el("td", { class: "number wide quiet", text });
  };
  const solved = el("td", { class: "number less" }, el("span", { text: n(n_solved) }));
  if (n_solved === n_levels && n_levels > 0) solved.append(el("span", { class: "proved", title: "all of them", text: " ✓" }));
  const button = (text, call) => el("button", { type: "button", class: "small", "aria-label": `${text} ${shown_name}`, text, click: call });
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("a", { class: "text name", title: shown_name, href: collectionLink(name), text: shown_name }), about === "" ? null : el("div", { class: "quiet text", text: about })),
    el("td", { class: "number", text: n(n_levels) }),
    solved,
    rangeCell(collection.moves),
    gap(collection.moves),
    rangeCell(collection.pushes),
    gap(collection.pushes),
    el(
      "td",
      { class: "actions wide" },
      button("Run…", () => askRun({ title: shown_name, collections: [name] })),
      button("Export…", () => askExport(shown_name, [name])),
      button("Forget…", () => askForget(collection, load)),
    ),
  );
}

async function load() {
  const library = await trying(() => get("library"));
  if (library === undefined) return;
  const searched = library.seconds > 0 ? `, ${duration(library.seconds)} of search` : "";
  const isEmpty = library.collections.length === 0;
  at("sums").textContent = isEmpty && library.n_levels === 0 ? "Nothing is in it yet." :
    `${counted(library.n_levels, "level")}, ${n(library.n_solved)} solved, ${counted(library.n_solutions, "solution")}${searched}`;
  at("sums").title = library.path;
  if (library.n_loose_levels > 0) {
    at("sums").append(", ", el("a", { href: "/collection?loose=true", text: `${counted(library.n_loose_levels, "level")} in no collection` }));
  }
  document.querySelectorAll(".needs-levels").forEach((element) => (element.hidden = isEmpty));
  const nothing = el(
    "div",
    { class: "empty" },
    el("p", { text: "No collection yet." }),
    el("p", { class: "quiet" }, "Drop a file of levels above, or draw a level of your own in ", el("a", { href: "/edit", text: "the editor" }), "."),
  );
  fill(at("list"), isEmpty ? nothing : table("Collections", COLUMNS, library.collections.map(row)));
}

function added(file, result) {
  const parts = [counted(result.n_levels, "level"), `${n(result.n_new_levels)} new`, counted(result.n_added, "solution") + " added"];
  if (result.n_improved > 0) parts.push(counted(result.n_improved, "level") + " improved");
  if (result.n_bad_boards > 0) parts.push(counted(result.n_bad_boards, "board") + " that are no levels");
  if (result.n_wrong > 0) parts.push(counted(result.n_wrong, "wrong solution"));
  const link = result.name === "" ? el("span", { class: "text", text: file.name }) : el("a", { class: "text", href: collectionLink(result.name), text: result.shown_name });
  const warnings = result.warnings.map((text) => el("li", { class: "text", text }));
  const details = warnings.length === 0 ? null : el("details", {}, el("summary", { text: "What was odd" }), el("ul", {}, ...warnings));
  return el("li", { class: "notice good" }, el("div", {}, link, el("span", { text: `: ${parts.join(", ")}` }), details));
}

async function upload(files) {
  for (const file of files) {
    const line = el("li", { class: "notice open text", text: `Reading ${file.name} …` });
    at("added").prepend(line);
    try {
      if (file.size > MAX_FILE) throw new Error("larger than 64 MiB");
      line.replaceWith(added(file, await post(`upload?${query({ name: file.name })}`, file)));
    } catch (error) {
      line.className = "notice bad text";
      line.textContent = `${file.name}: ${error.message}`;
    }
  }
  await load();
}

const drop = at("drop");
at("files").addEventListener("change", (event) => upload([...event.target.files]).then(() => (event.target.value = "")));
["dragover", "dragenter"].forEach((name) =>
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  }),
);
document.addEventListener("dragleave", (event) => event.relatedTarget === null && drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const files = [...event.dataTransfer.files];
  if (files.length === 0) notice("open", "That was no file.");
  upload(files);
});
at("night").addEventListener("click", () => askRun({ title: "the whole library" }));
at("export-all").addEventListener("click", () => askExport("the whole library", []));
load();
