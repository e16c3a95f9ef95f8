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
import { DEFAULT_SCOPES, type AuthorizationParameters, type Destination } from "./authorization.ts";
import { GRANT_TYPES, grantTypesOf, redirectUrisOf } from "./clients.ts";
import type { OAuthDeps } from "./deps.ts";
import { oauthError } from "./protocol.ts";
import { isLocalRedirect, redirectHost, redirectSource, withParameters } from "./redirect-uris.ts";
import type { OAuthServices } from "./services.ts";

/** The page of the web client that asks for consent. */
const CONSENT_PAGE = "/authorize";
const PARAMETERS = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const satisfies (keyof AuthorizationParameters)[];

export function registerOAuthRoutes(context: RouteContext, services: OAuthServices, deps: OAuthDeps): void {
  registerMetadataRoutes(context, deps);
  registerAuthorizationRoutes(context, services, deps);
  registerTokenRoutes(context, services);
  registerGrantRoutes(context, services);
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

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes("text/html") ?? false;
/** A parameter without a value counts as missing (RFC 6749, 3.1). */
const withoutEmpty = (parameters: AuthorizationParameters): AuthorizationParameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
const redirect = (reply: FastifyReply, url: string): undefined => void reply.header("Cache-Control", "no-store").redirect(url, 302);

function registerAuthorizationRoutes({ route, cookie }: RouteContext, { authorization }: OAuthServices, { authentication, publicUrl }: OAuthDeps): void {
  const consentPage = (parameters: AuthorizationParameters): string =>
    withParameters(CONSENT_PAGE, Object.fromEntries(PARAMETERS.map((name) => [name, parameters[name]])));

  const identifySession = async (request: FastifyRequest): Promise<Actor | null> => {
    const token = cookie.read(request);
    const actor = token ? await authentication.bySession(token) : null;
    return actor && { ...actor, address: clientAddress(request) };
  };

  /** A browser shows an error on our page; a program gets it as JSON. */
  function show(error: unknown, parameters: AuthorizationParameters, request: FastifyRequest, reply: FastifyReply): undefined {
    if (!(error instanceof HttpError) || !acceptsHtml(request)) throw error;
    return redirect(reply, consentPage(parameters));
  }
  /** Redirects to the client with an error of the protocol; throws every other one. */
  function redirectError(error: unknown, destination: Destination, parameters: AuthorizationParameters, reply: FastifyReply): undefined {
    const code = error instanceof HttpError && error.status === 400 ? error.extensions["error"] : undefined;
    if (typeof code !== "string") throw error;
    return redirect(reply, authorization.responseUrl(destination, parameters, { error: code, error_description: (error as HttpError).message }));
  }

  route(oauth.authorize, async ({ query: received, request, reply }) => {
    const query = withoutEmpty(received);
    let destination: Destination;
    try {
      destination = await authorization.findDestination(query);
    } catch (error) {
      return show(error, query, request, reply);
    }
    try {
      authorization.parseRequest(query);
    } catch (error) {
      // Clients register themselves, so their addresses are no safer than any other. A link to this service must not lead on to one of them at once
      // (RFC 9700, 4.11.2): only somebody who is signed in is redirected with an error.
      return (await identifySession(request)) ? redirectError(error, destination, query, reply) : show(error, query, request, reply);
    }
    return redirect(reply, consentPage(query));
  });

  route(oauth.getConsent, async ({ actor, query: received }) => {
    const query = withoutEmpty(received);
    const { client, redirectUri, scopes, resource, expiresAt } = await authorization.preview(actor, await authorization.findDestination(query), query);
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
    if (!actor) return show(oauthError("access_denied", "Sign in, or send an API token as api_token.", 401), body, request, reply);
    if (body.account_id !== undefined && body.account_id !== String(actor.accountId))
      return show(oauthError("access_denied", "Another account has signed in since this page was opened.", 401), body, request, reply);
    if (body.decision !== "allow" && body.decision !== "deny") throw oauthError("invalid_request", "decision must be allow or deny.");
    try {
      if (body.decision === "deny") throw oauthError("access_denied", "The person denied access.");
      const code = await authorization.allow(actor, destination, body);
      return redirect(reply, authorization.responseUrl(destination, body, { code }));
    } catch (error) {
      return redirectError(error, destination, body, reply);
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

/**
 * Lets the form of the consent page, and no other, be redirected to the client: browsers apply `form-action` to redirects too. The form's request must name its
 * origin, which browsers leave out without a referrer, because a service without https gets no `Sec-Fetch-Site`.
 */
function letConsentPageRedirect({ server }: RouteContext, { authorization }: OAuthServices): void {
  server.addHook("onSend", async (request, reply, payload) => {
    const policy = reply.getHeader("content-security-policy");
    if (request.method !== "GET" || request.url.split("?", 1)[0]?.replace(/\/$/, "") !== CONSENT_PAGE || typeof policy !== "string") return payload;
    void reply.header("referrer-policy", "same-origin");
    const { client_id, redirect_uri } = request.query as Record<string, unknown>;
    if (typeof client_id !== "string" || typeof redirect_uri !== "string") return payload;
    const destination = await authorization.findDestination({ client_id, redirect_uri }).catch(() => null);
    if (destination)
      void reply.header("content-security-policy", policy.replace("form-action 'self'", `form-action 'self' ${redirectSource(destination.redirectUri)}`));
    return payload;
  });
}
