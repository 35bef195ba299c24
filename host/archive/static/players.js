// Everybody who played under a name, over time.
import { make } from "/static/elements.js";
import { tabs } from "./list.js";

export function read(archive) {
  return archive.read("/games/players.json");
}

export function draw(root, archive, wanted, found) {
  const parts = found.players.map((player) => panel(archive, player));
  if (!parts.length) parts.push(make("p", "lead", archive.word("no_players")));
  root.replaceChildren(archive.title(archive.word("players")), tabs(archive, "players"), ...parts);
}

function panel(archive, player) {
  const { word } = archive;
  const node = make("section", "panel player");
  const facts = make("dl", "facts");
  const rows = [
    ["wars_played", player.wars],
    ["wars_won", player.won],
    ["wars_lost", player.lost],
    ["battles_won", word("of", { n: player.battles_won, all: player.battles })],
    ["withdrawals", player.withdrawals],
    ["cost", player.cost],
    ["moves_a_battle", number(archive, player.moves_a_battle)],
    ["minutes_a_battle", number(archive, player.minutes_a_battle)],
  ];
  for (const [code, value] of rows) {
    const fact = make("div");
    fact.append(make("dt", "", word(code)), make("dd", "", String(value)));
    facts.append(fact);
  }
  const mistakes = make("ul", "plain");
  for (const one of player.mistakes) mistakes.append(make("li", "", one.count + " × " + one.rule));
  node.append(make("h2", "big-heading", player.name), facts, make("h3", "", word("mistakes")));
  node.append(player.mistakes.length ? mistakes : make("p", "", word("no_mistakes")));
  node.append(make("h3", "", word("over_time")), table(archive, player));
  return node;
}

function number(archive, value) {
  return new Intl.NumberFormat(archive.language, { maximumFractionDigits: 1 }).format(value);
}

function table(archive, player) {
  const { word } = archive;
  const columns = ["date", "against", "came", "score", "withdrawals", "cost", "mistakes"];
  const node = make("table", "over-time");
  const head = make("tr");
  for (const code of columns) { const cell = make("th", "", word(code)); cell.scope = "col"; head.append(cell); }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  for (const war of player.over_time) {
    const row = make("tr");
    const date = make("td");
    date.append(archive.link(archive.dated(war.began), "#/war/" + war.id, "plain-link"));
    row.append(date);
    const cells = [war.opponent || word("nobody"), word("came_" + war.came), war.own + " : " + war.other, war.withdrawals, war.cost, war.mistakes];
    cells.forEach((text, index) => { const cell = make("td", "", String(text)); cell.dataset.name = word(columns[index + 1]); row.append(cell); });
    body.append(row);
  }
  node.append(top, body);
  return node;
}
