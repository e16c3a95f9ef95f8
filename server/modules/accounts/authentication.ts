/** Resolves session cookies, bearer tokens and one-time tickets to actors. The database stores only hashes of these secrets. */
import { type Scope, SCOPES } from "../../../contract/define-operation.ts";
import { type Actor, assertCan } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { untilNextCommit } from "../../db/until-commit.ts";
import { DAY, MINUTE, SECOND } from "../../lib/clock.ts";
import { forbidden } from "../../lib/errors.ts";
import { hashSecret, newSecret, secretsEqual } from "../../lib/crypto.ts";

const TOKEN = /^tb_pat_([0-9a-f]{8})_([\w-]{43})$/;
/** The access token of a connected app. */
const ACCESS_TOKEN = /^tb_at_[\w-]{43}$/;
/** A session ends after this time without use, or at its maximum age. */
export const SESSION_IDLE_MS = 14 * DAY;
export const SESSION_MAX_AGE_MS = 90 * DAY;
/** Minimum interval between writes of `last_seen_at`. */
const LAST_SEEN_INTERVAL_MS = MINUTE;
/** Short, because clients redeem a ticket as soon as they have it. */
const TICKET_TTL_MS = 30 * SECOND;

/** A session or a token, of which one is null. */
type Credential = Pick<Actor, "sessionId" | "tokenId" | "accessTokenId">;

export interface UrlSigner {
  actor: Actor;
  /** When the session or token ends if it is not used again. */
  expiresAt: number;
  /** Changes with a password reset, which ends all signed URLs of the account. */
  generation: number;
}

type AccountFields = Pick<Row<"accounts">, "id" | "organisation_id" | "role" | "disabled_at">;

export const sessionExpiresAt = (session: Pick<Row<"sessions">, "created_at" | "last_seen_at">): number =>
  Math.min(session.last_seen_at + SESSION_IDLE_MS, session.created_at + SESSION_MAX_AGE_MS);

const sessionQuery = (db: Db) =>
  db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .select(["accounts.id as id", "organisation_id", "role", "disabled_at", "sessions.id as session_id", "sessions.created_at", "sessions.last_seen_at"]);
const tokenQuery = (db: Db) =>
  db
    .selectFrom("api_tokens")
    .innerJoin("accounts", "accounts.id", "api_tokens.account_id")
    .leftJoin("agents", "agents.account_id", "accounts.id")
    .select([
      "accounts.id as id",
      "organisation_id",
      "role",
      "disabled_at",
      "api_tokens.id as token_id",
      "api_tokens.token_hash",
      "api_tokens.scopes",
      "api_tokens.expires_at",
      "revoked_at",
      "last_used_at",
      "agents.scopes as agent_scopes",
      "agents.paused_at as agent_paused_at",
    ]);
const accessTokenQuery = (db: Db) =>
  tokenQuery(db)
    .innerJoin("oauth_tokens", "oauth_tokens.grant_id", "api_tokens.id")
    .where("oauth_tokens.kind", "=", "access")
    .select(["oauth_tokens.id as access_token_id", "oauth_tokens.scopes as access_scopes", "oauth_tokens.expires_at as access_expires_at"]);

type SessionRow = Awaited<ReturnType<ReturnType<typeof sessionQuery>["executeTakeFirstOrThrow"]>>;
type TokenRow = Awaited<ReturnType<ReturnType<typeof tokenQuery>["executeTakeFirstOrThrow"]>>;
type AccessTokenRow = Awaited<ReturnType<ReturnType<typeof accessTokenQuery>["executeTakeFirstOrThrow"]>>;

const sessionByHash = prepareStatement<{ hash: string }, SessionRow>((db, { hash }) => sessionQuery(db).where("sessions.token_hash", "=", hash));
const tokenByPublicId = prepareStatement<{ publicId: string }, TokenRow>((db, { publicId }) =>
  tokenQuery(db).where("public_id", "=", publicId).where("client_id", "is", null),
);
const accessTokenByHash = prepareStatement<{ hash: string }, AccessTokenRow>((db, { hash }) =>
  accessTokenQuery(db).where("oauth_tokens.token_hash", "=", hash),
);

