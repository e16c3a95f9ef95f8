/** Kills the real service repeatedly while agents work: every run ends once, and writes everything once. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import type { RuleStep } from "../../../contract/agent-task-records.ts";
import { uploadFile } from "../../../contract/operations/files.ts";
import { createQueue } from "../../jobs/queue.ts";
import { ENGINES } from "../../testing/engines.ts";
import { startServiceWithAgent } from "../../testing/killed-service.ts";
import { getFaultRounds } from "../../testing/service-process.ts";
import { RUN_JOB } from "./deps.ts";

const ROUNDS = getFaultRounds(3);
const RUNS_PER_ROUND = 40;
const STEPS: RuleStep[] = [
  { type: "post_message", text: "{person} {file}" },
  { type: "create_task", title: "Upload the master of {file}" },
  { type: "post_comment", text: "Approved: {file}" },
];

test.each(ENGINES)(`a service on %s that is killed ${ROUNDS} times ends every run once`, { timeout: 900_000 }, async (engine) => {
  const { database, project, ownerId, organisationId, agent, send, ...service } = await startServiceWithAgent(engine);
  const upload = async (name: string): Promise<number> => {
    const path = `${uploadFile.path}?parent_id=${project.root_folder_id}&name=${name}`;
    const uploaded = await send(uploadFile.method, path, Buffer.from("Louder"), "application/octet-stream");
    expect(uploaded.status, uploaded.text).toBe(200);
    return uploaded.json.file_id as number;
  };
  const queue = createQueue(database);
  const addRuns = (file: number) =>
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
        await queue.enqueue(tx, now, { kind: RUN_JOB, subject_id: run.id, organisation_id: organisationId, account_id: agent });
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
    // A file of its own for each round, because a file has a limited number of tasks.
    await addRuns(await upload(`mix-${round}.txt`));
    // Half of the round's runs and more are left when the service is killed.
    await waitForRuns((round - 1) * RUNS_PER_ROUND + 5 + ((round * 5) % 20));
    await service.kill();
    expect(await countSucceeded()).toBeLessThan(round * RUNS_PER_ROUND);
    await service.startAgain();
    if (round === ROUNDS) await waitForRuns(ROUNDS * RUNS_PER_ROUND);
  }
  const total = ROUNDS * RUNS_PER_ROUND;
  const posted = (await database.read.selectFrom("messages").select("id").where("account_id", "=", agent).execute()).length;
  const counts = { lost: Math.max(0, total - posted), doubled: Math.max(0, posted - total) };
  reportFaults("killed: runs of agents", engine, { broken: ROUNDS, acknowledged: total, ...counts });
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
