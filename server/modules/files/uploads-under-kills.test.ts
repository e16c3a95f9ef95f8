/** Kills the real service repeatedly while files are uploaded: resumable uploads go on where they stopped, plain ones leave nothing, and no byte is lost. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import { FAULT_ENGINES } from "../../testing/engines.ts";
import { tusHeaders } from "../../testing/files.ts";
import { startKillableService } from "../../testing/killed-service.ts";
import { sendRawRequest, type RawResponse } from "../../testing/raw-socket.ts";
import { getFaultRounds, runCli } from "../../testing/service-process.ts";

const SIZE = 1_000_000;
/** Uploads of each kind at a time. */
const PARALLEL = 2;
const ROUNDS = getFaultRounds(1);

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.each(FAULT_ENGINES)("uploads on %s", { timeout: 600_000 }, (engine) => {
  test(`are complete and there once after ${ROUNDS} kills`, async () => {
    const { database, owner, environment, base, kill, startAgain } = await startKillableService(engine);
    const files = join(environment.DATA_DIR, "files");
    const send = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer | PassThrough): Promise<RawResponse> =>
      sendRawRequest(base(), owner, { method, path, headers, ...(body ? { body } : {}) });
    const sendJson = async (path: string, body: object) =>
      (await send("POST", path, { "content-type": "application/json" }, Buffer.from(JSON.stringify(body)))).json;
    const [team] = (await sendJson("/v1/teams/ls", {})).data;
    const root = (await sendJson("/v1/account/projects/create", { name: "Songs", team_id: team.id })).data.root_folder_id as number;
    const tus = { "tus-resumable": "1.0.0" };
    const tusBody = { ...tus, "content-type": "application/offset+octet-stream" };
    const finished = { put: [] as { id: number; sha: string }[], tus: [] as { id: number; sha: string }[] };
    let resumedCount = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      const names = Array.from({ length: PARALLEL }, (_, index) => `${round}-${index}`);
      const contents = { put: names.map(() => randomBytes(SIZE)), tus: names.map(() => randomBytes(SIZE)) };
      const locations = await Promise.all(
        names.map(async (name) =>
          String((await send("POST", "/api/v2/uploads", { ...tus, ...tusHeaders(SIZE, { name: `tus ${name}.bin`, parent_id: root }) })).headers["location"]),
        ),
      );
      const putPath = (name: string) => `/v1/files/upload?parent_id=${root}&name=put-${name}.bin`;
      const bodies = [...names, ...names].map(() => new PassThrough());
      const broken = [
        ...locations.map((path, index) => send("PATCH", path, { ...tusBody, "upload-offset": "0" }, bodies[index])),
        ...names.map((name, index) => send("PUT", putPath(name), {}, bodies[PARALLEL + index])),
      ].map((request) => request.catch(() => null));
      const writtenBytes = bodies.map((body, index) => {
        const content = [...contents.tus, ...contents.put][index]!;
        const length = Math.floor(SIZE * (0.2 + Math.random() * 0.6));
        body.write(content.subarray(0, length));
        return length;
      });
      const parts = locations.map((path) => join(files, "uploads", path.split("/").at(-1)!));
      const isUnderWay = () => parts.every((part) => existsSync(part) && statSync(part).size > 0) && readdirSync(join(files, "incoming")).length >= PARALLEL;
      while (!isUnderWay()) await sleep(5);
      await sleep(Math.random() * 30);
      await kill();
      for (const request of await Promise.all(broken)) expect(request?.status ?? 0).not.toBe(200);
      await startAgain();
      for (const [index, path] of locations.entries()) {
        const offset = Number((await send("HEAD", path, tus)).headers["upload-offset"]);
        expect(offset).toBeLessThanOrEqual(writtenBytes[index]!);
        if (offset > 0) resumedCount += 1;
        const { json, status, text } = await send("PATCH", path, { ...tusBody, "upload-offset": String(offset) }, contents.tus[index]!.subarray(offset));
        expect(status, text).toBeLessThan(300);
        finished.tus.push({ id: json.file_id, sha: sha256(contents.tus[index]!) });
      }
      for (const [index, name] of names.entries())
        finished.put.push({ id: (await send("PUT", putPath(name), {}, contents.put[index])).json.file_id, sha: sha256(contents.put[index]!) });
    }

    const rows = await database.read.selectFrom("files").select(["id", "name"]).where("is_folder", "=", 0).where("deleted_at", "is", null).execute();
    const report = await runCli(environment.DATA_DIR, environment, "check-files");
    const orphanCount = Number(/Orphans: ([\d,]+)/.exec(report)?.[1]?.replaceAll(",", "") ?? 0);
    // With PostgreSQL other processes may be storing files, so there a scheduled job removes what is left over a day later.
    const leftovers = {
      put: orphanCount + (engine === "sqlite" ? readdirSync(join(files, "incoming")).length : 0),
      tus: readdirSync(join(files, "uploads")).filter((name) => !name.endsWith(".json")).length,
    };
    for (const kind of ["put", "tus"] as const) {
      let lost = 0;
      for (const { id, sha } of finished[kind]) {
        const response = await fetch(`${base()}/api/v2/files/${id}/versions/1/original`, { headers: owner.headers });
        if (!response.ok || sha256(new Uint8Array(await response.arrayBuffer())) !== sha) lost += 1;
      }
      const doubled = rows.filter(({ name }) => name.startsWith(kind)).length - finished[kind].length;
      const counts = { broken: ROUNDS * PARALLEL, acknowledged: finished[kind].length, lost, doubled, leftovers: leftovers[kind] };
      reportFaults(`killed: ${kind === "put" ? "PUT" : kind} uploads`, engine, kind === "tus" ? { ...counts, resumed: resumedCount } : counts);
      expect(counts).toMatchObject({ acknowledged: ROUNDS * PARALLEL, lost: 0, doubled: 0, leftovers: 0 });
    }
    expect(report).toContain("Nothing is missing.");
    expect(resumedCount).toBe(ROUNDS * PARALLEL);
  });
});
