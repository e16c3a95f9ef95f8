/** Tests of the limit on mentions per message: exceeding it returns a clear error and changes nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const MAX_MENTIONS = LIMITS.mentions_per_message;
const mentionAll = (ids: readonly number[]) => ids.map((id) => `<@${id}>`).join(" ");

describe.each(ENGINES)("the limit of mentions on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  /** One more account than a message may mention. */
  let accountIds: number[];
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, member, home } = fixtures;
    accountIds = await testApp.database.write(async (tx) => {
      const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", member.id).executeTakeFirstOrThrow();
      const row = (name: string) => ({
        organisation_id,
        role: "member" as const,
        username: name,
        username_key: name,
        email: `${name}@talkback.test`,
        email_key: `${name}@talkback.test`,
        user_info: "",
        created_at: 1,
      });
      const rows = Array.from({ length: MAX_MENTIONS + 1 }, (_, index) => row(`named${index}`));
      const inserted = await tx.insertInto("accounts").values(rows).returning("id").execute();
      await tx
        .insertInto("project_members")
        .values(inserted.map(({ id }) => ({ project_id: home.project, account_id: id, added_at: 1 })))
        .execute();
      return inserted.map(({ id }) => id);
    });
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const send = (body: string, extra = {}) =>
    fixtures.testApp.call(fixtures.member, chat.sendMessage, { body: { project_id: fixtures.home.project, body, ...extra } });
  const edit = (id: number, body: string) =>
    fixtures.testApp.call(fixtures.member, messages.editMessage, { params: { project_id: fixtures.home.project, message_id: id }, body: { body } });
  const rejection = { status: 400, problem: { errors: [{ path: "body", message: `must mention at most ${MAX_MENTIONS} people` }] } };
  /** Returns everything that creating or editing a message stores. */
  const snapshot = async () => {
    const { read } = fixtures.testApp.database;
    const [stored, mentions, events] = await Promise.all([
      read.selectFrom("messages").select(["id", "body", "revision"]).where("project_id", "=", fixtures.home.project).orderBy("id").execute(),
      read.selectFrom("message_mentions").selectAll().orderBy("message_id").orderBy("account_id").execute(),
      read.selectFrom("events").select("seq").where("topic", "=", `project:${fixtures.home.project}`).orderBy("seq").execute(),
    ]);
    return { stored, mentions, events };
  };

  it(`allows ${MAX_MENTIONS} people named any number of times, in addition to unknown ids`, async () => {
    const allowedIds = accountIds.slice(0, MAX_MENTIONS);
    const unknownIds = Array.from({ length: 60 }, (_, index) => 900_000 + index);
    const { data } = (await send(`${mentionAll(allowedIds)} ${mentionAll(allowedIds)} ${mentionAll(unknownIds)}`)).response;
    expect(data.mentions).toEqual(allowedIds);
  });
  it("rejects one more and stores nothing, so the same client_id works without it", async () => {
    const before = await snapshot();
    const reply = await send(mentionAll(accountIds), { client_id: "one-too-many" });
    expect(reply).toMatchObject(rejection);
    expect(await snapshot()).toEqual(before);
    const { data } = (await send(mentionAll(accountIds.slice(1)), { client_id: "one-too-many" })).response;
    expect(data.mentions).toEqual(accountIds.slice(1));
  });
  it("applies to edits too and leaves the message unchanged", async () => {
    const { data } = (await send(mentionAll(accountIds.slice(0, 2)))).response;
    const before = await snapshot();
    expect(await edit(data.id, mentionAll(accountIds))).toMatchObject(rejection);
    expect(await snapshot()).toEqual(before);
    expect((await edit(data.id, mentionAll(accountIds.slice(0, MAX_MENTIONS)))).response.data.mentions).toEqual(accountIds.slice(0, MAX_MENTIONS));
  });
});
