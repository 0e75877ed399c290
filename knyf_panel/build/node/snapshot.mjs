// node snapshot.mjs <pyodide> <stdlib.zip> <packages.zip> <snapshot> <imported>
// Starts Python, imports and warms up everything, and saves the memory, less what the .wasm file has already; and a list
// of the files that were imported, which nobody needs who has that memory.

import fs from "node:fs";
import path from "node:path";
import { unpack } from "../../../site/archive.mjs";
import { startPython } from "./pyodide.mjs";
import { alwaysTheSame } from "./unchanging.mjs";

const [pyodide, stdlib, packages, output, list] = process.argv.slice(2).map((name) => path.resolve(name));
alwaysTheSame();

let pristine;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (source, imports) => {
  const result = await instantiate(source, imports);
  const memory = result.instance?.exports.memory;
  if (memory) pristine = staticData(new Uint8Array(memory.buffer));
  return result;
};

function staticData(memory) {
  let end = Math.min(memory.length, 16 << 20);
  while (end > 0 && memory[end - 1] === 0) end--;
  return memory.slice(0, end);
}

const python = await startPython(pyodide, { _makeSnapshot: true, stdLibURL: stdlib });
unpack(new Uint8Array(fs.readFileSync(packages)), python.FS, "/packages");
python.runPython(`
import sys
sys.path.insert(0, "/packages")
sys.dont_write_bytecode = True
from knyf_panel.browser import start
start.warm_up()
`);
const imported = python.runPython(`
" ".join(sorted(module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)))
`);
fs.writeFileSync(list, imported);
forgetFreedReferences(python._module);
const snapshot = python.makeMemorySnapshot({
  serializer: (value) => {
    throw new Error(`A JavaScript object is alive, which a snapshot cannot hold: ${String(value).slice(0, 200)}`);
  },
});
const offset = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];
for (let i = 0; i < pristine.length; i++) snapshot[offset + i] ^= pristine[i];
fs.writeFileSync(output, snapshot);
process.exit(0); // Pyodide keeps timers

/** Freed slots of the table of JavaScript references hold undefined, which the serialiser refuses; null it accepts. */
function forgetFreedReferences(module) {
  for (let i = 7; ; i++) {
    let entry;
    try {
      entry = module.__hiwire_get(i);
    } catch {
      return;
    }
    if (entry === undefined) module.__hiwire_set(i, null);
  }
}
