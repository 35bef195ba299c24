// No press is lost to a redraw: what would be drawn anew while something is held down waits until it was let go, since
// a click counts only where the same element was pressed and let go.
const HELD_MS = 1500;
const CLICK_MS = 60; // a finger's click comes a moment after it was lifted
let held = false;
let timer = 0;
let waiting = null;

// Calls `draw` now, or when nothing is held down any more; only the newest of several is called.
export function whenNothingIsPressed(draw) {
  if (held) waiting = draw; else draw();
}

function letGo() {
  held = false;
  const draw = waiting;
  waiting = null;
  if (draw) draw();
}

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("button, a, label, select, input, summary")) return;
  held = true;
  clearTimeout(timer);
  timer = setTimeout(letGo, HELD_MS);
}, true);

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    if (!held) return;
    clearTimeout(timer);
    timer = setTimeout(letGo, CLICK_MS);
  }, true);
}
