/** Tests services and media workers as real processes on one PostgreSQL: started at the same time, and with a worker that is killed. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { LiveEvent } from "../../../contract/events.ts";
import type { Database } from "../../db/database.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../../testing/engines.ts";
import { openSocket, waitUntil, type TestSocket } from "../../testing/live.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { createOwner, runCli, startService, startWorkerProcess, type Environment } from "../../testing/service-process.ts";

/** Long enough that a worker is killed in the middle of the work. */
const SOUND_SECONDS = 40;

describe.runIf(ENGINES.includes("postgres"))("media workers", { timeout: 180_000 }, () => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });
  async function track<T extends { kill(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    const process = await opening;
    cleanUps.push(() => process.kill());
    return process;
  }

  /** Two services that are started at the same time on an empty database, without any processing of their own. */
  async function startServices() {
    const data: TestDatabase = await createTestDatabase("postgres");
    const dataDir = mkdtempSync(join(tmpdir(), "talkback-workers-"));
    const database: Database = data.open();
    cleanUps.push(async () => {
      await database.close();
      await data.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    const environment: Environment = { DATABASE_URL: data.location, MEDIA: "off" };
    const [here, there] = await Promise.all([track(startService(dataDir, environment)), track(startService(dataDir, environment))]);
    const owner = await createOwner(dataDir, environment);
    const call = async (path: string, body: object) =>
      (
        await sendRawRequest(here.base, owner, {
          method: "POST",
          path,
          headers: { "content-type": "application/json" },
          body: Buffer.from(JSON.stringify(body)),
        })
      ).json.data;
    const [team] = await call("/v1/teams/ls", {});
    const project = (await call("/v1/account/projects/create", { name: "Songs", team_id: team.id })) as { id: number; root_folder_id: number };
    const topic = `project:${project.id}`;
    const sockets = await Promise.all([here, there].map(({ base }) => openSocket(base, owner)));
    for (const socket of sockets) await socket.subscribe(topic);
    const upload = async (name: string, bytes: Buffer): Promise<number> =>
      (
        await sendRawRequest(here.base, owner, {
          method: "PUT",
          path: `/v1/files/upload?parent_id=${project.root_folder_id}&name=${name}`,
          headers: { "content-type": "application/octet-stream" },
          body: bytes,
        })
      ).json.file_id;
    const versionOf = (fileId: number) => database.read.selectFrom("file_versions").selectAll().where("file_id", "=", fileId).executeTakeFirstOrThrow();
    const jobOf = async (fileId: number) =>
      database.read
        .selectFrom("jobs")
        .selectAll()
        .where("subject_id", "=", (await versionOf(fileId)).id)
        .executeTakeFirstOrThrow();
    return { database, dataDir, environment, sockets, topic, upload, versionOf, jobOf };
  }

  const statesOf = (socket: TestSocket, topic: string, fileId: number): string[] =>
    socket
      .events(topic)
      .filter(({ type, data }: LiveEvent) => type.startsWith("file.") && (data as { id?: number }).id === fileId)
      .map(({ data }) => (data as { transcoding_status: string }).transcoding_status);
  const progressOf = (socket: TestSocket, fileId: number): number[] =>
    socket.frames.flatMap((frame) => {
      const signal = "signal" in frame ? (frame.signal as { type: string; data: { file_id: number; progress: number } }) : null;
      return signal?.type === "file.progress" && signal.data.file_id === fileId ? [signal.data.progress] : [];
    });

  test("one goes on with the steps of a killed one, and everybody sees the progress and the result once", async () => {
    const { database, dataDir, environment, sockets, topic, upload, versionOf, jobOf } = await startServices();
    const fileId = await upload("long.wav", encodeAudio("wav16", testSong(SOUND_SECONDS), 44_100));
    await sleep(2_500);
    expect(await jobOf(fileId)).toMatchObject({ state: "waiting", attempts: 0 });

    const first = await track(startWorkerProcess(dataDir, environment, { args: ["--media"] }));
    const stepsDone = async () => JSON.parse((await versionOf(fileId)).steps_done ?? "[]") as string[];
    while (!(await stepsDone()).includes("peaks")) await sleep(10);
    await first.kill();
    const before = await versionOf(fileId);
    expect(await jobOf(fileId)).toMatchObject({ state: "running", attempts: 1 });

    await track(startWorkerProcess(dataDir, environment, { args: ["--media"] }));
    // Skips the minute until the lease expires.
    await database.write((tx) => tx.updateTable("jobs").set({ lease_until: 1 }).where("state", "=", "running").execute());
    while ((await jobOf(fileId)).state !== "done") await sleep(50);
    const after = await versionOf(fileId);
    expect(after).toMatchObject({ transcoding_status: "transcoded", failure: null, peaks: before.peaks, probe: before.probe });
    expect(await jobOf(fileId)).toMatchObject({ attempts: 2 });
    await Promise.all(
      sockets.map((socket) =>
        waitUntil(
          () => statesOf(socket, topic, fileId).includes("transcoded"),
          "the result",
          () => socket.events(topic).map(({ type }) => type),
        ),
      ),
    );
    for (const socket of sockets) {
      expect(progressOf(socket, fileId).length).toBeGreaterThan(0);
      const seqs = socket.seqs(topic);
      expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index));
      // The end is announced once.
      expect(statesOf(socket, topic, fileId).filter((state) => state === "transcoded")).toHaveLength(1);
    }
    expect(await runCli(dataDir, environment, "check-files")).toContain("Nothing is missing.");

    // One with another storage than that of the services would fail every file.
    const elsewhere = mkdtempSync(join(tmpdir(), "talkback-workers-"));
    cleanUps.push(() => rmSync(elsewhere, { recursive: true, force: true }));
    const MASTER_KEY = readFileSync(join(dataDir, "master.key"), "utf8").trim();
    await expect(startWorkerProcess(elsewhere, { ...environment, MASTER_KEY }, { args: ["--media"] })).rejects.toThrow("did not start");
  });
});
