// The deck: one that is known already, or one learnt by the live camera, photograph by photograph, and confirmed by eye.
import { alarm, button, make } from "/static/elements.js";
import { livePicture } from "../live_picture.js";
import { dated, doing, field, labelled, paragraph, whenNew } from "../pieces.js";
import { shutter } from "/static/tones.js";
import { fetchInTime } from "/static/waking.js";

const PHOTOS = ["air", "land", "sea", "back"];
const FACES = ["A", "L", "S"].flatMap((theater) => [1, 2, 3, 4, 5, 6].map((n) => theater + n));
const NUMBERS = { "left/near": 1, "middle/near": 2, "right/near": 3, "left/far": 4, "middle/far": 5, "right/far": 6 };
const BOARDS = { left: "photo_air", middle: "photo_land", right: "photo_sea" };
export const quick = true;
let parts = null;

export async function draw(root, setup) {
  const told = alarm();
  const names = await cardNames(setup);
  // Another step was entered meanwhile.
  if (!root.isConnected) return;
  const known = make("div");
  const fresh = make("section", "panel");
  const learning = make("section", "learning");
  const check = make("section", "panel");
  const name = field(suggested(setup), 24);
  fresh.append(make("h2", "", setup.word("deck_new")), paragraph(setup.word("deck_how")), labelled(setup.word("deck_name"), name));
  const choices = make("div", "choices");
  choices.append(
    doing(setup.word("deck_begin"), "main", told, () => { shutter(); return setup.act("learn", { name: name.value }); }),
    button(setup.word("deck_sound"), "quiet", shutter),
  );
  fresh.append(choices);
  const lead = paragraph(setup.word("deck_lead"), "lead");
  root.append(lead, told, known, fresh, learning, check);
  parts = { told, lead, known, fresh, learning, check, name, names, picture: null, taken: 0 };
}

function suggested(setup) {
  // What was typed before the page was loaded again, as a telephone does by itself, is not asked for anew.
  return setup.state.deck_name || setup.state.choices.names.near || "";
}

async function cardNames(setup) {
  try {
    const answer = await fetchInTime("/cards.json?lang=" + setup.language + "&edition=" + setup.state.choices.edition);
    const found = await answer.json();
    return Object.fromEntries(found.cards.map((card) => [card.card, card.theater + " " + card.strength + ": " + card.name]));
  } catch { return {}; }
}

export function update(setup) {
  if (!parts) return;
  const { state } = setup;
  const learning = Boolean(state.live && state.live.learning);
  const checking = Boolean(state.learnt && state.learnt.ready);
  parts.known.hidden = learning || checking;
  parts.fresh.hidden = learning || checking;
  parts.lead.hidden = learning || checking;
  parts.learning.hidden = !learning || checking;
  parts.check.hidden = !checking;
  const next = document.getElementById("next");
  if (next) next.disabled = learning || checking;
  decks(setup);
  if (learning && !checking) photographs(setup); else stopPicture();
  whenNew(parts.check, [checking, setup.language], () => { if (checking) confirm(setup); else parts.check.replaceChildren(); });
}

function decks(setup) {
  const { decks: list, choices } = setup.state;
  whenNew(parts.known, [list, choices.deck, setup.language], () => {
    if (!list.length) { parts.known.replaceChildren(); return; }
    const panel = make("section", "panel");
    panel.append(make("h2", "", setup.word("deck_known")));
    list.forEach((deck, place) => {
      const one = make("div", "deck");
      const use = doing(deck.name + " · " + setup.word("deck_learnt", { date: dated(deck.learnt, setup.language) }), "pick", parts.told, () => setup.act("choose", { deck: deck.id }));
      use.setAttribute("aria-pressed", deck.id === choices.deck ? "true" : "false");
      const more = make("details");
      more.append(make("summary", "", setup.word("deck_look")));
      // Nineteen pictures are fetched only when somebody wants to see them.
      more.addEventListener("toggle", () => { if (more.open && more.children.length === 1) more.append(sheet(setup, "/setup/deck/" + place + "/")); });
      one.append(use, more);
      panel.append(one);
    });
    parts.known.replaceChildren(panel);
  });
}

function sheet(setup, from) {
  const list = make("ul", "sheet");
  for (const face of [...FACES, "back"]) {
    const item = make("li");
    const image = make("img");
    image.alt = "";
    image.loading = "lazy";
    image.src = from + face + ".png";
    item.append(image, make("span", "", face === "back" ? setup.word("deck_back") : parts.names[face] || face));
    list.append(item);
  }
  return list;
}

function stopPicture() {
  if (!parts.picture) return;
  parts.picture.end();
  parts.picture = null;
  parts.learning.replaceChildren();
  delete parts.learning.dataset.said;
  parts.taken = 0;
}

