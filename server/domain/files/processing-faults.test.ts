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
import { currentVersion, upload } from "../../testing/files.ts";
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
  const wav = soundFile("wav24", song(30), 44_100);
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
