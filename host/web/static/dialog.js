// What the table's dialogs share. A dialog belongs to the entry that it was opened for: once the table has moved on, it
// says so and can do nothing any more; the table refuses what is older than itself as well.
import { button, make, texts } from "./elements.js";
import { close, show, shown, whenClosed } from "./modal.js";

const dialog = document.getElementById("dialog");
let shows = null;
let newest = null;
let sending = 0;

// `view` is what the dialog speaks of; without one it holds whatever happens on the table. The number of this opening.
export function open(title, parts, foot, view) {
  const number = show(title, parts, foot);
  shows = view ? { entry: view.entry, war: view.war } : null;
  return number;
}

export function closing(text) {
  const node = button(text || texts.close, "quiet", () => close());
  node.dataset.closes = "yes";
  return node;
}

export function doing(text, className, deed, error) {
  const node = button(text, className, async () => {
    const own = shown();
    node.disabled = true;
    sending = own;
    const answer = await deed();
    if (sending === own) sending = 0;
    if (answer.ok) { close(own); return; }
    if (own === shown() && overtaken()) { sayOvertaken(); return; }
    error.textContent = answer.message;
    node.disabled = false;
  });
  return node;
}

function overtaken() {
  return Boolean(shows && newest) && (newest.entry !== shows.entry || newest.war !== shows.war);
}

function sayOvertaken() {
  shows = null;
  const said = make("p", "error moved", texts.war.moved_on);
  said.setAttribute("role", "alert");
  dialog.querySelector(".heading").after(said);
  // There is nothing left to cancel, and the sentence says to close it.
  for (const node of dialog.querySelectorAll("[data-closes]")) node.textContent = texts.close;
  for (const node of dialog.querySelectorAll("button:not(.quiet), input, select, .edit button")) node.disabled = true;
}

whenClosed(() => { shows = null; });
document.addEventListener("view", (event) => {
  newest = event.detail;
  // The view that an action of this very dialog brings is no news to it.
  if (shown() !== sending && overtaken()) sayOvertaken();
});
