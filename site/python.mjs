// Starts Python in this thread: from the memory snapshot, or plainly. Knows nothing of pages.

import "./classic.mjs";
import { loadPyodide } from "pyodide/pyodide.mjs";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { info } from "pyodide/pyodide-lock.json";
import { unpack } from "./archive.mjs";

const PACKAGES = "/packages";
const NOWHERE = "https://knyf.invalid/"; // Pyodide wants addresses; nothing is fetched from them

/** Python as it was when the snapshot was taken, everything imported. */
export async function restorePython(parts) {
  const compiled = compile(parts);
  const [snapshot, files] = await Promise.all([parts.get("snapshot.bin"), parts.get("files.zip")]);
  const memory = snapshot.subarray(new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1]); // after pyodide's header
  const python = await load(compiled, {
    _loadSnapshot: Promise.resolve(snapshot),
    createPyodideModule: async (settings) => {
      const module = await createPyodideModule(settings);
      addPristine(memory);
      keepTrampoline(module, memory);
      // Restoring copies without looking whether there is room (pyodide issue 6254): make some first.
      module._free(module._malloc(snapshot.length));
      return module;
    },
  });
  unpack(files, python.FS, PACKAGES);
  return python;
}

/** The modules that were not imported when the snapshot was taken, for whoever imports them later. */
export async function addModules(python, parts) {
  unpack(await parts.get("later.zip"), python.FS, PACKAGES);
}

/** Without the snapshot: slower by far, and does not depend on anything private to Pyodide. */
export async function startPython(parts) {
  const compiled = compile(parts);
  const [library, packages] = await Promise.all([parts.get("stdlib.zip"), parts.get("packages.zip")]);
  const python = await load(compiled, { createPyodideModule }, library);
  unpack(packages, python.FS, PACKAGES);
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  return python;
}

function compile(parts) {
  const compiled = parts.get("pyodide.wasm").then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(() => {}); // is told when it is waited for, which is later
  return compiled;
}

/** loadPyodide with the module that was compiled meanwhile, and without requests of its own. */
async function load(compiled, options, library = new Uint8Array()) {
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = globalThis;
  globalThis.fetch = async () => new Response(library); // the two that it makes: for the standard library and the module
  let fail;
  const failed = new Promise((_, reject) => (fail = reject)); // Pyodide would wait for ever for a module that fails
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const module = await compiled;
      const instance = await WebAssembly.instantiate(module, imports);
      pristine = pristineMemory(instance);
      return { instance, module };
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  const settings = {
    indexURL: NOWHERE,
    lockFileContents: { info, packages: {} },
    packageBaseUrl: NOWHERE,
    env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" },
    ...options,
  };
  try {
    return await Promise.race([loadPyodide(settings), failed]);
  } finally {
    WebAssembly.instantiateStreaming = instantiateStreaming;
    globalThis.fetch = fetch;
  }
}

// The memory of a module that has just been instantiated is in the .wasm already. The snapshot holds only what differs.
let pristine;

function addPristine(memory) {
  for (let i = 0; i < pristine.length; i++) memory[i] ^= pristine[i];
}

/** The static data, up to the last byte that is not zero: the same in every browser, before any of it has run. */
function pristineMemory(instance) {
  const memory = new Uint8Array(instance.exports.memory.buffer);
  let end = Math.min(memory.length, 16 << 20);
  while (end > 0 && memory[end - 1] === 0) end--;
  return memory.slice(0, end);
}

/** By which way Python calls functions of C depends on the browser; the snapshot knows only what Node can do. */
function keepTrampoline(module, memory) {
  const at = module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2];
  memory.set(module.HEAPU8.subarray(at, at + 4), at);
}
