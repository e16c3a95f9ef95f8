import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AuditEntry } from "../../../contract/audit.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import * as session from "../../../contract/operations/session.ts";
import { prune, RETENTION } from "../../events/retention.ts";
import { DAY } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller, type OperationInput } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken, PASSWORD, signIn } from "../../testing/people.ts";
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from "./authentication.ts";

describe.each(ENGINES)("audit log on %s", (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)));
  afterAll(() => fixtures.testApp.close());

  const list = async (query: OperationInput<typeof listAuditEntries>["query"] = {}) =>
    (await fixtures.testApp.call(fixtures.owner, listAuditEntries, { query })).response;
  /** Returns the entries that the work adds, oldest first. */
  async function recordEntries(work: () => Promise<unknown>): Promise<AuditEntry[]> {
    const [newest] = (await list({ limit: "1" })).data;
    await work();
    return (await list({ limit: "200" })).data.filter(({ id }) => id > (newest?.id ?? 0)).toReversed();
  }

  test("names who signed in and out, how, and from which address", async () => {
    const { testApp, member } = fixtures;
    const [started, ended] = await recordEntries(async () => {
      const body = { login: member.email, password: PASSWORD };
      const reply = await testApp.call(ANONYMOUS, session.signIn, { body }, { address: "2001:db8::7", headers: { "user-agent": "Firefox" } });
      const [cookie = ""] = [reply.headers["set-cookie"]].flat() as string[];
      await testApp.call({ name: "member", headers: { ...member.headers, cookie: cookie.split(";")[0]! } }, session.signOut, {}, { address: "2001:db8::8" });
    });
    const account = { id: member.id, username: "member" };
    expect(started).toMatchObject({ action: "session.started", group: "sign_in", text: "Signed in", account, address: "2001:db8::7" });
    expect(started?.detail).toEqual({ method: "password", user_agent: "Firefox" });
    expect(ended).toMatchObject({ action: "session.ended", account, address: "2001:db8::8", detail: { current: true } });
  });

  test("records a deleted and a restored message or comment of another person, and none of one's own", async () => {
    const { testApp, admin, member, home } = fixtures;
    const entries = await recordEntries(async () => {
      for (const author of [member, admin]) {
        const message = { project_id: home.project, message_id: await createMessage(testApp, author, home.project, "The text of a message") };
        await testApp.call(admin, messages.deleteMessage, { params: message });
        await testApp.call(admin, messages.deleteMessage, { params: message });
        await testApp.call(admin, messages.restoreMessage, { params: message });
        const body = { body: "The text of a comment", client_id: `audit-${author.name}-1` };
        const comment = (await testApp.call(author, comments.writeComment, { params: { file_id: home.file }, body })).response.data.id;
        await testApp.call(admin, comments.deleteComment, { params: { comment_id: comment } });
        await testApp.call(admin, comments.restoreComment, { params: { comment_id: comment } });
      }
    });
    expect(entries.map(({ action }) => action)).toEqual(["message.deleted", "message.restored", "comment.deleted", "comment.restored"]);
    for (const entry of entries) expect(entry).toMatchObject({ account: { username: "admin" }, about: { id: member.id, username: "member" }, detail: {} });
    expect(entries[0]?.target).toMatchObject({ type: "message", name: "home", project_id: home.project, file_id: null });
    expect(entries[2]?.target).toMatchObject({ type: "comment", project_id: home.project, file_id: home.file });
  });

  test("records old and new names, addresses and roles", async () => {
    const { testApp, owner, neighbor } = fixtures;
    const entries = await recordEntries(async () => {
      await testApp.call(neighbor, accounts.updateAccount, { body: { username: "Neighbour", email: "neighbour@talkback.test" } });
      await testApp.call(neighbor, accounts.updateAccount, { body: { username: "Neighbour", email: "neighbour@talkback.test", user_info: "x" } });
      const params = { account_id: neighbor.id };
      await testApp.call(owner, accounts.updateMember, { params, body: { role: "admin" } });
      await testApp.call(owner, accounts.updateMember, { params, body: { role: "member", disabled: true } });
      await testApp.call(owner, accounts.updateMember, { params, body: { disabled: true } });
      await testApp.call(owner, accounts.updateMember, { params, body: { disabled: false } });
    });
    expect(entries.map(({ action, detail: { from, to } }) => [action, { from, to }])).toEqual([
      ["account.renamed", { from: "neighbor", to: "Neighbour" }],
      ["account.email_changed", { from: "neighbor@talkback.test", to: "neighbour@talkback.test" }],
      ["account.role_changed", { from: "member", to: "admin" }],
      ["account.role_changed", { from: "admin", to: "member" }],
      ["account.disabled", {}],
      ["account.enabled", {}],
    ]);
    expect(entries[2]).toMatchObject({ account: { username: "owner" }, target: { type: "account", id: neighbor.id, name: "Neighbour" } });
  });

  test("names the API token that acted", async () => {
    const { testApp, member, home } = fixtures;
    const token = await createApiToken(testApp, member);
    const input = { params: { file_id: home.file }, body: { version: 1 } };
    const entries = await recordEntries(() => testApp.call(token, files.createSignedUrl, input));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ action: "file.url_signed", api_token: { id: token.id, name: "test" }, target: { file_id: home.file } });
  });

  test("has one entry a day for all URLs that an account or token signs of a file, and signing again writes nothing", async () => {
    const { testApp, guest, home } = fixtures;
    const token = await createApiToken(testApp, guest);
    testApp.clock.advance(DAY - (testApp.clock.now() % DAY));
    const sign = (caller: Caller, expires_in: number, variant: "original" | "compressed" = "original") =>
      testApp.call(caller, files.createSignedUrl, { params: { file_id: home.file }, body: { expires_in, variant } });
    let latest = "";
    const entries = await recordEntries(async () => {
      for (let hours = 1; hours <= 30; hours += 1) latest = (await sign(guest, hours * 3_600)).response.data.expires_at;
      await sign(token, 60);
      const write = vi.spyOn(testApp.database, "write");
      for (let hours = 1; hours <= 30; hours += 1) await sign(guest, hours * 3_600, "compressed");
      await sign(token, 60);
      expect(write).not.toHaveBeenCalled();
      write.mockRestore();
    });
    expect(entries.map(({ action, api_token, detail }) => [action, api_token?.id, detail["expires_at"]])).toEqual([
      ["file.url_signed", undefined, latest],
      ["file.url_signed", token.id, expect.any(String)],
    ]);
    testApp.clock.advance(DAY);
    expect(await recordEntries(() => sign(guest, 60))).toHaveLength(1);
  });

  test("pages through all entries once, newest first, and never shows those of another organization", async () => {
    const ids: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ limit: "7", ...(cursor ? { cursor } : {}) });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    const { read } = fixtures.testApp.database;
    const organisation = await read.selectFrom("accounts").select("organisation_id").where("id", "=", fixtures.owner.id).executeTakeFirstOrThrow();
    const rows = await read.selectFrom("audit").select("id").where("organisation_id", "=", organisation.organisation_id).orderBy("id", "desc").execute();
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test("filters by person, group and time", async () => {
    const { testApp, admin, member } = fixtures;
    const start = testApp.clock.now();
    testApp.clock.advance(1_000);
    await signIn(testApp, member.email);
    await signIn(testApp, admin.email);
    await createApiToken(testApp, member);
    testApp.clock.advance(1_000);
    const range = { from: new Date(start + 1_000).toISOString(), to: new Date(start + 2_000).toISOString() };
    const actions = async (query: object) => (await list({ ...range, ...query })).data.map(({ action, account }) => `${account?.username} ${action}`);
    expect(await actions({})).toEqual(["member token.created", "admin session.started", "member session.started"]);
    expect(await actions({ account_id: String(member.id) })).toEqual(["member token.created", "member session.started"]);
    expect(await actions({ group: "credentials" })).toEqual(["member token.created"]);
    expect(await actions({ from: range.to })).toEqual([]);
    expect(await actions({ from: new Date(0).toISOString(), to: range.from, account_id: "999999" })).toEqual([]);
    // A person's entries include what others did to the account.
    await testApp.call(admin, accounts.updateMember, { params: { account_id: member.id }, body: { role: "guest" } });
    expect((await list({ account_id: String(member.id) })).data[0]).toMatchObject({ action: "account.role_changed", account: { username: "admin" } });
  });

  test("shows an action of a newer version by its name", async () => {
    const { testApp, owner } = fixtures;
    const row = await testApp.database.read.selectFrom("audit").selectAll().where("account_id", "=", owner.id).orderBy("id").executeTakeFirstOrThrow();
    const { id } = await testApp.database.write((tx) =>
      tx
        .insertInto("audit")
        .values({ ...row, id: undefined, action: "moon.visited", target: "moon:5" })
        .returning("id")
        .executeTakeFirstOrThrow(),
    );
    expect((await list({ limit: "1" })).data[0]).toMatchObject({ id, group: null, text: "moon.visited", target: { type: "moon", id: 5, name: null } });
  });

  test("keeps entries for 400 days", async () => {
    const { testApp } = fixtures;
    const { database, clock } = testApp;
    clock.advance(1);
    const start = clock.now();
    await signIn(testApp, fixtures.owner.email);
    const count = async () => (await database.read.selectFrom("audit").select("id").where("created_at", ">=", start).execute()).length;
    const periods = { ...RETENTION, sessionIdleMs: SESSION_IDLE_MS, sessionMs: SESSION_MAX_AGE_MS };
    expect(await count()).toBe(1);
    clock.advance(399 * DAY);
    await prune({ database, clock }, periods);
    expect(await count()).toBe(1);
    clock.advance(2 * DAY);
    await prune({ database, clock }, periods);
    expect(await count()).toBe(0);
  });
});
