/** Kills and reruns an import repeatedly: every record is imported exactly once, in file order. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import { ENGINES, createTestDatabase } from "../testing/engines.ts";
import { createOwner, getFaultRounds, runCli, serviceEnvironment } from "../testing/service-process.ts";

const ROUNDS = getFaultRounds(2);
/** Two of the import's batches for each kill: one is confirmed before it, and another may be. */
const RECORDS = 2_000 * ROUNDS;

describe.each(ENGINES)("a killed import on %s", { timeout: 300_000 }, (engine) => {
  test(`imports every record once and publishes one event after ${ROUNDS} kills midway`, async () => {
    const data = await createTestDatabase(engine);
    const dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-import-"));
    const environment: Record<string, string> = engine === "postgres" ? { DATABASE_URL: data.location } : {};
    await createOwner(dataDir, environment);
    const database = data.open();
    try {
      const { id: project } = await database.write(async (tx) => {
        const team = await tx.selectFrom("teams").select("id").executeTakeFirstOrThrow();
        const owner = await tx.selectFrom("accounts").select("id").executeTakeFirstOrThrow();
        const values = { team_id: team.id, name: "Song", description: "", created_at: 0, created_by: owner.id };
        return tx.insertInto("projects").values(values).returning("id").executeTakeFirstOrThrow();
      });
      const file = join(dataDir, "chat.jsonl");
      const createRecord = (id: number) => ({
        id,
        username: "owner",
        body: `take ${id}`,
        datetime: "2021-05-04T10:00:00Z",
        parent_message_id: id > 1 ? id - 1 : null,
      });
      writeFileSync(file, Array.from({ length: RECORDS }, (_, index) => JSON.stringify(createRecord(index + 1))).join("\n"));
      const args = ["import-chat", "--project", String(project), "--file", file];
      const rows = () => database.read.selectFrom("messages").select(["id", "body", "parent_id"]).where("project_id", "=", project).orderBy("id").execute();

      let killCount = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = (await rows()).length;
        const child = spawn(process.execPath, ["server/cli/main.ts", ...args], {
          env: serviceEnvironment(dataDir, environment),
          stdio: "ignore",
        });
        const exited = once(child, "exit");
        while (child.exitCode === null && (await rows()).length === before) await sleep(5);
        // Kill at a random moment within a batch.
        await sleep(Math.random() * 60);
        child.kill("SIGKILL");
        const [, signal] = (await exited) as [number | null, string | null];
        if (signal === "SIGKILL") killCount += 1;
      }
      // Otherwise the test would have killed nothing.
      expect(killCount).toBe(ROUNDS);
      const midway = (await rows()).length;
      expect(midway).toBeLessThan(RECORDS);
      expect(await runCli(dataDir, environment, ...args)).toContain(`${midway.toLocaleString("en")} were already imported`);

      const all = await rows();
      const lost = RECORDS - new Set(all.map(({ body }) => body)).size;
      reportFaults("killed: imports", engine, { broken: killCount, acknowledged: all.length, lost, doubled: all.length - RECORDS + lost, resumed: killCount });
      expect(all.map(({ body }) => body)).toEqual(Array.from({ length: RECORDS }, (_, index) => `take ${index + 1}`));
      expect(all.map(({ parent_id }) => parent_id)).toEqual([null, ...all.slice(0, -1).map(({ id }) => id)]);
      const searchRows = await database.read
        .selectFrom("message_search" as "messages")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      expect(searchRows.count).toBe(RECORDS);
      const events = await database.read.selectFrom("events").select("type").where("topic", "=", `project:${project}`).execute();
      expect(events).toEqual([{ type: "messages.imported" }]);
    } finally {
      await database.close();
      await data.drop();
      if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
