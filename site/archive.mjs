// Archives of files: zips whose entries are stored as they are, since the whole archive is compressed on its way here.

const ENTRY = 0x04034b50; // "PK\3\4": the header before each file

/** The files of an archive: pairs of a path and its bytes. */
export function* entries(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const decoder = new TextDecoder();
  for (let at = 0; view.getUint32(at, true) === ENTRY; ) {
    const size = view.getUint32(at + 18, true);
    const name = at + 30;
    const content = name + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    yield [
      decoder.decode(archive.subarray(name, name + view.getUint16(at + 26, true))),
      archive.subarray(content, content + size),
    ];
    at = content + size;
  }
}

/** Write the files of an archive to Pyodide's file system, below a folder. They are not copied: keep the archive. */
export function unpack(archive, files, folder) {
  const made = new Set();
  for (const [path, content] of entries(archive)) {
    const parent = `${folder}/${path}`.replace(/\/[^/]*$/, "");
    if (!made.has(parent)) files.mkdirTree(parent);
    made.add(parent);
    files.writeFile(`${folder}/${path}`, content, { canOwn: true });
  }
}