export function createAuthentication({ database, clock }: ModuleDeps) {
  const actorFromSession = (row: SessionRow | undefined): Actor | null =>
    row && sessionExpiresAt(row) > clock.now() ? createActor(row, { scopes: null, sessionId: row.session_id, tokenId: null }) : null;
  const actorFromToken = (row: TokenRow | undefined): Actor | null =>
    row && row.revoked_at === null && (row.expires_at === null || row.expires_at > clock.now())
      ? asAgent(createActor(row, { scopes: parseScopes(row.scopes), sessionId: null, tokenId: row.token_id }), row.agent_scopes)
      : null;
  /** An access token is valid if both it and its grant are. */
  const actorFromAccessToken = (row: AccessTokenRow | undefined): Actor | null => {
    const actor = row && row.access_expires_at > clock.now() ? actorFromToken({ ...row, scopes: row.access_scopes }) : null;
    return actor && row ? { ...actor, accessTokenId: row.access_token_id } : null;
  };

  const pendingTouches = new Set<string>();
  /** Writes `last_seen_at` of a session or `last_used_at` of a token outside the request, so that a full or locked database does not block reading. */
  function touch(key: string, work: (tx: Tx) => Promise<void>): void {
    if (pendingTouches.has(key)) return;
    pendingTouches.add(key);
    database
      .write(work)
      .catch(() => {})
      .finally(() => pendingTouches.delete(key));
  }

  async function findByBearer(token: string): Promise<{ row: TokenRow; actor: Actor | null } | null> {
    if (ACCESS_TOKEN.test(token)) {
      const hash = hashSecret(token);
      const [row] = await untilNextCommit(database.read, `access token ${hash}`, () => accessTokenByHash(database.read, { hash }));
      return row ? { row, actor: actorFromAccessToken(row) } : null;
    }
    const [, publicId, secret] = TOKEN.exec(token) ?? [];
    if (!publicId || !secret) return null;
    const [row] = await untilNextCommit(database.read, `token ${publicId}`, () => tokenByPublicId(database.read, { publicId }));
    return row && secretsEqual(row.token_hash, hashSecret(secret)) ? { row, actor: actorFromToken(row) } : null;
  }

  return {
    /** Returns null if the session is unknown, expired or revoked, or its account is disabled. */
    async bySession(token: string): Promise<Actor | null> {
      const now = clock.now();
      const hash = hashSecret(token);
      const [row] = await untilNextCommit(database.read, `session ${hash}`, () => sessionByHash(database.read, { hash }));
      const actor = actorFromSession(row);
      if (actor && row && row.last_seen_at < now - LAST_SEEN_INTERVAL_MS) {
        touch(`session ${row.session_id}`, async (tx) => {
          await tx.updateTable("sessions").set({ last_seen_at: now }).where("id", "=", row.session_id).execute();
          await tx.updateTable("accounts").set({ last_seen_at: now }).where("id", "=", row.id).execute();
        });
      }
      return actor;
    },
    /** Accepts API tokens and the access tokens of connected apps. */
    async byBearer(token: string): Promise<Actor | null> {
      const found = await findByBearer(token);
      if (!found) return null;
      const { row, actor } = found;
      if (actor && row.agent_paused_at !== null) throw forbidden("This agent is paused. An owner or admin can resume it.");
      const now = clock.now();
      if (actor && (row.last_used_at ?? 0) < now - LAST_SEEN_INTERVAL_MS) {
        touch(`token ${row.token_id}`, async (tx) => {
          await tx.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", row.token_id).execute();
          if (actor.isAgent) await tx.updateTable("accounts").set({ last_seen_at: now }).where("id", "=", row.id).execute();
        });
      }
      return actor;
    },
    /** Returns what signed URLs of this session or token depend on; null if the session or token has ended. */
    async loadUrlSigner({ sessionId, tokenId }: Credential): Promise<UrlSigner | null> {
      if (sessionId !== null) {
        const row = await sessionQuery(database.read).select("signed_url_generation").where("sessions.id", "=", sessionId).executeTakeFirst();
        const actor = actorFromSession(row);
        return actor && row ? { actor, expiresAt: sessionExpiresAt(row), generation: row.signed_url_generation } : null;
      }
      if (tokenId === null) return null;
      const row = await tokenQuery(database.read).select("signed_url_generation").where("api_tokens.id", "=", tokenId).executeTakeFirst();
      const actor = actorFromToken(row);
      return actor && row && row.agent_paused_at === null ? { actor, expiresAt: row.expires_at ?? Infinity, generation: row.signed_url_generation } : null;
    },
    /** Returns the actor's current authorization; null if it has ended since. */
    async reauthenticate(actor: Credential, db: Db = database.read): Promise<Actor | null> {
      if (actor.sessionId !== null) return actorFromSession(await sessionQuery(db).where("sessions.id", "=", actor.sessionId).executeTakeFirst());
      if (actor.accessTokenId !== undefined)
        return actorFromAccessToken(await accessTokenQuery(db).where("oauth_tokens.id", "=", actor.accessTokenId).executeTakeFirst());
      if (actor.tokenId !== null) {
        const row = await tokenQuery(db).where("api_tokens.id", "=", actor.tokenId).executeTakeFirst();
        return row?.agent_paused_at === null ? actorFromToken(row) : null;
      }
      return null;
    },
  };
}

