/** Connected apps: lists them, ends them, and deletes what is left of old ones. */
import { AUDIT_RETENTION_DAYS } from "../../../contract/limits.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { audit, auditActor, type AuditInput } from "../../access/audit.ts";
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { notFound } from "../../lib/errors.ts";
import { revokeTokens } from "../accounts/issued-access.ts";
import { lockClients, unusedClients } from "./clients.ts";
import type { OAuthDeps } from "./deps.ts";

export type Grant = Row<"api_tokens">;

/** Registrations that nobody has used for a connection are deleted after this time. */
const UNUSED_CLIENT_MS = 7 * DAY;
/** Codes and tokens stay for a while after their end, so that using one again is recognized. */
const ENDED_TOKEN_MS = DAY;
/** The audit log names grants. */
const ENDED_GRANT_MS = AUDIT_RETENTION_DAYS * DAY;

/** Grants that have neither ended nor expired, and those whose code has not been exchanged yet. */
export const liveGrants = (db: Db, now: number) =>
  db.selectFrom("api_tokens").where("client_id", "is not", null).where("revoked_at", "is", null).where("api_tokens.expires_at", ">", now);

/** Ends a grant in the transaction of its cause. Records the end of a connection that existed: neither of a grant without an exchange nor of an expired one. */
export async function endGrant(tx: Tx, deps: OAuthDeps, grant: Grant, action: "app.disconnected" | "app.token_reused", address: string): Promise<void> {
  const { tokens, ...ended } = await revokeTokens(tx, deps, grant.account_id, grant.id);
  const wasConnected = wasExchanged(grant) && (grant.expires_at ?? 0) > deps.clock.now();
  if (tokens.length > 0 && wasConnected) await auditGrant(tx, deps.clock.now(), grant, { action, tokenId: grant.id, address, detail: ended });
}

/** Records an event of a grant as one of its account. */
export async function auditGrant(tx: Tx, now: number, grant: Grant, event: Pick<AuditInput, "action" | "tokenId" | "address" | "detail">): Promise<void> {
  const account = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", grant.account_id).executeTakeFirstOrThrow();
  await audit(tx, now, { organisationId: account.organisation_id, accountId: grant.account_id, target: `token:${grant.id}`, ...event });
}

/** False for a grant whose code nobody has exchanged yet: whoever exchanges it uses the grant. */
export const wasExchanged = ({ last_used_at }: Pick<Grant, "last_used_at">): boolean => last_used_at !== null;

export function createGrants(deps: OAuthDeps) {
  const { database, clock } = deps;
  return {
    /** Lists the grants whose code has been exchanged, newest first. */
    list(actor: Actor) {
      assertCan(actor, "self", {}, "");
      return liveGrants(database.read, clock.now())
        .innerJoin("oauth_clients", "oauth_clients.id", "api_tokens.client_id")
        .selectAll("api_tokens")
        .select("oauth_clients.redirect_uris")
        .where("account_id", "=", actor.accountId)
        .where("last_used_at", "is not", null)
        .orderBy("api_tokens.id", "desc")
        .execute();
    },
    async revoke(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const grant = await liveGrants(tx, clock.now()).select("id").where("id", "=", id).where("account_id", "=", actor.accountId).executeTakeFirst();
        const { tokens, ...ended } = grant ? await revokeTokens(tx, deps, actor.accountId, id) : { tokens: [] };
        if (tokens.length === 0) throw notFound("connected app");
        await auditActor(tx, clock.now(), actor, "app.disconnected", `token:${id}`, ended);
      });
    },
    /** Deletes codes and tokens that have ended, grants that nothing names any more, and registrations that nobody used. */
    async prune(): Promise<void> {
      const now = clock.now();
      for (const table of ["oauth_codes", "oauth_tokens"] as const)
        await runInBatches(database, {
          find: async (db, limit) =>
            (
              await db
                .selectFrom(table)
                .select("id")
                .where("expires_at", "<", now - ENDED_TOKEN_MS)
                .limit(limit)
                .execute()
            ).map(({ id }) => id),
          change: async (tx, ids) => affectedRows(await tx.deleteFrom(table).where("id", "in", ids).executeTakeFirst()),
        });
      await runInBatches(database, {
        find: async (db, limit) => (await endedGrants(db, now).select("id").limit(limit).execute()).map(({ id }) => id),
        change: async (tx, ids) => affectedRows(await tx.deleteFrom("api_tokens").where("id", "in", ids).executeTakeFirst()),
      });
      const findUnused = (db: Db) =>
        unusedClients(db)
          .select("id")
          .where("created_at", "<", now - UNUSED_CLIENT_MS);
      await runInBatches(database, {
        find: async (db, limit) => (await findUnused(db).limit(limit).execute()).map(({ id }) => id),
        change: async (tx, ids) => {
          await lockClients(tx, database.engine, ids);
          return affectedRows(await tx.deleteFrom("oauth_clients").where("id", "in", ids).where("id", "in", findUnused(tx)).executeTakeFirst());
        },
      });
    },
  };
}

/** Grants that ended long ago, or yesterday if they were never exchanged, and that no webhook endpoint, code or token refers to. */
const endedGrants = (db: Db, now: number) =>
  db
    .selectFrom("api_tokens")
    .where("client_id", "is not", null)
    .where(({ or, and, eb }) => {
      const endedBefore = (time: number) => or([eb("revoked_at", "<", time), eb("expires_at", "<", time)]);
      return or([endedBefore(now - ENDED_GRANT_MS), and([eb("last_used_at", "is", null), endedBefore(now - ENDED_TOKEN_MS)])]);
    })
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("webhook_endpoints").select("webhook_endpoints.id").whereRef("token_id", "=", "api_tokens.id"))),
    )
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom("oauth_codes").select("oauth_codes.id").whereRef("grant_id", "=", "api_tokens.id"))))
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom("oauth_tokens").select("oauth_tokens.id").whereRef("grant_id", "=", "api_tokens.id"))));
