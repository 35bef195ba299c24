// What only the players' box says: every question with its answer so far, and the provinces of their board.
import { closing, doing, open } from "../dialog.js";
import { alarm, button, make, texts } from "../elements.js";
import { choice, form, latest, many, number, picker } from "./dialogs.js";

const FLAGS = ["source_held", "chain_held"];
const CHOICES = {
  token_after_use: ["passes", "stays"],
  neutral_after_win: ["stays", "goes"],
  hand_at_year_end: ["up-to-three", "three-more", "discard-first"],
};
const COUNTS = ["track_end", "axis_deck", "allied_deck", "ussr_cards", "usa_cards"];
const LIMITS = ["win", "rout"];
const ORDER = ["axis_deck", "allied_deck", "sectors", "win", "rout", ...FLAGS, ...Object.keys(CHOICES), "track_end", "usa_cards", "ussr_cards", "reinforcements", "objectives"];
const YEARS = [1941, 1942, 1943, 1944];
const CUT_OFF = ["1.5", "act.2", "act.3", "act.5.7", "act.5.11", "act.12"];

export function drawBox(node, view, act) {
  if (!view.board) { node.replaceChildren(); return; }
  const box = make("div", "panel");
  box.append(make("h2", "", texts.from_box), make("p", "dim", texts.from_box_why));
  if (view.unsaved) box.append(make("p", "error", view.unsaved));
  const later = view.questions.length - view.to_begin;
  const counted = [[texts.needed_now, view.to_begin], [texts.asked_later, later]].filter(([, n]) => n);
  box.append(make("p", "strong", counted.map(([words, n]) => `${words}: ${n}`).join(" · ") || texts.all_there));
  const missing = new Set(view.questions.map((one) => one.ask));
  const next = view.questions.find((one) => one.needed) || view.questions[0];
  if (next) box.append(button(`${texts.next_question}: ${next.text}`, "main wide", () => askFromBox(view, act, next.ask, "")));
  box.append(group(texts.rules, ORDER.map((name) => entry(view, act, `box.${name}`, field(view, name), shown(view, name), missing))));
  box.append(group(texts.notes, CUT_OFF.map((paragraph) => {
    return entry(view, act, `note.${paragraph}`, field(view, paragraph), view.notes[paragraph] || "", missing);
  })));
  box.append(group(texts.whole_board, Object.keys(OF_PROVINCE).map((name) => {
    const lacks = view.board.provinces.filter((p) => p[name] === null).length;
    return row(headline(name), lacks ? `${texts.missing}: ${lacks}` : "✓", lacks > 0, () => wholeBoardForm(view, act, name));
  })));
  const provinces = view.board.provinces.map((p) => {
    const lacks = view.questions.filter((one) => one.ask.startsWith(`province.${p.key}.`)).length;
    return row(nameOf(view, p.key), lacks ? `${texts.missing}: ${lacks}` : "✓", lacks > 0, () => provinceForm(view, act, p));
  });
  const add = button(texts.add_province, "", () => provinceForm(view, act, null));
  box.append(group(texts.map_of_board, provinces), add);
  node.replaceChildren(box, newGames(view, act));
}

function newGames(view, act) {
  const box = make("div", "panel");
  box.append(make("h2", "", texts.new_game));
  for (const [board, text] of [["own", texts.new_own], ["demo", texts.new_demo]]) {
    box.append(button(text, "wide", () => {
      const error = alarm();
      const go = doing(text, "main", () => act("new", { board }), error);
      open(text, [make("p", "", texts.new_why), error], [closing(texts.cancel), go]);
    }));
  }
  return box;
}

function group(title, rows) {
  const box = make("details", "box-group");
  box.open = opened.has(title) ? opened.get(title) : true;
  box.addEventListener("toggle", () => opened.set(title, box.open));
  const list = make("ul", "checklist");
  list.append(...rows);
  box.append(make("summary", "", title), list);
  return box;
}

const opened = new Map();

function row(text, value, lacks, run) {
  const item = make("li");
  item.dataset.status = lacks ? "open" : "done";
  const body = button("", "row", run);
  const mark = make("span", "mark", lacks ? "●" : "✓");
  mark.setAttribute("aria-hidden", "true");
  body.append(mark, make("span", "text", text), make("span", "given", value));
  item.append(body);
  return item;
}

function entry(view, act, ask, text, value, missing) {
  return row(text, value, missing.has(ask), () => askFromBox(view, act, ask, ""));
}

function field(view, name) {
  const text = view.fields[name] || name;
  return text[0].toUpperCase() + text.slice(1);
}

function nameOf(view, key) {
  const found = view.map.provinces.find((p) => p.key === key);
  return found ? found.name : key;
}

function shown(view, name) {
  // The answer so far, in a few words.
  const value = view.board.box[name];
  if (value === null || (Array.isArray(value) && !value.length)) return "";
  if (FLAGS.includes(name)) return value ? texts.yes : texts.no;
  if (CHOICES[name]) return texts[value];
  if (LIMITS.includes(name)) return `× ${value.times}${value.plus ? ` + ${value.plus}` : ""}`;
  if (name === "reinforcements") return value.map((one) => `${one.year}: ${one.axis}/${one.allies}`).join(", ");
  if (name === "objectives") return value.map((key) => nameOf(view, key)).join(", ");
  if (name === "sectors") return "✓";
  return String(value);
}

