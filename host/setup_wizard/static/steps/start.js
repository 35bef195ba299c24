// What is already there, and where to begin.
import { alarm, button, make } from "/static/elements.js";
import { dated, doing, paragraph, whenNew, withoutPassword } from "../pieces.js";

export const quick = false;
let body = null;
let wanted = false;

export function draw(root) {
  body = make("div", "cards-in-a-row");
  root.append(body);
}

export function update(setup) {
  const { state, language } = setup;
  // Whoever asked for the demonstration is led to it once it plays.
  if (wanted && state.game.phase === "running") { wanted = false; location.href = "/"; return; }
  whenNew(body, [state.war, state.decks, state.choices, state.game, language], () => {
    const list = [];
    if (state.game.phase === "running") list.push(running(setup));
    else {
      if (state.war) list.push(war(setup));
      list.push(beginning(setup));
    }
    const there = already(setup);
    if (there) list.push(there);
    list.push(phones(setup), played(setup));
    if (state.game.phase !== "running") list.push(demonstration(setup));
    body.replaceChildren(...list);
  });
}

function running(setup) {
  const card = make("section", "panel");
  const told = alarm();
  card.append(make("h2", "", setup.word("running_title")), paragraph(setup.word("running_lead")));
  const choices = make("div", "choices");
  choices.append(
    button(setup.word("to_table"), "main", () => { location.href = "/"; }),
    doing(setup.word("stop_playing"), "", told, () => setup.act("end")),
  );
  card.append(choices, paragraph(setup.word("stop_why"), "hint"), told);
  return card;
}

export function warScore(setup) {
  const { war } = setup.state;
  return setup.word("war_score", { near: war.names.near, far: war.names.far, a: war.score.near, b: war.score.far });
}

function war(setup) {
  const { war: last, steps, choices } = setup.state;
  const card = make("section", "panel");
  const told = alarm();
  // A camera that is chosen will do: after a crash its picture has not been looked at again yet.
  const needs = [choices.camera ? "" : "camera", steps.some((one) => one.step === "deck" && one.done) ? "" : "deck"].filter(Boolean);
  card.append(make("h2", "", setup.word("war_title")), paragraph(warScore(setup), "big"));
  card.append(paragraph(setup.word("war_about", {
    battle: last.battle,
    edition: setup.word("edition_" + last.edition),
    target: last.target,
    date: dated(last.at, setup.language),
  })));
  if (!needs.length) {
    card.append(doing(setup.word("war_go_on"), "main", told, async () => {
      const answer = await setup.act("begin", { go_on: true });
      if (answer.ok) setup.go("play");
      return answer;
    }));
  } else card.append(paragraph(setup.word(needs.length === 1 ? "war_needs_" + needs[0] : "war_needs"), "hint"));
  card.append(told);
  return card;
}

function beginning(setup) {
  const { state } = setup;
  const again = state.steps.some((one) => one.done);
  const card = make("section", "panel");
  card.append(paragraph(setup.word("start_lead")));
  // Whoever was here before is led to the first thing that is not settled yet.
  const open = state.steps.find((one) => !one.done);
  const halfway = state.steps.some((one) => ["camera", "deck", "players"].includes(one.step) && !one.done);
  card.append(button(setup.word(!again ? "begin_setup" : halfway ? "set_up_on" : "set_up"), state.war ? "" : "main", () => setup.go(again && open ? open.step : "camera")));
  return card;
}

function demonstration(setup) {
  const card = make("section", "panel");
  const told = alarm();
  const starting = setup.state.game.phase === "starting";
  const said = paragraph(starting ? setup.word("play_starting") : setup.word("demo_hint"));
  said.setAttribute("role", "status");
  card.append(make("h2", "", setup.word("demo_title")), said);
  if (!starting) card.append(doing(setup.word("demo_watch"), "", told, async () => {
    wanted = true;
    return setup.act("begin-demo");
  }));
  card.append(told);
  return card;
}

function phones(setup) {
  const card = make("section", "panel");
  const link = make("a", "as-button", setup.word("phones_link"));
  link.href = "/invitations";
  card.append(make("h2", "", setup.word("phones_title")), paragraph(setup.word("phones_lead")), link);
  return card;
}

function played(setup) {
  const card = make("section", "panel");
  const link = make("a", "as-button", setup.word("played_link"));
  link.href = "/games/";
  card.append(make("h2", "", setup.word("played_title")), paragraph(setup.word("played_lead")), link);
  return card;
}

function already(setup) {
  const { state } = setup;
  const lines = [];
  if (state.choices.camera) lines.push(setup.word("there_camera", { camera: withoutPassword(state.choices.camera) }));
  for (const deck of state.decks.slice(0, 5)) lines.push(setup.word("there_deck", { name: deck.name, date: dated(deck.learnt, setup.language) }));
  if (state.decks.length > 5) lines.push(setup.word("there_more", { n: state.decks.length - 5 }));
  if (!lines.length) return null;
  const card = make("section", "panel");
  const list = make("ul", "plain");
  list.append(...lines.map((line) => make("li", "", line)));
  card.append(make("h2", "", setup.word("there_title")), list);
  return card;
}
