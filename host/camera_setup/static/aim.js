import { fetchInTime } from "/static/waking.js";

const byId = (id) => document.getElementById(id);
const WORDS = JSON.parse(document.body.dataset.words);
const STEPS = ["air", "land", "sea", "back"];
let fingerprint = "";
let learnt = false;

function element(tag, text, name) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

function finding(weight, message, remedy) {
  const item = element("li", "", `finding ${weight}`);
  item.append(element("strong", message), element("span", remedy));
  return item;
}

function measure(name, value) {
  const row = document.createElement("tr");
  row.append(element("th", WORDS[name]), element("td", value === null || value === undefined ? "–" : `${value}`));
  row.firstChild.scope = "row";
  return row;
}

function show(state) {
  // Redrawn only when something changed, so that a screen reader is not made to repeat itself.
  const { t, ...rest } = state;
  const now = JSON.stringify(rest);
  if (now === fingerprint) return;
  fingerprint = now;
  const verdict = byId("verdict");
  verdict.textContent = state.verdict_text;
  verdict.className = state.verdict;
  byId("findings").replaceChildren(
    ...state.troubles.map((x) => finding("stop", x.message, x.remedy)),
    ...(state.findings || []).map((x) => finding(x.weight, x.message, x.remedy)),
  );
  const percent = (share) => (share === null || share === undefined ? null : Math.round(100 * share));
  byId("measures").replaceChildren(
    measure("scale", state.scale),
    measure("tilt", state.tilt),
    measure("edge", state.edge),
    measure("paper", percent(state.paper)),
    measure("shine", percent(state.shine)),
    measure("size", state.size ? state.size.join(" × ") : null),
  );
  const enrol = state.enrol;
  byId("enrol").hidden = !enrol;
  if (!enrol) return;
  byId("steps").replaceChildren(
    ...STEPS.map((step) => {
      const done = enrol.taken.includes(step);
      const item = element("li", done ? `✔ ${WORDS[step]}` : WORDS[step], done ? "done" : step === enrol.step ? "now" : "");
      if (step === enrol.step) item.setAttribute("aria-current", "step");
      return item;
    }),
  );
  learnt = Boolean(enrol.saved || enrol.failed);
  byId("says").textContent = enrol.says;
  byId("expected").replaceChildren(...enrol.expected.map((line) => element("li", line)));
}

async function poll() {
  try {
    const answer = await fetchInTime(`/state?lang=${document.documentElement.lang}`, { cache: "no-store" });
    if (answer.ok) show(await answer.json());
  } catch (error) {
    byId("verdict").textContent = learnt ? WORDS.finished : WORDS.ended;
    byId("verdict").className = "no-picture";
    fingerprint = "";
  }
  setTimeout(poll, 300);
}

const picture = byId("picture");
let shot = 0;
function next() {
  shot += 1;
  const fresh = new Image();
  let timer = 0;
  const again = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(() => { fresh.onload = fresh.onerror = null; next(); }, pause);
  };
  fresh.onload = () => {
    picture.src = fresh.src;
    picture.hidden = false;
    again(200);
  };
  fresh.onerror = () => again(1000);
  // A connection that died never says so.
  again(8000);
  fresh.src = `/picture.jpg?n=${shot}`;
}
poll();
next();
