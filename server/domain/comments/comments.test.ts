/** Comments as several people see them: in order, once, unread to whom they are, and gone where they are taken back. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { processed, upload } from "../../testing/files.ts";
import { freshSession, join } from "../../testing/people.ts";
import { forgetComments } from "./retention.ts";

describe.each(ENGINES)("comments on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const fresh = async (name = "mix.wav") => {
    const id = await upload(cast.world, cast.owner, { parent: cast.home.folder, name });
    await processed(cast.world, id);
    return id;
  };
  const ask = (by: Caller, file_id: number, body: object, headers: Record<string, string> = {}) =>
    cast.world.call(by, comments.writeComment, { params: { file_id }, body: { body: "x", ...body } }, { headers });
  const write = async (by: Caller, file_id: number, body: object = {}): Promise<Comment> => (await ask(by, file_id, body)).answer.data;
  const update = async (by: Caller, comment_id: number, body: object) =>
    (await cast.world.call(by, comments.updateComment, { params: { comment_id }, body })).answer.data;
  const remove = async (by: Caller, comment_id: number) => (await cast.world.call(by, comments.deleteComment, { params: { comment_id } })).answer.data;
  const restore = async (by: Caller, comment_id: number) => (await cast.world.call(by, comments.restoreComment, { params: { comment_id } })).answer.data;
  const list = async (by: Caller, file_id: number) => (await cast.world.call(by, comments.listComments, { params: { file_id } })).answer;
  const markRead = async (by: Caller, file_id: number, last_comment_id: number) =>
    (await cast.world.call(by, comments.markCommentsRead, { params: { file_id }, body: { last_comment_id } })).answer.data;
  const show = async (by: Caller, comment_id: number) => (await cast.world.call(by, comments.showComment, { params: { comment_id } })).answer.data;
  const log = (topic: string) =>
    cast.world.database.read.selectFrom("events").select(["seq", "type", "data"]).where("topic", "=", topic).orderBy("seq").execute();
  const eventsOf = async (id: number) =>
    (await log(`project:${cast.home.project}`)).flatMap(({ type, data }) =>
      type.startsWith("comment.") && (JSON.parse(data) as Comment).id === id ? [{ type, data: JSON.parse(data) as Comment }] : [],
    );

  it("written by everybody at once: in the order of their events, each under its client_id once", async () => {
    const file = await fresh();
    const people = [cast.owner, cast.member, cast.guest, cast.admin];
    const wishes = Array.from({ length: 24 }, (_, index) => ({ by: people[index % 4]!, body: `say ${index % 12}`, client_id: `at-once-${index % 12}` }));
    const told = await Promise.all(wishes.map(({ by, ...body }) => write(by, file, body)));
    expect(new Set(told.map(({ id }) => id)).size).toBe(12);
    const { data, seq } = await list(cast.guest, file);
    const created = (await log(`project:${cast.home.project}`)).filter(
      ({ type, data: text }) => type === "comment.created" && JSON.parse(text).file_id === file,
    );
    expect(created.map(({ data: text }) => JSON.parse(text) as Comment)).toEqual(data);
    expect(seq).toBeGreaterThanOrEqual(created.at(-1)?.seq ?? Infinity);
    expect((await ask(cast.owner, file, { body: "other words", client_id: wishes[0]!.client_id })).status).toBe(409);
    // Somebody else's name for theirs is another one; so is one on another file.
    expect((await write(cast.guest, file, { body: "say 0", client_id: wishes[0]!.client_id })).account_id).toBe(cast.guest.id);
    const keyed = await Promise.all([1, 2, 3].map(() => ask(cast.guest, file, { body: "keyed" }, { "idempotency-key": "comment" })));
    expect(new Set(keyed.map(({ answer }) => answer.data.id)).size).toBe(1);
    expect((await ask(cast.guest, file, { body: "another" }, { "idempotency-key": "comment" })).status).toBe(409);
  });

  it("everybody changes one at once: no revision is lost, and the last event is what stands", async () => {
    const file = await fresh();
    const { id } = await write(cast.member, file, { position_ms: 1 });
    await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => update(cast.member, id, { body: `text ${index}` })),
      ...[cast.owner, cast.admin].map((by) => update(by, id, { resolved: true })),
    ]);
    const [now] = (await list(cast.guest, file)).data;
    expect(now).toMatchObject({ revision: 8, resolved_at: expect.any(String) });
    expect((await eventsOf(id)).at(-1)).toEqual({ type: "comment.updated", data: now });
  });

  it("on a version: default the current one, a reply with its comment; an unknown one is refused", async () => {
    const file = await fresh("versions.wav");
    await upload(cast.world, cast.owner, { versionOf: file, bytes: "second take" });
    const [newest, older] = [await write(cast.guest, file), await write(cast.guest, file, { version: 1, position_ms: 2_500 })];
    const reply = await write(cast.member, file, { parent_comment_id: older.id });
    expect([newest.version, older.version, reply.version, reply.position_ms]).toEqual([2, 1, 1, null]);
    // The first one lasts 2.5 seconds; of the second nobody knows yet.
    expect((await ask(cast.guest, file, { version: 1, position_ms: 2_501 })).status).toBe(400);
    expect((await ask(cast.guest, file, { version: 2, position_ms: 2_501 })).status).toBe(200);
    expect((await ask(cast.guest, file, { version: 3 })).status).toBe(400);
    expect((await ask(cast.guest, file, { version: 2, parent_comment_id: older.id })).status).toBe(400);
    for (const [kind, transcoding_status] of [
      ["image", "waiting"],
      ["document", "transcoded"],
    ] as const) {
      await cast.world.database.write((tx) => tx.updateTable("file_versions").set({ kind, transcoding_status }).where("file_id", "=", file).execute());
      expect((await ask(cast.guest, file, { position_ms: 0 })).status, kind).toBe(400);
      expect((await ask(cast.guest, file, {})).status, kind).toBe(200);
    }
  });

  describe("unread", () => {
    const seen = async (by: Caller, file: number) => {
      const { world, home } = cast;
      const info = (await world.call(by, files.getFileInfo, { body: { file_id: file } })).answer.common.has_unread_comments;
      const listed = (await world.call(by, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500" } })).answer.data;
      const history = (await world.call(by, chat.chatHistory, { body: { project_id: home.project } })).answer.data;
      const found = (await world.call(by, messages.searchMessages, { params: { project_id: home.project }, query: { has: "file" } })).answer.data;
      const attached = (among: typeof history) => among.flatMap(({ attachments }) => attachments).find(({ id }) => id === file)?.has_unread_comments;
      return [info, listed.find(({ id }) => id === file)?.has_unread_comments, attached(history), attached(found)];
    };
    const told = async (account: number) => (await log(`account:${account}`)).flatMap(({ type, data }) => (type === "comments.read" ? [JSON.parse(data)] : []));

    it("is what others said since: wherever the file is shown, for each reader alone", async () => {
      const { world, owner, member, guest, admin, home } = cast;
      const file = await fresh("unread.wav");
      await world.call(owner, chat.sendMessage, { body: { project_id: home.project, body: "listen", attachment_ids: [file] } });
      expect(await seen(member, file)).toEqual([false, false, false, false]);
      const { id } = await write(guest, file);
      expect(await seen(member, file)).toEqual([true, true, true, true]);
      expect(await seen(guest, file)).toEqual([false, false, false, false]);
      // Who sees the project without following it has nothing to read, until they look.
      expect(await seen(admin, file)).toEqual([false, false, false, false]);
      expect((await list(admin, file)).last_read_comment_id).toBe(id);
      await markRead(admin, file, id);
      expect(await markRead(member, file, id)).toMatchObject({ file_id: file, last_read_comment_id: id, has_unread_comments: false });
      expect((await told(member.id)).at(-1)).toEqual({ file_id: file, project_id: home.project, last_read_comment_id: id, has_unread_comments: false });
      expect(await seen(member, file)).toEqual([false, false, false, false]);
      await write(guest, file);
      expect([(await seen(member, file))[0], (await seen(admin, file))[0], (await seen(owner, file))[0]]).toEqual([true, true, true]);
      // History to whom comes now.
      const late = await join(world, owner, `late on ${engine}`, { team: home.team, role: "member", projects: [home.project] });
      expect(await seen(late, file)).toEqual([false, false, false, false]);
      const { id: another } = await write(owner, file);
      expect((await seen(late, file))[0]).toBe(true);
      // Who leaves follows no more, and starts anew where it stands when they come back.
      await markRead(late, file, another);
      await world.call(owner, projects.removeProjectMember, { params: { project_id: home.project, account_id: late.id } });
      const heard = (await told(late.id)).length;
      await remove(owner, (await write(owner, file)).id);
      await write(owner, file);
      await world.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: late.id } });
      expect([await seen(late, file), (await told(late.id)).length]).toEqual([[false, false, false, false], heard]);
    });

    it("goes and comes with the comment, and only those hear of it to whom it does", async () => {
      const { member, guest, owner } = cast;
      const file = await fresh("taken back.wav");
      const { id } = await write(guest, file);
      const [members, guests] = [(await told(member.id)).length, (await told(guest.id)).length];
      await markRead(owner, file, id);
      const owners = (await told(owner.id)).length;
      await remove(guest, id);
      expect((await told(member.id)).at(-1)).toMatchObject({ file_id: file, has_unread_comments: false });
      await restore(guest, id);
      expect((await told(member.id)).slice(members)).toMatchObject([{ has_unread_comments: false }, { file_id: file, has_unread_comments: true }]);
      expect([(await told(guest.id)).length, (await told(owner.id)).length]).toEqual([guests, owners]);
    });
  });

  it("what was taken back stands nowhere in the log; who deleted it brings it back", async () => {
    const file = await fresh();
    const { id } = await write(cast.member, file, { body: "a SECRET said too early" });
    await show(cast.guest, id);
    await update(cast.member, id, { body: "said better" });
    const logged = async () => (await log(`project:${cast.home.project}`)).map(({ data }) => data).join("\n");
    expect(await logged()).not.toContain("SECRET");
    await remove(cast.member, id);
    expect(await logged()).not.toContain("said better");
    expect((await eventsOf(id)).map(({ type, data }) => [type, data.body, data.deleted])).toEqual([
      ["comment.created", "", true],
      ["comment.updated", "", true],
    ]);
    expect(await restore(cast.member, id)).toMatchObject({ body: "said better", deleted: false });
    const seqs = (await log(`project:${cast.home.project}`)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("a message shows it as it stands: edited, deleted, brought back, its file deleted; and it knows the message", async () => {
    const { world, member, guest, home } = cast;
    const file = await fresh("shown.wav");
    const root = await write(member, file, { body: "first words", position_ms: 1_500, end_ms: 2_000 });
    const reply = await write(guest, file, { body: "answer", parent_comment_id: root.id });
    const message = await show(guest, root.id);
    expect(message).toMatchObject({ body: "shown.wav 0:01–0:02", account_id: guest.id, comment: { account_id: member.id, excerpt: "first words" } });
    expect((await show(member, reply.id)).comment).toMatchObject({ id: reply.id, position_ms: 1_500, end_ms: 2_000, excerpt: "answer" });
    const shown = async () =>
      (await world.call(guest, chat.chatHistory, { body: { project_id: home.project, around_id: message.id, limit: 1 } })).answer.data.find(
        ({ id }) => id === message.id,
      );
    const lastEvent = async () =>
      (await log(`project:${home.project}`))
        .flatMap(({ type, data }) => (type === "message.updated" && JSON.parse(data).id === message.id ? [JSON.parse(data)] : []))
        .at(-1);
    const messageOf = async () => (await list(guest, file)).data.find(({ id }) => id === root.id)?.message_id;
    expect(await messageOf()).toBe(message.id);
    await update(member, root.id, { body: "better words" });
    expect([(await shown())?.comment?.excerpt, (await lastEvent()).comment.excerpt]).toEqual(["better words", "better words"]);
    await remove(member, root.id);
    expect((await shown())?.comment).toMatchObject({ deleted: true, excerpt: "" });
    await restore(member, root.id);
    expect((await shown())?.comment).toMatchObject({ deleted: false, excerpt: "better words" });
    expect(await lastEvent()).toEqual(await shown());
    await world.call(guest, messages.deleteMessage, { params: { project_id: home.project, message_id: message.id } });
    expect([await messageOf(), (await eventsOf(root.id)).at(-1)?.data.message_id]).toEqual([null, null]);
    await world.call(guest, messages.restoreMessage, { params: { project_id: home.project, message_id: message.id } });
    expect([await messageOf(), (await eventsOf(root.id)).at(-1)?.data.message_id]).toEqual([message.id, message.id]);
    await world.call(cast.owner, files.deleteFile, { body: { file_id: file } });
    expect((await shown())?.comment).toMatchObject({ deleted: true, excerpt: "" });
    expect(await lastEvent()).toEqual(await shown());
    await world.call(cast.owner, view.restoreFiles, { body: { file_ids: [file] } });
    expect((await shown())?.comment).toMatchObject({ deleted: false, excerpt: "better words" });
    expect(await lastEvent()).toEqual(await shown());
    await world.call(cast.owner, view.updateFile, { params: { file_id: file }, body: { name: "renamed.wav" } });
    expect((await shown())?.comment).toMatchObject({ file_name: "renamed.wav" });
    expect(await lastEvent()).toEqual(await shown());
  });

  it("shown, it mentions nobody, whatever the file is called", async () => {
    const name = `for <@${cast.member.id}>.wav`;
    const message = await show(cast.guest, (await write(cast.guest, await fresh(name))).id);
    expect(message).toMatchObject({ body: name, mentions: [] });
  });

  it("what was deleted takes no room in a file", async () => {
    const file = await fresh();
    const { database } = cast.world;
    await database.write((tx) =>
      sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${LIMITS.comments_per_file})
        insert into comments (project_id, file_id, version, account_id, body, created_at, deleted_at)
        select ${cast.home.project}, ${file}, 1, ${cast.guest.id}, '', 1, 1 from numbers`.execute(tx),
    );
    const { status, answer } = await ask(cast.member, file, {});
    expect(status).toBe(200);
    await database.write((tx) => tx.updateTable("comments").set({ deleted_at: null }).where("file_id", "=", file).where("id", "!=", answer.data.id).execute());
    expect((await ask(cast.member, file, {})).problem.detail).toContain("at most 10,000");
  });

  it("shown by everybody at once, one message shows it", async () => {
    const { id } = await write(cast.member, await fresh());
    const shown = await Promise.all([cast.owner, cast.admin, cast.member, cast.guest].map((by) => show(by, id)));
    expect(new Set(shown.map((message) => message.id)).size).toBe(1);
  });

  it("what was deleted loses its text after a while, and with its file all goes for good", async () => {
    const { world, owner, member, guest } = cast;
    const [kept, gone] = [await fresh("kept.wav"), await fresh("gone.wav")];
    const [deleted, standing] = [await write(member, kept, { body: "deleted" }), await write(member, kept, { body: "standing" })];
    await remove(member, deleted.id);
    const root = await write(guest, gone, { body: "about it" });
    await write(member, gone, { body: "an answer", parent_comment_id: root.id });
    const message = await show(guest, root.id);
    const rows = async (file: number) =>
      (await world.database.read.selectFrom("comments").select("body").where("file_id", "=", file).orderBy("id").execute()).map(({ body }) => body);
    world.clock.pass(10 * 60_000);
    await forgetComments(world);
    expect(await restore(member, deleted.id)).toMatchObject({ body: "deleted" });
    await remove(member, deleted.id);
    world.clock.pass(HOUR);
    await Promise.all([forgetComments(world), forgetComments(world)]);
    expect(await rows(kept)).toEqual(["", "standing"]);
    await world.call(owner, files.deleteFile, { body: { file_id: gone } });
    world.clock.pass(30 * DAY - 1);
    await forgetComments(world);
    expect(await rows(gone)).toHaveLength(2);
    world.clock.pass(1);
    await Promise.all([forgetComments(world), forgetComments(world)]);
    expect([await rows(gone), await rows(kept)]).toEqual([[], ["", "standing"]]);
    // A session does not last so long.
    const back = await freshSession(world, guest.id, "guest");
    expect((await list(back, kept)).data.map(({ id }) => id)).toEqual([standing.id]);
    expect(await world.database.read.selectFrom("comment_reads").selectAll().where("file_id", "=", gone).execute()).toEqual([]);
    expect((await log(`project:${cast.home.project}`)).map(({ data }) => data).join()).not.toContain("an answer");
    const { data } = (await world.call(back, chat.chatHistory, { body: { project_id: cast.home.project, around_id: message.id, limit: 1 } })).answer;
    expect(data.find(({ id }) => id === message.id)).toMatchObject({ body: "gone.wav" });
    expect(await forgetComments(world)).toBe(0);
  });
});
