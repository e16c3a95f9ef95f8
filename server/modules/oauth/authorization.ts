/** Authorization requests (RFC 6749 4.1.1, RFC 7636, RFC 8707), and what people decide about them. */
import type { Scope } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { SECOND } from "../../lib/clock.ts";
import { hashSecret, newPublicId, newSecret } from "../../lib/crypto.ts";
import { conflict } from "../../lib/errors.ts";
import { assertNotThrottled, insertAttempts, throttleBuckets } from "../accounts/throttle.ts";
import { findClient, grantTypesOf, lockClient, redirectUrisOf, unknownClient, type OAuthClient } from "./clients.ts";
import type { OAuthDeps } from "./deps.ts";
import { liveGrants } from "./grants.ts";
import { assertOwnResource, oauthError, parseScopes } from "./protocol.ts";
import { matchesRedirect, withParameters } from "./redirect-uris.ts";
import { ACCESS_TOKEN_TTL_MS, GRANT_MAX_AGE_MS } from "./tokens.ts";

/** The parameters of an authorization request, as they came. */
export interface AuthorizationParameters {
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  response_type?: string | undefined;
  response_mode?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
  resource?: string | undefined;
}
/** Where the response goes. */
export interface Destination {
  client: OAuthClient;
  redirectUri: string;
}
interface ParsedRequest {
  scopes: Scope[];
  codeChallenge: string;
  resource: string | null;
}

/** Clients exchange the code as soon as they have it. */
export const CODE_TTL_MS = 60 * SECOND;
export const DEFAULT_SCOPES: readonly Scope[] = ["account:read", "chat:read", "files:read"];
/** The base64url of a SHA-256. */
const CODE_CHALLENGE = /^[\w-]{43}$/;

/** A client without refresh tokens has one access token, and a minute to get it. */
const maxAgeOf = (client: OAuthClient): number => (grantTypesOf(client).includes("refresh_token") ? GRANT_MAX_AGE_MS : CODE_TTL_MS + ACCESS_TOKEN_TTL_MS);

