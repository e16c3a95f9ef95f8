/** Tests what becomes an action of an agent: each change once, under its own name, and nothing that only follows from it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentAction } from "../../../contract/agent-action-records.ts";
import * as operations from "../../../contract/operations/agent-actions.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as filesView from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as csv from "../../../contract/operations/metadata-files.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import { updateTeam } from "../../../contract/operations/statuses.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { DAY } from "../../lib/clock.ts";
import { runForCaller } from "../../lib/current-caller.ts";
import { createAgent, createAgentToken } from "../../testing/agents.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate } from "../../testing/metadata.ts";
import { registerEndpoint } from "../../testing/webhooks.ts";
import { publishFileEvent } from "../files/file-events.ts";

const TIMEOUT_MS = 60_000;
const CHANGED_SINCE = "Someone has changed it since.";

describe.each(ENGINES)("the log of what agents did on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let agent: number;
  let bot: Caller;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), TIMEOUT_MS);
  beforeEach(async () => {
    agent = await createAgent(fixtures.testApp, { createdBy: fixtures.owner, projects: [fixtures.home.project] });
    bot = await createAgentToken(fixtures.testApp, agent, ["account:read", "chat:read", "chat:write", "files:read", "files:write"]);
  });
  afterAll(() => fixtures.testApp.close());

  const call: Fixtures["testApp"]["call"] = (...args) => fixtures.testApp.call(...args);
  const actionsOf = async (): Promise<AgentAction[]> =>
    (await call(fixtures.admin, operations.listAgentActions, { params: { agent_id: agent }, query: { limit: "100" } })).response.data;
  /** Names of the actions, oldest first. */
  const names = async () => (await actionsOf()).map(({ action }) => action).toReversed();
  const undo = async (name: string) => {
    const found = (await actionsOf()).find(({ action, undone_at }) => action === name && undone_at === null);
    return fixtures.testApp.callUntyped(fixtures.admin, operations.undoAgentAction, { params: { agent_id: agent, action_id: found!.id } });
  };
  const denialOf = async (name: string) => (await actionsOf()).find(({ action }) => action === name)?.undo_denial;
  let counter = 0;
  const addFile = (by: Caller) => upload(fixtures.testApp, by, { parent: fixtures.home.folder, name: `Song ${++counter}.wav` });
  const addVersion = (by: Caller, versionOf: number) => upload(fixtures.testApp, by, { parent: fixtures.home.folder, versionOf });
  const statusId = async (title: string): Promise<number> =>
    (await call(fixtures.member, listFileStatuses, { body: { team_id: fixtures.home.team } })).response.data.find((status) => status.title === title)!.id;
  const setStatus = async (by: Caller, file_id: number, title: string) =>
    call(by, files.setFileStatus, { body: { file_id, status_id: await statusId(title) } });

  test("a new version is one action, also where it resets the status, and an undo never approves a version that nobody heard", async () => {
    await call(fixtures.admin, updateTeam, { params: { team_id: fixtures.home.team }, body: { new_version_resets_status: true } });
    const file_id = await addFile(fixtures.member);
    await setStatus(fixtures.member, file_id, "Approved");
    await addVersion(bot, file_id);
    expect(await names()).toEqual(["file.version_added"]);
    await setStatus(fixtures.member, file_id, "Approved");
    await setStatus(bot, file_id, "In progress");
    expect(await denialOf("file.status_changed")).toBeNull();
    await addVersion(fixtures.member, file_id);
    expect(await denialOf("file.status_changed")).toBe(CHANGED_SINCE);
    await call(fixtures.admin, updateTeam, { params: { team_id: fixtures.home.team }, body: { new_version_resets_status: false } });
  });

  test("one request that changes several things is several actions, each of which goes back by itself", async () => {
    const file_id = await addFile(fixtures.member);
    const params = { file_id };
    await call(bot, filesView.updateFile, { params, body: { name: `Renamed ${++counter}.wav`, removal_protection: true } });
    const [task] = (await call(fixtures.member, tasks.createTasks, { body: { file_id, tasks: [{ title: "Listen" }] } })).response.data;
    await call(bot, tasks.updateTask, { params: { task_id: task!.id }, body: { title: "Mine now", closed: true } });
    expect(await names()).toEqual(["file.renamed", "file.protection_changed", "task.closed", "task.updated"]);
    expect([(await undo("file.protection_changed")).status, (await undo("task.closed")).status]).toEqual([200, 200]);
    const present = async () => (await call(fixtures.member, tasks.listTasks, { query: { file_id: String(file_id) } })).response.data[0];
    expect(await present()).toMatchObject({ title: "Mine now", closed: false });
    expect([(await undo("task.updated")).status, (await present())?.title]).toEqual([200, "Listen"]);
    expect((await call(fixtures.member, files.deleteFile, { body: { file_id } })).status).toBe(200);
  });

  test("reactions, edits and what is restored have their own names", async () => {
    const { project } = fixtures.home;
    const { id } = (await call(fixtures.member, chat.sendMessage, { body: { project_id: project, body: "Ready?" } })).response.data;
    await call(bot, messages.addReaction, { params: { project_id: project, message_id: id, emoji: "👍" } });
    const file_id = await addFile(fixtures.member);
    const comment = (await call(bot, comments.writeComment, { params: { file_id }, body: { body: "Loud" } })).response.data;
    await call(bot, comments.updateComment, { params: { comment_id: comment.id }, body: { body: "Too loud", resolved: true } });
    await call(bot, comments.showComment, { params: { comment_id: comment.id } });
    await call(bot, comments.deleteComment, { params: { comment_id: comment.id } });
    await call(bot, comments.restoreComment, { params: { comment_id: comment.id } });
    expect(await names()).toEqual([
      "message.reacted",
      "comment.created",
      "comment.resolved",
      "comment.updated",
      "message.created",
      "comment.deleted",
      "comment.restored",
    ]);
  });

  test("webhooks that a change causes are no actions, and a bulk change is announced once", async () => {
    await registerEndpoint(fixtures.testApp, fixtures.owner, { event_types: ["file.renamed"] });
    const ids = [await addFile(fixtures.member), await addFile(fixtures.member), await addFile(fixtures.member)];
    await call(bot, files.renameFile, { body: { file_id: ids[0]!, name: `Hooked ${++counter}.wav` } });
    expect(await names()).toEqual(["file.renamed"]);
    const count = async () => {
      const query = fixtures.testApp.database.read.selectFrom("events").select("seq").where("type", "=", "agent_actions.changed");
      return (await query.execute()).length;
    };
    const before = await count();
    await call(bot, filesView.moveFiles, {
      body: { file_ids: ids, parent_id: await createFolder(fixtures.testApp, fixtures.member, fixtures.home.folder, `To ${engine}`) },
    });
    expect([(await names()).length, (await count()) - before]).toEqual([4, 1]);
  });

  test("two events of one change in a transaction are one action", async () => {
    const id = await addFile(fixtures.member);
    const { database, app } = fixtures.testApp;
    await runForCaller({ accountId: agent, organisationId: 1, isAgent: true }, () =>
      database.write(async (tx) => {
        const load = () => tx.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
        rememberFormerRows(tx, "file", [await load()]);
        await tx.updateTable("files").set({ name: "Twice.wav" }).where("id", "=", id).execute();
        for (let count = 0; count < 2; count++) await publishFileEvent(tx, app.deps, "file.updated", await load());
      }),
    );
    expect(await names()).toEqual(["file.renamed"]);
  });

  test("changes without an event are recorded too", async () => {
    const membership = { team_id: fixtures.home.team, account_id: agent, added_at: 1 };
    await fixtures.testApp.database.write((tx) => tx.insertInto("team_members").values(membership).execute());
    const body = { team_id: fixtures.home.team, name: `Template ${engine}`, tasks: [{ title: "Listen" }] };
    const template = (await call(bot, tasks.createTaskTemplate, { body })).response.data;
    await call(bot, tasks.deleteTaskTemplate, { params: { template_id: template.id } });
    await call(fixtures.member, tasks.createTaskTemplate, { body });
    expect(await names()).toEqual(["task_template.created", "task_template.deleted"]);
  });

  test("a deleted task is made again, and a renamed playlist gets its name back", async () => {
    const file_id = await addFile(fixtures.member);
    const [task] = (await call(fixtures.member, tasks.createTasks, { body: { file_id, tasks: [{ title: "Bounce stems", due_date: "2027-03-01" }] } })).response
      .data;
    await call(bot, tasks.deleteTask, { params: { task_id: task!.id } });
    expect((await actionsOf())[0]).toMatchObject({ action: "task.deleted", target: { name: "Bounce stems", deleted: true }, can_undo: true });
    expect([(await undo("task.deleted")).status, (await actionsOf())[0]?.can_undo]).toEqual([200, false]);
    const found = (await call(fixtures.member, tasks.listTasks, { query: { file_id: String(file_id) } })).response.data;
    expect(found.map(({ title, due_date }) => [title, due_date])).toEqual([["Bounce stems", task!.due_date]]);
    const { id } = (await call(fixtures.member, playlists.createPlaylist, { body: { project_id: fixtures.home.project, name: "Side A" } })).response.data;
    await call(bot, playlists.updatePlaylist, { params: { playlist_id: id }, body: { name: "Side Z" } });
    expect((await actionsOf())[0]).toMatchObject({ action: "playlist.updated", from: "Side A", to: "Side Z" });
    expect((await undo("playlist.updated")).status).toBe(200);
  });

  test("an import of the metadata of many files is one action for each, which goes back", async () => {
    const template = await createMetadataTemplate(fixtures);
    const ids: number[] = [];
    for (let index = 0; index < 52; index++) ids.push(await addFile(fixtures.member));
    const bytes = Buffer.from(["File ID,Take", ...ids.map((id) => `${id},7`)].join("\n"));
    const params = { project_id: fixtures.home.project };
    expect((await fixtures.testApp.callUntyped(bot, csv.importMetadata, { params, query: { dry_run: "false" }, bytes })).status).toBe(200);
    const actions = await actionsOf();
    expect([actions.length, new Set(actions.map(({ action }) => action))]).toEqual([52, new Set(["metadata.updated"])]);
    expect((await undo("metadata.updated")).status).toBe(200);
    expect(template.fields.length).toBeGreaterThan(0);
  });

  test("what others use is not deleted with what the agent added, also at the last moment", async () => {
    const inUse = /^Others use it/;
    const [commented, attached] = [await addFile(bot), await addFile(bot)];
    await call(fixtures.member, comments.writeComment, { params: { file_id: commented }, body: { body: "Louder" } });
    await call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body: "", attachment_ids: [attached] } });
    const folder = await createFolder(fixtures.testApp, bot, fixtures.home.folder, `Stems ${engine}`);
    const denials = (await actionsOf()).map(({ target, undo_denial }) => [target.id, undo_denial]);
    expect(denials).toEqual([
      [folder, null],
      [attached, expect.stringMatching(inUse)],
      [commented, expect.stringMatching(inUse)],
    ]);
    const { deleting } = fixtures.testApp.app.services;
    const { removeOne } = deleting;
    const [came, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    deleting.removeOne = async (...args) => {
      came.resolve();
      await gate.promise;
      return removeOne(...args);
    };
    const late = undo("file.created");
    await came.promise;
    deleting.removeOne = removeOne;
    const inside = await upload(fixtures.testApp, fixtures.member, { parent: folder, name: "Kick.wav" });
    gate.resolve();
    expect((await late).status).toBe(409);
    expect((await fixtures.testApp.callUntyped(fixtures.member, files.getFileInfo, { body: { file_id: inside } })).status).toBe(200);
  });

  // The last test, because sessions end with the time.
  test("titles and names of what can no longer be restored are erased from the log", async () => {
    const [file_id, deleted] = [await addFile(fixtures.member), await addFile(fixtures.member)];
    const [task] = (await call(fixtures.member, tasks.createTasks, { body: { file_id, tasks: [{ title: "Bounce it all" }] } })).response.data;
    await call(bot, tasks.deleteTask, { params: { task_id: task!.id } });
    await call(bot, files.renameFile, { body: { file_id, name: `Kept ${counter}.wav` } });
    await call(bot, files.renameFile, { body: { file_id: deleted, name: `Gone ${counter}.wav` } });
    await call(bot, files.deleteFile, { body: { file_id: deleted } });
    fixtures.testApp.clock.advance(31 * DAY);
    await fixtures.testApp.app.scheduledJobs["delete old actions of agents"]!();
    const query = fixtures.testApp.database.read.selectFrom("agent_actions").select(["action", "state_before"]).where("agent_id", "=", agent).orderBy("id");
    expect((await query.execute()).map(({ action, state_before }) => [action, state_before !== null])).toEqual([
      ["task.deleted", false],
      ["file.renamed", true],
      ["file.renamed", false],
      ["file.deleted", false],
    ]);
  });
});
