// From a view to the page. Everything that comes from the table is set as text, never as markup.
import { ask, confirmUndo, correct, explain } from "./ask.js";
import { button, icon, make, texts } from "./elements.js";

let before = null;

const by = (id) => document.getElementById(id);
const away = (seat) => (seat === "near" ? "far" : "near");

export function draw(view, act) {
  // The far player's phone shows the table from the far seat.
  const bottom = view.role === "far" ? "far" : "near";
  const order = bottom === "far" ? [...view.theaters].reverse() : view.theaters;
  by("battle").textContent = view.battle_text;
  now(view, act);
  seat(by("seat-top"), view, away(bottom));
  seat(by("seat-bottom"), view, bottom);
  keepingFocus(by("theaters"), order.map((t) => theater(view, t, bottom)));
  deeds(view, act);
  demo(view, act);
  assumptions(view);
  history(view);
  things(view);
  before = view;
}

function keepingFocus(parent, children) {
  const key = document.activeElement && document.activeElement.dataset.key;
  parent.replaceChildren(...children);
  if (key) {
    const found = parent.querySelector('[data-key="' + key + '"]');
    if (found) found.focus({ preventScroll: true });
  }
}

function now(view, act) {
  const panel = by("now");
  // Drawn again only when it says something else, so that a screen reader does not read it twice.
  const amiss = view.things.filter((thing) => !thing.ok);
  const said = JSON.stringify([view.now, view.question, view.last, view.assumptions, amiss, view.lang, view.role]);
  if (panel.dataset.said === said) return;
  panel.dataset.said = said;
  panel.dataset.kind = view.now.kind;
  const lines = [make("p", "who", view.now.title)];
  // What to do comes before the rule that asks for it: the hand is already over the table.
  for (const step of view.now.mend) lines.push(make("p", "mend", step));
  if (view.now.text) lines.push(make("p", view.now.kind === "violation" ? "rule" : "ask", view.now.text));
  if (view.last && !["question", "violation", "end"].includes(view.now.kind)) lines.push(make("p", "last", view.last));
  if (view.question) {
    const choices = make("div", "choices");
    view.question.options.forEach((option, index) => {
      choices.append(button(option.text, index === 0 ? "main" : "", () => act("answer", { question: view.question.id, option: option.id })));
    });
    if (view.can.includes("answer")) lines.push(choices);
  }
  if (view.now.kind === "violation" && view.can.includes("stand")) {
    const choices = make("div", "choices");
    choices.append(button(texts.stand, "", () => ask(view, texts.stand, texts.stand_why, texts.stand, (at) => act("stand", { at }))));
    lines.push(choices);
  }
  for (const line of view.assumptions) lines.push(make("p", "take", line));
  // A camera or lights that are gone are told where everybody looks, and not only below among the things.
  for (const thing of amiss) lines.push(make("p", "trouble", thing.text));
  panel.replaceChildren(...lines);
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
  const name = make("p", "name", s.name);
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

function theater(view, t, bottom) {
  const top = away(bottom);
  const node = make("article", "theater");
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
  const name = make("span", "", null);
  name.append(make("span", "point", t.holder === bottom ? "▼" : "▲"), t.held);
  held.append(name, make("span", "lead", t.lead_text));
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

function stack(t, which, upwards) {
  const cards = t[which].stack;
  const node = make("ol", upwards ? "stack up" : "stack");
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
      face.append(icon(card.face[0]), make("b", "", card.strength), make("span", "", card.name));
      item.append(face);
    }
    if (index === cards.length - 1) item.classList.add("upper");
    if (had && had[index] !== card.face) item.classList.add("fresh");
    node.append(item);
  });
  return node;
}

function deeds(view, act) {
  const node = by("deeds");
  const list = [];
  if (view.can.includes("done") && view.done) list.push(button(view.done, "main", () => act("done", {})));
  if (view.can.includes("undo")) {
    const undo = button(texts.undo, "", () => confirmUndo(view, "undo", act));
    undo.disabled = !view.undo;
    const redo = button(texts.redo, "", () => confirmUndo(view, "redo", act));
    redo.disabled = !view.redo;
    list.push(undo, redo);
  }
  for (const w of view.withdrawals) list.push(button(w.button + "…", "quiet", () => ask(view, w.title, w.text, w.button, (at) => act("withdraw", { seat: w.seat, at }))));
  if (view.can.includes("correct")) list.push(button(texts.correct, "", () => correct(view, act)));
  keepingFocus(node, list);
  node.hidden = list.length === 0;
}

function demo(view, act) {
  const node = by("demo");
  node.hidden = !view.demo;
  if (!view.demo) return;
  const said = JSON.stringify([view.demo, view.lang]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  const list = [make("p", "", view.demo.text)];
  if (view.can.includes("demo")) {
    const turn = button(view.demo.paused ? texts.go_on : texts.pause, "main", () => act("demo", { do: view.demo.paused ? "go" : "pause" }));
    turn.dataset.key = "demo-pause";
    const step = button(texts.step, "", () => act("demo", { do: "step" }));
    step.dataset.key = "demo-step";
    const replay = button(texts.replay, "", () => act("demo", { do: "replay" }));
    replay.dataset.key = "demo-replay";
    const speed = make("select");
    speed.setAttribute("aria-label", texts.speed);
    for (const s of view.demo.speeds) {
      const option = make("option", "", "× " + s);
      option.value = String(s);
      option.selected = s === view.demo.speed;
      speed.append(option);
    }
    speed.addEventListener("change", () => act("demo", { do: "speed", speed: Number(speed.value) }));
    list.push(turn, step, replay, speed);
  }
  keepingFocus(node, list);
}

function assumptions(view) {
  by("assumptions").hidden = true;
  const spoken = by("spoken");
  const alarm = view.now.kind === "violation" ? [view.now.title, ...view.now.mend].join(" ") : "";
  if (spoken.textContent !== alarm) spoken.textContent = alarm;
}

function history(view) {
  const list = by("history");
  const said = view.lang + JSON.stringify(view.history.slice(-1)) + view.history.length;
  if (list.dataset.said === said) return;
  list.dataset.said = said;
  list.replaceChildren(...[...view.history].reverse().map((entry) => {
    const item = make("li");
    item.dataset.kind = entry.kind;
    item.append(make("time", "", entry.when), make("span", "", entry.text));
    return item;
  }));
}

function things(view) {
  const node = by("things");
  const lines = [make("h2", "", texts.things)];
  for (const thing of view.things) {
    const line = make("p", "thing", thing.text);
    line.dataset.ok = thing.ok ? "yes" : "no";
    lines.push(line);
  }
  if (view.picture) {
    let picture = node.querySelector("img");
    if (!picture) { picture = make("img", "picture"); }
    picture.alt = texts.picture;
    if (picture.getAttribute("src") !== view.picture) picture.src = view.picture;
    lines.push(picture);
  }
  node.replaceChildren(...lines);
}
