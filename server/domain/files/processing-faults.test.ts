/** Media work where the service itself is in trouble: no room, workers that die without a word. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { FileCommon } from "../../../contract/records.ts";
import * as files from "../../../contract/operations/files.ts";
import { MINUTE } from "../../lib/clock.ts";
import { createQueue } from "../../jobs/queue.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { beginUpload, currentVersion, upload } from "../../testing/files.ts";
import { song, soundFile } from "../../testing/sounds.ts";

const PATIENCE_MS = 60_000;

async function until(cast: Cast, id: number, ready: (common: FileCommon) => boolean): Promise<FileCommon> {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(20)) {
    const { common } = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id } })).answer;
    if (ready(common)) return common;
    if (Date.now() > end) throw new Error(`Still ${common.transcoding_status}: ${String(common["failure"])}`);
  }
}

/** A disk of this many bytes, where this user may make one. */
function smallDisk(bytes: number): string | null {
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

test("no room for what is made: put off with a reason, and done when there is room", { timeout: 120_000 }, async (context) => {
  const wav = soundFile("wav24", song(20), 44_100);
  const mount = smallDisk(wav.length + 300_000);
  if (!mount) return context.skip("needs root, to mount a small disk");
  const cast = await startCast("sqlite", { environment: { DATA_DIR: mount } });
  try {
    const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "tight.wav", bytes: wav });
    stop = cast.world.app.startMedia();
    const full = await until(cast, id, ({ failure }) => failure !== null && failure !== undefined);
    expect(full).toMatchObject({ transcoding_status: "waiting", failure: expect.stringMatching(/^There is no space left/) });
    expect(readdirSync(join(mount, "files", "work"))).toEqual([]);
    expect(spawnSync("mount", ["-o", "remount,size=50m", mount]).status).toBe(0);
    cast.world.clock.pass(MINUTE);
    await until(cast, id, ({ transcoding_status }) => transcoding_status === "transcoded");
  } finally {
    await stop?.();
    stop = null;
    await cast.world.close();
    spawnSync("umount", [mount]);
    rmSync(mount, { recursive: true, force: true });
  }
});

test("a worker that takes too much memory is stopped with a reason; the service and other files go on", { timeout: 60_000 }, async () => {
  const cast = await startCast("sqlite", { mediaLimits: { rssBytes: 90 * 1024 * 1024 } });
  try {
    // Decoding needs the engine, words do not.
    const sound = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "large.wav", bytes: soundFile("wav16", song(2), 44_100) });
    stop = cast.world.app.startMedia();
    expect(await until(cast, sound, ({ transcoding_status }) => transcoding_status === "failed")).toMatchObject({
      failure: "Processing needed more memory than allowed and was stopped.",
    });
    expect(readdirSync(join(cast.world.config.dataDir, "files", "work"))).toEqual([]);
    const { status } = await cast.world.send(cast.guest, { method: "GET", url: `/api/v2/files/${sound}/versions/1/original` });
    expect(status).toBe(200);
    // Each state that is told is newer than the one before.
    const told = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "in", ["file.created", "file.updated"])
      .orderBy("seq")
      .execute();
    const states = told.map(({ data }) => JSON.parse(data) as { id: number; revision: number }).filter(({ id }) => id === sound);
    expect(states.length).toBeGreaterThan(2);
    expect(states.map(({ revision }) => revision)).toEqual(states.map((_, at) => (states[0]?.revision ?? 0) + at));
    const next = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "next.wav", bytes: soundFile("wav16", song(2), 44_100) });
    expect((await until(cast, next, ({ transcoding_status }) => transcoding_status === "failed"))["failure"]).toMatch(/more memory than allowed/);
  } finally {
    await stop?.();
    stop = null;
    await cast.world.close();
  }
});

