import { expect, test } from "vitest";
import { type CopyFacts, type DecodedFacts, decideCopy } from "./decide.ts";

const MP4 = "mp4";
const WEBM = "webm";
const WHOLE: DecodedFacts = { seconds: 10, brokenPackets: 0, brokenAtEnd: 0, startSeconds: 0, driftSeconds: 0 };
const decodedAs = (changes: Partial<DecodedFacts>): Partial<CopyFacts> => ({ decoded: { ...WHOLE, ...changes } });
const createFacts = (
  type: string,
  encoding: string,
  overrides: Partial<CopyFacts> & { bitrate?: string; lossless?: boolean; sampleRate?: number } = {},
): CopyFacts => ({
  type,
  audio: { encoding, lossless: overrides.lossless ?? false, bitrate: overrides.bitrate ?? "192000", sampleRate: overrides.sampleRate ?? 44_100 },
  video: null,
  declaredSeconds: 10,
  decoded: WHOLE,
  fragmented: false,
  leadingBytes: 0,
  ...overrides,
});
const createVideoFacts = (type: string, videoEncoding: string, audioEncoding: string | null, pixelFormat = "yuv420p"): CopyFacts => ({
  ...createFacts(type, audioEncoding ?? ""),
  ...(audioEncoding ? {} : { audio: null }),
  video: { encoding: videoEncoding, pixelFormat },
});

test.each([
  ["m4a", createFacts(MP4, "aac"), "none"],
  ["m4a with long blocks", createFacts(MP4, "aac", { sampleRate: 16_000 }), "encode"],
  ["m4a that was cut", createFacts(MP4, "aac", decodedAs({ seconds: 7 })), "remux"],
  ["m4a with a damaged part", createFacts(MP4, "aac", decodedAs({ brokenPackets: 1 })), "encode"],
  ["m4a with a damaged end", createFacts(MP4, "aac", decodedAs({ brokenAtEnd: 1 })), "encode"],
  ["m4a with a hole in its timestamps", createFacts(MP4, "aac", decodedAs({ driftSeconds: 0.3 })), "encode"],
  ["m4a whose audio starts late", createFacts(MP4, "aac", decodedAs({ startSeconds: 0.3 })), "remux"],
  ["m4a without a sample", createFacts(MP4, "aac", decodedAs({ seconds: 0 })), "none"],
  ["mp3", createFacts("mp3", "mp3"), "encode"],
  ["mp3 in mp4", createFacts(MP4, "mp3"), "encode"],
  ["mp3 in matroska", createFacts("matroska", "mp3"), "encode"],
  ["aac above 320 kb/s", createFacts(MP4, "aac", { bitrate: "500000" }), "encode"],
  ["wav", createFacts("wav", "pcm_s16le", { lossless: true }), "encode"],
  ["flac", createFacts("flac", "flac", { lossless: true }), "encode"],
  ["windows media", createFacts("asf", "wmav2"), "encode"],
  ["vorbis in ogg", createFacts("ogg", "vorbis"), "encode"],
  ["opus in ogg", createFacts("ogg", "opus"), "encode"],
  ["voice note without duration", createFacts(WEBM, "opus", { declaredSeconds: 0 }), "encode"],
  ["finished webm", createFacts(WEBM, "opus"), "encode"],
  ["fragmented voice note of Safari's", createFacts(MP4, "aac", { fragmented: true }), "remux"],
  ["fragmented voice note of Chromium's", createFacts(MP4, "opus", { fragmented: true }), "encode"],
  ["opus in a finished mp4", createFacts(MP4, "opus"), "none"],
  ["bare aac", createFacts("aac", "aac"), "remux"],
  ["mp4 video", createVideoFacts(MP4, "h264", "aac"), "none"],
  ["ten bit video", createVideoFacts(MP4, "h264", "aac", "yuv420p10le"), "video"],
  ["hevc", createVideoFacts(MP4, "hevc", "aac"), "video"],
  ["h264 in matroska", createVideoFacts("matroska", "h264", "aac"), "video"],
  ["vp9 in matroska", createVideoFacts("matroska", "vp9", "opus"), "remux"],
  ["quicktime that could be mp4", createVideoFacts("mov", "h264", "aac"), "remux"],
  ["aac in matroska", createFacts("matroska", "aac"), "remux"],
  ["opus in matroska", createFacts("matroska", "opus"), "encode"],
  ["aac in webm", createFacts(WEBM, "aac"), "remux"],
  ["vp9 webm", createVideoFacts(WEBM, "vp9", "opus"), "none"],
  ["recorded webm without duration", { ...createVideoFacts(WEBM, "vp8", "opus"), declaredSeconds: 0 }, "remux"],
  ["fragmented mp4 video", { ...createVideoFacts(MP4, "h264", "aac"), fragmented: true }, "remux"],
  ["silent webm", createVideoFacts(WEBM, "av1", null), "none"],
  ["mp4 with pcm sound", createVideoFacts(MP4, "h264", "pcm_s16le"), "video"],
  ["avi", createVideoFacts("avi", "mpeg4", "mp3"), "video"],
])("%s", (_, facts, plan) => {
  expect(decideCopy(facts)).toBe(plan);
});
