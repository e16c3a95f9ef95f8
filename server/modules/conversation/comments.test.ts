/** Tests of comments with several people: ordered, idempotent, unread for the right readers, and redacted when deleted. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createSession, joinTeam } from "../../testing/people.ts";
import { eraseDeletedComments } from "./retention.ts";

describe.each(ENGINES)("comments on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const uploadProcessed = async (name = "mix.wav") => {
    const id = await upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name });
    await markProcessed(fixtures.testApp, id);
    return id;
  };
  const postComment = (by: Caller, file_id: number, body: object, headers: Record<string, string> = {}) =>
    fixtures.testApp.call(by, comments.writeComment, { params: { file_id }, body: { body: "x", ...body } }, { headers });
  const write = async (by: Caller, file_id: number, body: object = {}): Promise<Comment> => (await postComment(by, file_id, body)).response.data;
  const update = async (by: Caller, comment_id: number, body: object) =>
    (await fixtures.testApp.call(by, comments.updateComment, { params: { comment_id }, body })).response.data;
  const remove = async (by: Caller, comment_id: number) => (await fixtures.testApp.call(by, comments.deleteComment, { params: { comment_id } })).response.data;
  const restore = async (by: Caller, comment_id: number) =>
    (await fixtures.testApp.call(by, comments.restoreComment, { params: { comment_id } })).response.data;
  const list = async (by: Caller, file_id: number) => (await fixtures.testApp.call(by, comments.listComments, { params: { file_id } })).response;
  const markRead = async (by: Caller, file_id: number, last_comment_id: number) =>
    (await fixtures.testApp.call(by, comments.markCommentsRead, { params: { file_id }, body: { last_comment_id } })).response.data;
  const show = async (by: Caller, comment_id: number) => (await fixtures.testApp.call(by, comments.showComment, { params: { comment_id } })).response.data;
  const loadEvents = (topic: string) =>
    fixtures.testApp.database.read.selectFrom("events").select(["seq", "type", "data"]).where("topic", "=", topic).orderBy("seq").execute();
  const eventsOf = async (id: number) =>
    (await loadEvents(`project:${fixtures.home.project}`)).flatMap(({ type, data }) =>
      type.startsWith("comment.") && (JSON.parse(data) as Comment).id === id ? [{ type, data: JSON.parse(data) as Comment }] : [],
    );

  it("simultaneous comments are listed in the order of their events, with one per client_id", async () => {
    const file = await uploadProcessed();
    const callers = [fixtures.owner, fixtures.member, fixtures.guest, fixtures.admin];
    const inputs = Array.from({ length: 24 }, (_, index) => ({ by: callers[index % 4]!, body: `say ${index % 12}`, client_id: `at-once-${index % 12}` }));
    const written = await Promise.all(inputs.map(({ by, ...body }) => write(by, file, body)));
    expect(new Set(written.map(({ id }) => id)).size).toBe(12);
    const { data, seq } = await list(fixtures.guest, file);
    const created = (await loadEvents(`project:${fixtures.home.project}`)).filter(
      ({ type, data: text }) => type === "comment.created" && JSON.parse(text).file_id === file,
    );
    expect(created.map(({ data: text }) => JSON.parse(text) as Comment)).toEqual(data);
    expect(seq).toBeGreaterThanOrEqual(created.at(-1)?.seq ?? Infinity);
    expect((await postComment(fixtures.owner, file, { body: "other words", client_id: inputs[0]!.client_id })).status).toBe(409);
    // A client_id is scoped to its author and file, so the same one from another person creates another comment.
    expect((await write(fixtures.guest, file, { body: "say 0", client_id: inputs[0]!.client_id })).account_id).toBe(fixtures.guest.id);
    const keyedReplies = await Promise.all([1, 2, 3].map(() => postComment(fixtures.guest, file, { body: "keyed" }, { "idempotency-key": "comment" })));
    expect(new Set(keyedReplies.map(({ response: answer }) => answer.data.id)).size).toBe(1);
    expect((await postComment(fixtures.guest, file, { body: "another" }, { "idempotency-key": "comment" })).status).toBe(409);
  });

  it("simultaneous changes lose no revision, and the last event has the stored state", async () => {
    const file = await uploadProcessed();
    const { id } = await write(fixtures.member, file, { position_ms: 1 });
    await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => update(fixtures.member, id, { body: `text ${index}` })),
      ...[fixtures.owner, fixtures.admin].map((by) => update(by, id, { resolved: true })),
    ]);
    const [current] = (await list(fixtures.guest, file)).data;
    expect(current).toMatchObject({ revision: 8, resolved_at: expect.any(String) });
    expect((await eventsOf(id)).at(-1)).toEqual({ type: "comment.updated", data: current });
  });

  it("belong to the current version by default, replies to that of their comment, and unknown versions are rejected", async () => {
    const file = await uploadProcessed("versions.wav");
    await upload(fixtures.testApp, fixtures.owner, { versionOf: file, bytes: "second take" });
    const [newest, older] = [await write(fixtures.guest, file), await write(fixtures.guest, file, { version: 1, position_ms: 2_500 })];
    const reply = await write(fixtures.member, file, { parent_comment_id: older.id });
    expect([newest.version, older.version, reply.version, reply.position_ms]).toEqual([2, 1, 1, null]);
    // Version 1 lasts 2.5 seconds; the duration of version 2 is not known yet.
    expect((await postComment(fixtures.guest, file, { version: 1, position_ms: 2_501 })).status).toBe(400);
    expect((await postComment(fixtures.guest, file, { version: 2, position_ms: 2_501 })).status).toBe(200);
    expect((await postComment(fixtures.guest, file, { version: 3 })).status).toBe(400);
    expect((await postComment(fixtures.guest, file, { version: 2, parent_comment_id: older.id })).status).toBe(400);
    for (const [kind, transcoding_status] of [
      ["image", "waiting"],
      ["document", "transcoded"],
    ] as const) {
      await fixtures.testApp.database.write((tx) => tx.updateTable("file_versions").set({ kind, transcoding_status }).where("file_id", "=", file).execute());
      expect((await postComment(fixtures.guest, file, { position_ms: 0 })).status, kind).toBe(400);
      expect((await postComment(fixtures.guest, file, {})).status, kind).toBe(200);
    }
  });

  describe("has_unread_comments", () => {
    const unreadFlags = async (by: Caller, file: number) => {
      const { testApp, home } = fixtures;
      const info = (await testApp.call(by, files.getFileInfo, { body: { file_id: file } })).response.common.has_unread_comments;
      const listed = (await testApp.call(by, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500" } })).response.data;
      const history = (await testApp.call(by, chat.chatHistory, { body: { project_id: home.project } })).response.data;
      const found = (await testApp.call(by, messages.searchMessages, { params: { project_id: home.project }, query: { has: "file" } })).response.data;
      const attachmentFlag = (page: typeof history) => page.flatMap(({ attachments }) => attachments).find(({ id }) => id === file)?.has_unread_comments;
      return [info, listed.find(({ id }) => id === file)?.has_unread_comments, attachmentFlag(history), attachmentFlag(found)];
    };
    const readEventsOf = async (account: number) =>
      (await loadEvents(`account:${account}`)).flatMap(({ type, data }) => (type === "comments.read" ? [JSON.parse(data)] : []));

    it("covers comments of others since the reader last read, everywhere the file is shown", async () => {
      const { testApp, owner, member, guest, admin, home } = fixtures;
      const file = await uploadProcessed("unread.wav");
      await testApp.call(owner, chat.sendMessage, { body: { project_id: home.project, body: "listen", attachment_ids: [file] } });
      expect(await unreadFlags(member, file)).toEqual([false, false, false, false]);
      const { id } = await write(guest, file);
      expect(await unreadFlags(member, file)).toEqual([true, true, true, true]);
      expect(await unreadFlags(guest, file)).toEqual([false, false, false, false]);
      // Someone who sees the project without following it has nothing unread until they read the file's comments.
      expect(await unreadFlags(admin, file)).toEqual([false, false, false, false]);
      expect((await list(admin, file)).last_read_comment_id).toBe(id);
      await markRead(admin, file, id);
      expect(await markRead(member, file, id)).toMatchObject({ file_id: file, last_read_comment_id: id, has_unread_comments: false });
      expect((await readEventsOf(member.id)).at(-1)).toEqual({ file_id: file, project_id: home.project, last_read_comment_id: id, has_unread_comments: false });
      expect(await unreadFlags(member, file)).toEqual([false, false, false, false]);
      await write(guest, file);
      expect([(await unreadFlags(member, file))[0], (await unreadFlags(admin, file))[0], (await unreadFlags(owner, file))[0]]).toEqual([true, true, true]);
      // Existing comments do not count as unread for a new member.
      const lateMember = await joinTeam(testApp, owner, `late on ${engine}`, { team: home.team, role: "member", projects: [home.project] });
      expect(await unreadFlags(lateMember, file)).toEqual([false, false, false, false]);
      const { id: newestId } = await write(owner, file);
      expect((await unreadFlags(lateMember, file))[0]).toBe(true);
      // A member who leaves stops following, and starts at the newest comment after coming back.
      await markRead(lateMember, file, newestId);
      await testApp.call(owner, projects.removeProjectMember, { params: { project_id: home.project, account_id: lateMember.id } });
      const eventCount = (await readEventsOf(lateMember.id)).length;
      await remove(owner, (await write(owner, file)).id);
      await write(owner, file);
      await testApp.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: lateMember.id } });
      expect([await unreadFlags(lateMember, file), (await readEventsOf(lateMember.id)).length]).toEqual([[false, false, false, false], eventCount]);
    });

    it("follows deletions and restores, with events only for readers whose flag changes", async () => {
      const { member, guest, owner } = fixtures;
      const file = await uploadProcessed("taken back.wav");
      const { id } = await write(guest, file);
      const [memberEventCount, guestEventCount] = [(await readEventsOf(member.id)).length, (await readEventsOf(guest.id)).length];
      await markRead(owner, file, id);
      const ownerEventCount = (await readEventsOf(owner.id)).length;
      await remove(guest, id);
      expect((await readEventsOf(member.id)).at(-1)).toMatchObject({ file_id: file, has_unread_comments: false });
      await restore(guest, id);
      expect((await readEventsOf(member.id)).slice(memberEventCount)).toMatchObject([
        { has_unread_comments: false },
        { file_id: file, has_unread_comments: true },
      ]);
      expect([(await readEventsOf(guest.id)).length, (await readEventsOf(owner.id)).length]).toEqual([guestEventCount, ownerEventCount]);
    });
  });

  it("deleted text is in no event, and the person who deleted a comment can restore it", async () => {
    const file = await uploadProcessed();
    const { id } = await write(fixtures.member, file, { body: "a SECRET said too early" });
    await show(fixtures.guest, id);
    await update(fixtures.member, id, { body: "said better" });
    const loadEventText = async () => (await loadEvents(`project:${fixtures.home.project}`)).map(({ data }) => data).join("\n");
    expect(await loadEventText()).not.toContain("SECRET");
    await remove(fixtures.member, id);
    expect(await loadEventText()).not.toContain("said better");
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.body, data.deleted])).toEqual([
      ["comment.created", "", true],
      ["comment.updated", "", true],
    ]);
    expect(await restore(fixtures.member, id)).toMatchObject({ body: "said better", deleted: false });
    const seqs = (await loadEvents(`project:${fixtures.home.project}`)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("a message shows the current state of its shared comment, and the comment refers to the message", async () => {
    const { testApp, member, guest, home } = fixtures;
    const file = await uploadProcessed("shown.wav");
    const root = await write(member, file, { body: "first words", position_ms: 1_500, end_ms: 2_000 });
    const reply = await write(guest, file, { body: "answer", parent_comment_id: root.id });
    const message = await show(guest, root.id);
    expect(message).toMatchObject({ body: "shown.wav 0:01–0:02", account_id: guest.id, comment: { account_id: member.id, excerpt: "first words" } });
    expect((await show(member, reply.id)).comment).toMatchObject({ id: reply.id, position_ms: 1_500, end_ms: 2_000, excerpt: "answer" });
    const fetchMessage = async () =>
      (await testApp.call(guest, chat.chatHistory, { body: { project_id: home.project, around_id: message.id, limit: 1 } })).response.data.find(
        ({ id }) => id === message.id,
      );
    const lastEvent = async () =>
      (await loadEvents(`project:${home.project}`))
        .flatMap(({ type, data }) => (type === "message.updated" && JSON.parse(data).id === message.id ? [JSON.parse(data)] : []))
        .at(-1);
    const sharingMessageId = async () => (await list(guest, file)).data.find(({ id }) => id === root.id)?.message_id;
    expect(await sharingMessageId()).toBe(message.id);
    await update(member, root.id, { body: "better words" });
    expect([(await fetchMessage())?.comment?.excerpt, (await lastEvent()).comment.excerpt]).toEqual(["better words", "better words"]);
    await remove(member, root.id);
    expect((await fetchMessage())?.comment).toMatchObject({ deleted: true, excerpt: "" });
    await restore(member, root.id);
    expect((await fetchMessage())?.comment).toMatchObject({ deleted: false, excerpt: "better words" });
    expect(await lastEvent()).toEqual(await fetchMessage());
    await testApp.call(guest, messages.deleteMessage, { params: { project_id: home.project, message_id: message.id } });
    expect([await sharingMessageId(), (await eventsOf(root.id)).at(-1)?.data.message_id]).toEqual([null, null]);
    await testApp.call(guest, messages.restoreMessage, { params: { project_id: home.project, message_id: message.id } });
    expect([await sharingMessageId(), (await eventsOf(root.id)).at(-1)?.data.message_id]).toEqual([message.id, message.id]);
    await testApp.call(fixtures.owner, files.deleteFile, { body: { file_id: file } });
    expect((await fetchMessage())?.comment).toMatchObject({ deleted: true, excerpt: "" });
    expect(await lastEvent()).toEqual(await fetchMessage());
    await testApp.call(fixtures.owner, view.restoreFiles, { body: { file_ids: [file] } });
    expect((await fetchMessage())?.comment).toMatchObject({ deleted: false, excerpt: "better words" });
    expect(await lastEvent()).toEqual(await fetchMessage());
    await testApp.call(fixtures.owner, view.updateFile, { params: { file_id: file }, body: { name: "renamed.wav" } });
    expect((await fetchMessage())?.comment).toMatchObject({ file_name: "renamed.wav" });
    expect(await lastEvent()).toEqual(await fetchMessage());
  });

  it("a shared comment mentions nobody, even with a mention in the file name", async () => {
    const name = `for <@${fixtures.member.id}>.wav`;
    const message = await show(fixtures.guest, (await write(fixtures.guest, await uploadProcessed(name))).id);
    expect(message).toMatchObject({ body: name, mentions: [] });
  });

  it("deleted comments do not count toward the limit of a file", async () => {
    const file = await uploadProcessed();
    const { database } = fixtures.testApp;
    await database.write((tx) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${LIMITS.comments_per_file})
        insert into comments (project_id, file_id, version, account_id, body, created_at, deleted_at)
        select ${fixtures.home.project}, ${file}, 1, ${fixtures.guest.id}, '', 1, 1 from numbers`.execute(tx),
    );
    const { status, response: answer } = await postComment(fixtures.member, file, {});
    expect(status).toBe(200);
    await database.write((tx) => tx.updateTable("comments").set({ deleted_at: null }).where("file_id", "=", file).where("id", "!=", answer.data.id).execute());
    expect((await postComment(fixtures.member, file, {})).problem.detail).toContain("at most 10,000");
  });

  it("simultaneous shares of a comment create one message", async () => {
    const { id } = await write(fixtures.member, await uploadProcessed());
    const sharingMessages = await Promise.all([fixtures.owner, fixtures.admin, fixtures.member, fixtures.guest].map((by) => show(by, id)));
    expect(new Set(sharingMessages.map((message) => message.id)).size).toBe(1);
  });

  it("the text of deleted comments is erased after a while, and all comments are deleted with their file", async () => {
    const { testApp, owner, member, guest } = fixtures;
    const [keptFile, deletedFile] = [await uploadProcessed("kept.wav"), await uploadProcessed("gone.wav")];
    const [deletedComment, keptComment] = [await write(member, keptFile, { body: "deleted" }), await write(member, keptFile, { body: "standing" })];
    await remove(member, deletedComment.id);
    const root = await write(guest, deletedFile, { body: "about it" });
    await write(member, deletedFile, { body: "an answer", parent_comment_id: root.id });
    const message = await show(guest, root.id);
    const loadBodies = async (file: number) =>
      (await testApp.database.read.selectFrom("comments").select("body").where("file_id", "=", file).orderBy("id").execute()).map(({ body }) => body);
    testApp.clock.advance(10 * 60_000);
    await eraseDeletedComments(testApp.app.deps);
    expect(await restore(member, deletedComment.id)).toMatchObject({ body: "deleted" });
    await remove(member, deletedComment.id);
    testApp.clock.advance(HOUR);
    await Promise.all([eraseDeletedComments(testApp.app.deps), eraseDeletedComments(testApp.app.deps)]);
    expect(await loadBodies(keptFile)).toEqual(["", "standing"]);
    await testApp.call(owner, files.deleteFile, { body: { file_id: deletedFile } });
    testApp.clock.advance(30 * DAY - 1);
    await eraseDeletedComments(testApp.app.deps);
    expect(await loadBodies(deletedFile)).toHaveLength(2);
    // Sessions expire before that, so the guest signs in again.
    const guestSession = await createSession(testApp, guest.id, "guest");
    const loadAround = async () =>
      (await testApp.call(guestSession, chat.chatHistory, { body: { project_id: fixtures.home.project, around_id: message.id, limit: 1 } })).response.data;
    expect((await loadAround()).find(({ id }) => id === message.id)?.comment).toMatchObject({ deleted: true });
    testApp.clock.advance(1);
    await Promise.all([eraseDeletedComments(testApp.app.deps), eraseDeletedComments(testApp.app.deps)]);
    expect([await loadBodies(deletedFile), await loadBodies(keptFile)]).toEqual([[], ["", "standing"]]);
    expect((await list(guestSession, keptFile)).data.map(({ id }) => id)).toEqual([keptComment.id]);
    expect(await testApp.database.read.selectFrom("comment_reads").selectAll().where("file_id", "=", deletedFile).execute()).toEqual([]);
    expect((await loadEvents(`project:${fixtures.home.project}`)).map(({ data }) => data).join()).not.toContain("an answer");
    const shown = (await loadAround()).find(({ id }) => id === message.id);
    expect(shown).toMatchObject({ body: "gone.wav" });
    expect(shown?.comment).toBeUndefined();
    expect(await eraseDeletedComments(testApp.app.deps)).toBe(0);
  });
});
