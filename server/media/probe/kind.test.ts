import { expect, test } from "vitest";
import { seeded } from "../testing/random.ts";
import { containerType, sniff } from "./kind.ts";

/** Names under which FFmpeg reports several containers. */
const MP4 = "mov,mp4,m4a,3gp,3g2,mj2";
const MATROSKA = "matroska,webm";

const text = (value: string): Buffer => Buffer.from(value, "utf8");
const bytes = (value: string): Buffer => Buffer.from(value, "latin1");

test.each([
  ["RIFF....WAVEfmt ", "media", "wave"],
  ["RF64\xff\xff\xff\xffWAVEds64", "media", "wave"],
  ["FORM....AIFFCOMM", "media", "aiff"],
  ["fLaC\0\0\0\x22", "media", "flac"],
  ["OggS\0\x02", "media", "ogg"],
  ["ID3\x04\0\0\0\0\0\0", "media", "id3"],
  ["\xff\xfb\x90\x64\0\0\0", "media", "mpeg-audio"],
  ["\xff\xf1\x50\x80\0\0", "media", "mpeg-audio"],
  ["\x1a\x45\xdf\xa3\x9f", "media", "matroska"],
  ["\0\0\0\x20ftypM4A \0\0\0\0", "media", "mp4"],
  ["\x89PNG\r\n\x1a\n\0\0", "image", "png"],
  ["\xff\xd8\xff\xe0\0\x10JFIF", "image", "jpeg"],
  ["GIF89a\x01\0", "image", "gif"],
  ["RIFF....WEBPVP8 ", "image", "webp"],
  ["\0\0\0\x1cftypavif\0\0", "image", "avif"],
  ["%PDF-1.7\n", "document", "pdf"],
  ["PK\x03\x04\x14\0", "document", "zip"],
  ["\x7fELF\x02", "document", "program"],
  ["MThd\0\0\0\x06", "document", "midi"],
])("%j is %s %s", (head, kind, type) => {
  expect(sniff(bytes(head))).toEqual({ kind, type });
});

test.each([
  ["#EXTM3U\n#EXTINF:1,\nhttp://10.0.0.1/secret.wav\n", "playlist"],
  ["ffconcat version 1.0\nfile '/etc/passwd'\n", "playlist"],
  ["file '/etc/passwd'\nfile 'b.wav'\n", "playlist"],
  ["v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=audio 5004 RTP/AVP 0\r\n", "playlist"],
  ['<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>file:///etc/</BaseURL></MPD>', "playlist"],
  ["[playlist]\nFile1=http://example.com/a.mp3\n", "playlist"],
  ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "svg"],
  ['<?xml version="1.0"?><svg onload="x()"/>', "xml"],
  ["<!doctype html><script>alert(1)</script>", "html"],
  ["Lyrics: la la la\n", "text"],
  ["Größe: 3 µm\n", "text"],
])("classifies text as a document: %j", (content, type) => {
  const result = sniff(text(content));
  expect(result.kind).toBe("document");
  if (type !== "xml") expect(result.type).toBe(type);
});

test("does not classify random bytes as media", () => {
  for (let seed = 1; seed < 200; seed++) {
    const random = seeded(seed);
    const result = sniff(Buffer.from(Array.from({ length: 512 }, () => Math.floor(random.next() * 256))));
    // Two random bytes may look like a frame header. The decoder then decides.
    expect(result.type === "mpeg-audio" || result.kind === "document").toBe(true);
  }
});

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
