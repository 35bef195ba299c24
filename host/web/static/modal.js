// The page's one modal dialog. Each opening has a number, and an opening is closed by its number: an answer that comes
// late closes nothing that was opened since.
import { make } from "./elements.js";

const dialog = document.getElementById("dialog");
const heard = [];
let latest = 0;
let open = 0;

// Shows it with this heading, these nodes and these buttons below them; the number of this opening.
export function show(title, parts, foot) {
  if (open && !dialog.open) ended();
  const feet = make("div", "foot");
  feet.append(...foot);
  const heading = make("h1", "heading", title);
  heading.id = "dialog-heading";
  dialog.setAttribute("aria-labelledby", "dialog-heading");
  dialog.replaceChildren(heading, ...parts, feet);
  dialog.scrollTop = 0;
  latest += 1;
  open = latest;
  if (!dialog.open) dialog.showModal();
  return open;
}

// The number of the opening that stands on the screen; 0 where none does.
export function shown() {
  return dialog.open ? open : 0;
}

export function close(number = shown()) {
  if (!number || number !== shown()) return;
  dialog.close();
  ended();
}

// `listener` is called after each closing, before anything else can be opened.
export function whenClosed(listener) {
  heard.push(listener);
}

export function closesBesideIt() {
  dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
}

function ended() {
  open = 0;
  for (const listener of heard) listener();
}

// The browser's own closing, by the key Escape. After `close` nothing is left to end here, and what was opened since stays.
dialog.addEventListener("close", () => { if (open && !dialog.open) ended(); });
