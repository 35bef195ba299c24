// A referee who cannot see looks blind: a panel over the field says so, since when, and shows the last picture.
import { make, texts } from "../elements.js";

const node = document.getElementById("blind");

document.addEventListener("view", (event) => {
  const view = event.detail;
  const said = JSON.stringify([view.blind, view.lang, view.blind && view.picture]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  node.hidden = !view.blind;
  if (!view.blind) { node.replaceChildren(); return; }
  const parts = [make("p", "heading", view.blind.title), make("p", "since", view.blind.since), make("p", "", view.blind.text)];
  if (view.picture) {
    const picture = make("img");
    picture.src = view.picture;
    picture.alt = "";
    const figure = make("figure");
    figure.append(picture, make("figcaption", "", texts.last_seen));
    parts.push(figure);
  }
  node.replaceChildren(...parts);
});
