// What no card on the table shows, in the correction: an open effect, permissions, turns that are owed, hidden cards
// that everybody knows.
import { labelled, make, picker, texts } from "./elements.js";

const PLACES = ["near", "far"];

export function unseen(view) {
  const named = Object.fromEntries(view.cards.map((c) => [c.face, c.text]));
  const node = make("details");
  node.append(make("summary", "", texts.correct_unseen));
  const add = (options, label) => {
    const select = picker([["", texts.correct_keep], ...options], "");
    node.append(labelled(label, select));
    return select;
  };
  const lying = view.theaters.flatMap((t) => PLACES.flatMap((which) => t[which].faces));
  const effect = add(view.instants.filter((face) => lying.includes(face)).map((face) => [face, named[face]]), texts.correct_effect);
  const permits = {}, extra = {}, known = {};
  for (const which of PLACES) {
    const name = " · " + view.seats[which].name;
    permits[which] = add([["yes", texts.correct_yes], ["no", texts.correct_no]], texts.correct_permit + name);
    extra[which] = add([0, 1, 2, 3].map((n) => [String(n), String(n)]), texts.correct_extra + name);
  }
  for (const t of view.theaters) {
    for (const which of PLACES) {
      t[which].faces.forEach((face, index) => {
        if (face !== "-") return;
        const label = t.name + " · " + view.seats[which].name + " · " + (index + 1) + ": " + texts.correct_known;
        known[[t.id, which, index].join("/")] = add(Object.entries(named).filter(([card]) => !lying.includes(card)), label);
      });
    }
  }
  return { node, sent };

  function sent() {
    const made = {};
    if (effect.value) made.effect = effect.value;
    for (const which of PLACES) {
      if (permits[which].value) made.permits = { ...made.permits, [which]: permits[which].value === "yes" };
      if (extra[which].value) made.extra = { ...made.extra, [which]: Number(extra[which].value) };
    }
    for (const [spot, control] of Object.entries(known)) {
      if (control.value) made.hidden = { ...made.hidden, [spot]: control.value };
    }
    return made;
  }
}
