// node <this, joined with what it imports> <folder of packed parts> <settings> <programs>
// Restores Python from the snapshot as the site does, once for each list of programs, and prints what they give. Before
// the last program of each list the modules are added that come behind the first view.

import { argv, exit, stdout } from "./like_a_worker.mjs";
import fs from "node:fs";
import { Parts } from "../../site/parts.mjs";
import { addModules, restorePython } from "../../site/python.mjs";

const [folder, settings, programs] = argv.slice(2);
const config = JSON.parse(settings);
const given = Object.fromEntries(
  Object.entries(config.parts).map(([name, path]) => [name, new Uint8Array(fs.readFileSync(`${folder}/${path}`)).buffer]),
);

const results = [];
for (const list of JSON.parse(programs)) {
  const parts = new Parts(config, given, () => {});
  const python = await restorePython(parts);
  const last = list.pop();
  const values = list.map((program) => python.runPython(program));
  await addModules(python, parts);
  results.push([...values, python.runPython(last)]);
}
stdout.write(JSON.stringify(results), () => exit(0)); // Pyodide keeps timers
