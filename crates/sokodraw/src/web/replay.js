/*
 * Boards, and replays of solutions, in a page that has the symbols of sokodraw (`web::symbols`).
 *
 *     import { Board, Replay } from "./replay.js";
 *     host.append(new Board(["#####", "#@$.#", "#####"], "Level 1").element);
 *     const replay = new Replay({ rows: ["#####", "#@$.#", "#####"], moves: "R", name: "Level 1" });
 *     host.append(replay.element);
 *
 * rows    XSB letters, `-` for empty floor and a space for what is outside (`FloorPlan::rows`)
 * moves   LURD letters, capital ones for pushes, replayed before: nothing is judged here
 * name    what is replayed, for readers who do not see the picture
 *
 * Keys: space plays and pauses, arrows step, with shift to the next push, home and end, + and - for the speed.
 * Only attributes and classes are set, so that pages may forbid inline scripts and styles.
 */

/** The width of a square, and how round the corners of walls are, in units of the picture. */
const UNITS = 32;
const ROUNDING = 5;

/** Moves per second. */
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
const USUAL_SPEED = 8;

const ICONS = {
  start: "M4 4h2.5v12H4zM16 4v12L7.5 10z",
  pushBack: "M10 4v12L3 10zM17 4v12L10 10z",
  back: "M14 4v12L5 10z",
  play: "M5 3.5v13L16 10z",
  pause: "M5 4h3.5v12H5zM11.5 4H15v12h-3.5z",
  forward: "M6 4v12L15 10z",
  pushForward: "M3 4v12L10 10zM10 4v12L17 10z",
  end: "M13.5 4H16v12h-2.5zM4 4v12L12.5 10z",
};

