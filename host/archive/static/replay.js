// A battle again: a slider over its moments, the field as it was shown, the still picture beside it, and why.
import { explain } from "/static/ask.js";
import { button, make } from "/static/elements.js";
import { drawField } from "/static/field.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
let shown = null;

export function read(archive, wanted) {
  return archive.read("/games/war/" + wanted.id + "/battle/" + wanted.battle + ".json");
}

export function leave() {
  document.removeEventListener("keydown", pressed);
  shown = null;
}

// The address named another moment.
export function at(moment) {
  if (shown && moment !== shown.index) show(moment, false);
}

export function draw(root, archive, wanted, found) {
  leave();
  const { word } = archive;
  const nav = make("nav", "links");
  nav.append(archive.link(word("back_to_war"), "#/war/" + wanted.id));
  if (wanted.battle < found.battles) nav.append(archive.link(word("next_battle"), "#/war/" + wanted.id + "/" + (wanted.battle + 1)));
  const heading = archive.title(word("battle", { n: wanted.battle }));
  const { names } = found.war;
  document.title = names.near + " : " + names.far + ", " + document.title;
  const parts = { archive, wanted, found, index: -1, panel: make("section", "now"), field: field(), still: make("figure", "still"), moments: make("ol", "history moments") };
  parts.panel.setAttribute("aria-live", "polite");
  parts.panel.setAttribute("aria-atomic", "true");
  parts.moments.setAttribute("aria-label", word("all_moments"));
  parts.moments.append(...found.moments.map((moment, index) => line(archive, moment, index)));
  const beside = make("section", "panel");
  beside.append(make("h2", "", word("all_moments")), parts.moments);
  const said = make("div", "replay-said");
  // The controls stand above what is said, so that they stay where they are while that grows and shrinks.
  const steps = make("div", "replay-steps");
  steps.append(controls(parts), parts.panel);
  said.append(steps, parts.still, beside);
  const together = make("div", "replay");
  together.append(parts.field, said);
  const head = make("div", "replay-head");
  head.append(heading, nav);
  root.replaceChildren(head, together);
  shown = parts;
  document.addEventListener("keydown", pressed);
  show(wanted.moment, false);
}

function field() {
  const node = make("section", "field");
  node.id = "field";
  for (const [id, className] of [["seat-top", "seat"], ["theaters", "theaters"], ["seat-bottom", "seat"]]) {
    const part = make("div", className);
    part.id = id;
    node.append(part);
  }
  return node;
}

function controls(parts) {
  const { word } = parts.archive;
  const node = make("div", "panel replay-controls");
  const slider = make("input");
  Object.assign(slider, { type: "range", min: "0", max: String(parts.found.moments.length - 1), step: "1", value: "0" });
  slider.setAttribute("aria-label", word("moment"));
  slider.addEventListener("input", () => show(Number(slider.value), true));
  const step = (code, sign, by) => {
    const made = button(sign, "", () => show(parts.index + by, true));
    made.setAttribute("aria-label", word(code));
    made.title = word(code);
    return made;
  };
  const place = make("p", "place");
  const row = make("div", "replay-row");
  parts.back = [step("to_start", "❙◀", -Infinity), step("one_back", "◀", -1)];
  parts.on = [step("one_on", "▶", 1), step("to_end", "▶❙", Infinity)];
  parts.back[0].className = parts.on[1].className = "far-step";
  row.append(...parts.back, slider, ...parts.on);
  node.append(row, place, make("p", "hint keys", word("keys")));
  Object.assign(parts, { slider, place });
  return node;
}

function line(archive, moment, index) {
  const item = make("li");
  item.dataset.kind = moment.kind;
  const time = new Intl.DateTimeFormat(archive.language, { timeStyle: "short" }).format(new Date(moment.at * 1000));
  const pick = button(null, "moment", () => show(index, true));
  pick.append(make("time", "", time), make("span", moment.taken_back ? "struck" : "", moment.text));
  if (moment.taken_back) pick.append(make("small", "", archive.word("taken_back")));
  item.append(pick);
  return item;
}

function pressed(event) {
  const step = STEPS[event.key];
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, dialog");
  if (step === undefined || busy || !shown || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  show(shown.index + step, true);
}

function show(wanted, told) {
  const { archive, found } = shown;
  const index = Math.max(0, Math.min(found.moments.length - 1, wanted));
  if (index === shown.index) return;
  shown.index = index;
  const moment = found.moments[index];
  shown.slider.value = String(index);
  shown.slider.setAttribute("aria-valuetext", moment.text);
  shown.place.textContent = archive.word("moment_of", { n: index + 1, all: found.moments.length });
  for (const one of shown.back) one.disabled = index === 0;
  for (const one of shown.on) one.disabled = index === found.moments.length - 1;
  panel(moment);
  still(moment);
  drawField(moment.view, explain);
  document.dispatchEvent(new CustomEvent("view", { detail: moment.view }));
  [...shown.moments.children].forEach((item, number) => {
    const here = number === index;
    item.firstChild.setAttribute("aria-current", here ? "step" : "false");
    // Only the list scrolls, never the page.
    if (here) shown.moments.scrollTop = item.offsetTop - shown.moments.clientHeight / 2;
  });
  if (told) history.replaceState(null, "", "#/war/" + shown.wanted.id + "/" + found.number + "/" + index);
}

function panel(moment) {
  const { archive } = shown;
  const lines = [make("p", "who", moment.text)];
  if (moment.taken_back) lines.push(make("p", "take", archive.word("taken_back")));
  for (const step of moment.mend) lines.push(make("p", "mend", step));
  if (moment.rule) lines.push(make("p", "rule", moment.rule));
  lines.push(make("p", "last", moment.why));
  shown.panel.dataset.kind = moment.kind === "battle" ? "end" : moment.kind === "unsure" ? "question" : moment.kind;
  shown.panel.replaceChildren(...lines);
}

function still(moment) {
  const { archive, still: node } = shown;
  if (!moment.picture) {
    node.replaceChildren(make("p", "hint", archive.word("no_still")));
    return;
  }
  const old = node.querySelector("img");
  const image = old || make("img", "picture");
  image.alt = archive.word("still");
  if (image.getAttribute("src") !== moment.picture) image.src = moment.picture;
  if (!old) node.replaceChildren(image);
}
