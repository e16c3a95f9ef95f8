import { describe, expect, test } from "vitest";
import { buildUpload } from "../../../sync/uploads/upload.fixture.ts";
import type { Upload, UploadTarget } from "../../../sync/uploads/upload.ts";
import {
  addSample,
  commonFolder,
  formatProgress,
  formatTimeLeft,
  formatHeadline,
  matchLostFiles,
  NO_SAMPLES,
  type SpeedSamples,
  estimateSecondsLeft,
  sortUploads,
  measureSpeed,
  summarizeUploads,
} from "./upload-progress.ts";

const into = (path = "", folderId = 5): UploadTarget => ({ kind: "folder", folderId, folderName: "Stems", path });
const upload = (state: Upload["state"], changes: Partial<Upload> = {}) => buildUpload({ state, target: into(), ...changes });
const headlineOf = (...uploads: Upload[]) => formatHeadline(summarizeUploads(uploads), commonFolder(uploads));

describe("the summary of all uploads", () => {
  test("counts uploads by state and by bytes", () => {
    const all = [upload("uploading", { sent: 500 }), upload("queued"), upload("done"), upload("failed"), upload("lost"), upload("paused", { sent: 500 })];
    expect(summarizeUploads(all)).toEqual({
      totalCount: 6,
      doneCount: 1,
      activeCount: 2,
      pausedCount: 1,
      failedCount: 1,
      lostCount: 1,
      unpersistedCount: 0,
      bytesLeft: 2_000,
      percent: 50,
    });
  });

  test("reaches 100% only after the last transfer has ended", () => {
    expect(summarizeUploads([upload("uploading", { sent: 1_000 })]).percent).toBe(99);
    expect(summarizeUploads([upload("done"), upload("failed")]).percent).toBe(100);
  });

  test("counts active uploads that a reload would lose", () => {
    const all = [upload("queued", { isPersisted: false }), upload("queued", { isPersisted: true }), upload("queued"), upload("done", { isPersisted: false })];
    expect(summarizeUploads(all)).toMatchObject({ unpersistedCount: 1 });
  });

  test("the headline shows the most important state", () => {
    expect(headlineOf(upload("uploading"), upload("failed"))).toBe("Uploading 1 file to Stems");
    expect(headlineOf(upload("done"), upload("failed"), upload("lost"))).toBe("2 files need attention");
    expect(headlineOf(upload("paused"), upload("done"))).toBe("1 upload paused");
    expect(headlineOf(upload("done"), upload("done"))).toBe("2 files uploaded to Stems");
    expect(headlineOf(upload("done"), upload("done", { target: into("", 6) }))).toBe("2 files uploaded");
    expect(headlineOf(upload("uploading", { target: { kind: "version", fileId: 1, fileName: "mix.wav" } }))).toBe("Uploading 1 file");
  });

  test("the detail line shows speed and time left while bytes move", () => {
    expect(formatProgress(summarizeUploads([upload("uploading", { sent: 250 })]), 42_300_000, 190)).toBe("0 of 1 · 25% · 42.3 MB/s · About 3 minutes left");
    expect(formatProgress(summarizeUploads([upload("done")]), 42_300_000, 190)).toBe("1 of 1 · 100%");
  });

  test.each([
    [20, "Less than a minute left"],
    [61, "About 1 minute left"],
    [1_500, "About 25 minutes left"],
    [7_300, "About 2 hours left"],
  ])("formats %i seconds as time left", (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text));

  test("uploads that need attention come first, finished ones last", () => {
    const all = [upload("done", { id: "a" }), upload("queued", { id: "b" }), upload("failed", { id: "c" }), upload("uploading", { id: "d" })];
    expect(sortUploads(all).map(({ id }) => id)).toEqual(["c", "b", "d", "a"]);
  });
});

describe("files selected for interrupted uploads", () => {
  const file = (name: string, path = "", bytes = 1_000) => ({ file: new File(["x".repeat(bytes)], name), path });
  const lost = (id: string, name: string, path: string) => upload("lost", { id, name, target: into(path) });
  const matched = (uploads: Upload[], files: { file: File; path: string }[]) => matchLostFiles(uploads, files).map(({ id, file: { name } }) => `${id} ${name}`);

  test("match uploads by name, size and path", () => {
    const uploads = [lost("a", "kick.wav", "Old"), lost("b", "kick.wav", "New"), lost("c", "bass.wav", "New")];
    const files = [file("kick.wav", "New"), file("kick.wav", "Old"), file("bass.wav", "New", 7)];
    const matches = matchLostFiles(uploads, files);
    expect(matches.map(({ id, file: matchedFile }) => [id, files.find((known) => known.file === matchedFile)?.path])).toEqual([
      ["a", "Old"],
      ["b", "New"],
    ]);
  });

  test("match by name and size when files have no path, each file once", () => {
    expect(matched([lost("a", "kick.wav", "Old"), lost("b", "kick.wav", "New")], [file("kick.wav")])).toEqual(["a kick.wav"]);
    expect(matched([lost("a", "kick.wav", "Old")], [file("kick.wav", "New")])).toEqual([]);
  });
});

/** Samples one upload once a second, with these numbers of sent bytes. */
const sampled = (sent: number[], from: SpeedSamples = NO_SAMPLES) =>
  sent.reduce((samples, bytes, second) => addSample(samples, [{ id: "u1", sent: bytes }], second * 1_000), from);

test("speed is known after two seconds, from the bytes sent in between", () => {
  expect(measureSpeed(sampled([0, 1_000]))).toBeNull();
  expect(measureSpeed(sampled([0, 1_000, 2_000, 3_000]))).toBe(1_000);
});

test("speed follows recent samples and ignores old ones", () => {
  const fast = Array.from({ length: 30 }, (_, second) => second * 9_000);
  const slow = Array.from({ length: 30 }, (_, second) => fast.at(-1)! + second * 1_000);
  expect(measureSpeed(sampled([...fast, ...slow]))).toBe(1_000);
});

test("speed ignores bytes sent before a reload, and a restarted upload never counts as negative", () => {
  expect(measureSpeed(sampled([0, 700_000_000, 700_001_000, 700_002_000]))).toBeCloseTo(2_000 / 3);
  expect(measureSpeed(sampled([0, 3_000, 0, 3_000]))).toBe(2_000);
});

test("speed includes small files that finish between two samples", () => {
  let samples = addSample(
    NO_SAMPLES,
    [
      { id: "a", sent: 0 },
      { id: "b", sent: 0 },
    ],
    0,
  );
  samples = addSample(
    samples,
    [
      { id: "a", sent: 500 },
      { id: "b", sent: 0 },
    ],
    1_000,
  );
  samples = addSample(samples, [{ id: "b", sent: 500 }], 2_000);
  expect(measureSpeed(samples)).toBe(500);
});

test("time left is the remaining bytes divided by the speed, and unknown without a speed", () => {
  expect(estimateSecondsLeft(6_000, 1_000)).toBe(6);
  expect(estimateSecondsLeft(6_000, 0)).toBeNull();
  expect(estimateSecondsLeft(6_000, null)).toBeNull();
});