function svg(name, attributes = {}, ...children) {
  return withAttributes(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function html(name, attributes = {}, ...children) {
  return withAttributes(document.createElement(name), attributes, children);
}

function withAttributes(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The path of a rectangle over each run of row `y` that is `inIt`, smaller than `nRows` rows by the insets. */
function runs(row, y, nRows, [insetX, insetY], inIt) {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    let n = 0;
    while (x + n < row.length && inIt(x + n, y)) n += 1;
    if (n === 0) continue;
    const [width, height] = [n * UNITS - 2 * insetX, nRows * UNITS - 2 * insetY];
    path += `M${x * UNITS + insetX} ${y * UNITS + insetY}h${width}v${height}h-${width}z`;
    x += n;
  }
  return path;
}

/** A board as an `<svg>` element: what never moves, and a symbol for each box and the player. */
export class Board {
  constructor(rows, name = "") {
    this.rows = rows;
    this.height = rows.length;
    this.width = Math.max(0, ...rows.map((row) => row.length));
    const label = name === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": name };
    const viewBox = `0 0 ${this.width * UNITS} ${this.height * UNITS}`;
    this.element = svg("svg", { class: "soko-board", viewBox, ...label });
    this.#drawGround();
    this.boxes = [];
    this.player = null;
    this.each((letter, cell) => {
      if (letter === "$" || letter === "*") this.boxes.push({ cell, symbol: this.#add(this.symbolOf("box", cell), cell) });
      if (letter === "@" || letter === "+") this.player = { cell, symbol: this.#add(this.symbolOf("player", cell), cell) };
    });
  }

  /** Calls back with the letter and the number of every cell. */
  each(call) {
    this.rows.forEach((row, y) => [...row].forEach((letter, x) => call(letter, y * this.width + x)));
  }

  letterAt(x, y) {
    return this.rows[y]?.[x] ?? " ";
  }

  isWall(cell) {
    return this.letterAt(cell % this.width, Math.floor(cell / this.width)) === "#";
  }

  isGoal(cell) {
    return ".*+".includes(this.letterAt(cell % this.width, Math.floor(cell / this.width)));
  }

  symbolOf(kind, cell) {
    return this.isGoal(cell) ? `soko-${kind}-on-goal` : `soko-${kind}`;
  }

  /** Moves a box or the player in the picture to its cell. */
  show(kind, piece) {
    piece.symbol.setAttribute("href", `#${this.symbolOf(kind, piece.cell)}`);
    piece.symbol.setAttribute("transform", this.#place(piece.cell));
  }

  #place(cell) {
    return `translate(${(cell % this.width) * UNITS} ${Math.floor(cell / this.width) * UNITS})`;
  }

  #add(id, cell) {
    const symbol = svg("use", { href: `#${id}`, transform: this.#place(cell) });
    this.element.append(symbol);
    return symbol;
  }

  #drawGround() {
    const isWall = (x, y) => this.letterAt(x, y) === "#";
    const isFloor = (x, y) => !isWall(x, y) && this.letterAt(x, y) !== " ";
    const isDouble = (x, y) => isWall(x, y) && isWall(x, y + 1);
    const inset = [ROUNDING, ROUNDING];
    // The same paths as `FloorPlan` makes for files.
    const walls = this.rows.map((row, y) => runs(row, y, 1, inset, isWall) + runs(row, y, 2, inset, isDouble)).join("");
    const floor = this.rows.map((row, y) => runs(row, y, 1, [-ROUNDING, 0], isFloor)).join("");
    const wall = { "stroke-linejoin": "round", d: walls };
    this.element.append(
      // The floor reaches below the round corners of the walls beside it.
      svg("path", { fill: "url(#soko-floor)", d: floor }),
      svg("path", { class: "soko-wall-edge", "stroke-width": 2 * ROUNDING, ...wall }),
      svg("path", { class: "soko-wall", "stroke-width": 2 * ROUNDING - 4, transform: "translate(0 -1)", ...wall }),
    );
    this.each((_, cell) => {
      if (this.isGoal(cell)) this.#add("soko-goal", cell);
    });
  }
}

/** A board with buttons that replay moves. */
export class Replay {
  #speed = USUAL_SPEED;
  #timer = null;
  #at = 0;
  #nPushed = 0;
  #boxAt = new Map();
  #touched = new Set();

  constructor({ rows, moves, name = "Solution" }) {
    this.board = new Board(rows, name);
    this.moves = moves.replace(/[^lurd]/gi, "");
    this.nPushes = this.moves.replace(/[^LURD]/g, "").length;
    this.board.boxes.forEach((box) => this.#boxAt.set(box.cell, box));
    this.#addControls(name);
    this.#render();
  }

  /** The number of moves made. */
  get at() {
    return this.#at;
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  /** Moves per second. */
  get speed() {
    return this.#speed;
  }

  set speed(movesPerSecond) {
    this.#speed = movesPerSecond;
    this.speedInput.value = String(movesPerSecond);
  }

  /** Plays from here, or from the start if all moves are made. */
  play() {
    if (this.isPlaying || this.moves === "") return;
    if (this.#at === this.moves.length) this.jump(0);
    this.#tick();
    this.#render();
  }

  pause() {
    if (!this.isPlaying) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#render();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Makes or takes back so many moves. */
  step(nMoves) {
    this.pause();
    this.jump(this.#at + nMoves);
  }

  /** Steps to after the next push, or back to before the last one. */
  stepPush(direction) {
    this.pause();
    const isPush = (at) => /[LURD]/.test(this.moves[at]);
    let at = this.#at;
    if (direction > 0) {
      while (at < this.moves.length && !isPush(at)) at += 1;
      at += 1;
    } else {
      at -= 1;
      while (at > 0 && !isPush(at)) at -= 1;
    }
    this.jump(at);
  }

  /** Shows the position after so many moves. */
  jump(at) {
    const aim = Math.max(0, Math.min(this.moves.length, at));
    while (this.#at < aim && this.#advance());
    while (this.#at > aim) this.#retreat();
    this.#render();
  }

  #tick() {
    this.#timer = setTimeout(() => {
      this.#advance();
      if (this.#at < this.moves.length) this.#tick();
      else this.#timer = null;
      this.#render();
    }, 1000 / this.#speed);
  }

  #offset(letter) {
    return { l: -1, r: 1, u: -this.board.width, d: this.board.width }[letter.toLowerCase()];
  }

  /** Makes the next move. Moves that do not fit the board end there. */
  #advance() {
    const letter = this.moves[this.#at];
    const [player, offset] = [this.board.player, this.#offset(letter)];
    const next = player.cell + offset;
    const isPush = letter !== letter.toLowerCase();
    const box = this.#boxAt.get(next);
    if (this.board.isWall(next) || isPush !== (box !== undefined)) {
      this.moves = this.moves.slice(0, this.#at);
      return false;
    }
    player.cell = next;
    if (isPush) this.#moveBox(box, next + offset);
    this.#nPushed += Number(isPush);
    this.#at += 1;
    return true;
  }

  #retreat() {
    this.#at -= 1;
    const letter = this.moves[this.#at];
    const [player, offset] = [this.board.player, this.#offset(letter)];
    const isPush = letter !== letter.toLowerCase();
    if (isPush) this.#moveBox(this.#boxAt.get(player.cell + offset), player.cell);
    this.#nPushed -= Number(isPush);
    player.cell -= offset;
  }

  #moveBox(box, cell) {
    this.#boxAt.delete(box.cell);
    this.#boxAt.set(cell, box);
    box.cell = cell;
    this.#touched.add(box);
  }

  #render() {
    this.#touched.forEach((box) => this.board.show("box", box));
    this.#touched.clear();
    if (this.board.player) this.board.show("player", this.board.player);
    const text = `move ${this.#at} of ${this.moves.length}, push ${this.#nPushed} of ${this.nPushes}`;
    this.slider.max = String(this.moves.length);
    this.slider.value = String(this.#at);
    this.slider.setAttribute("aria-valuetext", text);
    this.counter.textContent = text;
    this.playButton.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    this.playButton.title = this.isPlaying ? "Pause (space)" : "Play (space)";
    this.playIcon.setAttribute("d", this.isPlaying ? ICONS.pause : ICONS.play);
    // A button that was `disabled` would lose the focus, and with it the keys.
    const setDisabled = (buttons, is) => buttons.forEach((button) => button.setAttribute("aria-disabled", String(is)));
    setDisabled(this.backButtons, this.#at === 0);
    setDisabled(this.forwardButtons, this.#at === this.moves.length);
  }

  #button(label, key, icon, call) {
    const path = svg("path", { d: icon });
    const picture = svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, path);
    const button = html("button", { type: "button", "aria-label": label, title: `${label} (${key})` }, picture);
    button.addEventListener("click", call);
    return { button, path };
  }

  #addControls(name) {
    const button = (...parts) => this.#button(...parts).button;
    const play = this.#button("Play", "space", ICONS.play, () => this.toggle());
    [this.playButton, this.playIcon] = [play.button, play.path];
    this.backButtons = [
      button("To the start", "home", ICONS.start, () => this.step(-this.moves.length)),
      button("Last push", "shift left", ICONS.pushBack, () => this.stepPush(-1)),
      button("One move back", "left", ICONS.back, () => this.step(-1)),
    ];
    this.forwardButtons = [
      button("One move", "right", ICONS.forward, () => this.step(1)),
      button("Next push", "shift right", ICONS.pushForward, () => this.stepPush(1)),
      button("To the end", "end", ICONS.end, () => this.step(this.moves.length)),
    ];
    const rates = SPEEDS.map((speed) => html("option", { value: speed }, `${speed} / s`));
    this.speedInput = html("select", { "aria-label": "Moves per second", title: "Moves per second (+ and -)" }, ...rates);
    this.speedInput.value = String(this.#speed);
    this.speedInput.addEventListener("change", () => (this.speed = Number(this.speedInput.value)));
    this.slider = html("input", { type: "range", min: 0, max: this.moves.length, step: 1, "aria-label": "Move" });
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value) - this.#at));
    this.counter = html("span", { class: "soko-counter" });
    const buttons = [...this.backButtons, this.playButton, ...this.forwardButtons];
    const bar = html("div", { class: "soko-buttons" }, ...buttons, this.speedInput);
    const group = { class: "soko-replay", role: "group", tabindex: 0, "aria-label": `Replay: ${name}` };
    this.element = html("div", group, this.board.element, this.slider, bar, this.counter);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isIn = (name) => event.target.closest(name) !== null;
    const call = {
      " ": isIn("button") ? undefined : () => this.toggle(),
      ArrowLeft: () => (event.shiftKey ? this.stepPush(-1) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? this.stepPush(1) : this.step(1)),
      Home: () => this.step(-this.moves.length),
      End: () => this.step(this.moves.length),
      "+": () => this.#changeSpeed(1),
      "-": () => this.#changeSpeed(-1),
    }[event.key];
    if (call === undefined || isIn("select")) return;
    event.preventDefault();
    call();
  }

  #changeSpeed(steps) {
    const at = SPEEDS.indexOf(this.#speed) + steps;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
  }
}
