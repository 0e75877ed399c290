// What differs from one run of a program to the next: the time, chance, and where it lies. Python keeps all of it in its
// memory (when folders were read, the state of `random`, its own name), and two builds must give the same bytes.

import crypto from "node:crypto";

const NOW = Date.UTC(2020, 0, 1);

/** From now on the clock stands still, random numbers follow from nothing, and the program has no folder and no zone. */
export function alwaysTheSame() {
  globalThis.Date = class extends Date {
    constructor(...given) {
      super(...(given.length ? given : [NOW]));
    }
    static now = () => NOW;
  };
  performance.now = () => 0;
  crypto.randomFillSync = globalThis.crypto.getRandomValues = fill;
  process.argv[1] = "knyf";
  process.env.TZ = "UTC";
}

let last = 1;

function fill(bytes) {
  for (let i = 0; i < bytes.length; i++) bytes[i] = (last = (last * 48271) % 0x7fffffff) >>> 8;
  return bytes;
}
