/** People come the way they come in life: the owner by the setup link, everybody else by an invite. */
import * as accounts from "../../contract/operations/accounts.ts";
import * as session from "../../contract/operations/session.ts";
import * as teams from "../../contract/operations/teams.ts";
import { SCOPES, type Scope } from "../../contract/define.ts";
import type { Role } from "../../contract/records.ts";
import { newSecret, hashSecret } from "../lib/secrets.ts";
import { NOBODY, type Caller } from "./client.ts";
import { bearerOf, browserOf, FROM_OUR_PAGE, type World } from "./world.ts";

export const PASSWORD = "correct horse battery";

export interface Person extends Caller {
  id: number;
  email: string;
}

const emailOf = (name: string): string => `${name.replaceAll(" ", ".")}@talkback.test`;

/** Uses the setup link. */
export async function setUpOwner(world: World, name = "owner"): Promise<Person> {
  const body = { token: world.app.setupToken, organisation: "Northwind", username: name, email: emailOf(name), password: PASSWORD };
  const reply = await world.call(NOBODY, session.setUp, { body });
  return { ...browserOf(name, reply), id: reply.answer.data.account.id, email: body.email };
}

/** A further organisation with its owner, as the command line makes it. */
export async function foundOther(world: World, name: string): Promise<Person> {
  const account = await world.app.services.signIn.foundOrganisation({ organisation: "Elsewhere", username: name, email: emailOf(name), password: PASSWORD });
  return { ...(await signIn(world, account.email, name)), id: account.id, email: account.email };
}

export async function signIn(world: World, login: string, name = login): Promise<Caller> {
  return browserOf(name, await world.call(NOBODY, session.signIn, { body: { login, password: PASSWORD } }));
}

export const tokenIn = (url: string): string => url.slice(url.indexOf("#") + 1);

/** An invite's token. */
export async function invite(world: World, by: Caller, wish: { team: number; role: Role; projects?: number[]; email?: string }): Promise<string> {
  const body = { team_id: wish.team, role: wish.role, project_ids: wish.projects ?? [], email: wish.email ?? null };
  return tokenIn((await world.call(by, teams.inviteMember, { body })).answer.data.url ?? "");
}

export async function join(world: World, by: Caller, name: string, wish: { team: number; role: Role; projects?: number[] }): Promise<Person> {
  const token = await invite(world, by, wish);
  const reply = await world.call(NOBODY, teams.acceptInvite, { body: { token, username: name, email: emailOf(name), password: PASSWORD } });
  return { ...browserOf(name, reply), id: reply.answer.data.account.id, email: emailOf(name) };
}

/** An API token of this person. */
export async function tokenOf(
  world: World,
  person: Caller,
  scopes: readonly Scope[] = SCOPES,
  expiresAt: string | null = null,
): Promise<Caller & { id: number }> {
  const { data } = (await world.call(person, accounts.createToken, { body: { name: "test", scopes: [...scopes], expires_at: expiresAt } })).answer;
  return { ...bearerOf(`${person.name}'s token`, data.token ?? ""), id: data.id };
}

/** Sessions that were not signed in for, since hashing a password for each would take too long; in the order of `people`. */
export async function freshSessions(world: World, people: readonly { id: number; name: string }[]): Promise<(Caller & { id: number })[]> {
  const now = world.clock.now();
  const made = people.map((person) => ({ ...person, token: newSecret() }));
  const rows = made.map(({ id, token }) => ({
    account_id: id,
    token_hash: hashSecret(token),
    user_agent: "test",
    address: "127.0.0.1",
    created_at: now,
    last_seen_at: now,
  }));
  const inserted = await world.database.write((tx) => tx.insertInto("sessions").values(rows).returning(["id", "token_hash"]).execute());
  return made.map(({ name, token }, index) => {
    const { id } = inserted.find(({ token_hash }) => token_hash === rows[index]!.token_hash)!;
    return { name, id, headers: { cookie: `talkback=${token}`, ...FROM_OUR_PAGE } };
  });
}

export async function freshSession(world: World, accountId: number, name: string): Promise<Caller & { id: number }> {
  const [made] = await freshSessions(world, [{ id: accountId, name }]);
  return made!;
}
