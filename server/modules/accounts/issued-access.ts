/**
 * Everything that an account has handed out, and what ends it (decision 033): sessions, API tokens, invites, reset links and webhook endpoints. Signed URLs and live
 * tickets need no code here, because they are only valid while the session or token that created them is.
 */
import type { ExpressionBuilder } from "kysely";
import { isAllowed } from "../../../contract/policy.ts";
import type { Role } from "../../../contract/records.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Schema, Tx } from "../../db/schema.ts";

/** Ids of what was ended, for the audit log. */
export interface EndedAccess {
  tokens: number[];
  invites: number[];
  password_resets: number[];
  webhook_endpoints: number[];
}
type EndedLinks = Pick<EndedAccess, "invites" | "password_resets">;
type EndedWithTokens = Omit<EndedAccess, "password_resets">;

/** Ends what later modules bind to API tokens, and returns the ids of the webhook endpoints that it paused. Called after tokens lost rights. */
export type OnTokensWeakened = (tx: Tx) => Promise<number[]>;
export type AccessDeps = ModuleDeps & { onTokensWeakened: OnTokensWeakened };

type LinkTable = "invites" | "password_resets";

const openLinks = (tx: Tx, table: LinkTable) => tx.updateTable(table).where("used_at", "is", null).where("revoked_at", "is", null);

/** Deletes the sessions of an account and revokes the links created in them, except those of the session `exceptId`. */
export async function endSessions(tx: Tx, deps: ModuleDeps, accountId: number, exceptId: number | null = null): Promise<EndedLinks> {
  await deleteSessions(tx, accountId, exceptId);
  const ended = await revokeLinksOfSessions(tx, deps, accountId, exceptId);
  deps.events.appendToAccounts(tx, [accountId], "sessions.changed", {});
  return ended;
}

async function deleteSessions(tx: Tx, accountId: number, exceptId: number | null): Promise<void> {
  let sessions = tx.deleteFrom("sessions").where("account_id", "=", accountId);
  if (exceptId !== null) sessions = sessions.where("id", "!=", exceptId);
  await sessions.execute();
}

/** Includes links of sessions that are already over, so that signing out does not save a link, and links whose session was not recorded. */
async function revokeLinksOfSessions(tx: Tx, deps: ModuleDeps, accountId: number, exceptId: number | null): Promise<EndedLinks> {
  const revoke = async (table: LinkTable): Promise<number[]> => {
    let links = openLinks(tx, table).set({ revoked_at: deps.clock.now() }).where("created_by", "=", accountId);
    if (table === "invites") links = links.where("created_token_id", "is", null);
    if (exceptId !== null) links = links.where(({ or, eb }) => or([eb("created_session_id", "is", null), eb("created_session_id", "!=", exceptId)]));
    return (await links.returning("id").execute()).map(({ id }) => id);
  };
  return { invites: await revoke("invites"), password_resets: await revoke("password_resets") };
}

/** Ends one session of an account, and with it the links created in it. Returns null if there is no such session. */
export async function endSession(tx: Tx, deps: ModuleDeps, accountId: number, id: number): Promise<EndedLinks | null> {
  const deleted = await tx.deleteFrom("sessions").where("id", "=", id).where("account_id", "=", accountId).executeTakeFirst();
  if (Number(deleted.numDeletedRows) === 0) return null;
  deps.events.appendToAccounts(tx, [accountId], "sessions.changed", {});
  const revoke = async (table: LinkTable): Promise<number[]> =>
    (await openLinks(tx, table).set({ revoked_at: deps.clock.now() }).where("created_session_id", "=", id).returning("id").execute()).map((row) => row.id);
  return { invites: await revoke("invites"), password_resets: await revoke("password_resets") };
}

/**
 * Revokes one or all API tokens and grants of an account, with the grants that a token confirmed and the invites created with them, and pauses the webhook
 * endpoints that depend on them.
 */
export async function revokeTokens(tx: Tx, deps: AccessDeps, accountId: number, tokenId?: number): Promise<EndedWithTokens> {
  const now = deps.clock.now();
  const isEnding = ({ and, or, eb }: ExpressionBuilder<Schema, "api_tokens">) =>
    and([
      eb("account_id", "=", accountId),
      eb("revoked_at", "is", null),
      ...(tokenId === undefined ? [] : [or([eb("id", "=", tokenId), eb("parent_token_id", "=", tokenId)])]),
    ]);
  // Waits for transactions that confirm a grant with one of these tokens, so that the update, which begins later, finds the grant.
  await lockRows(tx.selectFrom("api_tokens").select("id").where(isEnding).orderBy("id"), deps.database.engine, "update").execute();
  const tokens = (await tx.updateTable("api_tokens").set({ revoked_at: now }).where(isEnding).returning("id").execute()).map(({ id }) => id);
  if (tokens.length === 0) return { tokens, invites: [], webhook_endpoints: [] };
  const invites = await openLinks(tx, "invites").set({ revoked_at: now }).where("created_token_id", "in", tokens).returning("id").execute();
  deps.events.appendToAccounts(tx, [accountId], "sessions.changed", {});
  return { tokens, invites: invites.map(({ id }) => id), webhook_endpoints: await deps.onTokensWeakened(tx) };
}