function photographs(setup) {
  const { live, learnt } = setup.state;
  const enrol = live.enrol || { step: "air", taken: [], says: "" };
  if (!parts.picture) begin(setup);
  if (enrol.taken.length > parts.taken) {
    shutter();
    parts.picture.flash();
  }
  parts.taken = enrol.taken.length;
  const title = learnt && learnt.failed ? setup.word("deck_failed") : enrol.step
    ? setup.word("deck_photo", { n: PHOTOS.indexOf(enrol.step) + 1, what: setup.word("photo_" + enrol.step) })
    : setup.word("deck_working");
  if (parts.title.textContent !== title) parts.title.textContent = title;
  const says = learnt && learnt.failed ? learnt.failed : enrol.step ? enrol.says : (learnt && learnt.progress) || "";
  if (parts.says.textContent !== says) parts.says.textContent = says;
  parts.says.className = learnt && learnt.failed ? "error" : "says";
  const failed = learnt && learnt.failed ? learnt.photo || "all" : "";
  whenNew(parts.mend, [failed, setup.language], () => parts.mend.replaceChildren(...again(setup, failed)));
  whenNew(parts.shots, [enrol.taken, enrol.step, setup.language], () => parts.shots.replaceChildren(...PHOTOS.map((photo) => {
    const item = make("li");
    const taken = enrol.taken.includes(photo);
    item.dataset.taken = taken ? "yes" : "no";
    if (photo === enrol.step) item.setAttribute("aria-current", "step");
    item.append(make("span", "", (taken ? "✓ " : "") + setup.word("photo_" + photo)));
    if (taken) {
      const again = doing(setup.word("deck_again"), "quiet", parts.told, () => setup.act("retake", { photo }));
      again.setAttribute("aria-label", setup.word("deck_again") + ": " + setup.word("photo_" + photo));
      item.append(again);
    }
    return item;
  })));
  const names = { near: setup.word("seat_near"), far: setup.word("seat_far"), ...NUMBERS };
  for (const [at, code] of Object.entries(BOARDS)) names[at] = setup.word(code);
  parts.picture.write(live.labels, names);
}

// What to press where the photographs do not make a deck: the one that is wrong, or all where it is none by itself.
function again(setup, failed) {
  if (!failed) return [];
  const all = failed === "all";
  const word = all ? setup.word("deck_again_all") : setup.word("deck_again_one", { what: setup.word("photo_" + failed) });
  return [doing(word, "main", parts.told, () => setup.act("retake", all ? { photo: PHOTOS[0] } : { photo: failed, alone: true }))];
}

function begin(setup) {
  parts.picture = livePicture(setup.word("camera_alt"));
  parts.title = make("h2", "big-heading", "");
  parts.title.setAttribute("aria-live", "polite");
  parts.says = paragraph("", "says");
  parts.says.setAttribute("role", "status");
  parts.shots = make("ol", "shots");
  parts.mend = make("div", "choices");
  const beside = make("div", "panel");
  beside.append(parts.title, parts.says, parts.mend);
  const pair = make("div", "beside");
  const below = make("div", "panel later");
  below.append(parts.shots, paragraph(setup.word("deck_mark"), "hint"),
    doing(setup.word("deck_stop"), "quiet", parts.told, () => setup.act("stop-learning")));
  pair.append(parts.picture.node, beside, below);
  parts.learning.replaceChildren(pair);
  parts.picture.begin();
}

function confirm(setup) {
  setup.say(setup.word("deck_check"));
  const choices = make("div", "choices");
  const name = field(parts.name.value, 24);
  name.addEventListener("input", () => { parts.name.value = name.value; });
  choices.append(
    doing(setup.word("deck_yes"), "main", parts.told, async () => {
      const answer = await setup.act("keep-deck", { name: parts.name.value });
      if (answer.ok) setup.go("lights");
      return answer;
    }),
    doing(setup.word("deck_no"), "", parts.told, () => setup.act("retake", { photo: "air" })),
  );
  parts.check.replaceChildren(make("h2", "big-heading", setup.word("deck_check")), paragraph(setup.word("deck_check_how")), ...expected(setup), sheet(setup, "/setup/learnt/"), labelled(setup.word("deck_name"), name), choices);
}

// What rehearsing the deck has shown: which cards will be asked about, and in what light.
function expected(setup) {
  return setup.state.learnt.expected.map((line) => paragraph(line, "hint expected"));
}

export function leave() {
  if (parts && parts.picture) parts.picture.end();
  parts = null;
}

export async function next(setup) {
  if (setup.state.steps.some((one) => one.step === "deck" && one.done)) return true;
  parts.told.textContent = setup.word("failed_no_deck");
  return false;
}
