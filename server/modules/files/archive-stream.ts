/** Streams a zip of stored blobs with yazl: uncompressed, of a length known in advance, one blob open at a time. */
import { createRequire } from "node:module";
import type { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { ZipFile } from "yazl";
import type { Storage } from "../../storage/storage.ts";

export interface ArchiveEntry {
  /** Separated by "/"; a folder's path ends with "/". */
  path: string;
  size: number;
  /** Epoch milliseconds. */
  changedAt: number;
  /** The key of its blob, or a function that opens its bytes; null for a folder. */
  content: string | (() => Promise<Readable>) | null;
  /** Of a stored file. */
  fileId?: number;
}

export interface ArchiveStream {
  /** Exact length in bytes. */
  length: number;
  /** Returns the bytes. They end in an error if a blob is missing or does not have its recorded size; destroying them closes the open blob. */
  start(): Readable;
}

// yazl computes checksums in JavaScript, which costs four times as much as all else in a download; Node's own function replaces that one.
(createRequire(import.meta.resolve("yazl"))("buffer-crc32") as { unsigned: typeof crc32 }).unsigned = crc32;

const FILE_MODE = 0o100644;
const FOLDER_MODE = 0o040755;
/** At most what one entry takes in the archive's directory, its path aside. */
const DIRECTORY_BYTES_PER_ENTRY = 46 + 9 + 28;
/** yazl writes consecutive folders in one go, recursively, and looks through all earlier entries for each. */
const FOLDERS_PER_TURN = 20;

/** Prepares a zip of these entries; nothing is opened before `start`. */
export async function createArchiveStream(storage: Pick<Storage, "open">, entries: readonly ArchiveEntry[]): Promise<ArchiveStream> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  let openBlob: Readable | undefined;
  const fail = (error: Error) => void output.destroy(error);
  zip.on("error", fail);
  output.once("close", () => openBlob?.destroy());

  async function open(content: string | (() => Promise<Readable>), size: number): Promise<Readable | null> {
    await started;
    if (output.destroyed) return null;
    // One byte more than recorded is enough for yazl to reject a blob that is too long.
    openBlob = typeof content === "string" ? await storage.open(content, { start: 0, end: size }) : await content();
    openBlob.on("error", fail);
    if (output.destroyed) openBlob.destroy();
    return output.destroyed ? null : openBlob;
  }

  for (const [index, { path, size, changedAt, content }] of [...orderEntries(entries)].entries()) {
    const mtime = new Date(changedAt);
    if (content === null) zip.addEmptyDirectory(path, { mtime, mode: FOLDER_MODE });
    else {
      zip.addReadStreamLazy(path, { size, mtime, mode: FILE_MODE, compress: false }, (deliver) => {
        open(content, size).then((blob) => blob && deliver(null, blob), fail);
      });
    }
    if (index % FOLDERS_PER_TURN === FOLDERS_PER_TURN - 1) await setImmediate();
  }

  let length = -1;
  const directoryBytes = entries.reduce((sum, { path }) => sum + Buffer.byteLength(path) + DIRECTORY_BYTES_PER_ENTRY, 0);
  // From 64 KiB of directory on, yazl counts a ZIP64 end record that it only writes if it is forced to.
  zip.end({ forceZip64Format: directoryBytes >= 0xffff, comment: "" }, (...[total]: number[]) => void (length = total ?? -1));
  if (length < 0) throw new Error("yazl did not compute the length of an archive");
  return {
    length,
    start() {
      start();
      return output;
    },
  };
}

/** Spreads the folders over the files, because yazl overflows the stack at thousands of folders in a row. Those that are too many come first. */
function* orderEntries(entries: readonly ArchiveEntry[]): Generator<ArchiveEntry> {
  const folders = entries.filter(({ content }) => content === null);
  const files = entries.filter(({ content }) => content !== null);
  let next = Math.max(0, folders.length - files.length * FOLDERS_PER_TURN);
  yield* folders.slice(0, next);
  for (const file of files) {
    yield* folders.slice(next, (next += FOLDERS_PER_TURN));
    yield file;
  }
}
