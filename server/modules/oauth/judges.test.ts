/**
 * Lets OAuth clients that others wrote use the service over HTTP: each one discovers and registers itself, sends a person to the consent, exchanges the
 * code, calls the API, refreshes its tokens and revokes them.
 */
import { auth, extractWWWAuthenticateParams, type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { TemporarilyUnavailableError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { applyMiddlewares, withOAuth } from "@modelcontextprotocol/sdk/client/middleware.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import { authorize, confirmConsent, listGrants } from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { ENGINES } from "../../testing/engines.ts";
import type { Fixtures } from "../../testing/fixtures.ts";
import { listenAtPublicUrl } from "../../testing/raw-socket.ts";
import { insertAttempts, throttleBuckets } from "../accounts/throttle.ts";
import { REUSE_GRACE_MS } from "./tokens.ts";

const REDIRECT_URI = "http://127.0.0.1:53682/callback";
const SCOPE = "account:read chat:read";
const CLIENT_NAME = "Studio sync";

describe.each(ENGINES)("OAuth clients of others on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  beforeAll(async () => void ({ fixtures, base } = await listenAtPublicUrl(engine)));
  afterAll(() => fixtures.testApp.close());

  /** Does what the browser of a signed-in person does who opens the client's link: follows it to the consent page and sends the page's form. */
  async function consent(authorizationUrl: URL, decision: "allow" | "deny" = "allow"): Promise<URL> {
    expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(base + authorize.path);
    const toPage = await fetch(authorizationUrl, { redirect: "manual" });
    expect(toPage.status).toBe(302);
    const page = new URL(toPage.headers.get("location") ?? "", base);
    expect(page.origin + page.pathname).toBe(`${base}/authorize`);
    const toClient = await fetch(base + confirmConsent.path, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: fixtures.member.headers["cookie"] ?? "", origin: base, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams([...page.searchParams, ["decision", decision]]),
    });
    expect(toClient.status, await toClient.clone().text()).toBe(302);
    return new URL(toClient.headers.get("location") ?? "");
  }

  const loadGrants = async () => (await fixtures.testApp.call(fixtures.member, listGrants)).response.data;
  /** Counts as many refreshes of every connection as there can be in an hour. */
  async function useUpRefreshes(): Promise<void> {
    const now = fixtures.testApp.clock.now();
    for (const { id } of await loadGrants()) {
      const bucket = throttleBuckets.refreshes(id);
      await fixtures.testApp.database.write((tx) =>
        insertAttempts(
          tx,
          now,
          Array.from({ length: bucket.max }, () => bucket),
        ),
      );
    }
  }
  const historyRequest = (): RequestInit => ({
    method: chatHistory.method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ project_id: fixtures.home.project }),
  });
  const messageRequest = (): RequestInit => ({ ...historyRequest(), body: JSON.stringify({ project_id: fixtures.home.project, body: "Hello" }) });
  type FetchWithToken = (url: string, init: RequestInit) => Promise<Response>;
  /** Reads the chat, which the grant allows. */
  async function expectReading(fetchWithToken: FetchWithToken): Promise<void> {
    const history = await fetchWithToken(base + chatHistory.path, historyRequest());
    expect([history.status, await history.json()]).toMatchObject([200, { object: "list", data: [{ body: "Welcome to home" }] }]);
  }
  /** Writes to the chat, which the grant does not allow: the client finds the missing scope in the response. */
  const expectChallenge = (fetchWithToken: FetchWithToken) =>
    expect(fetchWithToken(base + sendMessage.path, messageRequest())).rejects.toMatchObject({
      status: 403,
      cause: [{ scheme: "bearer", parameters: { error: "insufficient_scope", scope: "chat:write" } }],
    });
  async function expectEnded(token: string): Promise<void> {
    const response = await fetch(base + getSession.path, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
  }

  test("oauth4webapi", async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const resource = await oauth.processResourceDiscoveryResponse(new URL(base), await oauth.resourceDiscoveryRequest(new URL(base), insecure));
    const issuer = new URL(resource.authorization_servers?.[0] ?? "");
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }));
    expect(server.code_challenge_methods_supported).toEqual(["S256"]);
    expect(server.authorization_response_iss_parameter_supported).toBe(true);

    const metadata = { client_name: CLIENT_NAME, redirect_uris: [REDIRECT_URI], grant_types: ["authorization_code", "refresh_token"] };
    const registration = await oauth.dynamicClientRegistrationRequest(server, { ...metadata, token_endpoint_auth_method: "none" }, insecure);
    const client = await oauth.processDynamicClientRegistrationResponse(registration);
    expect(client).not.toHaveProperty("client_secret");
    expect(client["client_name"]).toBe(CLIENT_NAME);

    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const authorizationUrl = new URL(server.authorization_endpoint ?? "");
    authorizationUrl.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: "code",
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: resource.resource,
    }).toString();

    const denied = await consent(authorizationUrl, "deny");
    expect(() => oauth.validateAuthResponse(server, client, denied, state)).toThrow(expect.objectContaining({ error: "access_denied" }));
    const callback = oauth.validateAuthResponse(server, client, await consent(authorizationUrl), state);

    const exchange = () => oauth.authorizationCodeGrantRequest(server, client, oauth.None(), callback, REDIRECT_URI, verifier, insecure);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
    expect(tokens).toMatchObject({ token_type: "bearer", scope: SCOPE, expires_in: 3_600 });
    const fetchWithToken: FetchWithToken = (url, { method = "", headers, body }) =>
      oauth.protectedResourceRequest(tokens.access_token, method, new URL(url), new Headers(headers), body as string, insecure);
    await expectReading(fetchWithToken);
    await expectChallenge(fetchWithToken);

    const refresh = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", insecure);
    const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(await loadGrants()).toMatchObject([{ client_name: CLIENT_NAME, scopes: ["account:read", "chat:read"] }]);
    await useUpRefreshes();
    const limited = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", insecure);
    await expect(oauth.processRefreshTokenResponse(server, client, limited)).rejects.toMatchObject({ error: "temporarily_unavailable", status: 429 });

    const revocation = await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", insecure);
    expect(await oauth.processRevocationResponse(revocation)).toBeUndefined();
    await expectEnded(tokens.access_token);
    await expectEnded(refreshed.access_token);
    expect(await loadGrants()).toEqual([]);
  });

  test("openid-client", async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(base),
      { client_name: CLIENT_NAME, redirect_uris: [REDIRECT_URI], grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" },
      openid.None(),
      { algorithm: "oauth2", execute: [openid.allowInsecureRequests] },
    );
    const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const parameters = {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    };
    const callback = await consent(openid.buildAuthorizationUrl(config, parameters));
    const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    expect(tokens.expiresIn()).toBeLessThanOrEqual(3_600);
    const fetchWith =
      ({ access_token }: { access_token: string }): FetchWithToken =>
      (url, { method = "", headers, body }) =>
        openid.fetchProtectedResource(config, access_token, new URL(url), method, body as string, new Headers(headers));
    await expectReading(fetchWith(tokens));
    await expectChallenge(fetchWith(tokens));
    // The code works once: a later exchange ends what the first one gave.
    fixtures.testApp.clock.advance(REUSE_GRACE_MS + 1);
    await expect(openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState })).rejects.toMatchObject({ error: "invalid_grant" });
    await expectEnded(tokens.access_token);

    const secondTokens = await openid.authorizationCodeGrant(config, await consent(openid.buildAuthorizationUrl(config, parameters)), {
      pkceCodeVerifier,
      expectedState,
    });
    const refreshed = await openid.refreshTokenGrant(config, secondTokens.refresh_token ?? "");
    await expectReading(fetchWith(refreshed));
    await useUpRefreshes();
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token ?? "")).rejects.toMatchObject({ error: "temporarily_unavailable", status: 429 });
    await openid.tokenRevocation(config, refreshed.access_token);
    await expectEnded(refreshed.access_token);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
    expect(await loadGrants()).toEqual([]);
  });

  /** An MCP client that knows nothing of the service yet. Its person follows the link only when `follow` is called. */
  function createMcpProvider() {
    let information: OAuthClientInformationMixed | undefined;
    let saved: OAuthTokens | undefined;
    let verifier = "";
    let link: URL | undefined;
    const provider: OAuthClientProvider = {
      redirectUrl: REDIRECT_URI,
      clientMetadata: {
        client_name: "MCP client",
        redirect_uris: [REDIRECT_URI],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        scope: SCOPE,
      },
      clientInformation: () => information,
      saveClientInformation: (registered) => void (information = registered),
      tokens: () => saved,
      saveTokens: (tokens) => void (saved = tokens),
      redirectToAuthorization: (url) => void (link = url),
      saveCodeVerifier: (codeVerifier) => void (verifier = codeVerifier),
      codeVerifier: () => verifier,
      invalidateCredentials(kind) {
        if (kind === "all" || kind === "client") information = undefined;
        if (kind === "all" || kind === "tokens") saved = undefined;
      },
    };
    return {
      provider,
      savedTokens: () => saved ?? expect.fail("The client has no tokens"),
      /** Replaces the access token by one that the service does not accept. */
      spoilAccessToken: () => void (saved = saved && { ...saved, access_token: "spoiled" }),
      follow: () => consent(link ?? expect.fail("The client shows no link")),
    };
  }

  test("the MCP SDK's client, which starts from a 401", async () => {
    const { provider, savedTokens, spoilAccessToken, follow } = createMcpProvider();
    const fetchWithOAuth = applyMiddlewares(withOAuth(provider, base))(fetch);
    await expect(fetchWithOAuth(base + chatHistory.path, historyRequest())).rejects.toThrow(UnauthorizedError);
    const callback = await follow();
    expect(callback.searchParams.get("iss")).toBe(base);
    expect(await auth(provider, { serverUrl: base, authorizationCode: callback.searchParams.get("code") ?? "" })).toBe("AUTHORIZED");
    // The client asks for the scopes of the resource's metadata: enough to read, and no more.
    expect(savedTokens().scope).toBe("account:read chat:read files:read");
    await expectReading(fetchWithOAuth);
    const refused = await fetch(base + sendMessage.path, {
      ...messageRequest(),
      headers: { "content-type": "application/json", authorization: `Bearer ${savedTokens().access_token}` },
    });
    expect([refused.status, extractWWWAuthenticateParams(refused)]).toMatchObject([403, { error: "insufficient_scope", scope: "chat:write" }]);

    const { refresh_token: firstRefreshToken } = savedTokens();
    spoilAccessToken();
    // The SDK's client refreshes its tokens by itself after the 401.
    expect((await fetchWithOAuth(base + chatHistory.path, historyRequest())).status).toBe(200);
    expect(savedTokens().refresh_token).not.toBe(firstRefreshToken);
    // At the limit it waits: it neither forgets its tokens nor asks the person again.
    await useUpRefreshes();
    await expect(auth(provider, { serverUrl: base })).rejects.toThrow(TemporarilyUnavailableError);
    expect(savedTokens().refresh_token).toBeDefined();

    const [grant] = await loadGrants();
    expect(grant).toMatchObject({ client_name: "MCP client", redirect_hosts: ["127.0.0.1:53682"] });
    const { access_token, refresh_token = "" } = savedTokens();
    const client = await provider.clientInformation();
    // The SDK has no call for revocation, so this is a request as RFC 7009 describes it.
    const revocation = await fetch(`${base}/api/v2/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ token: refresh_token, client_id: client?.client_id ?? "" }),
    });
    expect(revocation.status).toBe(200);
    await expectEnded(access_token);
    // Without access it asks the person again, by itself.
    await expect(fetchWithOAuth(base + chatHistory.path, historyRequest())).rejects.toThrow(UnauthorizedError);
    expect((await follow()).searchParams.has("code")).toBe(true);
  });

  test("the MCP SDK's client registers again when the service has deleted its registration", async () => {
    const { database } = fixtures.testApp;
    const { provider, spoilAccessToken, follow } = createMcpProvider();
    const fetchWithOAuth = applyMiddlewares(withOAuth(provider, base))(fetch);
    await expect(fetchWithOAuth(base + chatHistory.path, historyRequest())).rejects.toThrow(UnauthorizedError);
    await auth(provider, { serverUrl: base, authorizationCode: (await follow()).searchParams.get("code") ?? "" });
    const { client_id: first = "" } = (await provider.clientInformation()) ?? {};
    await database.write(async (tx) => {
      const client = await tx.selectFrom("oauth_clients").select("id").where("public_id", "=", first).executeTakeFirstOrThrow();
      const grants = tx.selectFrom("api_tokens").select("id").where("client_id", "=", client.id);
      for (const table of ["oauth_codes", "oauth_tokens"] as const) await tx.deleteFrom(table).where("grant_id", "in", grants).execute();
      await tx.deleteFrom("api_tokens").where("client_id", "=", client.id).execute();
      await tx.deleteFrom("oauth_clients").where("id", "=", client.id).execute();
    });
    spoilAccessToken();
    await expect(fetchWithOAuth(base + chatHistory.path, historyRequest())).rejects.toThrow(UnauthorizedError);
    await auth(provider, { serverUrl: base, authorizationCode: (await follow()).searchParams.get("code") ?? "" });
    expect((await provider.clientInformation())?.client_id).not.toBe(first);
    await expectReading(fetchWithOAuth);
  });
});
