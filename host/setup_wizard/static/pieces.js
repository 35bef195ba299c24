// Pieces that several steps are made of.
import { button, make } from "/static/elements.js";

export function paragraph(text, className) {
  return make("p", className || "", text);
}

// A button that does something at the table, waits for the answer, and says in `told` why it could not be done.
export function doing(text, className, told, deed) {
  const node = button(text, className, async () => {
    node.disabled = true;
    told.textContent = "";
    const answer = await deed();
    node.disabled = false;
    if (answer && !answer.ok) told.textContent = answer.message;
  });
  return node;
}

// A stream's address without its password, which nobody but the program needs.
export function withoutPassword(address) {
  // Some cameras take it behind a question mark.
  return (address || "").replace(/^(\w+:\/\/[^/@:]*):[^/]*@/, "$1:…@").replace(/^(\w+:\/\/[^?]*\?).*/, "$1…");
}

export function labelled(text, control, hint) {
  const label = make("label", "field-label", null);
  label.append(make("span", "", text), control);
  if (hint) label.append(make("small", "", hint));
  return label;
}

export function field(value, longest) {
  const node = make("input");
  node.type = "text";
  node.value = value;
  node.maxLength = longest;
  node.autocomplete = "off";
  node.spellcheck = false;
  return node;
}

let group = 0;

// One of several: radio buttons in a fieldset. `options` are [value, text] pairs, `chosen` a function that is called.
export function choice(legend, options, value, chosen) {
  const set = make("fieldset", "choice");
  set.append(make("legend", "", legend));
  const name = "choice-" + (group += 1);
  for (const [key, text] of options) {
    const label = make("label");
    const input = make("input");
    input.type = "radio";
    input.name = name;
    input.value = String(key);
    input.checked = key === value;
    input.addEventListener("change", () => chosen(key));
    label.append(input, make("span", "", text));
    set.append(label);
  }
  return set;
}

export function dated(seconds, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(seconds * 1000));
}

// Redraws `node` only when `key` is another one than last time: a screen reader is not made to repeat itself.
export function whenNew(node, key, draw) {
  const said = JSON.stringify(key);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  draw();
}

export function findings(node, live, setup) {
  const rows = live ? [...live.troubles.map((one) => ({ ...one, weight: "stop" })), ...(live.findings || [])] : [];
  whenNew(node, [rows, setup.language], () => node.replaceChildren(...rows.map((one) => {
    const item = make("li", "finding");
    item.dataset.weight = one.weight;
    item.append(make("strong", "", one.message));
    if (one.remedy) item.append(make("span", "", one.remedy));
    return item;
  })));
}
