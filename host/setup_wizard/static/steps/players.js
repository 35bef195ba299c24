// Who plays, by which rules, and who is first.
import { alarm, make } from "/static/elements.js";
import { choice, doing, field, labelled, paragraph } from "../pieces.js";

export const quick = false;
let parts = null;

// The editions as the texts name them: another one is another text.
function editionsOf(setup) {
  return Object.keys(setup.words).filter((code) => code.startsWith("edition_")).map((code) => [code.slice("edition_".length), setup.word(code)]);
}

export function draw(root, setup) {
  const { choices } = setup.state;
  const told = alarm();
  const names = { near: field(choices.names.near, 60), far: field(choices.names.far, 60) };
  const own = make("input");
  Object.assign(own, { type: "number", min: 1, max: 1000, value: choices.target, inputMode: "numeric" });
  const ownLabel = labelled(setup.word("players_own_number"), own);
  let length = choices.beginner ? "beginner" : [12, 18].includes(choices.target) ? choices.target : "own";
  ownLabel.hidden = length !== "own";
  const lengths = choice(setup.word("players_length"), [
    [12, setup.word("players_points", { n: 12 })],
    [18, setup.word("players_points", { n: 18 })],
    ["own", setup.word("players_own")],
    ["beginner", setup.word("players_beginner")],
  ], length, (key) => {
    length = key;
    ownLabel.hidden = key !== "own";
    if (key === "own") own.select();
  });
  let edition = choices.edition;
  const editions = choice(setup.word("players_edition"), editionsOf(setup), edition, (key) => { edition = key; });
  const first = make("div");
  const drawn = paragraph("", "big");
  drawn.setAttribute("role", "status");
  const seat = (which) => names[which].value.trim() || setup.word("seat_" + which);
  let chosen = choices.first;
  const drawFirst = () => first.replaceChildren(choice(setup.word("players_first"), [["near", seat("near")], ["far", seat("far")], [null, setup.word("players_lays")]], chosen, (key) => { chosen = key; drawn.textContent = ""; }));
  drawFirst();
  for (const which of ["near", "far"]) names[which].addEventListener("input", drawFirst);
  const lot = doing(setup.word("players_draw"), "", told, async () => {
    const answer = await setup.act("draw-first");
    if (answer.ok) {
      chosen = answer.first;
      drawFirst();
      drawn.textContent = setup.word("players_drawn", { name: seat(chosen) });
    }
    return answer;
  });
  const who = make("section", "panel");
  const pair = make("div", "pair");
  pair.append(labelled(setup.word("players_near"), names.near), labelled(setup.word("players_far"), names.far));
  who.append(pair, first, lot, drawn);
  const rules = make("section", "panel");
  rules.append(editions, paragraph(setup.word("players_which"), "hint"), lengths, ownLabel);
  root.append(who, rules, told);
  parts = {
    told,
    sent: () => ({
      names: { near: names.near.value, far: names.far.value },
      edition,
      beginner: length === "beginner",
      target: length === "own" ? Number(own.value) : length === "beginner" ? choices.target : length,
      first: chosen,
      players: true,
    }),
  };
}

export function update() {}

// What was typed is kept however the step is left.
export function leave(setup) {
  if (parts) setup.act("choose", { ...parts.sent(), players: setup.state.choices.players });
  parts = null;
}

export async function next(setup) {
  const answer = await setup.act("choose", parts.sent());
  if (!answer.ok) { parts.told.textContent = answer.message; return false; }
  parts = null;
  return true;
}
