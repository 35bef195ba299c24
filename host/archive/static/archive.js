// The archive: which of its views is shown, in which language, and what they all use.
import { make, texts } from "/static/elements.js";
import { filled, rememberedLanguage, rememberLanguage } from "/static/language.js";
import { close, closesBesideIt } from "/static/modal.js";
import { fetchInTime } from "/static/waking.js";
import * as list from "./list.js";
import * as players from "./players.js";
import * as replay from "./replay.js";
import * as war from "./war.js";

const AGAIN_MS = 2000;
const by = (id) => document.getElementById(id);
const token = document.querySelector('meta[name="table-token"]').content;
const archive = { words: {}, language: rememberedLanguage() || document.documentElement.lang, read, send, word, say, link, dated, title };
let turn = 0;
let tongue = 0;
let current = null;

function word(code, parts) {
  return filled(archive.words[code] || code, parts);
}

// For a screen reader: once, when something has come about that it would not hear otherwise.
function say(text) {
  by("spoken").textContent = text;
}

function dated(seconds, withTime) {
  const how = withTime ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(archive.language, how).format(new Date(seconds * 1000));
}

function link(text, target, className) {
  const node = make("a", className || "as-button", text);
  node.href = target;
  return node;
}

function title(text) {
  document.title = text + " – All Fronts";
  const node = make("h1", "", text);
  node.tabIndex = -1;
  return node;
}

function here(is) {
  const pulse = by("pulse");
  pulse.dataset.state = is ? "here" : "away";
  const text = is ? "" : word("away");
  if (pulse.textContent !== text) pulse.textContent = text;
}

// What the table answers, asked again until it does; null once another view is wanted.
function read(path) {
  const mine = turn;
  return asked(path, () => mine === turn);
}

async function asked(path, wanted) {
  for (;;) {
    try {
      const answer = await fetchInTime(path + (path.includes("?") ? "&" : "?") + "lang=" + archive.language, { cache: "no-store" });
      if (answer.status === 401) { location.reload(); return null; }
      if (!answer.ok) throw new Error(String(answer.status));
      const found = await answer.json();
      here(true);
      return wanted() ? found : null;
    } catch { here(false); }
    await new Promise((done) => { setTimeout(done, AGAIN_MS); });
    if (!wanted()) return null;
  }
}

async function send(action, body) {
  try {
    const answer = await fetchInTime("/games/do/" + action + "?lang=" + archive.language, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Table-Token": token },
      body: JSON.stringify(body),
    });
    const found = await answer.json().catch(() => ({}));
    return { ok: answer.ok && found.code === "done", message: found.message || word("failed") };
  } catch { return { ok: false, message: word("away") }; }
}

// #/war/ID/2/17: the second battle of that war at its 17th moment.
function route() {
  const [name, id, battle, moment] = location.hash.replace(/^#\//, "").split("/");
  if (name === "war" && battle) {
    // Whoever typed something else than a number hears that there is no such battle.
    const number = /^\d{1,6}$/.test(battle) ? Number(battle) : 0;
    return { view: replay, key: "replay/" + id + "/" + number, id, battle: number, moment: Number(moment) || 0 };
  }
  if (name === "war" && id) return { view: war, key: "war/" + id, id };
  return name === "players" ? { view: players, key: "players" } : { view: list, key: "list" };
}

async function enter(again) {
  // Before the words are there, nothing can be drawn; whoever fetches them enters then.
  if (!archive.words.title) return;
  const wanted = route();
  // Within a battle, the address only says which moment is shown.
  if (!again && current && current.key === wanted.key) { if (current.view.at) current.view.at(wanted.moment); return; }
  if (current && current.view.leave) current.view.leave();
  // A dialog belongs to the view that opened it.
  if (!again) close();
  turn += 1;
  const mine = turn;
  current = wanted;
  const found = await wanted.view.read(archive, wanted);
  if (found === null || mine !== turn) return;
  const root = by("archive");
  root.dataset.view = wanted.key.split("/")[0];
  if (found.message) root.replaceChildren(title(word("title")), failed(found.message), link(word("back_to_list"), "#/"));
  else wanted.view.draw(root, archive, wanted, found);
  window.scrollTo(0, 0);
  const heading = root.querySelector("h1");
  if (heading && !again) heading.focus({ preventScroll: true });
}

function failed(message) {
  const node = make("p", "error", message);
  node.setAttribute("role", "alert");
  return node;
}

async function speak(language) {
  archive.language = language;
  rememberLanguage(language);
  document.documentElement.lang = language;
  by("language").value = language;
  tongue += 1;
  const mine = tongue;
  const [page, own] = await Promise.all(["/texts", "/games/texts"].map((path) => asked(path, () => mine === tongue)));
  if (!page || !own) return;
  Object.assign(texts, page);
  archive.words = own;
  by("language-name").textContent = word("language");
  await enter(true);
}

window.addEventListener("hashchange", () => enter(false));
by("language").addEventListener("change", () => speak(by("language").value));
closesBesideIt();
speak(archive.language);

