// node compile.mjs <pyodide> <slim.py> <folder of packages> <stdlib.zip> <output folder>
// Compiles the packages and the standard library with Pyodide's own Python, whose byte code no other Python writes.

import fs from "node:fs";
import path from "node:path";
import { copyIn, startPython } from "./pyodide.mjs";

const [pyodide, slim, packages, stdlib, output] = process.argv.slice(2).map((name) => path.resolve(name));
const python = await startPython(pyodide);
copyIn(python, packages, "/packages");
copyIn(python, stdlib, "/stdlib.zip");
copyIn(python, slim, "/slim.py");
python.runPython(`
import sys
sys.path.insert(0, "/")
import slim
slim.pack_folder("/packages", "/packages.zip")
slim.pack_library("/stdlib.zip", "/library.zip")
`);
fs.writeFileSync(path.join(output, "packages.zip"), python.FS.readFile("/packages.zip"));
fs.writeFileSync(path.join(output, "stdlib.zip"), python.FS.readFile("/library.zip"));
process.exit(0); // Pyodide keeps timers
