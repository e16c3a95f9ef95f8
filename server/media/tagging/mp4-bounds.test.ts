/** Work on hostile M4A files has a bound: reads of the storage, pieces of the copy, and bytes in memory. */
import { expect, test } from "vitest";
import { countReads, TAGS } from "./copies.fixture.ts";
import { createBox } from "./mp4-boxes.ts";
import { planTaggedCopy } from "./write-tags.ts";

const TYPE = createBox("ftyp", Buffer.from("M4A \0\0\0\0"));
const AUDIO = createBox("mdat", Buffer.alloc(64));
const manyBoxes = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => createBox("free")));
const table = (bytes: number): Buffer => createBox("stco", Buffer.alloc(bytes));
const inTrack = (...tables: Buffer[]): Buffer => ["stbl", "minf", "mdia", "trak"].reduce<Buffer>((body, type) => createBox(type, body), Buffer.concat(tables));
const namedItem = (children: number): Buffer => createBox("----", manyBoxes(children));
const inTags = (...items: Buffer[]): Buffer =>
  createBox(
    "udta",
    createBox("meta", Buffer.alloc(4), createBox("hdlr", Buffer.alloc(8), Buffer.from("mdirappl"), Buffer.alloc(9)), createBox("ilst", ...items)),
  );

async function plan(...movie: Buffer[]) {
  const { source, reads } = countReads(Buffer.concat([TYPE, createBox("moov", ...movie), AUDIO]));
  const pieces = await planTaggedCopy(source, "audio/mp4", TAGS);
  return { pieces: pieces?.length, reads: reads.length, bytes: reads.reduce((sum, length) => sum + length, 0) };
}

test("boxes nested without limit are not followed", async () => {
  let nested = createBox("free");
  for (let level = 0; level < 1_000; level += 1) nested = createBox(level % 2 === 0 ? "trak" : "moov", nested);
  const { pieces, reads } = await plan(nested);
  expect(pieces).toBeLessThan(15);
  expect(reads).toBeLessThan(8);
});

test("many boxes are read together, and a file with too many of them in all is refused", async () => {
  const allowed = await plan(createBox("trak", manyBoxes(9_000)));
  expect(allowed.pieces).toBeLessThan(8);
  expect(allowed.reads).toBeLessThan(12);
  for (const movie of [
    [createBox("trak", manyBoxes(6_000)), createBox("trak", manyBoxes(6_000))],
    [inTags(namedItem(4_000), namedItem(4_000), namedItem(4_000))],
    [inTags(namedItem(9_000), ...Array<Buffer>(985).fill(createBox("\xa9too")), namedItem(4_000))],
  ]) {
    const { pieces, reads } = await plan(...movie);
    expect(pieces).toBeUndefined();
    expect(reads).toBeLessThan(12);
  }
});

test("a file with tables and tags that are too long in all is refused before they are read", async () => {
  expect((await plan(inTrack(table(14_000_000)), inTrack(table(14_000_000)))).pieces).toBeGreaterThan(0);
  for (const movie of [
    [inTrack(table(14_000_000)), inTrack(table(14_000_000), table(14_000_000))],
    [inTags(createBox("covr", Buffer.alloc(20_000_000))), inTrack(table(14_000_000))],
  ]) {
    const { pieces, bytes } = await plan(...movie);
    expect(pieces).toBeUndefined();
    expect(bytes).toBeLessThan(33_000_000);
  }
});
