/** Tests the undo of deletions, comments, playlists and metadata, and that an undo and its mark happen together or not at all. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { AgentAction } from "../../../contract/agent-action-records.ts";
import * as operations from "../../../contract/operations/agent-actions.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import { restoreFiles } from "../../../contract/operations/files-view.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import { createAgent, createAgentToken } from "../../testing/agents.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";

const TIMEOUT_MS = 60_000;
const CHANGED = "Someone has changed it since.";

describe.each(ENGINES)("undoing what agents did on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let agent: number;
  let bot: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    agent = await createAgent(fixtures.testApp, { createdBy: fixtures.owner, projects: [fixtures.home.project] });
    bot = await createAgentToken(fixtures.testApp, agent, ["account:read", "chat:read", "chat:write", "files:read", "files:write"]);
  }, TIMEOUT_MS);
  afterAll(() => fixtures.testApp.close());
  afterEach(() => void vi.restoreAllMocks());

  const call: Fixtures["testApp"]["call"] = (...args) => fixtures.testApp.call(...args);
  const newest = async (count = 1): Promise<AgentAction[]> =>
    (await call(fixtures.admin, operations.listAgentActions, { params: { agent_id: agent }, query: { limit: String(count) } })).response.data;
  const undo = ({ id }: AgentAction) =>
    fixtures.testApp.callUntyped(fixtures.admin, operations.undoAgentAction, { params: { agent_id: agent, action_id: id } });
  let counter = 0;
  const addFile = () => upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: `Take ${++counter}.wav` });
  const nameOf = async (file_id: number) => (await call(fixtures.member, files.getFileInfo, { body: { file_id } })).response.common["name"];

  test("a deleted file comes back, unless a person restored and deleted it again", async () => {
    const file_id = await addFile();
    await call(bot, files.deleteFile, { body: { file_id } });
    const [first] = await newest();
    expect([(await undo(first!)).status, await nameOf(file_id)]).toEqual([200, `Take ${counter}.wav`]);
    await call(bot, files.deleteFile, { body: { file_id } });
    const [second] = await newest();
    await call(fixtures.owner, restoreFiles, { body: { file_ids: [file_id] } });
    await call(fixtures.owner, files.deleteFile, { body: { file_id } });
    expect((await newest())[0]).toMatchObject({ id: second!.id, can_undo: false, undo_denial: CHANGED });
    expect((await undo(second!)).status).toBe(409);
  });

  test("resolved comments are reopened, and the other way round", async () => {
    const file_id = await addFile();
    const { id } = (await call(fixtures.member, comments.writeComment, { params: { file_id }, body: { body: "Louder" } })).response.data;
    const isResolved = async () => (await call(fixtures.member, comments.listComments, { params: { file_id } })).response.data[0]?.resolved_at !== null;
    await call(bot, comments.updateComment, { params: { comment_id: id }, body: { resolved: true } });
    const [resolved] = await newest();
    expect(resolved).toMatchObject({ action: "comment.resolved", text: "Resolved a comment", target: { type: "comment", id, name: "Louder", file_id } });
    expect([(await undo(resolved!)).status, await isResolved()]).toEqual([200, false]);
    await call(bot, comments.updateComment, { params: { comment_id: id }, body: { resolved: true } });
    const [again] = await newest();
    await call(fixtures.member, comments.updateComment, { params: { comment_id: id }, body: { resolved: false } });
    expect([(await undo(again!)).status, (await newest())[0]?.undo_denial]).toEqual([409, CHANGED]);
    await call(fixtures.member, comments.updateComment, { params: { comment_id: id }, body: { resolved: true } });
    await call(bot, comments.updateComment, { params: { comment_id: id }, body: { resolved: false } });
    expect([(await undo((await newest())[0]!)).status, await isResolved()]).toEqual([200, true]);
  });

  test("playlists are deleted and restored, unless somebody has changed them since", async () => {
    const body = { project_id: fixtures.home.project, name: `Night Drive ${engine}` };
    const { id } = (await call(bot, playlists.createPlaylist, { body })).response.data;
    const params = { playlist_id: id };
    const exists = async () => (await fixtures.testApp.callUntyped(fixtures.member, playlists.getPlaylist, { params })).status === 200;
    await call(bot, playlists.deletePlaylist, { params });
    const [deleted, created] = await newest(2);
    expect([deleted, created].map((action) => [action?.action, action?.can_undo])).toEqual([
      ["playlist.deleted", true],
      ["playlist.created", false],
    ]);
    expect([(await undo(deleted!)).status, await exists()]).toEqual([200, true]);
    // Deleting and restoring changed it, so that only its creation as it was then is refused.
    expect((await undo(created!)).status).toBe(409);
    const second = (await call(bot, playlists.createPlaylist, { body: { ...body, name: "Untouched" } })).response.data;
    expect((await undo((await newest())[0]!)).status).toBe(200);
    expect((await fixtures.testApp.callUntyped(fixtures.member, playlists.getPlaylist, { params: { playlist_id: second.id } })).status).toBe(404);
  });

  test("metadata goes back to the former values, of those fields alone", async () => {
    const template = await createMetadataTemplate(fixtures);
    const [notes, take] = [fieldOf(template, "Notes").id, fieldOf(template, "Take").id];
    const params = { file_id: await addFile() };
    const valuesOf = async () => (await call(fixtures.member, metadata.getFileMetadata, { params })).response.data.values;
    await call(fixtures.member, metadata.updateFileMetadata, { params, body: { values: { [notes]: "Mine" } } });
    await call(bot, metadata.updateFileMetadata, { params, body: { values: { [notes]: "Of the agent", [take]: 3 } } });
    const [action] = await newest();
    expect(action).toMatchObject({ action: "metadata.updated", target: { type: "metadata", id: params.file_id, name: `Take ${counter}.wav` }, can_undo: true });
    await call(fixtures.member, metadata.updateFileMetadata, { params, body: { values: { [take]: 4 } } });
    expect([(await undo(action!)).status, (await newest())[0]?.undo_denial]).toEqual([409, CHANGED]);
    await call(fixtures.member, metadata.updateFileMetadata, { params, body: { values: { [take]: 3 } } });
    expect([(await undo(action!)).status, await valuesOf()]).toEqual([200, { [notes]: "Mine" }]);
    await call(bot, metadata.updateFileMetadata, { params, body: { values: { [take]: 5 } } });
    await call(fixtures.owner, metadata.deleteMetadataField, { params: { field_id: take } });
    expect((await newest())[0]).toMatchObject({ can_undo: false, undo_denial: "The field no longer exists." });
  });

  test("what somebody changes at the last moment stays, and of two undos at once one happens", async () => {
    const file_id = await addFile();
    await call(bot, files.renameFile, { body: { file_id, name: `By the agent ${counter}.wav` } });
    const [action] = await newest();
    const { entries } = fixtures.testApp.app.services;
    const { rename } = entries;
    /** Holds the reverses of undos until so many have come. */
    const holdRenames = (count: number) => {
      const [all, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let came = 0;
      vi.spyOn(entries, "rename").mockImplementation(async (...args) => {
        if (++came === count) all.resolve();
        await gate.promise;
        return rename(...args);
      });
      return { all: all.promise, release: gate.resolve };
    };
    const held = holdRenames(1);
    const late = undo(action!);
    await held.all;
    vi.restoreAllMocks();
    await call(fixtures.member, files.renameFile, { body: { file_id, name: `By a person ${counter}.wav` } });
    held.release();
    expect([(await late).status, await nameOf(file_id)]).toEqual([409, `By a person ${counter}.wav`]);
    await call(fixtures.member, files.renameFile, { body: { file_id, name: `By the agent ${counter}.wav` } });
    const both = holdRenames(2);
    const undos = [undo(action!), undo(action!)];
    await both.all;
    both.release();
    expect((await Promise.all(undos)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await newest())[0]).toMatchObject({ id: action!.id, undone_by_account_id: fixtures.admin.id });
  });

  test("a reverse that fails leaves the action as it was, and can be tried again", async () => {
    const file_id = await addFile();
    await call(bot, files.deleteFile, { body: { file_id } });
    const [action] = await newest();
    const { events } = fixtures.testApp.app.deps;
    const { append } = events;
    vi.spyOn(events, "append").mockImplementation(async (tx, ...args) => {
      const seq = await append(tx, ...args);
      if (args[1] === "file.created") throw new Error("The disk is full");
      return seq;
    });
    expect((await undo(action!)).status).toBe(500);
    vi.restoreAllMocks();
    expect((await newest())[0]).toMatchObject({ id: action!.id, can_undo: true, undone_at: null });
    expect([(await undo(action!)).status, await nameOf(file_id)]).toEqual([200, `Take ${counter}.wav`]);
  });
});
