// What this device does by itself: tones, spoken sentences and vibration, each on or off here and nowhere else; and
// what to do so that its screen stays on.
import { texts } from "../elements.js";
import { make } from "../elements.js";
import { ready, tone, vibrate } from "../tones.js";

const KINDS = ["tones", "speech", "vibration", "hints"];
const TONES = { asked: [523, 659], move: [660], wrong: [330, 247], turn: [523, 784], battle: [523, 659, 784, 1047] };
const FELT = { asked: [120, 80, 120], wrong: [200, 100, 200], turn: [120], battle: [80, 60, 80, 60, 240] };

const on = remembered();
let before = null;

function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem("device"));
    // Another program at the same address may have kept something else there.
    return typeof kept === "object" && kept ? kept : {};
  } catch { return {}; }
}

// Whether this device wants that kind, one of KINDS.
export function chosen(kind) {
  return Boolean(on[kind]);
}

function remember() {
  try { localStorage.setItem("device", JSON.stringify(on)); } catch { /* a browser that keeps nothing begins silent */ }
}

function has(kind) {
  return { tones: "AudioContext" in window, speech: "speechSynthesis" in window, vibration: "vibrate" in navigator, hints: true }[kind];
}

// A voice of that language; without one a browser would read the sentence with another language's sounds.
function voice(language) {
  return speechSynthesis.getVoices().find((one) => one.lang.toLowerCase().startsWith(language)) || null;
}

export function speak(text, language) {
  if (!on.speech || !has("speech") || !text) return;
  const chosen = voice(language);
  if (!chosen) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = chosen.lang;
  said.voice = chosen;
  // What is older than this is no longer so.
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

// What has come about between two views: at most one thing, the gravest.
export function happened(old, view) {
  if (!old || old.lang !== view.lang || old.entry > view.entry) return null;
  if (view.asked && view.asked.answers && (!old.asked || old.asked.number !== view.asked.number)) return "asked";
  const now = view.now.kind;
  if (now === "violation" && (old.now.kind !== "violation" || old.now.title !== view.now.title)) return "wrong";
  if (now === "end" && old.now.kind !== "end") return "battle";
  if (now === "question" && (!old.question || old.question.id !== view.question.id)) return "question";
  const mine = view.role === "near" || view.role === "far";
  if (mine && view.turn === view.role && old.turn !== view.turn) return "turn";
  return view.entry !== old.entry && view.last !== old.last ? "move" : null;
}

function sentence(what, view) {
  if (what === "asked") return view.asked.title;
  if (what === "wrong") return [view.now.title, ...view.now.mend].join(". ");
  if (what === "turn") return [view.last, view.now.title].filter(Boolean).join(" ");
  return what === "move" ? view.last : view.now.title;
}

document.addEventListener("view", (event) => {
  const view = event.detail;
  const what = happened(before, view);
  before = view;
  if (what) {
    if (on.tones && TONES[what]) tone(TONES[what]);
    if (on.vibration && FELT[what]) vibrate(FELT[what]);
    speak(sentence(what, view), view.lang);
  }
  draw(view.lang);
});

function draw(language) {
  const node = document.getElementById("device");
  const words = texts.device;
  if (!node || !words || node.dataset.said === language) return;
  node.dataset.said = language;
  const list = [make("h2", "", words.title)];
  for (const kind of KINDS) if (has(kind)) list.push(option(kind, words, language));
  list.push(...screen(words));
  node.replaceChildren(...list);
}

function option(kind, words, language) {
  const box = make("input");
  box.type = "checkbox";
  box.checked = Boolean(on[kind]);
  const label = make("label", "agree");
  const told = make("small", "", "");
  const text = make("span", "", words[kind]);
  text.append(told);
  label.append(box, text);
  box.addEventListener("change", () => {
    on[kind] = box.checked;
    remember();
    document.dispatchEvent(new Event("device"));
    told.textContent = "";
    if (!box.checked) { if (kind === "speech") speechSynthesis.cancel(); return; }
    if (kind === "tones") tone(TONES.turn);
    if (kind === "vibration") vibrate(FELT.turn);
    if (kind === "speech") {
      if (voice(language)) speak(words.speech_on, language); else told.textContent = " " + words.no_voice;
    }
  });
  return label;
}

// Browsers keep a screen on only for pages that came over a secure connection.
function screen(words) {
  if ("wakeLock" in navigator) return [make("p", "hint", words.awake)];
  const how = /iPhone|iPad/.test(navigator.userAgent) ? words.awake_iphone : words.awake_android;
  const parts = [make("h3", "", words.dark_title), make("p", "", words.dark), make("p", "", how)];
  if (document.querySelector('meta[name="table-secure"]')) {
    const link = make("a", "", words.secure);
    link.href = "/secure";
    const line = make("p");
    line.append(link);
    parts.push(line);
  }
  return parts;
}

document.addEventListener("pointerdown", () => { if (on.tones) ready(); });
// Voices come late, and in some browsers only once they have been asked for.
if (has("speech")) speechSynthesis.getVoices();
