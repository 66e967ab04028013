/* The editor: a board as text and as a picture. What it is like is said by the server, which has the rules. */

import { at, collectionLink, el, fill, levelLink, notice, post, postRaw, trying } from "/page.js";
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
/** What is placed by keys that are easier to type than the letters of boards. */
const KEYS = { w: "#", b: "$", g: ".", p: "@", f: " ", Backspace: " ", Delete: " " };
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const STAGES = {
  whole: "Can all positions be looked at?",
  solving: "Is there a solution?",
  proving: "Is it the best?",
  best: "Which are all best solutions?",
  squares: "Which squares could be wall?",
  choices: "Where does a push lose?",
  boxes: "Which boxes are spare?",
};
const EXAMPLE = "#########\n#       #\n# @ $ . #\n#       #\n#########";
const KEPT = "soko-edited";
const VERDICTS = { "not a level": "Not a level", unsolvable: "No solution", solvable: "Solvable", unknown: "A level" };
/** Letters that are changed before a look at the board is asked for, in milliseconds. */
const PAUSE = 200;
const UNITS = 32;
/** The longest side of a board that keys make. */
const MAX_SIDE = 200;

const text = at("board");
let tool = "#";
/** The square that keys paint, which is shown once a key was used. */
const frame = { row: 0, column: 0, isShown: false };
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
function paint(row, column, letter = tool) {
  const rows = text.value.split("\n");
  while (rows.length <= row) rows.push("");
  let letters = [...rows[row].padEnd(column + 1)];
  if (letters[column] === letter) return;
  if (letter === "@" || letter === "+") {
    // There is one player.
    rows.forEach((other, k) => (rows[k] = other.replace("@", " ").replace("+", ".")));
    letters = [...rows[row].padEnd(column + 1)];
  }
  letters[column] = letter;
  rows[row] = letters.join("").trimEnd();
  text.value = rows.join("\n");
  changed();
}

const nameOf = (letter) => TOOLS.find(([other]) => other === letter)?.[1] ?? "Floor";

/** Draws the frame where it is, and says what is in it. */
function showFrame(before = "") {
  const svg = at("picture").querySelector("svg");
  svg?.querySelectorAll(".frame").forEach((old) => old.remove());
  if (!frame.isShown || svg === null) return;
  mark(svg, [[frame.row, frame.column]], "frame");
  const letter = text.value.split("\n")[frame.row]?.[frame.column] ?? " ";
  at("said").textContent = `${before}row ${frame.row + 1}, column ${frame.column + 1}: ${nameOf(letter).toLowerCase()}`;
}

/** Moves the frame, at most one square beyond the board, which grows there. */
function moveFrame([down, right]) {
  const rows = text.value.split("\n");
  const most = [Math.min(rows.length, MAX_SIDE - 1), Math.min(Math.max(...rows.map((row) => row.length)), MAX_SIDE - 1)];
  frame.row = Math.max(0, Math.min(most[0], frame.row + down));
  frame.column = Math.max(0, Math.min(most[1], frame.column + right));
}

function paintByKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isLetter = TOOLS.some(([letter]) => letter === event.key);
  const letter = event.key === "Enter" ? tool : isLetter ? event.key : KEYS[event.key];
  const step = ARROWS[event.key];
  if (letter === undefined && step === undefined) return;
  event.preventDefault();
  if (step !== undefined && frame.isShown) moveFrame(step);
  frame.isShown = true;
  if (letter !== undefined) paint(frame.row, frame.column, letter);
  else if (event.shiftKey) paint(frame.row, frame.column);
  showFrame(letter === undefined ? "" : "placed, ");
}

function drawBoard(check) {
  const rows = check.rows.length > 0 ? check.rows : [" "];
  const { element, width, height } = new Board(rows, `Board: ${VERDICTS[check.verdict]}`);
  mark(element, check.marks.spare, "spare");
  mark(element, check.marks.goals, "goal");
  mark(element, check.marks.fault, "fault");
  const paintAt = (event) => {
    const box = element.getBoundingClientRect();
    const scale = Math.min(box.width / width, box.height / height);
    const [x, y] = [event.clientX - box.left - (box.width - scale * width) / 2, event.clientY - box.top - (box.height - scale * height) / 2];
    const [row, column] = [Math.floor(y / scale), Math.floor(x / scale)];
    if (row >= 0 && row < height && column >= 0 && column < width) paint(row, column);
  };
  element.addEventListener("pointerdown", paintAt);
  element.addEventListener("pointermove", (event) => event.buttons === 1 && paintAt(event));
  fill(at("picture"), element);
  showFrame();
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

/** Shows which stages a check has begun; the last one is what it is at. */
function showStages(begun) {
  const stage = (name, k) => el("li", { class: k === begun.length - 1 ? "now" : "done", text: STAGES[name] ?? "What else?" });
  fill(at("stages"), ...begun.map(stage));
  at("stages").hidden = begun.length === 0;
  at("verdict").textContent = begun.length === 0 ? "Checking …" : `Checking: ${STAGES[begun[begun.length - 1]] ?? ""}`;
}

/** Checks with a search, which tells its stages, a line each, and then the answer. */
async function searched(asked, mine) {
  const response = await postRaw("check", asked);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const begun = [];
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The check ended without an answer.");
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines.map((text) => JSON.parse(text))) {
      if (line.check !== undefined) return line.check;
      if (!begun.includes(line.stage)) begun.push(line.stage);
      if (mine === nLooks) showStages(begun);
    }
  }
}

async function check() {
  nLooks += 1;
  const mine = nLooks;
  checking = true;
  [at("check").disabled, at("stop").hidden] = [true, false];
  at("verdict").textContent = "Checking …";
  at("verdict").className = "verdict";
  const answer = await trying(() => searched({ board: text.value, seconds: Number(at("seconds").value) }, mine));
  checking = false;
  at("stages").hidden = true;
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
  const isCopy = saved.collection.startsWith(`${body.collection.trim()} (`);
  const copy = isCopy ? ` ${body.collection.trim()} is a file on the disk and stays as it is; this is a copy.` : "";
  notice("good", `Kept in ${saved.collection} as number ${saved.number}.${copy}`, " ", links[0], " · ", links[1]);
  at("collection").value = saved.collection;
  at("notices").scrollIntoView({ block: "nearest" });
}

tools();
const given = new URLSearchParams(location.hash.slice(1)).get("board");
if (given !== null) history.replaceState(null, "", location.pathname);
text.value = given ?? sessionStorage.getItem(KEPT) ?? EXAMPLE;
text.addEventListener("input", changed);
at("picture").addEventListener("keydown", paintByKey);
at("picture").addEventListener("focus", () => {
  frame.isShown = at("picture").matches(":focus-visible") || frame.isShown;
  showFrame();
});
at("check").addEventListener("click", check);
at("stop").addEventListener("click", () => trying(() => post("check/stop")));
at("save").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
look();
