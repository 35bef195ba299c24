// Dialogs of Fog of War: a small form for every action. Each field gives its value; a refusal is shown in the dialog, and
// one that asks for something from the players' box leads to the field that asks for it.
import { closing, open } from "../dialog.js";
import { alarm, button, make, picker as select, texts } from "../elements.js";
import { close, shown } from "../modal.js";

let asked = () => {};
let newest = null;
document.addEventListener("view", (event) => { newest = event.detail; });

export function whenAsked(open) {
  // `open(view, act, ask, why, then)` opens the question that the players' box has to answer; once it is answered,
  // the action `then` is tried again.
  asked = open;
}

export function latest(view) {
  // The newest view: a dialog may have stood open while others went on.
  return newest || view;
}

function shownAfter(entry) {
  // The first view that is newer than this entry of the log.
  return new Promise((done) => {
    if (newest && newest.entry > entry) { done(newest); return; }
    const heard = (event) => {
      if (event.detail.entry <= entry) return;
      document.removeEventListener("view", heard);
      done(event.detail);
    };
    document.addEventListener("view", heard);
  });
}

export async function send(view, act, action, error) {
  // Plays the action; true if it was played. Where the box has to say something, its question is opened.
  const answer = await act("play", { action });
  if (answer.ok) return true;
  if (answer.ask && view.sides.length) {
    asked(latest(view), act, answer.ask, answer.message, action);
    return false;
  }
  if (error) error.textContent = answer.message;
  return false;
}

async function tryAgain(act, action, entry, own) {
  // The box has answered: what was to be done is done, or the next question is opened.
  const view = await shownAfter(entry);
  const error = alarm();
  const played = await send(view, act, action, error);
  if (played) close(own);
  else if (error.textContent) message(texts.from_box, [error]);
}

export function form(view, act, title, fields, build, yes = texts.ok, then = null) {
  // `fields` are nodes; `build()` makes the action of what they hold, null where an answer is missing, or the words
  // that say what is wrong with them. `then` is an action that is tried once this one was played.
  const error = alarm();
  const go = button(yes, "main", async () => {
    const action = build();
    const own = shown();
    if (!action || typeof action === "string") { error.textContent = action || texts.incomplete; return; }
    go.disabled = true;
    const { entry } = latest(view);
    if (await send(view, act, action, error)) {
      if (then) await tryAgain(act, then, entry, own);
      else close(own);
    }
    go.disabled = false;
  });
  open(title, [...fields, error], [closing(texts.cancel), go]);
}

export function message(title, parts) {
  open(title, parts, [closing()]);
}

export function picker(label, options, chosen, changed = () => {}) {
  const box = make("label", "field-row", label);
  const node = select(options, chosen);
  node.addEventListener("change", () => changed(node.value));
  box.append(node);
  box.read = () => node.value;
  return box;
}

export function stepper(label, least, most, value, changed = () => {}) {
  const box = make("div", "field-row stepper");
  const name = make("span", "", label);
  const shown = make("output", "", String(value));
  let current = value;
  const set = (next) => {
    current = Math.min(Math.max(next, least), most);
    shown.textContent = String(current);
    less.disabled = current <= least;
    more.disabled = current >= most;
    changed(current);
  };
  const less = button("−", "", () => set(current - 1));
  const more = button("+", "", () => set(current + 1));
  less.setAttribute("aria-label", label + " −");
  more.setAttribute("aria-label", label + " +");
  box.append(name, less, shown, more);
  less.disabled = current <= least;
  more.disabled = current >= most;
  box.read = () => current;
  box.set = set;
  return box;
}

export function number(label, value, least = 0) {
  // A number that may be missing.
  const box = make("label", "field-row", label);
  const node = make("input");
  Object.assign(node, { type: "number", inputMode: "numeric", min: least, max: 999, value: value === null ? "" : value });
  box.append(node);
  box.read = () => (node.value === "" ? null : Math.trunc(Number(node.value)));
  return box;
}

export function choice(label, options, chosen, changed = () => {}) {
  // A few alternatives side by side; `options` are [value, text].
  const box = make("fieldset", "choice");
  box.append(make("legend", "", label));
  let current = chosen;
  for (const [value, text] of options) {
    const node = button(text, "", () => {
      current = value;
      for (const other of box.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === node));
      changed(value);
    });
    node.setAttribute("aria-pressed", String(value === chosen));
    box.append(node);
  }
  box.read = () => current;
  return box;
}

export function many(label, options, chosen) {
  // Any of some; `options` are [value, text].
  const box = make("fieldset", "many");
  box.append(make("legend", "", label));
  const boxes = options.map(([value, text]) => {
    const line = make("label");
    const tick = make("input");
    Object.assign(tick, { type: "checkbox", checked: chosen.includes(value), value });
    line.append(tick, make("span", "", text));
    box.append(line);
    return tick;
  });
  box.read = () => boxes.filter((tick) => tick.checked).map((tick) => tick.value);
  return box;
}
