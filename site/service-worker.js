// Keeps the whole site, of one version, for visits without a network.
// `SITE` is written in front of this by the build: {version, files: {path: sha256 in base64}}

const CACHE = `knyf-${SITE.version}`;
const base = new URL("./", self.location);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(base.href)) event.respondWith(answer(event));
});

/** All files or none: a single one that is missing or damaged, and this version is not installed. */
async function install() {
  const cache = await caches.open(CACHE);
  try {
    for (const [path, hash] of Object.entries(SITE.files)) {
      const freshness = path.startsWith("assets/") ? "default" : "no-cache"; // a name with a hash is never out of date
      const response = await fetch(new URL(path, base), { cache: freshness, integrity: `sha256-${hash}` });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await cache.put(new URL(path, base), response);
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

async function answer(event) {
  const url = new URL(event.request.url);
  const isDamaged = url.search === "?fresh"; // so says the page of what it was given before
  url.search = url.hash = "";
  if (url.href === base.href) url.pathname += "index.html";
  if (isDamaged) return renew(url, event);
  const kept = await caches.match(url, { cacheName: CACHE }).catch(() => undefined); // the storage may be out of order
  return kept ?? fetch(event.request);
}

/** From the network, past all caches; what is as it should be takes the place of what was kept. */
async function renew(url, event) {
  const hash = SITE.files[url.href.slice(base.href.length)];
  const response = await fetch(url, { cache: "reload", integrity: hash ? `sha256-${hash}` : "" });
  const copy = response.clone();
  if (hash && response.ok) event.waitUntil(caches.open(CACHE).then((cache) => cache.put(url, copy)));
  return response;
}
