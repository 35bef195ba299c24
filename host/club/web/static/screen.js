// The room's screen: every table at a glance, and beside it the pairings and standings in turn. Shows what it is sent.
import { fetchInTime, whenWoken } from "/pages/waking.js";

const texts = JSON.parse(document.getElementById("texts").textContent);
const byId = (id) => document.getElementById(id);
const tables = new Map();
let club = null;
let clockOffset = 0;
let side = 0;

const say = (code, parts = {}) => texts.club[code].replace(/\{(\w+)\}/g, (_, name) => parts[name] ?? "");

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Where many tables share the screen, a theater is its first letter.
const dense = () => (club?.pairs.length ?? 0) > 9;

// One card a table. Everything comes from the desk as text and stays text.
function card(table) {
  const made = element("article", "card");
  const troubles = table.trouble.map((code) => texts["club-trouble"][code] ?? texts["club-trouble"].other);
  if (table.companion === "gone") troubles.push(texts["club-trouble"].gone);
  if (troubles.length && !table.result) made.classList.add("bad");
  if (table.result) made.classList.add("over");
  made.append(element("span", "number", table.table));
  ["near", "far"].forEach((seat, i) => {
    const won = table.result && table.result.halves[i] === 2;
    made.append(element("span", `name ${seat}${table.turn === seat ? " turn" : ""}${won ? " won" : ""}`, table.names[i]));
    made.append(element("span", `points ${seat}`, table.score[i]));
  });
  const foot = element("span", "foot");
  if (troubles.length && !table.result) {
    foot.append(element("span", "trouble", troubles.join(", ")));
  } else if (table.result) {
    const drawn = table.result.halves[0] === table.result.halves[1];
    const how = table.result.how === "played" ? "" : ` (${say(`how-${table.result.how}`)})`;
    foot.append(element("span", "", `✓ ${drawn ? say("drawn") : say("won")}${how}`));
  } else if (table.phase === "waiting") {
    foot.append(element("span", "", table.battle > 1 ? say("battle", { n: table.battle }) : say("waiting")));
  } else {
    for (const [theater, near, far, holder] of table.theaters) {
      const part = element("span", "theater");
      part.dataset.holder = holder ?? "";
      part.append(element("span", "", dense() ? texts.theater[theater][0] : texts.theater[theater]), element("b", "", `${near}–${far}`));
      foot.append(part);
    }
  }
  made.append(foot);
  made.setAttribute("aria-label", `${say("table")} ${table.table}: ${table.names[0]} ${table.score[0]}, ${table.names[1]} ${table.score[1]}`);
  made.dataset.table = table.table;
  made.dataset.at = table.at;
  return made;
}

function layOut() {
  const count = tables.size;
  document.body.dataset.tables = count ? "some" : "none";
  const columns = count <= 4 ? Math.min(2, count) : count <= 9 ? 3 : count <= 16 ? 4 : count <= 30 ? 5 : count <= 48 ? 6 : 8;
  const rows = Math.ceil(count / Math.max(1, columns));
  byId("tables").style.setProperty("--columns", Math.max(1, columns));
  const size = Math.min(6 / Math.max(1, columns) + 0.15, 12 / Math.max(1, rows), 3);
  byId("tables").style.setProperty("--size", `${Math.max(0.72, size)}vw`);
  byId("tables").classList.toggle("dense", count > 16);
}

function drawTable(name, table) {
  const old = tables.get(name);
  if (table === null) {
    old?.remove();
    tables.delete(name);
    return;
  }
  const fresh = card(table);
  if (old) old.replaceWith(fresh);
  else {
    const after = [...byId("tables").children].find((c) => Number(c.dataset.table) > table.table);
    byId("tables").insertBefore(fresh, after ?? null);
  }
  tables.set(name, fresh);
}

function drawClub() {
  byId("name").textContent = club.name;
  byId("round").textContent = club.finished ? say("finished") : club.round ? say("round-of", club) : say("no-round");
  byId("announcement").textContent = club.announcement ?? "";
  byId("announcement").hidden = !club.announcement;
  document.title = club.name || "All Fronts";
}

// Pages of the side panel: pairings while a round is on, standings always; as many rows as fit.
function pages() {
  if (!club) return [];
  const wide = document.body.dataset.tables === "none";
  const rows = wide ? 24 : 16;
  const found = [];
  const cut = (title, lines, foot) => {
    for (let at = 0; at < lines.length; at += rows) found.push({ title, lines: lines.slice(at, at + rows), foot });
  };
  if (!club.finished) {
    const foot = club.bye ? say("bye-is", { name: club.bye }) : "";
    cut(say("pairings"), club.pairs.map(([table, near, far]) => [table, `${near} – ${far}`, ""]), foot);
  }
  const ties = (club.ties ?? []).map((tie) => texts["club-tie"][tie]).join(", ");
  cut(say("standings-page"), club.standings.map((r) => [r.rank, r.name, r.points, r.dropped]), ties);
  return found;
}

function drawSide() {
  const all = pages();
  const page = all[side % Math.max(1, all.length)];
  byId("side-title").textContent = page?.title ?? "";
  byId("side-foot").textContent = page?.foot ?? "";
  byId("side-rows").replaceChildren(...(page?.lines ?? []).map(([first, name, last, out]) => {
    const row = element("li", "");
    row.append(element("span", "first", first), element("span", out ? "name out" : "name", name), element("span", "", last));
    return row;
  }));
}

function tick() {
  const until = club?.until;
  const clock = byId("clock");
  if (!until) {
    clock.textContent = "";
    delete clock.dataset.up;
    return;
  }
  const left = Math.ceil(until - (Date.now() / 1000 + clockOffset));
  clock.textContent = left <= 0 ? say("time-up") : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (left <= 0) clock.dataset.up = "yes";
  else delete clock.dataset.up;
}

function take(sent) {
  clockOffset = sent.now - Date.now() / 1000;
  let order = false;
  for (const [name, part] of Object.entries(sent.parts)) {
    if (name === "club") {
      club = part;
      drawClub();
      drawSide();
    } else {
      order ||= part === null || !tables.has(name);
      drawTable(name, part);
    }
  }
  if (order) {
    layOut();
    drawSide();
  }
  byId("lost").hidden = true;
  lastHeard = Date.now();
}

let lastHeard = Date.now();
let source = null;
let away = false;

function connect() {
  source?.close();
  source = new EventSource("/screen/stream");
  source.addEventListener("parts", (event) => take(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    byId("lost").hidden = false;
    away = true;
  });
  source.addEventListener("open", () => {
    if (away) whole();
    away = false;
  });
}

// A desk that was restarted counts its versions anew: what is on the screen is asked for whole.
async function whole() {
  try {
    const sent = await (await fetchInTime("/screen/now")).json();
    for (const name of [...tables.keys()]) if (!(name in sent.parts)) drawTable(name, null);
    take(sent);
    layOut();
  } catch {
    byId("lost").hidden = false;
  }
}

function again() {
  connect();
  whole();
}

connect();
whenWoken(again);
setInterval(tick, 250);
setInterval(() => {
  if (Math.abs(Date.now() - lastHeard) > 12000) {
    byId("lost").hidden = false;
    again();
  }
}, 3000);
setInterval(() => {
  side += 1;
  drawSide();
}, 8000);
