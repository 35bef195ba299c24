// Arrows over the field: from a card that lies wrongly to where it belongs. The words for it stand in the panel beside it,
// so a screen reader is told nothing here.
import { drawn } from "../elements.js";

const field = document.getElementById("field");
const sheet = drawn("svg", { class: "arrows", "aria-hidden": "true", focusable: "false" });
const tip = drawn("marker", { id: "arrow-tip", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" });
tip.append(drawn("path", { d: "M0 0 10 5 0 10z" }));
let arrows = [];

function middle(node, box) {
  const at = node.getBoundingClientRect();
  return { x: at.left - box.left + at.width / 2, y: at.top - box.top + at.height / 2 };
}

// Where a line to `b` leaves the card, so that its name stays readable.
function edge(card, box, b) {
  const at = card.getBoundingClientRect();
  const a = middle(card, box);
  if (Math.abs(b.x - a.x) * at.height > Math.abs(b.y - a.y) * at.width) a.x += Math.sign(b.x - a.x) * at.width / 2;
  else a.y += Math.sign(b.y - a.y) * at.height / 2;
  return a;
}

// Where a card goes: a place's stack, or a seat's hand, whose words stay readable: between them and the score.
function target(to, box) {
  const [what, seat] = to.split("/");
  if (what !== "hand") {
    const pile = field.querySelector('[data-pile="' + to + '"]');
    return pile && middle(pile, box);
  }
  const about = field.querySelector('.seat[data-seat="' + seat + '"] .about');
  if (!about) return null;
  const words = document.createRange();
  const ends = Math.max(...[...about.querySelectorAll(".name, .hold span")].map((node) => {
    words.selectNodeContents(node);
    return words.getBoundingClientRect().right;
  }));
  const free = about.nextElementSibling.getBoundingClientRect().left;
  return { x: (ends + Math.max(free, ends)) / 2 - box.left, y: middle(about, box).y };
}

function draw() {
  const box = field.getBoundingClientRect();
  sheet.setAttribute("viewBox", "0 0 " + box.width + " " + box.height);
  const lines = [];
  for (const arrow of arrows) {
    const card = field.querySelector('[data-place="' + arrow.origin + '"]');
    const b = target(arrow.to, box);
    if (!card || !b) continue;
    const a = edge(card, box, b);
    // Bent to the side, so that it does not run along a stack.
    const bend = Math.max(-40, Math.min(40, (b.y - a.y) / 3)) || 24;
    const way = "M" + a.x + " " + a.y + " Q" + ((a.x + b.x) / 2 + bend) + " " + (a.y + b.y) / 2 + " " + b.x + " " + b.y;
    lines.push(drawn("path", { d: way, class: "edge" }), drawn("path", { d: way, "marker-end": "url(#arrow-tip)" }));
  }
  sheet.replaceChildren(tip, ...lines);
  sheet.toggleAttribute("hidden", lines.length === 0);
}

document.addEventListener("view", (event) => {
  arrows = event.detail.arrows || [];
  if (!sheet.isConnected) field.append(sheet);
  draw();
});
new ResizeObserver(draw).observe(field);
