// The battle: every card that is turned up is typed in, the sums grow as one types, and the winner chooses for the pile.
import { button, make, texts } from "../elements.js";
import { askFromBox } from "./box.js";
import { picker } from "./dialogs.js";

const KINDS = ["battle", "fort", "unsuitable"];
let draft = null; // what was typed in for the battle that is open

export function drawBattle(view, act, play) {
  const box = make("div", "panel battle-panel");
  const battle = view.battle;
  const path = battle.from ? `${battle.from} → ${battle.where}` : battle.where;
  box.append(make("h2", "", path));
  if (battle.ask) box.append(button(battle.ask.text, "wide", () => askFromBox(view, act, battle.ask.ask, "")));
  if (battle.outcome) chooseForPile(box, view, play);
  else if (view.sides.length) typeIn(box, view, play);
  return box;
}

function drafted(view) {
  // What was typed in lasts as long as the battle: while the box is asked for something, and after an undo.
  const battle = view.battle;
  const id = [battle.launched, battle.target, battle.attack, battle.defence, battle.neutral].join(" ");
  if (!draft || draft.id !== id) {
    const cards = (n) => Array.from({ length: n || 0 }, () => ({ value: 1, kind: "battle" }));
    draft = { id, attack: cards(battle.attack), defence: cards(battle.defence), neutral: cards(battle.neutral), token: false };
  }
  return draft;
}

function typeIn(box, view, play) {
  const battle = view.battle;
  const rival = battle.by === "axis" ? "allies" : "axis";
  const typed = drafted(view);
  const sums = {};
  const total = () => {
    for (const role of ["attack", "defence"]) {
      const side = role === "attack" ? battle.by : rival;
      let sum = 0;
      for (const card of typed[role]) if (card.kind === "battle" || (card.kind === "fort" && role === "defence")) sum += card.value;
      if (role === "defence") for (const card of typed.neutral) sum += card.value;
      for (const part of (battle.fixed && battle.fixed[role]) || []) sum += part.value;
      if (typed.token && view.token === side) sum += 1;
      sums[role].textContent = String(sum);
    }
  };
  for (const [role, side] of [["attack", battle.by], ["defence", rival]]) {
    const part = make("div", "strength-part");
    part.dataset.side = side;
    const head = make("h3", "", `${texts[role]} · ${view.names[side]} `);
    sums[role] = make("output", "strength-sum");
    sums[role].id = `sum-${role}`;
    head.append(sums[role]);
    part.append(head);
    typed[role].forEach((card, n) => part.append(cardRow(card, String(n + 1), `${texts[role]} ${n + 1}`, role, battle.highest, total)));
    if (role === "defence") typed.neutral.forEach((card, n) => part.append(cardRow(card, `◇ ${n + 1}`, `${texts.neutral_cards} ${n + 1}`, null, battle.highest, total)));
    for (const one of (battle.fixed && battle.fixed[role]) || []) {
      const line = make("p", "fixed", `${one.text} ${one.value >= 0 ? "+" : ""}${one.value} `);
      line.append(make("span", "paragraph", one.paragraph));
      part.append(line);
    }
    if (view.token === side) part.append(tokenLine(view, typed, side, total));
    box.append(part);
  }
  total();
  const go = button(texts.resolve, "main wide", async () => {
    go.disabled = true;
    await play({
      do: "reveal",
      attack: typed.attack,
      defence: typed.defence,
      neutral: typed.neutral.map((card) => card.value),
      token: typed.token,
    });
    go.disabled = false;
  });
  box.append(go);
}

function cardRow(card, sign, label, role, highest, total) {
  const row = make("div", "card-row");
  const shown = make("output", "", String(card.value));
  const set = (value) => {
    card.value = Math.min(Math.max(value, 0), highest);
    shown.textContent = String(card.value);
    total();
  };
  const less = button("−", "", () => set(card.value - 1));
  const more = button("+", "", () => set(card.value + 1));
  less.setAttribute("aria-label", `${label} −`);
  more.setAttribute("aria-label", `${label} +`);
  row.append(make("span", "label", sign), less, shown, more);
  if (role) {
    const words = { battle: texts.battle_card, fort: texts.fort, unsuitable: texts.unsuitable };
    const kinds = role === "attack" ? KINDS.filter((kind) => kind !== "fort") : KINDS;
    const kind = picker("", kinds.map((name) => [name, words[name]]), card.kind, (value) => { card.kind = value; total(); });
    kind.querySelector("select").setAttribute("aria-label", label);
    row.append(kind);
  }
  return row;
}

function tokenLine(view, typed, side, total) {
  const line = make("label", "agree");
  const tick = make("input");
  Object.assign(tick, { type: "checkbox", checked: typed.token });
  tick.addEventListener("change", () => { typed.token = tick.checked; total(); });
  line.append(tick, make("span", "", `${view.names[side]}: ${texts.use_token}`));
  return line;
}

function chooseForPile(box, view, play) {
  const battle = view.battle;
  if (!view.sides.includes(battle.winner)) return;
  const offered = make("div", "choices pile");
  for (const one of battle.choices) {
    offered.append(button(one.values.length > 1 ? `${one.values.join(" + ")} = ${one.worth}` : String(one.worth), "main", () => play({ do: "bank", chosen: one.chosen })));
  }
  box.append(offered);
  const own = make("details");
  own.append(make("summary", "", texts.other_choice));
  const ticks = battle.values.map((value, place) => {
    const label = make("label", "agree");
    const tick = make("input");
    tick.type = "checkbox";
    label.append(tick, make("span", "", String(value)));
    own.append(label);
    return [tick, place];
  });
  own.append(button(texts.take, "", () => play({ do: "bank", chosen: ticks.filter(([tick]) => tick.checked).map(([, place]) => place) })));
  box.append(own);
}