export function askFromBox(view, act, ask, why, then = null) {
  // Opens the question that `ask` names: `box.win`, `note.1.5`, `province.kiev.winter`. `then` is the action that needs
  // the answer; it is tried once that is saved.
  if (!view.board) {
    open(texts.from_box, [make("p", "", why), make("p", "strong", texts.owner_types)], [closing()]);
    return;
  }
  const [owner, ...rest] = ask.split(".");
  if (owner === "province") {
    if (rest[1] in OF_PROVINCE) wholeBoardForm(view, act, rest[1], why, rest[0], then);
    else provinceForm(view, act, view.board.provinces.find((p) => p.key === rest[0]), why, rest[1], then);
    return;
  }
  const name = rest.join(".");
  const reason = why ? [make("p", "trouble", why)] : [];
  if (owner === "note") { noteForm(view, act, name, reason); return; }
  const { node, read } = question(view, name);
  form(view, act, field(view, name), [...reason, node], () => {
    const given = read();
    return given === null ? null : { do: "set-box", box: { ...latest(view).board.box, [name]: given } };
  }, texts.save, then);
}

function noteForm(view, act, paragraph, reason) {
  const label = make("label", "field-row tall", field(view, paragraph));
  const area = make("textarea");
  const note = view.board.box.notes.find((one) => one.paragraph === paragraph);
  Object.assign(area, { rows: 4, maxLength: 600, value: note ? note.text : "" });
  label.append(area);
  form(view, act, paragraph, [...reason, label], () => {
    const { box } = latest(view).board;
    const others = box.notes.filter((one) => one.paragraph !== paragraph);
    const text = area.value.replace(/\s+/g, " ").trim();
    return { do: "set-box", box: { ...box, notes: text ? [...others, { paragraph, text }] : others } };
  }, texts.save);
}

function question(view, name) {
  const value = view.board.box[name];
  const label = field(view, name);
  if (FLAGS.includes(name)) return asked(choice(label, [[true, texts.yes], [false, texts.no]], value));
  if (CHOICES[name]) return asked(choice(label, CHOICES[name].map((one) => [one, texts[one]]), value));
  if (COUNTS.includes(name)) return asked(number(label, value));
  if (LIMITS.includes(name)) return limit(label, value);
  if (name === "reinforcements") return reinforcements(value);
  if (name === "objectives") return objectives(view, value);
  return sectors(value);
}

function asked(node) {
  return { node, read: () => node.read() };
}

function together(...fields) {
  const box = make("div", "together");
  box.append(...fields);
  return box;
}

function limit(label, value) {
  const times = make("label", "field-row", texts.times);
  const input = make("input");
  Object.assign(input, { type: "text", inputMode: "decimal", maxLength: 6, value: value ? value.times : "" });
  times.append(input);
  const plus = number(texts.plus, value ? value.plus : 0);
  return { node: together(times, plus), read: () => {
    const given = input.value.replace(",", ".").trim();
    return /^\d+([./]\d+)?$/.test(given) ? { times: given, plus: plus.read() || 0 } : null;
  } };
}

function reinforcements(value) {
  const fields = YEARS.map((year) => {
    const known = value.find((one) => one.year === year);
    return [year, number(`${year} · ${texts.axis}`, known ? known.axis : null), number(`${year} · ${texts.allies}`, known ? known.allies : null)];
  });
  return {
    node: together(...fields.flatMap(([, axis, allies]) => [axis, allies])),
    read: () => fields.filter(([, axis, allies]) => axis.read() !== null && allies.read() !== null)
      .map(([year, axis, allies]) => ({ year, axis: axis.read(), allies: allies.read() })),
  };
}

function objectives(view, value) {
  const node = many(field(view, "objectives"), view.map.provinces.map((p) => [p.key, p.name]), value);
  return asked(node);
}

function sectors(value) {
  const fields = [0, 1, 2, 3, 4, 5].map((n) => {
    const known = value[n] || { ready: null, attack: 0, defence: 0 };
    const mark = known.attack ? "attack" : known.defence ? "defence" : "";
    return [
      choice(`${texts.sector} ${n + 1}${n === 0 ? ` (${texts.new_op})` : ""}`, [[true, texts.ready], [false, texts.not_ready]], known.ready),
      picker("", [["", "–"], ["attack", "A+1"], ["defence", "D+1"]], mark),
    ];
  });
  return {
    node: together(...fields.flat()),
    read: () => {
      if (fields.some(([ready]) => ready.read() === null)) return null;
      return fields.map(([ready, mark]) => ({ ready: ready.read(), attack: Number(mark.read() === "attack"), defence: Number(mark.read() === "defence") }));
    },
  };
}

