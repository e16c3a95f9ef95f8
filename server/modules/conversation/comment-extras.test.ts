/** Tests the mentions and attachments of comments: who is notified, who may attach what, what events keep, and what deletion leaves. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Comment } from "../../../contract/comment-records.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, markProcessed, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken, createSession } from "../../testing/people.ts";
import { eraseDeletedComments } from "./retention.ts";
import { purgeDeletedFiles } from "../files/retention.ts";

describe.each(ENGINES)("mentions and attachments of comments on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => fixtures.testApp.database.write(async (tx) => void (await tx.deleteFrom("notifications").execute())));

  const take = async (name: string) => {
    const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name });
    await markProcessed(fixtures.testApp, id);
    return id;
  };
  const post = (body: object, by: Caller = fixtures.member, file_id = fixtures.home.file) =>
    fixtures.testApp.call(by, comments.writeComment, { params: { file_id }, body });
  const write = async (body: object, file_id?: number): Promise<Comment> => (await post(body, fixtures.member, file_id)).response.data;
  const edit = async (comment_id: number, body: string) =>
    (await fixtures.testApp.call(fixtures.member, comments.updateComment, { params: { comment_id }, body: { body } })).response.data;
  const remove = (comment_id: number) => fixtures.testApp.call(fixtures.member, comments.deleteComment, { params: { comment_id } });
  const inbox = async (by: Caller) =>
    (await fixtures.testApp.call(by, notifications.listNotifications, { query: {} })).response.data.map(({ kind, text, file_id, comment_id }) => ({
      kind,
      text,
      file_id,
      comment_id,
    }));
  const storedEvents = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("events").select("data").where("comment_id", "=", id).execute()).map(
      ({ data }) => JSON.parse(data) as Comment,
    );

  it("a mention notifies who sees the project, once, even a watcher of the file", async () => {
    const { guest, neighbor, owner, home, testApp } = fixtures;
    await post({ body: "I watch this now" }, owner);
    const body = `<@${guest.id}> and <@${owner.id}>, not <@${neighbor.id}>: louder`;
    const comment = await write({ body });
    expect(comment.mentions?.toSorted()).toEqual([guest.id, owner.id].toSorted());
    const expected = { kind: "mention", text: `@guest and @owner, not <@${neighbor.id}>: louder`, file_id: home.file, comment_id: comment.id };
    expect([await inbox(guest), (await inbox(owner)).slice(0, 1), await inbox(neighbor)]).toEqual([[expected], [expected], []]);
    expect((await storedEvents(comment.id))[0]).toMatchObject({ body, mentions: comment.mentions });
    await testApp.call(guest, comments.markCommentsRead, { params: { file_id: home.file }, body: { last_comment_id: comment.id } });
    const { unread_count } = (await testApp.call(guest, notifications.listNotifications, { query: {} })).response;
    expect(unread_count).toBe(0);
  });

  it("an edit notifies whom it adds and withdraws from whom it removes; a watcher keeps a comment", async () => {
    const { guest, owner } = fixtures;
    await post({ body: "I watch this now" }, owner);
    const { id } = await write({ body: `<@${owner.id}> louder` });
    expect((await edit(id, `<@${guest.id}> louder`)).mentions).toEqual([guest.id]);
    expect([(await inbox(guest)).map(({ kind }) => kind), (await inbox(owner)).map(({ kind }) => kind)]).toEqual([["mention"], ["comment"]]);
    await edit(id, "louder");
    expect(await inbox(guest)).toEqual([]);
  });

  it("an edit that mentions a watcher replaces their notification of the comment, also a read one, by an unread mention, once", async () => {
    const { owner, guest, testApp } = fixtures;
    await post({ body: "I watch this now" }, owner);
    const { id } = await write({ body: "louder" });
    const list = async () => (await testApp.call(owner, notifications.listNotifications, { query: {} })).response;
    const mine = async () => (await list()).data.filter(({ comment_id }) => comment_id === id);
    expect(await mine()).toMatchObject([{ kind: "comment", read: false }]);
    await testApp.call(owner, comments.markCommentsRead, { params: { file_id: fixtures.home.file }, body: { last_comment_id: id } });
    expect((await list()).unread_count).toBe(0);
    await edit(id, `<@${owner.id}> louder`);
    const [mention, ...others] = await mine();
    expect([mention, others]).toMatchObject([{ kind: "mention", read: false, text: "@owner louder" }, []]);
    expect((await list()).unread_count).toBe(1);
    // Who has a mention gets no second one.
    await edit(id, `<@${owner.id}> <@${guest.id}> louder`);
    expect((await mine()).map((one) => one.id)).toEqual([mention?.id]);
  });

  it("files of the project are attached once per client_id, also to replies and without text", async () => {
    const [first, second] = [await take("kick.wav"), await take("snare.wav")];
    const body = { attachment_ids: [second, first], client_id: "with-two-files", position_ms: 1_000 };
    const comment = await write(body);
    expect(comment).toMatchObject({ body: "", attachments: [{ id: second, name: "snare.wav", version: 1, kind: "audio" }, { id: first }] });
    const repeated = await Promise.all([post(body), post(body)]);
    expect(repeated.map(({ response }) => response.data)).toEqual([comment, comment]);
    expect((await post({ ...body, attachment_ids: [first] })).status).toBe(409);
    const reply = await write({ body: "And this", attachment_ids: [first], parent_comment_id: comment.id });
    expect(reply.attachments).toMatchObject([{ id: first }]);
    expect(await fixtures.testApp.database.read.selectFrom("comment_attachments").selectAll().where("comment_id", "=", comment.id).execute()).toHaveLength(2);
    expect((await edit(comment.id, "")).attachments).toHaveLength(2);
  });

  it("nothing of another project, deleted or doubled is attached, and a token needs to read files", async () => {
    const { home, next, foreign } = fixtures;
    const gone = await take("gone.wav");
    await fixtures.testApp.call(fixtures.member, files.deleteFile, { body: { file_id: gone } });
    for (const attachment_ids of [[next.file], [foreign.file], [home.folder], [gone], [home.file, home.file]])
      expect((await post({ body: "x", attachment_ids })).status).toBe(400);
    expect((await post({ attachment_ids: [] })).status).toBe(400);
    const token = await createApiToken(fixtures.testApp, fixtures.member, ["files:write"]);
    expect([(await post({ body: "x" }, token)).status, (await post({ body: "x", attachment_ids: [home.file] }, token)).status]).toEqual([200, 403]);
  });

  it("a deleted comment loses its attachments in answers and events, and gets them back when it is restored", async () => {
    const file = await take("hat.wav");
    const { id } = await write({ body: "secret text", attachment_ids: [file] });
    expect((await remove(id)).response.data).toMatchObject({ deleted: true, attachments: [], mentions: [] });
    const events = JSON.stringify(await storedEvents(id));
    expect([events.includes("secret text"), events.includes("hat.wav")]).toEqual([false, false]);
    const restored = await fixtures.testApp.call(fixtures.member, comments.restoreComment, { params: { comment_id: id } });
    expect(restored.response.data).toMatchObject({ body: "secret text", attachments: [{ id: file }] });
  });

  it("a change of an attached file is published, and a deleted file says so", async () => {
    const { testApp, member } = fixtures;
    const file = await take("rename me.wav");
    const { id } = await write({ body: "x", attachment_ids: [file] });
    await testApp.call(member, files.renameFile, { body: { file_id: file, name: "renamed.wav" } });
    const rows = await testApp.database.read.selectFrom("events").select("data").where("type", "=", "attachment.updated").execute();
    expect(rows.map(({ data }) => JSON.parse(data) as object)).toContainEqual(expect.objectContaining({ id: file, name: "renamed.wav" }));
    await testApp.call(member, files.deleteFile, { body: { file_id: file } });
    const { data } = (await testApp.call(member, comments.listComments, { params: { file_id: fixtures.home.file } })).response;
    expect(data.find((comment) => comment.id === id)?.attachments).toMatchObject([{ id: file, deleted: true }]);
  });

  it("a deleted file keeps its bytes while a comment has it, and a purge of comments removes their references", async () => {
    const { testApp } = fixtures;
    const [commented, attached] = [await take("commented.wav"), await take("attached.wav")];
    const { id } = await write({ body: `for <@${fixtures.guest.id}>`, attachment_ids: [attached] }, commented);
    const hasBytes = async () => (await openStorage(testApp).size((await currentVersion(testApp, attached)).blob_key)) !== null;
    await testApp.call(fixtures.member, files.deleteFile, { body: { file_id: attached } });
    const purge = () => purgeDeletedFiles({ ...testApp, storage: openStorage(testApp) });
    testApp.clock.advance(31 * DAY);
    await purge();
    expect(await hasBytes()).toBe(true);
    fixtures.member = { ...fixtures.member, ...(await createSession(testApp, fixtures.member.id, fixtures.member.name)), id: fixtures.member.id };
    await remove(id);
    testApp.clock.advance(HOUR);
    await eraseDeletedComments(testApp.app.deps);
    await purge();
    expect(await hasBytes()).toBe(false);
    expect(await testApp.database.read.selectFrom("comment_mentions").selectAll().where("comment_id", "=", id).execute()).toEqual([]);
    await testApp.call(fixtures.member, files.deleteFile, { body: { file_id: commented } });
    testApp.clock.advance(31 * DAY);
    await eraseDeletedComments(testApp.app.deps);
    expect(await testApp.database.read.selectFrom("comment_attachments").selectAll().where("comment_id", "=", id).execute()).toEqual([]);
  });
});