function createActor(account: AccountFields, credentials: Pick<Actor, "scopes" | "sessionId" | "tokenId">): Actor | null {
  if (account.disabled_at !== null) return null;
  return { accountId: account.id, organisationId: account.organisation_id, role: account.role, ...credentials, address: null, checkedRules: new Set() };
}

/** Limits the token of an agent to the scopes that the agent has now. */
function asAgent(actor: Actor | null, agentScopes: string | null): Actor | null {
  if (!actor || agentScopes === null) return actor;
  const allowed = parseScopes(agentScopes);
  return { ...actor, scopes: (actor.scopes ?? allowed).filter((scope) => allowed.includes(scope)), isAgent: true };
}

const parseScopes = (json: string): Scope[] => (JSON.parse(json) as string[]).filter((name): name is Scope => SCOPES.some((scope) => scope === name));

/** Creates one-time tickets for the live channel, for clients whose WebSocket can send neither cookie nor header. */
export function createTickets({ database, clock }: ModuleDeps) {
  return {
    async issue(actor: Actor): Promise<{ ticket: string; expiresAt: number }> {
      assertCan(actor, "self", {}, "");
      const ticket = newSecret();
      const expiresAt = clock.now() + TICKET_TTL_MS;
      await database.write(async (tx) => {
        await tx.deleteFrom("live_tickets").where("expires_at", "<", clock.now()).execute();
        await tx
          .insertInto("live_tickets")
          .values({
            token_hash: hashSecret(ticket),
            account_id: actor.accountId,
            session_id: actor.sessionId,
            token_id: actor.tokenId,
            access_token_id: actor.accessTokenId ?? null,
            expires_at: expiresAt,
          })
          .execute();
      });
      return { ticket, expiresAt };
    },
    /** Returns the authorization behind a ticket and deletes the ticket; null if it is unknown, used or expired. */
    redeem(ticket: string): Promise<Credential | null> {
      return database.write(async (tx) => {
        const row = await tx.deleteFrom("live_tickets").where("token_hash", "=", hashSecret(ticket)).returningAll().executeTakeFirst();
        if (!row || row.expires_at <= clock.now()) return null;
        return { sessionId: row.session_id, tokenId: row.token_id, ...(row.access_token_id === null ? {} : { accessTokenId: row.access_token_id }) };
      });
    },
  };
}
