/** Tests the log of what agents do and its undo through the whole service, with tokens and with runs of tasks. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentAction } from "../../../contract/agent-action-records.ts";
import { AGENT_ACTION_RETENTION_DAYS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/agent-actions.ts";
import { createAgentTask, runAgentTask } from "../../../contract/operations/agent-tasks.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import { moveFiles } from "../../../contract/operations/files-view.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { DAY } from "../../lib/clock.ts";
import { createAgent, createAgentToken } from "../../testing/agents.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createRunHelpers, INTERVAL_MS } from "../agent-tasks/runs.fixture.ts";

const TIMEOUT_MS = 60_000;

describe.each(ENGINES)("actions of agents on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let agent: number;
  let bot: Caller;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), TIMEOUT_MS);
  beforeEach(async () => {
    agent = await createAgent(fixtures.testApp, { createdBy: fixtures.owner, projects: [fixtures.home.project] });
    bot = await createAgentToken(fixtures.testApp, agent, ["account:read", "chat:read", "chat:write", "files:read", "files:write"]);
  });
  afterAll(() => fixtures.testApp.close());
  const { ended } = createRunHelpers(() => fixtures);

  const call: Fixtures["testApp"]["call"] = (...args) => fixtures.testApp.call(...args);
  const actionsOf = async (query: object = {}): Promise<AgentAction[]> =>
    (await call(fixtures.member, operations.listAgentActions, { params: { agent_id: agent }, query })).response.data;
  const undo = async ({ id }: AgentAction, by: Caller = fixtures.member) =>
    fixtures.testApp.callUntyped(by, operations.undoAgentAction, { params: { agent_id: agent, action_id: id } });
  const post = async (body: string): Promise<number> => {
    const { response } = await call(bot, chat.sendMessage, { body: { project_id: fixtures.home.project, body } });
    return response.data.id;
  };
  let counter = 0;
  const addFile = (by: Caller, name = `Mix ${++counter}.wav`) => upload(fixtures.testApp, by, { parent: fixtures.home.folder, name });
  const infoOf = async (file_id: number) => (await call(fixtures.member, files.getFileInfo, { body: { file_id } })).response.common;

  test("what an agent posts is in its log, and a person who may delete it undoes it", async () => {
    const id = await post("The render is done");
    const [action] = await actionsOf();
    expect(action).toMatchObject({
      action: "message.created",
      text: "Posted a message",
      target: { type: "message", id, name: "The render is done" },
      project_id: fixtures.home.project,
      run_id: null,
      can_undo: false,
      undo_denial: "Only an admin or an owner can undo this.",
    });
    const [forAdmin] = (await call(fixtures.admin, operations.listAgentActions, { params: { agent_id: agent } })).response.data;
    expect(forAdmin).toMatchObject({ can_undo: true, undo_denial: null });
    const refused = await undo(action!);
    expect([refused.status, (await actionsOf())[0]?.undone_at]).toEqual([403, null]);
    expect(await undo(action!, fixtures.admin)).toMatchObject({ status: 200 });
    expect((await actionsOf())[0]).toMatchObject({ can_undo: false, undo_denial: null, undone_by_account_id: fixtures.admin.id, target: { name: null } });
    expect((await undo(action!, fixtures.admin)).status).toBe(409);
    const { data } = (await call(fixtures.member, chat.chatHistory, { body: { project_id: fixtures.home.project } })).response;
    expect(data.find((message) => message.id === id)?.body ?? "").toBe("");
  });

  test("renames, moves and status changes go back to the former value, unless somebody has changed it since", async () => {
    const file_id = await addFile(fixtures.member, "Night Drive.wav");
    const folder = await createFolder(fixtures.testApp, fixtures.member, fixtures.home.folder, `Masters ${engine}`);
    const statuses = (await call(fixtures.member, listFileStatuses, { body: { team_id: fixtures.home.team } })).response.data;
    const [draft, approved] = [statuses[0]!, statuses.find(({ title }) => title === "Approved")!];
    await call(fixtures.member, files.setFileStatus, { body: { file_id, status_id: draft.id } });
    await call(bot, files.renameFile, { body: { file_id, name: "Night Drive Master.wav" } });
    await call(bot, moveFiles, { body: { file_ids: [file_id], parent_id: folder } });
    await call(bot, files.setFileStatus, { body: { file_id, status_id: approved.id } });
    const [status, move, rename, ...others] = await actionsOf();
    expect(others).toEqual([]);
    expect([status, move, rename].map((action) => [action?.action, action?.from, action?.to])).toEqual([
      ["file.status_changed", draft.title, "Approved"],
      ["file.moved", expect.any(String), `Masters ${engine}`],
      ["file.renamed", "Night Drive.wav", "Night Drive Master.wav"],
    ]);
    await call(fixtures.member, files.renameFile, { body: { file_id, name: "Mine.wav" } });
    for (const [action, expected] of [
      [rename!, 409],
      [status!, 200],
      [move!, 200],
    ] as const)
      expect((await undo(action)).status).toBe(expected);
    expect(await infoOf(file_id)).toMatchObject({ name: "Mine.wav", parent_id: fixtures.home.folder, status: { id: draft.id } });
    expect((await actionsOf()).map(({ can_undo, undo_denial }) => [can_undo, undo_denial])).toEqual([
      [false, null],
      [false, null],
      [false, "Someone has changed it since."],
    ]);
  });

  test("files, comments and tasks that it added are deleted, what others changed stays", async () => {
    const file_id = await addFile(bot);
    await call(bot, comments.writeComment, { params: { file_id }, body: { body: "Loud" } });
    await call(bot, tasks.createTasks, { body: { file_id, tasks: [{ title: "Check" }, { title: "Listen" }] } });
    const [second, first, comment, file] = await actionsOf();
    expect([second, first, comment, file].map((action) => action?.text)).toEqual(["Created a task", "Created a task", "Wrote a comment", "Added a file"]);
    await call(bot, tasks.updateTask, { params: { task_id: second!.target.id }, body: { closed: true } });
    const [closed] = await actionsOf();
    expect(closed).toMatchObject({ action: "task.closed", can_undo: true });
    expect((await undo(closed!)).status).toBe(200);
    await call(fixtures.member, tasks.updateTask, { params: { task_id: first!.target.id }, body: { title: "Check the peaks" } });
    expect((await undo(first!)).status).toBe(409);
    expect((await undo(second!)).status).toBe(200);
    expect((await undo(comment!, fixtures.admin)).status).toBe(200);
    expect((await call(fixtures.member, tasks.listTasks, { query: { file_id: String(file_id) } })).response.data.map(({ title }) => title)).toEqual([
      "Check the peaks",
    ]);
    await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, versionOf: file_id });
    expect((await actionsOf()).find(({ id }) => id === file!.id)).toMatchObject({ can_undo: false, undo_denial: "Someone has changed it since." });
    expect((await undo(file!)).status).toBe(409);
  });

  test("what cannot be undone is listed with the reason, once per change", async () => {
    const file_id = await addFile(bot);
    await call(bot, comments.writeComment, { params: { file_id }, body: { body: "Loud" } });
    const [comment] = await actionsOf();
    await call(bot, comments.showComment, { params: { comment_id: comment!.target.id } });
    await call(bot, files.renameFile, { body: { file_id, name: `Renamed ${++counter}.wav` } });
    await call(bot, files.deleteFile, { body: { file_id } });
    const actions = await actionsOf();
    expect(actions.map(({ action }) => action)).toEqual(["file.deleted", "file.renamed", "message.created", "comment.created", "file.created"]);
    expect(actions[0]).toMatchObject({ can_undo: true, target: { name: `Renamed ${counter}.wav` } });
    expect(actions[1]?.undo_denial).toBe("It no longer exists.");
    expect((await undo(actions[0]!)).status).toBe(200);
    expect((await infoOf(file_id))["name"]).toBe(`Renamed ${counter}.wav`);
    await upload(fixtures.testApp, bot, { parent: fixtures.home.folder, versionOf: file_id });
    expect((await actionsOf())[0]).toMatchObject({
      action: "file.version_added",
      can_undo: false,
      undo_denial: "Versions are never removed. The earlier ones are on the page of the file.",
    });
  });

  test("a whole run is undone, newest first, with a report", async () => {
    const stop = fixtures.testApp.app.startAgentRuns({ intervalMs: INTERVAL_MS });
    const file_id = await addFile(fixtures.member);
    const steps = [
      { type: "post_message" as const, text: "Started" },
      { type: "create_task" as const, title: "Check {file}" },
    ];
    const body = { project_id: fixtures.home.project, action: "rule" as const, name: "A rule", trigger: { type: "manual" as const }, steps, file_id };
    const task = (await call(fixtures.admin, createAgentTask, { params: { agent_id: agent }, body })).response.data;
    await call(fixtures.member, runAgentTask, { params: { task_id: task.id }, body: {} });
    const run = await ended(task);
    await stop();
    await post("By its token");
    const params = { agent_id: agent, run_id: run.id };
    const ofRun = () => actionsOf({ run_id: String(run.id) });
    expect((await ofRun()).map(({ action, run_id }) => [action, run_id])).toEqual([
      ["task.created", run.id],
      ["message.created", run.id],
    ]);
    const byMember = (await call(fixtures.member, operations.undoAgentRun, { params })).response.data;
    expect(byMember).toMatchObject({ undone_count: 1, results: [{ undone: true }, { undone: false, denial: expect.stringContaining("Only the author") }] });
    const byAdmin = (await call(fixtures.admin, operations.undoAgentRun, { params })).response.data;
    expect(byAdmin).toMatchObject({ undone_count: 1, results: [{ undone: true, denial: null }] });
    expect((await ofRun()).every(({ undone_at }) => undone_at !== null)).toBe(true);
    expect((await actionsOf())[0]).toMatchObject({ target: { name: "By its token" }, undone_at: null });
  });

  test("nobody sees or undoes what an agent did in a project that they do not see", async () => {
    const { apart, home, member, owner } = fixtures;
    const params = { agent_id: await createAgent(fixtures.testApp, { createdBy: owner, projects: [home.project, apart.project] }) };
    const wide = await createAgentToken(fixtures.testApp, params.agent_id, ["account:read", "chat:read", "chat:write"]);
    for (const project_id of [home.project, apart.project]) await call(wide, chat.sendMessage, { body: { project_id, body: "Hello" } });
    const projectsOf = async (caller: Caller) =>
      (await call(caller, operations.listAgentActions, { params })).response.data.map(({ project_id }) => project_id);
    expect([await projectsOf(owner), await projectsOf(member)]).toEqual([[apart.project, home.project], [home.project]]);
    const [hidden] = (await call(owner, operations.listAgentActions, { params })).response.data;
    const undoHidden = (caller: Caller) => fixtures.testApp.callUntyped(caller, operations.undoAgentAction, { params: { ...params, action_id: hidden!.id } });
    expect([(await undoHidden(member)).status, (await undoHidden(owner)).status]).toEqual([404, 200]);
  });

  test("a refused change and what people do leave no trace; old actions are deleted", async () => {
    await call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "Hello" } });
    const [file_id, other] = [await addFile(fixtures.member), await addFile(fixtures.member, "Taken.wav")];
    const refused = await fixtures.testApp.callUntyped(bot, files.renameFile, { body: { file_id, name: "Taken.wav" } });
    expect([refused.status, (await infoOf(other))["name"]]).toEqual([409, "Taken.wav"]);
    const byPeople = fixtures.testApp.database.read.selectFrom("agent_actions").select("id").where("agent_id", "=", fixtures.member.id);
    expect([await actionsOf(), await byPeople.execute()]).toEqual([[], []]);
    await post("Old");
    expect(await actionsOf()).toHaveLength(1);
    fixtures.testApp.clock.advance(AGENT_ACTION_RETENTION_DAYS * DAY + 1);
    await fixtures.testApp.app.scheduledJobs["delete old actions of agents"]!();
    const { count } = await fixtures.testApp.database.read
      .selectFrom("agent_actions")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });
});
