// Consent: what one phone asks for and the other decides. The asked phone gets a dialog with what would change in words;
// the one that asks sees that it waits, and what came of it.
import { act } from "../connection.js";
import { closing, doing, open } from "../dialog.js";
import { alarm, button, make, texts } from "../elements.js";
import { close, shown, whenClosed } from "../modal.js";

const node = document.getElementById("consent");
let view = null;
let offered = 0;
let opened = null; // the opening of the dialog, and the request that it is about
let read = 0;

const say = (answer) => act("agree", { request: view.asked.number, answer });

function offer() {
  const asked = view.asked;
  const words = texts.consent;
  offered = asked.number;
  const list = make("ul", "told");
  for (const line of asked.what) list.append(make("li", "", line));
  const error = alarm();
  const no = doing(words.decline, "", () => say("no"), error);
  const yes = doing(words.accept, "main", () => say("yes"), error);
  opened = { dialog: open(asked.title, [list, make("p", "hint", asked.told), error], [no, yes], view), request: asked.number };
}

function bar() {
  const asked = view.asked;
  const words = texts.consent;
  if (!asked || !words || (asked.mine && !asked.told) || (asked.outcome !== "open" && read === asked.number)) return [];
  const waits = asked.outcome === "open";
  const line = make("p", "", asked.answers ? asked.title : asked.told);
  if (asked.answers) return [line, button(words.open, "main", offer)];
  const end = waits ? button(words.stop, "", () => say("stop"))
    : button(texts.close, "", () => { read = asked.number; show(); });
  return [line, end];
}

function show() {
  const parts = bar();
  const said = JSON.stringify([view.lang, parts.length && view.asked]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  node.hidden = parts.length === 0;
  node.replaceChildren(...parts);
}

document.addEventListener("view", (event) => {
  view = event.detail;
  const asked = view.asked;
  const answers = asked && asked.answers;
  // A request that has ended is not answered any more: its dialog goes.
  if (opened && !(answers && asked.number === opened.request)) close(opened.dialog);
  if (answers && asked.number !== offered && !shown()) offer();
  show();
});

whenClosed(() => {
  opened = null;
  if (view && view.asked && view.asked.answers && view.asked.number !== offered) offer();
});
