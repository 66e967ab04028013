/* Dialogs that several pages open: what a run is to do, what is to be exported. */

import { downloadExport, el, get, notice, post, query } from "/page.js";

function dialog(title, send, fields, work) {
  const error = el("p", { class: "notice bad", role: "alert", hidden: true });
  const cancel = el("button", { type: "button", text: "Cancel" });
  const submit = el("button", { class: "main", text: send });
  const heading = el("h2", { id: "dialog-title", class: "text", text: title });
  const form = el("form", { method: "dialog" }, heading, ...fields, error, el("div", { class: "bar end" }, cancel, submit));
  const box = el("dialog", { "aria-labelledby": "dialog-title" }, form);
  cancel.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    try {
      await work();
      box.close();
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    }
    submit.disabled = false;
  });
  document.body.append(box);
  box.showModal();
}

function choices(name, legend, options) {
  const inputs = options.map(([value, text, checked], k) =>
    el("label", { class: "choice" }, el("input", { type: "radio", name, value, checked: checked ?? k === 0 }), ` ${text}`),
  );
  return el("fieldset", {}, el("legend", { text: legend }), ...inputs);
}

const chosen = (fieldset) => fieldset.querySelector("input:checked").value;

/** Asks how a run is to be, begins it, and shows it. `about` has a title, collections and levels. */
export async function askRun(about) {
  const server = await get("runs").catch((error) => notice("bad", error.message));
  if (server === undefined) return;
  const kinds = [
    ["optimize", "Shorter solutions; levels without one are solved first"],
    ["solve", "First solutions only, for levels that have none"],
  ];
  const kind = choices("kind", "What", kinds);
  const objectives = [
    ["moves,pushes", "moves, and pushes"],
    ["moves", "moves"],
    ["pushes", "pushes"],
    ["boxlines/moves", "box lines, then moves"],
    ["boxlines/pushes", "box lines, then pushes"],
  ];
  const objective = el("select", {}, ...objectives.map(([value, text]) => el("option", { value, text })));
  const times = [
    [10, "10 seconds"],
    [60, "1 minute"],
    [600, "10 minutes"],
    [3600, "1 hour"],
    [28800, "8 hours"],
    ["", "until nothing is left to try"],
  ];
  const isNight = about.levels === undefined;
  const time = el("select", {}, ...times.map(([value, text]) => el("option", { value, text, selected: value === (isNight ? 3600 : 60) })));
  const threads = el("input", { type: "number", min: 1, max: server.n_threads, value: server.n_threads, required: true });
  const memory = el("input", { type: "number", min: 64, max: server.memory_mib, step: 1, value: Math.max(64, Math.floor(server.memory_mib / 4)), required: true });
  const fields = [
    kind,
    el("label", {}, "What counts first", objective),
    el("label", {}, "For", time),
    el("label", {}, "Threads", threads),
    el("label", {}, "Memory in MiB", memory),
  ];
  dialog(`Run on ${about.title}`, "Begin", fields, async () => {
    const what = chosen(kind);
    await post("runs", {
      kind: what === "optimize" && isNight ? "night" : what,
      collections: about.collections ?? [],
      levels: about.levels ?? [],
      objectives: objective.value.split(","),
      seconds: time.value === "" ? null : Number(time.value),
      threads: threads.valueAsNumber,
      memory_mib: memory.valueAsNumber,
    });
    location.assign("/runs");
  });
}

/** Asks what is to be exported, and hands it to the browser as a download. */
export function askExport(title, names) {
  const form = choices("form", "What kind of file", [
    ["sok", "levels with their solutions (.sok)"],
    ["csv", "a table, a row for each level (.csv)"],
  ]);
  const what = choices("what", "Which levels", [
    ["all", "all"],
    ["improved", "those that improved since the last export"],
    ["since", "those that improved since a day"],
  ]);
  const day = el("input", { type: "date", "aria-label": "The day since which levels have improved", max: new Date().toISOString().slice(0, 10) });
  day.addEventListener("input", () => (what.querySelector("[value=since]").checked = true));
  what.append(day);
  const which = choices("which", "Which solutions", [
    ["best", "the best by moves and by pushes"],
    ["kept", "all that are kept"],
  ]);
  form.addEventListener("change", () => (which.disabled = chosen(form) === "csv"));
  dialog(`Export ${title}`, "Download", [form, what, which], async () => {
    const isSince = chosen(what) === "since";
    if (isSince && day.value === "") throw new Error("Choose the day, too.");
    await downloadExport({
      names,
      form: chosen(form),
      improved: chosen(what) === "improved",
      since: isSince ? day.value : null,
      all: chosen(which) === "kept",
    });
  });
}

/** Asks whether a collection is to be forgotten. */
export function askForget(collection, then) {
  const words = "Its levels keep their solutions in the library; the collection itself goes.";
  dialog(`Forget ${collection.shown_name}?`, "Forget", [el("p", { text: words })], async () => {
    await post(`forget?${query({ name: collection.name })}`);
    then();
  });
}
