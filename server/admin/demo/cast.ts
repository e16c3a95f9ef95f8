/** The people of the story join by invites, as people do, and get tokens for as long as the story is told. */
import { listMembers, updateAccount } from "../../../contract/operations/accounts.ts";
import { SCOPES } from "../../../contract/define.ts";
import { signOut } from "../../../contract/operations/session.ts";
import { acceptInvite, inviteMember, listInvites, revokeInvite } from "../../../contract/operations/teams.ts";
import type { Database } from "../../db/database.ts";
import { assertNamesAvailable, nameKey } from "../../domain/accounts/create.ts";
import { issueToken } from "../../domain/accounts/tokens.ts";
import type { DemoRun } from "../../domain/demo/run.ts";
import { DAY } from "../../lib/clock.ts";
import { createApiCall, signInWith, type ApiCall, type Server } from "./api.ts";
import { PERSON_NAMES, PEOPLE, type PersonName, type UserKey } from "./story/story.ts";

export interface DemoUser {
  id: number;
  call: ApiCall;
}
export type Cast = Record<UserKey, DemoUser>;

export interface Stage {
  server: Server;
  database: Database;
  run: DemoRun;
  ownerId: number;
  publicUrl: string;
  /** With which the people of the story can sign in. */
  password: string;
}

/** Where they join; a guest needs a project. */
export interface JoinTargets {
  teamId: number;
  projectId: number;
}

const TOKEN_NAME = "Demo";

export async function createDemoUser({ server, database, run }: Stage, id: number): Promise<DemoUser> {
  // Longer than it takes, by the clock that is set back and by the real one.
  const { token } = await database.write((tx) => issueToken(tx, run.beganAt, id, { name: TOKEN_NAME, scopes: [...SCOPES], expiresAt: run.beganAt + DAY }));
  return { id, call: createApiCall(server, { authorization: `Bearer ${token}` }) };
}

/** Takes back the tokens of this run, and of earlier ones that ended before they could. */
export async function dismiss({ database, run }: Pick<Stage, "database" | "run">, cast: Partial<Cast>, now: number): Promise<void> {
  const ids = Object.values(cast).map(({ id }) => id);
  if (ids.length === 0) return;
  await database.write((tx) =>
    tx
      .updateTable("api_tokens")
      .set({ revoked_at: now })
      .where("account_id", "in", ids)
      .where("name", "=", TOKEN_NAME)
      .where("expires_at", "=", run.beganAt + DAY)
      .where("revoked_at", "is", null)
      .execute(),
  );
}

async function joinByInvite(context: Stage, owner: ApiCall, targets: JoinTargets, name: PersonName): Promise<number> {
  const { role, username, email, bio } = PEOPLE[name];
  const invite = (await owner(inviteMember, { body: { team_id: targets.teamId, role, email, project_ids: role === "guest" ? [targets.projectId] : [] } })).data;
  const token = invite.url?.split("#")[1] ?? "";
  const { call, response } = await signInWith(context.server, context.publicUrl, acceptInvite, {
    body: { token, username, email, password: context.password },
  });
  await call(updateAccount, { body: { user_info: bio } });
  await call(signOut);
  return response.data.account.id;
}

/** Everybody who joins beside the owner, who is there. An owner who is called like the story's producer plays her. */
export async function gather(context: Stage, targets: JoinTargets, cast: Pick<Cast, "owner"> & Partial<Cast>): Promise<Cast> {
  const { database, run } = context;
  const { owner } = cast;
  const account = await database.read.selectFrom("accounts").selectAll().where("id", "=", context.ownerId).executeTakeFirstOrThrow();
  const ownerIsAna = account.username_key === nameKey(PEOPLE.ana.username);
  const joiningNames = PERSON_NAMES.filter((name) => name !== "ana" || !ownerIsAna);
  await run.getOrCreate("names are free", async () => {
    for (const name of joiningNames) await assertNamesAvailable(database.read, PEOPLE[name], null);
    return 1;
  });
  // Of a run that ended between an invite and its use.
  for (const { id, email } of (await owner.call(listInvites)).data)
    if (PERSON_NAMES.some((name) => PEOPLE[name].email === email)) await owner.call(revokeInvite, { params: { invite_id: id } });
  for (const name of PERSON_NAMES) {
    if (name === "ana" && ownerIsAna) {
      cast.ana = owner;
      continue;
    }
    const id = await run.getOrCreate(`account ${name}`, async () => {
      const { data } = await owner.call(listMembers, { query: { limit: "200" } });
      // Joined in an earlier run that ended before it could note it: the names were free when it began.
      return data.find(({ email }) => email === PEOPLE[name].email)?.id ?? joinByInvite(context, owner.call, targets, name);
    });
    cast[name] = await createDemoUser(context, id);
  }
  return cast as Cast;
}
