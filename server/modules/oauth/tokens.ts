/** The token endpoint (RFC 6749 4.1.3 and 6, RFC 7636) and revocation (RFC 7009): opaque tokens, of which only hashes are stored. */
import { createHash } from "node:crypto";
import type { Scope } from "../../../contract/define-operation.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { DAY, HOUR, SECOND } from "../../lib/clock.ts";
import { hashSecret, newSecret, secretsEqual } from "../../lib/crypto.ts";
import type { HttpError } from "../../lib/errors.ts";
import { assertNotThrottled, insertAttempts, throttleBuckets } from "../accounts/throttle.ts";
import { findClient, grantTypesOf, type OAuthClient } from "./clients.ts";
import type { OAuthDeps } from "./deps.ts";
import { auditGrant, endGrant, wasExchanged, type Grant } from "./grants.ts";
import { assertOwnResource, oauthError, parseScopes } from "./protocol.ts";

export const ACCESS_TOKEN_TTL_MS = HOUR;
/** A grant ends after this time without a refresh, or at its maximum age. */
export const REFRESH_IDLE_MS = 30 * DAY;
export const GRANT_MAX_AGE_MS = 90 * DAY;
/**
 * A code or refresh token that is used again within this time is refused without further consequences: the client may have repeated a request whose response
 * it lost, or have sent two at once. Later reuse means that somebody else has it, so the grant ends (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
 */
export const REUSE_GRACE_MS = 30 * SECOND;
/** Connections of one person to one app. A newer one ends the oldest, since a program may have lost its tokens and ask again. */
const GRANTS_PER_CLIENT = 10;
const CODE_VERIFIER = /^[\w.~-]{43,128}$/;

export interface TokenParameters {
  grant_type: string;
  client_id?: string | undefined;
  code?: string | undefined;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
}
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string | null;
  expiresInMs: number;
  scopes: Scope[];
}
/** A transaction returns its refusal instead of throwing it, because the end of a grant must be committed with it. */
type Outcome = { issued: IssuedTokens } | { refused: HttpError };

const refuse = (description: string): Outcome => ({ refused: oauthError("invalid_grant", description) });
const scopesOf = ({ scopes }: { scopes: string }): Scope[] => JSON.parse(scopes) as Scope[];
const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

