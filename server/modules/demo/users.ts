/** Creates the users of the story through invites, with API tokens for the duration of the run. */
import { nameKey } from "../../../contract/text.ts";
import { SCOPES } from "../../../contract/define-operation.ts";
import { listMembers, updateAccount } from "../../../contract/operations/accounts.ts";
import { signOut } from "../../../contract/operations/session.ts";
import { readNotifications } from "../../../contract/operations/notifications.ts";
import { acceptInvite, inviteMember, listInvites, revokeInvite } from "../../../contract/operations/teams.ts";
import type { Database } from "../../db/database.ts";
import { sessionCookieName } from "../../http/authenticator.ts";
import { DAY } from "../../lib/clock.ts";
import { issueToken } from "../accounts/api-tokens.ts";
import { assertNamesAvailable } from "../accounts/create-account.ts";
import { insertSession } from "../accounts/sessions.ts";
import { createApiCall, pageHeaders, signInWith, type ApiCall, type Server } from "./api.ts";
import type { DemoRun } from "./run.ts";
import { PERSON_NAMES, PEOPLE, type PersonName, type UserKey } from "./story/story.ts";

export interface DemoUser {
  id: number;
  call: ApiCall;
}
export type DemoUsers = Record<UserKey, DemoUser>;

export interface SeedContext {
  server: Server;
  database: Database;
  run: DemoRun;
  ownerId: number;
  publicUrl: string;
  /** Password of all users of the story. */
  password: string;
}

/** Team and project that the invites refer to. A guest needs a project. */
export interface JoinTargets {
  teamId: number;
  projectId: number;
}

export const DEMO_TOKEN_NAME = "Demo";

export async function createDemoUser({ server, database, run }: SeedContext, id: number): Promise<DemoUser> {
  // The token must outlast the run, both by the backdated clock and by the real one.
  const { token } = await database.write((tx) => issueToken(tx, run.beganAt, id, { name: DEMO_TOKEN_NAME, scopes: [...SCOPES], expiresAt: run.beganAt + DAY }));
  return { id, call: createApiCall(server, { authorization: `Bearer ${token}` }) };
}

/** Returns calls with a session of the owner, because an API token can neither invite admins nor create agents. */
export async function createOwnerSession({ server, database, run, ownerId, publicUrl }: SeedContext): Promise<ApiCall> {
  const { token } = await database.write((tx) => insertSession(tx, run.beganAt, ownerId, { userAgent: DEMO_TOKEN_NAME, address: "" }));
  return createApiCall(server, { ...pageHeaders(publicUrl), cookie: `${sessionCookieName(publicUrl)}=${token}` });
}

/** Ends the API tokens and sessions of this run, including those of interrupted attempts of the same run. */
export async function cleanUp({ database, run }: Pick<SeedContext, "database" | "run">, users: Partial<DemoUsers>, now: number): Promise<void> {
  const ids = Object.values(users).map(({ id }) => id);
  if (ids.length === 0) return;
  await database.write(async (tx) => {
    await tx
      .updateTable("api_tokens")
      .set({ revoked_at: now })
      .where("account_id", "in", ids)
      .where("name", "=", DEMO_TOKEN_NAME)
      .where("expires_at", "=", run.beganAt + DAY)
      .where("revoked_at", "is", null)
      .execute();
    await tx.deleteFrom("sessions").where("account_id", "in", ids).where("user_agent", "=", DEMO_TOKEN_NAME).where("created_at", "=", run.beganAt).execute();
  });
}

/** Monday to Friday. */
const WORKING_HOURS = { days: [1, 2, 3, 4, 5], start: "09:00", end: "18:00" };

async function joinByInvite(context: SeedContext, owner: ApiCall, targets: JoinTargets, name: PersonName): Promise<number> {
  const { role, username, email, bio, timeZone } = PEOPLE[name];
  const invite = (await owner(inviteMember, { body: { team_id: targets.teamId, role, email, project_ids: role === "guest" ? [targets.projectId] : [] } })).data;
  const token = invite.url?.split("#")[1] ?? "";
  const { call, response } = await signInWith(context.server, context.publicUrl, acceptInvite, {
    body: { token, username, email, password: context.password },
  });
  await call(updateAccount, { body: { user_info: bio, time_zone: timeZone, working_hours: WORKING_HOURS } });
  await call(signOut);
  return response.data.account.id;
}

/** Creates all users except the owner, who exists already. An owner with the producer's name plays that role. */
export async function createUsers(context: SeedContext, targets: JoinTargets, users: Pick<DemoUsers, "owner"> & Partial<DemoUsers>): Promise<DemoUsers> {
  const { database, run } = context;
  const { owner } = users;
  const account = await database.read.selectFrom("accounts").selectAll().where("id", "=", context.ownerId).executeTakeFirstOrThrow();
  const ownerIsAna = account.username_key === nameKey(PEOPLE.ana.username);
  const joiningNames = PERSON_NAMES.filter((name) => name !== "ana" || !ownerIsAna);
  await run.getOrCreate("names are free", async () => {
    for (const name of joiningNames)
      // Invites of an earlier attempt, which are revoked below, reserve no address.
      await assertNamesAvailable(database.read, { organisationId: account.organisation_id, ...PEOPLE[name] }, { invitesAt: null });
    return 1;
  });
  // Revoke invites of an attempt that ended before they were accepted.
  for (const { id, email } of (await owner.call(listInvites)).data)
    if (PERSON_NAMES.some((name) => PEOPLE[name].email === email)) await owner.call(revokeInvite, { params: { invite_id: id } });
  const ownerInBrowser = await createOwnerSession(context);
  for (const name of PERSON_NAMES) {
    if (name === "ana" && ownerIsAna) {
      users.ana = owner;
      continue;
    }
    const id = await run.getOrCreate(`account ${name}`, async () => {
      const { data } = await owner.call(listMembers, { query: { limit: "200" } });
      // An account with this email address was created by an earlier attempt that ended before recording it, because the names were free at the start.
      return data.find(({ email }) => email === PEOPLE[name].email)?.id ?? joinByInvite(context, ownerInBrowser, targets, name);
    });
    users[name] = await createDemoUser(context, id);
  }
  // The owner invited nobody, so that they joined is no news.
  await owner.call(readNotifications, { body: { kinds: ["invite_accepted"] } });
  return users as DemoUsers;
}
