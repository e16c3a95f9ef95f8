/** The OAuth 2.0 authorization server (service document 5): authorization code with PKCE for public clients, which register themselves. */
import * as z from "zod/mini";
import { list, operation, single } from "../define-operation.ts";
import { authServerMetadata, clientRegistration, oauthConsent, oauthGrant, protectedResourceMetadata, tokenResponse } from "../oauth-records.ts";
import { idInPath, text, withDescription } from "../text.ts";

const parameter = (description: string, max = 2_048) => withDescription(z.optional(text(max)), description);
const requiredParameter = (description: string, max = 2_048) => withDescription(text(max), description);
/** A parameter that the schema does not require, so that the handler can return a better error than that it is missing. */
const checkedLater = (description: string, max?: number) => parameter(`required: ${description}`, max);
const clientId = checkedLater("as registered", 100);

const authorizationRequest = {
  client_id: clientId,
  redirect_uri: checkedLater("one of the registered addresses; on `http://127.0.0.1`, `http://[::1]` and `http://localhost` the port may differ"),
  response_type: checkedLater("`code`"),
  response_mode: parameter("`query`"),
  scope: parameter("separated by spaces, default `account:read chat:read files:read`"),
  state: parameter("returned unchanged", 8_192),
  code_challenge: checkedLater("base64url of the SHA-256 of the verifier (RFC 7636)"),
  code_challenge_method: checkedLater("`S256`"),
  resource: parameter("the address of this service (RFC 8707)"),
};

export const getAuthServerMetadata = operation({
  method: "GET",
  path: "/.well-known/oauth-authorization-server",
  group: "OAuth",
  summary: "Authorization server metadata (RFC 8414)",
  source: "documented",
  scope: null,
  rule: "open",
  response: authServerMetadata,
  anyOrigin: true,
});
export const getProtectedResourceMetadata = operation({
  method: "GET",
  path: "/.well-known/oauth-protected-resource",
  group: "OAuth",
  summary: "Protected resource metadata (RFC 9728)",
  source: "extension",
  scope: null,
  rule: "open",
  response: protectedResourceMetadata,
  anyOrigin: true,
});
export const registerClient = operation({
  method: "POST",
  path: "/api/v2/oauth/register",
  group: "OAuth",
  summary: "Register a client (RFC 7591); every client is public, so none gets a secret",
  source: "documented",
  scope: null,
  rule: "open",
  cost: 5,
  body: z.object({
    redirect_uris: withDescription(
      z.array(z.string()),
      "1 to 10 addresses with https, or with http on 127.0.0.1, [::1] or localhost; others are left out if one of these is there",
    ),
    client_name: withDescription(z.optional(z.string()), "shown on the consent page, default: the host of the first address"),
    grant_types: withDescription(z.optional(z.array(z.string())), "default `authorization_code` alone; with `refresh_token` the client gets refresh tokens"),
    response_types: withDescription(z.optional(z.array(z.string())), "default `code`"),
    token_endpoint_auth_method: withDescription(z.optional(z.string()), "registered as `none`, whatever is asked for"),
  }),
  response: clientRegistration,
  status: 201,
  oauthErrors: "invalid_client_metadata",
  anyOrigin: true,
});
export const authorize = operation({
  method: "GET",
  path: "/api/v2/oauth/authorize",
  group: "OAuth",
  summary: "Begin an authorization: redirects to the consent page, which also shows a browser what is wrong",
  source: "extension",
  scope: null,
  rule: "open",
  query: z.object(authorizationRequest),
  response: null,
  status: 302,
  oauthErrors: "invalid_request",
});
export const getConsent = operation({
  method: "GET",
  path: "/api/v2/oauth/consent",
  group: "OAuth",
  summary:
    "What the consent page shows; takes the parameters of the authorization. An error whose client and address are valid has `return_url`, which hands the error to the client",
  source: "documented",
  scope: "session",
  rule: "self",
  query: z.object(authorizationRequest),
  response: single("oauth_consent", oauthConsent),
  errors: { 409: "You have as many connected apps as you can have." },
});
export const confirmConsent = operation({
  method: "POST",
  path: "/api/v2/oauth/confirm",
  group: "OAuth",
  summary:
    "Allow or deny an authorization; takes its parameters, and redirects to the client with `code`, `state` and `iss` or with `error`. A browser that is refused comes back to the page with the status as `refused`. Needs the session of a browser on our own page, or `api_token`",
  source: "documented",
  scope: null,
  rule: "open",
  cost: 5,
  form: true,
  body: z.object({
    ...authorizationRequest,
    decision: checkedLater("`allow` or `deny`", 10),
    account_id: parameter("the account that the page showed; refused if another one is signed in", 20),
    api_token: parameter("authorizes instead of the session; the client gets at most its scopes, and access ends with it", 200),
  }),
  response: null,
  status: 302,
  oauthErrors: "invalid_request",
  errors: { 401: "Neither a session nor a valid `api_token`.", 409: "You have as many connected apps as you can have." },
});
export const issueToken = operation({
  method: "POST",
  path: "/api/v2/oauth/token",
  group: "OAuth",
  summary: "Exchange a code or a refresh token for tokens (RFC 6749, 7636); a refresh token works once, and its successor is in the response",
  source: "documented",
  scope: null,
  rule: "open",
  cost: 2,
  form: true,
  body: z.object({
    grant_type: requiredParameter("`authorization_code` or `refresh_token`", 100),
    client_id: clientId,
    code: parameter("the code of the redirect; it works once, within 60 seconds", 200),
    redirect_uri: parameter("the same as in the authorization, or none as in OAuth 2.1, because the verifier already proves who began it"),
    code_verifier: parameter("43 to 128 letters, digits or - . _ ~", 200),
    refresh_token: parameter("the newest refresh token", 200),
    scope: parameter("on a refresh: fewer scopes for the new access token"),
    resource: parameter("the address of this service (RFC 8707)"),
    client_secret: parameter("refused: clients have no secret", 500),
  }),
  response: tokenResponse,
  oauthErrors: "invalid_request",
  anyOrigin: true,
  errors: { 401: "The client is unknown, or sent a secret." },
});
export const revokeOAuthToken = operation({
  method: "POST",
  path: "/api/v2/oauth/revoke",
  group: "OAuth",
  summary: "Revoke a token (RFC 7009); a refresh token ends the whole connection, and an unknown token is no error",
  source: "documented",
  scope: null,
  rule: "open",
  form: true,
  body: z.object({
    token: requiredParameter("an access or refresh token", 8_192),
    token_type_hint: parameter("not needed", 100),
    client_id: clientId,
    client_secret: parameter("refused: clients have no secret", 500),
  }),
  response: z.object({}),
  oauthErrors: "invalid_request",
  anyOrigin: true,
  errors: { 401: "The client is unknown, or sent a secret." },
});
export const listGrants = operation({
  method: "GET",
  path: "/api/v2/oauth/grants",
  group: "OAuth",
  summary: "List the apps that you have connected",
  source: "extension",
  scope: "session",
  rule: "self",
  response: list(oauthGrant),
});
export const revokeGrant = operation({
  method: "DELETE",
  path: "/api/v2/oauth/grants/{grant_id}",
  group: "OAuth",
  summary: "Disconnect an app; its tokens end at once",
  source: "extension",
  scope: "session",
  rule: "self",
  params: z.object({ grant_id: idInPath }),
  response: null,
});
