/** How many people one message may name: the limit is told in words, and what is over it changes nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";

const MOST = LIMITS.mentions_per_message;
const named = (ids: readonly number[]) => ids.map((id) => `<@${id}>`).join(" ");

describe.each(ENGINES)("the limit of mentions on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  /** One more than may be named. */
  let people: number[];
  beforeAll(async () => {
    cast = await startCast(engine);
    const { world, member, home } = cast;
    people = await world.database.write(async (tx) => {
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
      const rows = Array.from({ length: MOST + 1 }, (_, index) => row(`named${index}`));
      const made = await tx.insertInto("accounts").values(rows).returning("id").execute();
      await tx
        .insertInto("project_members")
        .values(made.map(({ id }) => ({ project_id: home.project, account_id: id, added_at: 1 })))
        .execute();
      return made.map(({ id }) => id);
    });
  }, 60_000);
  afterAll(() => cast.world.close());

  const send = (body: string, more = {}) => cast.world.call(cast.member, chat.sendMessage, { body: { project_id: cast.home.project, body, ...more } });
  const edit = (id: number, body: string) =>
    cast.world.call(cast.member, messages.editMessage, { params: { project_id: cast.home.project, message_id: id }, body: { body } });
  const refusal = { status: 400, problem: { errors: [{ path: "body", message: `must mention at most ${MOST} people` }] } };
  /** Everything that a message or a change of one leaves behind. */
  const traces = async () => {
    const { read } = cast.world.database;
    const [stored, mentions, events] = await Promise.all([
      read.selectFrom("messages").select(["id", "body", "revision"]).where("project_id", "=", cast.home.project).orderBy("id").execute(),
      read.selectFrom("message_mentions").selectAll().orderBy("message_id").orderBy("account_id").execute(),
      read.selectFrom("events").select("seq").where("topic", "=", `project:${cast.home.project}`).orderBy("seq").execute(),
    ]);
    return { stored, mentions, events };
  };

  it(`takes ${MOST}, however often each is named, beside any number of names that nobody has`, async () => {
    const allowed = people.slice(0, MOST);
    const nobodies = Array.from({ length: 60 }, (_, index) => 900_000 + index);
    const { data } = (await send(`${named(allowed)} ${named(allowed)} ${named(nobodies)}`)).answer;
    expect(data.mentions).toEqual(allowed);
  });
  it("refuses one more, says what is wrong, and leaves nothing behind; without it the same client_id is good", async () => {
    const before = await traces();
    const reply = await send(named(people), { client_id: "one-too-many" });
    expect(reply).toMatchObject(refusal);
    expect(await traces()).toEqual(before);
    const { data } = (await send(named(people.slice(1)), { client_id: "one-too-many" })).answer;
    expect(data.mentions).toEqual(people.slice(1));
  });
  it("holds for a change too: the message stays as it was", async () => {
    const { data } = (await send(named(people.slice(0, 2)))).answer;
    const before = await traces();
    expect(await edit(data.id, named(people))).toMatchObject(refusal);
    expect(await traces()).toEqual(before);
    expect((await edit(data.id, named(people.slice(0, MOST)))).answer.data.mentions).toEqual(people.slice(0, MOST));
  });
});
