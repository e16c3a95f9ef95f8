/**
 * Proves that nothing which the service answers to an API token gives its holder a session, a scope or a role that the token does not have: calls
 * every operation that accepts a token with the strongest account, and looks at the stored credentials and at every secret in the response.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PARTICIPANT_SCOPES, SCOPES, type Operation, type Scope } from "../../contract/define-operation.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import * as accounts from "../../contract/operations/accounts.ts";
import * as projects from "../../contract/operations/projects.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { canSeeEverything } from "../../contract/policy.ts";
import { ROLES, type Role } from "../../contract/records.ts";
import { ANONYMOUS, type Reply, type UntypedInput } from "../testing/client.ts";
import { ENDPOINT_CASES } from "../testing/endpoint-cases/cases.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createApiToken, createSession, joinTeam, PASSWORD } from "../testing/people.ts";
import { bearerCaller, SAME_ORIGIN_HEADERS } from "../testing/test-app.ts";

const OPERATIONS = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { scope }]) => scope !== null && scope !== "session");

/** The scopes that a session of this role amounts to. */
const scopesOfSession = (role: Role): readonly Scope[] => (canSeeEverything(role) ? SCOPES : PARTICIPANT_SCOPES);
const isWithin = (needed: readonly Scope[], scopes: readonly Scope[]): boolean => needed.every((scope) => scopes.includes(scope));

interface Credential {
  /** What the credential is good for. */
  scopes: readonly Scope[];
  /** Only access for people who are not managers, and what gives nothing, may come from a token at all. */
  kind: "session" | "token" | "access" | "none";
}

/** Every stored credential, and everything that a person who knows the password of an account can do with it. */
async function readCredentials({ testApp: { database }, home, next, apart, foreign }: Fixtures): Promise<Map<string, Credential>> {
  const db = database.read;
  const [sessions, tokens, resets, invites, people, tickets, memberships] = [
    await db.selectFrom("sessions").innerJoin("accounts", "accounts.id", "account_id").select(["sessions.id", "role"]).execute(),
    await db.selectFrom("api_tokens").select(["id", "scopes"]).where("revoked_at", "is", null).execute(),
    await db
      .selectFrom("password_resets")
      .innerJoin("accounts", "accounts.id", "account_id")
      .select(["password_resets.id", "role"])
      .where("used_at", "is", null)
      .where("revoked_at", "is", null)
      .execute(),
    await db.selectFrom("invites").select(["id", "role"]).where("used_at", "is", null).where("revoked_at", "is", null).execute(),
    await db.selectFrom("accounts").select(["id", "role", "password_hash", "disabled_at"]).execute(),
    await db.selectFrom("live_tickets").select(["token_hash", "token_id"]).execute(),
    await db.selectFrom("project_members").select(["project_id", "account_id"]).execute(),
  ];
  const credentials = new Map<string, Credential>();
  for (const { id, role } of sessions) credentials.set(`session ${id}`, { scopes: scopesOfSession(role), kind: "session" });
  for (const { id, scopes } of tokens) credentials.set(`token ${id}`, { scopes: JSON.parse(scopes) as Scope[], kind: "token" });
  for (const { id, role } of resets) credentials.set(`reset link ${id}`, { scopes: scopesOfSession(role), kind: "session" });
  for (const { id, role } of invites) credentials.set(`invite ${id} as ${role}`, { scopes: scopesOfSession(role), kind: "access" });
  for (const { id, role, password_hash, disabled_at } of people) {
    credentials.set(`password ${id} ${password_hash}`, { scopes: scopesOfSession(role), kind: "session" });
    if (disabled_at !== null) continue;
    for (const power of ROLES.slice(ROLES.indexOf(role)))
      credentials.set(`the power of role ${power} for ${id}`, { scopes: scopesOfSession(power), kind: canSeeEverything(power) ? "session" : "access" });
    for (const { project } of [home, next, apart, foreign])
      if (canSeeEverything(role) || memberships.some(({ account_id, project_id }) => account_id === id && project_id === project))
        credentials.set(`project ${project} for ${id}`, { scopes: PARTICIPANT_SCOPES, kind: "access" });
  }
  for (const { token_hash, token_id } of tickets)
    credentials.set(`live ticket ${token_hash}`, { scopes: token_id === null ? SCOPES : [], kind: token_id === null ? "session" : "none" });
  return credentials;
}

