import { expect, test } from "vitest";
import { containerType } from "./kind.ts";

/** Names under which FFmpeg reports several containers. */
const MP4 = "mov,mp4,m4a,3gp,3g2,mj2";
const MATROSKA = "matroska,webm";

test.each([
  [MP4, "\0\0\0\x20ftypisom", "mp4"],
  [MP4, "\0\0\0\x20ftypM4A ", "mp4"],
  [MP4, "\0\0\0\x14ftypqt  ", "mov"],
  [MP4, "\0\0\0\x08wide\0\0\0\0mdat", "mov"],
  [MATROSKA, "\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm", "webm"],
  [MATROSKA, "\x1aE\xdf\xa3\xa3B\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x88matroska", "matroska"],
  ["ogg", "OggS", "ogg"],
  ["mp3", "", "mp3"],
])("%s starting with %j is %s", (name, head, type) => {
  expect(containerType(name, Buffer.from(head, "latin1"))).toBe(type);
});