// What is printed on every province, and the answers that there are; a number where there are none.
const OF_PROVINCE = {
  points: null,
  resources: null,
  winter: ["sun", "snow", "other"],
  country: ["ussr", "balkans", "none"],
  terrain: ["land", "sea"],
  start: ["axis", "allies", "neutral"],
  neutral_card: ["yes", "no"],
};
const HEADLINES = { points: "victory_points", start: "starts_with", winter: "winter_symbol" };

function headline(name) {
  return texts[HEADLINES[name] || name];
}

function wholeBoardForm(view, act, name, why = "", asked = null, then = null) {
  // One printed thing of all provinces: those that lack it first, and before them the one that is asked for.
  const rank = (p) => (p.key === asked ? 0 : p[name] === null ? 1 : 2);
  const provinces = [...view.board.provinces].sort((a, b) => rank(a) - rank(b));
  const fields = provinces.map((p) => {
    const answers = OF_PROVINCE[name];
    if (!answers) return [p, number(nameOf(view, p.key), p[name]), (given) => given];
    const known = p[name] === true ? "yes" : p[name] === false ? "no" : p[name] || "";
    const node = picker(nameOf(view, p.key), [["", "?"], ...answers.map((one) => [one, texts[one]])], known);
    const meant = (given) => (given === "" ? null : name === "neutral_card" ? given === "yes" : given);
    return [p, node, meant];
  });
  const reason = why ? [make("p", "trouble", why)] : [];
  form(view, act, headline(name), [...reason, ...fields.map(([, node]) => node)], () => {
    const changed = fields.map(([p, node, meant]) => [p.key, meant(node.read()), p[name]]).filter(([, given, before]) => given !== before);
    const now = Object.fromEntries(latest(view).board.provinces.map((p) => [p.key, p]));
    return changed.length ? { do: "set-provinces", provinces: changed.map(([key, given]) => ({ ...now[key], [name]: given })) } : null;
  }, texts.save, then);
}

const LETTERS = { ą: "a", ć: "c", ę: "e", ł: "l", ń: "n", ó: "o", ś: "s", ź: "z", ż: "z" };

function keyOf(name, taken) {
  // A key of small letters and digits; a name in another alphabet gets a number.
  const plain = name.toLowerCase().replace(/[ąćęłńóśźż]/g, (letter) => LETTERS[letter]);
  const base = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 30) || "province";
  let key = base;
  for (let n = 2; taken.has(key); n += 1) key = `${base}-${n}`;
  return key;
}

function provinceForm(view, act, p, why = "", asked = "", then = null) {
  const known = p || { key: null, name: "", start: null, terrain: null, country: null, winter: null, points: null, resources: null, neutral_card: null, neighbours: [], x: null, y: null };
  const taken = new Set(view.board.provinces.map((one) => one.key));
  const named = make("label", "field-row", texts.name);
  const input = make("input");
  Object.assign(input, { type: "text", maxLength: 40, value: known.name || (p ? nameOf(view, p.key) : "") });
  named.append(input);
  const start = choice(texts.starts_with, [["axis", texts.axis], ["allies", texts.allies], ["neutral", texts.neutral]], known.start);
  const terrain = choice(texts.terrain, [["land", texts.land], ["sea", texts.sea]], known.terrain);
  const country = choice(texts.country, [["ussr", texts.ussr], ["balkans", texts.balkans], ["none", texts.none]], known.country);
  const winter = choice(texts.winter_symbol, [["sun", texts.sun], ["snow", texts.snow], ["other", texts.other]], known.winter);
  const card = choice(texts.neutral_card, [[true, texts.yes], [false, texts.no]], known.neutral_card);
  const points = number(texts.victory_points, known.points);
  const resources = number(texts.resources, known.resources);
  const others = view.map.provinces.filter((one) => one.key !== known.key).map((one) => [one.key, one.name]);
  const near = many(texts.neighbours, others, known.neighbours);
  const reason = why ? [make("p", "trouble", why)] : [];
  form(view, act, p ? nameOf(view, p.key) : texts.add_province, [...reason, named, start, terrain, near, winter, points, resources, country, card], () => {
    const typed = input.value.trim();
    const same = view.map.provinces.some((one) => one.key !== known.key && one.name.toLowerCase() === typed.toLowerCase());
    if (same) return texts.name_taken;
    const key = known.key || keyOf(typed, taken);
    const own = p && !known.name && typed === nameOf(view, key) ? "" : typed;
    return {
      do: "set-province",
      province: {
        ...known, key, name: own, start: start.read(), terrain: terrain.read(), country: country.read(), winter: winter.read(),
        points: points.read(), resources: resources.read(), neutral_card: card.read(), neighbours: near.read(),
      },
    };
  }, texts.save, then);
  if (asked === "neighbours") near.scrollIntoView({ block: "center" });
  if (p && view.phase === "setup") {
    const error = alarm();
    const remove = () => act("play", { action: { do: "remove-province", key: p.key } });
    document.querySelector("#dialog .foot").before(doing(texts.remove_province, "grave wide", remove, error), error);
  }
}
