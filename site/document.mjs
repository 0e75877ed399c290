// A Bokeh document on the page, in step with the one that Python has.

const STYLES = "panel/"; // where the site has panel's style sheets; Python writes their addresses so

// Bokeh's scripts come after ours, so that Python starts before the browser reads them.
const scripts = new Promise((go) => document.addEventListener("DOMContentLoaded", go));

export class Document {
  /** Show a document in an element; `send` takes the patches that the visitor's actions make. */
  static async show({ version, roots, document: json }, element, send) {
    await scripts;
    if (version !== Bokeh.version) throw new Error(`Bokeh ${version} in Python, ${Bokeh.version} on the page`);
    const places = roots.map((id) => {
      const place = document.createElement("div");
      place.id = `kp-root-${id}`;
      element.append(place);
      return [id, place.id];
    });
    const item = { docid: "knyf", roots: Object.fromEntries(places), root_ids: roots };
    const [views] = await Bokeh.embed.embed_items({ knyf: withStyles(json) }, [item]);
    return new Document(views, element, send);
  }

  constructor(views, element, send) {
    this.views = views;
    this.element = element;
    this.document = [...views.roots][0].model.document;
    this.applying = false;
    this.document.on_change((event) => {
      if (!this.applying) send(JSON.stringify(this.document.create_json_patch([event])));
    }, false);
    this.keys = (event) => this.press(event);
    element.addEventListener("keydown", this.keys);
    this.announce();
  }

  apply(patch) {
    this.applying = true;
    try {
      this.document.apply_json_patch(withStyles(JSON.parse(patch)));
    } finally {
      this.applying = false;
    }
    this.announce();
  }

  /** Models tagged "live" are read aloud when they change: their text goes to the page's live region. */
  announce() {
    const texts = [];
    for (const model of this.document._all_models.values()) {
      if (model.tags?.includes("live") && model.text) {
        texts.push(textOf(textOf(model.text)).trim()); // panel writes markup as text, and the page reads it as markup
      }
    }
    const region = document.getElementById("kp-live");
    const said = texts.join(" ");
    if (region.textContent !== said) region.textContent = said;
  }

  /** A model tagged "key-1" is switched by the key 1: while the focus is in the dashboard, and not where one types. */
  press(event) {
    const isTyping = event.composedPath()[0].matches?.("input, select, textarea");
    if (isTyping || event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
    for (const model of this.document._all_models.values()) {
      if (model.tags?.includes(`key-${event.key}`)) model.active = !model.active;
    }
  }

  close() {
    this.element.removeEventListener("keydown", this.keys);
    for (const view of [...this.views.roots]) view.remove();
    this.element.replaceChildren();
  }
}

function textOf(markup) {
  return new DOMParser().parseFromString(markup, "text/html").body.textContent;
}

/** The single file has no files beside it: its style sheets lie in the page. */
function withStyles(json) {
  if (!document.getElementById("kp-styles")) return json;
  return JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === "string" && value.startsWith(STYLES) ? styleAddress(value) : value,
  );
}

const addresses = {};

function styleAddress(path) {
  const sheets = JSON.parse(document.getElementById("kp-styles").textContent);
  const text = sheets[path.split("?")[0]] ?? "";
  return (addresses[path] ??= URL.createObjectURL(new Blob([text], { type: "text/css" })));
}
