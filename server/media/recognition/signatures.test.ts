import { InputFormat } from "node-av/lib";
import { expect, test } from "vitest";
import { matchSignature, MEDIA_DEMUXERS, UNREADABLE } from "./signatures.ts";

const text = (value: string): Buffer => Buffer.from(value, "utf8");
const bytes = (value: string): Buffer => Buffer.from(value, "latin1");

test.each([
  ["RIFF\x24\0\0\0WAVEfmt ", "media", "wave"],
  ["RF64\xff\xff\xff\xffWAVEds64\x1c\0", "media", "wave"],
  ["RIFX\0\0\0\x24WAVEfmt ", "media", "rifx"],
  ["FORM\0\0\0\x24AIFFCOMM", "media", "aiff"],
  ["fLaC\0\0\0\x22", "media", "flac"],
  ["OggS\0\x02", "media", "ogg"],
  ["\x1a\x45\xdf\xa3\x9f", "media", "matroska"],
  ["\0\0\0\x20ftypM4A \0\0\0\0", "media", "mp4"],
  ["\x01\x40\0\x08mdat\0\0\0\0", "media", "mp4"],
  ["\0\0\0\x18stypmsdh", "media", "mp4"],
  ["\x02\0\0\x18moov\0\0", "media", "mp4"],
  ["MAC \x96\x0f\0\0", "media", "ape"],
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
  expect(matchSignature(bytes(head))).toMatchObject({ kind, type });
});

test.each([
  ["#EXTM3U\n#EXTINF:1,\nhttp://10.0.0.1/secret.wav\n", "playlist"],
  ["ffconcat version 1.0\nfile '/etc/passwd'\n", "playlist"],
  ["file '/etc/passwd'\nfile 'b.wav'\n", "playlist"],
  ["v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=audio 5004 RTP/AVP 0\r\n", "playlist"],
  ['<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>file:///etc/</BaseURL></MPD>', "playlist"],
  ["[playlist]\nFile1=http://example.com/a.mp3\n", "playlist"],
  ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "svg"],
  ['<?xml version="1.0"?><svg onload="x()"/>', "svg"],
  ["<!doctype html><script>alert(1)</script>", "html"],
  ["#!/bin/sh\necho\n", "program"],
  ["%PDF-1.4\n% only text\n", "pdf"],
  ["Lyrics: la la la\n", "text"],
  ["Größe: 3 µm\n", "text"],
  // Each begins like a container.
  ["MAC addresses\n", "text"],
  ["Carefree days\n", "text"],
  ["caffeine\n", "text"],
  ["MP+ and MPCK\n", "text"],
  ["OggS, wvpk, fLaC\n", "text"],
])("text is a document: %j", (content, type) => {
  expect(matchSignature(text(content))).toEqual({ kind: "document", type, demuxer: null });
});

test("UTF-16 text is a document", () => {
  expect(matchSignature(Buffer.from("\uFEFFAll the words", "utf16le"))).toMatchObject({ kind: "document", type: "text" });
});

test("each demuxer exists and reads a file's own samples, and what has none has a name", () => {
  for (const name of MEDIA_DEMUXERS) expect(InputFormat.findInputFormat(name)?.name?.split(","), name).toContain(name);
  expect(MEDIA_DEMUXERS).not.toEqual(expect.arrayContaining([expect.stringMatching(/hls|dash|concat|sdp|rtsp|image2|tedcaptions|webvtt/)]));
  for (const head of ["RIFX\0\0\0\x24WAVEfmt ", "TTA2\x01\0"]) expect(UNREADABLE[matchSignature(bytes(head))!.type]).toMatch(/^[A-Z].* is not supported\./);
});
