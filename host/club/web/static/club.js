// The organiser's page: forms work without this. It counts the clock down and takes over what is new.
import { fetchInTime, whenWoken } from "/pages/waking.js";

const main = document.getElementById("main");

function tick() {
  for (const clock of document.querySelectorAll("[data-until]")) {
    clock._started ??= performance.now();
    const now = Number(clock.dataset.now) + (performance.now() - clock._started) / 1000;
    const left = Math.ceil(Number(clock.dataset.until) - now);
    const text = left <= 0 ? clock.dataset.up : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}

let pressed = false;
document.addEventListener("pointerdown", () => { pressed = true; });
for (const ended of ["pointerup", "pointercancel"]) document.addEventListener(ended, () => setTimeout(() => { pressed = false; }));

function touched(field) {
  if (field.matches("select")) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((one) => one.defaultSelected));
  return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

// Nobody's typing is thrown away: a page with a changed field, an open panel, the focus in a field or a finger on a
// button waits.
function busy() {
  const at = document.activeElement;
  if (pressed || (at && at.matches("input:not([type=hidden]), textarea, select"))) return true;
  if (main.querySelector("details[open]")) return true;
  return [...main.querySelectorAll("input, textarea, select")].some(touched);
}

let newest = main.dataset.changes;
let loading = false;

async function refresh() {
  if (newest === main.dataset.changes || loading || busy()) return;
  loading = true;
  try {
    const answer = await fetchInTime(location.pathname);
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("main");
      if (fresh && !busy()) {
        // Why the last step was refused stays until the organiser goes on.
        const refusal = main.querySelector(":scope > [role=alert]");
        main.replaceChildren(...(refusal ? [refusal] : []), ...fresh.childNodes);
        main.dataset.changes = fresh.dataset.changes;
      }
    }
  } catch {
    // The desk is away for a moment; the next look comes soon.
  }
  loading = false;
}

// A refused form is answered under its own address; the page goes on under the one that it shows.
const shown = document.querySelector("nav [aria-current]");
if (location.pathname.startsWith("/do/")) history.replaceState(null, "", shown ? shown.href : "/");
const QUIET_MS = 12000;
let changes = null;
let lastHeard = 0;

// A connection that has died tells nothing: it is made anew after a sleep, and when it is quiet for too long.
function listen() {
  changes?.close();
  lastHeard = Date.now();
  changes = new EventSource("/changes");
  changes.addEventListener("parts", (event) => {
    lastHeard = Date.now();
    const sent = JSON.parse(event.data).parts.changes;
    if (sent) newest = String(sent.n);
  });
}

listen();
whenWoken(listen);
setInterval(() => { if (Math.abs(Date.now() - lastHeard) > QUIET_MS) listen(); }, 3000);
setInterval(refresh, 400);
setInterval(tick, 250);
tick();
