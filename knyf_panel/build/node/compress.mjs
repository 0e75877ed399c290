// node compress.mjs <file> … : writes <file>.zst beside each, as small as zstd can.

import fs from "node:fs";
import zlib from "node:zlib";

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog, ZSTD_c_checksumFlag } = zlib.constants;
const params = { [ZSTD_c_compressionLevel]: 22, [ZSTD_c_windowLog]: 26, [ZSTD_c_checksumFlag]: 1 };
for (const file of process.argv.slice(2)) {
  fs.writeFileSync(`${file}.zst`, zlib.zstdCompressSync(fs.readFileSync(file), { params }));
}
