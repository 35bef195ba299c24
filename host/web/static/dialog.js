// The one dialog of the page. A dialog belongs to the entry that it was opened for: once the table has moved on, it says
// so and can do nothing any more; the table refuses what is older than itself as well.
import { button, make, texts } from "./elements.js";

const dialog = document.getElementById("dialog");
let shows = null;
let sending = false;

export function openDialogs() {
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { shows = null; });
}

// `view` is what the dialog speaks of; without one it holds whatever happens on the table.
export function open(title, parts, foot, view) {
  const feet = make("div", "foot");
  feet.append(...foot);
  const heading = make("h1", "heading", title);
  heading.id = "dialog-heading";
  dialog.setAttribute("aria-labelledby", "dialog-heading");
  dialog.replaceChildren(heading, ...parts, feet);
  dialog.scrollTop = 0;
  shows = view ? { entry: view.entry, war: view.war } : null;
  if (!dialog.open) dialog.showModal();
}

export function closing(text) {
  return button(text || texts.close, "quiet", () => dialog.close());
}

export function doing(text, className, deed, error) {
  const node = button(text, className, async () => {
    node.disabled = true;
    sending = true;
    const answer = await deed();
    sending = false;
    if (answer.ok) { dialog.close(); return; }
    error.textContent = answer.message;
    node.disabled = error.dataset.moved === "yes";
  });
  return node;
}

document.addEventListener("view", (event) => {
  if (!shows || sending || (event.detail.entry === shows.entry && event.detail.war === shows.war)) return;
  shows = null;
  const said = make("p", "error moved", texts.war.moved_on);
  said.setAttribute("role", "alert");
  dialog.querySelector(".heading").after(said);
  for (const node of dialog.querySelectorAll("button:not(.quiet), input, select, .edit button")) node.disabled = true;
});
