// The language that this device chose, for every page; a browser that keeps nothing asks again next time. What another
// program kept at the same address is none where the page does not offer it.
export function rememberedLanguage() {
  try {
    const language = localStorage.getItem("language");
    return [...document.getElementById("language").options].some((one) => one.value === language) ? language : null;
  } catch { return null; }
}

export function rememberLanguage(language) {
  try { localStorage.setItem("language", language); } catch { /* asked again next time */ }
}

// A text with its parts put in, such as {n}; what is not given stays as it is.
export function filled(text, parts) {
  return text.replace(/\{(\w+)\}/g, (all, name) => (parts && parts[name] !== undefined ? String(parts[name]) : all));
}
