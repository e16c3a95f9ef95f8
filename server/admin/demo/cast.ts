/** The people of the story join by invites, as people do, and get tokens for as long as the story is told. */
import { listMembers, updateAccount } from "../../../contract/operations/accounts.ts";
import { SCOPES } from "../../../contract/define.ts";
import { signOut } from "../../../contract/operations/session.ts";
import { acceptInvite, inviteMember, listInvites, revokeInvite } from "../../../contract/operations/teams.ts";
import type { Database } from "../../db/database.ts";
import { demandFreeNames, nameKey } from "../../domain/accounts/create.ts";
import { issueToken } from "../../domain/accounts/tokens.ts";
import type { Run } from "../../domain/demo/run.ts";
import { DAY } from "../../lib/clock.ts";
import { askWith, enterBy, type Ask, type Server } from "./api.ts";
import { CAST, PEOPLE, type CastName, type Speaker } from "./story/story.ts";

export interface Actress {
  id: number;
  ask: Ask;
}
export type Cast = Record<Speaker, Actress>;

export interface Stage {
  server: Server;
  database: Database;
  run: Run;
  ownerId: number;
  publicUrl: string;
  /** With which the people of the story can sign in. */
  password: string;
}

/** Where they join; a guest needs a project. */
export interface Places {
  teamId: number;
  projectId: number;
}

const TOKEN = "Demo";

export async function withToken({ server, database, run }: Stage, id: number): Promise<Actress> {
  // Longer than it takes, by the clock that is set back and by the real one.
  const { token } = await database.write((tx) => issueToken(tx, run.beganAt, id, { name: TOKEN, scopes: [...SCOPES], expiresAt: run.beganAt + DAY }));
  return { id, ask: askWith(server, { authorization: `Bearer ${token}` }) };
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
      .where("name", "=", TOKEN)
      .where("expires_at", "=", run.beganAt + DAY)
      .where("revoked_at", "is", null)
      .execute(),
  );
}

async function join(stage: Stage, owner: Ask, places: Places, name: CastName): Promise<number> {
  const { role, username, email, about } = PEOPLE[name];
  const invite = (await owner(inviteMember, { body: { team_id: places.teamId, role, email, project_ids: role === "guest" ? [places.projectId] : [] } })).data;
  const token = invite.url?.split("#")[1] ?? "";
  const { ask, answer } = await enterBy(stage.server, stage.publicUrl, acceptInvite, { body: { token, username, email, password: stage.password } });
  await ask(updateAccount, { body: { user_info: about } });
  await ask(signOut);
  return answer.data.account.id;
}

/** Everybody who joins beside the owner, who is there. An owner who is called like the story's producer plays her. */
export async function gather(stage: Stage, places: Places, cast: Pick<Cast, "owner"> & Partial<Cast>): Promise<Cast> {
  const { database, run } = stage;
  const { owner } = cast;
  const account = await database.read.selectFrom("accounts").selectAll().where("id", "=", stage.ownerId).executeTakeFirstOrThrow();
  const playsAna = account.username_key === nameKey(PEOPLE.ana.username);
  const toJoin = CAST.filter((name) => name !== "ana" || !playsAna);
  await run.once("names are free", async () => {
    for (const name of toJoin) await demandFreeNames(database.read, PEOPLE[name], null);
    return 1;
  });
  // Of a run that ended between an invite and its use.
  for (const { id, email } of (await owner.ask(listInvites)).data)
    if (CAST.some((name) => PEOPLE[name].email === email)) await owner.ask(revokeInvite, { params: { invite_id: id } });
  for (const name of CAST) {
    if (name === "ana" && playsAna) {
      cast.ana = owner;
      continue;
    }
    const id = await run.once(`account ${name}`, async () => {
      const { data } = await owner.ask(listMembers, { query: { limit: "200" } });
      // Joined in an earlier run that ended before it could note it: the names were free when it began.
      return data.find(({ email }) => email === PEOPLE[name].email)?.id ?? join(stage, owner.ask, places, name);
    });
    cast[name] = await withToken(stage, id);
  }
  return cast as Cast;
}
