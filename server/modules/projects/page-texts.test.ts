/** Tests that kept pages are those of their reader and of now, and that few are built. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventType } from "../../../contract/events.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { Actor } from "../../access/access.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createPageTexts, unreadMark } from "./page-texts.ts";

describe.each(ENGINES)("kept pages on %s", (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const history = async (caller: Caller) => (await fixtures.testApp.call(caller, chat.chatHistory, { body: { project_id: fixtures.home.project } })).response;
  const listing = async (caller: Caller) => {
    const { home, testApp } = fixtures;
    return (await testApp.call(caller, view.listFiles, { params: { project_id: home.project }, query: { folder_id: String(home.folder) } })).response.data;
  };

  it("show each reader what they have not read, in history and in a folder", async () => {
    const { testApp, home, member, guest } = fixtures;
    const attach = { project_id: home.project, body: "", attachment_ids: [home.file] };
    await testApp.call(member, chat.sendMessage, { body: attach });
    const unreadOf = async (caller: Caller) => ({
      history: (await history(caller)).data.flatMap(({ attachments }) => attachments.map(({ has_unread_comments }) => has_unread_comments)),
      folder: (await listing(caller)).map(({ has_unread_comments }) => has_unread_comments),
    });
    for (const caller of [member, guest]) expect(await unreadOf(caller)).toEqual({ history: [false], folder: [false] });
    // A text that looks like the mark of a file stays as it is.
    const body = `"has_unread_comments":-${home.file}`;
    const written = await testApp.call(member, comments.writeComment, { params: { file_id: home.file }, body: { body } });
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body } });
    expect(await unreadOf(member)).toEqual({ history: [false], folder: [false] });
    expect(await unreadOf(guest)).toEqual({ history: [true], folder: [true] });
    expect((await history(guest)).data.at(-1)?.body).toBe(body);
    const readAll = { params: { file_id: home.file }, body: { last_comment_id: written.response.data.id } };
    await testApp.call(guest, comments.markCommentsRead, readAll);
    expect(await unreadOf(guest)).toEqual({ history: [false], folder: [false] });
  });

  it("follow changes of the project and of the organization's statuses", async () => {
    const { testApp, home, owner, member } = fixtures;
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "Now", attachment_ids: [home.file] } });
    const [status] = (await testApp.call(owner, teams.listFileStatuses, { body: { team_id: home.team } })).response.data;
    await testApp.call(member, files.setFileStatus, { body: { file_id: home.file, status_id: status!.id } });
    const titles = async () => [(await history(member)).data.at(-1)?.attachments[0]?.status?.title, (await listing(member))[0]?.status?.title];
    expect(await titles()).toEqual([status!.title, status!.title]);
    await testApp.call(owner, statuses.updateFileStatus, { params: { status_id: status!.id }, body: { title: "Signed off" } });
    expect(await titles()).toEqual(["Signed off", "Signed off"]);
  });

  it("show messages of an import before it has ended", async () => {
    const { testApp, home, member } = fixtures;
    await history(member);
    const { chatImport } = testApp.app.services;
    const message = { sourceId: "1", accountId: member.id, body: "From the former chat", createdAt: 1, editedAt: null, parentId: null };
    await chatImport.writeBatch(home.project, await chatImport.loadImportedIds(home.project), [message]);
    expect((await history(member)).data.at(-1)?.body).toBe("From the former chat");
  });

  it("are built once until an event, at most once at a time, and anew after a failure", async () => {
    const { database, deps } = { database: fixtures.testApp.database, deps: fixtures.testApp.app.deps };
    const { project } = fixtures.home;
    const organisationId = (await database.read.selectFrom("teams").select("organisation_id").where("id", "=", fixtures.home.team).executeTakeFirstOrThrow())
      .organisation_id;
    const actor = { accountId: 1, organisationId } as Actor;
    const pages = createPageTexts({ database, events: deps.events });
    const appendAny = (tx: Tx, topic: string, type: EventType) => deps.events.append(tx, topic, type, {});
    let built = 0;
    const load = (query: object) =>
      pages.load(actor, { id: project, last_message_id: 1 }, query, async (seq) => {
        built += 1;
        return `{"seq":${seq},"has_unread_comments":${unreadMark(999_999)}}`;
      });
    const [first, second] = await Promise.all([load({ a: 1 }), load({ a: 1 })]);
    expect(built).toBe(1);
    expect(first.body.toString()).toBe(second.body.toString());
    expect(JSON.parse(first.body.toString())).toEqual({ seq: expect.any(Number), has_unread_comments: false });
    await load({ a: 2 });
    expect(built).toBe(2);
    for (const [topic, type, expected] of [
      [topicOf.project(project), "sessions.changed", 3],
      [topicOf.organisation(organisationId), "sessions.changed", 4],
      // A webhook was sent.
      [topicOf.organisation(organisationId), "delivery.updated", 4],
      [topicOf.organisation(organisationId), "statuses.changed", 5],
    ] as const) {
      await database.write((tx) => appendAny(tx, topic, type));
      await load({ a: 1 });
      expect(built, type).toBe(expected);
    }
    // Between two loads, one that matters and many that do not.
    await database.write((tx) => appendAny(tx, topicOf.organisation(organisationId), "statuses.changed"));
    for (let count = 0; count < 3; count += 1) await database.write((tx) => appendAny(tx, topicOf.organisation(organisationId), "delivery.updated"));
    await load({ a: 1 });
    expect(built).toBe(6);
    await expect(pages.load(actor, { id: project, last_message_id: 1 }, { a: 3 }, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect((await pages.load(actor, { id: project, last_message_id: 1 }, { a: 3 }, async () => "{}")).body.toString()).toBe("{}");
  });
});

describe.each(ENGINES)("a check of kept pages on %s", (engine) => {
  it("notices a change without an event", async () => {
    const { testApp, home, member } = await createFixtures(engine);
    try {
      const request = { body: { project_id: home.project } };
      await testApp.call(member, chat.chatHistory, request);
      await testApp.database.write((tx) => tx.updateTable("messages").set({ body: "Rewritten" }).where("id", "=", home.message).execute());
      expect((await testApp.callUntyped(member, chat.chatHistory, request)).status).toBe(500);
    } finally {
      await testApp.close();
    }
  });
});
