/**
 * Frees the memory of received bytes as soon as they are on the disk. The garbage collector would free them too, but it counts them with all other memory,
 * and collects everything for every 64 MB of an upload.
 */
import fs, { createWriteStream, type WriteStream } from "node:fs";

/** Buffers that nothing but the stream from the connection to the disk refers to. */
const releasable = new WeakSet<Uint8Array>();

/** Marks bytes that have a buffer of their own, and that nobody reads once they are written. */
export async function* markReleasable(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    if (chunk.byteLength === chunk.buffer.byteLength) releasable.add(chunk);
    yield chunk;
  }
}

function release(bytes: NodeJS.ArrayBufferView): void {
  // A transferred buffer of no length owns no memory, and neither does the former one.
  if (bytes instanceof Uint8Array && releasable.delete(bytes)) (bytes.buffer as ArrayBuffer).transfer(0);
}

const sizeOf = (buffers: readonly NodeJS.ArrayBufferView[]): number => buffers.reduce((size, { byteLength }) => size + byteLength, 0);

/** `node:fs` whose complete writes release what they have written. */
const releasingFs = {
  ...fs,
  write: ((fd: number, buffer: Buffer, offset: number, length: number, position: number | null, done: (...results: unknown[]) => void): void =>
    fs.write(fd, buffer, offset, length, position, (error, written, bytes) => {
      if (!error && offset + written === buffer.byteLength) release(buffer);
      done(error, written, bytes);
    })) as typeof fs.write,
  writev: ((fd: number, buffers: Buffer[], position: number | null, done: (...results: unknown[]) => void): void => {
    const size = sizeOf(buffers);
    fs.writev(fd, buffers, position as number, (error, written, bytes) => {
      if (!error && written === size) buffers.forEach(release);
      done(error, written, bytes);
    });
  }) as typeof fs.writev,
};

/** Bytes that wait for a write under way; the next write takes them together. */
const WAITING_BYTES = 512 * 1024;

/** A write stream that frees the bytes marked by `markReleasable` once they are written. */
export const createReleasingWriteStream = (path: string, options: NonNullable<Exclude<Parameters<typeof createWriteStream>[1], string>>): WriteStream =>
  createWriteStream(path, { highWaterMark: WAITING_BYTES, ...options, fs: releasingFs });
