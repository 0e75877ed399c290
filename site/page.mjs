// The page: shows the static first view at once, starts Python in a worker, and puts the dashboard in its place.
//
// <html data-state> goes static → starting → ready, or failed. Moving to another page does not start Python again.

import { Document } from "./document.mjs";
import { keepGame, keptGames } from "./games.mjs";
import { lookAsWished } from "./look.mjs";
import { registerServiceWorker } from "./offline.mjs";
import { Settings } from "./settings.mjs";
import { startWorker } from "./start.mjs";
import { showFirstView } from "./views.mjs";

const root = document.documentElement;
const element = (id) => document.getElementById(id);
const content = (id) => JSON.parse(element(id).textContent);
const config = content("kp-config");
const texts = content("kp-texts"); // language → key → text
const settings = new Settings(config.isSingleFile, (name) => `title.${name}` in texts.pl);
const NEEDED = ["pyodide.wasm", "snapshot.bin", "files.zip"]; // what the first dashboard waits for

let live; // the dashboard that is shown
let asked = 0; // how many have been asked for; only the last one is shown
let early = []; // clicks made before the dashboard was there
const loaded = {}; // bytes by part

const text = (key) => texts[settings.language][key];
const state = (name) => (root.dataset.state = name);

const handlers = {
  progress({ name, loaded: bytes }) {
    loaded[name] = bytes;
    const names = new Set([...NEEDED, ...Object.keys(loaded)]);
    const total = [...names].reduce((sum, name) => sum + config.runtime.packed[name], 0);
    const here = Object.values(loaded).reduce((sum, bytes) => sum + bytes, 0);
    Object.assign(element("kp-bar"), { max: total, value: here });
    element("kp-step").textContent = text("loading")
      .replace("{loaded}", megabytes(here))
      .replace("{total}", megabytes(total));
  },
  step({ step }) {
    element("kp-step").textContent = text(step);
  },
  started({ restored }) {
    root.dataset.start = restored ? "restored" : "plain";
    if (settings.page === "index") ready();
  },
  complete() {
    root.dataset.complete = "";
  },
  async document({ document: json, number }) {
    if (number !== asked) return;
    const send = (patch) => worker.postMessage({ type: "patch", patch });
    const shown = await Document.show(JSON.parse(json), element("kp-app"), send);
    if (number !== asked) return shown.close(); // the visitor has gone on meanwhile
    live = shown;
    element("kp-first").hidden = true;
    if (early.length) worker.postMessage({ type: "early", clicks: early });
    early = [];
    ready();
  },
  patch({ patch }) {
    live?.apply(patch);
  },
  keep({ key, text }) {
    if (!keepGame(key, text)) element("kp-unsaved").hidden = false;
  },
  failed({ reason }) {
    if (root.dataset.state === "starting") registerServiceWorker(config); // there may be a new version that starts
    state("failed");
    complain(reason);
  },
  refused: ({ reason }) => complain(reason),
};

showLanguage();
lookAsWished(settings.query, element("kp-theme"), element("kp-projector"));
document.addEventListener("click", rememberEarly);
document.addEventListener("click", follow);
document.querySelector(".kp-skip").addEventListener("click", skip);
addEventListener("popstate", arrive);
element("kp-retry").addEventListener("click", () => location.reload());

state("starting");
const restore = settings.query.get("start") !== "plain";
const worker = startWorker(config, restore, keptGames(), handlers, text("worker_failed"));
arrive();

/** Show the page that the address names. */
async function arrive() {
  try {
    await open();
  } catch (error) {
    complain(error.message); // its first view could not be fetched
  }
}

async function open() {
  settings.read();
  showLanguage();
  live?.close();
  live = undefined;
  early = [];
  const number = ++asked;
  await showFirstView(settings.page, element("kp-first"));
  showLanguage();
  element("kp-first").hidden = false;
  element("kp-failure").hidden = root.dataset.state !== "failed";
  const { page, language, seed } = settings;
  element("kp-progress").hidden = page === "index" || root.dataset.state !== "starting";
  if (page !== "index") worker.postMessage({ type: "open", page, language, seed, number });
  else if (root.dataset.start) ready();
}

function ready() {
  element("kp-progress").hidden = true;
  if (root.dataset.state === "starting") registerServiceWorker(config); // its downloads must not slow down the start
  state("ready");
  if (!performance.getEntriesByName("knyf:ready").length) performance.mark("knyf:ready");
}

function complain(reason) {
  element("kp-progress").hidden = true;
  element("kp-failure").hidden = false;
  element("kp-reason").textContent = reason;
}

/** Buttons of the static first view do their work as soon as Python is there. */
function rememberEarly(event) {
  const button = event.target.closest?.("[data-early]");
  if (!button) return;
  early.push(button.dataset.early);
  if (button.hasAttribute("aria-pressed")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  }
}

/** Links between our own pages, and those that choose a language, keep the page and its Python. */
function follow(event) {
  const link = event.target.closest?.("a[data-page], a[data-choose]");
  const wantsATab = event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!link || wantsATab) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  arrive().then(() => link.dataset.page && element("kp-title").focus());
}

/** To the content; not by the address, since that would be a new arrival. */
function skip(event) {
  event.preventDefault();
  element("kp-main").focus();
}

function showLanguage() {
  const { language, page } = settings;
  root.lang = language;
  for (const part of document.querySelectorAll("[data-language]")) part.hidden = part.dataset.language !== language;
  document.title = text(`title.${page}`);
  element("kp-title").textContent = text(`title.${page}`);
  for (const theme of element("kp-theme").options) theme.textContent = text(`theme_${theme.value}`);
  for (const link of document.querySelectorAll("a[data-page]")) {
    link.href = settings.address(link.dataset.page, language);
    mark(link, link.dataset.page === page);
  }
  for (const link of document.querySelectorAll("a[data-choose]")) {
    link.href = settings.address(page, link.dataset.choose);
    mark(link, link.dataset.choose === language);
  }
}

function mark(link, isCurrent) {
  if (isCurrent) link.setAttribute("aria-current", link.dataset.page ? "page" : "true");
  else link.removeAttribute("aria-current");
}

function megabytes(bytes) {
  const format = { maximumFractionDigits: 1, minimumFractionDigits: 1 };
  return new Intl.NumberFormat(settings.language, format).format(bytes / 1e6);
}
