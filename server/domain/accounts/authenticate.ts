/** Cookie or bearer token -> actor. A token is never stored, so look-ups go by hash or by its public part. */
import { SCOPES, type Scope } from "../../../contract/define.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { MINUTE } from "../../lib/clock.ts";
import { notFound } from "../../lib/faults.ts";
import { hashSecret, sameSecret } from "../../lib/secrets.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";
import { expiryOf } from "./sessions.ts";

const TOKEN = /^tb_pat_([0-9a-f]{8})_([\w-]{43})$/;
/** How often "last seen" is written, at most. */
const SEEN_EVERY_MS = MINUTE;

type AccountFacts = Pick<Row<"accounts">, "id" | "organisation_id" | "role" | "disabled_at">;

function actorOf(account: AccountFacts, by: Pick<Actor, "scopes" | "sessionId" | "tokenId">): Actor | null {
  if (account.disabled_at !== null) return null;
  return { accountId: account.id, organisationId: account.organisation_id, role: account.role, ...by, asked: new Set() };
}

const scopesOf = (json: string): Scope[] => (JSON.parse(json) as string[]).filter((one): one is Scope => SCOPES.some((scope) => scope === one));

export function createAuthentication({ database, clock }: DomainDeps) {
  const sessionQuery = (db: Db) =>
    db
      .selectFrom("sessions")
      .innerJoin("accounts", "accounts.id", "sessions.account_id")
      .select(["accounts.id as id", "organisation_id", "role", "disabled_at", "sessions.id as session_id", "sessions.created_at", "sessions.last_seen_at"]);
  const tokenQuery = (db: Db) =>
    db
      .selectFrom("api_tokens")
      .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
      .select([
        "accounts.id as id",
        "organisation_id",
        "role",
        "disabled_at",
        "api_tokens.id as token_id",
        "token_hash",
        "scopes",
        "expires_at",
        "revoked_at",
        "last_used_at",
      ]);
  type SessionRow = Awaited<ReturnType<ReturnType<typeof sessionQuery>["executeTakeFirstOrThrow"]>>;
  type TokenRow = Awaited<ReturnType<ReturnType<typeof tokenQuery>["executeTakeFirstOrThrow"]>>;

  const ofSession = (row: SessionRow | undefined): Actor | null =>
    row && expiryOf(row) > clock.now() ? actorOf(row, { scopes: null, sessionId: row.session_id, tokenId: null }) : null;
  const ofToken = (row: TokenRow | undefined): Actor | null =>
    row && row.revoked_at === null && (row.expires_at === null || row.expires_at > clock.now())
      ? actorOf(row, { scopes: scopesOf(row.scopes), sessionId: null, tokenId: row.token_id })
      : null;

  const touching = new Set<string>();
  /** Writes "last seen" beside the request: a full or locked database must not keep anybody from reading. */
  function touch(what: string, work: (tx: Tx) => Promise<void>): void {
    if (touching.has(what)) return;
    touching.add(what);
    database
      .write(work)
      .catch(() => {})
      .finally(() => touching.delete(what));
  }

  return {
    /** null: unknown, expired, revoked, or its account is disabled. */
    async bySession(token: string): Promise<Actor | null> {
      const now = clock.now();
      const row = await sessionQuery(database.read).where("sessions.token_hash", "=", hashSecret(token)).executeTakeFirst();
      const actor = ofSession(row);
      if (actor && row && row.last_seen_at < now - SEEN_EVERY_MS) {
        touch(`session ${row.session_id}`, async (tx) => {
          await tx.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", row.session_id).execute();
          await tx.updateTable("accounts").set({ last_seen_at: now }).where("id", "=", row.id).execute();
        });
      }
      return actor;
    },
    async byBearer(token: string): Promise<Actor | null> {
      const [, publicId, secret] = TOKEN.exec(token) ?? [];
      if (!publicId || !secret) return null;
      const now = clock.now();
      const row = await tokenQuery(database.read).where("public_id", "=", publicId).executeTakeFirst();
      if (!row || !sameSecret(row.token_hash, hashSecret(secret))) return null;
      const actor = ofToken(row);
      if (actor && (row.last_used_at ?? 0) < now - SEEN_EVERY_MS) {
        touch(`token ${row.token_id}`, async (tx) => {
          await tx.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", row.token_id).execute();
        });
      }
      return actor;
    },
    /** The account behind a signed address, with its rights of now; a 404 when it is gone or disabled. */
    async asAccount(accountId: number): Promise<Actor> {
      const row = await database.read
        .selectFrom("accounts")
        .select(["id", "organisation_id", "role", "disabled_at"])
        .where("id", "=", accountId)
        .executeTakeFirst();
      const actor = row ? actorOf(row, { scopes: null, sessionId: null, tokenId: null }) : null;
      if (!actor) throw notFound("file");
      return actor;
    },
    /** The same authorization as it stands now: null when it has ended since. */
    async again(actor: Pick<Actor, "sessionId" | "tokenId">): Promise<Actor | null> {
      if (actor.sessionId !== null) return ofSession(await sessionQuery(database.read).where("sessions.id", "=", actor.sessionId).executeTakeFirst());
      if (actor.tokenId !== null) return ofToken(await tokenQuery(database.read).where("api_tokens.id", "=", actor.tokenId).executeTakeFirst());
      return null;
    },
  };
}
