// The draw before a war: who is first, and the order of the boards, by lot, where the players have not drawn themselves.
import { button, make, texts } from "../elements.js";

let drawn = "";

function anyOf(list) {
  const limit = Math.floor(2 ** 32 / list.length) * list.length;
  const number = new Uint32Array(1);
  // Numbers beyond the last whole round would make the first ones likelier.
  do crypto.getRandomValues(number); while (number[0] >= limit);
  return list[number[0] % list.length];
}

// The button that draws, and the boards' order that it drew last on this page. `tell` says who is first.
export function lots(view, tell) {
  const said = make("p", "take", drawn);
  said.id = "drawn-boards";
  said.setAttribute("role", "status");
  const press = button(texts.lots, "quiet", () => {
    drawn = texts.lots_boards + " " + anyOf(view.orders).text;
    said.textContent = drawn;
    tell(anyOf(view.firsts).seat);
  });
  press.dataset.key = "lots";
  return [press, said];
}
