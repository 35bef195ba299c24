// The big screen: the field and the photograph side by side, whose turn it is, the last move, and a code to look on.
import { explain } from "./ask.js";
import { connected } from "./connection.js";
import { make, ring, texts, triedAgain } from "./elements.js";
import { drawField } from "./field.js";
import { closesBesideIt } from "./modal.js";
import { fetchInTime } from "./waking.js";

const JOIN_MS = 20000;
let open = {};
const by = (id) => document.getElementById(id);

function draw(view) {
  by("battle").textContent = view.battle_text;
  document.title = view.now.title + " – All Fronts";
  now(view);
  drawField(view, explain);
  photograph(view);
  if (by("join")) join();
}

function now(view) {
  const panel = by("now");
  const amiss = [...view.things.filter((thing) => !thing.ok), ...view.obstacles.filter((one) => one.urgent)];
  const said = JSON.stringify([view.now, view.last, amiss, view.lang]);
  if (panel.dataset.said === said) return;
  panel.dataset.said = said;
  panel.dataset.kind = view.now.kind;
  const lines = [make("p", "who", view.now.title)];
  for (const step of view.now.mend) lines.push(make("p", "mend", step));
  if (view.now.text) lines.push(make("p", view.now.kind === "violation" ? "rule" : "ask", view.now.text));
  if (view.last && view.now.kind !== "violation") lines.push(make("p", "last", view.last));
  for (const thing of amiss) lines.push(make("p", "trouble", thing.text));
  panel.replaceChildren(...lines);
}

function photograph(view) {
  const node = by("photograph");
  node.hidden = !view.picture;
  if (!view.picture) return;
  const image = node.querySelector("img") || triedAgain(make("img"));
  image.alt = texts.picture;
  if (image.getAttribute("src") !== view.picture) image.src = view.picture;
  const circled = node.querySelector(".circled") || make("div", "circled");
  circled.replaceChildren(...view.obstacles.map(ring));
  if (image.parentElement) return;
  node.append(image, circled);
  const onPicture = () => cover(circled, image);
  image.addEventListener("load", onPicture);
  new ResizeObserver(onPicture).observe(image);
}

// Lays a node over the picture itself, without the bars that fill its place where it is wider or higher.
function cover(node, image) {
  if (!image.naturalWidth) return;
  const scale = Math.min(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight);
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  const place = {
    left: image.offsetLeft + (image.clientWidth - width) / 2, top: image.offsetTop + (image.clientHeight - height) / 2,
    width, height,
  };
  for (const [side, value] of Object.entries(place)) node.style[side] = value + "px";
}

// Only while the table is open to the network there is somewhere to come to; that may change while this page stands.
async function ask() {
  try {
    const answer = await fetchInTime("/join-code.json", { cache: "no-store" });
    open = answer.ok ? await answer.json() : {};
    join();
  } catch { /* away: asked again */ }
  setTimeout(ask, JOIN_MS);
}

function join() {
  const node = by("join");
  node.hidden = !open.address;
  const said = JSON.stringify([open, texts.look_on]);
  if (!open.address || node.dataset.said === said) return;
  node.dataset.said = said;
  const code = make("img");
  code.alt = "";
  // Another code once it was revoked.
  code.src = "/join-code.svg?" + open.mark;
  const about = make("p");
  about.append(make("b", "", texts.look_on), make("span", "", texts.look_on_how));
  node.replaceChildren(code, about);
}

closesBesideIt();
connected(draw);
if (by("join")) document.addEventListener("view", ask, { once: true });
