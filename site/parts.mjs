// The parts of the site that are too large for pages and scripts: fetched with progress, checked, and unpacked.

import { ZSTDDecoder } from "zstddec";

/**
 * @param config parts: name → address, packed and sizes: name → number of bytes before and after unpacking
 * @param given parts that came with the page, in the single file: name → ArrayBuffer, still packed
 * @param progress (name, loaded) is called while a part arrives
 */
export class Parts {
  constructor(config, given, progress) {
    Object.assign(this, { config, given, progress });
    this.decoder = new ZSTDDecoder();
    this.ready = this.decoder.init();
  }

  async get(name) {
    const [packed] = await Promise.all([this.packed(name, "default"), this.ready]);
    return this.unpacked(name, packed) ?? this.again(name);
  }

  /** What is damaged may be so in a cache only: once more, past all of them. */
  async again(name) {
    const bytes = this.given ? null : this.unpacked(name, await this.packed(name, "reload"));
    if (!bytes) throw new Error(`${name} is damaged`);
    return bytes;
  }

  unpacked(name, packed) {
    try {
      const bytes = this.decoder.decode(packed, this.config.sizes[name]); // has a checksum inside
      return bytes.length === this.config.sizes[name] ? bytes : null;
    } catch {
      return null;
    }
  }

  async packed(name, cache) {
    if (this.given) return new Uint8Array(this.given[name]);
    const url = new URL(this.config.parts[name], this.config.base);
    if (cache === "reload") url.search = "fresh"; // tells our service worker to ask the network
    const response = await fetch(url, { cache });
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    return this.received(name, response);
  }

  async received(name, response) {
    const bytes = new Uint8Array(this.config.packed[name]);
    let loaded = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return bytes; // what is missing is found when it is unpacked
      bytes.set(value.subarray(0, bytes.length - loaded), loaded);
      loaded = Math.min(loaded + value.length, bytes.length);
      this.progress(name, loaded);
    }
  }
}
