/** Kills the real service while it migrates the database of an earlier version: the next start completes the upgrade, and nothing is lost. */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import { FAULT_ENGINES } from "../testing/engines.ts";
import { getFaultRounds, spawnService, startService } from "../testing/service-process.ts";
import { FIXTURE_KEY, readFixture } from "../testing/upgrade-fixtures/archive.ts";
import { loadFixture, type FormerData } from "../testing/upgrade-fixtures/load.ts";
import { MIGRATIONS } from "./migrate.ts";

const NAME = "002-files";
const ROUNDS = getFaultRounds(1);

/** Returns the number of migrations that have run, also while another process is writing. */
async function countMigrations({ data }: FormerData): Promise<number> {
  if (data.engine === "postgres") {
    const database = data.open();
    try {
      return (await database.read.selectFrom("migrations").select("name").execute()).length;
    } finally {
      await database.close();
    }
  }
  const database = new DatabaseSync(join(data.location, "talkback.db"), { timeout: 5_000 });
  const { count } = database.prepare("select count(*) as count from migrations").get() as { count: number };
  database.close();
  return count;
}

describe.each(FAULT_ENGINES)("an upgrade on %s", { timeout: 600_000 }, (engine) => {
  it(`that is killed ${ROUNDS} times is completed by the next start`, async () => {
    const fixture = readFixture(NAME);
    let [interrupted, killed, acknowledged, lost] = [0, 0, 0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const former = await loadFixture(engine, fixture);
      const isSqlite = engine === "sqlite";
      const settings = { MASTER_KEY: FIXTURE_KEY, ...(isSqlite ? {} : { DATABASE_URL: former.data.location }) };
      const dataDir = isSqlite ? former.data.location : former.folder;
      try {
        const before = await countMigrations(former);
        const child = await spawnService(dataDir, settings);
        const exited = once(child, "exit");
        // Kills it after the first of the migrations, some of the next ones later.
        while (child.exitCode === null && (await countMigrations(former)) === before) await sleep(1);
        await sleep(Math.random() * 40);
        child.kill("SIGKILL");
        await exited;
        killed += 1;
        if ((await countMigrations(former)) < MIGRATIONS.length) interrupted += 1;
        const service = await startService(dataDir, settings);
        try {
          expect(await countMigrations(former)).toBe(MIGRATIONS.length);
          const response = await fetch(`${service.base}/v1/account/projects/chat_history`, {
            method: "POST",
            headers: { authorization: `Bearer ${fixture.content.token}`, "content-type": "application/json" },
            body: JSON.stringify({ project_id: fixture.content.projectId }),
          });
          const { data } = (await response.json()) as { data: { body: string }[] };
          const bodies = data.map(({ body }) => body);
          acknowledged += fixture.content.messages.length;
          lost += fixture.content.messages.filter((body) => !bodies.includes(body)).length;
        } finally {
          await service.kill();
        }
      } finally {
        await former.drop();
      }
    }
    reportFaults("upgrade: killed start", engine, { broken: killed, acknowledged, lost, resumed: interrupted });
    expect(lost).toBe(0);
    // A kill after the last migration interrupts nothing.
    if (ROUNDS > 1) expect(interrupted).toBeGreaterThan(ROUNDS / 4);
  });
});
