import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createReleasingWriteStream, markReleasable } from "./released-bytes.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "talkback-released-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes with a buffer of their own, as those of a request are. */
const ownBytes = (size: number): Buffer => Buffer.from(Uint8Array.from(randomBytes(size)).buffer);

async function* unmarked(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

test("received bytes are complete on the disk, and their memory is free once they are written", async () => {
  // The first ones are written alone, those that wait meanwhile together.
  const chunks = [70_000, 1, 300_000, 65_536, 20].map(ownBytes);
  const expected = Buffer.concat(chunks);
  const path = join(folder, "a");
  await pipeline(markReleasable(unmarked(chunks)), createReleasingWriteStream(path, { flags: "wx", flush: true }));
  expect(readFileSync(path).equals(expected)).toBe(true);
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, 0, 0]);
});

test("bytes that are not marked, or share their buffer with others, stay", async () => {
  const [kept, whole] = [ownBytes(70_000), ownBytes(70_000)];
  const shared = whole.subarray(10, 50_000);
  await pipeline(unmarked([kept]), createReleasingWriteStream(join(folder, "b"), {}));
  await pipeline(markReleasable(unmarked([shared])), createReleasingWriteStream(join(folder, "c"), {}));
  expect(readFileSync(join(folder, "b")).equals(kept)).toBe(true);
  expect(readFileSync(join(folder, "c")).equals(shared)).toBe(true);
  expect([kept.byteLength, whole.byteLength]).toEqual([70_000, 70_000]);
});

test("bytes of a write that fails stay", async () => {
  const bytes = ownBytes(70_000);
  await expect(pipeline(markReleasable(Readable.from([bytes])), createReleasingWriteStream("/dev/full", { flags: "r+" }))).rejects.toMatchObject({
    code: "ENOSPC",
  });
  expect(bytes.byteLength).toBe(70_000);
});
