/** API tokens: `tb_pat_<8 hex>_<secret>`, shown once, with scopes fixed at creation. */
import type { Scope } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
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

/** `token` is null if a repeated request returns an earlier result. */
export interface IssuedToken {
  row: Row<"api_tokens">;
  token: string | null;
}

const liveTokens = (db: Db, accountId: number) =>
  db.selectFrom("api_tokens").where("account_id", "=", accountId).where("revoked_at", "is", null).where("client_id", "is", null);

/** Lists, creates and revokes the tokens of an account for callers that have checked who may do so. */
export function createTokenStore(deps: AccessDeps) {
  const { database, clock } = deps;
  return {
    list: (accountId: number): Promise<Row<"api_tokens">[]> => liveTokens(database.read, accountId).selectAll().orderBy("id", "desc").execute(),
    /** Throws a 400 if the token had expired already, a 409 with `denial` if the account has `max` tokens. `detail`: for the audit log. */
    create(
      tx: Tx,
      actor: Actor,
      accountId: number,
      { input, idempotencyKey, ...limit }: { input: TokenInput; idempotencyKey: IdempotencyKey | null; max: number; denial: string },
      detail: Record<string, unknown> = {},
    ): Promise<IssuedToken> {
      const now = clock.now();
      if (input.expiresAt !== null && input.expiresAt <= now) throw invalid("expires_at", "must be in the future");
      return runIdempotent<IssuedToken>(
        tx,
        actor,
        idempotencyKey,
        now,
        async () => {
          await assertCountBelow(tx, database.engine, { name: `tokens of account ${accountId}`, rows: liveTokens(tx, accountId), ...limit });
          const issued = await issueToken(tx, now, accountId, input);
          await auditActor(tx, now, actor, "token.created", `token:${issued.row.id}`, { scopes: input.scopes, ...detail });
          return issued;
        },
        ({ row }) => ({ row, token: null }),
      );
    },
    /** Throws a 404 unless the account has the token. */
    async revoke(tx: Tx, actor: Actor, accountId: number, id: number, detail: Record<string, unknown> = {}): Promise<void> {
      const token = await tx.selectFrom("api_tokens").select("client_id").where("id", "=", id).executeTakeFirst();
      const { tokens, ...ended } = token?.client_id === null ? await revokeTokens(tx, deps, accountId, id) : { tokens: [] };
      if (tokens.length === 0) throw notFound("token");
      await auditActor(tx, clock.now(), actor, "token.revoked", `token:${id}`, { ...ended, ...detail });
    },
  };
}

export function createTokens(deps: AccessDeps) {
  const store = createTokenStore(deps);
  return {
    async list(actor: Actor): Promise<Row<"api_tokens">[]> {
      assertCan(actor, "self", {}, "");
      return store.list(actor.accountId);
    },
    async create(actor: Actor, input: TokenInput, idempotencyKey: IdempotencyKey | null): Promise<IssuedToken> {
      assertCan(actor, "self", {}, "");
      const denial = `You can have at most ${LIMITS.api_tokens} API tokens. Revoke one that you no longer use.`;
      return deps.database.write((tx) => store.create(tx, actor, actor.accountId, { input, idempotencyKey, max: LIMITS.api_tokens, denial }));
    },
    async revoke(actor: Actor, id: number): Promise<void> {
      assertCan(actor, "self", {}, "");
      await deps.database.write((tx) => store.revoke(tx, actor, actor.accountId, id));
    },
  };
}
