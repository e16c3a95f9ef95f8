/**
 * Backs a real service up while people write and upload and deleted files are removed for good, kills some of the backups, and starts a service on what was
 * restored: what was confirmed before a backup began is in it, and so is every file that it names.
 */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { FILE_RETENTION_MS, purgeDeletedFiles } from "../../modules/files/retention.ts";
import { openLocalDisk } from "../../storage/local-disk.ts";
import { checkStorage } from "../../storage/storage.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { createTestDatabase, ENGINES } from "../../testing/engines.ts";
import { reportFaults } from "../../testing/fault-counts.ts";
import { startKillableService } from "../../testing/killed-service.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { getFaultRounds, runCli, serviceEnvironment, startService } from "../../testing/service-process.ts";
import { allRecordedKeys } from "./all-recorded-keys.ts";

const ROUNDS = getFaultRounds(1);
const WRITER_COUNT = 3;

const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.each(ENGINES)("backups of a service on %s under load", { timeout: 600_000 }, (engine) => {
  test(`have all that was confirmed before, and every file that they name, ${ROUNDS} times with one killed midway`, async () => {
    const { database, owner, base, environment } = await startKillableService(engine);
    const { DATA_DIR: dataDir, ...others } = environment;
    const backups = mkdtempSync(join(tmpdir(), "talkback-backups-"));
    onTestFinished(() => rmSync(backups, { recursive: true, force: true }));
    const call = async (method: string, path: string, body: Buffer, type = "application/json") => {
      const response = await sendRawRequest(base(), owner, { method, path, headers: { "content-type": type }, body });
      expect(response.status, response.text).toBe(200);
      return response.json;
    };
    const post = (path: string, body: object) => call("POST", path, Buffer.from(JSON.stringify(body)));
    const [team] = (await post("/v1/teams/ls", {})).data;
    const { id: project, root_folder_id: root } = (await post("/v1/account/projects/create", { name: "Song", team_id: team.id })).data;

    const messages = new Map<number, string>();
    const files = new Map<number, string>();
    const removed = new Set<number>();
    const counts = { removals: 0, killed: 0 };
    const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []);
    const listObjects = (): string[] => namesIn(join(backups, "objects")).filter((name) => /[0-9a-f]{64}$/.test(name));
    const listSnapshots = (): string[] => namesIn(join(backups, "snapshots"));
    let isStopping = false;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; !isStopping; count += 1) {
        const body = `message ${count} of ${writer}`;
        messages.set((await post("/v1/account/projects/chat_message", { project_id: project, body })).data.id, body);
      }
    };
    const song = encodeAudio("wav16", testSong(1), 44_100);
    const upload = async (): Promise<void> => {
      for (let count = 0; !isStopping; count += 1) {
        // Some are audio, whose processing adds and replaces files.
        const bytes = count % 4 === 0 ? Buffer.concat([song, randomBytes(16)]) : randomBytes(20_000);
        const { file_id } = await call("PUT", `/v1/files/upload?parent_id=${root}&name=${count}.wav`, bytes, "application/octet-stream");
        files.set(file_id, sha256Of(bytes));
      }
    };
    /** Removes files as the hourly job does, those that were just uploaded first. */
    const remove = async (): Promise<void> => {
      const storage = openLocalDisk(join(dataDir, "files"));
      while (!isStopping) {
        const last = [...files.keys()].findLast((id) => id % 2 === 0 && !removed.has(id));
        if (last === undefined) await sleep(5);
        else {
          removed.add(last);
          await database.write((tx) =>
            tx
              .updateTable("files")
              .set({ deleted_at: Date.now() - FILE_RETENTION_MS })
              .where("id", "=", last)
              .execute(),
          );
          counts.removals += await purgeDeletedFiles({ database, storage, clock: systemClock });
        }
      }
    };
    const load = Promise.all([...Array.from({ length: WRITER_COUNT }, (_, writer) => write(writer)), upload(), remove()]);
    // An unhandled rejection would end the run before the assertions.
    load.catch(() => {});
    const waitForLoad = async (): Promise<void> => {
      const target = messages.size + 20;
      while (messages.size < target || files.size < 5) await Promise.race([sleep(10), load]);
    };

    let confirmed = { messages: new Map(messages), files: new Map(files) };
    for (let round = 0; round < ROUNDS; round += 1) {
      await waitForLoad();
      const args = ["server/cli/main.ts", "backup", backups, "--include-key"];
      const killed = spawn(process.execPath, args, { env: serviceEnvironment(dataDir, others), stdio: "ignore" });
      const exited = once(killed, "exit");
      const before = { objects: listObjects().length, snapshots: listSnapshots().length };
      // Each backup writes more new objects than this: a chunk of every table that has changed.
      const target = before.objects + 1 + Math.floor(Math.random() * 5);
      while (killed.exitCode === null && listObjects().length < target) await sleep(1);
      killed.kill("SIGKILL");
      const [, signal] = await exited;
      expect([signal, listSnapshots().length]).toEqual(["SIGKILL", before.snapshots]);
      counts.killed += 1;
      await waitForLoad();
      confirmed = { messages: new Map(messages), files: new Map([...files].filter(([id]) => id % 2 === 1)) };
      const output = await runCli(dataDir, others, "backup", backups, "--include-key", "--keep", "2", "--verify");
      expect(output).toMatch(/Everything is as it was stored/);
    }
    isStopping = true;
    await load;
    expect(counts.removals).toBeGreaterThan(0);

    const data = await createTestDatabase(engine);
    const target = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-restored-"));
    const targetSettings: Record<string, string> = engine === "postgres" ? { DATABASE_URL: data.location } : {};
    onTestFinished(async () => {
      await data.drop();
      rmSync(target, { recursive: true, force: true });
    });
    const restore = spawn(process.execPath, ["server/cli/main.ts", "restore", backups], { env: serviceEnvironment(target, targetSettings), stdio: "ignore" });
    const ended = once(restore, "exit");
    const restoredFolder = join(target, "files", "blobs");
    while (restore.exitCode === null && !(existsSync(restoredFolder) && readdirSync(restoredFolder).length > 0)) await sleep(2);
    restore.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
    await expect(runCli(target, targetSettings, "check-files")).rejects.toThrow("A restore or import into this database was interrupted.");
    expect(await runCli(target, targetSettings, "restore", backups)).toContain("Talkback can be started.");

    const service = await startService(target, targetSettings);
    try {
      for (const [id, sha256] of [...confirmed.files].slice(0, 10)) {
        const response = await fetch(`${service.base}/api/v2/files/${id}/versions/1/original`, { headers: owner.headers });
        expect([response.status, sha256Of(await response.bytes())]).toEqual([200, sha256]);
      }
      const sent = await sendRawRequest(service.base, owner, {
        method: "POST",
        path: "/v1/account/projects/chat_message",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify({ project_id: project, body: "after the restore" })),
      });
      expect(sent.status, sent.text).toBe(200);
    } finally {
      await service.kill();
    }

    const restored = data.open();
    try {
      const rows = await restored.read.selectFrom("messages").select(["id", "body"]).where("project_id", "=", project).execute();
      const bodies = new Map(rows.map(({ id, body }) => [id, body]));
      const lostMessages = [...confirmed.messages].filter(([id, body]) => bodies.get(id) !== body);
      const storage = openLocalDisk(join(target, "files"));
      const report = await checkStorage(storage, allRecordedKeys(restored.read), Date.now() + 30 * 24 * 3_600_000);
      const blobs = await restored.read.selectFrom("blobs").select(["key", "sha256"]).where("deleted_at", "is", null).execute();
      const damaged: string[] = [];
      for (const { key, sha256 } of blobs)
        if ((await storage.size(key)) !== null && sha256Of(Buffer.concat(await (await storage.open(key)).toArray())) !== sha256) damaged.push(key);
      const versions = await restored.read
        .selectFrom("file_versions")
        .innerJoin("blobs", "blobs.key", "file_versions.blob_key")
        .select(["file_versions.file_id", "blobs.sha256", "blobs.deleted_at"])
        .execute();
      const stored = new Map(versions.map(({ file_id, sha256, deleted_at }) => [file_id, deleted_at === null ? sha256 : null]));
      const lostFiles = [...confirmed.files].filter(([id, sha256]) => stored.get(id) !== sha256);
      const acknowledged = confirmed.messages.size + confirmed.files.size;
      const lost = lostMessages.length + lostFiles.length + report.missing.length + damaged.length;
      reportFaults("killed: backups and restores", engine, { broken: counts.killed + 1, acknowledged, lost });
      console.log(
        `${engine}: ${counts.killed} backups and 1 restore killed, ${confirmed.messages.size} messages and ${confirmed.files.size} files confirmed before the last backup, ${lost} lost, ${blobs.length - damaged.length} files whole, ${counts.removals} removed meanwhile`,
      );
      expect([lostMessages, lostFiles, report.missing, damaged]).toEqual([[], [], [], []]);
    } finally {
      await restored.close();
    }
  });
});
