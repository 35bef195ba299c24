// The field: both seats and the three theaters between them. The running table's page, the archive and the big screen all
// draw it from here.
import { button, icon, make, texts } from "./elements.js";

let before = null;

const by = (id) => document.getElementById(id);
export const away = (seat) => (seat === "near" ? "far" : "near");

// `explain(view, theater, bottom)` is called for a theater that was pressed. The far player's phone shows the table from
// the far seat.
export function drawField(view, explain) {
  const bottom = view.role === "far" ? "far" : "near";
  const order = bottom === "far" ? [...view.theaters].reverse() : view.theaters;
  seat(by("seat-top"), view, away(bottom));
  seat(by("seat-bottom"), view, bottom);
  keepingFocus(by("theaters"), order.map((t) => theater(view, t, bottom, explain)));
  before = view;
}

// What had the focus has it again; where that is gone or can do nothing now, what is next to it: a card's theater, the
// panel's first button, the panel itself.
export function keepingFocus(parent, children) {
  const had = parent.contains(document.activeElement) ? document.activeElement : null;
  const theater = had && had.closest(".theater");
  parent.replaceChildren(...children);
  if (!had) return;
  const able = (selector) => [...parent.querySelectorAll(selector)].find((node) => !node.disabled);
  const found = (had.dataset.key && able('[data-key="' + had.dataset.key + '"]')) || (theater && able('[data-key="core-' + theater.dataset.t + '"]')) || able("button");
  if (!found) parent.tabIndex = -1;
  (found || parent).focus({ preventScroll: true });
}

function seat(node, view, which) {
  const s = view.seats[which];
  node.dataset.turn = s.turn ? "yes" : "no";
  node.dataset.colour = s.colour;
  node.dataset.seat = which;
  const commander = make("span", "commander", s.commander);
  commander.title = s.commander_text;
  commander.setAttribute("role", "img");
  commander.setAttribute("aria-label", s.commander_text);
  const about = make("div", "about");
  const name = make("h2", "name", s.name);
  const hold = make("p", "hold");
  const hand = make("span", "hand");
  for (let i = 0; i < s.hand; i += 1) hand.append(make("i"));
  hand.setAttribute("aria-hidden", "true");
  hold.append(hand, make("span", "", s.hand_text), document.createElement("br"), make("span", "cost", s.withdraw_text));
  about.append(name, hold);
  const score = make("div", "score");
  const points = make("p", "points", String(s.score));
  points.append(make("small", "", " / " + view.target));
  score.append(points);
  if (s.turn) score.append(make("span", "flag", view.now.kind === "effect" ? texts.to_decide : texts.to_play));
  node.replaceChildren(commander, about, score);
}

function theater(view, t, bottom, explain) {
  const top = away(bottom);
  const node = make("article", "theater");
  node.setAttribute("aria-label", t.name);
  node.dataset.t = t.id;
  node.dataset.wrong = t.wrong ? "yes" : "no";
  node.dataset.choice = t.choice ? "yes" : "no";
  const core = button(null, "core", () => explain(view, t, bottom));
  core.dataset.key = "core-" + t.id;
  core.dataset.colour = view.seats[t.holder].colour;
  core.setAttribute("aria-label", t.spoken);
  const middle = make("span", "middle");
  const plaque = make("span", "plaque");
  const held = make("span", "held");
  const name = measured(make("span", "", null), t.held);
  name.append(make("span", "point", t.holder === bottom ? "▼" : "▲"), t.held);
  held.append(name, make("span", /\d/.test(t.lead_text) ? "lead" : "lead words", t.lead_text));
  plaque.append(icon(t.id), " ", make("b", "", t.name), held);
  middle.append(strength(t, top), plaque, strength(t, bottom));
  core.append(bar(view, t, bottom), middle);
  node.append(stack(t, top, true), core, stack(t, bottom, false));
  return node;
}

function strength(t, which) {
  const node = make("span", "strength", String(t[which].total));
  node.dataset.holds = t.holder === which ? "yes" : "no";
  node.dataset.strength = t.id + "-" + which;
  return node;
}

function bar(view, t, bottom) {
  const node = make("span", "bar");
  node.setAttribute("aria-hidden", "true");
  node.dataset.mood = t.lights.mood;
  const dots = bottom === "near" ? [...t.lights.dots].reverse() : t.lights.dots;
  for (const on of dots) {
    const dot = make("i");
    dot.dataset.on = on;
    node.append(dot);
  }
  node.dataset.colour = view.seats[t.holder].colour;
  return node;
}

// The page's style makes a text as large as its longest word allows. A letter counts as one of common width.
const WIDE = /[жмшщыюфmw]/gi;

function measured(node, text) {
  const widths = text.split(" ").map((word) => word.length + 0.4 * (word.match(WIDE) || []).length);
  node.style.setProperty("--letters", String(Math.max(...widths)));
  return node;
}

function stack(t, which, upwards) {
  const cards = t[which].stack;
  const node = make("ol", upwards ? "stack up" : "stack");
  node.dataset.pile = t.id + "/" + which;
  node.dataset.many = cards.length > 3 ? "yes" : "no";
  node.setAttribute("aria-label", t[which].spoken);
  const old = before && before.theaters.find((x) => x.id === t.id);
  const had = old ? old[which].stack.map((c) => c.face) : null;
  cards.forEach((card, index) => {
    const item = make("li", "card");
    if (card.face === "-") {
      item.classList.add("down");
      item.append(icon("back"), make("span", "unseen", texts.face_down));
    } else {
      item.dataset.t = card.face[0];
      const face = button(null, "card-face", () => {});
      face.dataset.tells = card.face;
      face.dataset.key = "card-" + card.face;
      const name = make("span", "", card.name);
      measured(name, card.name);
      face.append(icon(card.face[0]), make("b", "", card.strength), " ", name);
      item.append(face);
    }
    if (card.place) item.dataset.place = card.place;
    if (card.mark) {
      item.dataset.mark = card.mark;
      item.title = card.mark_text;
      item.append(make("span", "unseen", card.mark_text));
    }
    if (index === cards.length - 1) item.classList.add("upper");
    if (had && had[index] !== card.face) item.classList.add("fresh");
    node.append(item);
  });
  return node;
}
