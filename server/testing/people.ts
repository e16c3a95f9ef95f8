/** Creates test users as in production: the owner by the setup link, everyone else by an invite. */
import { SCOPES, type Scope } from "../../contract/define-operation.ts";
import * as accounts from "../../contract/operations/accounts.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import type { Role } from "../../contract/records.ts";
import { newSecret, hashSecret } from "../lib/crypto.ts";
import { ANONYMOUS, type Caller } from "./client.ts";
import { bearerCaller, browserCaller, SAME_ORIGIN_HEADERS, type TestApp } from "./test-app.ts";

export const PASSWORD = "correct horse battery";

export interface Person extends Caller {
  id: number;
  email: string;
}

const emailFor = (name: string): string => `${name.replaceAll(" ", ".")}@talkback.test`;

/** Creates the owner through the setup link. */
export async function setUpOwner(testApp: TestApp, name = "owner"): Promise<Person> {
  const body = { token: testApp.app.setupToken, organisation: "Northwind", username: name, email: emailFor(name), password: PASSWORD };
  const reply = await testApp.call(ANONYMOUS, session.setUp, { body });
  return { ...browserCaller(name, reply), id: reply.response.data.account.id, email: body.email };
}

/** Creates another organization with its owner, as the CLI does. */
export async function createOtherOrganization(testApp: TestApp, name: string): Promise<Person> {
  const account = await testApp.app.services.signIn.createOrganisation({
    organisation: "Elsewhere",
    username: name,
    email: emailFor(name),
    password: PASSWORD,
  });
  return { ...(await signIn(testApp, account.email, name)), id: account.id, email: account.email };
}

export async function signIn(testApp: TestApp, login: string, name = login): Promise<Caller> {
  return browserCaller(name, await testApp.call(ANONYMOUS, session.signIn, { body: { login, password: PASSWORD } }));
}

export const tokenFromUrl = (url: string): string => url.slice(url.indexOf("#") + 1);

/** Creates an invite and returns its token. */
export async function createInvite(
  testApp: TestApp,
  caller: Caller,
  input: { team: number; role: Role; projects?: number[]; email?: string },
): Promise<string> {
  const body = { team_id: input.team, role: input.role, project_ids: input.projects ?? [], email: input.email ?? null };
  return tokenFromUrl((await testApp.call(caller, teams.inviteMember, { body })).response.data.url ?? "");
}

export async function joinTeam(testApp: TestApp, caller: Caller, name: string, input: { team: number; role: Role; projects?: number[] }): Promise<Person> {
  const token = await createInvite(testApp, caller, input);
  const reply = await testApp.call(ANONYMOUS, teams.acceptInvite, { body: { token, username: name, email: emailFor(name), password: PASSWORD } });
  return { ...browserCaller(name, reply), id: reply.response.data.account.id, email: emailFor(name) };
}

/** Creates an API token for this person. */
export async function createApiToken(
  testApp: TestApp,
  person: Caller,
  scopes: readonly Scope[] = SCOPES,
  expiresAt: string | null = null,
): Promise<Caller & { id: number }> {
  const { data } = (await testApp.call(person, accounts.createToken, { body: { name: "test", scopes: [...scopes], expires_at: expiresAt } })).response;
  return { ...bearerCaller(`${person.name}'s token`, data.token ?? ""), id: data.id };
}

/** Inserts sessions without signing in, since hashing a password for each would be too slow. Returns them in the order of `people`. */
export async function createSessions(testApp: TestApp, people: readonly { id: number; name: string }[]): Promise<(Caller & { id: number })[]> {
  const now = testApp.clock.now();
  const credentials = people.map((person) => ({ ...person, token: newSecret() }));
  const rows = credentials.map(({ id, token }) => ({
    account_id: id,
    token_hash: hashSecret(token),
    user_agent: "test",
    address: "127.0.0.1",
    created_at: now,
    last_seen_at: now,
  }));
  const inserted = await testApp.database.write((tx) => tx.insertInto("sessions").values(rows).returning(["id", "token_hash"]).execute());
  return credentials.map(({ name, token }, index) => {
    const { id } = inserted.find(({ token_hash }) => token_hash === rows[index]!.token_hash)!;
    return { name, id, headers: { cookie: `talkback=${token}`, ...SAME_ORIGIN_HEADERS } };
  });
}

export async function createSession(testApp: TestApp, accountId: number, name: string): Promise<Caller & { id: number }> {
  const [created] = await createSessions(testApp, [{ id: accountId, name }]);
  return created!;
}
