// What the address says (which page, which language, which deal), and what this browser remembers: the language.

const KEY = "knyf:language";
const LANGUAGES = ["pl", "en"];

/** The site has a page for each dashboard; the single file has them all, and keeps its settings behind the #. */
export class Settings {
  constructor(isSingleFile, isPage) {
    Object.assign(this, { isSingleFile, isPage });
    this.read();
  }

  read() {
    this.query = new URLSearchParams(this.isSingleFile ? location.hash.slice(1) : location.search);
    const page = this.isSingleFile ? this.query.get("page") : pageOfPath(location.pathname);
    this.page = this.isPage(page) ? page : "index";
    this.language = chosenLanguage(this.query.get("lang"));
    const seed = this.query.get("seed") ?? "";
    this.seed = /^\d{1,15}$/.test(seed) ? Number(seed) : null;
  }

  /** The address of a page in a language; what else the present address says goes along to the same page only. */
  address(page, language) {
    const query = new URLSearchParams(page === this.page ? this.query : "");
    query.delete("page");
    if (this.isSingleFile) query.set("page", page);
    if (language !== "pl" || query.has("lang") || this.language !== "pl") query.set("lang", language);
    return this.isSingleFile ? `#${query}` : `${page}.html${String(query) && "?"}${query}`;
  }
}

function pageOfPath(path) {
  return path.split("/").at(-1).replace(/\.html$/, "");
}

function chosenLanguage(asked) {
  if (LANGUAGES.includes(asked)) remember(asked);
  return [asked, remembered(), "pl"].find((language) => LANGUAGES.includes(language));
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is forbidden: every visit is the first
  }
}

function remember(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // full or forbidden: the address still carries the language
  }
}
