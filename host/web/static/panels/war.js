// The war: a new one with its rules, and giving up the battle or the whole war. Each is confirmed in a dialog that says
// what becomes of the war that runs.
import { consent } from "../ask.js";
import { act } from "../connection.js";
import { closing, doing, open } from "../dialog.js";
import { alarm, button, labelled, make, picker, texts } from "../elements.js";

const USUAL = ["12", "18"];
const SEATS = ["near", "far"];

function begin(view) {
  const words = texts.war;
  const edition = picker(Object.entries(texts.editions), view.edition);
  const chosen = view.beginner ? "beginner" : USUAL.includes(String(view.target)) ? String(view.target) : "own";
  const target = picker([["12", words.t12], ["18", words.t18], ["own", words.own], ["beginner", words.beginner]], chosen);
  const points = make("input");
  Object.assign(points, { type: "number", min: 1, max: 1000, value: view.target, inputMode: "numeric" });
  const number = labelled(words.points, points);
  const first = picker([["", words.first_open], ...SEATS.map((seat) => [seat, view.seats[seat].name])], "");
  number.hidden = chosen !== "own";
  target.addEventListener("change", () => { number.hidden = target.value !== "own"; });
  const names = Object.fromEntries(SEATS.map((seat) => [seat, make("input")]));
  for (const seat of SEATS) Object.assign(names[seat], { value: view.seats[seat].person, maxLength: 60, autocomplete: "off" });
  const form = make("div", "war-form");
  form.append(...SEATS.map((seat) => labelled(words["name_" + seat], names[seat])));
  form.append(labelled(words.edition, edition), labelled(words.target, target), number, labelled(words.first, first));
  const score = words.new_why.replace("{near}", view.seats.near.score).replace("{far}", view.seats.far.score);
  const error = alarm();
  const go = doing(words.begin, "main", () => act("new", { ...wanted(), agreed: both.agreed() }), error);
  const both = view.war_over ? { parts: [], agreed: () => false } : consent(view, false, go);
  open(words.new_title, [make("p", "", view.war_over ? words.new_over : score), form, ...both.parts, error],
    [closing(texts.cancel), go], view);

  function wanted() {
    const beginner = target.value === "beginner";
    const goal = beginner ? null : Number(target.value === "own" ? points.value : target.value);
    const players = Object.fromEntries(SEATS.map((seat) => [seat, names[seat].value]));
    return { at: view.entry, names: players, edition: edition.value, first: first.value || null, target: goal, beginner };
  }
}

function concede(view) {
  const words = texts.war;
  const mine = SEATS.includes(view.role) ? [view.role] : SEATS;
  const who = picker(mine.map((seat) => [seat, view.seats[seat].name]), view.turn || mine[0]);
  const form = make("div", "war-form");
  if (mine.length > 1) form.append(labelled(words.concede_who, who));
  const error = alarm();
  const ways = view.now.kind === "end" ? ["war"] : ["battle", "war"];
  for (const what of ways) {
    const give = doing(words["concede_" + what], "grave", () => act("concede", { at: view.entry, seat: who.value, what }), error);
    form.append(give, make("small", "", words["concede_" + what + "_why"]));
  }
  open(words.concede_title, [form, error], [closing(texts.cancel)], view);
}

document.addEventListener("view", (event) => {
  const view = event.detail;
  const node = document.getElementById("war");
  const list = [];
  if (view.can.includes("new") && !view.demo) {
    list.push(button(texts.war.new, view.war_over ? "main" : "", () => begin(shown)));
  }
  if (view.can.includes("concede") && !view.war_over && !view.demo) list.push(button(texts.war.concede, "quiet", () => concede(shown)));
  shown = view;
  const said = JSON.stringify([view.lang, view.war_over, view.can.includes("new"), list.length]);
  node.hidden = list.length === 0;
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  const choices = make("div", "choices");
  choices.append(...list);
  node.replaceChildren(make("h2", "", texts.war.title), choices);
});

let shown = null;
