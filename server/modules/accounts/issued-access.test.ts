/** Tests what ends the access that an account has handed out: a table of everything that can happen to the account, and what becomes of each part. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as files from "../../../contract/operations/files.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { topicOf } from "../../events/log.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { connectApp, createVerifier, exchangeCode, refreshTokens, registerApp, requestCode } from "../../testing/oauth.ts";
import { createApiToken, createInvite, createSession, joinTeam, PASSWORD, tokenFromUrl, type Person } from "../../testing/people.ts";
import { findDeliveries, registerEndpoint } from "../../testing/webhooks.ts";
import { issuePasswordReset } from "./members.ts";

/** An admin, with everything that an account can hand out. */
interface Issued {
  admin: Person;
  /** The browser in which the links were created, and another one. */
  browser: Caller & { id: number };
  otherBrowser: Caller & { id: number };
  token: Caller & { id: number };
  /** Returns whether each part still works. */
  parts: Record<PartName, () => Promise<boolean>>;
}

const PARTS = [
  "browser",
  "otherBrowser",
  "token",
  "app",
  "appOfToken",
  "codeOfApp",
  "inviteOfBrowser",
  "inviteOfToken",
  "resetOfMember",
  "resetOfAdmin",
  "urlOfBrowser",
  "urlOfToken",
  "endpointOfToken",
  "endpointOfBrowser",
] as const;
type PartName = (typeof PARTS)[number];
/** What stays when somebody keeps their tokens. */
const OF_TOKENS: readonly PartName[] = ["token", "app", "appOfToken", "codeOfApp", "inviteOfToken", "endpointOfToken"];
/** An endpoint that was set up in a browser belongs to the organization. */
const ALL: readonly PartName[] = PARTS.filter((part) => part !== "endpointOfBrowser");

type Happening = (fixtures: Fixtures, issued: Issued) => Promise<unknown>;

const updateMember = (fixtures: Fixtures, { admin }: Issued, body: object) =>
  fixtures.testApp.call(fixtures.owner, accounts.updateMember, { params: { account_id: admin.id }, body });

/** Uses a reset link of this creator without asking for the end of the tokens. */
async function resetPassword({ testApp }: Fixtures, { admin }: Issued, createdBy: number | null): Promise<void> {
  const creator = createdBy === null ? null : { accountId: createdBy, sessionId: null };
  const { url } = await testApp.database.write((tx) => issuePasswordReset(tx, testApp.clock.now(), "", admin.id, creator));
  await testApp.call(ANONYMOUS, session.resetPassword, { body: { token: tokenFromUrl(url), password: PASSWORD, end_tokens: false } });
}

