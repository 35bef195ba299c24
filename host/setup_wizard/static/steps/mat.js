// Printing the mat, and seeing that it came out at its true size.
import { make } from "/static/elements.js";
import { livePicture } from "../live_picture.js";
import { paragraph, whenNew } from "../pieces.js";

const SVG = "http://www.w3.org/2000/svg";
const TAGS = [["tags-a4", "A4 (PDF)"], ["tags-letter", "Letter (PDF)"]];
const WHOLE = [["mat-a2", "A2 (PDF)"], ["mat-2xa3", "2 × A3 (PDF)"], ["mat-6xa4", "6 × A4 (PDF)"], ["mat-6xletter", "6 × Letter (PDF)"]];
export const quick = true;
let parts = null;

function link(setup, text, name) {
  const node = make("a", "as-button", text);
  node.href = "/setup/print/" + name + ".pdf?lang=" + setup.language;
  node.target = "_blank";
  node.rel = "noopener";
  return node;
}

function printed(setup, what, names) {
  const node = make("div", "printed");
  node.append(make("h2", "", setup.word("mat_" + what)), paragraph(setup.word("mat_" + what + "_how")));
  const links = make("div", "choices");
  links.append(...names.map(([name, text]) => link(setup, text, name)));
  node.append(links);
  return node;
}

// Where the four tags lie, in millimetres, with the distances between their centres.
function drawing(text) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 420 594");
  svg.setAttribute("class", "mat-drawing");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", text);
  const add = (tag, attributes, said) => {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    if (said) node.textContent = said;
    svg.append(node);
  };
  add("rect", { x: 4, y: 4, width: 412, height: 586, rx: 10, class: "mat-edge" });
  [[25, 25], [395, 25], [395, 569], [25, 569]].forEach(([x, y], tag) => {
    add("rect", { x: x - 15, y: y - 15, width: 30, height: 30, class: "mat-tag" });
    add("text", { x, y: y + 8, class: "mat-number" }, String(tag));
  });
  add("path", { d: "M48 25H372M25 48V546", class: "mat-line" });
  add("text", { x: 210, y: 60, class: "mat-text" }, "370 mm");
  add("text", { x: 90, y: 305, class: "mat-text" }, "544 mm");
  return svg;
}

export function draw(root, setup) {
  const prints = make("section", "panel");
  prints.append(printed(setup, "whole", WHOLE), printed(setup, "tags", TAGS), drawing(setup.word("mat_drawing")));
  const check = make("section", "panel");
  const picture = livePicture(setup.word("camera_alt"));
  const seen = paragraph("", "verdict");
  const size = paragraph("");
  const box = make("input");
  box.type = "checkbox";
  box.checked = setup.state.choices.mat;
  box.addEventListener("change", () => setup.act("choose", { mat: box.checked }));
  const label = make("label", "agree");
  label.append(box, make("span", "", setup.word("mat_ok")));
  check.append(paragraph(setup.word("mat_measure")), label, picture.node, seen, size);
  root.append(paragraph(setup.word("mat_lead"), "lead"), prints, check);
  parts = { picture, seen, size };
  picture.begin();
  if (setup.state.choices.camera && setup.state.game.phase === "none") setup.act("look");
}

const unseen = (finding) => finding.code === "no-mat" || finding.code === "mirrored";

export function update(setup) {
  if (!parts) return;
  const { live } = setup.state;
  parts.picture.node.hidden = !live;
  const tags = live && live.size ? 4 - live.findings.filter((one) => one.code === "tag-unseen").length : null;
  const count = live && live.findings && live.findings.some(unseen) ? 0 : tags;
  whenNew(parts.seen, [count, setup.language], () => { parts.seen.textContent = count === null ? "" : setup.word("mat_seen", { n: count }); });
  const side = live && live.tag_side;
  const mm = side ? new Intl.NumberFormat(setup.language, { maximumFractionDigits: 0 }).format(side) : "";
  const text = side ? setup.word(live.tag_wrong ? "mat_wrong" : "mat_fits", { mm }) : "";
  if (parts.size.textContent !== text) parts.size.textContent = text;
  parts.size.className = live && live.tag_wrong ? "error" : "good";
}

// Four tags of the right size, seen by the camera, are a mat that was printed well: nobody has to say so.
export async function next(setup) {
  const { live, choices } = setup.state;
  const good = live && live.size && live.tag_side && !live.tag_wrong && !live.findings.some((one) => one.code === "tag-unseen" || unseen(one));
  if (good && !choices.mat) await setup.act("choose", { mat: true });
  return true;
}

export function leave() {
  if (parts) parts.picture.end();
  parts = null;
}
