// The worker: Python lives here, so that the page never waits for it.
//
// From the page:  {type: "start", config, restore, kept, given}   {type: "open", page, language, seed, number}
//                 {type: "early", clicks}   {type: "patch", patch}
// To the page:    {type: "progress", name, loaded}   {type: "step", step}   {type: "started", restored}
//                 {type: "document", document, number}   {type: "patch", patch}   {type: "complete"}
//                 {type: "keep", key, text}   {type: "failed", reason}   {type: "refused", reason}

import { Parts } from "./parts.mjs";
import { addModules, restorePython, startPython } from "./python.mjs";

let bridge;

// One message after the other, in the order in which they came, also while Python is still starting.
let last = Promise.resolve();
self.onmessage = ({ data }) => {
  last = last.then(() => handle(data)).catch((error) => tell(bridge ? "refused" : "failed", error));
};

function handle(message) {
  if (bridge || message.type === "start") return handlers[message.type](message); // else the start has failed
}

const handlers = {
  async start({ config, restore, kept, given }) {
    const parts = new Parts(config, given, (name, loaded) => post({ type: "progress", name, loaded }));
    const python = (restore && (await restored(parts))) || (await started(parts));
    const send = (patch) => post({ type: "patch", patch });
    const keep = (key, text) => post({ type: "keep", key, text });
    bridge = python.pyimport("knyf_panel.browser.start").begin(send, entropy(), JSON.stringify(kept), keep);
  },

  open({ page, language, seed, number }) {
    post({ type: "document", document: bridge.open(page, language, seed ?? undefined), number });
  },

  early({ clicks }) {
    bridge.early(clicks);
  },

  patch({ patch }) {
    bridge.receive(patch);
  },
};

/** Python from the snapshot; undefined if that is not possible here. */
async function restored(parts) {
  post({ type: "step", step: "restore" });
  try {
    const python = await restorePython(parts);
    post({ type: "started", restored: true });
    complete(python, parts);
    return python;
  } catch (error) {
    console.warn(`knyf: the snapshot could not be restored (${describe(error)}); starting Python plainly.`);
  }
}

async function started(parts) {
  post({ type: "step", step: "plain" });
  const python = await startPython(parts);
  post({ type: "started", restored: false });
  return python;
}

/** Behind the first view. Without these modules all pages work; only what nobody has imported yet is missing. */
async function complete(python, parts) {
  try {
    await addModules(python, parts);
    post({ type: "complete" });
  } catch (error) {
    console.warn(`knyf: further modules of Python could not be loaded (${describe(error)}).`);
  }
}

/** A number that no other visitor has, as large as JavaScript can pass to Python exactly. */
function entropy() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 21) * 2 ** 32 + low;
}

const post = (message) => self.postMessage(message);

function tell(type, error) {
  console.error(`knyf: ${error?.stack ?? error}`);
  post({ type, reason: describe(error) });
}

const describe = (error) => String(error?.message ?? error).trim().split("\n").at(-1);
