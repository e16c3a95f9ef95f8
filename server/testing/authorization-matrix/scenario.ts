/**
 * The scenario of the authorization matrix: the records that operations act on, ten people with a fresh session for each request, and eleven callers
 * that must be rejected.
 */
import { SCOPES, type Operation } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import type { Engine } from "../../db/database.ts";
import { DAY } from "../../lib/clock.ts";
import { issueToken } from "../../modules/accounts/api-tokens.ts";
import { ANONYMOUS, type Caller } from "../client.ts";
import { createFixtures, type Fixtures } from "../fixtures.ts";
import { insertApp } from "../oauth.ts";
import { createSession, createInvite, joinTeam, createApiToken, type Person } from "../people.ts";
import { bearerCaller } from "../test-app.ts";

/** In the order of the table's columns, with the letter for each person in the table and their role. */
export const PEOPLE = [
  ["foreignOwner", "P", "owner"],
  ["foreignAdmin", "Q", "admin"],
  ["foreignMember", "R", "member"],
  ["foreignGuest", "S", "guest"],
  ["neighbor", "N", "member"],
  ["guestNextDoor", "X", "guest"],
  ["guest", "G", "guest"],
  ["member", "M", "member"],
  ["admin", "A", "admin"],
  ["owner", "O", "owner"],
] as const;
export type PersonName = (typeof PEOPLE)[number][0];

export const REJECTED_CALLERS = [
  "nobody",
  "expired token",
  "revoked token",
  "disabled, by session",
  "disabled, by token",
  "token without the scope",
  "token without a further scope",
  "app with an expired token",
  "disconnected app",
  "app of a disabled account",
  "app without the scope",
] as const;
export type RejectedCaller = (typeof REJECTED_CALLERS)[number];

export interface Scenario {
  fixtures: Fixtures;
  /** A member of `home` on whom operations act. */
  target: Person;
  /** Pending invites. */
  homeInvite: number;
  foreignInvite: number;
  createRejectedCaller(kind: RejectedCaller, operation: Operation): Promise<Caller>;
}

export async function createScenario(engine: Engine): Promise<Scenario> {
  // Injected requests have no connection, which would end after a body that nobody read, so that they all count as under way.
  const fixtures = await createFixtures(engine, { serverLimits: { connectionsPerNetwork: 100_000 } });
  const { testApp, owner, foreignOwner, home, foreign } = fixtures;
  const target = await joinTeam(testApp, owner, "target", { team: home.team, role: "member", projects: [home.project] });
  const disabledPerson = await joinTeam(testApp, owner, "dismissed", { team: home.team, role: "owner" });
  await testApp.call(owner, accounts.updateMember, { params: { account_id: disabledPerson.id }, body: { disabled: true } });

  const now = testApp.clock.now();
  const issueTestToken = (accountId: number, expiresAt: number | null) =>
    testApp.database.write((tx) => issueToken(tx, now, accountId, { name: "test", scopes: [...SCOPES], expiresAt }));
  const expiredToken = await issueTestToken(owner.id, now - DAY);
  const revokedToken = await createApiToken(testApp, owner);
  await testApp.call(owner, accounts.revokeToken, { params: { token_id: revokedToken.id } });
  const tokensByScopes = new Map<string, { token: string }>();
  // This token was issued after the account was disabled, so only the account's state can reject it.
  const unrevokedToken = await issueTestToken(disabledPerson.id, null);

  await createInvite(testApp, owner, { team: home.team, role: "member" });
  await createInvite(testApp, foreignOwner, { team: foreign.team, role: "member" });
  const newestInviteId = async (teamId: number) =>
    (await testApp.database.read.selectFrom("invites").select("id").where("team_id", "=", teamId).orderBy("id", "desc").executeTakeFirstOrThrow()).id;

  return {
    fixtures,
    target,
    homeInvite: await newestInviteId(home.team),
    foreignInvite: await newestInviteId(foreign.team),
    async createRejectedCaller(kind, operation) {
      if (kind === "nobody") return ANONYMOUS;
      if (kind === "expired token") return bearerCaller(kind, expiredToken.token);
      if (kind === "revoked token") return revokedToken;
      if (kind === "disabled, by session") return createSession(testApp, disabledPerson.id, kind);
      if (kind === "disabled, by token") return bearerCaller(kind, unrevokedToken.token);
      if (kind === "app with an expired token") return insertApp(testApp, owner.id, SCOPES, { accessExpiresAt: testApp.clock.now() });
      if (kind === "disconnected app") return insertApp(testApp, owner.id, SCOPES, { revokedAt: now });
      if (kind === "app of a disabled account") return insertApp(testApp, disabledPerson.id, SCOPES);
      // Of an operation with one scope, both tokens lack this one.
      const missing = kind === "token without a further scope" ? (operation.furtherScopes?.at(-1) ?? operation.scope) : operation.scope;
      const scopes = SCOPES.filter((scope) => scope !== missing);
      if (kind === "app without the scope") return insertApp(testApp, owner.id, scopes, { grantScopes: SCOPES });
      // One for all operations with these scopes: an account can have only so many.
      const known =
        tokensByScopes.get(scopes.join()) ?? (await testApp.database.write((tx) => issueToken(tx, now, owner.id, { name: "test", scopes, expiresAt: null })));
      tokensByScopes.set(scopes.join(), known);
      return bearerCaller(kind, known.token);
    },
  };
}

export const getPerson = ({ fixtures }: Scenario, name: PersonName): Person => fixtures[name];