/** Revokes the reset links with which others could sign in to this account. */
export async function revokePasswordResets(tx: Tx, now: number, accountId: number): Promise<number[]> {
  const revoked = await openLinks(tx, "password_resets").set({ revoked_at: now }).where("account_id", "=", accountId).returning("id").execute();
  return revoked.map(({ id }) => id);
}

/** Ends all access that the account has and has handed out, except `exceptSessionId` with its links and, unless `tokens`, the API tokens with theirs. */
export async function endAccess(
  tx: Tx,
  deps: AccessDeps,
  accountId: number,
  { tokens, exceptSessionId = null }: { tokens: boolean; exceptSessionId?: number | null },
): Promise<EndedAccess> {
  const own = await revokePasswordResets(tx, deps.clock.now(), accountId);
  // The sessions first, because this waits for consents that they authorize, whose grants end next.
  await deleteSessions(tx, accountId, exceptSessionId);
  const bySessions = await revokeLinksOfSessions(tx, deps, accountId, exceptSessionId);
  const byTokens = tokens ? await revokeTokens(tx, deps, accountId) : { tokens: [], invites: [], webhook_endpoints: [] };
  // `revokeTokens` appends the event if it ends a token.
  if (byTokens.tokens.length === 0) deps.events.appendToAccounts(tx, [accountId], "sessions.changed", {});
  // The generation is part of every signed URL, so this also ends the URLs of tokens that stay.
  if (exceptSessionId === null)
    await tx
      .updateTable("accounts")
      .set((eb) => ({ signed_url_generation: eb("signed_url_generation", "+", 1) }))
      .where("id", "=", accountId)
      .execute();
  return { ...byTokens, invites: [...bySessions.invites, ...byTokens.invites], password_resets: [...own, ...bySessions.password_resets] };
}

/**
 * Returns whether the creator of a link could create it now. Asked whenever a link is used, because a link may be stored in the moment in which its
 * creator loses the right to it.
 */
async function canStillCreate(
  db: Db,
  link: { created_by: number | null; created_token_id?: number | null },
  isAllowedTo: (creatorRole: Role) => boolean,
): Promise<boolean> {
  // The operator of the service may do everything.
  if (link.created_by === null) return true;
  const creator = await db.selectFrom("accounts").select(["role", "disabled_at"]).where("id", "=", link.created_by).executeTakeFirst();
  if (!creator || creator.disabled_at !== null || !isAllowedTo(creator.role)) return false;
  if (link.created_token_id === undefined || link.created_token_id === null) return true;
  const token = await db.selectFrom("api_tokens").select("revoked_at").where("id", "=", link.created_token_id).executeTakeFirst();
  return token?.revoked_at === null;
}

/** Returns whether the creator of an invite may still invite with its role. */
export const isInviteAuthorized = (db: Db, invite: Row<"invites">): Promise<boolean> =>
  canStillCreate(db, invite, (role) => isAllowed("team.invite", role, { newRole: invite.role }));

/** Returns whether the creator of a reset link may still manage the account, whose current role is `targetRole`. */
export const isPasswordResetAuthorized = (db: Db, reset: { created_by: number | null }, targetRole: Role): Promise<boolean> =>
  canStillCreate(db, reset, (role) => isAllowed("account.manage", role, { targetRole, newRole: undefined }));

/**
 * After a change of role: revokes the links that the account created and could not create now, and the reset links for the account itself, and pauses
 * the webhook endpoints that its tokens could not create now.
 */
export async function endAccessOfFormerRole(tx: Tx, deps: AccessDeps, accountId: number): Promise<Omit<EndedAccess, "tokens">> {
  const now = deps.clock.now();
  const invites = await tx
    .selectFrom("invites")
    .selectAll()
    .where("created_by", "=", accountId)
    .where("used_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  const resets = await tx
    .selectFrom("password_resets")
    .innerJoin("accounts as target", "target.id", "password_resets.account_id")
    .select(["password_resets.id", "password_resets.created_by", "target.role as target_role"])
    .where("created_by", "=", accountId)
    .where("used_at", "is", null)
    .where("revoked_at", "is", null)
    .execute();
  const revoked = { invites: [] as number[], password_resets: [] as number[] };
  for (const invite of invites) if (!(await isInviteAuthorized(tx, invite))) revoked.invites.push(invite.id);
  for (const reset of resets) if (!(await isPasswordResetAuthorized(tx, reset, reset.target_role))) revoked.password_resets.push(reset.id);
  for (const table of ["invites", "password_resets"] as const)
    if (revoked[table].length > 0) await tx.updateTable(table).set({ revoked_at: now }).where("id", "in", revoked[table]).execute();
  const own = await revokePasswordResets(tx, now, accountId);
  return { invites: revoked.invites, password_resets: [...revoked.password_resets, ...own], webhook_endpoints: await deps.onTokensWeakened(tx) };
}