/** What happens to the account, and the parts that end with it. */
const TABLE: [title: string, happen: Happening, ended: readonly PartName[]][] = [
  ["nothing", async () => {}, []],
  ["signing out in the browser that created the links", ({ testApp }, { browser }) => testApp.call(browser, session.signOut), ["browser", "urlOfBrowser"]],
  ["signing out in another browser", ({ testApp }, { otherBrowser }) => testApp.call(otherBrowser, session.signOut), ["otherBrowser"]],
  [
    "ending the browser from another one",
    ({ testApp }, { browser, otherBrowser }) => testApp.call(otherBrowser, session.endSession, { params: { session_id: browser.id } }),
    ["browser", "inviteOfBrowser", "resetOfMember", "resetOfAdmin", "urlOfBrowser"],
  ],
  [
    "signing out everywhere in the browser that created the links",
    ({ testApp }, { browser }) => testApp.call(browser, session.endAllSessions),
    ["browser", "otherBrowser", "urlOfBrowser"],
  ],
  [
    "signing out everywhere in another browser",
    ({ testApp }, { otherBrowser }) => testApp.call(otherBrowser, session.endAllSessions),
    ["browser", "otherBrowser", "inviteOfBrowser", "resetOfMember", "resetOfAdmin", "urlOfBrowser"],
  ],
  [
    "revoking the token",
    ({ testApp }, { browser, token }) => testApp.call(browser, accounts.revokeToken, { params: { token_id: token.id } }),
    ["token", "appOfToken", "inviteOfToken", "urlOfToken", "endpointOfToken"],
  ],
  [
    "changing the password in another browser",
    ({ testApp }, { otherBrowser }) => testApp.call(otherBrowser, accounts.changePassword, { body: { current_password: PASSWORD, new_password: PASSWORD } }),
    ["browser", "inviteOfBrowser", "resetOfMember", "resetOfAdmin", "urlOfBrowser"],
  ],
  [
    "changing the password in another browser, with the tokens",
    ({ testApp }, { otherBrowser }) =>
      testApp.call(otherBrowser, accounts.changePassword, { body: { current_password: PASSWORD, new_password: PASSWORD, end_tokens: true } }),
    ALL.filter((part) => part !== "otherBrowser"),
  ],
  [
    "changing the password after the browser has signed out",
    async ({ testApp }, { browser, otherBrowser }) => {
      await testApp.call(browser, session.signOut);
      await testApp.call(otherBrowser, accounts.changePassword, { body: { current_password: PASSWORD, new_password: PASSWORD } });
    },
    ["browser", "inviteOfBrowser", "resetOfMember", "resetOfAdmin", "urlOfBrowser"],
  ],
  [
    "a password reset by an owner",
    async ({ testApp, owner }, { admin }) => {
      const { url } = (await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: admin.id } })).response.data;
      await testApp.call(ANONYMOUS, session.resetPassword, { body: { token: tokenFromUrl(url), password: PASSWORD } });
    },
    ALL,
  ],
  ["a password reset by an owner that should keep the tokens", (fixtures, issued) => resetPassword(fixtures, issued, fixtures.owner.id), ALL],
  [
    "a password reset from the command line that should keep the tokens",
    (fixtures, issued) => resetPassword(fixtures, issued, null),
    ALL.filter((part) => !OF_TOKENS.includes(part)),
  ],
  [
    "a password reset with the account's own link that should keep the tokens",
    (fixtures, issued) => resetPassword(fixtures, issued, issued.admin.id),
    ALL.filter((part) => !OF_TOKENS.includes(part)),
  ],
  ["disabling the account", (fixtures, issued) => updateMember(fixtures, issued, { disabled: true }), ALL],
  [
    "disabling the account and enabling it again",
    async (fixtures, issued) => {
      await updateMember(fixtures, issued, { disabled: true });
      await updateMember(fixtures, issued, { disabled: false });
    },
    ALL,
  ],
  ["a promotion", (fixtures, issued) => updateMember(fixtures, issued, { role: "owner" }), []],
  [
    "a demotion",
    (fixtures, issued) => updateMember(fixtures, issued, { role: "guest" }),
    ["inviteOfBrowser", "inviteOfToken", "resetOfMember", "resetOfAdmin", "endpointOfToken"],
  ],
  [
    "a demotion that is taken back",
    async (fixtures, issued) => {
      await updateMember(fixtures, issued, { role: "member" });
      await updateMember(fixtures, issued, { role: "admin" });
    },
    ["inviteOfBrowser", "inviteOfToken", "resetOfMember", "resetOfAdmin", "endpointOfToken"],
  ],
  [
    "removal from the project",
    ({ testApp, owner, home }, { admin }) => testApp.call(owner, projects.removeProjectMember, { params: { project_id: home.project, account_id: admin.id } }),
    [],
  ],
];

