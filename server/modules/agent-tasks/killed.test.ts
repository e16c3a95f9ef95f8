/** Kills the real service repeatedly while agents work: every run ends once, and writes everything once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RuleStep } from "../../../contract/agent-task-records.ts";
import { uploadFile } from "../../../contract/operations/files.ts";
import type { Database } from "../../db/database.ts";
import { createQueue } from "../../jobs/queue.ts";
import { systemClock } from "../../lib/clock.ts";
import { createAgent } from "../../testing/agents.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../../testing/engines.ts";
import { sendRawRequest } from "../../testing/raw-socket.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService } from "../../testing/service-process.ts";
import { RUN_JOB } from "./deps.ts";

const ROUNDS = getFaultRounds(3);
const RUNS_PER_ROUND = 40;
const STEPS: RuleStep[] = [
  { type: "post_message", text: "{person} {file}" },
  { type: "create_task", title: "Upload the master of {file}" },
  { type: "post_comment", text: "Approved: {file}" },
];

describe.each(ENGINES)("agents on %s", { timeout: 300_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let service: ServiceProcess | null = null;
  let environment: Environment;
  beforeEach(async () => {
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    environment = engine === "postgres" ? { DATABASE_URL: data.location } : {};
  }, 60_000);
  afterEach(async () => {
    await service?.kill();
    await database.close();
    await data.drop();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  test(`a service that is killed ${ROUNDS} times ends every run once`, async () => {
    const owner = await createOwner(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const call = async (method: string, path: string, body: object) =>
      (await sendRawRequest(service!.base, owner, { method, path, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) }))
        .json;
    const [team] = (await call("POST", "/v1/teams/ls", {})).data;
    const project = (await call("POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).data;
    const { id: ownerId, organisation_id } = await database.read.selectFrom("accounts").select(["id", "organisation_id"]).executeTakeFirstOrThrow();
    const agent = await createAgent({ database, clock: systemClock }, { createdBy: { id: ownerId }, projects: [project.id] });
    const upload = {
      method: uploadFile.method,
      path: `${uploadFile.path}?parent_id=${project.root_folder_id as number}&name=mix.txt`,
      body: Buffer.from("Louder"),
    };
    const uploaded = await sendRawRequest(service.base, owner, { ...upload, headers: { "content-type": "application/octet-stream" } });
    expect(uploaded.status, uploaded.text).toBe(200);
    const file = uploaded.json.file_id as number;
    const queue = createQueue(database);
    const addRuns = () =>
      database.write(async (tx) => {
        const now = Date.now();
        const trigger = { type: "manual" as const };
        const task = await tx
          .insertInto("agent_tasks")
          .values({
            agent_id: agent,
            project_id: project.id,
            file_id: file,
            name: "Rule",
            action: "rule",
            trigger_type: trigger.type,
            state: "active",
            trigger_data: JSON.stringify(trigger),
            steps: JSON.stringify(STEPS),
            result: "message",
            created_by: ownerId,
            created_at: now,
            updated_at: now,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        for (let count = 0; count < RUNS_PER_ROUND; count += 1) {
          const values = {
            task_id: task.id,
            state: "waiting" as const,
            started_by: trigger.type,
            started_by_account_id: ownerId,
            file_id: file,
            created_at: now,
          };
          const run = await tx.insertInto("agent_task_runs").values(values).returning("id").executeTakeFirstOrThrow();
          await queue.enqueue(tx, now, { kind: RUN_JOB, subject_id: run.id, organisation_id, account_id: agent });
        }
      });
    const countSucceeded = async () => (await database.read.selectFrom("agent_task_runs").select("id").where("state", "=", "succeeded").execute()).length;
    const waitForRuns = async (count: number) => {
      while ((await countSucceeded()) < count) {
        expect(await database.read.selectFrom("agent_task_runs").select("error").where("state", "=", "failed").execute()).toEqual([]);
        await pause(5);
      }
    };
    for (let round = 1; round <= ROUNDS; round += 1) {
      await addRuns();
      await waitForRuns((round - 1) * RUNS_PER_ROUND + round * 5);
      await service.kill();
      expect(await countSucceeded()).toBeLessThan(round * RUNS_PER_ROUND);
      service = await startService(dataDir, environment);
      if (round === ROUNDS) await waitForRuns(ROUNDS * RUNS_PER_ROUND);
    }
    const total = ROUNDS * RUNS_PER_ROUND;
    for (const [table, column] of [
      ["messages", "account_id"],
      ["tasks", "created_by"],
      ["comments", "account_id"],
    ] as const)
      expect(
        (
          await database.read
            .selectFrom(table)
            .select("id")
            .where(column as never, "=", agent as never)
            .execute()
        ).length,
        table,
      ).toBe(total);
    const runs = await database.read.selectFrom("agent_task_runs").selectAll().execute();
    expect(new Set(runs.map(({ results }) => (JSON.parse(results) as object[]).length))).toEqual(new Set([STEPS.length]));
    expect(new Set(runs.map(({ log }) => (JSON.parse(log) as { text: string }[]).filter(({ text }) => text === "Posted a message.").length))).toEqual(
      new Set([1]),
    );
  });
});
