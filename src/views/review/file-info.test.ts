import { expect, test } from "vitest";
import type { AudioFileInfo, FileInfoResponse } from "../../../contract/records.ts";
import { documentedInfo, extendedInfo } from "./file-info.fixture.ts";
import {
  bpmOf,
  confidenceOf,
  downloadUrl,
  failureOf,
  loudnessOf,
  modelStateOf,
  getOriginal,
  parsePosition,
  toTrack,
  typeOf,
  versionOf,
  parseVersion,
} from "./file-info.ts";

test("documented members alone cause no error, and extensions are empty", () => {
  const { common, ai_tags, file_info } = documentedInfo;
  expect([versionOf(common), failureOf(common), modelStateOf(ai_tags)]).toEqual([null, null, null]);
  expect(loudnessOf(file_info as AudioFileInfo)).toMatchObject({ integrated: null, range: null, truePeak: null });
  expect(confidenceOf(ai_tags, "bpm")).toBeNull();
  expect(toTrack(documentedInfo)).toEqual({
    fileId: 7,
    version: null,
    name: "mix.wav",
    src: "https://service.test/mix.wav",
    duration: 222.1,
    wave: [0, 0.5, 1],
    projectId: 3,
  });
});

test("extension members are read", () => {
  expect(versionOf(extendedInfo.common)).toBe(4);
  expect(loudnessOf(extendedInfo.file_info as AudioFileInfo)).toMatchObject({ integrated: -14.2, range: null, truePeak: -1, samplePeak: null });
  expect(modelStateOf(extendedInfo.ai_tags)).toBe("no-model");
  expect(confidenceOf(extendedInfo.ai_tags, "key")).toBe(0.7);
  expect(toTrack(extendedInfo)?.src).toBe("https://service.test/mix.m4a");
});

test("extension members of another type are ignored", () => {
  const malformed: FileInfoResponse = {
    ...documentedInfo,
    common: { ...documentedInfo.common, version: "4", failure: 3 },
    ai_tags: { ...documentedInfo.ai_tags, model: "none", bpm_confidence: "high" },
    file_info: { ...(documentedInfo.file_info as AudioFileInfo), loudness: null },
  };
  expect([versionOf(malformed.common), failureOf(malformed.common), modelStateOf(malformed.ai_tags)]).toEqual([null, null, null]);
  expect(loudnessOf(malformed.file_info as AudioFileInfo).integrated).toBeNull();
});

test("a video is played like audio, with the waveform of its sound where there is one", () => {
  const video = { ...documentedInfo, file_info: { object: "video_file_info" as const, duration: 12, wave: [0.5] } };
  expect(toTrack(video)).toMatchObject({ isVideo: true, duration: 12, wave: [0.5] });
  expect(toTrack({ ...documentedInfo, file_info: { object: "video_file_info" } })).toMatchObject({ isVideo: true, duration: 0, wave: [] });
});

test("the original plays on request when there is a copy beside it", () => {
  expect(toTrack(extendedInfo, true)).toMatchObject({ src: extendedInfo.common.url, isOriginal: true });
  expect(toTrack(documentedInfo, true)).toMatchObject({ src: documentedInfo.common.url });
  expect(toTrack(documentedInfo, true)).not.toHaveProperty("isOriginal");
  expect(getOriginal(documentedInfo, () => true)).toBeNull();
  expect(getOriginal(extendedInfo, (type) => type !== "audio/wav")).toEqual({ isLossless: true, type: "audio/wav", isPlayable: false });
  const lossy = { ...extendedInfo, file_info: { ...(extendedInfo.file_info as AudioFileInfo), audio_encoding: "mp3" } };
  expect(getOriginal(lossy, () => true)).toMatchObject({ isLossless: false, isPlayable: true });
});

test.each(["waiting", "transcoding", "failed"])("a file whose duration is unknown while it is %s has no track yet", (transcoding_status) => {
  const common = { ...documentedInfo.common, transcoding_status };
  const info = { ...documentedInfo, common, file_info: { ...(documentedInfo.file_info as AudioFileInfo), duration: 0 } };
  expect(toTrack(info)).toBeNull();
  expect(toTrack({ ...documentedInfo, common })?.duration).toBe(222.1);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a duration of %s is unknown", (duration) => {
  expect(toTrack({ ...documentedInfo, file_info: { ...(documentedInfo.file_info as AudioFileInfo), duration } })?.duration).toBe(0);
  expect(bpmOf({ ...documentedInfo, ai_tags: { ...documentedInfo.ai_tags, bpm: duration } })).toBe(0);
});

test("the corrected tempo wins over the detected one", () => {
  expect(bpmOf(extendedInfo)).toBe(128);
  expect(bpmOf({ ...extendedInfo, file_info: { ...(extendedInfo.file_info as AudioFileInfo), bpm: 64 } })).toBe(64);
});

test.each([
  ["v=3", 3],
  ["", null],
  ["v=0", null],
  ["v=1.5", null],
  ["v=new", null],
])("?%s is version %s", (search, version) => expect(parseVersion(new URLSearchParams(search))).toBe(version));

test("a document has no track", () => {
  expect(toTrack({ ...documentedInfo, file_info: { object: "document_file_info" } })).toBeNull();
});

test.each([
  ["t=83.4", 83.4],
  ["t=0", 0],
  ["", null],
  ["t=", null],
  ["t=-3", null],
  ["t=1:23", null],
  ["t=Infinity", null],
])("?%s opens at %s", (search, seconds) => expect(parsePosition(new URLSearchParams(search))).toBe(seconds));

test.each([
  ["https://s.test/a.wav", 1, "https://s.test/a.wav?download=1"],
  ["https://s.test/a?x=1", 1, "https://s.test/a?x=1&download=1"],
  ["https://s.test/a?x=1", undefined, "https://s.test/a?x=1"],
  ["", 1, null],
])("%s with version %s is downloaded from %s", (url, version, saved) => expect(downloadUrl({ ...documentedInfo.common, url, version })).toBe(saved));

test.each([
  ["audio/wav", "mix.wav", "audio/wav"],
  ["application/octet-stream", "brief.txt", "TXT"],
  [undefined, "session.7z", "7Z"],
  ["application/octet-stream", "README", "application/octet-stream"],
  [undefined, ".profile", null],
])("%s named %s has type %s", (media_type, name, type) => expect(typeOf({ ...documentedInfo.common, media_type, name })).toBe(type));
