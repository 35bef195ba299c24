// The list of wars: names, score, when, and how long.
import { button, make } from "/static/elements.js";

export function read(archive) {
  return archive.read("/games/wars.json?from=0");
}

export function tabs(archive, here) {
  const nav = make("nav", "links");
  nav.setAttribute("aria-label", archive.word("title"));
  for (const [name, target] of [["list", "#/"], ["players", "#/players"]]) {
    const link = archive.link(archive.word(name), target);
    if (name === here) link.setAttribute("aria-current", "page");
    nav.append(link);
  }
  nav.append(archive.link(archive.word("to_table"), "/"));
  return nav;
}

export function draw(root, archive, wanted, found) {
  const list = make("ol", "wars");
  const foot = make("div", "choices");
  add(list, foot, archive, found);
  const parts = found.count ? [list, foot] : [make("p", "lead", archive.word("none"))];
  root.replaceChildren(archive.title(archive.word("title")), tabs(archive, "list"), ...parts);
}

function add(list, foot, archive, found) {
  list.append(...found.wars.map((war) => line(archive, war)));
  const shown = found.from + found.wars.length;
  const more = button(archive.word("more"), "", async () => {
    more.disabled = true;
    const next = await archive.read("/games/wars.json?from=" + shown);
    if (next) add(list, foot, archive, next);
  });
  foot.replaceChildren(...(shown < found.count && found.wars.length ? [more] : []));
}

function line(archive, war) {
  const item = make("li");
  if (war.damaged) {
    item.className = "panel";
    item.append(make("p", "when", archive.dated(war.began)), make("p", "error", archive.word("damaged") + " " + war.damaged));
    return item;
  }
  const card = archive.link(null, "#/war/" + war.id, "panel war-card");
  card.append(make("span", "when", archive.dated(war.began, true)), duel(war), make("span", "about", about(archive, war)));
  item.append(card);
  return item;
}

// Names and score; who has won is marked by more than a colour.
export function duel(war) {
  const node = make("span", "duel");
  for (const seat of ["near", "far"]) {
    const name = make("b", "name", (war.winner === seat ? "★\u00a0" : "") + war.names[seat]);
    name.dataset.seat = seat;
    name.dataset.won = war.winner === seat ? "yes" : "no";
    node.append(name);
    if (seat === "near") node.append(make("span", "result", war.score.near + " : " + war.score.far));
  }
  return node;
}

export function about(archive, war) {
  const end = war.winner ? archive.word("won_by", { name: war.winner_name }) : archive.word("goes_on");
  const rules = archive.word(war.beginner ? "about_beginner" : "about", { edition: war.edition, target: war.target });
  return end + ". " + rules + ". " + archive.word("length", { battles: war.fought, moves: war.moves, minutes: war.minutes });
}
