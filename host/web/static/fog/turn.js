// What is due: the heading, what to do with one's own hands, the list of what is left, and the forms of every action.
import { closing, doing, open } from "../dialog.js";
import { alarm, button, make, texts } from "../elements.js";
import { close, shown } from "../modal.js";
import { drawBattle } from "./battle.js";
import { form, picker, send, stepper, choice, many } from "./dialogs.js";
import { drawYearEnd } from "./year_end.js";

const MARKS = { done: "✓", open: "●", may: "○", barred: "–" };

// Why the last tap was refused: it stands until something happens, whatever is drawn anew meanwhile.
const error = alarm();
const notRedone = alarm();
let refusedAt = null;

export function drawTurn(node, view, act, choose) {
  if (view.entry !== refusedAt) error.textContent = notRedone.textContent = "";
  refusedAt = view.entry;
  const play = (action) => send(view, act, action, error);
  const parts = [nowPanel(view, play, choose, act), error];
  if (view.last.length) parts.push(lastPanel(view));
  if (view.battle) parts.push(drawBattle(view, act, play));
  if (view.year_end) parts.push(drawYearEnd(view, act, play));
  if (view.check.length && !view.year_end && !view.battle && !view.bid) parts.push(checklist(view, act, play));
  if (view.demo) parts.push(demoPanel(view, act));
  parts.push(undoPanel(view, act));
  node.replaceChildren(...parts);
}

export function mine(view, side) {
  return view.sides.includes(side);
}

function nowPanel(view, play, choose, act) {
  const box = make("div", "now");
  box.dataset.kind = view.now.kind;
  box.dataset.side = view.phase === "turn" && view.now.kind !== "bid" ? view.turn : "";
  box.append(make("p", "who", view.now.who), make("p", "ask", view.now.ask));
  const choices = make("div", "choices");
  if (view.phase === "setup" && view.sides.length) {
    if (view.to_begin) {
      if (view.role === "owner") {
        choices.append(button(texts.fill_in, "main", () => choose("box")));
        choices.append(button(texts.new_demo, "", () => act("new", { board: "demo" })));
      }
    } else choices.append(button(texts.begin, "main", () => play({ do: "begin" })));
  }
  if (view.bid && mine(view, view.bid.to_answer)) {
    choices.append(
      button(view.bid.pay, "main", () => play({ do: "answer-intel", pay: true })),
      button(view.bid.let, "", () => play({ do: "answer-intel", pay: false })),
    );
  }
  if (view.phase === "turn" && !view.bid && !view.battle && mine(view, view.turn) && (view.closing || !view.must_play)) {
    choices.append(button(texts.end_turn, "main", () => play({ do: "end-turn" })));
  }
  if (view.phase === "over" && view.board) choices.append(button(texts.new_game, "main", () => choose("box")));
  if (choices.childElementCount) box.append(choices);
  return box;
}

function said(lines) {
  const list = make("ul", "said");
  for (const line of lines) {
    const item = make("li", "", line.text + " ");
    item.append(make("span", "paragraph", line.paragraph));
    list.append(item);
  }
  return list;
}

function lastPanel(view) {
  const box = make("div", "panel last-step");
  const hands = view.last.filter((line) => line.remind);
  const worked = view.last.filter((line) => !line.remind);
  if (worked.length) box.append(make("h2", "", texts.happened), said(worked));
  if (hands.length) {
    const list = said(hands);
    list.classList.add("hands");
    box.append(make("h2", "", texts.do_now), list);
  }
  return box;
}

function checklist(view, act, play) {
  const box = make("div", "panel");
  box.append(make("h2", "", texts.checklist));
  const list = make("ul", "checklist");
  for (const item of view.check) list.append(line(view, act, play, item));
  box.append(list);
  return box;
}

function line(view, act, play, item) {
  const row = make("li");
  row.dataset.status = item.status;
  const run = runner(view, act, play, item);
  const body = run ? button("", "row", run) : make("div", "row");
  const mark = make("span", "mark", MARKS[item.status]);
  mark.setAttribute("aria-hidden", "true");
  body.append(mark, make("span", "text", item.text), make("span", "paragraph", item.paragraph));
  row.append(body);
  return row;
}

