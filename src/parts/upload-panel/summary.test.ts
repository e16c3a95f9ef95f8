import { describe, expect, test } from "vitest";
import { buildUpload } from "../../queries/uploads/upload.fixture.ts";
import type { Upload, UploadTarget } from "../../queries/uploads/upload.ts";
import { detail, headline, sortUploads, matchLostFiles, commonFolder, summarizeUploads, formatTimeLeft } from "./summary.ts";

const into = (path = "", folderId = 5): UploadTarget => ({ kind: "folder", folderId, folderName: "Stems", path });
const upload = (state: Upload["state"], changes: Partial<Upload> = {}) => buildUpload({ state, target: into(), ...changes });
const headlineOf = (...uploads: Upload[]) => headline(summarizeUploads(uploads), commonFolder(uploads));

describe("all uploads together", () => {
  test("count by what they need, and by bytes", () => {
    const all = [upload("uploading", { sent: 500 }), upload("queued"), upload("done"), upload("failed"), upload("lost"), upload("paused", { sent: 500 })];
    expect(summarizeUploads(all)).toEqual({
      all: 6,
      done: 1,
      moving: 2,
      paused: 1,
      failed: 1,
      lost: 1,
      unpersisted: 0,
      copying: 2,
      bytesLeft: 2_000,
      percent: 50,
    });
  });

  test("are never said to be all there before they are", () => {
    expect(summarizeUploads([upload("uploading", { sent: 1_000 })]).percent).toBe(99);
    expect(summarizeUploads([upload("done"), upload("failed")]).percent).toBe(100);
  });

  test("tell those that a reload would lose, while they go on", () => {
    const all = [upload("queued", { kept: false }), upload("queued", { kept: true }), upload("queued"), upload("done", { kept: false })];
    expect(summarizeUploads(all)).toMatchObject({ unpersisted: 1, copying: 1 });
  });

  test("the first line says what matters most", () => {
    expect(headlineOf(upload("uploading"), upload("failed"))).toBe("Uploading 1 file to Stems");
    expect(headlineOf(upload("done"), upload("failed"), upload("lost"))).toBe("2 files need attention");
    expect(headlineOf(upload("paused"), upload("done"))).toBe("1 upload paused");
    expect(headlineOf(upload("done"), upload("done"))).toBe("2 files uploaded to Stems");
    expect(headlineOf(upload("done"), upload("done", { target: into("", 6) }))).toBe("2 files uploaded");
    expect(headlineOf(upload("uploading", { target: { kind: "version", fileId: 1, fileName: "mix.wav" } }))).toBe("Uploading 1 file");
  });

  test("the second says how fast and how long, as long as something moves", () => {
    expect(detail(summarizeUploads([upload("uploading", { sent: 250 })]), 42_300_000, 190)).toBe("0 of 1 · 25 % · 42.3 MB/s · About 3 minutes left");
    expect(detail(summarizeUploads([upload("done")]), 42_300_000, 190)).toBe("1 of 1 · 100 %");
  });

  test.each([
    [20, "Less than a minute left"],
    [61, "About 1 minute left"],
    [1_500, "About 25 minutes left"],
    [7_300, "About 2 hours left"],
  ])("%i seconds", (seconds, text) => expect(formatTimeLeft(seconds)).toBe(text));

  test("those that need somebody stand first, those that are done last", () => {
    const all = [upload("done", { id: "a" }), upload("queued", { id: "b" }), upload("failed", { id: "c" }), upload("uploading", { id: "d" })];
    expect(sortUploads(all).map(({ id }) => id)).toEqual(["c", "b", "d", "a"]);
  });
});

describe("files that are chosen again", () => {
  const file = (name: string, path = "", bytes = 1_000) => ({ file: new File(["x".repeat(bytes)], name), path });
  const lost = (id: string, name: string, path: string) => upload("lost", { id, name, target: into(path) });
  const matched = (uploads: Upload[], files: { file: File; path: string }[]) => matchLostFiles(uploads, files).map(({ id, file: { name } }) => `${id} ${name}`);

  test("go to the uploads of their name, size and path", () => {
    const uploads = [lost("a", "kick.wav", "Old"), lost("b", "kick.wav", "New"), lost("c", "bass.wav", "New")];
    const files = [file("kick.wav", "New"), file("kick.wav", "Old"), file("bass.wav", "New", 7)];
    const matches = matchLostFiles(uploads, files);
    expect(matches.map(({ id, file: matchedFile }) => [id, files.find((known) => known.file === matchedFile)?.path])).toEqual([
      ["a", "Old"],
      ["b", "New"],
    ]);
  });

  test("without paths by name and size alone, each once", () => {
    expect(matched([lost("a", "kick.wav", "Old"), lost("b", "kick.wav", "New")], [file("kick.wav")])).toEqual(["a kick.wav"]);
    expect(matched([lost("a", "kick.wav", "Old")], [file("kick.wav", "New")])).toEqual([]);
  });
});
