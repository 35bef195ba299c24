// From a view to the page. Everything that comes from the table is set as text, never as markup.
import { ask, confirmUndo, correct, explain } from "./ask.js";
import { button, make, texts } from "./elements.js";
import { drawField, keepingFocus } from "./field.js";

const by = (id) => document.getElementById(id);

export function draw(view, act) {
  by("battle").textContent = view.battle_text;
  now(view, act);
  drawField(view, explain);
  deeds(view, act);
  demo(view, act);
  assumptions(view);
  history(view);
  things(view);
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
