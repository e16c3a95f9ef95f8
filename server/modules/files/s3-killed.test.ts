/** Tests the real service with files in S3: killed during uploads, and started with a store that it cannot use. */
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../config.ts";
import { openLocalDisk } from "../../storage/local-disk.ts";
import { openS3 } from "../../storage/s3/open-s3.ts";
import { checkStorage } from "../../storage/storage.ts";
import { ENGINES } from "../../testing/engines.ts";
import { reportFaults } from "../../testing/fault-counts.ts";
import { tusHeaders, uploadIdFromUrl } from "../../testing/files.ts";
import { startKillableService } from "../../testing/killed-service.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { startS3Server, type S3Server } from "../../testing/s3-server.ts";
import { getFaultRounds, serviceEnvironment } from "../../testing/service-process.ts";
import { recordedKeys } from "./blob-keys.ts";

const MIB = 1_024 * 1_024;
const PART_BYTES = 8 * MIB;
const ROUNDS = getFaultRounds(1);
const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server({ minPartBytes: 5 * MIB });
});
afterAll(() => server.close());

describe.each(ENGINES)("a service with %s and files in S3", (engine) => {
  test(
    `resumes uploads after a kill although nothing is left on its disk, and has no part of others (${ROUNDS} rounds)`,
    { timeout: 60_000 + ROUNDS * 10_000 },
    async () => {
      const { database, owner, environment, base, kill, startAgain } = await startKillableService(engine, { ...server.environment, S3_PREFIX: engine });
      const filesFolder = join(environment.DATA_DIR, "files");
      const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer | PassThrough) =>
        sendRawRequest(base(), owner, { method, path, headers, ...(body ? { body } : {}) });
      const call = async (path: string, body: object) =>
        (await send("POST", path, { "content-type": "application/json" }, Buffer.from(JSON.stringify(body)))).json.data;
      const [team] = await call("/v1/teams/ls", {});
      const root = (await call("/v1/account/projects/create", { name: "Songs", team_id: team.id })).root_folder_id;
      const folder = mkdtempSync(join(tmpdir(), "talkback-other-"));
      const storage = openS3({ ...readConfig(environment).s3!, staleMs: 0 }, openLocalDisk(folder));
      const partsOf = (minimum: number) => server.uploads().filter(({ key, parts }) => key.startsWith(`${engine}/`) && parts >= minimum).length;
      const PART = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };

      let [broken, acknowledged, lost, resumed] = [0, 0, 0, 0];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const bytes = randomBytes(PART_BYTES + 2 * MIB);
        const path = String((await send("POST", "/api/v2/uploads", tusHeaders(bytes.length, { name: `${round}.bin`, parent_id: root }))).headers["location"]);
        const [resumable, plain] = [new PassThrough(), new PassThrough()];
        const requests = [
          send("PATCH", path, { ...PART, "upload-offset": "0" }, resumable),
          send("PUT", `/v1/files/upload?parent_id=${root}&name=lost.bin`, {}, plain),
        ].map((request) => request.catch(() => null));
        for (const body of [resumable, plain]) body.write(bytes.subarray(0, PART_BYTES + MIB));
        while (partsOf(1) < round + 1) await sleep(5);
        // The state follows the part; other rounds may kill in between.
        if (round % 2) while ((await storage.resumable!.find(uploadIdFromUrl(path)))?.offset === 0) await sleep(5);
        await kill();
        broken += (await Promise.all(requests)).filter((reply) => reply === null).length;
        rmSync(filesFolder, { recursive: true, force: true });

        await startAgain();
        const offset = Number((await send("HEAD", path, PART)).headers["upload-offset"]);
        resumed += offset > 0 ? 1 : 0;
        if (round % 2 && offset < PART_BYTES) lost += 1;
        const { status, json } = await send("PATCH", path, { ...PART, "upload-offset": String(offset) }, bytes.subarray(offset));
        const reply = await fetch(`${base()}/api/v2/files/${json.file_id}/versions/1/original`, { headers: owner.headers });
        const stored = Buffer.from(await reply.arrayBuffer());
        acknowledged += status === 204 || status === 200 ? 1 : 0;
        if (createHash("sha256").update(stored).digest("hex") !== createHash("sha256").update(bytes).digest("hex")) lost += 1;
        expect(existsSync(join(filesFolder, "blobs"))).toBe(true);
      }

      const halfFiles = await database.read.selectFrom("files").select("id").where("name", "=", "lost.bin").execute();
      await kill();
      // The times of a store are those of its clock, and S3's are whole seconds.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_001 });
      onTestFinished(() => void vi.useRealTimers());
      // What the killed processes began and nobody continued: each plain upload.
      const removed = await storage.removeStale(0);
      const report = await checkStorage(storage, recordedKeys(database.read), Date.now() + 2 * 86_400_000);
      rmSync(folder, { recursive: true });
      const others = server.objects().filter((key) => key.startsWith(`${engine}/`) && !key.includes("/blobs/"));
      lost += report.missing.length;
      const leftovers = halfFiles.length + report.orphans.length + partsOf(0) + others.length;
      const counts = { broken, acknowledged, lost, resumed, leftovers };
      reportFaults("killed: uploads to S3", engine, counts);
      expect(counts).toMatchObject({ broken: 2 * ROUNDS, acknowledged: ROUNDS, lost: 0, leftovers: 0 });
      expect(resumed).toBeGreaterThanOrEqual(Math.ceil(ROUNDS / 2));
      expect(removed).toBe(ROUNDS);
    },
  );
});

test("a service does not start with a bucket that it cannot use, and says why", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "talkback-service-"));
  const start = (overrides: Record<string, string>) =>
    promisify(execFile)(process.execPath, [MAIN], { env: serviceEnvironment(dataDir, { ...server.environment, PORT: "1", ...overrides }) }).then(
      () => "it started",
      ({ stderr }: { stderr: string }) => stderr.trim(),
    );
  expect(await start({ S3_BUCKET: "elsewhere" })).toBe(
    `Talkback cannot start.\nThe bucket elsewhere does not exist at ${server.endpoint}. Create it, or check S3_BUCKET and S3_ENDPOINT.`,
  );
  rmSync(dataDir, { recursive: true });
});
