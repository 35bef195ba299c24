// The lights: looked for, lit so that somebody can see that they are right, or left out.
import { alarm, make } from "/static/elements.js";
import { doing, paragraph, whenNew } from "../pieces.js";

export const quick = true;
let parts = null;

export function draw(root, setup) {
  const told = alarm();
  const panel = make("section", "panel");
  const said = paragraph("", "verdict");
  said.setAttribute("role", "status");
  const test = make("div");
  const buttons = make("div", "choices");
  const none = doing(setup.word("lights_none"), "", told, async () => {
    const answer = await setup.act("choose", { lights: "none" });
    if (answer.ok) { await setup.act("leave-lights"); setup.go("players"); }
    return answer;
  });
  panel.append(said, test, buttons, told);
  root.append(paragraph(setup.word("lights_lead"), "lead"), panel);
  parts = { said, test, buttons, none, told };
}

export function update(setup) {
  if (!parts) return;
  const { lights } = setup.state;
  const said = { idle: "", looking: setup.word("lights_looking"), found: setup.word("lights_found", { port: lights.port }), absent: setup.word("lights_absent"), trouble: lights.text }[lights.state];
  if (parts.said.textContent !== said) parts.said.textContent = said;
  whenNew(parts.buttons, [lights.state, setup.language], () => {
    const look = doing(setup.word("lights_look"), "main", parts.told, () => setup.act("look-for-lights"));
    const light = doing(setup.word("lights_test"), "main", parts.told, async () => {
      const answer = await setup.act("show-lights", { on: true });
      if (answer.ok) shining(setup);
      return answer;
    });
    parts.test.replaceChildren();
    parts.buttons.replaceChildren(...(lights.state === "found" ? [light] : lights.state === "idle" ? [look] : []), parts.none);
  });
}

function shining(setup) {
  for (const one of parts.buttons.children) one.hidden = one !== parts.none;
  const choices = make("div", "choices");
  choices.append(
    doing(setup.word("lights_right"), "main", parts.told, async () => {
      const answer = await setup.act("choose", { lights: "found" });
      if (answer.ok) setup.go("players");
      return answer;
    }),
    doing(setup.word("lights_out"), "", parts.told, async () => {
      const answer = await setup.act("show-lights", { on: false });
      parts.test.replaceChildren();
      for (const one of parts.buttons.children) one.hidden = false;
      return answer;
    }),
  );
  parts.test.replaceChildren(paragraph(setup.word("lights_see"), "big"), choices, paragraph(setup.word("lights_wrong"), "hint"));
}

export function leave(setup) {
  parts = null;
  // The port is let go of: the game takes it.
  setup.act("leave-lights");
}

export async function next(setup) {
  const { choices, lights } = setup.state;
  if (choices.lights !== "unasked") return true;
  const answer = await setup.act("choose", { lights: lights.state === "found" ? "found" : "none" });
  return answer.ok;
}
