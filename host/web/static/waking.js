// A device that slept wakes to connections that may have died without a word: what asks through one of them ends in
// time, and what shows the table asks again at once.
const ANSWER_MS = 12000;
const TICK_MS = 1000;
const SLEPT_MS = 3000; // a page that is looked at runs its timers every second: after a longer gap, the device slept
const TOGETHER_MS = 300;

// As `fetch`, and fails where no whole answer came in time. Where everything arrived, the end does nothing.
export function fetchInTime(path, options, patience = ANSWER_MS) {
  const ending = new AbortController();
  setTimeout(() => ending.abort(), patience);
  return fetch(path, { ...options, signal: ending.signal });
}

// Calls `told` when the page is looked at again, also by a browser that tells nothing of having slept; once, where several
// signs of it come together.
export function whenWoken(told) {
  let last = 0;
  const woken = () => {
    // A clock may be set back.
    if (Math.abs(Date.now() - last) < TOGETHER_MS) return;
    last = Date.now();
    told();
  };
  let before = Date.now();
  setInterval(() => {
    const gap = Date.now() - before;
    before += gap;
    if (gap > SLEPT_MS && document.visibilityState === "visible") woken();
  }, TICK_MS);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") woken(); });
  document.addEventListener("resume", () => woken());
  window.addEventListener("pageshow", (event) => { if (event.persisted) woken(); });
  window.addEventListener("online", () => woken());
}