export function createOAuthTokens(deps: OAuthDeps) {
  const { database, clock, publicUrl, authentication } = deps;

  /** Throws a 401 for an unknown client. */
  async function loadClient(clientId: string | undefined): Promise<OAuthClient> {
    if (clientId === undefined) throw oauthError("invalid_request", "client_id is missing.");
    const client = await findClient(database.read, clientId);
    if (!client) throw oauthError("invalid_client", "This client is not registered.", 401);
    return client;
  }

  /** Returns undefined for a grant of another client. */
  const lockGrant = (tx: Tx, id: number, client: OAuthClient): Promise<Grant | undefined> =>
    lockRows(tx.selectFrom("api_tokens").selectAll().where("id", "=", id).where("client_id", "=", client.id), database.engine, "update").executeTakeFirst();

  /**
   * Locks a grant together with the other live grants of its account and client, in the order in which `revokeTokens` locks them, so that neither waits for the
   * other. Returns no `grant` for one of another client.
   */
  async function lockGrantAmongOthers(tx: Tx, id: number, client: OAuthClient): Promise<{ grant: Grant | undefined; others: Grant[] }> {
    const account = tx.selectFrom("api_tokens as own").select("own.account_id").where("own.id", "=", id);
    const query = tx
      .selectFrom("api_tokens")
      .selectAll()
      .where("client_id", "=", client.id)
      .where("account_id", "=", account)
      .where(({ or, and, eb }) => or([eb("id", "=", id), and([eb("revoked_at", "is", null), eb("expires_at", ">", clock.now())])]))
      .orderBy("id");
    const grants = await lockRows(query, database.engine, "update").execute();
    return { grant: grants.find((grant) => grant.id === id), others: grants.filter((grant) => grant.id !== id) };
  }

  /** Also false if the account is disabled, or if the API token that confirmed the grant has ended. */
  async function isValid(tx: Tx, { id, parent_token_id: parentId }: Grant): Promise<boolean> {
    for (const tokenId of parentId === null ? [id] : [id, parentId])
      if ((await authentication.reauthenticate({ sessionId: null, tokenId }, tx)) === null) return false;
    return true;
  }

  /** Returns when the grant ends if it is not refreshed again. It never outlasts the API token that confirmed it. */
  async function grantExpiresAt(tx: Tx, grant: Grant, idleMs: number): Promise<number> {
    const parent =
      grant.parent_token_id === null
        ? undefined
        : await tx.selectFrom("api_tokens").select("expires_at").where("id", "=", grant.parent_token_id).executeTakeFirst();
    return Math.min(clock.now() + idleMs, grant.created_at + GRANT_MAX_AGE_MS, parent?.expires_at ?? Infinity);
  }

  /** Stores new tokens of the grant, which then lasts as long as its refresh token. */
  async function issue(tx: Tx, grant: Grant, client: OAuthClient, scopes: Scope[]): Promise<Outcome> {
    const now = clock.now();
    const hasRefreshToken = grantTypesOf(client).includes("refresh_token");
    const grantEnd = await grantExpiresAt(tx, grant, hasRefreshToken ? REFRESH_IDLE_MS : ACCESS_TOKEN_TTL_MS);
    const accessEnd = Math.min(now + ACCESS_TOKEN_TTL_MS, grantEnd);
    const accessToken = `tb_at_${newSecret()}`;
    const refreshToken = hasRefreshToken ? `tb_rt_${newSecret()}` : null;
    const row = { grant_id: grant.id, created_at: now };
    await tx
      .insertInto("oauth_tokens")
      .values([
        { ...row, kind: "access", token_hash: hashSecret(accessToken), scopes: JSON.stringify(scopes), expires_at: accessEnd },
        ...(refreshToken === null
          ? []
          : [{ ...row, kind: "refresh" as const, token_hash: hashSecret(refreshToken), scopes: grant.scopes, expires_at: grantEnd }]),
      ])
      .execute();
    await tx.updateTable("api_tokens").set({ expires_at: grantEnd, last_used_at: now }).where("id", "=", grant.id).execute();
    return { issued: { accessToken, refreshToken, expiresInMs: accessEnd - now, scopes } };
  }

  async function exchangeCode(
    tx: Tx,
    client: OAuthClient,
    { code = "", redirect_uri, code_verifier, resource }: TokenParameters,
    address: string,
  ): Promise<Outcome> {
    const unknown = "The code is invalid, expired or already used.";
    const query = tx.selectFrom("oauth_codes").selectAll().where("code_hash", "=", hashSecret(code));
    const row = await lockRows(query, database.engine, "update").executeTakeFirst();
    const { grant, others } = row ? await lockGrantAmongOthers(tx, row.grant_id, client) : { others: [] };
    if (!row || !grant) return refuse(unknown);
    if (row.used_at !== null) {
      if (clock.now() - row.used_at > REUSE_GRACE_MS) await endGrant(tx, deps, grant, "app.token_reused", address);
      return refuse(unknown);
    }
    if (row.expires_at <= clock.now() || !(await isValid(tx, grant))) return refuse(unknown);
    // One attempt only, whether it succeeds or not.
    await tx.updateTable("oauth_codes").set({ used_at: clock.now() }).where("id", "=", row.id).execute();
    if (redirect_uri !== undefined && redirect_uri !== row.redirect_uri) return refuse("redirect_uri is not the one of the authorization.");
    if (!secretsEqual(challengeOf(code_verifier ?? ""), row.code_challenge)) return refuse("code_verifier does not match the code_challenge.");
    if (resource !== undefined && row.resource !== null && withoutSlash(resource) !== withoutSlash(row.resource))
      return { refused: oauthError("invalid_target", "resource is not the one of the authorization.") };
    const connections = others.filter(wasExchanged);
    for (const outdated of connections.slice(0, Math.max(0, connections.length - GRANTS_PER_CLIENT + 1)))
      await endGrant(tx, deps, outdated, "app.disconnected", address);
    const detail = { client_id: client.public_id, scopes: scopesOf(grant) };
    await auditGrant(tx, clock.now(), grant, { action: "app.connected", tokenId: grant.parent_token_id, address, detail });
    deps.events.appendToAccounts(tx, [grant.account_id], "sessions.changed", {});
    return issue(tx, grant, client, scopesOf(grant));
  }

  async function refresh(tx: Tx, client: OAuthClient, { refresh_token: token = "", scope }: TokenParameters, address: string): Promise<Outcome> {
    const unknown = "The refresh token is invalid, expired or revoked.";
    const findRow = (): Promise<Row<"oauth_tokens"> | undefined> =>
      tx.selectFrom("oauth_tokens").selectAll().where("token_hash", "=", hashSecret(token)).where("kind", "=", "refresh").executeTakeFirst();
    const found = await findRow();
    const grant = found && (await lockGrant(tx, found.grant_id, client));
    if (!grant) return refuse(unknown);
    // Another request may have used the token while this one waited for the lock.
    const row = await findRow();
    if (!row) return refuse(unknown);
    if (row.used_at !== null) {
      if (clock.now() - row.used_at > REUSE_GRACE_MS) await endGrant(tx, deps, grant, "app.token_reused", address);
      return refuse("The refresh token was used before. Use the newest one.");
    }
    if (row.expires_at <= clock.now() || !(await isValid(tx, grant))) return refuse(unknown);
    const granted = scopesOf(grant);
    const scopes = scope === undefined ? granted : parseScopes(scope);
    if (scopes.length === 0 || scopes.some((name) => !granted.includes(name)))
      return { refused: oauthError("invalid_scope", "scope must not have more than was granted.") };
    // After the check for reuse, which must be noticed however often somebody else has refreshed. The token stays unused, so the client can try again with it.
    const bucket = throttleBuckets.refreshes(grant.id);
    await assertNotThrottled(tx, clock.now(), [bucket]);
    await insertAttempts(tx, clock.now(), [bucket]);
    await tx.updateTable("oauth_tokens").set({ used_at: clock.now() }).where("id", "=", row.id).execute();
    return issue(tx, grant, client, scopes);
  }

  return {
    /** Throws in the terms of RFC 6749, 5.2. */
    async issueTokens(parameters: TokenParameters, address: string): Promise<IssuedTokens> {
      const { grant_type: grantType } = parameters;
      const client = await loadClient(parameters.client_id);
      if (grantType !== "authorization_code" && grantType !== "refresh_token")
        throw oauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
      const isCode = grantType === "authorization_code";
      for (const name of isCode ? (["code", "code_verifier"] as const) : (["refresh_token"] as const))
        if (parameters[name] === undefined) throw oauthError("invalid_request", `${name} is missing.`);
      if (isCode && !CODE_VERIFIER.test(parameters.code_verifier ?? ""))
        throw oauthError("invalid_request", "code_verifier must be 43 to 128 letters, digits or - . _ ~");
      assertOwnResource(parameters.resource, publicUrl);
      if (parameters.scope !== undefined) parseScopes(parameters.scope);
      const outcome = await database.write((tx) => (isCode ? exchangeCode : refresh)(tx, client, parameters, address));
      if ("refused" in outcome) throw outcome.refused;
      return outcome.issued;
    },
    /**
     * Ends an access token, or the whole grant with a refresh token or with the access token of a client that gets no refresh tokens. Does nothing for a token
     * that is unknown or another client's (RFC 7009, 2.2).
     */
    async revoke({ token, client_id }: { token: string; client_id?: string | undefined }, address: string): Promise<void> {
      const client = await loadClient(client_id);
      await database.write(async (tx) => {
        const row = await tx.selectFrom("oauth_tokens").selectAll().where("token_hash", "=", hashSecret(token)).executeTakeFirst();
        const grant = row && (await lockGrant(tx, row.grant_id, client));
        if (!row || !grant) return;
        if (row.kind === "refresh" || !grantTypesOf(client).includes("refresh_token")) return endGrant(tx, deps, grant, "app.disconnected", address);
        await tx.deleteFrom("oauth_tokens").where("id", "=", row.id).execute();
        deps.events.appendToAccounts(tx, [grant.account_id], "sessions.changed", {});
      });
    },
  };
}

const withoutSlash = (uri: string): string => uri.replace(/\/$/, "");
