/** In an archived project callers can read everything and change nothing, until it is taken out of the archive. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../contract/define-operation.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import * as filesView from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as tags from "../../../contract/operations/tags.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { UntypedInput } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, tusHeaders, uploadIdFromUrl } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { holdRowLock, waitForLockWaiters } from "../../testing/row-locks.ts";
import { stateFingerprint } from "../../testing/state-fingerprint.ts";

describe.each(ENGINES)("an archived project on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const setArchived = async (archived: boolean) =>
    (await fixtures.testApp.call(fixtures.member, projects.updateProject, { params: { project_id: fixtures.home.project }, body: { archived } })).response.data;

  test("can be read, and nothing in it can be changed", async () => {
    const { testApp, member, owner, home } = fixtures;
    const params = { file_id: home.file };
    const [task] = (await testApp.call(member, tasks.createTasks, { body: { file_id: home.file, tasks: [{ title: "Bounce" }] } })).response.data;
    const comment = (await testApp.call(member, comments.writeComment, { params, body: { body: "Louder", version: 1 } })).response.data.id;
    const playlist = (await testApp.call(member, playlists.createPlaylist, { body: { project_id: home.project, name: "Order" } })).response.data.id;
    const message = (await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "Hello" } })).response.data.id;
    const [status] = (await testApp.call(member, teams.listFileStatuses, { body: { team_id: home.team } })).response.data;
    const inMessage = { params: { project_id: home.project, message_id: message } };
    const writes: [Operation, UntypedInput][] = [
      [chat.sendMessage, { body: { project_id: home.project, body: "One more" } }],
      [messages.editMessage, { ...inMessage, body: { body: "Changed" } }],
      [messages.deleteMessage, inMessage],
      [messages.addReaction, { params: { ...inMessage.params, emoji: "👍" } }],
      [files.uploadFile, { query: { parent_id: home.folder, name: "new.wav" }, bytes: Buffer.from("RIFF") }],
      [files.createFolder, { body: { parent_id: home.root, name: "Stems" } }],
      [files.renameFile, { body: { file_id: home.file, name: "other.wav" } }],
      [files.deleteFile, { body: { file_id: home.file } }],
      [filesView.moveFiles, { body: { file_ids: [home.file], parent_id: home.root } }],
      [files.setFileStatus, { body: { file_id: home.file, status_id: status!.id } }],
      [tags.correctTags, { params, body: { bpm: 99 } }],
      [comments.writeComment, { params, body: { body: "Softer", version: 1 } }],
      [comments.updateComment, { params: { comment_id: comment }, body: { resolved: true } }],
      [tasks.createTasks, { body: { file_id: home.file, tasks: [{ title: "Again" }] } }],
      [tasks.updateTask, { params: { task_id: task!.id }, body: { closed: true } }],
      [playlists.createPlaylist, { body: { project_id: home.project, name: "Another order" } }],
      [playlists.updatePlaylist, { params: { playlist_id: playlist }, body: { name: "Changed" } }],
      [projects.updateProject, { params: { project_id: home.project }, body: { name: "Renamed" } }],
      [projects.updateProject, { params: { project_id: home.project }, body: { name: "Renamed", archived: true } }],
    ];
    expect(Date.parse((await setArchived(true)).archived_at ?? "")).toBe(testApp.clock.now());
    const before = await stateFingerprint(testApp.database);
    for (const [operation, input] of writes) {
      const { status: code, text } = await testApp.callUntyped(member, operation, input);
      expect([operation.path, code, text]).toEqual([operation.path, 409, expect.stringContaining("This project is archived")]);
    }
    expect(await stateFingerprint(testApp.database)).toBe(before);

    const reads: [Operation, UntypedInput][] = [
      [chat.chatHistory, { body: { project_id: home.project } }],
      [files.getFileInfo, { body: { file_id: home.file } }],
      [chat.moveReadMarker, { params: { project_id: home.project }, body: { message_id: message } }],
      [favorites.addFavorite, { params: { type: "file", item_id: home.file } }],
    ];
    for (const [operation, input] of reads)
      expect([operation.path, (await testApp.callUntyped(member, operation, input)).status]).toEqual([operation.path, 200]);
    const listed = (await testApp.call(owner, projects.listProjects, { query: {} })).response.data.find(({ id }) => id === home.project);
    expect(listed?.archived_at).not.toBeNull();

    await setArchived(false);
    // The folder of the uploads is taken by nothing that was refused.
    for (const [operation, input] of writes.slice(0, 2)) expect((await testApp.callUntyped(member, operation, input)).status).toBe(200);
  });

  test("takes no upload, and keeps the bytes of one that was archived on the way", async () => {
    const { testApp, member, home } = fixtures;
    const bytes = Buffer.from("late");
    const begun = await createTusUpload(testApp, member, bytes.length, { name: "late.wav", parent_id: home.root });
    await setArchived(true);
    const destinations: Record<string, string | number>[] = [
      { parent_id: home.root, name: "x" },
      { project_id: home.project, name: "x" },
      { version_of: home.file },
    ];
    for (const to of destinations) {
      const { status, text } = await testApp.send(member, { method: "POST", url: files.createUpload.path, headers: tusHeaders(4, to) });
      expect([status, text]).toEqual([409, expect.stringContaining("This project is archived")]);
    }
    const tus = { "tus-resumable": "1.0.0" };
    const headers = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
    expect((await testApp.send(member, { method: "PATCH", url: begun, headers, payload: bytes })).status).toBe(409);
    expect((await testApp.send(member, { method: "HEAD", url: begun, headers: tus })).status).toBe(409);
    await setArchived(false);
    const result = await testApp.call(member, files.getUpload, { params: { upload_id: uploadIdFromUrl(begun) } });
    expect(result.response.data).toMatchObject({ size: 4, version: 1 });
  });

  test("lets people join and leave", async () => {
    const { testApp, owner, home, neighbor } = fixtures;
    const since = (await setArchived(true)).archived_at;
    expect((await setArchived(true)).archived_at).toBe(since);
    const params = { project_id: home.project };
    expect((await testApp.call(owner, projects.addProjectMember, { params, body: { account_id: neighbor.id } })).status).toBe(200);
    expect((await testApp.call(neighbor, projects.removeProjectMember, { params: { ...params, account_id: neighbor.id } })).status).toBe(204);
    await setArchived(false);
  });

  test.runIf(engine === "postgres")("stays archived when somebody edits it at the same time", async () => {
    const { testApp, owner, admin, home } = fixtures;
    const params = { project_id: home.project };
    const release = await holdRowLock(testApp, "projects", home.project);
    const archiving = testApp.call(owner, projects.updateProject, { params, body: { archived: true } });
    await waitForLockWaiters(testApp, 1);
    const editing = testApp.call(admin, projects.updateProject, { params, body: { description: "Edited" } });
    await waitForLockWaiters(testApp, 2);
    await release();
    expect((await archiving).status).toBe(200);
    expect((await editing).status).toBe(409);
    expect((await setArchived(false)).description).not.toBe("Edited");
  });
});
