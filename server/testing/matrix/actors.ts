/** Everybody who may knock: ten people with a fresh session for each request, and six who should not get in at all. */
import * as accounts from "../../../contract/operations/accounts.ts";
import { SCOPES, type Operation } from "../../../contract/define.ts";
import { issueToken } from "../../domain/accounts/tokens.ts";
import { DAY } from "../../lib/clock.ts";
import { startCast, type Cast } from "../cast.ts";
import { NOBODY, type Caller } from "../client.ts";
import { freshSession, invite, join, tokenOf, type Person } from "../people.ts";
import type { Engine } from "../../db/database.ts";
import { bearerOf } from "../world.ts";

/** In the order of the table's columns, with the letter by which answers name them. */
export const PEOPLE = [
  ["foreignOwner", "P"],
  ["foreignAdmin", "Q"],
  ["foreignMember", "R"],
  ["foreignGuest", "S"],
  ["neighbour", "N"],
  ["guestNextDoor", "X"],
  ["guest", "G"],
  ["member", "M"],
  ["admin", "A"],
  ["owner", "O"],
] as const;
export type PersonName = (typeof PEOPLE)[number][0];

export const UNWELCOME = ["nobody", "expired token", "revoked token", "disabled, by session", "disabled, by token", "token without the scope"] as const;
export type Unwelcome = (typeof UNWELCOME)[number];

export interface Stage {
  cast: Cast;
  /** Of the organisation, member of `home`: the one acted upon. */
  target: Person;
  /** Open invites. */
  homeInvite: number;
  foreignInvite: number;
  unwelcome(who: Unwelcome, operation: Operation): Promise<Caller>;
}

export async function startStage(engine: Engine): Promise<Stage> {
  const cast = await startCast(engine);
  const { world, owner, foreignOwner, home, foreign } = cast;
  const target = await join(world, owner, "target", { team: home.team, role: "member", projects: [home.project] });
  const dismissed = await join(world, owner, "dismissed", { team: home.team, role: "owner" });
  await world.call(owner, accounts.updateMember, { params: { account_id: dismissed.id }, body: { disabled: true } });

  const now = world.clock.now();
  const issue = (accountId: number, expiresAt: number | null) =>
    world.database.write((tx) => issueToken(tx, now, accountId, { name: "test", scopes: [...SCOPES], expiresAt }));
  const expired = await issue(owner.id, now - DAY);
  const revoked = await tokenOf(world, owner);
  await world.call(owner, accounts.revokeToken, { params: { token_id: revoked.id } });
  // As if the dismissal had missed them: the account itself must stand in the way.
  const forgotten = await issue(dismissed.id, null);

  await invite(world, owner, { team: home.team, role: "member" });
  await invite(world, foreignOwner, { team: foreign.team, role: "member" });
  const newest = async (organisationOf: number) =>
    (await world.database.read.selectFrom("invites").select("id").where("team_id", "=", organisationOf).orderBy("id", "desc").executeTakeFirstOrThrow()).id;

  return {
    cast,
    target,
    homeInvite: await newest(home.team),
    foreignInvite: await newest(foreign.team),
    async unwelcome(who, operation) {
      if (who === "nobody") return NOBODY;
      if (who === "expired token") return bearerOf(who, expired.token);
      if (who === "revoked token") return revoked;
      if (who === "disabled, by session") return freshSession(world, dismissed.id, who);
      if (who === "disabled, by token") return bearerOf(who, forgotten.token);
      const scopes = SCOPES.filter((scope) => scope !== operation.scope);
      return bearerOf(who, (await world.database.write((tx) => issueToken(tx, now, owner.id, { name: "test", scopes, expiresAt: null }))).token);
    },
  };
}

export const personOf = ({ cast }: Stage, name: PersonName): Person => cast[name];
