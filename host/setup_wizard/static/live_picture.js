// The camera's live picture, with the names of seats and places written over it.
import { make } from "/static/elements.js";

const SVG = "http://www.w3.org/2000/svg";
const AGAIN_MS = 220;
const LATER_MS = 900;
const LOST_MS = 8000; // a connection that died never says so
const UPRIGHT = 340;
const ACROSS = 600;

export function livePicture(alt) {
  const node = make("figure", "live");
  const over = document.createElementNS(SVG, "svg");
  over.setAttribute("aria-hidden", "true");
  let image = make("img");
  image.alt = alt;
  image.hidden = true;
  node.append(image, over);
  let shot = 0;
  let gone = false;

  function next() {
    if (gone) return;
    shot += 1;
    const fresh = make("img");
    fresh.alt = alt;
    let timer = 0;
    const again = (pause) => {
      clearTimeout(timer);
      timer = setTimeout(() => { fresh.onload = fresh.onerror = null; next(); }, pause);
    };
    fresh.onload = () => { image.replaceWith(fresh); image = fresh; again(AGAIN_MS); };
    // No picture of this camera yet, or the program is away: what an earlier one showed is shown no longer.
    fresh.onerror = () => { image.hidden = true; over.replaceChildren(); again(LATER_MS); };
    again(LOST_MS);
    fresh.src = "/setup/picture.jpg?n=" + shot;
  }

  function label(text, x, y, className) {
    const name = document.createElementNS(SVG, "text");
    name.setAttribute("x", String(x));
    name.setAttribute("y", String(y));
    name.setAttribute("class", className);
    name.textContent = text;
    return name;
  }

  return {
    node,
    // `names` maps places to texts; places without a text are left unwritten.
    write(labels, names) {
      if (!image.naturalWidth) return;
      // Names grow and shrink with the picture.
      const width = image.naturalWidth < image.naturalHeight ? UPRIGHT : ACROSS;
      const height = (width * image.naturalHeight) / image.naturalWidth;
      over.setAttribute("viewBox", "0 0 " + width + " " + height);
      over.replaceChildren(...(labels || []).filter((one) => names[one.at])
        .map((one) => label(names[one.at], one.x * width, one.y * height, one.at.includes("/") ? "place" : "seat-name")));
    },
    flash() { node.classList.remove("flash"); void node.offsetWidth; node.classList.add("flash"); },
    begin() { gone = false; next(); },
    end() { gone = true; },
  };
}
