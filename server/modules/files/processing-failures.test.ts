/** Tests of media processing while the service itself is failing: a full disk, and workers that die silently. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { FileCommon } from "../../../contract/records.ts";
import { createQueue } from "../../jobs/queue.ts";
import { MINUTE } from "../../lib/clock.ts";
import { MediaFailure } from "../../media/failure.ts";
import { analyzeInProcess } from "../../media/testing/in-process.ts";
import { testSong, encodeAudio } from "../../testing/audio.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const TIMEOUT_MS = 60_000;

async function waitForFile(fixtures: Fixtures, id: number, isReady: (common: FileCommon) => boolean): Promise<FileCommon> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(20)) {
    const { common } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response;
    if (isReady(common)) return common;
    if (Date.now() > deadline) throw new Error(`Still ${common.transcoding_status}: ${String(common["failure"])}`);
  }
}

/** Mounts a disk of this size; returns null if the user lacks the permission. */
function mountSmallDisk(bytes: number): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return null;
  const mount = mkdtempSync(join(tmpdir(), "talkback-small-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", mount]).status === 0) return mount;
  rmSync(mount, { recursive: true });
  return null;
}

let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});

test("retries later with a reason when results do not fit on the disk, and completes once there is space", { timeout: 120_000 }, async (context) => {
  const wav = encodeAudio("wav24", testSong(20), 44_100);
  const mount = mountSmallDisk(wav.length + 300_000);
  if (!mount) return context.skip("needs root, to mount a small disk");
  const fixtures = await createFixtures("sqlite", { environment: { DATA_DIR: mount } });
  try {
    const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "tight.wav", bytes: wav });
    stop = fixtures.testApp.app.startMedia();
    const waitingFile = await waitForFile(fixtures, id, ({ failure }) => failure !== null && failure !== undefined);
    expect(waitingFile).toMatchObject({ transcoding_status: "waiting", failure: expect.stringMatching(/^There is no space left/) });
    expect(readdirSync(join(mount, "files", "work"))).toEqual([]);
    expect(spawnSync("mount", ["-o", "remount,size=50m", mount]).status).toBe(0);
    fixtures.testApp.clock.advance(MINUTE);
    await waitForFile(fixtures, id, ({ transcoding_status }) => transcoding_status === "transcoded");
  } finally {
    await stop?.();
    stop = null;
    await fixtures.testApp.close();
    spawnSync("umount", [mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

test("stops a worker that uses too much memory with a reason, without affecting the service or other files", { timeout: 60_000 }, async () => {
  const fixtures = await createFixtures("sqlite", { mediaLimits: { rssBytes: 90 * 1024 * 1024 } });
  try {
    // Uploads audio, because decoding loads the media engine and a text file does not.
    const fileId = await upload(fixtures.testApp, fixtures.member, {
      parent: fixtures.home.folder,
      name: "large.wav",
      bytes: encodeAudio("wav16", testSong(2), 44_100),
    });
    stop = fixtures.testApp.app.startMedia();
    expect(await waitForFile(fixtures, fileId, ({ transcoding_status }) => transcoding_status === "failed")).toMatchObject({
      failure: "Processing needed more memory than allowed and was stopped.",
    });
    expect(readdirSync(join(fixtures.testApp.config.dataDir, "files", "work"))).toEqual([]);
    const { status } = await fixtures.testApp.send(fixtures.guest, { method: "GET", url: `/api/v2/files/${fileId}/versions/1/original` });
    expect(status).toBe(200);
    // Each published state has a higher revision than the one before.
    const storedEvents = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "in", ["file.created", "file.updated"])
      .orderBy("seq")
      .execute();
    const states = storedEvents.map(({ data }) => JSON.parse(data) as { id: number; revision: number }).filter(({ id }) => id === fileId);
    expect(states.length).toBeGreaterThan(2);
    expect(states.map(({ revision }) => revision)).toEqual(states.map((_, index) => (states[0]?.revision ?? 0) + index));
    const next = await upload(fixtures.testApp, fixtures.member, {
      parent: fixtures.home.folder,
      name: "next.wav",
      bytes: encodeAudio("wav16", testSong(2), 44_100),
    });
    expect((await waitForFile(fixtures, next, ({ transcoding_status }) => transcoding_status === "failed"))["failure"]).toMatch(/more memory than allowed/);
  } finally {
    await stop?.();
    stop = null;
    await fixtures.testApp.close();
  }
});

test("an analyzed file whose copy fails keeps its results and its original, and says why; running it again makes the copy", { timeout: 60_000 }, async () => {
  const analyze = analyzeInProcess();
  let isCopyBroken = true;
  const fixtures = await createFixtures("sqlite", {
    analyze: async (options) => {
      if (!isCopyBroken) return analyze(options);
      await analyze({ ...options, request: { ...options.request, steps: options.request.steps.filter((step) => step !== "copy") } });
      throw new MediaFailure("no-copy", "remux: Invalid argument; encode: Invalid argument");
    },
  });
  try {
    const { testApp, member, home } = fixtures;
    const id = await upload(testApp, member, { parent: home.folder, name: "take.aac", bytes: encodeAudio("adts", testSong(2), 44_100) });
    stop = testApp.app.startMedia();
    const failed = await waitForFile(fixtures, id, ({ transcoding_status }) => transcoding_status === "failed");
    expect(failed).toMatchObject({
      compressed_file_url: null,
      failure: "No streaming copy of this file could be made. The original can still be played where the browser supports it.",
    });
    const { file_info: info } = (await testApp.call(member, files.getFileInfo, { body: { file_id: id } })).response;
    expect(info).toMatchObject({ object: "audio_file_info", duration: expect.closeTo(2, 0), wave: expect.arrayContaining([expect.any(Number)]) });
    expect((await testApp.send(member, { method: "GET", url: new URL(failed.url).pathname })).status).toBe(200);
    isCopyBroken = false;
    await testApp.call(member, files.retryProcessing, { params: { file_id: id } });
    const done = await waitForFile(fixtures, id, ({ transcoding_status }) => transcoding_status === "transcoded");
    expect(done).toMatchObject({ failure: null, compressed_file_url: expect.stringContaining("/compressed") });
  } finally {
    await stop?.();
    stop = null;
    await fixtures.testApp.close();
  }
});

describe("a disk that fills up during uploads", { timeout: 120_000 }, () => {
  test("fails plain and resumable uploads with a reason, stores nothing partial, and accepts them once there is space", async (context) => {
    const mount = mountSmallDisk(3_000_000);
    if (!mount) return context.skip("needs root, to mount a small disk");
    const fixtures = await createFixtures("sqlite", { environment: { DATA_DIR: mount } });
    try {
      const { testApp, member, home } = fixtures;
      const bytes = Buffer.alloc(4_000_000, 7);
      const count = async () => (await testApp.call(member, files.listFolder, { body: { file_id: home.folder } })).response.data.length;
      const [before, stored] = [await count(), readdirSync(join(mount, "files", "blobs"), { recursive: true }).length];
      const uploadLarge = () => testApp.callUntyped(member, files.uploadFile, { query: { parent_id: home.folder, name: "large.bin" }, bytes });
      expect((await uploadLarge()).problem).toMatchObject({
        status: 507,
        title: "No space left",
        detail: expect.stringMatching(/^The server's disk is full\./),
      });
      expect([await count(), readdirSync(join(mount, "files", "incoming"))]).toEqual([before, []]);
      expect(readdirSync(join(mount, "files", "blobs"), { recursive: true })).toHaveLength(stored);

      const path = await createTusUpload(testApp, member, bytes.length, { name: "resumed.bin", parent_id: home.folder });
      const tus = (method: "PATCH" | "HEAD", headers: Record<string, string> = {}, payload?: Buffer) =>
        testApp.send(member, {
          method,
          url: path,
          headers: { "tus-resumable": "1.0.0", ...(payload ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
          ...(payload ? { payload } : {}),
        });
      const failed = await tus("PATCH", { "upload-offset": "0" }, bytes);
      expect(failed.problem).toMatchObject({ status: 507, detail: expect.stringMatching(/^The server's disk is full\./) });
      expect(await count()).toBe(before);

      expect(spawnSync("mount", ["-o", "remount,size=20m", mount]).status).toBe(0);
      const offset = Number((await tus("HEAD")).headers["upload-offset"]);
      expect(offset).toBeLessThanOrEqual(bytes.length);
      const { response: answer } = await tus("PATCH", { "upload-offset": String(offset) }, bytes.subarray(offset));
      const resumed = await testApp.app.server.inject({
        method: "GET",
        url: `/api/v2/files/${(answer as { file_id: number }).file_id}/versions/1/original`,
        headers: member.headers,
      });
      expect(resumed.rawPayload.equals(bytes)).toBe(true);
      expect((await uploadLarge()).status).toBe(200);
    } finally {
      await fixtures.testApp.close();
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
});

describe.each(ENGINES)("repeated crashes on %s", { timeout: 60_000 }, (engine) => {
  test("fail a file that crashes its worker every time, and allow a manual retry", async () => {
    const fixtures = await createFixtures(engine);
    try {
      const id = await upload(fixtures.testApp, fixtures.member, {
        parent: fixtures.home.folder,
        name: "poison.wav",
        bytes: encodeAudio("wav16", testSong(2), 44_100),
      });
      const { id: versionId } = await currentVersion(fixtures.testApp, id);
      const { database, clock, app } = fixtures.testApp;
      for (let crash = 0; crash < 4; crash += 1) {
        expect((await createQueue(database).claim(clock.now(), "media", MINUTE))?.isExhausted).toBe(false);
        clock.advance(2 * MINUTE);
      }
      stop = app.startMedia();
      expect(await waitForFile(fixtures, id, ({ transcoding_status }) => transcoding_status === "failed")).toMatchObject({
        failure: "Processing failed several times.",
      });
      const jobs = await database.read.selectFrom("jobs").select(["state", "attempts"]).where("subject_id", "=", versionId).execute();
      expect(jobs).toEqual([{ state: "failed", attempts: 5 }]);
      await fixtures.testApp.call(fixtures.member, files.retryProcessing, { params: { file_id: id } });
      expect((await waitForFile(fixtures, id, ({ transcoding_status }) => transcoding_status === "transcoded"))["failure"]).toBeNull();
    } finally {
      await stop?.();
      stop = null;
      await fixtures.testApp.close();
    }
  });
});
