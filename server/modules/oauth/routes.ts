/** Routes of the OAuth authorization server, and the redirects of people's browsers. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { SCOPES } from "../../../contract/define-operation.ts";
import { type AuthServerMetadata } from "../../../contract/oauth-records.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import type { Actor } from "../../access/access.ts";
import { isSameOriginRequest } from "../../http/authenticator.ts";
import type { RouteContext } from "../../http/module.ts";
import { list, single } from "../../http/responses.ts";
import { forbidden, HttpError } from "../../lib/errors.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { clientAddress } from "../../lib/network.ts";
import { DEFAULT_SCOPES, type AuthorizationParameters } from "./authorization.ts";
import { GRANT_TYPES, grantTypesOf, redirectUrisOf } from "./clients.ts";
import { consentPageUrl, letConsentPageRedirect, sendBrowsersToPage } from "./consent-page.ts";
import type { OAuthDeps } from "./deps.ts";
import { oauthError } from "./protocol.ts";
import { isLocalRedirect, redirectHost } from "./redirect-uris.ts";
import type { OAuthServices } from "./services.ts";

export function registerOAuthRoutes(context: RouteContext, services: OAuthServices, deps: OAuthDeps): void {
  registerMetadataRoutes(context, deps);
  registerAuthorizationRoutes(context, services, deps);
  registerTokenRoutes(context, services);
  registerGrantRoutes(context, services);
  sendBrowsersToPage(context);
  letConsentPageRedirect(context, services);
}

function registerMetadataRoutes({ route }: RouteContext, { publicUrl }: OAuthDeps): void {
  const at = (path: string): string => `${publicUrl}${path}`;
  const documentation = at("/docs");
  const metadata: AuthServerMetadata = {
    issuer: publicUrl,
    authorization_endpoint: at(oauth.authorize.path),
    token_endpoint: at(oauth.issueToken.path),
    revocation_endpoint: at(oauth.revokeOAuthToken.path),
    registration_endpoint: at(oauth.registerClient.path),
    scopes_supported: [...SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: [...GRANT_TYPES],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: documentation,
  };
  route(oauth.getAuthServerMetadata, async () => metadata);
  route(oauth.getProtectedResourceMetadata, async () => ({
    resource: publicUrl,
    resource_name: "Talkback",
    authorization_servers: [publicUrl],
    // Clients ask for all scopes that this lists, so it lists those for reading: whoever wants more must ask for it by name.
    scopes_supported: [...DEFAULT_SCOPES],
    bearer_methods_supported: ["header"],
    resource_documentation: documentation,
  }));
}

/** A parameter without a value counts as missing (RFC 6749, 3.1). */
const withoutEmpty = (parameters: AuthorizationParameters): AuthorizationParameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
const redirect = (reply: FastifyReply, url: string): undefined => void reply.header("Cache-Control", "no-store").redirect(url, 302);