function runner(view, act, play, item) {
  // What a tap on a line does, or null.
  if (!view.sides.length) return null;
  if (view.phase === "setup") {
    if (item.paragraph === "1.9") return mine(view, "allies") ? () => layOut(view, act, item) : null;
    return () => play({ do: "tick", paragraph: item.paragraph, done: item.status !== "done" });
  }
  if (item.status === "barred" || !mine(view, view.turn)) return null;
  const forms = {
    defence: defend,
    "new-operation": newOperation,
    cancel: cancelOperation,
    reinforce: reinforceOperation,
    launch,
    "reinforce-quagmire": reinforceQuagmire,
    intel,
  };
  if (forms[item.code]) return () => forms[item.code](view, act, item.text);
  if (item.code === "draw" && !view.bid && !view.battle) return () => play({ do: "end-turn" });
  return null;
}

const camp = (view) => view.camps[view.turn];
const named = (view, keep) => view.map.provinces.filter(keep).map((p) => [p.key, p.name]);
const operations = (view, side) => view.camps[side].slots.filter((slot) => slot.cards !== null);

function layOut(view, act, item) {
  const laid = view.map.provinces.filter((p) => p.allies).map((p) => p.key);
  const where = many(item.text, named(view, (p) => p.control !== "axis"), laid);
  form(view, act, texts.beforehand, [where], () => ({ do: "place-beforehand", provinces: where.read() }));
}

function defend(view, act, title) {
  const where = picker(texts.province, named(view, (p) => p.control !== other(view.turn) && !p.quagmire));
  const n = stepper(texts.cards, 1, camp(view).hand, 1);
  form(view, act, title, [where, n], () => ({ do: "defend", province: where.read(), cards: n.read() }));
}

function newOperation(view, act, title) {
  const n = stepper(texts.cards, 1, camp(view).hand, 1);
  form(view, act, title, [n], () => ({ do: "new-operation", cards: n.read() }));
}

function operationPicker(view, slots) {
  return picker(texts.operation, slots.map((slot) => [String(slot.slot), `${slot.name} (${texts.cards}: ${slot.cards})`]));
}

export function cancelOperation(view, act, title) {
  const which = operationPicker(view, operations(view, view.turn));
  form(view, act, title, [which], () => ({ do: "cancel-operation", slot: Number(which.read()) }));
}

function reinforceOperation(view, act, title) {
  const which = operationPicker(view, operations(view, view.turn));
  const n = stepper(texts.cards, 1, camp(view).hand, 1);
  form(view, act, title, [which, n], () => ({ do: "reinforce-operation", slot: Number(which.read()), cards: n.read() }));
}

function reinforceQuagmire(view, act, title) {
  const mired = view.map.provinces.filter((p) => p.quagmire);
  const where = picker(texts.province, mired.map((p) => [p.key, p.name]));
  const fields = [where];
  if (camp(view).hand && !view.limited) {
    const n = stepper(texts.cards, 1, camp(view).hand, 1);
    fields.push(n);
    form(view, act, title, fields, () => ({ do: "reinforce-quagmire", province: where.read(), cards: n.read() }), texts.reinforce);
  } else open(title, fields, [closing(texts.cancel)]);
  const own = mired.filter((p) => p.quagmire === view.turn);
  if (own.length) {
    const error = alarm();
    const foot = document.querySelector("#dialog .foot");
    for (const p of own) {
      foot.before(button(`${texts.fight_on}: ${p.name}`, "wide", async () => {
        const own = shown();
        if (await send(view, act, { do: "fight-on", province: p.key }, error)) close(own);
      }));
    }
    foot.before(error);
  }
}

