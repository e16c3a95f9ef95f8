/**
 * Proves that nothing which the service answers to an API token gives its holder a session, a scope or a role that the token does not have: calls
 * every operation that accepts a token with the strongest account, and looks at the stored credentials and at every secret in the response.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PARTICIPANT_SCOPES, SCOPES, type Operation, type Scope } from "../../contract/define-operation.ts";
import { operations, type OperationName } from "../../contract/operations/all.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { canSeeEverything } from "../../contract/policy.ts";
import { ROLES, type Role } from "../../contract/records.ts";
import { ANONYMOUS, type Reply, type UntypedInput } from "../testing/client.ts";
import { ENDPOINT_CASES } from "../testing/endpoint-cases/cases.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, type Fixtures } from "../testing/fixtures.ts";
import { createApiToken, createSession, PASSWORD } from "../testing/people.ts";
import { bearerCaller, SAME_ORIGIN_HEADERS } from "../testing/test-app.ts";

const OPERATIONS = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { scope }]) => scope !== null && scope !== "session");

/** The scopes that a session of this role amounts to. */
const scopesOfSession = (role: Role): readonly Scope[] => (canSeeEverything(role) ? SCOPES : PARTICIPANT_SCOPES);
const isWithin = (needed: readonly Scope[], scopes: readonly Scope[]): boolean => needed.every((scope) => scopes.includes(scope));

interface Credential {
  /** What the credential is good for. */
  scopes: readonly Scope[];
  /** Only invites, and what gives nothing, may come from a token at all. */
  kind: "session" | "token" | "invite" | "none";
}

/** Every stored credential, and every account with what makes it strong. */
async function readCredentials({ testApp: { database } }: Fixtures): Promise<Map<string, Credential>> {
  const db = database.read;
  const [sessions, tokens, resets, invites, accounts, tickets] = [
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
    await db.selectFrom("accounts").select(["id", "role", "password_hash"]).where("disabled_at", "is", null).execute(),
    await db.selectFrom("live_tickets").select(["token_hash", "token_id"]).execute(),
  ];
  const credentials = new Map<string, Credential>();
  for (const { id, role } of sessions) credentials.set(`session ${id}`, { scopes: scopesOfSession(role), kind: "session" });
  for (const { id, scopes } of tokens) credentials.set(`token ${id}`, { scopes: JSON.parse(scopes) as Scope[], kind: "token" });
  for (const { id, role } of resets) credentials.set(`reset link ${id}`, { scopes: scopesOfSession(role), kind: "session" });
  for (const { id, role } of invites) credentials.set(`invite ${id} as ${role}`, { scopes: scopesOfSession(role), kind: "invite" });
  for (const { id, role, password_hash } of accounts) {
    credentials.set(`password ${id} ${password_hash}`, { scopes: scopesOfSession(role), kind: "session" });
    if (canSeeEverything(role)) credentials.set(`manager ${id}`, { scopes: SCOPES, kind: "session" });
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

/** The operation's valid request, and the same with every role, every state of an account and the caller's own account. */
async function buildRequests(fixtures: Fixtures, name: OperationName, operation: Operation): Promise<UntypedInput[]> {
  const members = Object.keys((operation.body as { _zod?: { def: { shape?: object } } } | undefined)?._zod?.def.shape ?? {});
  const paths = Object.keys((operation.params as { _zod?: { def: { shape?: object } } } | undefined)?._zod?.def.shape ?? {});
  const variants: ((request: UntypedInput) => UntypedInput)[] = [(request) => request];
  const inBody = (extra: object) => (request: UntypedInput) => ({ ...request, body: { ...(request.body as object | undefined), ...extra } });
  if (members.includes("role")) variants.push(...ROLES.map((role) => inBody({ role, project_ids: [fixtures.home.project] })));
  if (members.includes("disabled")) variants.push(inBody({ role: undefined, disabled: false }));
  if (paths.includes("account_id"))
    for (const person of [fixtures.owner, fixtures.admin, fixtures.member])
      variants.push((request) => ({ ...request, params: { ...request.params, account_id: person.id } }));
  const requests: UntypedInput[] = [];
  for (const variant of variants) requests.push(variant(await ENDPOINT_CASES[name].valid(fixtures)));
  return requests;
}

describe.each(ENGINES)("an API token on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let disabledAdmin = 0;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, owner, home } = fixtures;
    const body = { token: "", username: "dismissed", email: "dismissed@talkback.test", password: PASSWORD };
    const invite = await testApp.call(owner, teams.inviteMember, { body: { team_id: home.team, role: "admin" } });
    body.token = invite.response.data.url?.split("#")[1] ?? "";
    disabledAdmin = (await testApp.call(ANONYMOUS, teams.acceptInvite, { body })).response.data.account.id;
    await testApp.database.write((tx) => tx.updateTable("accounts").set({ disabled_at: 1 }).where("id", "=", disabledAdmin).execute());
  }, 60_000);
  afterAll(() => fixtures.testApp.close());
  afterEach(async () => {
    const { testApp, admin, member, owner, home } = fixtures;
    await testApp.database.write(async (tx) => {
      for (const [role, { id }] of Object.entries({ owner, admin, member }))
        await tx
          .updateTable("accounts")
          .set({ role: role as Role, disabled_at: null })
          .where("id", "=", id)
          .execute();
      const rows = [owner, member].map(({ id }) => ({ project_id: home.project, account_id: id, added_at: testApp.clock.now() }));
      await tx
        .insertInto("project_members")
        .values(rows)
        .onConflict((on) => on.doNothing())
        .execute();
    });
  });

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
      const requests = await buildRequests(fixtures, name, operation);
      if (name === "updateMember") requests.push({ params: { account_id: disabledAdmin }, body: { disabled: false } });
      for (const request of requests) {
        const before = await readCredentials(fixtures);
        const reply = await testApp.callUntyped(token, operation, request);
        if (reply.status < 300) answered += 1;
        const label = `${scopes.join()} ${JSON.stringify(request.params ?? {})} ${JSON.stringify(request.body ?? {})}`;
        for (const [credential, { scopes: gained, kind }] of await readCredentials(fixtures)) {
          if (before.has(credential)) continue;
          expect(isWithin(gained, scopes), `${label} created ${credential}`).toBe(true);
          expect(["invite", "none"], `${label} created ${credential}`).toContain(kind);
        }
        for (const secret of findSecrets(reply))
          for (const gained of await redeem(fixtures, secret))
            expect(isWithin(gained, scopes), `${label} returned a secret that opens ${gained.join()}`).toBe(true);
      }
    }
    expect(answered, "requests that succeeded").toBeGreaterThan(0);
  });

  it("still invites a member with the scopes that everybody gets who joins", async () => {
    const { testApp, home } = fixtures;
    const owner = await createSession(testApp, fixtures.owner.id, "owner");
    const invite = async (scopes: readonly Scope[], role: Role) =>
      testApp.call(await createApiToken(testApp, owner, scopes), teams.inviteMember, { body: { team_id: home.team, role, project_ids: [home.project] } });
    expect((await invite(["admin", ...PARTICIPANT_SCOPES], "member")).status).toBe(200);
    expect((await invite(["admin", ...PARTICIPANT_SCOPES], "guest")).status).toBe(200);
    expect((await invite(SCOPES, "admin")).problem.detail).toBe("An API token cannot make somebody an owner or admin. Sign in with a browser.");
    expect((await invite(["admin", "chat:read"], "member")).problem.detail).toBe("This token lacks the scope account:read, which everybody who joins gets.");
  });
});
