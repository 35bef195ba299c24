// The page's building blocks: elements, icons, buttons, and the texts of the chosen language.
export const texts = {};
const SVG = "http://www.w3.org/2000/svg";

const PICTURE_TRIES = 5;
const PICTURE_AGAIN_MS = 1500;

export function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
}

// A picture whose loading broke off is asked for again; one that is not there, a few times only.
export function triedAgain(image) {
  image.addEventListener("load", () => { image.dataset.failed = "0"; });
  image.addEventListener("error", () => {
    const failed = Number(image.dataset.failed || 0) + 1;
    image.dataset.failed = String(failed);
    if (failed <= PICTURE_TRIES) setTimeout(() => { image.src = image.getAttribute("src"); }, PICTURE_AGAIN_MS);
  });
  return image;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", "#i-" + name);
  svg.append(use);
  return svg;
}

export function button(text, className, pressed) {
  const node = make("button", className, text);
  node.type = "button";
  node.addEventListener("click", pressed);
  return node;
}

// Where an error is written; a screen reader hears it at once.
export function alarm() {
  const error = make("p", "error");
  error.setAttribute("role", "alert");
  return error;
}

// One of several. `options` are [value, text] or [value, text, disabled].
export function picker(options, chosen) {
  const node = make("select");
  for (const [value, text, disabled] of options) {
    const option = make("option", "", text);
    option.value = value;
    option.disabled = Boolean(disabled);
    option.selected = value === chosen;
    node.append(option);
  }
  return node;
}

export function labelled(text, control) {
  const label = make("label", "", text);
  label.append(control);
  return label;
}

export function drawn(tag, attributes, text) {
  // An element of a drawing.
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

// Around what is in the way, on the photograph.
export function ring(obstacle) {
  const node = make("i", "ring");
  for (const side of ["left", "top", "width", "height"]) node.style[side] = 100 * obstacle[side] + "%";
  return node;
}
