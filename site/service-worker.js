// Keeps the whole site, of one version, for visits without a network.
// `SITE` is written in front of this by the build: {version, files: {path: sha256 in base64}}

const CACHE = `knyf-${SITE.version}`;
const base = new URL("./", self.location);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(base.href)) event.respondWith(answer(event.request));
});

/** All files or none: a single one that is missing or damaged, and this version is not installed. */
async function install() {
  const cache = await caches.open(CACHE);
  try {
    for (const [path, hash] of Object.entries(SITE.files)) {
      const url = new URL(path, base);
      const cache = path.startsWith("assets/") ? "default" : "no-cache"; // a name with a hash is never out of date
      const response = await fetch(url, { cache, integrity: `sha256-${hash}` });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(url, response);
    }
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** Older versions go when nobody uses them any more, which is when this one is activated. */
async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("knyf-") && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

async function answer(request) {
  const url = new URL(request.url);
  if (url.search === "?fresh") return fetch(request); // what was kept is damaged
  url.search = url.hash = "";
  if (url.href === base.href) url.pathname += "index.html";
  const kept = await (await caches.open(CACHE)).match(url);
  return kept ?? fetch(request);
}
