// Setting up: one page that leads from the camera to the first card. A step is a module with `draw` (once, when it is
// entered) and `update` (whenever the state changes), so that what a person is typing is never drawn over.
import { button, make } from "/static/elements.js";
import { filled, rememberedLanguage, rememberLanguage } from "/static/language.js";
import { whenNothingIsPressed } from "/static/pressing.js";
import { fetchInTime, whenWoken } from "/static/waking.js";
import * as aim from "./steps/aim.js";
import * as camera from "./steps/camera.js";
import * as deck from "./steps/deck.js";
import * as lights from "./steps/lights.js";
import * as mat from "./steps/mat.js";
import * as play from "./steps/play.js";
import * as players from "./steps/players.js";
import * as start from "./steps/start.js";

const STEPS = ["camera", "mat", "aim", "deck", "lights", "players", "play"];
const VIEWS = { start, camera, mat, aim, deck, lights, players, play };
const QUICK_MS = 350;
const SLOW_MS = 1500;
const DOING_MS = 60000; // a demonstration learns its cards before it begins

const token = document.querySelector('meta[name="table-token"]').content;
const by = (id) => document.getElementById(id);
const setup = { state: null, words: {}, language: rememberedLanguage() || document.documentElement.lang, act, go, say, word, later: null };
let current = null;
// The step that is drawn whole, null while one is being drawn: only then are updates and "next" for it.
let drawn = null;
let entered = 0;
let timer = 0;
let asked = 0;
let tongue = 0;

// A text with its parts put in, such as {n}.
function word(code, parts) {
  return filled(setup.words[code] || code, parts);
}

// For a screen reader: once, when something has come about that it would not hear otherwise.
function say(text) {
  by("spoken").textContent = text;
}

function here(is) {
  const pulse = by("pulse");
  pulse.dataset.state = is ? "here" : "away";
  const text = is ? "" : word("away");
  if (pulse.textContent !== text) pulse.textContent = text;
}

async function act(action, body) {
  let answer;
  try {
    answer = await fetchInTime("/setup/do/" + action + "?lang=" + setup.language, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Table-Token": token },
      body: JSON.stringify(body || {}),
    }, DOING_MS);
  } catch { here(false); return { ok: false, message: word("away") }; }
  const read = await answer.json().catch(() => ({}));
  if (read.state) { asked += 1; shown(read.state); }
  return { ok: answer.ok && read.code === "done", message: read.message || "", ...read };
}

function shown(state) {
  setup.state = state;
  whenNothingIsPressed(() => {
    steps();
    if (drawn) drawn.update(setup);
  });
}

async function poll() {
  clearTimeout(timer);
  const number = ++asked;
  try {
    const answer = await fetchInTime("/setup/state?lang=" + setup.language, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const state = await answer.json();
    here(true);
    // What was asked before something was done does not tell of it.
    if (number === asked) shown(state);
  } catch { here(false); }
  clearTimeout(timer);
  timer = setTimeout(poll, current && current.quick ? QUICK_MS : SLOW_MS);
}

function steps() {
  const name = name_of();
  const nav = by("steps");
  nav.hidden = name === "start";
  const key = JSON.stringify([name, setup.state.steps, setup.language]);
  if (nav.dataset.said === key) return;
  nav.dataset.said = key;
  nav.setAttribute("aria-label", word("steps"));
  const list = make("ol", "steps");
  STEPS.forEach((step, index) => {
    const item = make("li");
    const done = setup.state.steps.some((one) => one.step === step && one.done);
    const link = make("a", "", null);
    link.href = "#" + step;
    link.dataset.done = done ? "yes" : "no";
    if (step === name) link.setAttribute("aria-current", "step");
    const number = make("b", "", done ? "✓" : String(index + 1));
    number.setAttribute("aria-hidden", "true");
    link.append(number, make("span", "", word("step_" + step)));
    link.setAttribute("aria-label", word("step_" + step) + (done ? ", " + word("settled") : ""));
    item.append(link);
    list.append(item);
  });
  nav.replaceChildren(list);
}

function name_of() {
  const name = location.hash.slice(1);
  return VIEWS[name] ? name : "start";
}

function go(name) {
  if (name_of() === name) enter(); else location.hash = name;
}

async function enter() {
  if (!setup.state) return;
  const name = name_of();
  const number = ++entered;
  if (current && current.leave) current.leave(setup);
  drawn = null;
  const root = by("step");
  say("");
  const index = STEPS.indexOf(name);
  const title = make("h1", "", word(name === "start" ? "start_title" : name + "_title"));
  title.tabIndex = -1;
  const body = make("div", "step-body");
  root.replaceChildren(...(index < 0 ? [] : [make("p", "step-of", word("step_of", { n: index + 1, all: STEPS.length }))]), title, body);
  document.title = title.textContent + " – All Fronts";
  current = VIEWS[name];
  foot(name, index);
  await current.draw(body, setup);
  // Another step was entered meanwhile: this one is no longer on the page.
  if (number !== entered) return;
  drawn = current;
  if (by("next")) by("next").disabled = false;
  steps();
  current.update(setup);
  window.scrollTo(0, 0);
  if (name !== "start") title.focus({ preventScroll: true });
  poll();
}

function foot(name, index) {
  const node = by("foot");
  node.hidden = index < 0;
  if (index < 0) { node.replaceChildren(); return; }
  const before = index === 0 ? "start" : STEPS[index - 1];
  const back = button(word("back"), "quiet", () => go(before));
  const next = button(word("next"), "main", async () => {
    // A step may have something to settle first; it then says why it cannot go on.
    const settled = current.next ? await current.next(setup) : true;
    if (settled) go(STEPS[index + 1]);
  });
  next.id = "next";
  // A press before the step is drawn would be lost: the step could not say why it cannot go on.
  next.disabled = true;
  next.hidden = index === STEPS.length - 1;
  node.replaceChildren(back, next);
}

async function speak(language) {
  setup.language = language;
  rememberLanguage(language);
  document.documentElement.lang = language;
  by("language").value = language;
  tongue += 1;
  const mine = tongue;
  try {
    const found = [];
    for (const what of ["texts", "state"]) {
      const answer = await fetchInTime("/setup/" + what + "?lang=" + language, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      found.push(await answer.json());
    }
    // Another language was chosen meanwhile.
    if (mine !== tongue) return;
    [setup.words, setup.state] = found;
  } catch {
    here(false);
    setTimeout(() => { if (mine === tongue) speak(language); }, SLOW_MS);
    return;
  }
  by("language-name").textContent = word("language");
  await enter();
}

window.addEventListener("hashchange", enter);
whenWoken(() => { if (current) poll(); });
by("language").addEventListener("change", () => speak(by("language").value));
speak(setup.language);
