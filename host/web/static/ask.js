// Dialogs: what a strength is made of, a grave deed confirmed, undo with what it restores, and the correction of a table.
import { closing, doing, open } from "./dialog.js";
import { alarm, button, labelled, make, picker, ring, texts } from "./elements.js";
import { unseen } from "./unseen.js";

const PLACES = ["far", "near"];

export function explain(view, t, bottom) {
  const parts = [make("p", "", t.why)];
  const seats = bottom === "near" ? PLACES : [...PLACES].reverse();
  for (const which of seats) {
    parts.push(make("h2", "sub", view.seats[which].name));
    const table = make("table", "sum");
    for (const part of t[which].parts) {
      const row = make("tr");
      row.append(make("td", "", part.text), make("td", "", part.value));
      table.append(row);
    }
    const total = make("tr", "total");
    total.append(make("td", "", texts.total), make("td", "", String(t[which].total)));
    table.append(total);
    parts.push(table);
  }
  open(t.name, parts, [closing()], view);
}

// Whose consent is needed: others are asked on their own phones; where nobody else is there, both tick it on this one.
export function consent(view, both, go) {
  if (view.asks) return { parts: [make("p", "hint", view.asks)], agreed: () => false };
  if (!both && !(view.alone && view.role !== "owner")) return { parts: [], agreed: () => false };
  const box = make("input");
  box.type = "checkbox";
  const label = make("label", "agree");
  label.append(box, make("span", "", texts.agree));
  go.disabled = true;
  box.addEventListener("change", () => { go.disabled = !box.checked; });
  return { parts: [label], agreed: () => box.checked };
}

export function ask(view, title, text, yes, deed) {
  const error = alarm();
  open(title, [make("p", "", text), error], [closing(texts.cancel), doing(yes, "main", () => deed(view.entry), error)], view);
}

// That nothing lies in some places: the photograph shows which, as far as it is shown at all.
export function sayEmpty(view, act) {
  const parts = [make("p", "", view.empty.why)];
  if (view.picture) {
    const photograph = make("div", "circled");
    const picture = make("img", "picture");
    Object.assign(picture, { src: view.picture, alt: texts.picture });
    photograph.append(picture, ...view.obstacles.map(ring));
    parts.push(photograph);
  }
  const error = alarm();
  const go = doing(view.empty.text, "main", () => act("empty", { places: view.empty.places, at: view.entry }), error);
  open(view.empty.text, [...parts, error], [closing(texts.cancel), go], view);
}

// As `ask`, for what concerns both players: `deed(at, agreed)`.
export function askBoth(view, title, text, yes, deed) {
  const error = alarm();
  const go = doing(yes, "main", () => deed(view.entry, both.agreed()), error);
  const both = consent(view, false, go);
  open(title, [make("p", "", text), ...both.parts, error], [closing(texts.cancel), go], view);
}

export function confirmUndo(view, which, act) {
  const step = view[which];
  if (!step) return;
  const parts = [make("p", "", step.text)];
  const list = make("ul", "told");
  for (const line of step.lines) list.append(make("li", "", line.text));
  if (step.lines.length) parts.push(list);
  const error = alarm();
  if (step.then) parts.push(make("h2", "sub", texts.after), make("p", "", step.then));
  const go = doing(texts[which], "main", () => act(which, { agreed: both.agreed(), at: view.entry }), error);
  // What was revealed cannot be unseen: nothing happens before both have said so.
  const both = consent(view, step.asks, go);
  parts.push(...both.parts, error);
  // "Cancel" beside "undo" would say the same twice.
  open(texts[which], parts, [closing(), go], view);
}