describe.each(ENGINES)("access that an account has handed out, on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let count = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const join = (role: "admin" | "member") =>
    joinTeam(fixtures.testApp, fixtures.owner, `issuer ${(count += 1)}`, { team: fixtures.home.team, role, projects: [fixtures.home.project] });
  const resetFor = async (caller: Caller, { id }: Person) =>
    tokenFromUrl((await fixtures.testApp.call(caller, accounts.createPasswordReset, { params: { account_id: id } })).response.data.url);

  async function issue(): Promise<Issued> {
    const { testApp, home } = fixtures;
    const [admin, member, otherAdmin] = [await join("admin"), await join("member"), await join("admin")];
    const [browser, otherBrowser] = [await createSession(testApp, admin.id, "browser"), await createSession(testApp, admin.id, "other browser")];
    const token = await createApiToken(testApp, browser, SCOPES);
    const invite = { team: home.team, role: "member" as const, projects: [home.project] };
    const links = {
      inviteOfBrowser: await createInvite(testApp, browser, invite),
      inviteOfToken: await createInvite(testApp, token, invite),
      resetOfMember: await resetFor(browser, member),
      resetOfAdmin: await resetFor(browser, otherAdmin),
    };
    const sign = async (caller: Caller) =>
      new URL((await testApp.call(caller, files.createSignedUrl, { params: { file_id: home.file }, body: { expires_in: 604_800 } })).response.data.url)
        .pathname;
    const urls = { urlOfBrowser: await sign(browser), urlOfToken: await sign(token) };
    const endpoints = {
      ofToken: await registerEndpoint(testApp, token, { event_types: ["file.renamed"] }),
      ofBrowser: await registerEndpoint(testApp, browser, { event_types: ["file.renamed"] }),
    };
    /** Returns whether an event that happens now is sent; `disabled_reason` says why not. */
    const isDelivering = (endpoint_id: number) => async () => {
      await testApp.call(fixtures.owner, files.renameFile, { body: { file_id: home.file, name: `mix ${(count += 1)}.wav` } });
      const [delivery] = (await findDeliveries(testApp, endpoint_id)).slice(-1);
      const { data } = (await testApp.call(fixtures.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id } })).response;
      expect(data.disabled_reason).toBe(delivery?.state === "pending" ? null : "token_ended");
      return delivery?.state === "pending";
    };
    const app = await connectApp(testApp, browser);
    const [client, verifier] = [await registerApp(testApp), createVerifier()];
    const code = await requestCode(testApp, browser, client, verifier);
    const isOpen = (url: string) => async () => (await testApp.send(ANONYMOUS, { method: "GET", url })).status === 200;
    const isSignedIn = (caller: Caller) => async () => (await testApp.call(caller, session.getSession)).status === 200;
    const canJoin = (link: string) => async () => {
      const name = `joiner ${(count += 1)}`;
      const body = { token: link, username: name, email: `${name.replace(" ", "-")}@joined.test`, password: PASSWORD };
      return (await testApp.call(ANONYMOUS, teams.acceptInvite, { body }, { address: `192.0.2.${count % 250}` })).status === 200;
    };
    const canReset = (link: string) => async () =>
      (await testApp.call(ANONYMOUS, session.resetPassword, { body: { token: link, password: PASSWORD } }, { address: `192.0.2.${(count += 1) % 250}` }))
        .status === 200;
    return {
      admin,
      browser,
      otherBrowser,
      token,
      parts: {
        browser: isSignedIn(browser),
        otherBrowser: isSignedIn(otherBrowser),
        token: isSignedIn(token),
        app: async () => (await isSignedIn(app)()) && (await refreshTokens(testApp, app.client, app.refreshToken)).status === 200,
        appOfToken: isSignedIn(await connectApp(testApp, token)),
        codeOfApp: async () => (await exchangeCode(testApp, client, code, verifier)).status === 200,
        inviteOfBrowser: canJoin(links.inviteOfBrowser),
        inviteOfToken: canJoin(links.inviteOfToken),
        resetOfMember: canReset(links.resetOfMember),
        resetOfAdmin: canReset(links.resetOfAdmin),
        urlOfBrowser: isOpen(urls.urlOfBrowser),
        urlOfToken: isOpen(urls.urlOfToken),
        endpointOfToken: isDelivering(endpoints.ofToken),
        endpointOfBrowser: isDelivering(endpoints.ofBrowser),
      },
    };
  }

  it.each(TABLE)("%s", async (_title, happen, ended) => {
    const issued = await issue();
    await happen(fixtures, issued);
    const states: Record<string, string> = {};
    for (const part of PARTS) states[part] = (await issued.parts[part]()) ? "works" : "ended";
    expect(states).toEqual(Object.fromEntries(PARTS.map((part) => [part, ended.includes(part) ? "ended" : "works"])));
  });

  it("a reset link by somebody who may not manage the account any more, stored after the change, does not work", async () => {
    const { testApp, owner } = fixtures;
    const issued = await issue();
    await updateMember(fixtures, issued, { role: "guest" });
    await testApp.database.write(async (tx) => {
      await tx.updateTable("password_resets").set({ revoked_at: null }).where("created_by", "=", issued.admin.id).execute();
      await tx.updateTable("invites").set({ revoked_at: null }).where("created_by", "=", issued.admin.id).execute();
    });
    for (const part of ["inviteOfBrowser", "inviteOfToken", "resetOfMember", "resetOfAdmin"] as const) expect(await issued.parts[part](), part).toBe(false);
    expect((await testApp.call(owner, accounts.listPasswordResets)).response.data.map((reset) => reset.created_by_account_id)).toContain(issued.admin.id);
  });

  it("writes one event, whether tokens end or not", async () => {
    const { testApp, owner } = fixtures;
    const person = await joinTeam(testApp, owner, "event reader", { team: fixtures.home.team, role: "member" });
    const events = testApp.database.read
      .selectFrom("events")
      .select("type")
      .where("topic", "=", topicOf.account(person.id))
      .where("type", "=", "sessions.changed");
    const change = (body: object) => testApp.call(person, accounts.changePassword, { body: { current_password: PASSWORD, new_password: PASSWORD, ...body } });
    await createApiToken(testApp, person);
    for (const body of [{ end_tokens: true }, { end_tokens: true }, {}]) {
      const before = (await events.execute()).length;
      expect((await change(body)).status).toBeLessThan(300);
      expect((await events.execute()).length - before, JSON.stringify(body)).toBe(1);
    }
  });

  it("what ended is in the audit log", async () => {
    const issued = await issue();
    await updateMember(fixtures, issued, { disabled: true });
    const entry = await fixtures.testApp.database.read
      .selectFrom("audit")
      .selectAll()
      .where("action", "=", "account.disabled")
      .where("target", "=", `account:${issued.admin.id}`)
      .executeTakeFirstOrThrow();
    const detail = JSON.parse(entry.detail) as Record<string, number[]>;
    // The token, two connected apps and one that has only a code.
    expect([detail["tokens"]?.length, detail["invites"]?.length, detail["password_resets"]?.length]).toEqual([4, 2, 2]);
    expect(detail["tokens"]).toContain(issued.token.id);
    expect(detail["webhook_endpoints"]).toHaveLength(1);
  });
});
