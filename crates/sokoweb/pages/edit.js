/* The editor: a board as text and as a picture. What it is like is said by the server, which has the rules. */

import { at, collectionLink, el, fill, levelLink, notice, post, trying } from "/page.js";
import { Board, Replay } from "/replay.js";

const TOOLS = [
  ["#", "Wall"],
  [" ", "Floor"],
  ["$", "Box"],
  [".", "Goal"],
  ["*", "Box on goal"],
  ["@", "Player"],
  ["+", "Player on goal"],
];
const EXAMPLE = "#########\n#       #\n# @ $ . #\n#       #\n#########";
const KEPT = "soko-edited";
const VERDICTS = { "not a level": "Not a level", unsolvable: "No solution", solvable: "Solvable", unknown: "A level" };
/** Letters that are changed before a look at the board is asked for, in milliseconds. */
const PAUSE = 200;
const UNITS = 32;

const text = at("board");
let tool = "#";
let solution = null;
let nLooks = 0;
let checking = false;

function tools() {
  const buttons = TOOLS.map(([letter, name], k) => {
    const input = el("input", { type: "radio", name: "tool", value: letter, checked: k === 0 });
    input.addEventListener("change", () => (tool = letter));
    return el("label", { class: "choice", title: name }, input, ` ${name}`);
  });
  fill(at("tools"), ...buttons);
}

function mark(svg, places, kind) {
  for (const [row, column] of places) {
    const square = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const values = { x: column * UNITS + 3, y: row * UNITS + 3, width: UNITS - 6, height: UNITS - 6, rx: 5, class: `mark ${kind}` };
    Object.entries(values).forEach(([name, value]) => square.setAttribute(name, value));
    svg.append(square);
  }
}

/** Puts a letter into a square of the text. */
function paint(row, column) {
  const rows = text.value.split("\n");
  while (rows.length <= row) rows.push("");
  let letters = [...rows[row].padEnd(column + 1)];
  if (letters[column] === tool) return;
  if (tool === "@" || tool === "+") {
    // There is one player.
    rows.forEach((other, k) => (rows[k] = other.replace("@", " ").replace("+", ".")));
    letters = [...rows[row].padEnd(column + 1)];
  }
  letters[column] = tool;
  rows[row] = letters.join("").trimEnd();
  text.value = rows.join("\n");
  changed();
}

function drawBoard(check) {
  const rows = check.rows.length > 0 ? check.rows : [" "];
  const { element, width, height } = new Board(rows, `Board: ${VERDICTS[check.verdict]}`);
  mark(element, check.marks.spare, "spare");
  mark(element, check.marks.goals, "goal");
  mark(element, check.marks.fault, "fault");
  const paintAt = (event) => {
    const frame = element.getBoundingClientRect();
    const scale = Math.min(frame.width / width, frame.height / height);
    const [x, y] = [event.clientX - frame.left - (frame.width - scale * width) / 2, event.clientY - frame.top - (frame.height - scale * height) / 2];
    const [row, column] = [Math.floor(y / scale), Math.floor(x / scale)];
    if (row >= 0 && row < height && column >= 0 && column < width) paint(row, column);
  };
  element.addEventListener("pointerdown", paintAt);
  element.addEventListener("pointermove", (event) => event.buttons === 1 && paintAt(event));
  fill(at("picture"), element);
}

function showCheck(check) {
  drawBoard(check);
  const verdict = at("verdict");
  verdict.textContent = VERDICTS[check.verdict];
  verdict.className = `verdict ${check.verdict.replaceAll(" ", "-")}`;
  fill(at("findings"), ...check.findings.map((finding) => el("li", { class: `${finding.tone} text`, text: finding.text })));
  solution = check.solution;
  const replay = solution === null ? null : new Replay({ rows: check.rows, moves: solution, name: "best solution found" });
  fill(at("replay"), replay?.element);
}

/** Asks what the board is like, without a search. */
async function look() {
  nLooks += 1;
  const mine = nLooks;
  const check = await trying(() => post("check", { board: text.value }));
  // A later look knows more.
  if (check !== undefined && mine === nLooks) showCheck(check);
}

let timer;
function changed() {
  sessionStorage.setItem(KEPT, text.value);
  if (checking) post("check/stop").catch(() => {});
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
}

async function check() {
  nLooks += 1;
  const mine = nLooks;
  checking = true;
  [at("check").disabled, at("stop").hidden] = [true, false];
  at("verdict").textContent = "Checking …";
  at("verdict").className = "verdict";
  const answer = await trying(() => post("check", { board: text.value, seconds: Number(at("seconds").value) }));
  checking = false;
  [at("check").disabled, at("stop").hidden] = [false, true];
  if (mine !== nLooks) return;
  if (answer === undefined) look();
  else showCheck(answer);
}

async function save() {
  const body = { collection: at("collection").value, title: at("title").value, author: at("author").value, board: text.value, solution };
  const saved = await trying(() => post("save", body));
  if (saved === undefined) return;
  const links = [el("a", { href: levelLink(saved.id, saved.collection), text: "Show it" }), el("a", { href: collectionLink(saved.collection), text: "its collection" })];
  notice("good", `Kept in ${saved.collection} as number ${saved.number}.`, " ", links[0], " · ", links[1]);
  at("notices").scrollIntoView({ block: "nearest" });
}

tools();
const given = new URLSearchParams(location.hash.slice(1)).get("board");
if (given !== null) history.replaceState(null, "", location.pathname);
text.value = given ?? sessionStorage.getItem(KEPT) ?? EXAMPLE;
text.addEventListener("input", changed);
at("check").addEventListener("click", check);
at("stop").addEventListener("click", () => trying(() => post("check/stop")));
at("save").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
look();
