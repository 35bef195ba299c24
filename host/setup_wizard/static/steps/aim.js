// Aiming the camera: its live picture with the seats' names, a verdict, and what to mend, in words.
import { make } from "/static/elements.js";
import { livePicture } from "../live_picture.js";
import { findings, paragraph, whenNew } from "../pieces.js";

const MEASURES = ["scale", "tilt", "edge", "paper", "shine"];
// Told in per cent.
const SHARES = ["paper", "shine"];
export const quick = true;
let parts = null;

export function draw(root, setup) {
  const picture = livePicture(setup.word("camera_alt"));
  const verdict = paragraph("", "verdict");
  verdict.setAttribute("role", "status");
  const list = make("ul", "findings");
  const more = make("details", "measures");
  const table = make("table", "sum");
  more.append(make("summary", "", setup.word("aim_measures")), table);
  const beside = make("section", "panel");
  beside.append(verdict, list);
  const pair = make("div", "beside");
  pair.append(picture.node, beside);
  root.append(paragraph(setup.word("aim_lead"), "lead"), pair, paragraph(setup.word("aim_seats"), "hint"), more);
  parts = { picture, verdict, list, table };
  picture.begin();
  if (setup.state.choices.camera && setup.state.game.phase === "none") setup.act("look");
}

export function update(setup) {
  if (!parts) return;
  const { live } = setup.state;
  const text = live && live.size ? live.verdict_text : setup.word(setup.state.choices.camera ? "camera_waiting" : "failed_no_camera");
  if (parts.verdict.textContent !== text) parts.verdict.textContent = text;
  parts.verdict.dataset.verdict = live ? live.verdict : "no-picture";
  findings(parts.list, live, setup);
  parts.picture.write(live && live.labels, { near: setup.word("seat_near"), far: setup.word("seat_far") });
  const shown = (code) => (SHARES.includes(code) && live[code] !== null ? live[code] * 100 : live[code]);
  const rows = live && live.measures ? MEASURES.map((code) => [live.measures[code], shown(code)]) : [];
  whenNew(parts.table, [rows, setup.language], () => {
    const number = new Intl.NumberFormat(setup.language, { maximumFractionDigits: 2 });
    parts.table.replaceChildren(...rows.map(([name, value]) => {
      const row = make("tr");
      const head = make("th", "", name);
      head.scope = "row";
      row.append(head, make("td", "", value === null || value === undefined ? "–" : number.format(value)));
      return row;
    }));
  });
  const next = document.getElementById("next");
  // Without a picture there is nothing to take as it is.
  const plain = !live || !live.size || ["good", "usable"].includes(live.verdict);
  if (next) { next.textContent = setup.word(plain ? "next" : "aim_anyway"); next.className = plain ? "main" : ""; }
}

export function leave() {
  if (parts) parts.picture.end();
  parts = null;
}

export async function next(setup) {
  // Nobody has aimed a camera whose picture never came: the step can be left, and is not settled.
  if (!setup.state.live || !setup.state.live.size) return true;
  const answer = await setup.act("choose", { aimed: true });
  return answer.ok;
}
