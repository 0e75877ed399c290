// node pyodide.mjs <unpacked pyodide> <stdlib.zip> <packages.zip> <program> <argument>
// Runs a Python program, given as text, in Pyodide, with the packages of the site and with no snapshot; it finds the argument in sys.argv.

import fs from "node:fs";
import { startPython } from "../knyf_panel/build/node/pyodide.mjs";
import { unpack } from "../site/archive.mjs";

const [pyodide, stdlib, packages, program, argument] = process.argv.slice(2);
const python = await startPython(pyodide, { stdLibURL: stdlib, stdout: (line) => console.log(line) });
unpack(new Uint8Array(fs.readFileSync(packages)), python.FS, "/packages");
python.runPython(`import sys; sys.path.insert(0, "/packages")`);
python.globals.get("sys").argv = python.toPy(["program", argument]);
python.runPython(program);
process.exit(0); // Pyodide keeps timers
