/** Kills the real service repeatedly while a model answers: every run ends once, and posts once. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { reportFaults } from "../../../testing/fault-counts.ts";
import { createQueue } from "../../../jobs/queue.ts";
import { systemClock } from "../../../lib/clock.ts";
import { ENGINES } from "../../../testing/engines.ts";
import { startServiceWithAgent } from "../../../testing/killed-service.ts";
import { modelEnvironment, startModelStandIn } from "../../../testing/model-stand-in.ts";
import { getFaultRounds } from "../../../testing/service-process.ts";
import { MODEL_RUN_JOB } from "../deps.ts";

const ROUNDS = getFaultRounds(3);
const RUNS_PER_ROUND = 8;

test.each(ENGINES)(`a service on %s that is killed ${ROUNDS} times while a model answers posts each summary once`, { timeout: 900_000 }, async (engine) => {
  const standIn = await startModelStandIn();
  onTestFinished(() => standIn.close());
  const { database, project, ownerId, organisationId, agent, call, ...service } = await startServiceWithAgent(engine, modelEnvironment(standIn));
  await call("POST", "/v1/account/projects/chat_message", { project_id: project.id, body: "Louder" });
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
        await queue.enqueue(tx, systemClock.now(), { kind: MODEL_RUN_JOB, subject_id: run.id, organisation_id: organisationId, account_id: agent });
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
    await service.startAgain();
    await waitForRuns(round * RUNS_PER_ROUND);
  }
  const total = ROUNDS * RUNS_PER_ROUND;
  const messages = await database.read.selectFrom("messages").select("body").where("account_id", "=", agent).execute();
  const counts = { lost: Math.max(0, total - messages.length), doubled: Math.max(0, messages.length - total) };
  reportFaults("killed: summaries", engine, { broken: ROUNDS, acknowledged: total, ...counts });
  expect(messages.filter(({ body }) => body.includes("- Louder, "))).toHaveLength(total);
  expect(messages).toHaveLength(total);
  // Each kill cost one answer at most.
  expect(standIn.requests.length).toBeGreaterThan(total);
  expect(standIn.requests.length).toBeLessThanOrEqual(total + ROUNDS);
});
