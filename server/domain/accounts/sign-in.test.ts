/** First run, passwords, throttling, sessions: with a clock that moves. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as session from "../../../contract/operations/session.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { NOBODY, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, PASSWORD, signIn, tokenIn, tokenOf } from "../../testing/people.ts";
import { stateOf } from "../../testing/state.ts";
import { startWorld, type World } from "../../testing/world.ts";

const WRONG = "not this one at all";

describe.each(ENGINES)("first run on %s", { timeout: 30_000 }, (engine) => {
  const founding = (world: World, name = "owner") => ({
    token: world.app.setupToken,
    organisation: name,
    username: name,
    email: `${name}@talkback.test`,
    password: PASSWORD,
  });
  const setUp = (world: World, change: object = {}, name = "owner") => world.call(NOBODY, session.setUp, { body: { ...founding(world, name), ...change } });

  it("the link in the log makes the owner, once", async () => {
    const world = await startWorld(engine);
    const required = async () => (await world.call(NOBODY, session.getService)).answer.data.setup_required;
    expect(await required()).toBe(true);
    const before = await stateOf(world.database);
    expect((await setUp(world, { token: "x".repeat(43) })).status).toBe(403);
    expect(await stateOf(world.database)).toBe(before);
    const reply = await setUp(world);
    expect(reply.answer.data).toMatchObject({ role: "owner", account: { username: "owner" }, organisation: { name: "owner" } });
    expect(reply.text).not.toContain(PASSWORD);
    expect(await required()).toBe(false);
    expect((await setUp(world, {}, "second")).status).toBe(409);
    expect((await world.database.read.selectFrom("accounts").select("password_hash").execute())[0]?.password_hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
    );
    await world.close();
  });
  it("two at once: one owner, one organisation", async () => {
    const world = await startWorld(engine);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => setUp(world, {}, `owner${index}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await world.database.read.selectFrom("organisations").select("id").execute()).toHaveLength(1);
    await world.close();
  });
  it("guessing the link is slow", async () => {
    const world = await startWorld(engine);
    for (let count = 0; count < 10; count += 1) expect((await setUp(world, { token: `guess ${count}` })).status).toBe(403);
    expect((await setUp(world)).status).toBe(429);
    world.clock.pass(15 * MINUTE);
    expect((await setUp(world)).status).toBe(200);
    await world.close();
  });
});

describe.each(ENGINES)("sign-in on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());
  const enter = (login: string, password = PASSWORD, address = "192.0.2.1") =>
    cast.world.call(NOBODY, session.signIn, { body: { login, password } }, { address });
  const who = async (caller: Caller) => (await cast.world.call(caller, session.getSession)).status;

  it("the eleventh wrong password waits, also for the right one; time lets in again", async () => {
    for (let count = 0; count < 10; count += 1) expect((await enter("member", WRONG)).status).toBe(401);
    const refused = await enter("member", PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBe(15 * 60);
    expect((await enter("MEMBER", PASSWORD)).status).toBe(429);
    expect((await enter("guest", PASSWORD)).status).toBe(429);
    expect((await enter("member", PASSWORD, "192.0.2.2")).status).toBe(200);
    cast.world.clock.pass(15 * MINUTE - 1);
    expect((await enter("member")).status).toBe(429);
    cast.world.clock.pass(1);
    expect((await enter("member")).status).toBe(200);
  });
  it("a hundred guesses at once are not a hundred free ones", async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => enter("guest", WRONG, "198.51.100.7")));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
  });
  it("twenty people of one office sign in at once", async () => {
    const replies = await Promise.all(
      [cast.owner, cast.admin, cast.member, cast.guest].flatMap(({ name }) => Array.from({ length: 4 }, () => enter(name, PASSWORD, "198.51.100.8"))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });
  it("an IPv6 network counts as one address", async () => {
    for (let count = 0; count < 10; count += 1) await enter("admin", WRONG, `2001:db8::${count}`);
    expect((await enter("admin", PASSWORD, "2001:db8::ffff")).status).toBe(429);
    expect((await enter("admin", PASSWORD, "2001:db8:0:1::1")).status).toBe(200);
  });
  it("a name that looks like another's address does not stand in their way", async () => {
    const { world, neighbour, owner } = cast;
    await world.database.write((tx) =>
      tx.updateTable("accounts").set({ username: owner.email, username_key: owner.email }).where("id", "=", neighbour.id).execute(),
    );
    expect((await enter(owner.email)).answer.data.account.id).toBe(owner.id);
  });
  it("a disabled account learns so only with the right password", async () => {
    const { world, owner, guestNextDoor } = cast;
    await world.call(owner, accounts.updateMember, { params: { account_id: guestNextDoor.id }, body: { disabled: true } });
    expect((await enter(guestNextDoor.email, WRONG)).status).toBe(401);
    expect((await enter(guestNextDoor.email)).status).toBe(403);
  });

  describe("sessions", () => {
    it("end after 14 days without use", async () => {
      const [used, unused] = [await freshSession(cast.world, cast.member.id, "used"), await freshSession(cast.world, cast.member.id, "unused")];
      cast.world.clock.pass(13 * DAY);
      expect(await who(used)).toBe(200);
      // "Last seen" is written beside the request.
      await expect
        .poll(
          async () =>
            (await cast.world.database.read.selectFrom("sessions").select("last_seen_at").where("id", "=", used.id).executeTakeFirstOrThrow()).last_seen_at,
        )
        .toBe(cast.world.clock.now());
      cast.world.clock.pass(DAY);
      expect([await who(used), await who(unused)]).toEqual([200, 401]);
      const [own] = (await cast.world.call(used, session.listSessions)).answer.data;
      expect(own).toMatchObject({ id: used.id, current: true });
    });
    it("end after 90 days, however much used", async () => {
      const caller = await freshSession(cast.world, cast.member.id, "busy");
      for (let day = 0; day < 90; day += 10) {
        expect(await who(caller)).toBe(200);
        const now = cast.world.clock.now();
        await expect
          .poll(
            async () =>
              (await cast.world.database.read.selectFrom("sessions").select("last_seen_at").where("id", "=", caller.id).executeTakeFirstOrThrow()).last_seen_at,
          )
          .toBe(now);
        cast.world.clock.pass(10 * DAY);
      }
      expect(await who(caller)).toBe(401);
      await signIn(cast.world, "member");
      expect(await cast.world.database.read.selectFrom("sessions").select("id").where("id", "=", caller.id).execute()).toEqual([]);
    });
    it("sign out everywhere means everywhere; tokens live on", async () => {
      const callers = await Promise.all([1, 2, 3].map((count) => freshSession(cast.world, cast.guest.id, `guest ${count}`)));
      const token = await tokenOf(cast.world, callers[0] as Caller);
      const reply = await cast.world.call(callers[1] as Caller, session.endAllSessions);
      expect(String(reply.headers["set-cookie"])).toMatch(/^talkback=; Max-Age=0; Path=\//);
      for (const caller of callers) expect(await who(caller)).toBe(401);
      expect(await who(token)).toBe(200);
    });
    it("a new password ends every other session", async () => {
      const [here, there] = [await freshSession(cast.world, cast.foreignMember.id, "here"), await freshSession(cast.world, cast.foreignMember.id, "there")];
      const next = "a wholly new password";
      expect((await cast.world.call(here, accounts.changePassword, { body: { current_password: PASSWORD, new_password: next } })).status).toBe(204);
      expect([await who(here), await who(there)]).toEqual([200, 401]);
      expect((await enter(cast.foreignMember.email)).status).toBe(401);
      expect((await enter(cast.foreignMember.email, next)).status).toBe(200);
    });
    it("a stolen session cannot guess the password for long", async () => {
      const caller = await freshSession(cast.world, cast.foreignGuest.id, "stolen");
      const guess = () => cast.world.call(caller, accounts.changePassword, { body: { current_password: WRONG, new_password: PASSWORD } });
      for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(403);
      expect((await guess()).status).toBe(429);
    });
    it("an expired token ends by the clock", async () => {
      const owner = await freshSession(cast.world, cast.owner.id, "owner");
      const token = await tokenOf(cast.world, owner, ["account:read"], new Date(cast.world.clock.now() + DAY).toISOString());
      expect(await who(token)).toBe(200);
      cast.world.clock.pass(DAY);
      expect(await who(token)).toBe(401);
    });
  });

  it("a reset link ends after a day, and with a change of role", async () => {
    const { world } = cast;
    const owner = await freshSession(world, cast.owner.id, "owner");
    const params = { account_id: cast.admin.id };
    const link = async () => tokenIn((await world.call(owner, accounts.createPasswordReset, { params })).answer.data.url);
    const use = (token: string) => world.call(NOBODY, session.resetPassword, { body: { token, password: PASSWORD } });
    const old = await link();
    world.clock.pass(DAY);
    expect((await use(old)).status).toBe(404);
    const made = await link();
    await world.call(owner, accounts.updateMember, { params, body: { role: "owner" } });
    expect((await use(made)).status).toBe(404);
    expect((await use(await link())).answer.data.role).toBe("owner");
  });
  it("one reset link used twenty times at once works once", async () => {
    const { world } = cast;
    const owner = await freshSession(world, cast.owner.id, "owner");
    const token = tokenIn((await world.call(owner, accounts.createPasswordReset, { params: { account_id: cast.member.id } })).answer.data.url);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        world.call(NOBODY, session.resetPassword, { body: { token, password: PASSWORD } }, { address: `203.0.113.${index}` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  });
});
