/** API tokens: `tb_pat_<8 hex>_<secret>`, shown once, with scopes fixed at creation. */
import type { Scope } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { hashSecret, newPublicId, newSecret } from "../../lib/crypto.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { revokeTokens, type AccessDeps } from "./issued-access.ts";

export interface TokenInput {
  name: string;
  scopes: Scope[];
  /** null: no expiry. */
  expiresAt: number | null;
}

export async function issueToken(tx: Tx, now: number, accountId: number, input: TokenInput): Promise<{ row: Row<"api_tokens">; token: string }> {
  const [publicId, secret] = [newPublicId(), newSecret()];
  const row = await tx
    .insertInto("api_tokens")
    .values({
      account_id: accountId,
      name: input.name.trim(),
      public_id: publicId,
      token_hash: hashSecret(secret),
      scopes: JSON.stringify([...new Set(input.scopes)]),
      created_at: now,
      expires_at: input.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token: `tb_pat_${publicId}_${secret}` };
}

export function createTokens(deps: AccessDeps) {
  const { database, clock } = deps;
  return {
    async list(actor: Actor): Promise<Row<"api_tokens">[]> {
      assertCan(actor, "self", {}, "");
      return database.read
        .selectFrom("api_tokens")
        .selectAll()
        .where("account_id", "=", actor.accountId)
        .where("revoked_at", "is", null)
        .where("client_id", "is", null)
        .orderBy("id", "desc")
        .execute();
    },
    /** `token` is null if a repeated request returns an earlier result. */
    async create(actor: Actor, input: TokenInput, idempotencyKey: IdempotencyKey | null): Promise<{ row: Row<"api_tokens">; token: string | null }> {
      assertCan(actor, "self", {}, "");
      const now = clock.now();
      if (input.expiresAt !== null && input.expiresAt <= now) throw invalid("expires_at", "must be in the future");
      return database.write((tx) =>
        runIdempotent<{ row: Row<"api_tokens">; token: string | null }>(
          tx,
          actor,
          idempotencyKey,
          now,
          async () => {
            await assertCountBelow(tx, database.engine, {
              name: `tokens of account ${actor.accountId}`,
              max: LIMITS.api_tokens,
              rows: tx.selectFrom("api_tokens").where("account_id", "=", actor.accountId).where("revoked_at", "is", null).where("client_id", "is", null),
              denial: `You can have at most ${LIMITS.api_tokens} API tokens. Revoke one that you no longer use.`,
            });
            const issued = await issueToken(tx, now, actor.accountId, input);
            await auditActor(tx, now, actor, "token.created", `token:${issued.row.id}`, { scopes: input.scopes });
            return issued;
          },
          ({ row }) => ({ row, token: null }),
        ),
      );
    },
    async revoke(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await database.write(async (tx) => {
        const token = await tx.selectFrom("api_tokens").select("client_id").where("id", "=", id).executeTakeFirst();
        const { tokens, ...ended } = token?.client_id === null ? await revokeTokens(tx, deps, actor.accountId, id) : { tokens: [] };
        if (tokens.length === 0) throw notFound("token");
        await auditActor(tx, clock.now(), actor, "token.revoked", `token:${id}`, ended);
      });
    },
  };
}
