/*
 * What all pages share: elements, requests, messages, numbers.
 *
 * Text of files is set as text, never as markup. The token comes behind the `#` of the link that `soko serve` prints, or
 * for the key of the one that it starts a browser with, and stays in this browser's storage for this address. With it
 * comes a cookie that lets pictures and events be loaded. A page without either shows what to do, and nothing else.
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
  await exchange(token ?? key).catch((error) => notice("bad", error.message));
}

/** Gets the cookie and the token, for the token or for the key of the link that a browser is started with, once. */
async function exchange(shown) {
  const answer = await answerOf(fetch("/api/open", { method: "POST", headers: { "x-soko-token": shown } }));
  localStorage.setItem(TOKEN, (await answer.json()).token);
}

const tokenHeader = () => ({ "x-soko-token": localStorage.getItem(TOKEN) ?? "" });

/** What this page may do. */
async function permission() {
  return (await answerOf(fetch("/api/permission", { headers: tokenHeader() }))).json();
}

/** Says that the page needs the link, and takes it. */
function showLocked() {
  document.title = "Locked · Soko";
  const field = el("input", { id: "link", autocomplete: "off", spellcheck: "false", required: true });
  const form = el(
    "form",
    { class: "panel" },
    el("label", { for: "link" }, "The link, or the token at its end", field),
    el("div", { class: "bar" }, el("button", { class: "main", text: "Open" })),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const token = field.value.trim().split(/[#&=]/).pop();
    await exchange(token).then(() => location.reload(), (error) => notice("bad", error.message));
  });
  const words = [
    "The library is shown to its owner alone: open the link that “soko\u00a0serve” printed in its terminal when it was started.",
    "A link is for one start of the server. After another start there is a new one.",
  ];
  const box = el("div", { class: "locked" }, el("h1", { text: "This page needs its link" }), ...words.map((text) => el("p", { text })), form);
  at("main").replaceChildren(at("notices"), box);
}

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
  return (await answerOf(fetch(`/api/${path}`, { headers: tokenHeader() }))).json();
}

/** Changes something. The body is a file, or values that become JSON. */
export async function post(path, body = {}) {
  return (await postRaw(path, body)).json();
}

/** The same, with the answer as it comes. */
export function postRaw(path, body) {
  const headers = tokenHeader();
  const isFile = body instanceof Blob;
  if (!isFile) headers["content-type"] = "application/json";
  return answerOf(fetch(`/api/${path}`, { method: "POST", headers, body: isFile ? body : JSON.stringify(body) }));
}

/** Hands bytes to the browser as a download. */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Gets a file of levels or rows, and hands it to the browser. */
export async function downloadExport(asked) {
  const response = await postRaw("export", asked);
  const name = response.headers.get("x-soko-name") ?? "soko.sok";
  download(name, await response.blob());
  const nRefused = Number(response.headers.get("x-soko-refused"));
  const refused = nRefused === 0 ? "" : ` ${counted(nRefused, "level")} of it do not take their solutions, which stay in the library.`;
  notice(nRefused === 0 ? "good" : "open", `Downloaded ${name}.${refused}`);
}

/** Takes a message off the page. */
function takeNotice(text) {
  [...at("notices").children].filter((other) => other.firstChild.textContent === text).forEach((other) => other.remove());
}

/** Shows a message; its kind is good, bad or open. */
export function notice(kind, text, ...more) {
  const close = el("button", { type: "button", class: "close", "aria-label": "Close this message", text: "×" });
  const box = el("p", { class: `notice ${kind}` }, el("span", { class: "text", text }), ...more, close);
  close.addEventListener("click", () => box.remove());
  const notices = at("notices");
  // The same message twice is one.
  takeNotice(text);
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

/** The time between two attempts to reach a server that does not answer, in milliseconds. */
const RETRY = 2000;
const GONE = "The server does not answer. If it was stopped, everything found is in the library; start soko serve again. This page looks for it every two seconds.";

/** Listens to what runs are at; calls back with the latest. Rests while the page is not seen, and says when the server is gone and when it is back. */
export function watchRuns(call) {
  let [source, timer, isGone] = [null, null, false];
  const rest = () => {
    source?.close();
    source = null;
    clearTimeout(timer);
  };
  const listen = () => {
    if (document.hidden || source !== null) return;
    source = new EventSource("/api/events");
    source.addEventListener("message", (event) => call(JSON.parse(event.data)));
    source.addEventListener("open", () => {
      if (isGone) takeNotice(GONE);
      if (isGone) notice("good", "The server answers again.");
      isGone = false;
    });
    source.addEventListener("error", () => {
      rest();
      if (!isGone) notice("bad", GONE);
      isGone = true;
      timer = setTimeout(lookAgain, RETRY);
    });
  };
  const lookAgain = () =>
    permission().then(
      (may) => (may.may_look ? listen() : showLocked()),
      () => (timer = setTimeout(lookAgain, RETRY)),
    );
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", listen);
  listen();
}

document.querySelectorAll(".top nav a").forEach((link) => {
  if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
});
// A link that is opened where a page of this server is loads nothing by itself.
window.addEventListener("hashchange", () => /^#(token|open)=/.test(location.hash) && location.reload());
await keepToken();
const may = await permission();
if (may.may_change && !may.has_cookie) {
  // A browser that was closed keeps the token and not the cookie.
  await exchange(localStorage.getItem(TOKEN));
}
if (!may.may_look) {
  showLocked();
  // What imports this module waits for it, and so does nothing.
  await new Promise(() => {});
}
if (!may.may_change) {
  notice("open", "This page may only look. To change something, open the link that soko serve prints.");
}
