// Choosing the camera: those that are plugged in with a picture each, or an address; then its live picture.
import { alarm, button, make } from "/static/elements.js";
import { fetchInTime } from "/static/waking.js";
import { livePicture } from "../live_picture.js";
import { doing, field, findings, labelled, paragraph, whenNew, withoutPassword } from "../pieces.js";

const LIST_MS = 3000;
export const quick = true;
let parts = null;
let timer = 0;

export function draw(root, setup) {
  const told = alarm();
  const list = make("div", "cameras");
  const picture = livePicture(setup.word("camera_alt"));
  const said = paragraph("", "verdict");
  const chosen = paragraph("", "chosen");
  const troubles = make("ul", "findings");
  const address = field(typed(setup.state.choices.camera), 500);
  address.inputMode = "url";
  address.addEventListener("input", () => { if (parts) parts.typed = true; });
  const look = doing(setup.word("camera_show"), "", told, () => choose(setup, address.value.trim()));
  address.addEventListener("keydown", (event) => { if (event.key === "Enter") look.click(); });
  const plugged = make("section", "panel");
  plugged.append(make("h2", "", setup.word("camera_plugged")), list);
  const other = make("section", "panel");
  other.append(make("h2", "", setup.word("camera_other")), paragraph(setup.word("camera_phone")), labelled(setup.word("camera_address"), address), look);
  const live = make("section", "panel");
  live.append(said, troubles, picture.node, chosen);
  root.append(paragraph(setup.word("camera_lead"), "lead"), told, live, plugged, other);
  parts = { told, address, typed: false, list, picture, said, chosen, troubles, live, setup };
  picture.begin();
  if (setup.state.choices.camera && setup.state.game.phase === "none") setup.act("look");
  cameras();
}

function typed(camera) {
  return camera && !/^\d+$/.test(camera) ? camera : "";
}

async function choose(setup, camera) {
  const looked = await setup.act("look", { camera });
  const answer = looked.ok ? await setup.act("choose", { camera }) : looked;
  // What was typed before another camera was chosen is no longer meant.
  if (answer.ok && parts) parts.typed = false;
  return answer;
}

async function cameras() {
  clearTimeout(timer);
  if (!parts) return;
  const { setup, list } = parts;
  try {
    const answer = await fetchInTime("/setup/cameras", { cache: "no-store" });
    const found = answer.ok ? await answer.json() : [];
    const chosen = setup.state.choices.camera;
    whenNew(list, [found, chosen, setup.language], () => {
      list.replaceChildren(...(found.length ? found.map((one) => entry(setup, one, String(one.number) === chosen)) : [paragraph(setup.word("camera_none"))]));
    });
    for (const image of list.querySelectorAll("img")) image.src = image.dataset.source + "?n=" + Date.now();
  } catch { /* away: told above */ }
  timer = setTimeout(cameras, LIST_MS);
}

function entry(setup, camera, chosen) {
  const name = camera.name || setup.word("camera_n", { n: camera.number });
  const node = button(null, "camera", async () => {
    parts.told.textContent = "";
    const answer = await choose(setup, String(camera.number));
    // The step may have been left meanwhile.
    if (!parts) return;
    if (answer.ok) parts.address.value = "";
    else parts.told.textContent = answer.message;
  });
  node.setAttribute("aria-pressed", chosen ? "true" : "false");
  const image = make("img");
  image.alt = "";
  image.dataset.source = "/setup/camera/" + camera.number + ".jpg";
  node.append(image, make("span", "", name));
  return node;
}

export function update(setup) {
  if (!parts) return;
  const { live, choices } = setup.state;
  parts.live.hidden = !choices.camera;
  parts.chosen.textContent = choices.camera ? setup.word("camera_chosen", { camera: withoutPassword(choices.camera) }) : "";
  const seen = live && live.size;
  const said = seen ? setup.word("camera_right") : setup.word("camera_waiting");
  if (parts.said.textContent !== said) parts.said.textContent = said;
  findings(parts.troubles, live && { troubles: live.troubles, findings: [] }, setup);
}

export function leave() {
  clearTimeout(timer);
  if (parts) parts.picture.end();
  parts = null;
}

export async function next(setup) {
  const address = parts.address.value.trim();
  if (parts.typed && address && address !== setup.state.choices.camera) {
    // Whoever goes on from a newly typed address means that camera.
    parts.told.textContent = "";
    const answer = await choose(setup, address);
    if (!answer.ok && parts) parts.told.textContent = answer.message;
    return answer.ok && parts !== null;
  }
  if (setup.state.choices.camera) return true;
  parts.told.textContent = setup.word("failed_no_camera");
  return false;
}
