// The map as a drawing and as a list; a tap on a province tells what lies there and what carries supply to it.
import { button, drawn, make, texts } from "../elements.js";
import { choice, form, message, picker, stepper } from "./dialogs.js";
import { askFromBox } from "./box.js";
import { supplyLine } from "./turn.js";

let shape = "graph";

export function drawMap(node, view, act) {
  const box = make("div", "panel");
  box.append(make("h2", "", view.demo_board ? texts.small_map : texts.tab_map));
  const shapes = make("div", "choices shapes");
  for (const [name, text] of [["graph", texts.graph], ["list", texts.list]]) {
    const one = button(text, "", () => { shape = name; drawMap(node, view, act); });
    one.setAttribute("aria-pressed", String(shape === name));
    shapes.append(one);
  }
  box.append(shapes);
  if (view.map.ask && view.phase !== "setup" && view.board) {
    const asked = view.questions.find((one) => one.ask === view.map.ask);
    box.append(button(asked ? asked.text : view.map.ask, "wide", () => askFromBox(view, act, view.map.ask, "")));
  }
  box.append(shape === "graph" ? graph(view, act) : list(view, act));
  node.replaceChildren(box);
}

function places(provinces) {
  // Where each province is drawn; one without a place lies in the middle of its neighbours, or on a circle.
  const found = new Map();
  for (const p of provinces) if (p.x !== null && p.y !== null) found.set(p.key, [p.x, p.y]);
  provinces.forEach((p, n) => {
    if (found.has(p.key)) return;
    const near = p.neighbours.map((key) => found.get(key)).filter(Boolean);
    const angle = (n / provinces.length) * 2 * Math.PI;
    const centre = near.length ? near.reduce(([x, y], [a, b]) => [x + a / near.length, y + b / near.length], [0, 0]) : [50, 50];
    const away = near.length ? 7 : 42;
    found.set(p.key, [centre[0] + away * Math.cos(angle), centre[1] + away * Math.sin(angle)]);
  });
  return found;
}

function graph(view, act) {
  const provinces = view.map.provinces;
  const at = places(provinces);
  const art = drawn("svg", { viewBox: "-13 -3 126 108", class: "graph" });
  const drawnLines = new Set();
  for (const p of provinces) {
    for (const key of p.neighbours) {
      const name = [p.key, key].sort().join(" ");
      if (drawnLines.has(name) || !at.has(key)) continue;
      drawnLines.add(name);
      const [[x1, y1], [x2, y2]] = [at.get(p.key), at.get(key)];
      art.append(drawn("line", { x1, y1, x2, y2, class: "way" }));
    }
  }
  for (const p of provinces) art.append(node(view, act, p, at.get(p.key)));
  // Names lie over everything, so that no circle hides one.
  for (const p of provinces) art.append(...names(view, p, at.get(p.key)));
  const scroll = make("div", "graph-scroll");
  scroll.append(art);
  requestAnimationFrame(() => { scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) / 2; });
  return scroll;
}

function unsupplied(p) {
  return p.control && p.supplied && !p.supplied[p.control];
}

function node(view, act, p, [x, y]) {
  const side = p.control || "neutral";
  const group = drawn("g", { class: `province ${side}${p.quagmire ? " mired" : ""}${unsupplied(p) ? " cut" : ""}`, tabindex: 0, role: "button", "aria-label": described(view, p) });
  const shapeOf = p.terrain === "sea" ? drawn("rect", { x: x - 3.4, y: y - 2.6, width: 6.8, height: 5.2, rx: 2.6 }) : drawn("circle", { cx: x, cy: y, r: 3.2 });
  group.append(shapeOf);
  group.append(drawn("text", { x, y: y + 1.1, class: "owner" }, p.control ? view.initials[p.control] : "·"));
  const show = () => province(view, act, p);
  group.addEventListener("click", show);
  group.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); show(); } });
  return group;
}

function names(view, p, [x, y]) {
  const found = [drawn("text", { x, y: y + 6.4, class: "name" }, p.name)];
  const cards = lying(view, p);
  if (cards) found.push(drawn("text", { x, y: y + 9.4, class: "lying" }, cards));
  return found;
}

function lying(view, p) {
  const parts = [];
  if (p.axis) parts.push(`${view.initials.axis}▮${p.axis}`);
  if (p.allies) parts.push(`${view.initials.allies}▮${p.allies}`);
  if (p.neutral) parts.push(`◇${p.neutral}`);
  if (p.quagmire) parts.push("⚔");
  return parts.join(" ");
}

function described(view, p) {
  const words = [p.name, p.control ? view.names[p.control] : texts.nobody];
  if (p.quagmire) words.push(texts.quagmire);
  if (unsupplied(p)) words.push(texts.no_supply);
  return words.join(", ");
}

function list(view, act) {
  const box = make("ul", "province-list");
  for (const p of view.map.provinces) {
    const line = make("li");
    const row = button("", "row", () => province(view, act, p));
    const control = make("span", `owner ${p.control || "neutral"}`, p.control ? view.initials[p.control] : "·");
    row.append(control, make("span", "text", p.name), make("span", "lying", lying(view, p)));
    if (unsupplied(p)) row.append(make("span", "flag cut", texts.no_supply));
    line.append(row);
    box.append(line);
  }
  return box;
}

function province(view, act, p) {
  const parts = [make("p", "", described(view, p))];
  const words = [p.terrain ? texts[p.terrain] : texts.unknown];
  if (p.winter) words.push(`${texts.winter_symbol}: ${texts[p.winter]}`);
  if (p.points !== null) words.push(`${texts.victory_points}: ${p.points}`);
  if (p.resources !== null) words.push(`${texts.resources}: ${p.resources}`);
  parts.push(make("p", "", words.join(" · ")));
  parts.push(make("p", "", `${texts.cards}: ${lying(view, p) || "0"}`));
  for (const supply of p.supply) {
    parts.push(make("h3", "", view.names[supply.side]), supplyLine(supply));
  }
  const names = Object.fromEntries(view.map.provinces.map((one) => [one.key, one.name]));
  parts.push(make("p", "", `${texts.neighbours}: ${p.neighbours.map((key) => names[key]).join(", ") || "?"}`));
  if (view.board && view.phase !== "setup") parts.push(button(texts.correct, "quiet", () => correct(view, act, p)));
  message(p.name, parts);
}

function correct(view, act, p) {
  const sides = [["axis", view.names.axis], ["allies", view.names.allies]];
  const control = choice(texts.control, [...sides, ["neutral", texts.nobody]], p.control || "neutral");
  const counts = ["axis", "allies", "neutral"].map((side) => stepper(side === "neutral" ? texts.neutral_cards : `${texts.cards} · ${view.names[side]}`, 0, 60, p[side]));
  const mired = picker(texts.quagmire, [["", texts.no], ...sides], p.quagmire || "");
  form(view, act, `${texts.correct}: ${p.name}`, [control, ...counts, mired], () => ({
    do: "correct-province",
    province: p.key,
    control: control.read(),
    axis: counts[0].read(),
    allies: counts[1].read(),
    neutral: counts[2].read(),
    quagmire: mired.read() || null,
  }), texts.save);
}
