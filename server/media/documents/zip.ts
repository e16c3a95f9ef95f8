/** Reads parts of a zip within limits, one piece at a time. */
import type { Readable } from "node:stream";
import { open, type Entry, type ZipFile } from "yauzl";
import { damaged, DOCUMENT_LIMITS, encrypted, tooDense } from "./document-text.ts";

export interface Zip {
  /** The names of its files, in the order of the zip. */
  names: ReadonlySet<string>;
  /** Yields the file's bytes; nothing if the zip does not have it. Throws once it unpacks to more than a document does. */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

/** Below this size no ratio is too high. */
const SMALL_BYTES = 1_000_000;

export async function openZip(path: string): Promise<Zip> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false, strictFileNames: false }, (error, file) => (error ? reject(damaged()) : resolve(file))),
  );
  const entries = await listEntries(zip);
  return {
    names: new Set(entries.keys()),
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) return;
      if (entry.isEncrypted()) throw encrypted();
      if (entry.uncompressedSize > DOCUMENT_LIMITS.partBytes || isTooDense(entry)) throw tooDense();
      const stream = await new Promise<Readable>((resolve, reject) =>
        zip.openReadStream(entry, (error, opened) => (error ? reject(damaged()) : resolve(opened))),
      );
      // The library ends the stream with an error if there is more than the zip says.
      try {
        for await (const chunk of stream) yield chunk as Buffer;
      } finally {
        stream.destroy();
      }
    },
    close: () => zip.close(),
  };
}

const isTooDense = ({ uncompressedSize, compressedSize }: Entry): boolean =>
  uncompressedSize > SMALL_BYTES && uncompressedSize > compressedSize * DOCUMENT_LIMITS.compressionRatio;

/** The first of several files with one name counts. */
const listEntries = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on("error", () => reject(damaged()));
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      if (entries.size > DOCUMENT_LIMITS.zipEntries) reject(tooDense());
      else zip.readEntry();
    });
    zip.readEntry();
  });
