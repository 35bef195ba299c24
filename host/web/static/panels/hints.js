// Hints for learners, off until this device asks for them: what may be done now, and what withdrawing costs.
import { make, texts } from "../elements.js";
import { chosen } from "./device.js";

const node = document.getElementById("hints");
let view = null;

function show() {
  const lines = view && chosen("hints") ? view.hints || [] : [];
  const said = JSON.stringify([lines, view && view.lang]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  node.hidden = lines.length === 0;
  node.replaceChildren(make("h2", "", texts.hints), ...lines.map((line) => make("p", "", line)));
}

document.addEventListener("view", (event) => { view = event.detail; show(); });
document.addEventListener("device", show);