export function createAuthorization(deps: OAuthDeps) {
  const { database, clock, publicUrl, authentication } = deps;

  function parseRequest(parameters: AuthorizationParameters): ParsedRequest {
    if (parameters.response_type === undefined) throw oauthError("invalid_request", "response_type is missing.");
    if (parameters.response_type !== "code") throw oauthError("unsupported_response_type", "response_type must be code.");
    if (parameters.response_mode !== undefined && parameters.response_mode !== "query") throw oauthError("invalid_request", "response_mode must be query.");
    // Without a method the challenge would be a plain one (RFC 7636, 4.3).
    if (parameters.code_challenge === undefined || parameters.code_challenge_method !== "S256")
      throw oauthError("invalid_request", "PKCE is required: send code_challenge with code_challenge_method=S256.");
    if (!CODE_CHALLENGE.test(parameters.code_challenge)) throw oauthError("invalid_request", "code_challenge must be the base64url of a SHA-256.");
    assertOwnResource(parameters.resource, publicUrl);
    const scopes = parameters.scope === undefined ? [...DEFAULT_SCOPES] : parseScopes(parameters.scope);
    if (scopes.length === 0) throw oauthError("invalid_scope", "scope must have at least one scope.");
    return { scopes, codeChallenge: parameters.code_challenge, resource: parameters.resource ?? null };
  }

  /**
   * Locks the session or API token that authorizes the actor, so that whoever ends it waits for this transaction and then finds the grant. Returns whether it is
   * still valid.
   */
  async function lockAuthorization(tx: Tx, actor: Actor): Promise<boolean> {
    if (actor.sessionId !== null) await lockRows(tx.selectFrom("sessions").select("id").where("id", "=", actor.sessionId), database.engine, "share").execute();
    if (actor.tokenId !== null) await lockRows(tx.selectFrom("api_tokens").select("id").where("id", "=", actor.tokenId), database.engine, "share").execute();
    return (await authentication.reauthenticate(actor, tx)) !== null;
  }

  const liveGrantsOf = (tx: Pick<Tx, "selectFrom">, actor: Actor) => liveGrants(tx as Tx, clock.now()).where("account_id", "=", actor.accountId);
  const TOO_MANY = `You can have at most ${LIMITS.oauth_grants} connected apps. Disconnect one that you no longer use.`;

  return {
    parseRequest,
    /** Returns where the response goes. Throws an error that must be shown, never redirected: the address may belong to anybody (RFC 6749, 4.1.2.1). */
    async findDestination({ client_id: clientId, redirect_uri: redirectUri }: AuthorizationParameters): Promise<Destination> {
      if (clientId === undefined) throw oauthError("invalid_request", "client_id is missing.");
      const client = await findClient(database.read, clientId);
      if (!client) throw unknownClient();
      if (redirectUri === undefined) throw oauthError("invalid_request", "redirect_uri is missing.");
      if (!redirectUrisOf(client).some((registered) => matchesRedirect(registered, redirectUri)))
        throw oauthError("invalid_request", "redirect_uri is not one of the addresses that this app has registered.");
      return { client, redirectUri };
    },
    /** Returns the redirect that hands the client its response. `iss` lets the client notice the response of another server (RFC 9207). */
    responseUrl: ({ redirectUri }: Destination, { state }: AuthorizationParameters, response: Record<string, string>): string =>
      withParameters(redirectUri, { ...response, state, iss: publicUrl }),
    /** Returns what the consent page shows. */
    async preview(actor: Actor, { client, redirectUri }: Destination, parameters: AuthorizationParameters) {
      assertCan(actor, "self", {}, "");
      const { scopes } = parseRequest(parameters);
      const { count } = await liveGrantsOf(database.read as Tx, actor)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      if (count >= LIMITS.oauth_grants) throw conflict(TOO_MANY);
      return { client, redirectUri, scopes, resource: publicUrl, expiresAt: clock.now() + maxAgeOf(client) };
    },
    /**
     * Stores the person's consent, and returns the code for the client. The grant ends with its code until the client has exchanged it. With an API token the
     * client gets at most the token's scopes. Throws a 401 if the session or token has ended meanwhile.
     */
    async allow(actor: Actor, { client, redirectUri }: Destination, parameters: AuthorizationParameters): Promise<string> {
      assertCan(actor, "self", {}, "");
      if (actor.isAgent) throw oauthError("access_denied", "This token belongs to an agent, which cannot connect apps.");
      const { scopes: requested, codeChallenge, resource } = parseRequest(parameters);
      const scopes = requested.filter((scope) => actor.scopes === null || actor.scopes.includes(scope));
      if (scopes.length === 0) throw oauthError("invalid_scope", "The API token has none of the requested scopes.");
      const code = newSecret();
      await database.write(async (tx) => {
        if (!(await lockAuthorization(tx, actor))) throw oauthError("access_denied", "Your session or API token has ended. Sign in again.", 401);
        if (!(await lockClient(tx, database.engine, client.id))) throw unknownClient();
        const now = clock.now();
        const bucket = throttleBuckets.consents(actor.accountId);
        await assertNotThrottled(tx, now, [bucket]);
        await insertAttempts(tx, now, [bucket]);
        const rows = liveGrantsOf(tx, actor);
        await assertCountBelow(tx, database.engine, { name: `grants of account ${actor.accountId}`, max: LIMITS.oauth_grants, rows, denial: TOO_MANY });
        const expiresAt = now + CODE_TTL_MS;
        const grant = await insertGrant(tx, { actor, client, scopes, now, expiresAt });
        await tx
          .insertInto("oauth_codes")
          .values({
            code_hash: hashSecret(code),
            grant_id: grant.id,
            redirect_uri: redirectUri,
            code_challenge: codeChallenge,
            resource,
            created_at: now,
            expires_at: expiresAt,
          })
          .execute();
      });
      return code;
    },
  };
}

const insertGrant = (
  tx: Tx,
  { actor, client, scopes, now, expiresAt }: { actor: Actor; client: OAuthClient; scopes: Scope[]; now: number; expiresAt: number },
): Promise<Row<"api_tokens">> =>
  tx
    .insertInto("api_tokens")
    .values({
      account_id: actor.accountId,
      name: client.name,
      public_id: newPublicId(),
      // No secret has this hash: only the tokens in `oauth_tokens` authenticate.
      token_hash: "",
      scopes: JSON.stringify(scopes),
      created_at: now,
      expires_at: expiresAt,
      client_id: client.id,
      parent_token_id: actor.tokenId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