/** Everything in a response that looks like a secret of the service. */
const findSecrets = ({ text, headers }: Reply<unknown>): string[] => [
  ...new Set(`${text} ${JSON.stringify(headers)}`.match(/tb_pat_[0-9a-f]{8}_[\w-]{43}|(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []),
];

let addressCount = 0;
/** Tries a secret as every credential that there is, and returns the scopes of the sessions and tokens that it opens. */
async function redeem({ testApp }: Fixtures, secret: string): Promise<(readonly Scope[])[]> {
  const address = `2001:db8:${(addressCount += 1).toString(16)}::1`;
  const send = async (work: Promise<Reply<{ data: { role: Role; scopes: string[]; authorized_by: string } }>>) => {
    const reply = await work;
    if (reply.status !== 200) return [];
    const { data } = reply.response;
    return [data.authorized_by === "session" ? scopesOfSession(data.role) : (data.scopes as Scope[])];
  };
  const call = (operation: typeof session.resetPassword | typeof teams.acceptInvite, body: object) =>
    send(testApp.callUntyped(ANONYMOUS, operation, { body }, { address }) as never);
  const person = { username: `finder ${addressCount}`, email: `finder-${addressCount}@talkback.test`, password: PASSWORD };
  return [
    ...(await send(testApp.call(bearerCaller("finder", secret), session.getSession))),
    ...(await send(testApp.call({ name: "finder", headers: { cookie: `talkback=${secret}`, ...SAME_ORIGIN_HEADERS } }, session.getSession))),
    ...(await call(session.resetPassword, { token: secret, password: PASSWORD })),
    ...(await call(teams.acceptInvite, { token: secret, ...person })),
  ];
}

/** Texts that are stored, each with the scopes under which it can be read. Short ones could be part of others by chance. */
async function readTexts({ testApp: { database } }: Fixtures): Promise<Map<string, Set<Scope>>> {
  const db = database.read;
  const texts = new Map<string, Set<Scope>>();
  const add = (scope: Scope, found: string[]) => {
    for (const text of found) if (text.length >= 6) texts.set(text, (texts.get(text) ?? new Set()).add(scope));
  };
  add(
    "chat:read",
    (await db.selectFrom("messages").select("body").execute()).map(({ body }) => body),
  );
  add(
    "files:read",
    (await db.selectFrom("comments").select("body").execute()).map(({ body }) => body),
  );
  add(
    "files:read",
    (await db.selectFrom("files").select("name").execute()).map(({ name }) => name),
  );
  add(
    "files:read",
    (await db.selectFrom("tasks").select("title").execute()).map(({ title }) => title),
  );
  return texts;
}

/** Accounts that a token may want to make stronger. */
interface Targets {
  disabledAdmin: number;
  disabledMember: number;
}

/** The operation's valid request, and the same for every kind of account, with every role and every state of it. */
async function buildRequests(fixtures: Fixtures, targets: Targets, name: OperationName, operation: Operation): Promise<UntypedInput[]> {
  const members = Object.keys((operation.body as { _zod?: { def: { shape?: object } } } | undefined)?._zod?.def.shape ?? {});
  const paths = Object.keys((operation.params as { _zod?: { def: { shape?: object } } } | undefined)?._zod?.def.shape ?? {});
  const { owner, admin, member, guest, neighbor, guestNextDoor, home } = fixtures;
  const accountIds = [...[owner, admin, member, guest, neighbor, guestNextDoor].map(({ id }) => id), targets.disabledAdmin, targets.disabledMember];
  type Variant = (request: UntypedInput) => UntypedInput;
  const inBody =
    (extra: object): Variant =>
    (request) => ({ ...request, body: { ...(request.body as object | undefined), ...extra } });
  const unchanged: Variant = (request) => request;
  const changes = [unchanged];
  if (members.includes("role")) changes.push(...ROLES.map((role) => inBody({ role, project_ids: [home.project], disabled: undefined })));
  if (members.includes("disabled")) changes.push(inBody({ role: undefined, disabled: false }));
  // Only a session changes what somebody signs in with.
  if (members.includes("username")) changes.push(inBody({ username: undefined, email: undefined }));
  const subjects: Variant[] = [];
  if (members.includes("account_id")) subjects.push(...accountIds.map((account_id) => inBody({ account_id })));
  if (paths.includes("account_id"))
    subjects.push(...accountIds.map((account_id) => (request: UntypedInput) => ({ ...request, params: { ...request.params, account_id } })));
  const requests: UntypedInput[] = [];
  for (const change of changes) {
    const request = change(await ENDPOINT_CASES[name].valid(fixtures));
    requests.push(request, ...subjects.map((subject) => subject(request)));
  }
  return requests;
}

describe.each(ENGINES)("an API token on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let targets: Targets;
  const updateAccount = (id: number, changes: { role?: Role; disabled_at: number | null }) =>
    fixtures.testApp.database.write((tx) => tx.updateTable("accounts").set(changes).where("id", "=", id).execute());
  async function resetAccounts(): Promise<void> {
    const { testApp, owner, admin, member, guest, neighbor, guestNextDoor, home, next } = fixtures;
    for (const [role, people] of Object.entries({ owner: [owner], admin: [admin], member: [member, neighbor], guest: [guest, guestNextDoor] }))
      for (const { id } of people) await updateAccount(id, { role: role as Role, disabled_at: null });
    await updateAccount(targets.disabledAdmin, { role: "admin", disabled_at: 1 });
    await updateAccount(targets.disabledMember, { role: "member", disabled_at: 1 });
    const memberships = [
      ...[owner, member, guest].map(({ id }) => ({ account_id: id, project_id: home.project })),
      ...[owner, neighbor, guestNextDoor].map(({ id }) => ({ account_id: id, project_id: next.project })),
    ];
    await testApp.database.write(async (tx) => {
      await tx.deleteFrom("project_members").where("project_id", "in", [home.project, next.project]).execute();
      await tx
        .insertInto("project_members")
        .values(memberships.map((membership) => ({ ...membership, added_at: testApp.clock.now() })))
        .execute();
    });
  }
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, home } = fixtures;
    const [admin, member] = [
      await joinTeam(testApp, owner, "dismissed admin", { team: home.team, role: "admin" }),
      await joinTeam(testApp, owner, "dismissed member", { team: home.team, role: "member", projects: [home.project] }),
    ];
    targets = { disabledAdmin: admin.id, disabledMember: member.id };
    await resetAccounts();
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  afterEach(resetAccounts);

  it.each(OPERATIONS)("gets nothing stronger than itself from %s", async (name, operation) => {
    const { testApp } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    // Somebody who may use the operation, where the owner may not, as for editing a message.
    const author = (await ENDPOINT_CASES[name].caller?.(fixtures)) ?? owner;
    let answered = 0;
    for (const [person, scopes] of [
      [owner, [operation.scope as Scope, ...(operation.furtherScopes ?? [])]],
      [owner, SCOPES],
      [author, SCOPES],
    ] as const) {
      const token = await createApiToken(testApp, person, scopes);
      for (const request of await buildRequests(fixtures, targets, name, operation)) {
        const before = await readCredentials(fixtures);
        const reply = await testApp.callUntyped(token, operation, request);
        if (reply.status < 300) answered += 1;
        const label = `${scopes.join()} ${JSON.stringify(request.params ?? {})} ${JSON.stringify(request.body ?? {})}`;
        for (const [credential, { scopes: gained, kind }] of await readCredentials(fixtures)) {
          if (before.has(credential)) continue;
          expect(isWithin(gained, scopes), `${label} created ${credential}`).toBe(true);
          expect(["access", "none"], `${label} created ${credential}`).toContain(kind);
        }
        for (const secret of findSecrets(reply))
          for (const gained of await redeem(fixtures, secret))
            expect(isWithin(gained, scopes), `${label} returned a secret that opens ${gained.join()}`).toBe(true);
      }
    }
    expect(answered, "requests that succeeded").toBeGreaterThan(0);
  });

  /** A token cannot change the names with which the account signs in, as the endpoint case does. */
  const NEEDS_SESSION: OperationName = "updateAccount";
  const WRITES = OPERATIONS.filter(([name, { scope, response }]) => response && name !== NEEDS_SESSION && /^(account|chat|files):write$/.test(scope ?? ""));
  it.each(WRITES)("is shown nothing that its scopes may not read by %s", async (name, operation) => {
    const { testApp, home } = fixtures;
    const caller = (await ENDPOINT_CASES[name].caller?.(fixtures)) ?? (await createSession(testApp, fixtures.owner.id, "owner"));
    const needed = [operation.scope as Scope, ...(operation.furtherScopes ?? [])];
    const members = Object.keys((operation.body as { _zod?: { def: { shape?: object } } } | undefined)?._zod?.def.shape ?? {});
    const further: object[] = [{}];
    if (members.includes("parent_message_id")) further.push({ parent_message_id: home.message });
    if (members.includes("attachment_ids")) further.push({ attachment_ids: [home.file] });
    const statuses: number[] = [];
    for (const scopes of [[operation.scope as Scope], needed, SCOPES])
      for (const extra of further) {
        const valid = await ENDPOINT_CASES[name].valid(fixtures);
        const request = operation.body ? { ...valid, body: { ...(valid.body as object | undefined), ...extra } } : valid;
        const { status, text } = await testApp.callUntyped(await createApiToken(testApp, caller, scopes), operation, request);
        statuses.push(status);
        if (status >= 300) continue;
        const ownText = JSON.stringify(request);
        const shown = [...(await readTexts(fixtures))].filter(([stored]) => text.includes(JSON.stringify(stored).slice(1, -1)) && !ownText.includes(stored));
        const leaked = shown.filter(([, readableWith]) => !scopes.some((scope) => readableWith.has(scope))).map(([stored]) => stored);
        expect(leaked, `${scopes.join()} ${JSON.stringify(extra)}`).toEqual([]);
      }
    expect(statuses.at(-1)).toBeLessThan(300);
  });

  it("still invites, promotes and adds people with the scopes that everybody gets who joins", async () => {
    const { testApp, home } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const invite = async (scopes: readonly Scope[], role: Role) =>
      testApp.call(await createApiToken(testApp, owner, scopes), teams.inviteMember, { body: { team_id: home.team, role, project_ids: [home.project] } });
    expect((await invite(["admin", ...PARTICIPANT_SCOPES], "member")).status).toBe(200);
    expect((await invite(["admin", ...PARTICIPANT_SCOPES], "guest")).status).toBe(200);
    expect((await invite(SCOPES, "admin")).problem.detail).toBe("An API token cannot make somebody an owner or admin. Sign in with a browser.");
    expect((await invite(["admin", "chat:read"], "member")).problem.detail).toBe("This token lacks the scope account:read, which everybody who joins gets.");
    const join = async (scopes: readonly Scope[]) => {
      const token = await createApiToken(testApp, owner, scopes);
      const [params, account_id] = [{ account_id: fixtures.guestNextDoor.id }, fixtures.guestNextDoor.id];
      return [
        await testApp.call(token, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id } }),
        await testApp.call(token, accounts.updateMember, { params, body: { role: "member" } }),
        await testApp.call(token, accounts.updateMember, { params: { account_id: targets.disabledMember }, body: { disabled: false } }),
        await testApp.call(token, accounts.updateMember, { params, body: { role: "guest", disabled: true } }),
      ].map(({ status }) => status);
    };
    expect(await join(["admin"])).toEqual([403, 403, 403, 200]);
    await resetAccounts();
    expect(await join(["admin", ...PARTICIPANT_SCOPES])).toEqual([200, 200, 200, 200]);
  });
});
