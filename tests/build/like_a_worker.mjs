// Lets Pyodide take Node for a worker of a browser, which is what the site's modules run in. To be imported first.

export const { argv, exit, stdout } = process;

globalThis.process = undefined;
globalThis.self = globalThis;
globalThis.location = new URL("https://knyf.invalid/worker.js");
globalThis.WorkerGlobalScope = class {
  static [Symbol.hasInstance](object) {
    return object === globalThis;
  }
};
