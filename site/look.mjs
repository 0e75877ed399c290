// How the pages look, as the visitor likes it: a theme, and large type for a projector. Remembered, unless a link says it.

const THEMES = ["system", "light", "dark", "contrast"];
const THEME = "knyf:theme";
const PROJECTOR = "knyf:projector";
const root = document.documentElement;

/** Take up what is remembered or linked, and let the visitor change it by these controls. */
export function lookAsWished(query, themes, projector) {
  themes.closest("details").hidden = false; // without scripts it would do nothing
  themes.value = show(THEMES.find((theme) => theme === read(THEME)) ?? "system");
  themes.addEventListener("change", () => write(THEME, show(themes.value)));
  const linked = query.get("mode")?.split(",").includes("projector");
  projector.checked = enlarge(linked ?? read(PROJECTOR) === "on");
  projector.addEventListener("change", () => write(PROJECTOR, enlarge(projector.checked) ? "on" : "off"));
}

function show(theme) {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  return theme;
}

function enlarge(isLarge) {
  root.toggleAttribute("data-projector", isLarge);
  return isLarge;
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is forbidden: every visit is the first
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // full or forbidden: it holds for this visit
  }
}
