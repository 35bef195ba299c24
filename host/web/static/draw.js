// From a view to the page. Everything that comes from the table is set as text, never as markup.
import { ask, askBoth, confirmUndo, correct, explain, sayEmpty } from "./ask.js";
import { button, make, ring, texts, triedAgain } from "./elements.js";
import { drawField, keepingFocus } from "./field.js";
import { lots } from "./panels/lots.js";

const by = (id) => document.getElementById(id);

export function draw(view, act) {
  document.title = view.now.title + " – All Fronts";
  by("battle").textContent = view.battle_text;
  now(view, act);
  drawField(view, explain);
  deeds(view, act);
  demo(view, act);
  history(view);
  things(view);
}

function now(view, act) {
  const panel = by("now");
  // Drawn again only when it says something else, so that a screen reader does not read it twice.
  const amiss = view.things.filter((thing) => !thing.ok && !(view.blind && thing.text === view.blind.text));
  // What is in the way is for those at the table to take away; who looks on sees it on the television's photograph.
  const inTheWay = view.role === "viewer" ? [] : view.obstacles;
  if (!view.blind) amiss.push(...inTheWay.filter((one) => one.urgent));
  const said = JSON.stringify([view.now, view.question, view.last, view.lasting, view.firsts, view.assumptions, amiss, view.empty, view.lang, view.role]);
  if (panel.dataset.said === said) return;
  panel.dataset.said = said;
  panel.dataset.kind = view.now.kind;
  panel.setAttribute("aria-live", view.now.kind === "violation" ? "assertive" : "polite");
  const lines = [make("p", "who", view.now.title)];
  // What to do comes before the rule that asks for it: the hand is already over the table.
  if (view.now.before) lines.push(make("p", "before", view.now.before));
  for (const step of view.now.mend) lines.push(make("p", "mend", step));
  if (view.now.text) lines.push(make("p", view.now.kind === "violation" ? "rule" : "ask", view.now.text));
  if (view.last && !["question", "violation", "end"].includes(view.now.kind)) lines.push(make("p", "last", view.last));
  if (view.question && view.can.includes("answer")) lines.push(answers(view, act));
  if (view.firsts.length) {
    const choices = make("div", "choices");
    for (const first of view.firsts) {
      const node = keyed(button(first.text, first.chosen ? "chosen" : "", () => done(act("first", { seat: first.seat }))), "first-" + first.seat);
      node.setAttribute("aria-pressed", String(first.chosen));
      choices.append(node);
    }
    const [draw, boards] = lots(view, (seat) => done(act("first", { seat })));
    choices.append(draw);
    lines.push(choices, boards);
  }
  if (view.now.kind === "violation" && view.can.includes("stand")) {
    const choices = make("div", "choices");
    choices.append(keyed(button(texts.stand, "", () => askBoth(view, texts.stand, texts.stand_why, texts.stand, (at, agreed) => act("stand", { at, agreed }))), "stand"));
    lines.push(choices);
  }
  for (const line of view.lasting) lines.push(make("p", "take", line));
  for (const line of view.assumptions) lines.push(make("p", "take", line));
  // A camera or lights that are gone are told where everybody looks, and not only below among the things.
  for (const thing of amiss) lines.push(make("p", "trouble", thing.text));
  // What is read there may be the table's own print: who sees that says so.
  if (view.empty) {
    const choices = make("div", "choices");
    choices.append(keyed(button(view.empty.text + "…", "", () => sayEmpty(view, act)), "empty"));
    lines.push(choices);
  }
  keepingFocus(panel, lines);
}

// What was asked for outside a dialog: a refusal is said under the buttons, until the panel says something else.
async function done(asked) {
  const answer = await asked;
  if (answer.ok) return;
  const error = make("p", "error", answer.message);
  error.setAttribute("role", "alert");
  for (const old of by("now").querySelectorAll(".error")) old.remove();
  by("now").append(error);
}

function keyed(node, key) {
  node.dataset.key = key;
  return node;
}

// The answers to a question; several about one seat are asked for in two steps: whose it is, then which.
function answers(view, act) {
  const question = view.question;
  const choices = make("div", "choices");
  const one = (option, index) => keyed(button(option.text, "", () => {
    const answer = { question: question.id, option: option.id };
    if (option.id !== "let-stand") return done(act("answer", answer));
    return askBoth(view, texts.stand, texts.stand_why, texts.stand, (at, agreed) => act("answer", { ...answer, at, agreed }));
  }), "answer-" + question.id + "-" + index);
  const about = (seat) => keyed(button(view.seats[seat].name + "…", "", () => {
    const back = button("←", "quiet", () => choices.replaceChildren(...whole()));
    back.setAttribute("aria-label", texts.cancel);
    choices.replaceChildren(...question.options.map((o, i) => [o, i]).filter(([o]) => o.about === seat).map(([o, i]) => one(o, i)), back);
    choices.firstChild.focus();
  }), "about-" + question.id + "-" + seat);
  const whole = () => question.options.map((option, index) => {
    if (!option.about) return one(option, index);
    return question.options.findIndex((o) => o.about === option.about) === index ? about(option.about) : null;
  }).filter(Boolean);
  choices.append(...whole());
  return choices;
}

function deeds(view, act) {
  const node = by("deeds");
  const list = [];
  if (view.can.includes("done") && view.done) list.push(keyed(button(view.done, "main", () => done(act("done", {}))), "done"));
  if (view.can.includes("undo")) {
    const undo = keyed(button(texts.undo, "", () => confirmUndo(view, "undo", act)), "undo");
    undo.disabled = !view.undo;
    const redo = keyed(button(texts.redo, "", () => confirmUndo(view, "redo", act)), "redo");
    redo.disabled = !view.redo;
    list.push(undo, redo);
  }
  for (const w of view.withdrawals) {
    if (!view.can.includes("withdraw")) break;
    list.push(keyed(button(w.button + "…", "quiet", () => ask(view, w.title, w.text, w.button, (at) => act("withdraw", { seat: w.seat, at }))), "withdraw-" + w.seat));
  }
  if (view.can.includes("correct")) list.push(keyed(button(texts.correct, "", () => correct(view, act)), "correct"));
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
    const replay = button(texts.replay, "", () => ask(view, texts.replay, texts.replay_why, texts.replay, () => act("demo", { do: "replay" })));
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
    list.push(turn);
    if (view.demo.back) {
      const back = button("◀ " + texts.step_back, "", async () => {
        await act("demo", { do: "pause" });
        location.assign(view.demo.back);
      });
      back.dataset.key = "demo-back";
      list.push(back);
    }
    list.push(step, replay, speed);
  }
  keepingFocus(node, list);
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
  const inTheWay = view.role === "viewer" ? [] : view.obstacles;
  for (const thing of [...view.things, ...inTheWay]) {
    const line = make("p", "thing", thing.text);
    line.dataset.ok = thing.ok ? "yes" : "no";
    lines.push(line);
  }
  if (view.picture) {
    const frame = node.querySelector(".circled") || make("div", "circled");
    const picture = frame.querySelector("img") || triedAgain(make("img", "picture"));
    picture.alt = texts.picture;
    if (picture.getAttribute("src") !== view.picture) picture.src = view.picture;
    frame.replaceChildren(picture, ...inTheWay.map(ring));
    lines.push(frame);
  }
  node.replaceChildren(...lines);
}
