// Pyodide under Node: its start, its files, and its errors without the minified source that Node would print with them.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  console.error(error.message ?? error);
  process.exit(1);
});

/** Python from the unpacked npm package. The seed of hashes is fixed: two builds give the same bytes. */
export async function startPython(folder, options = {}) {
  const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
  return loadPyodide({ env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" }, ...options });
}

/** A file, or a folder with all that is in it, in a fixed order. */
export function copyIn(python, source, target) {
  if (!fs.statSync(source).isDirectory()) {
    python.FS.writeFile(target, new Uint8Array(fs.readFileSync(source)));
    return;
  }
  python.FS.mkdir(target);
  for (const name of fs.readdirSync(source).sort()) copyIn(python, path.join(source, name), `${target}/${name}`);
}
