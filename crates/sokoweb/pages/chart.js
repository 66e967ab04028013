/* A falling curve as a picture: steps, with its first and its last value, and a table of words for those who do not see it. */

import { el, n } from "/page.js";

const [WIDTH, HEIGHT] = [320, 96];
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

/** Draws points [x, y] as steps. `end` is where the last one still holds; `line` names its color. */
export function chart(name, points, end, line) {
  const figure = el("figure", { class: "chart" });
  drawChart(figure, name, points, end, line);
  return figure;
}

/** Draws the points into a figure, in the place of what was there. */
export function drawChart(figure, name, points, end, line) {
  const [first, last] = [points[0], points[points.length - 1]];
  const right = Math.max(end, last[0], first[0] + 1);
  const values = points.map((point) => point[1]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (value) => ((value - first[0]) / (right - first[0])) * WIDTH;
  const y = (value) => (high === low ? HEIGHT / 2 : 4 + ((high - value) / (high - low)) * (HEIGHT - 8));
  const steps = points.map((point, k) => (k === 0 ? `M${x(point[0])} ${y(point[1])}` : `H${x(point[0])}V${y(point[1])}`));
  const path = `${steps.join("")}H${WIDTH}`;
  const label = `${name}: from ${n(first[1])} to ${n(last[1])}`;
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label, class: line },
    svg("path", { class: "area", d: `${path}V${HEIGHT}H${x(first[0])}z` }),
    svg("path", { class: "line", d: path, "vector-effect": "non-scaling-stroke" }),
  );
  const gained = first[1] - last[1];
  const caption = el(
    "figcaption",
    {},
    el("span", { text: name }),
    el("span", { class: "gap" }),
    el("span", { class: "quiet", text: gained > 0 ? `${n(first[1])} → ` : "" }),
    el("strong", { text: n(last[1]) }),
    gained > 0 ? el("span", { class: "proved", text: ` −${n(gained)}` }) : "",
  );
  figure.replaceChildren(caption, picture);
}