describe("a disk that fills up while files arrive", { timeout: 120_000 }, () => {
  test("plain and resumable: told with a reason, nothing half there, done when there is room", async (context) => {
    const mount = smallDisk(3_000_000);
    if (!mount) return context.skip("needs root, to mount a small disk");
    const cast = await startCast("sqlite", { environment: { DATA_DIR: mount } });
    try {
      const { world, member, home } = cast;
      const bytes = Buffer.alloc(4_000_000, 7);
      const count = async () => (await world.call(member, files.listFolder, { body: { file_id: home.folder } })).answer.data.length;
      const [before, stored] = [await count(), readdirSync(join(mount, "files", "blobs"), { recursive: true }).length];
      const put = () => world.wild(member, files.uploadFile, { query: { parent_id: home.folder, name: "large.bin" }, bytes });
      expect((await put()).problem).toMatchObject({ status: 507, title: "No space left", detail: expect.stringMatching(/^The disk of the service is full\./) });
      expect([await count(), readdirSync(join(mount, "files", "incoming"))]).toEqual([before, []]);
      expect(readdirSync(join(mount, "files", "blobs"), { recursive: true })).toHaveLength(stored);

      const path = await beginUpload(world, member, bytes.length, { name: "resumed.bin", parent_id: home.folder });
      const tus = (method: "PATCH" | "HEAD", headers: Record<string, string> = {}, payload?: Buffer) =>
        world.send(member, {
          method,
          url: path,
          headers: { "tus-resumable": "1.0.0", ...(payload ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
          ...(payload ? { payload } : {}),
        });
      const broken = await tus("PATCH", { "upload-offset": "0" }, bytes);
      expect(broken.problem).toMatchObject({ status: 507, detail: expect.stringMatching(/^The disk of the service is full\./) });
      expect(await count()).toBe(before);

      expect(spawnSync("mount", ["-o", "remount,size=20m", mount]).status).toBe(0);
      const offset = Number((await tus("HEAD")).headers["upload-offset"]);
      expect(offset).toBeLessThanOrEqual(bytes.length);
      const { answer } = await tus("PATCH", { "upload-offset": String(offset) }, bytes.subarray(offset));
      const resumed = await world.app.server.inject({
        method: "GET",
        url: `/api/v2/files/${(answer as { file_id: number }).file_id}/versions/1/original`,
        headers: member.headers,
      });
      expect(resumed.rawPayload.equals(bytes)).toBe(true);
      expect((await put()).status).toBe(200);
    } finally {
      await cast.world.close();
      spawnSync("umount", [mount]);
      rmSync(mount, { recursive: true, force: true });
    }
  });
});

describe.each(ENGINES)("on %s", { timeout: 60_000 }, (engine) => {
  test("a file that takes its worker along every time is given up, and can be tried again by hand", async () => {
    const cast = await startCast(engine);
    try {
      const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "poison.wav", bytes: soundFile("wav16", song(2), 44_100) });
      const { id: versionId } = await currentVersion(cast.world, id);
      const { database, clock, app } = cast.world;
      for (let dead = 0; dead < 4; dead += 1) {
        expect((await createQueue(database).claim(clock.now(), "media", MINUTE))?.spent).toBe(false);
        clock.pass(2 * MINUTE);
      }
      stop = app.startMedia();
      expect(await until(cast, id, ({ transcoding_status }) => transcoding_status === "failed")).toMatchObject({
        failure: "Processing broke off several times and was given up.",
      });
      const jobs = await database.read.selectFrom("jobs").select(["state", "attempts"]).where("subject_id", "=", versionId).execute();
      expect(jobs).toEqual([{ state: "failed", attempts: 5 }]);
      await cast.world.call(cast.member, files.retryProcessing, { params: { file_id: id } });
      expect((await until(cast, id, ({ transcoding_status }) => transcoding_status === "transcoded"))["failure"]).toBeNull();
    } finally {
      await stop?.();
      stop = null;
      await cast.world.close();
    }
  });
});
