// What does this card do? A tap on a card on the table tells its text; the button below lists all eighteen and the terms.
// Everything is fetched once for each edition and language and set as text.
import { button, make } from "../elements.js";
import { close, show, whenClosed } from "../modal.js";
import { fetchInTime } from "../waking.js";

const known = new Map();
let view = null;
let opener = null;

async function fetched() {
  const key = view.lang + " " + view.edition;
  if (!known.has(key)) {
    const answer = await fetchInTime("/cards.json?lang=" + encodeURIComponent(view.lang) + "&edition=" + encodeURIComponent(view.edition));
    if (!answer.ok) throw new Error(String(answer.status));
    known.set(key, await answer.json());
  }
  return known.get(key);
}

// An ongoing ability works while its card lies face up, covered or not: then it is on the table for everybody to see.
function acting(found) {
  const lying = view.theaters.flatMap((t) => [...t.near.faces, ...t.far.faces]);
  return new Set(found.cards.filter((card) => card.kind === "ongoing" && lying.includes(card.card)).map((card) => card.card));
}

function entry(found, card, acts) {
  const node = make("div", "reference-card");
  node.dataset.t = card.card[0];
  const name = make("dt", "", null);
  name.append(make("b", "", String(card.strength)), " " + card.name);
  if (card.kind_name) name.append(make("span", "kind", card.kind_name));
  if (acts.has(card.card)) name.append(make("span", "acts", found.words.acts_now));
  node.append(name, make("dd", "", card.text));
  return node;
}

function described(entries) {
  const list = make("dl", "reference-list");
  list.append(...entries);
  return list;
}

async function tell(face) {
  const found = await fetched();
  const card = found.cards.find((one) => one.card === face);
  if (!card) return;
  const about = make("p", "about", [card.theater + " " + card.strength, card.kind_name].filter(Boolean).join(" · "));
  if (acting(found).has(face)) about.append(" ", make("span", "acts", found.words.acts_now));
  const feet = [button(found.words.all, "quiet", all), button(found.words.close, "main", () => close())];
  show(card.name, [about, make("p", "told", card.text)], feet);
}

async function all() {
  const found = await fetched();
  const acts = acting(found);
  const body = [];
  for (const theater of ["A", "L", "S"]) {
    const group = found.cards.filter((card) => card.card[0] === theater);
    body.push(make("h2", "", group[0].theater), described(group.map((card) => entry(found, card, acts))));
  }
  const terms = found.terms.map((term) => {
    const node = make("div", "reference-card");
    node.append(make("dt", "", term.name), make("dd", "", term.text));
    return node;
  });
  body.push(make("h2", "", found.words.terms), described(terms));
  show(found.words.title, body, [button(found.words.close, "main", () => close())]);
}

document.addEventListener("click", (event) => {
  const face = event.target.closest("[data-tells]");
  if (face) { opener = face.dataset.key; tell(face.dataset.tells).catch(() => {}); }
});

// The table may have been drawn anew while the dialog was open: the focus goes back to the same card all the same.
whenClosed(() => {
  const back = opener && document.querySelector('[data-key="' + opener + '"]');
  opener = null;
  if (back) back.focus({ preventScroll: true });
});

document.addEventListener("view", async (event) => {
  view = event.detail;
  let found;
  try { found = await fetched(); } catch { return; /* the table is away: the next view asks again */ }
  const acts = acting(found);
  for (const face of document.querySelectorAll("[data-tells]")) {
    face.closest(".card").dataset.acts = acts.has(face.dataset.tells) ? "yes" : "no";
  }
  const place = document.getElementById("reference");
  if (place.dataset.said !== view.lang) {
    place.dataset.said = view.lang;
    place.replaceChildren(button(found.words.open, "quiet", () => { all().catch(() => {}); }));
  }
});
