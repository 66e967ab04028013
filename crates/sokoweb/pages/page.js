/*
 * What all pages share: elements, requests, messages, numbers.
 *
 * Text of files is set as text, never as markup. The token comes behind the `#` of the link that `soko serve` prints, or
 * for the key of the one that it starts a browser with, and stays in this browser's storage for this address.
 */

const TOKEN = "soko-token";

/** Makes an element. Attributes that are functions listen, `text` sets text, children may be null. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element with an id. */
export const at = (id) => document.getElementById(id);

/** Puts elements in the place of what is in another one. */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
  element.removeAttribute("aria-busy");
}

/** A query of values that are not empty. */
export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return new URLSearchParams(given).toString();
}

const params = new URLSearchParams(location.search);

/** What the address asks for. */
export const asked = (name) => params.get(name) ?? "";

export const collectionLink = (name) => `/collection?${query({ name })}`;
export const levelLink = (id, collection) => `/level?${query({ id, in: collection })}`;

async function keepToken() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [token, key] = [given.get("token"), given.get("open")];
  if (token === null && key === null) return;
  // It is not read over a shoulder, and does not get into the history.
  history.replaceState(null, "", location.pathname + location.search);
  if (token !== null) localStorage.setItem(TOKEN, token);
  else await exchange(key);
}

/** Gets the token for the key of the link that a browser is started with, which works once. */
async function exchange(key) {
  try {
    const answer = await answerOf(fetch("/api/open", { method: "POST", headers: { "x-soko-token": key } }));
    localStorage.setItem(TOKEN, (await answer.json()).token);
  } catch (error) {
    notice("bad", error.message);
  }
}

/** Whether this page may change something. */
export const mayChange = () => localStorage.getItem(TOKEN) !== null;

async function answerOf(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Error("The server does not answer. Is `soko serve` still running?");
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Error(body.error ?? `The server says ${response.status}.`);
}

/** Asks for something. */
export async function get(path) {
  return (await answerOf(fetch(`/api/${path}`))).json();
}

/** Changes something. The body is a file, or values that become JSON. */
export async function post(path, body = {}) {
  return (await postRaw(path, body)).json();
}

/** The same, with the answer as it comes. */
export function postRaw(path, body) {
  const headers = { "x-soko-token": localStorage.getItem(TOKEN) ?? "" };
  const isFile = body instanceof Blob;
  if (!isFile) headers["content-type"] = "application/json";
  return answerOf(fetch(`/api/${path}`, { method: "POST", headers, body: isFile ? body : JSON.stringify(body) }));
}

/** Shows a message; its kind is good, bad or open. */
export function notice(kind, text, ...more) {
  const close = el("button", { type: "button", class: "close", "aria-label": "Close this message", text: "×" });
  const box = el("p", { class: `notice ${kind}` }, el("span", { class: "text", text }), ...more, close);
  close.addEventListener("click", () => box.remove());
  const notices = at("notices");
  // The same message twice is one.
  [...notices.children].filter((other) => other.firstChild.textContent === text).forEach((other) => other.remove());
  notices.prepend(box);
  while (notices.children.length > 3) notices.lastChild.remove();
}

/** Runs something that may fail, and shows why it does. */
export async function trying(work) {
  try {
    return await work();
  } catch (error) {
    notice("bad", error.message);
    document.querySelectorAll("[aria-busy]").forEach((element) => element.removeAttribute("aria-busy"));
    return undefined;
  }
}

const numbers = new Intl.NumberFormat("en");

/** A number with its thousands apart. */
export const n = (number) => numbers.format(number);

/** A number of things. */
export const counted = (number, one, many = `${one}s`) => `${n(number)} ${number === 1 ? one : many}`;

/** A time in words. */
export function duration(seconds) {
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
  return `${n(Math.floor(seconds / 3600))} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} min`;
}

/** A time of the library, which is UTC, in the time of this place. */
export function when(text) {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const pad = (number) => String(number).padStart(2, "0");
  const day = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${day} ${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** What is known of the best in a metric, in a few words. */
export function gapText(range) {
  if (range.best === null) return range.at_least === 0 ? "not solved yet" : `at least ${n(range.at_least)}`;
  if (range.is_proved) return "proved best";
  return range.gap_percent === null ? "" : `gap ${n(range.gap_percent)} %`;
}

/** The best in a metric with what is proved, for a table. */
export function rangeCell(range) {
  if (range.best === null) return el("td", { class: "number quiet", text: "–" });
  const mark = range.is_proved
    ? el("span", { class: "proved", title: "proved best", text: " ✓" }, el("span", { class: "hidden", text: " proved best" }))
    : null;
  const title = range.is_proved ? null : `at least ${n(range.at_least)}`;
  return el("td", { class: "number", title }, el("span", { text: n(range.best) }), mark);
}

/** A large figure of the best in a metric. */
export function rangeFigure(name, range) {
  const best = range.best === null ? "–" : n(range.best);
  const least = range.best === null || range.is_proved ? "" : `at least ${n(range.at_least)}`;
  return el(
    "div",
    { class: range.is_proved ? "figure is-proved" : "figure" },
    el("span", { class: "quiet", text: name }),
    el("strong", { text: best }),
    el("span", { class: range.is_proved ? "proved" : "quiet", text: gapText(range) }),
    least === "" ? null : el("span", { class: "quiet", text: least }),
  );
}

/** A table in a frame that scrolls by itself. Columns are [title, class]. */
export function table(label, columns, rows) {
  const head = columns.map(([text, kind]) =>
    text === "" ? el("td", { class: kind }) : el("th", { scope: "col", class: kind, text }),
  );
  return el(
    "div",
    { class: "scroll", role: "group", "aria-label": label, tabindex: 0 },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
  );
}

/** The picture of a level, loaded when it is seen. */
export function picture(id) {
  const source = (theme) => `/api/picture?${query({ id, theme })}`;
  return el(
    "picture",
    {},
    el("source", { srcset: source("dark"), media: "(prefers-color-scheme: dark)" }),
    el("img", { src: source("light"), alt: "", loading: "lazy", decoding: "async", width: 72, height: 72 }),
  );
}

/** Listens to what runs are at; calls back with the latest. Rests while the page is not seen. */
export function watchRuns(call, isLost = () => {}) {
  let source = null;
  const listen = () => {
    if (document.hidden || source !== null) return;
    source = new EventSource("/api/events");
    source.addEventListener("message", (event) => call(JSON.parse(event.data)));
    source.addEventListener("error", () => isLost());
  };
  const rest = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", listen);
  listen();
}

await keepToken();
document.querySelectorAll(".top nav a").forEach((link) => {
  if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
});
if (!mayChange()) {
  notice("open", "This page may only look. To change something, open the link that `soko serve` prints.");
}
