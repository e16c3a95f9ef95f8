/** Kills the real service repeatedly while a model answers: every run ends once, and posts once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../db/database.ts";
import { createQueue } from "../../../jobs/queue.ts";
import { systemClock } from "../../../lib/clock.ts";
import { createAgent } from "../../../testing/agents.ts";
import { createTestDatabase, ENGINES, type TestDatabase } from "../../../testing/engines.ts";
import { modelEnvironment, type ModelStandIn, startModelStandIn } from "../../../testing/model-stand-in.ts";
import { sendRawRequest } from "../../../testing/raw-socket.ts";
import { createOwner, type Environment, getFaultRounds, type ServiceProcess, startService } from "../../../testing/service-process.ts";
import { MODEL_RUN_JOB } from "../deps.ts";

const ROUNDS = getFaultRounds(3);
const RUNS_PER_ROUND = 8;

describe.each(ENGINES)("agents with a model on %s", { timeout: 300_000 }, (engine) => {
  let dataDir: string;
  let data: TestDatabase;
  let database: Database;
  let standIn: ModelStandIn;
  let service: ServiceProcess | null = null;
  let environment: Environment;
  beforeEach(async () => {
    data = await createTestDatabase(engine);
    dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-service-"));
    standIn = await startModelStandIn();
    environment = { ...modelEnvironment(standIn), ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}) };
  }, 60_000);
  afterEach(async () => {
    await service?.kill();
    await database.close();
    await data.drop();
    await standIn.close();
    if (engine === "postgres") rmSync(dataDir, { recursive: true, force: true });
  });

  test(`a service that is killed ${ROUNDS} times while a model answers posts each summary once`, async () => {
    const owner = await createOwner(dataDir, environment);
    database = data.open();
    service = await startService(dataDir, environment);
    const call = async (method: string, path: string, body: object) =>
      (await sendRawRequest(service!.base, owner, { method, path, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) }))
        .json;
    const [team] = (await call("POST", "/v1/teams/ls", {})).data;
    const project = (await call("POST", "/v1/account/projects/create", { name: "Song", team_id: team.id })).data;
    await call("POST", "/v1/account/projects/chat_message", { project_id: project.id, body: "Louder" });
    const { id: ownerId, organisation_id } = await database.read.selectFrom("accounts").select(["id", "organisation_id"]).executeTakeFirstOrThrow();
    const agent = await createAgent({ database, clock: systemClock }, { createdBy: { id: ownerId }, projects: [project.id] });
    const queue = createQueue(database);
    const now = systemClock.now();
    const task = await database.write((tx) =>
      tx
        .insertInto("agent_tasks")
        .values({
          agent_id: agent,
          project_id: project.id,
          name: "Summary",
          action: "summarize",
          trigger_type: "manual",
          trigger_data: '{"type":"manual"}',
          state: "active",
          steps: "[]",
          result: "message",
          since_hours: 24,
          created_by: ownerId,
          created_at: now,
          updated_at: now,
        })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    const addRuns = () =>
      database.write(async (tx) => {
        const values = { task_id: task.id, state: "waiting" as const, started_by: "manual" as const, created_at: systemClock.now() + 1 };
        for (let count = 0; count < RUNS_PER_ROUND; count += 1) {
          const run = await tx.insertInto("agent_task_runs").values(values).returning("id").executeTakeFirstOrThrow();
          await queue.enqueue(tx, systemClock.now(), { kind: MODEL_RUN_JOB, subject_id: run.id, organisation_id, account_id: agent });
        }
      });
    const countSucceeded = async () => (await database.read.selectFrom("agent_task_runs").select("id").where("state", "=", "succeeded").execute()).length;
    const waitForRuns = async (count: number) => {
      while ((await countSucceeded()) < count) {
        expect(await database.read.selectFrom("agent_task_runs").select("error").where("state", "=", "failed").execute()).toEqual([]);
        await pause(5);
      }
    };
    let answers = 0;
    standIn.answer(async () => {
      await pause(30);
      return `- Louder, ${++answers}`;
    });
    for (let round = 1; round <= ROUNDS; round += 1) {
      await addRuns();
      await waitForRuns((round - 1) * RUNS_PER_ROUND + 3);
      const asked = standIn.requests.length;
      while (standIn.requests.length === asked) await pause(1);
      // The model is answering.
      await service.kill();
      expect(await countSucceeded()).toBeLessThan(round * RUNS_PER_ROUND);
      service = await startService(dataDir, environment);
      await waitForRuns(round * RUNS_PER_ROUND);
    }
    const total = ROUNDS * RUNS_PER_ROUND;
    const messages = await database.read.selectFrom("messages").select("body").where("account_id", "=", agent).execute();
    expect(messages.filter(({ body }) => body.includes("- Louder, "))).toHaveLength(total);
    expect(messages).toHaveLength(total);
    // Each kill cost one answer at most.
    expect(standIn.requests.length).toBeGreaterThan(total);
    expect(standIn.requests.length).toBeLessThanOrEqual(total + ROUNDS);
  });
});
