// Elements of a page, made without markup: whatever comes from outside is set as text.
export function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
}

export function button(text, className, pressed) {
  const node = make("button", className, text);
  node.type = "button";
  node.addEventListener("click", pressed);
  return node;
}
