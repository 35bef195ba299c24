// The score sheet: its date in the reader's way, and the button that prints.
const when = document.querySelector("time");
when.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long" }).format(new Date(Number(when.dataset.at) * 1000));
document.getElementById("print").addEventListener("click", () => window.print());
