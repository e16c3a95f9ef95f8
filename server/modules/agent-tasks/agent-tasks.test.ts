/** Tests agent tasks through the whole service: what starts them, what they write as their agent, and what they are not allowed to. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentTask, AgentTaskTrigger, RuleStep } from "../../../contract/agent-task-records.ts";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import * as comments from "../../../contract/operations/comments.ts";
import { setDeliveryRules } from "../../../contract/operations/delivery-rules.ts";
import * as files from "../../../contract/operations/files.ts";
import { updateProject } from "../../../contract/operations/projects.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts";
import { createAgent, pauseAgent } from "../../testing/agents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createRunHelpers, INTERVAL_MS } from "./runs.fixture.ts";

const TIMEOUT_MS = 60_000;

describe.each(ENGINES)("agent tasks on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let agent: number;
  let stop: () => Promise<void>;
  let approved: number;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    // As two processes would.
    const stops = [1, 2].map(() => fixtures.testApp.app.startAgentRuns({ intervalMs: INTERVAL_MS }));
    stop = async () => void (await Promise.all(stops.map((end) => end())));
    const { data } = (await fixtures.testApp.call(fixtures.member, listFileStatuses, { body: { team_id: fixtures.home.team } })).response;
    approved = data.find(({ title }) => title === "Approved")!.id;
  }, TIMEOUT_MS);
  beforeEach(async () => {
    agent = await createAgent(fixtures.testApp, { createdBy: fixtures.owner, projects: [fixtures.home.project] });
  });
  afterAll(async () => {
    await stop();
    await fixtures.testApp.close();
  });

  async function giveTask(trigger: AgentTaskTrigger, steps: RuleStep[], more: { agent?: number; file_id?: number } = {}): Promise<AgentTask> {
    const { agent: agent_id = agent, ...content } = more;
    const body = { project_id: fixtures.home.project, action: "rule" as const, name: "A rule", trigger, steps, ...content };
    return (await fixtures.testApp.call(fixtures.admin, operations.createAgentTask, { params: { agent_id }, body })).response.data;
  }
  const { runNow, runsOf, waitForRun, ended, messagesOf, setStatus, createMix } = createRunHelpers(() => fixtures);
  const whenApproved = (more: object = {}): AgentTaskTrigger => ({ type: "event", event: "file.status_changed", status_id: approved, ...more });

  test("when a mix becomes Approved, the agent posts its loudness and asks for the master", async () => {
    const task = await giveTask(whenApproved({ file_kind: "audio" }), [
      { type: "post_message", text: "{person} set {file} to {status}: {loudness}, {true_peak}, {sample_rate}, {bit_depth}, {format}, {duration}." },
      { type: "create_task", title: "Upload the master of {file}", assignee_account_id: fixtures.member.id, due_in_days: 3 },
      { type: "post_comment", text: "Version {version} in {project}." },
    ]);
    const mix = await createMix("Night Drive.wav");
    await setStatus(mix, approved);
    const run = await ended(task);
    expect(run).toMatchObject({ state: "succeeded", started_by: "event", started_by_account_id: fixtures.member.id, file_id: mix, error: null });
    expect(run.log.map(({ text }) => text)).toEqual([
      "Posted a message.",
      'Created the task "Upload the master of Night Drive.wav".',
      "Wrote a comment.",
      "Finished.",
    ]);
    expect(run.results.map(({ type }) => type)).toEqual(["message", "task", "comment"]);
    expect(await messagesOf(agent)).toEqual([
      `${fixtures.member.name} set Night Drive.wav to Approved: \u221214.0 LUFS, \u22121.0 dBTP, 48 kHz, 24 bit, WAV, 0:02.`,
    ]);
    const created = (await fixtures.testApp.call(fixtures.member, tasks.listTasks, { query: { file_id: String(mix) } })).response.data;
    expect(created).toMatchObject([{ title: "Upload the master of Night Drive.wav", created_by_account_id: agent, assignee_account_id: fixtures.member.id }]);
    const written = (await fixtures.testApp.call(fixtures.member, comments.listComments, { params: { file_id: mix }, query: {} })).response.data;
    expect(written).toMatchObject([{ body: "Version 1 in home.", account_id: agent }]);
    const { data } = (await fixtures.testApp.call(fixtures.member, operations.getAgentTask, { params: { task_id: task.id } })).response;
    expect(data.last_run).toMatchObject({ id: run.id, state: "succeeded" });
  });

  test("only the status, the kind and the name of the trigger start it", async () => {
    const steps: RuleStep[] = [{ type: "post_message", text: "{file}" }];
    const [byKind, byName, other] = [
      await giveTask(whenApproved({ file_kind: "video" }), steps),
      await giveTask(whenApproved({ name_pattern: "final*mix" }), steps),
      await giveTask({ type: "event", event: "file.uploaded" }, steps),
    ];
    const mix = await createMix("Final 2 MIX.wav");
    await setStatus(mix, approved);
    expect((await ended(byName)).state).toBe("succeeded");
    expect([(await runsOf(byKind)).length, (await runsOf(byName)).length, (await runsOf(other)).length]).toEqual([0, 1, 1]);
    await setStatus(await createMix("Other.wav"), approved);
    expect((await runsOf(byName)).length).toBe(1);
    expect((await runsOf(other)).length).toBe(2);
    await upload(fixtures.testApp, fixtures.member, { versionOf: mix });
    expect((await runsOf(other)).length).toBe(2);
  });

  test("a step that needs measurements waits for the analysis, one that does not runs at once", async () => {
    const file = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "new.wav" });
    const waiting = await giveTask({ type: "manual" }, [{ type: "post_message", text: "{loudness}" }]);
    const atOnce = await giveTask({ type: "manual" }, [{ type: "post_message", text: "{file}" }]);
    await runNow(waiting, file);
    await runNow(atOnce, file);
    expect((await ended(atOnce)).state).toBe("succeeded");
    expect(await waitForRun(waiting, ({ waiting_for }) => waiting_for !== null)).toMatchObject({
      state: "waiting",
      waiting_for: "The file is being analyzed.",
    });
    await markProcessed(fixtures.testApp, file);
    fixtures.testApp.clock.advance(MINUTE);
    expect((await ended(waiting)).log.map(({ text }) => text)).toEqual(["Waits: The file is being analyzed.", "Posted a message.", "Finished."]);
    expect(await messagesOf(agent)).toEqual(["new.wav", "unknown"]);
  });

  test("an agent that sets a status starts no task, not even its own", async () => {
    const echo = await giveTask(whenApproved(), [{ type: "post_message", text: "Again" }]);
    const approve = await giveTask({ type: "manual" }, [{ type: "set_status", status_id: approved }]);
    const mix = await createMix("Loop.wav");
    await runNow(approve, mix);
    expect((await ended(approve)).log.map(({ text }) => text)).toEqual(['Set the status to "Approved".', "Finished."]);
    expect(await runsOf(echo)).toEqual([]);
  });

  test("a run ends with the reason if scopes, role or visibility do not allow a step", async () => {
    const { testApp, owner, home } = fixtures;
    const silent = await createAgent(testApp, { createdBy: owner, projects: [home.project], scopes: ["files:read"] });
    const guest = await createAgent(testApp, { createdBy: owner, projects: [home.project], role: "guest" });
    const mix = await createMix("Rights.wav");
    const unscoped = await giveTask({ type: "manual" }, [{ type: "post_message", text: "Hello" }], { agent: silent });
    const unruled = await giveTask({ type: "manual" }, [{ type: "set_status", status_id: approved }], { agent: guest });
    const withoutFile = await giveTask({ type: "manual" }, [{ type: "post_comment", text: "Hello" }]);
    const deleted = await giveTask({ type: "manual" }, [{ type: "post_message", text: "{file}" }], { file_id: mix });
    for (const task of [unscoped, unruled]) await runNow(task, mix);
    await runNow(withoutFile);
    await Promise.all([unscoped, unruled].map(ended));
    await testApp.call(owner, files.deleteFile, { body: { file_id: mix } });
    await runNow(deleted);
    const results = await Promise.all([unscoped, unruled, withoutFile, deleted].map(ended));
    expect(results.map(({ state, error }) => [state, error])).toEqual([
      ["failed", "The agent lacks the scope chat:write."],
      ["failed", expect.stringContaining("role does not allow")],
      ["failed", "This step needs a file, and the run has none."],
      ["failed", expect.stringContaining("No such file")],
    ]);
    expect(results[0]?.log.at(-1)?.text).toBe("Failed: The agent lacks the scope chat:write.");
    expect(await messagesOf(silent)).toEqual([]);
  });

  test("an agent that leaves the project can no longer act in it, and a paused one waits", async () => {
    const { testApp, home } = fixtures;
    const task = await giveTask({ type: "manual" }, [{ type: "post_message", text: "Hello" }]);
    await pauseAgent(testApp, agent, true);
    await runNow(task);
    expect((await waitForRun(task, ({ waiting_for }) => waiting_for !== null)).waiting_for).toBe("The agent is paused.");
    expect(await messagesOf(agent)).toEqual([]);
    await pauseAgent(testApp, agent, false);
    testApp.clock.advance(2 * MINUTE);
    expect((await ended(task)).state).toBe("succeeded");
    await testApp.database.write((tx) => tx.deleteFrom("project_members").where("project_id", "=", home.project).where("account_id", "=", agent).execute());
    await runNow(task);
    expect(await ended(task)).toMatchObject({ state: "failed", error: expect.stringContaining("No such project") });
  });

  test("a task runs at its time once, and by its schedule once however often it was due", async () => {
    const { testApp } = fixtures;
    const steps: RuleStep[] = [{ type: "post_message", text: "Good morning" }];
    const time = new Date(testApp.clock.now() + HOUR).toISOString();
    const once = await giveTask({ type: "at", time }, steps);
    const daily = await giveTask({ type: "schedule", cron: "0 9 * * *", time_zone: "Europe/Berlin" }, steps);
    expect([once.next_run_at, once.state]).toEqual([time, "active"]);
    await pause(5 * INTERVAL_MS);
    expect([...(await runsOf(once)), ...(await runsOf(daily))]).toEqual([]);
    testApp.clock.advance(3 * DAY);
    expect([(await ended(once)).started_by, (await ended(daily)).started_by]).toEqual(["at", "schedule"]);
    const read = async ({ id }: AgentTask) => (await testApp.call(fixtures.member, operations.getAgentTask, { params: { task_id: id } })).response.data;
    expect(await read(once)).toMatchObject({ state: "done", next_run_at: null });
    const next = Date.parse((await read(daily)).next_run_at!);
    expect(next - testApp.clock.now()).toBeGreaterThan(0);
    expect(next - testApp.clock.now()).toBeLessThanOrEqual(DAY);
    await pause(5 * INTERVAL_MS);
    expect([(await runsOf(once)).length, (await runsOf(daily)).length]).toEqual([1, 1]);
  });

  test("a paused task is started by nothing but a person; a canceled run does nothing", async () => {
    const task = await giveTask(whenApproved(), [{ type: "post_message", text: "Approved" }]);
    const call = { params: { task_id: task.id }, body: { state: "paused" as const } };
    await fixtures.testApp.call(fixtures.admin, operations.updateAgentTask, call);
    await setStatus(await createMix("Paused.wav"), approved);
    expect(await runsOf(task)).toEqual([]);
    await pauseAgent(fixtures.testApp, agent, true);
    const { id } = await runNow(task);
    await waitForRun(task, ({ waiting_for }) => waiting_for !== null);
    const canceled = await fixtures.testApp.call(fixtures.member, operations.cancelAgentTaskRun, { params: { run_id: id } });
    expect(canceled.response.data).toMatchObject({ state: "canceled", waiting_for: null, finished_at: expect.any(String) });
    await pauseAgent(fixtures.testApp, agent, false);
    fixtures.testApp.clock.advance(2 * MINUTE);
    const later = await giveTask({ type: "manual" }, [{ type: "post_message", text: "Later" }]);
    await runNow(later);
    await ended(later);
    expect(await messagesOf(agent)).toEqual(["Later"]);
  });

  test("a check of the delivery rules is posted with a line for each rule", async () => {
    const { testApp, admin, home } = fixtures;
    const rules = {
      loudness: { target: -16, tolerance: 1 },
      true_peak_max: -1,
      sample_rates: [48_000],
      bit_depths: [],
      channels: [],
      formats: [],
      name_pattern: null,
    };
    await testApp.call(admin, setDeliveryRules, { params: { team_id: home.team }, body: rules });
    const mix = await createMix("Delivery.wav");
    const body = { project_id: home.project, action: "check_delivery" as const, name: "Check", trigger: { type: "manual" as const }, file_id: mix };
    const task = (await testApp.call(admin, operations.createAgentTask, { params: { agent_id: agent }, body })).response.data;
    await runNow(task);
    expect((await ended(task)).state).toBe("succeeded");
    expect(await messagesOf(agent)).toEqual([
      [
        "Delivery check of Delivery.wav, version 1: failed",
        "\u2717 Loudness \u221214.0 LUFS: 2.0 LU too loud (expected \u221216.0 LUFS \u00b1 1.0 LU)",
        "\u2713 True peak \u22121.0 dBTP",
        "\u2713 Sample rate 48 kHz",
      ].join("\n"),
    ]);
    const summary = await giveTask({ type: "manual" }, [{ type: "post_message", text: "{file}: {delivery}" }], { file_id: mix });
    await runNow(summary);
    await ended(summary);
    expect((await messagesOf(agent)).at(-1)).toBe("Delivery.wav: failed (loudness: 2.0 LU too loud)");
  });

  test("a run whose process died after a step, before recording it, writes nothing twice", async () => {
    const { testApp, member } = fixtures;
    const steps: RuleStep[] = [
      { type: "post_message", text: "{file} is {status}" },
      { type: "set_status", status_id: approved },
      { type: "post_comment", text: "{file} is {status}" },
      { type: "create_task", title: "{file} is {status}" },
    ];
    const mix = await createMix("Once.wav");
    const task = await giveTask({ type: "manual" }, steps, { file_id: mix });
    const { id } = await runNow(task);
    const first = await ended(task);
    await setStatus(mix, approved - 1);
    await testApp.call(member, files.renameFile, { body: { file_id: mix, name: "Renamed.wav" } });
    await testApp.database.write(async (tx) => {
      await tx
        .updateTable("agent_task_runs")
        .set({ state: "running", steps_done: 0, finished_at: null, results: "[]", log: "[]" })
        .where("id", "=", id)
        .execute();
      await tx.updateTable("jobs").set({ state: "waiting", attempts: 1 }).where("kind", "=", "agent.run").where("subject_id", "=", id).execute();
    });
    expect((await ended(task)).results).toEqual(first.results);
    expect(await messagesOf(agent)).toEqual(["Once.wav is no status"]);
    const [comment, ...others] = (await testApp.call(member, comments.listComments, { params: { file_id: mix }, query: {} })).response.data;
    expect([comment?.body, others]).toEqual(["Once.wav is Approved", []]);
    expect((await testApp.call(member, tasks.listTasks, { query: { file_id: String(mix) } })).response.data).toHaveLength(1);
    const { common } = (await testApp.call(member, files.getFileInfo, { body: { file_id: mix } })).response;
    expect(common.status?.id).toBe(approved - 1);
  });

  test("a placeholder in the name of a file stays as it is", async () => {
    const task = await giveTask({ type: "manual" }, [{ type: "post_message", text: "{file} {project}" }], { file_id: await createMix("{project}.wav") });
    await runNow(task);
    await ended(task);
    expect(await messagesOf(agent)).toEqual(["{project}.wav home"]);
  });

  test("a status that is replaced starts no run in an archived project", async () => {
    const { testApp, admin, home } = fixtures;
    const task = await giveTask(whenApproved(), [{ type: "post_message", text: "Approved" }]);
    const created = await testApp.call(admin, statuses.createFileStatus, { params: { team_id: home.team }, body: { title: "Nearly", color: 2 } });
    const mix = await createMix("Kept.wav");
    await setStatus(mix, created.response.data.id);
    const archive = (archived: boolean) => testApp.call(admin, updateProject, { params: { project_id: home.project }, body: { archived } });
    await archive(true);
    const [params, query] = [{ status_id: created.response.data.id }, { replacement_id: String(approved) }];
    expect((await testApp.call(admin, statuses.deleteFileStatus, { params, query })).status).toBe(200);
    await archive(false);
    expect(await runsOf(task)).toEqual([]);
    expect((await testApp.database.read.selectFrom("files").select("status_id").where("id", "=", mix).executeTakeFirst())?.status_id).toBe(approved);
  });

  test("events beyond the hourly limit start no run", async () => {
    const task = await giveTask(whenApproved(), [{ type: "post_message", text: "Approved" }]);
    const row = { task_id: task.id, state: "succeeded" as const, started_by: "event" as const, created_at: fixtures.testApp.clock.now() };
    await fixtures.testApp.database.write((tx) =>
      tx
        .insertInto("agent_task_runs")
        .values(Array.from({ length: 60 }, () => row))
        .execute(),
    );
    await setStatus(await createMix("Busy.wav"), approved);
    expect(await runsOf(task)).toHaveLength(60);
    const refused = await fixtures.testApp.call(fixtures.member, operations.runAgentTask, { params: { task_id: task.id }, body: {} });
    expect(refused.status).toBe(409);
  });

  test("runs are deleted after 90 days", async () => {
    const { testApp } = fixtures;
    const task = await giveTask({ type: "manual" }, [{ type: "post_message", text: "Hello" }]);
    await runNow(task);
    await ended(task);
    const countAfter = async (days: number): Promise<number> => {
      testApp.clock.advance(days * DAY);
      await testApp.app.scheduledJobs["delete old runs of agent tasks"]!();
      return (await testApp.database.read.selectFrom("agent_task_runs").select("id").where("task_id", "=", task.id).execute()).length;
    };
    expect([await countAfter(89), await countAfter(2)]).toEqual([1, 0]);
  });
});
