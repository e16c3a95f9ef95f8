/** Kills the real service while it removes the demo: after its next start it goes on and removes everything. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import { removeDemo } from "../../../contract/operations/demo.ts";
import { createOpenApp } from "../../app.ts";
import { readConfig } from "../../config.ts";
import { loadMasterKey } from "../../master-key.ts";
import { ENGINES } from "../../testing/engines.ts";
import { startKillableService } from "../../testing/killed-service.ts";
import { getFaultRounds } from "../../testing/service-process.ts";
import { placeholder } from "./assets.fixture.ts";
import { createDemo } from "./create-demo.ts";
import { claimRun } from "./run.ts";

const ROUNDS = getFaultRounds(1);

test.each(ENGINES)("a removal on %s survives kill -9, and its progress with it", { timeout: 300_000 }, async (engine) => {
  const { database, owner, environment, ...service } = await startKillableService(engine);
  const { id: ownerId, organisation_id: organisationId } = await database.read.selectFrom("accounts").selectAll().executeTakeFirstOrThrow();
  const config = readConfig({ LOG_LEVEL: "silent", ...environment });
  const masterKey = loadMasterKey(config);
  const count = async (table: "projects" | "messages" | "accounts" | "demos" | "blobs") =>
    (
      await database.read
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
    ).count;

  for (let round = 1; round <= ROUNDS; round += 1) {
    const token = await claimRun(database, Date.now(), organisationId, true);
    const assets = { bytes: (name: Parameters<typeof placeholder>[0]) => Promise.resolve(placeholder(name)) };
    const openApp = createOpenApp({ database, masterKey });
    await createDemo({ config, database, masterKey, organisationId, ownerId, token: token!, openApp, processedBy: "nobody", assets });
    const all = await count("messages");
    const reply = await fetch(service.base() + removeDemo.path, { method: removeDemo.method, headers: owner.headers });
    expect([reply.status, ((await reply.json()) as { data: object }).data]).toMatchObject([200, { state: "removing" }]);
    // It is in the middle of its work.
    while ((await count("messages")) === all) await pause(1);
    await service.kill();
    expect([await count("demos"), (await count("projects")) > 0 || (await count("accounts")) > 1]).toEqual([1, true]);
    await service.startAgain();
    while ((await count("demos")) > 0) await pause(20);
    const leftovers = (await count("projects")) + (await count("messages")) + (await count("accounts")) - 1 + (await count("blobs"));
    reportFaults("killed: removal of demos", engine, { broken: 1, resumed: 1, leftovers });
    expect(leftovers).toBe(0);
  }
});
