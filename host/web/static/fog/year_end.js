// The end of the year, step by step: what the memo says now, what it comes to, and one button that does it.
import { button, make, texts } from "../elements.js";
import { form, picker, stepper } from "./dialogs.js";

export function drawYearEnd(view, act, play) {
  const year = view.year_end;
  const box = make("div", "panel year-end");
  const steps = make("ol", "steps");
  for (const item of view.check) {
    const step = make("li", "", item.paragraph);
    step.dataset.status = item.paragraph === year.stage ? "now" : item.status;
    step.title = item.text;
    steps.append(step);
  }
  box.append(steps);
  const text = make("p", "stage", year.text + " ");
  text.append(make("span", "paragraph", year.stage));
  box.append(text);
  if (year.who) box.append(make("p", "strong", year.who));
  const acting = year.turn ? view.sides.includes(year.turn) : view.sides.length > 0;
  if (!acting) return box;
  if (year.spending.length) spending(box, view, play);
  if (year.recall) recalling(box, view, act, play);
  if (year.objectives) objectives(box, view, act);
  else box.append(button(year.next, "main wide", () => play({ do: "next" })));
  return box;
}

function spending(box, view, play) {
  const year = view.year_end;
  box.append(make("p", "budget", `${texts.budget}: ${year.budget}`));
  const offered = make("div", "choices");
  for (const one of year.spending) {
    const node = button(one.text, "", () => play({ do: "spend", on: one.on }));
    node.disabled = one.cost > year.budget || (one.on === "recover" && !view.camps[year.turn].losses);
    offered.append(node);
  }
  box.append(offered);
}

function recalling(box, view, act, play) {
  const side = view.year_end.turn;
  const offered = make("div", "choices");
  for (const p of view.map.provinces) {
    if (p[side] && !p.quagmire) {
      offered.append(button(`${p.name} (${p[side]})`, "", () => take(view, act, p.name, p[side], { province: p.key })));
    }
  }
  for (const slot of view.camps[side].slots) {
    if (slot.cards) {
      const name = `${texts.operation} ${slot.name}`;
      offered.append(button(`${name} (${slot.cards})`, "", () => take(view, act, name, slot.cards, { slot: slot.slot })));
    }
    if (slot.cards !== null) {
      offered.append(button(`${texts.cancel_operation}: ${slot.name}`, "quiet", () => play({ do: "cancel-operation", slot: slot.slot })));
    }
  }
  box.append(offered);
}

function take(view, act, name, most, where) {
  const n = stepper(texts.cards, 1, most, most);
  form(view, act, `${texts.recall}: ${name}`, [n], () => ({ do: "recall", cards: n.read(), ...where }));
}

function objectives(box, view, act) {
  const all = view.objectives.length ? view.objectives : view.map.provinces;
  const options = all.map((p) => [p.key, p.name]);
  box.append(button(texts.ok, "main wide", () => {
    const first = picker(texts.target, options, options[0][0]);
    const second = picker(texts.target, options, options[1][0]);
    form(view, act, view.year_end.text, [first, second], () => ({ do: "objectives", provinces: [first.read(), second.read()] }));
  }));
}