function registerAuthorizationRoutes({ route, cookie }: RouteContext, { authorization }: OAuthServices, { authentication, publicUrl }: OAuthDeps): void {
  const identifySession = async (request: FastifyRequest): Promise<Actor | null> => {
    const token = cookie.read(request);
    const actor = token ? await authentication.bySession(token) : null;
    return actor && { ...actor, address: clientAddress(request) };
  };

  /** Returns the error code of the protocol that the client gets; null for errors that it does not get, such as its own absence. */
  const clientError = (error: unknown): string | null => {
    const code = error instanceof HttpError && error.status === 400 ? error.extensions["error"] : undefined;
    return typeof code === "string" && code !== "invalid_client" ? code : null;
  };

  // Never redirects to the client by itself, not even with an error: clients register themselves, so a link to this service would lead to any address at once
  // (RFC 9700, 4.11.2). The page shows the error with a link back.
  route(oauth.authorize, async ({ query: received, reply }) => {
    const query = withoutEmpty(received);
    await authorization.findDestination(query);
    authorization.parseRequest(query);
    return redirect(reply, consentPageUrl(query));
  });

  route(oauth.getConsent, async ({ actor, query: received }) => {
    const query = withoutEmpty(received);
    const destination = await authorization.findDestination(query);
    const { client, redirectUri, scopes, resource, expiresAt } = await authorization.preview(actor, destination, query).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      const response = { error: clientError(error) ?? "access_denied", error_description: error.message };
      const return_url = authorization.responseUrl(destination, query, response);
      throw new HttpError(error.status, error.message, { extensions: { ...error.extensions, return_url } });
    });
    return single("oauth_consent", {
      client: {
        name: client.name,
        redirect_host: redirectHost(redirectUri),
        is_local: isLocalRedirect(redirectUri),
        is_verified: false,
        registered_at: iso(client.created_at),
      },
      scopes: [...scopes],
      resource,
      expires_at: iso(expiresAt),
    });
  });

  async function identifyDecider(apiToken: string | undefined, request: FastifyRequest): Promise<Actor | null> {
    if (apiToken === undefined) {
      const actor = await identifySession(request);
      if (actor && !isSameOriginRequest(request.headers, publicUrl)) throw forbidden("This request did not come from Talkback's own page.");
      return actor;
    }
    const actor = await authentication.byBearer(apiToken);
    // An app must not connect further apps that outlast it.
    if (!actor || actor.accessTokenId !== undefined) throw oauthError("access_denied", "This API token is invalid, expired or revoked.", 401);
    return { ...actor, address: clientAddress(request) };
  }

  route(oauth.confirmConsent, async ({ body, request, reply }) => {
    const destination = await authorization.findDestination(body);
    const actor = await identifyDecider(body.api_token, request);
    if (!actor) throw oauthError("access_denied", "Sign in, or send an API token as api_token.", 401);
    if (body.account_id !== undefined && body.account_id !== String(actor.accountId))
      throw oauthError("access_denied", "Another account has signed in since this page was opened.", 401);
    if (body.decision !== "allow" && body.decision !== "deny") throw oauthError("invalid_request", "decision must be allow or deny.");
    try {
      if (body.decision === "deny") throw oauthError("access_denied", "The person denied access.");
      const code = await authorization.allow(actor, destination, body);
      return redirect(reply, authorization.responseUrl(destination, body, { code }));
    } catch (error) {
      const code = clientError(error);
      if (code === null) throw error;
      return redirect(reply, authorization.responseUrl(destination, body, { error: code, error_description: (error as HttpError).message }));
    }
  });
}

function registerTokenRoutes({ route }: RouteContext, { oauthClients, oauthTokens }: OAuthServices): void {
  route(oauth.registerClient, async ({ body, request, reply }) => {
    const client = await oauthClients.register(body, clientAddress(request));
    void reply.code(201);
    return {
      client_id: client.public_id,
      client_id_issued_at: Math.floor(client.created_at / 1_000),
      client_name: client.name,
      redirect_uris: redirectUrisOf(client),
      grant_types: grantTypesOf(client),
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  });
  route(oauth.issueToken, async ({ body, request, reply }) => {
    assertNoSecret(body, request, reply);
    const { accessToken, refreshToken, expiresInMs, scopes } = await oauthTokens.issueTokens(body, clientAddress(request));
    void reply.header("Pragma", "no-cache");
    return {
      access_token: accessToken,
      token_type: "Bearer" as const,
      expires_in: Math.floor(expiresInMs / 1_000),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
      scope: scopes.join(" "),
    };
  });
  route(oauth.revokeOAuthToken, async ({ body, request, reply }) => {
    assertNoSecret(body, request, reply);
    await oauthTokens.revoke(body, clientAddress(request));
    return {};
  });
}

/** Refuses clients that authenticate: they were registered somewhere else. */
function assertNoSecret({ client_secret }: { client_secret?: string | undefined }, { headers }: FastifyRequest, reply: FastifyReply): void {
  const hasHeader = /^basic /i.test(headers.authorization ?? "");
  if (client_secret === undefined && !hasHeader) return;
  if (hasHeader) void reply.header("WWW-Authenticate", 'Basic realm="talkback"');
  throw oauthError("invalid_client", "Clients of this service have no secret. Send client_id in the body, and no Authorization header.", 401);
}

function registerGrantRoutes({ route }: RouteContext, { grants }: OAuthServices): void {
  route(oauth.listGrants, async ({ actor }) =>
    list(
      (await grants.list(actor)).map((grant) => ({
        id: grant.id,
        client_name: grant.name,
        redirect_hosts: [...new Set(redirectUrisOf(grant).map(redirectHost))],
        scopes: JSON.parse(grant.scopes) as string[],
        created_at: iso(grant.created_at),
        last_used_at: isoOrNull(grant.last_used_at),
        expires_at: iso(grant.expires_at ?? grant.created_at),
      })),
    ),
  );
  route(oauth.revokeGrant, ({ actor, params }) => grants.revoke(actor, params.grant_id).then(() => undefined));
}
