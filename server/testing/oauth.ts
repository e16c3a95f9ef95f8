/** Connects apps by the whole flow: registration, consent, exchange of the code. */
import { createHash } from "node:crypto";
import type { Scope } from "../../contract/define-operation.ts";
import * as oauth from "../../contract/operations/oauth.ts";
import { DAY, HOUR } from "../lib/clock.ts";
import { hashSecret, newSecret } from "../lib/crypto.ts";
import { ANONYMOUS, type Caller, type Reply } from "./client.ts";
import { bearerCaller, type TestApp } from "./test-app.ts";

export const REDIRECT_URI = "https://app.test/callback";
export interface TestClient {
  id: string;
  redirectUri: string;
}
/** A caller with the access token of a connected app. */
export interface ConnectedApp extends Caller {
  client: TestClient;
  accessToken: string;
  refreshToken: string;
}

let addressCount = 0;
/** From another network each time, because the number of registrations of one is limited. */
export async function registerApp(testApp: TestApp, redirectUri = REDIRECT_URI, name = "Cutlist"): Promise<TestClient> {
  const body = { redirect_uris: [redirectUri], client_name: name, grant_types: ["authorization_code", "refresh_token"] };
  addressCount += 1;
  const address = `10.${addressCount >> 16}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
  return { id: (await testApp.call(ANONYMOUS, oauth.registerClient, { body }, { address })).response.client_id, redirectUri };
}

export const createVerifier = (): string => newSecret();
export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

export const authorizationParameters = (client: TestClient, verifier: string, scopes?: readonly Scope[]) => ({
  response_type: "code",
  client_id: client.id,
  redirect_uri: client.redirectUri,
  code_challenge: challengeOf(verifier),
  code_challenge_method: "S256",
  state: "a state",
  ...(scopes ? { scope: scopes.join(" ") } : {}),
});

/** Returns the parameters of a redirect. */
export const redirectParameters = ({ headers }: Reply<unknown>): Record<string, string> =>
  Object.fromEntries(new URL(String(headers["location"]), "http://own.page").searchParams);

/** Allows the client as on the consent page, or with the API token of the caller, and returns the code. */
export async function requestCode(testApp: TestApp, person: Caller, client: TestClient, verifier: string, scopes?: readonly Scope[]): Promise<string> {
  const [, apiToken] = /^Bearer (.*)$/.exec(person.headers["authorization"] ?? "") ?? [];
  const body = { ...authorizationParameters(client, verifier, scopes), decision: "allow", ...(apiToken ? { api_token: apiToken } : {}) };
  const { code } = redirectParameters(await testApp.call(apiToken ? ANONYMOUS : person, oauth.confirmConsent, { body }));
  if (code === undefined) throw new Error("The redirect has no code");
  return code;
}

export const exchangeCode = (testApp: TestApp, client: TestClient, code: string, verifier: string) =>
  testApp.call(ANONYMOUS, oauth.issueToken, {
    body: { grant_type: "authorization_code", client_id: client.id, redirect_uri: client.redirectUri, code, code_verifier: verifier },
  });

export const refreshTokens = (testApp: TestApp, client: TestClient, refreshToken: string, more: Record<string, string> = {}) =>
  testApp.call(ANONYMOUS, oauth.issueToken, { body: { grant_type: "refresh_token", client_id: client.id, refresh_token: refreshToken, ...more } });

export async function connectApp(testApp: TestApp, person: Caller, scopes?: readonly Scope[], client?: TestClient): Promise<ConnectedApp> {
  const app = client ?? (await registerApp(testApp));
  const verifier = createVerifier();
  const { response } = await exchangeCode(testApp, app, await requestCode(testApp, person, app, verifier, scopes), verifier);
  return {
    ...bearerCaller(`${person.name}'s app`, response.access_token),
    client: app,
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? "",
  };
}

/**
 * Inserts an app that the account has connected, and returns a caller with its access token. `grantScopes`: those of the grant if the token has fewer.
 * `accessExpiresAt`: when the token ends, in an hour by default.
 */
export async function insertApp(
  testApp: TestApp,
  accountId: number,
  scopes: readonly Scope[],
  { grantScopes = scopes, revokedAt = null, accessExpiresAt }: { grantScopes?: readonly Scope[]; revokedAt?: number | null; accessExpiresAt?: number } = {},
): Promise<Caller & { grantId: number }> {
  const now = testApp.clock.now();
  const accessToken = `tb_at_${newSecret()}`;
  const grantId = await testApp.database.write(async (tx) => {
    const client = await tx
      .insertInto("oauth_clients")
      .values({
        public_id: newSecret(),
        name: "Cutlist",
        redirect_uris: JSON.stringify([REDIRECT_URI]),
        grant_types: JSON.stringify(["authorization_code", "refresh_token"]),
        created_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const grant = await tx
      .insertInto("api_tokens")
      .values({
        account_id: accountId,
        name: "Cutlist",
        public_id: newSecret(),
        token_hash: "",
        scopes: JSON.stringify(grantScopes),
        created_at: now,
        expires_at: now + 30 * DAY,
        last_used_at: now,
        revoked_at: revokedAt,
        client_id: client.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("oauth_tokens")
      .values({
        token_hash: hashSecret(accessToken),
        grant_id: grant.id,
        kind: "access",
        scopes: JSON.stringify(scopes),
        created_at: now,
        expires_at: accessExpiresAt ?? now + HOUR,
      })
      .execute();
    return grant.id;
  });
  return { ...bearerCaller("app", accessToken), grantId };
}
