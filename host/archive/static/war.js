// One war: its battles, what they cost and what went wrong, what of it can be taken along, and deleting it.
import { closing, doing, open } from "/static/dialog.js";
import { button, make } from "/static/elements.js";
import { about, duel } from "./list.js";
import { share } from "./share.js";

export function read(archive, wanted) {
  return archive.read("/games/war/" + wanted.id + ".json");
}

export function draw(root, archive, wanted, war) {
  const { word } = archive;
  const heading = archive.title(war.names.near + " " + war.score.near + " : " + war.score.far + " " + war.names.far);
  heading.replaceChildren(duel(war));
  const nav = make("nav", "links");
  nav.append(archive.link(word("back_to_list"), "#/"));
  const battles = make("ol", "battles");
  battles.append(...war.battles.map((battle) => panel(archive, war, battle)));
  root.replaceChildren(
    nav, heading, make("p", "when", archive.dated(war.began, true)), make("p", "lead", about(archive, war)),
    ...(war.conceded ? [make("p", "lead", war.conceded.text + ".")] : []),
    make("h2", "", word("battles")), battles, costs(archive, war), mistakes(archive, war), along(archive, war),
    ...(war.may_delete ? [deleting(archive, war)] : []),
  );
}

function panel(archive, war, battle) {
  const { word } = archive;
  const item = make("li", "panel battle-card");
  const name = make("h3", "", word("battle", { n: battle.number }));
  const points = battle.winner ? battle.winner_name + ": +" + battle.points : battle.how;
  item.append(name, make("p", "points-won", points));
  if (battle.winner) item.append(make("p", "", battle.how + "."));
  item.append(
    make("p", "hint", word("first_player", { name: battle.first, order: battle.order })),
    make("p", "hint", word("battle_length", { moves: battle.moves, minutes: battle.minutes })),
    make("p", "", word("score") + ": " + battle.score.near + " : " + battle.score.far),
  );
  const watch = archive.link(word("watch"), "#/war/" + war.id + "/" + battle.number);
  watch.setAttribute("aria-label", word("watch") + ": " + word("battle", { n: battle.number }));
  item.append(watch);
  return item;
}

function lines(title, rows, none) {
  const node = make("section", "panel");
  const list = make("ul", "plain");
  list.append(...rows.map((row) => make("li", "", row)));
  node.append(make("h2", "", title), rows.length ? list : make("p", "", none));
  return node;
}

function costs(archive, war) {
  const { word } = archive;
  const rows = war.battles.filter((one) => one.withdrew).map((one) => word("battle", { n: one.number }) + ": " + one.how);
  return lines(word("withdrawals"), rows, word("no_withdrawals"));
}

function mistakes(archive, war) {
  const { word } = archive;
  const rows = war.mistakes.map((one) => word("mistake_in", { n: one.battle, who: one.who }) + ": " + one.rule + " (" + one.mended + ")");
  return lines(word("mistakes"), rows, word("no_mistakes"));
}

function along(archive, war) {
  const { word } = archive;
  const node = make("section", "panel");
  const choices = make("div", "links");
  const base = "/games/war/" + war.id;
  const sheet = archive.link(word("sheet"), base + "/sheet?lang=" + archive.language);
  choices.append(sheet, button(word("picture"), "", () => share(archive, war)));
  if (!war.open) {
    for (const [code, file] of [["notation", "/war.txt"], ["json", "/log.jsonl"]]) {
      const link = archive.link(word(code), base + file);
      link.setAttribute("download", "");
      choices.append(link);
    }
  }
  node.append(make("h2", "", word("take_along")), choices);
  if (war.open) node.append(make("p", "hint", word("not_yet")));
  return node;
}

function deleting(archive, war) {
  const { word } = archive;
  const node = make("div", "choices");
  node.append(button(word("delete") + "…", "grave", () => {
    const error = make("p", "error");
    error.setAttribute("role", "alert");
    const sure = word("delete_sure", { near: war.names.near, far: war.names.far });
    open(word("delete"), [make("p", "", sure), error], [closing(word("cancel")), doing(word("delete_yes"), "grave", async () => {
      const answer = await archive.send("delete", { war: war.id });
      if (answer.ok) { location.hash = "#/"; archive.say(word("deleted")); }
      return answer;
    }, error)]);
  }));
  return node;
}
