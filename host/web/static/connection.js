// The page's connection: one stream of whole views, drawn as they come. It arms a watchdog from the first moment, asks
// again when the device wakes up, and falls back to asking for the view where a stream is refused.
import { texts } from "./elements.js";
import { rememberedLanguage, rememberLanguage } from "./language.js";
import { whenNothingIsPressed } from "./pressing.js";
import { fetchInTime, whenWoken } from "./waking.js";

const BEAT_MS = 5000; // the server's heart
const QUIET_MS = 12000;
const WAKING_MS = 1200; // a phone that slept may ask through a connection that has died: it soon asks again, once
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 4000;

const token = document.querySelector('meta[name="table-token"]').content;
const choice = document.getElementById("language");
let language = rememberedLanguage() || document.documentElement.lang;
let spoken = null; // the language that `texts` are in
let heard = 0;
let source = null;
let watchdog = 0;
let again = 0;
let pause = FIRST_PAUSE_MS;
let failures = 0;
let shown = null;
let awake = null;
let draw = () => {};

export function connected(ownDraw) {
  // From now on, `texts` holds the page's texts, and `ownDraw(view, act)` is called for every view.
  draw = ownDraw;
  document.body.dataset.started = "yes";
  speak(language);
  stayAwake();
}

function show(view) {
  whenNothingIsPressed(() => shownNow(view));
}

function shownNow(view) {
  if (shown && shown.program !== view.program) { location.reload(); return; }
  shown = view;
  document.body.dataset.wait = "no";
  draw(view, act);
  document.dispatchEvent(new CustomEvent("view", { detail: view }));
}

function alive() {
  heard = Date.now();
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, QUIET_MS);
  pause = FIRST_PAUSE_MS;
  failures = 0;
  document.body.dataset.away = "no";
  const pulse = document.getElementById("pulse");
  pulse.dataset.state = "here";
  if (pulse.textContent) pulse.textContent = "";
}

function lost() {
  clearTimeout(watchdog);
  clearTimeout(again);
  if (source) source.close();
  source = null;
  failures += 1;
  document.body.dataset.away = "yes";
  const pulse = document.getElementById("pulse");
  pulse.dataset.state = "away";
  pulse.textContent = texts.reconnecting || "…";
  again = setTimeout(() => (failures % 3 === 0 && spoken === language ? ask() : begin()), pause);
  pause = Math.min(pause * 1.7, LONGEST_PAUSE_MS);
}

function connect(patience = QUIET_MS) {
  clearTimeout(again);
  if (source) source.close();
  source = new EventSource("/stream?lang=" + encodeURIComponent(language));
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, patience);
  let seen = false;
  source.addEventListener("view", (event) => { seen = true; alive(); show(JSON.parse(event.data)); });
  source.addEventListener("beat", () => {
    // A running table sends its view at once. A beat instead means that there is none any more: what stands here is over.
    if (!seen && shown) { location.reload(); return; }
    alive();
  });
  source.onerror = lost;
}

async function ask() {
  try {
    const answer = await fetchInTime("/view?lang=" + encodeURIComponent(language), { cache: "no-store" });
    // The invitation was revoked: the table's own page for the uninvited says what to do.
    if (answer.status === 401) { location.reload(); return; }
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
  } catch { /* still away: the stream is tried next */ }
  again = setTimeout(() => connect(), pause);
}

export async function act(action, body) {
  let answer;
  try {
    answer = await fetchInTime("/do/" + action, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Table-Token": token },
      body: JSON.stringify({ at: shown ? shown.entry : 0, lang: language, ...body }),
    });
  } catch { return { ok: false, message: texts.reconnecting }; }
  const read = await answer.json().catch(() => ({}));
  return { ok: answer.ok, message: read.message || "", ...read };
}

function speak(wanted) {
  language = wanted;
  rememberLanguage(wanted);
  choice.value = wanted;
  document.documentElement.lang = wanted;
  return begin();
}

// The texts first, then the stream: nothing is drawn with another language's texts, or with none.
async function begin(patience) {
  const wanted = language;
  if (spoken !== wanted) {
    try {
      const answer = await fetchInTime("/texts?lang=" + encodeURIComponent(wanted));
      if (answer.status === 401) { location.reload(); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const told = await answer.json();
      // Another language was chosen meanwhile.
      if (wanted !== language) return;
      Object.assign(texts, told);
    } catch { if (wanted === language) lost(); return; }
    spoken = wanted;
    for (const node of document.querySelectorAll("[data-text]")) node.textContent = texts[node.dataset.text] || "";
  }
  connect(patience);
}

function woken() {
  pause = FIRST_PAUSE_MS;
  begin(WAKING_MS);
  stayAwake();
}

async function stayAwake() {
  if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
  try { awake = awake && !awake.released ? awake : await navigator.wakeLock.request("screen"); } catch { awake = null; }
}

whenWoken(woken);
// A window that is come back to has been heard of in the last seconds, or its connection is dead.
window.addEventListener("focus", () => { if (shown && Date.now() - heard > BEAT_MS + 1000) woken(); });
window.addEventListener("pagehide", () => { if (source) source.close(); });
choice.addEventListener("change", () => speak(choice.value));