function launch(view, act, title) {
  const slots = operations(view, view.turn);
  const ready = (slot) => view.map.ready.includes(slot.slot);
  // What the wheel's marks are nobody may have typed in yet: then the launch asks for them.
  const status = (slot) => (slot.ready === null ? "" : ` · ${ready(slot) || slot.ready ? texts.ready : texts.not_ready}`);
  const chosen = slots.find(ready) || slots[0];
  const which = picker(
    texts.operation,
    slots.map((slot) => [String(slot.slot), `${slot.name} (${slot.cards})${status(slot)}`]),
    String(chosen.slot),
  );
  const names = Object.fromEntries(view.map.provinces.map((p) => [p.key, p.name]));
  const found = [...view.map.targets].sort((a, b) => Number(b.supplied) - Number(a.supplied));
  if (!found.length) {
    // Supply is not known yet, or nothing can be reached: the answer says what is missing.
    const unknown = Boolean(view.map.ask);
    for (const p of view.map.provinces) if (p.control !== view.turn) found.push({ key: p.key, origins: [], supplied: unknown });
  }
  const origins = make("div");
  let origin = null;
  const fill = (key) => {
    const target = found.find((one) => one.key === key);
    const all = target.origins.length ? target.origins : named(view, (p) => p.control === view.turn).map(([own]) => own);
    origin = picker(texts.origin, all.map((own) => [own, names[own]]));
    const p = view.map.provinces.find((one) => one.key === key);
    const supply = p.supply.find((one) => one.side === view.turn);
    origins.replaceChildren(origin, supplyLine(supply));
  };
  const target = picker(
    texts.target,
    found.map((one) => [one.key, one.supplied ? names[one.key] : `${names[one.key]} · ${texts.no_supply}`]),
    found[0].key,
    fill,
  );
  fill(found[0].key);
  form(view, act, title, [which, target, origins], () => ({
    do: "launch", slot: Number(which.read()), target: target.read(), origin: origin.read(),
  }));
}

export function supplyLine(supply) {
  const box = make("div", "supply");
  if (!supply) return box;
  box.dataset.ok = String(supply.ok);
  box.append(make("p", "", `${texts.supply}: ${supply.text}`));
  if (supply.why.length) {
    const list = make("ul");
    for (const why of supply.why) list.append(make("li", "", why));
    box.append(list);
  }
  return box;
}

function intel(view, act, title) {
  const rival = other(view.turn);
  const places = [];
  for (const p of view.map.provinces) {
    if (p[rival]) places.push([`enemy:${p.key}`, `${p.name}: ${texts.whose_enemy} (${p[rival]})`]);
    if (p.neutral) places.push([`neutral:${p.key}`, `${p.name}: ${texts.whose_neutral} (${p.neutral})`]);
  }
  for (const slot of operations(view, rival)) {
    if (slot.cards && !slot.new) places.push([`slot:${slot.slot}`, `${texts.operation} ${slot.name} (${slot.cards})`]);
  }
  if (view.turn === "allies") places.push(["objectives:", texts.objectives]);
  if (!places.length) { open(title, [make("p", "", texts.nothing)], [closing()]); return; }
  const where = picker(texts.intel_where, places);
  const when = choice(texts.when, [["before", texts.intel_before], ["end", texts.intel_end]], "before");
  form(view, act, title, [where, when], () => {
    const [kind, key] = where.read().split(":");
    const action = { do: "intel", ends_turn: when.read() === "end" };
    if (kind === "slot") action.slot = Number(key);
    else if (kind !== "objectives") Object.assign(action, { province: key, whose: kind });
    return action;
  });
}

export function other(side) {
  return side === "axis" ? "allies" : "axis";
}

function undoPanel(view, act) {
  const box = make("div", "deeds");
  if (!view.sides.length) return box;
  const undo = button(texts.undo, "", () => {
    const problem = alarm();
    const go = doing(texts.undo, "main", () => act("undo", {}), problem);
    open(texts.undo, [make("p", "", texts.undo_what), make("p", "strong", view.undo), problem], [closing(texts.cancel), go]);
  });
  undo.disabled = !view.undo;
  const redo = button(texts.redo, "", async () => {
    const answer = await act("redo", {});
    if (!answer.ok) notRedone.textContent = answer.message;
  });
  redo.disabled = !view.redo;
  box.append(undo, redo, notRedone);
  return box;
}

function demoPanel(view, act) {
  const box = make("div", "demo");
  box.append(make("p", "", texts.demo));
  box.append(
    button(view.demo.paused ? texts.go_on : texts.pause, "main", () => act("demo", { do: view.demo.paused ? "go-on" : "pause" })),
    button(texts.step, "", () => act("demo", { do: "step" })),
    button(texts.replay, "", () => act("demo", { do: "replay" })),
  );
  return box;
}
