// Invitations: whether the table is open to the network, and one card for each seat with code, link and who took it.
import { alarm, button, make } from "/static/elements.js";
import { rememberedLanguage, rememberLanguage } from "/static/language.js";
import { whenNothingIsPressed } from "/static/pressing.js";
import { fetchInTime, whenWoken } from "/static/waking.js";

const AGAIN_MS = 2500;
const token = document.querySelector('meta[name="table-token"]').content;
const root = document.getElementById("invitations");
const choice = document.getElementById("language");
let language = rememberedLanguage() || document.documentElement.lang;
let shown = "";
let timer = 0;
let asked = 0;
// A button that was pressed loses the focus while it is disabled.
let pressed = false;

function say(text) {
  document.getElementById("spoken").textContent = text;
}

async function act(action, body, told) {
  pressed = true;
  const answer = await fetchInTime("/invitations/do/" + action + "?lang=" + language, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Table-Token": token },
    body: JSON.stringify(body || {}),
  }).catch(() => null);
  const read = answer ? await answer.json().catch(() => ({})) : {};
  if (read.code !== "done") pressed = false;
  await look();
  if (read.code !== "done") told(read.message);
  return read.code === "done";
}

function deed(text, className, action, body, words) {
  const node = button(text, className, async () => {
    node.disabled = true;
    await act(action, body, (message) => { document.querySelector("main .error").textContent = message || words.failed; });
    node.disabled = false;
  });
  return node;
}

function card(one, words) {
  const node = make("section", "panel invitation");
  const image = make("img");
  image.alt = words[one.role];
  // Another code once it was revoked.
  image.src = "/invitations/" + one.role + ".svg?" + one.link.slice(-8);
  const link = make("input");
  link.type = "text";
  link.readOnly = true;
  link.value = one.link;
  link.addEventListener("focus", () => link.select());
  const label = make("label", "", null);
  label.append(make("span", "", words.link), link);
  const state = make("p", "", one.taken ? words.taken.replace("{date}", dated(one.taken)) : words.free);
  state.dataset.taken = one.taken ? "yes" : "no";
  node.append(make("h2", "", (one.name ? one.name + " · " : "") + words[one.role]), make("p", "hint", words[one.role + "_may"]), image, label);
  if (navigator.clipboard) {
    const copy = button(words.copy, "", async () => {
      try { await navigator.clipboard.writeText(one.link); say(words.copied); copy.textContent = words.copied; } catch { link.focus(); }
    });
    node.append(copy);
  }
  // To the minute: drawn anew only when that changes.
  node.append(state, make("p", "hint", words.ends.replace("{date}", dated(one.ends))), revoking(one, words));
  return node;
}

// Asked once more before phones are sent out, and let be as easily.
function revoking(one, words) {
  const node = make("div", "revoking");
  const ask = button(words.revoke, "quiet", () => {
    const sure = make("p", "", words.revoke_sure);
    sure.setAttribute("role", "status");
    const error = alarm();
    const yes = button(words.revoke_yes, "grave", async () => {
      yes.disabled = true;
      error.textContent = "";
      if (await act("revoke", { role: one.role }, (message) => { error.textContent = message || words.failed; })) say(words.revoked);
      yes.disabled = false;
    });
    const choices = make("div", "choices");
    choices.append(yes, button(words.revoke_no, "quiet", () => { node.replaceChildren(ask); ask.focus(); }));
    node.replaceChildren(sure, choices, error);
    yes.focus();
  });
  node.append(ask);
  return node;
}

function dated(seconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(seconds * 1000));
}

function draw(state) {
  const { words } = state;
  document.title = words.title + " – All Fronts";
  document.querySelector(".tongue .unseen").textContent = words.language;
  const heading = make("h1", "", words.title);
  heading.tabIndex = -1;
  const error = alarm();
  const list = [heading, error];
  if (!state.base) {
    list.push(make("p", "", words.closed));
    const choices = make("div", "choices");
    choices.append(deed(words.open, "main", "open", {}, words));
    list.push(choices);
  } else {
    list.push(make("p", "", words.how));
    const cards = make("div", "invitations");
    cards.append(...state.invitations.map((one) => card(one, words)));
    list.push(cards, secure(state));
    const choices = make("div", "choices");
    choices.append(deed(words.close, "quiet", "close", {}, words));
    list.push(choices);
  }
  const back = make("a", "as-button", words.to_table);
  back.href = "/";
  list.push(back);
  const here = root.contains(document.activeElement) || pressed;
  pressed = false;
  root.replaceChildren(...list);
  // What had the focus is gone: whoever uses the keyboard goes on from the heading, not from the top of the page.
  if (here) heading.focus({ preventScroll: true });
}

function secure(state) {
  const { words } = state;
  const node = make("section", "panel invitation");
  node.append(make("h2", "", words.secure_title), make("p", "", words.secure_why));
  if (!state.secure_base) { node.append(deed(words.secure_open, "", "open-secure", {}, words)); return node; }
  const how = make("a", "as-button", words.secure_how);
  how.href = "/secure?lang=" + language;
  const print = make("p", "", words.fingerprint + " ");
  print.append(make("code", "", state.fingerprint));
  node.append(make("code", "", state.secure_base), how, print);
  return node;
}

async function look() {
  const mine = ++asked;
  clearTimeout(timer);
  try {
    const answer = await fetchInTime("/invitations/state?lang=" + language, { cache: "no-store" });
    if (answer.ok) {
      const text = await answer.text();
      // What was asked before something was done does not tell of it.
      if (mine === asked && text !== shown) { shown = text; whenNothingIsPressed(() => draw(JSON.parse(text))); }
    }
  } catch { /* away: asked again */ }
  clearTimeout(timer);
  timer = setTimeout(look, AGAIN_MS);
}

choice.value = language;
document.documentElement.lang = language;
choice.addEventListener("change", () => {
  language = choice.value;
  rememberLanguage(language);
  document.documentElement.lang = language;
  look();
});
whenWoken(look);
look();
