// The page of Fog of War: what is due, the wheels, the map, what the box says, and what happened. Whole views are drawn
// as they come; what a person is typing is kept until it is sent.
import { connected } from "../connection.js";
import { make, texts } from "../elements.js";
import { closesBesideIt } from "../modal.js";
import { askFromBox, drawBox } from "./box.js";
import { whenAsked } from "./dialogs.js";
import { drawMap } from "./map.js";
import { drawTurn } from "./turn.js";
import { drawWheels } from "./wheel.js";

const tabs = document.getElementById("tabs");

function choose(name) {
  document.body.dataset.tab = name;
  for (const node of tabs.children) node.setAttribute("aria-selected", String(node.dataset.tab === name));
}

let drawnEntry = null;
let pressed = false;
let waiting = null;

// A view that comes while a finger is on the page waits until it is lifted: no tap falls on a button that has gone.
document.addEventListener("pointerdown", () => { pressed = true; });
for (const ended of ["pointerup", "pointercancel"]) document.addEventListener(ended, () => setTimeout(() => {
  pressed = false;
  const drawn = waiting;
  waiting = null;
  if (drawn) draw(...drawn);
}));

function draw(view, act) {
  if (pressed) { waiting = [view, act]; return; }
  // What a step led to stands at the top: whoever tapped at the bottom of the page is taken there.
  const stepped = drawnEntry !== null && view.entry !== drawnEntry && view.last.length > 0;
  drawnEntry = view.entry;
  const focused = focusedButton();
  document.getElementById("clock").textContent =
    `${view.year}${view.winter ? " ❄ " + texts.winter : ""} · ${view.points}/${view.goal}`;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = texts[node.dataset.text] || "";
  tabs.querySelector('[data-tab="box"]').dataset.count = view.to_begin ? String(view.to_begin) : "";
  drawTurn(document.getElementById("turn"), view, act, choose);
  drawWheels(document.getElementById("wheel"), view, act);
  drawMap(document.getElementById("map"), view, act);
  drawBox(document.getElementById("box"), view, act);
  tabs.querySelector('[data-tab="box"]').hidden = !view.board;
  drawLog(document.getElementById("log"), view);
  drawInvitations(document.getElementById(view.board ? "box" : "log"), view);
  focused();
  if (stepped && document.body.dataset.tab === "turn") window.scrollTo({ top: 0 });
  document.body.dataset.entry = String(view.entry);
  document.getElementById("spoken").textContent = `${view.now.who}. ${view.now.ask}`;
}

function focusedButton() {
  // Gives back what puts the focus on the same button once the tab was drawn anew.
  const node = document.activeElement;
  const tab = node && node.closest(".tab");
  if (!tab || node.tagName !== "BUTTON") return () => {};
  // A line's mark changes with its state, its text does not.
  const words = (button) => (button.querySelector(".text") || button).textContent;
  const text = words(node);
  return () => {
    const same = [...tab.querySelectorAll("button")].find((other) => words(other) === text && !other.disabled);
    if (same) same.focus({ preventScroll: true });
  };
}

function drawLog(node, view) {
  const list = make("ol", "history");
  for (const step of [...view.history].reverse()) {
    const item = make("li");
    const said = make("div");
    for (const line of step.lines) {
      const text = make("p", line.remind ? "hand" : "", line.text + " ");
      text.append(make("span", "paragraph", line.paragraph));
      said.append(text);
    }
    item.append(make("time", "", step.when), said);
    list.append(item);
  }
  node.replaceChildren(panel(texts.history, list));
}

function drawInvitations(node, view) {
  if (view.role !== "owner") return;
  const link = make("a", "", texts.invite);
  link.href = "/invitations";
  const links = make("p", "owner-links");
  links.append(link);
  node.prepend(links);
}

function panel(title, ...parts) {
  const box = make("div", "panel");
  box.append(make("h2", "", title), ...parts);
  return box;
}

for (const node of tabs.children) node.addEventListener("click", () => choose(node.dataset.tab));
choose("turn");
closesBesideIt();
whenAsked(askFromBox);
connected(draw);