export function correct(view, act) {
  // A draft of the whole table; nothing is sent until it is saved, and then only what was changed: a corrected score
  // leaves an open effect open.
  const draft = {};
  for (const t of view.theaters) draft[t.id] = { near: [...t.near.faces], far: [...t.far.faces] };
  const lying = JSON.stringify(draft);
  const faces = [["-", texts.face_down], ...view.cards.map((c) => [c.face, c.text])];
  const body = make("div", "edit");
  const order = picker(view.orders.map((o) => [o.value, o.text]), view.theaters.map((t) => t.id).join(""));
  const seats = [["near", view.seats.near.name], ["far", view.seats.far.name]];
  const turn = picker(seats, view.turn || "near");
  const first = picker(seats, view.first);
  const was = { order: order.value, turn: turn.value, first: first.value };
  const pair = make("div", "pair");
  for (const [text, control] of [[texts.turn, turn], [texts.first, first]]) {
    const label = labelled(text, control);
    label.className = "who";
    pair.append(label);
  }
  const numbers = { score: {}, hand: {} };
  const most = { score: 999, hand: 18 };
  for (const what of ["score", "hand"]) {
    for (const which of PLACES) {
      const field = make("input");
      Object.assign(field, { type: "number", min: 0, max: most[what], value: view.seats[which][what], inputMode: "numeric" });
      numbers[what][which] = field;
      pair.append(labelled(texts[what] + " · " + view.seats[which].name, field));
    }
  }
  if (view.picture) {
    const picture = make("img", "picture");
    Object.assign(picture, { src: view.picture, alt: texts.picture });
    body.append(picture);
  }
  const fillers = [];
  body.append(make("p", "", texts.correct_how));
  for (const t of view.theaters) {
    const both = make("details");
    both.append(make("summary", "", t.name + " · " + PLACES.map((which) => draft[t.id][which].length).join(" : ")));
    for (const which of PLACES) both.append(place(t, which));
    body.append(both);
  }
  const more = unseen(view);
  body.append(pair, labelled(texts.order, order), more.node);
  const error = alarm();
  const go = doing(texts.save, "main", () => {
    if (PLACES.some((which) => !numbers.score[which].value || !numbers.hand[which].value)) return { message: texts.not_a_number };
    const sent = changed();
    return Object.keys(sent).length ? act("correct", { ...sent, agreed: both.agreed(), at: view.entry }) : { ok: true };
  }, error);
  const both = consent(view, false, go);
  open(texts.correct, [body, ...both.parts, error], [closing(texts.cancel), go], view);

  function changed() {
    const sent = more.sent();
    if (JSON.stringify(draft) !== lying) sent.board = draft;
    for (const [name, control] of [["order", order], ["turn", turn], ["first", first]]) {
      if (control.value !== was[name]) sent[name] = control.value;
    }
    const scores = numbers.score;
    if (PLACES.some((which) => Number(scores[which].value) !== view.seats[which].score)) {
      sent.score = { near: Number(scores.near.value), far: Number(scores.far.value) };
    }
    // A hand that was left alone follows from the cards that were added or taken away.
    for (const which of PLACES) {
      const count = Number(numbers.hand[which].value);
      if (count !== view.seats[which].hand) sent.hands = { ...sent.hands, [which]: count };
    }
    return sent;
  }

  // A card that lies elsewhere is offered last, to change places with: no card lies in two places.
  function options(face) {
    const lie = view.theaters.flatMap((t) => PLACES.flatMap((side) => draft[t.id][side])).filter((one) => one !== "-" && one !== face);
    const free = faces.filter(([one]) => !lie.includes(one));
    return [...free, ...faces.filter(([one]) => lie.includes(one)).map(([one, text]) => [one, "⇄ " + text])];
  }

  function choose(cards, index, face) {
    for (const t of view.theaters) {
      for (const side of PLACES) {
        const at = face === "-" ? -1 : draft[t.id][side].indexOf(face);
        if (at >= 0) draft[t.id][side][at] = cards[index];
      }
    }
    cards[index] = face;
    refill();
  }

  function refill() {
    const chosen = document.activeElement && document.activeElement.dataset.key;
    for (const fill of fillers) fill();
    const again = chosen && body.querySelector('[data-key="' + chosen + '"]');
    if (again) again.focus();
  }

  function place(t, which) {
    const set = make("fieldset");
    const fill = () => {
      const cards = draft[t.id][which];
      const lines = cards.map((face, index) => {
        const line = make("div", "line");
        const card = picker(options(face), face);
        card.dataset.key = "card-" + t.id + which + index;
        card.setAttribute("aria-label", texts.card + " " + (index + 1));
        card.addEventListener("change", () => choose(cards, index, card.value));
        const up = button("↑", "", () => { [cards[index - 1], cards[index]] = [cards[index], cards[index - 1]]; fill(); });
        up.disabled = index === 0;
        up.setAttribute("aria-label", texts.move_under);
        const out = button("✕", "", () => { cards.splice(index, 1); refill(); });
        out.setAttribute("aria-label", texts.remove);
        line.append(card, up, out);
        return line;
      });
      set.replaceChildren(make("legend", "", t.name + " · " + view.seats[which].name), ...lines,
        button("+ " + texts.add_card, "quiet", () => { cards.push("-"); fill(); }));
    };
    fillers.push(fill);
    fill();
    return set;
  }
}
