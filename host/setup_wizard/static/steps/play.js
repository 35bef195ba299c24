// What was chosen, in one look, and the game.
import { alarm, make } from "/static/elements.js";
import { doing, paragraph, whenNew, withoutPassword } from "../pieces.js";
import { warScore } from "./start.js";

export const quick = true;
let parts = null;

export function draw(root, setup) {
  const summary = make("dl", "summary");
  const deeds = make("div", "choices");
  const told = alarm();
  const said = paragraph("", "verdict");
  said.setAttribute("role", "status");
  const panel = make("section", "panel");
  panel.append(summary);
  const go = make("section", "panel");
  go.append(said, deeds, told);
  root.append(panel, go);
  parts = { summary, deeds, told, said };
}

function lines(setup) {
  const { choices, decks } = setup.state;
  const { word } = setup;
  const seat = (which) => choices.names[which] || word("seat_" + which);
  const deck = decks.find((one) => one.id === choices.deck);
  const rules = word("play_to", { edition: word("edition_" + choices.edition), target: choices.beginner ? word("players_beginner") : choices.target });
  return [
    ["camera", withoutPassword(choices.camera)],
    ["deck", deck && deck.name],
    ["lights", choices.lights === "found" ? word("play_lights_found") : word("play_lights_none")],
    ["players", word("play_names", { near: seat("near"), far: seat("far") })],
    ["players", rules, "players_edition"],
    ["players", choices.first ? seat(choices.first) : word("players_lays"), "players_first"],
  ];
}

export function update(setup) {
  if (!parts) return;
  const { state, word } = setup;
  // In the place of this step: the browser's way back must not lead here and at once to the table again.
  if (state.game.phase === "running") { location.replace("/"); return; }
  const rows = lines(setup);
  whenNew(parts.summary, [rows, setup.language], () => {
    parts.summary.replaceChildren(...rows.map(([step, text, title = "step_" + step]) => {
      const row = make("div");
      const change = make("a", "", text || "–");
      change.href = "#" + step;
      change.setAttribute("aria-label", word(title) + ": " + (text || "–") + ". " + word("change"));
      const told = make("dd");
      told.append(change);
      row.append(make("dt", "", word(title)), told);
      return row;
    }));
  });
  const missing = state.steps.filter((one) => ["camera", "deck"].includes(one.step) && !one.done).map((one) => word("step_" + one.step));
  const starting = state.game.phase === "starting";
  const said = starting ? word("play_starting") : missing.length ? word("play_missing", { what: missing.join(", ") }) : word(state.war ? "play_lay_war" : "play_lay");
  if (parts.said.textContent !== said) parts.said.textContent = said;
  if (state.game.failed && !starting) parts.told.textContent = state.game.failed;
  whenNew(parts.deeds, [starting, missing.length, state.war, setup.language], () => {
    if (starting || missing.length) { parts.deeds.replaceChildren(); return; }
    const begin = (body) => async () => setup.act("begin", body);
    if (!state.war) { parts.deeds.replaceChildren(doing(word("play_button"), "main", parts.told, begin({}))); return; }
    parts.deeds.replaceChildren(
      paragraph(word("war_title") + ": " + warScore(setup), "big"),
      doing(word("war_go_on"), "main", parts.told, begin({ go_on: true })),
      doing(word("play_new"), "", parts.told, begin({ anew: true })),
      paragraph(word("play_new_why", { score: warScore(setup) }), "hint"),
    );
  });
}

export function leave() {
  parts = null;
}
