// The start of the worker, from a file of the site or, in the single file, from what lies in the page itself.

/** A worker in which Python starts, with the games that are kept. `handlers` take its messages by their type. */
export function startWorker(config, restore, kept, handlers, unexplained) {
  const worker = config.isSingleFile ? workerOfSingleFile() : new Worker(config.worker, { type: "module" });
  // One message after the other: a patch that comes while its document is still being drawn waits for it.
  let last = Promise.resolve();
  const fail = (error) => {
    console.error("knyf:", error);
    handlers.failed({ reason: error.message });
  };
  worker.onmessage = ({ data }) => {
    last = last.then(() => handlers[data.type](data)).catch(fail);
  };
  worker.onerror = (event) => handlers.failed({ reason: event.message || unexplained });
  const given = config.isSingleFile ? givenParts(Object.keys(config.runtime.packed)) : undefined;
  const message = { type: "start", config: { ...config.runtime, base: document.baseURI }, restore, kept, given };
  worker.postMessage(message, given ? Object.values(given) : []);
  return worker;
}

function workerOfSingleFile() {
  const source = document.getElementById("kp-worker").textContent;
  return new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
}

function givenParts(names) {
  return Object.fromEntries(
    names.map((name) => {
      const holder = document.getElementById(`kp-part-${name}`);
      const bytes = bytesOfBase64(holder.textContent);
      holder.remove(); // a copy is enough
      return [name, bytes.buffer];
    }),
  );
}

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
