// The picture of a war: looked at, saved as PNG or SVG, and shared where the browser can.
import { closing, open } from "/static/dialog.js";
import { button, make } from "/static/elements.js";

export function share(archive, war) {
  const { word } = archive;
  const source = "/games/war/" + war.id + "/score.svg?lang=" + archive.language;
  const image = make("img", "score-picture");
  image.alt = war.names.near + " " + war.score.near + " : " + war.score.far + " " + war.names.far;
  image.src = source;
  const error = make("p", "error");
  error.setAttribute("role", "alert");
  const choices = make("div", "links");
  const svg = archive.link(word("save") + " (SVG)", source);
  svg.setAttribute("download", war.file + ".svg");
  const tried = async (deed) => {
    error.textContent = "";
    try { await deed(await drawn(image, war.file)); } catch (failure) {
      // Whoever closes the system's sheet has not failed.
      if (failure.name !== "AbortError") error.textContent = word("failed");
    }
  };
  choices.append(button(word("save") + " (PNG)", "main", () => tried(save)), svg);
  if (navigator.canShare && navigator.canShare({ files: [new File([], "a.png", { type: "image/png" })] })) {
    choices.append(button(word("share"), "", () => tried((file) => navigator.share({ files: [file], title: image.alt }))));
  }
  open(word("picture"), [image, choices, error], [closing(word("close"))]);
}

async function drawn(image, name) {
  await image.decode();
  const canvas = make("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done, failed) => { canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture"))), "image/png"); });
  return new File([blob], name + ".png", { type: "image/png" });
}

function save(file) {
  const link = make("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
