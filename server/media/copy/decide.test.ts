import { expect, test } from "vitest";
import { type CopyFacts, decideCopy } from "./decide.ts";

const MP4 = "mp4";
const WEBM = "webm";
const facts = (type: string, encoding: string, more: Partial<CopyFacts> & { bitrate?: string; lossless?: boolean } = {}): CopyFacts => ({
  type,
  audio: { encoding, lossless: more.lossless ?? false, bitrate: more.bitrate ?? "192000" },
  video: null,
  promisedSeconds: 10,
  fragmented: false,
  ...more,
});
const video = (type: string, picture: string, sound: string | null, pixelFormat = "yuv420p"): CopyFacts => ({
  ...facts(type, sound ?? ""),
  ...(sound ? {} : { audio: null }),
  video: { encoding: picture, pixelFormat },
});

test.each([
  ["mp3", facts("mp3", "mp3"), "none"],
  ["mp3 at 320 kb/s", facts("mp3", "mp3", { bitrate: "320000" }), "none"],
  ["aac above 320 kb/s", facts(MP4, "aac", { bitrate: "500000" }), "encode"],
  ["wav", facts("wav", "pcm_s16le", { lossless: true }), "encode"],
  ["flac", facts("flac", "flac", { lossless: true }), "encode"],
  ["windows media", facts("asf", "wmav2"), "encode"],
  ["ogg", facts("ogg", "vorbis"), "none"],
  ["voice note without duration", facts(WEBM, "opus", { promisedSeconds: 0 }), "encode"],
  ["finished webm", facts(WEBM, "opus"), "encode"],
  ["fragmented voice note of Safari's", facts(MP4, "aac", { fragmented: true }), "remux"],
  ["fragmented voice note of Chromium's", facts(MP4, "opus", { fragmented: true }), "encode"],
  ["opus in a finished mp4", facts(MP4, "opus"), "none"],
  ["bare aac", facts("aac", "aac"), "remux"],
  ["mp4 video", video(MP4, "h264", "aac"), "none"],
  ["ten bit video", video(MP4, "h264", "aac", "yuv420p10le"), "video"],
  ["hevc", video(MP4, "hevc", "aac"), "video"],
  ["h264 in matroska", video("matroska", "h264", "aac"), "video"],
  ["vp9 in matroska", video("matroska", "vp9", "opus"), "remux"],
  ["quicktime that could be mp4", video("mov", "h264", "aac"), "remux"],
  ["aac in matroska", facts("matroska", "aac"), "remux"],
  ["opus in matroska", facts("matroska", "opus"), "encode"],
  ["aac in webm", facts(WEBM, "aac"), "remux"],
  ["vp9 webm", video(WEBM, "vp9", "opus"), "none"],
  ["recorded webm without duration", { ...video(WEBM, "vp8", "opus"), promisedSeconds: 0 }, "remux"],
  ["fragmented mp4 video", { ...video(MP4, "h264", "aac"), fragmented: true }, "remux"],
  ["silent webm", video(WEBM, "av1", null), "none"],
  ["mp4 with pcm sound", video(MP4, "h264", "pcm_s16le"), "video"],
  ["avi", video("avi", "mpeg4", "mp3"), "video"],
])("%s", (_, given, plan) => {
  expect(decideCopy(given)).toBe(plan);
});
