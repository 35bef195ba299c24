// Both wheels, drawn and as a list, and both sides' piles with their corrections.
import { button, drawn, make, texts } from "../elements.js";
import { choice, form, number, picker } from "./dialogs.js";

const COUNTS = ["deck", "hand", "discard", "wins", "losses", "intel", "intel_used", "production"];

export function drawWheels(node, view, act) {
  node.replaceChildren(...["axis", "allies"].map((side) => campPanel(view, act, side)), make("p", "dim", view.lights));
}

function campPanel(view, act, side) {
  const camp = view.camps[side];
  const box = make("div", "panel camp");
  box.dataset.side = side;
  const head = make("h2", "", camp.name);
  if (view.token === side) head.append(make("span", "flag", "+1"));
  box.append(head, wheel(camp), counts(view, side));
  if (view.board && view.phase !== "setup") box.append(button(texts.correct, "quiet", () => correct(view, act, side)));
  return box;
}

function wheel(camp) {
  // Six sectors clockwise from the top; the hand points to NEW OP.
  const art = drawn("svg", { viewBox: "-64 -64 128 128", class: "wheel", role: "img" });
  const said = [];
  for (const slot of camp.slots) {
    const middle = (slot.slot * 60 - 90) * (Math.PI / 180);
    const [from, to] = [middle - Math.PI / 6, middle + Math.PI / 6];
    const at = (radius, angle) => `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
    const state = slot.new ? "new" : slot.cards === null ? "empty" : slot.ready === false ? "waiting" : "ready";
    art.append(drawn("path", { d: `M0 0 L${at(60, from)} A60 60 0 0 1 ${at(60, to)} Z`, class: `sector ${state}` }));
    const [x, y] = at(43, middle).split(" ").map(Number);
    art.append(drawn("text", { x, y: y - 5, class: "slot" }, slot.name));
    const marks = [slot.ready === false ? "⊘" : "", slot.attack ? `A+${slot.attack}` : "", slot.defence ? `D+${slot.defence}` : ""];
    art.append(drawn("text", { x, y: y + 4, class: "mark" }, marks.filter(Boolean).join(" ")));
    if (slot.cards !== null) art.append(drawn("text", { x, y: y + 14, class: "cards" }, `▮ ${slot.cards}`));
    if (slot.cards !== null || slot.new) {
      const words = [slot.name, slot.cards === null ? texts.empty : `${texts.cards} ${slot.cards}`];
      words.push(slot.new ? texts.new_op : slot.ready === false ? texts.not_ready : texts.ready, ...marks.slice(1).filter(Boolean));
      said.push(words.join(" · "));
    }
  }
  const newest = ((camp.wheel * 60 - 90) * Math.PI) / 180;
  art.append(drawn("circle", { r: 13, class: "hub" }));
  art.append(drawn("path", { d: `M${17 * Math.cos(newest)} ${17 * Math.sin(newest)} L${9 * Math.cos(newest + 0.9)} ${9 * Math.sin(newest + 0.9)} L${9 * Math.cos(newest - 0.9)} ${9 * Math.sin(newest - 0.9)} Z`, class: "pointer" }));
  art.append(drawn("text", { x: 0, y: 2, class: "newop" }, texts.new_op));
  art.setAttribute("aria-label", said.join("; "));
  const box = make("div", "wheel-box");
  const list = make("ul", "wheel-list");
  for (const line of said) list.append(make("li", "", line));
  box.append(art, list);
  return box;
}

function counts(view, side) {
  const camp = view.camps[side];
  const list = make("dl", "counts");
  for (const name of [...COUNTS, "provinces"]) {
    const one = make("div");
    one.append(make("dt", "", texts[name]), make("dd", "", String(camp[name])));
    list.append(one);
  }
  return list;
}

function correct(view, act, side) {
  const camp = view.camps[side];
  const fields = COUNTS.map((name) => [name, number(texts[name], camp[name])]);
  if (side === "axis") fields.push(["points", number(texts.points, view.points)]);
  const wheel = picker(texts.wheel, camp.slots.map((slot) => [String(slot.slot), slot.name]), String(camp.wheel));
  const token = choice(texts.token, [[true, texts.yes], [false, texts.no]], view.token === side);
  const why = make("p", "", texts.correct_why);
  form(view, act, `${texts.correct}: ${camp.name}`, [why, ...fields.map(([, field]) => field), wheel, token], () => {
    const action = { do: "correct-camp", side };
    for (const [name, field] of fields) {
      const was = name === "points" ? view.points : camp[name];
      if (field.read() !== null && field.read() !== was) action[name] = field.read();
    }
    if (Number(wheel.read()) !== camp.wheel) action.wheel = Number(wheel.read());
    if (token.read() !== (view.token === side)) action.token = token.read();
    return action;
  }, texts.save);
}
