import { expect } from "vitest";
import { SCOPES } from "../../../contract/define-operation.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { ANONYMOUS } from "../client.ts";
import { connectApp, createVerifier, insertApp, REDIRECT_URI, registerApp, requestCode } from "../oauth.ts";
import { createApiToken } from "../people.ts";
import { bearerCaller, PUBLIC_URL } from "../test-app.ts";
import { BAD_ID_IN_PATH, LONE_SURROGATE, type EndpointCase } from "./case.ts";

const verifier = createVerifier();
const anonymous = () => ANONYMOUS;
const withoutInput: Pick<EndpointCase, "valid" | "invalid" | "rejectedRequests"> = { valid: () => ({}), invalid: {}, rejectedRequests: [] };

export const getAuthServerMetadata: EndpointCase = {
  ...withoutInput,
  caller: anonymous,
  assertResponse: ({ response }) =>
    expect(response).toEqual({
      issuer: PUBLIC_URL,
      authorization_endpoint: `${PUBLIC_URL}/api/v2/oauth/authorize`,
      token_endpoint: `${PUBLIC_URL}/api/v2/oauth/token`,
      revocation_endpoint: `${PUBLIC_URL}/api/v2/oauth/revoke`,
      registration_endpoint: `${PUBLIC_URL}/api/v2/oauth/register`,
      scopes_supported: [...SCOPES],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${PUBLIC_URL}/docs`,
    }),
  edgeCases: {},
};

export const getProtectedResourceMetadata: EndpointCase = {
  ...withoutInput,
  caller: anonymous,
  assertResponse: ({ response }) =>
    expect(response).toMatchObject({
      resource: PUBLIC_URL,
      authorization_servers: [PUBLIC_URL],
      scopes_supported: ["account:read", "chat:read", "files:read"],
    }),
  edgeCases: {
    "a refused request leads there": async ({ testApp }) => {
      const challenge = `Bearer realm="talkback", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`;
      expect((await testApp.call(ANONYMOUS, getSession)).headers["www-authenticate"]).toBe(challenge);
    },
  },
};

const BAD_REDIRECTS = [
  5,
  null,
  "https://app.test/callback",
  [],
  [5],
  [null],
  Array.from({ length: 11 }, (_, index) => `https://app.test/${index}`),
  ...[
    "",
    "/callback",
    "app.test/callback",
    "http://app.test/callback",
    "http://localhost.app.test/callback",
    "http://LOCALHOST/callback",
    "http://127.0.0.1.app.test/callback",
    "http://127.0.0.2/callback",
    "http://user@127.0.0.1/callback",
    "http://127.1/callback",
    "https://app.test/callback#fragment",
    "https://user:password@app.test/callback",
    "https://user@app.test",
    String.raw`https://app.test\@evil.test/callback`,
    "https://app.test/call back",
    "https://app.test/call\nback",
    "https://app.test;sandbox/callback",
    "https://app.test,evil.test/callback",
    "https://*.app.test/callback",
    "https://",
    "https:app.test",
    "HTTPS://app.test/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "com.example.app:/callback",
    "cursor://app.example/callback",
    "https://äpp.test/callback",
    `https://app.test/${LONE_SURROGATE}`,
    `https://app.test/${"x".repeat(2_000)}`,
  ].map((uri) => [uri]),
];

export const registerClient: EndpointCase = {
  caller: anonymous,
  status: 201,
  valid: () => ({ body: { redirect_uris: [REDIRECT_URI], client_name: "Cut\u202elist\u0007", logo_uri: "https://app.test/logo.svg", contacts: [5] } }),
  assertResponse: ({ response }) =>
    expect(response).toEqual({
      client_id: expect.stringMatching(/^tb_app_[0-9a-f]{16}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Cutlist",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
  invalid: {
    "body.redirect_uris": BAD_REDIRECTS,
    "body.client_name": [5, null, {}, "x".repeat(81)],
    "body.grant_types": [5, null, [], ["implicit"], ["refresh_token"], [null]],
    "body.response_types": [5, null, [], ["token"], ["code token"]],
    "body.token_endpoint_auth_method": [5, null, {}],
  },
  rejectedRequests: [["a registration without an address", () => ({ body: { client_name: "Cutlist" } }), 400]],
  edgeCases: {
    "names what is wrong in the terms of RFC 7591": async ({ testApp }) => {
      const errorOf = async (body: object) =>
        (JSON.parse((await testApp.callUntyped(ANONYMOUS, oauth.registerClient, { body })).text) as { error: string }).error;
      expect(await errorOf({ redirect_uris: ["http://app.test/"] })).toBe("invalid_redirect_uri");
      expect(await errorOf({ redirect_uris: [] })).toBe("invalid_redirect_uri");
      expect(await errorOf({})).toBe("invalid_client_metadata");
      expect(await errorOf({ redirect_uris: [REDIRECT_URI], grant_types: ["password"] })).toBe("invalid_client_metadata");
      expect(await errorOf({ redirect_uris: [REDIRECT_URI], client_name: 5 })).toBe("invalid_client_metadata");
    },
    "leaves out addresses that are not accepted, if others are": async ({ testApp }) => {
      const accepted = ["https://editor.test/redirect", "http://localhost/", "http://127.0.0.1/", "http://localhost:33418/", "http://127.0.0.1:33418/"];
      const body = { redirect_uris: ["editor://app.test/callback", ...accepted, "http://app.test/"] };
      expect((await testApp.call(ANONYMOUS, oauth.registerClient, { body })).response.redirect_uris).toEqual(accepted);
    },
    "says what to use instead of a scheme of the app's own": async ({ testApp }) => {
      const { text } = await testApp.callUntyped(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: ["cursor://app.example/callback"] } });
      expect(text).toContain("has a scheme of its own, which is not accepted. Use https://, or http://127.0.0.1 with any port");
    },
    "registers what it has, whatever else is asked for": async ({ testApp }) => {
      const body = {
        redirect_uris: ["http://127.0.0.1/callback", "http://[::1]:4000/callback?a=b", "http://127.0.0.1/callback"],
        client_name: "\u200b",
        grant_types: ["refresh_token", "authorization_code", "client_credentials"],
        token_endpoint_auth_method: "client_secret_basic",
      };
      expect((await testApp.call(ANONYMOUS, oauth.registerClient, { body })).response).toMatchObject({
        client_name: "127.0.0.1",
        redirect_uris: body.redirect_uris.slice(0, 2),
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
      });
    },
  },
};

export const issueToken: EndpointCase = {
  caller: anonymous,
  valid: async ({ testApp, member }) => {
    const client = await registerApp(testApp);
    const code = await requestCode(testApp, member, client, verifier);
    return { body: { grant_type: "authorization_code", client_id: client.id, redirect_uri: client.redirectUri, code, code_verifier: verifier } };
  },
  assertResponse: ({ response, reply }) => {
    expect(response).toEqual({
      access_token: expect.stringMatching(/^tb_at_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^tb_rt_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "account:read chat:read files:read",
    });
    expect(reply.headers["cache-control"]).toBe("no-store");
  },
  invalid: {
    "body.grant_type": ["", "password", "client_credentials", "x".repeat(101)],
    "body.client_id": ["x".repeat(101), "nul \0"],
    "body.code": ["", "unknown", "x".repeat(201)],
    "body.redirect_uri": ["x".repeat(2_049)],
    "body.code_verifier": ["", "short", "x".repeat(129), "x".repeat(42), `${"x".repeat(43)}!`, `${"x".repeat(43)} `],
    "body.refresh_token": ["x".repeat(201), "nul \0"],
    "body.scope": ["everything", "x".repeat(2_049)],
    "body.resource": ["https://other.test", `${PUBLIC_URL}.evil.test`, `${PUBLIC_URL}/v1`],
    "body.client_secret": ["x".repeat(501)],
  },
  rejectedRequests: [
    ["an unknown client", () => ({ body: { grant_type: "refresh_token", client_id: "unknown", refresh_token: "x" } }), 401],
    ["no client", () => ({ body: { grant_type: "refresh_token", refresh_token: "x" } }), 400],
    [
      "a client with a secret",
      async ({ testApp }) => ({ body: { grant_type: "refresh_token", client_id: (await registerApp(testApp)).id, refresh_token: "x", client_secret: "x" } }),
      401,
    ],
  ],
  edgeCases: {},
};

export const revokeOAuthToken: EndpointCase = {
  caller: anonymous,
  valid: async ({ testApp, member }) => {
    const app = await connectApp(testApp, member, ["account:read"]);
    return { body: { token: app.accessToken, client_id: app.client.id, token_type_hint: "refresh_token" } };
  },
  assertResponse: async ({ input, fixtures: { testApp } }) => {
    const { token } = input.body as { token: string };
    expect((await testApp.call(bearerCaller("app", token), getSession)).status).toBe(401);
  },
  invalid: {
    "body.token": ["", "x".repeat(8_193), "nul \0"],
    "body.token_type_hint": ["x".repeat(101)],
    "body.client_id": ["x".repeat(101), "nul \0"],
    "body.client_secret": ["x".repeat(501)],
  },
  rejectedRequests: [["an unknown client", () => ({ body: { token: "x", client_id: "unknown" } }), 401]],
  edgeCases: {},
};

export const listGrants: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest, member }) => {
    await connectApp(testApp, member);
    await connectApp(testApp, guest, ["chat:read"]);
    return {};
  },
  assertResponse: ({ data }) =>
    expect(data.slice(0, 1)).toEqual([
      {
        id: expect.any(Number),
        client_name: "Cutlist",
        redirect_hosts: ["app.test"],
        scopes: ["chat:read"],
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "leaves out what the client has not taken up": async ({ testApp, admin }) => {
      await requestCode(testApp, admin, await registerApp(testApp), verifier);
      expect((await testApp.call(admin, oauth.listGrants)).response.data).toEqual([]);
    },
    "lists only one's own": async ({ testApp, guest, member }) => {
      const app = await connectApp(testApp, member, ["chat:read"], await registerApp(testApp, REDIRECT_URI, "Of a member"));
      expect(app.refreshToken).not.toBe("");
      expect((await testApp.call(guest, oauth.listGrants)).response.data.map(({ client_name }) => client_name)).not.toContain("Of a member");
    },
  },
};

export const revokeGrant: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => ({ params: { grant_id: (await insertApp(testApp, member.id, ["account:read"])).grantId } }),
  assertResponse: async ({ input, fixtures: { testApp, member } }) => {
    const ids = (await testApp.call(member, oauth.listGrants)).response.data.map(({ id }) => id);
    expect(ids).not.toContain(input.params?.["grant_id"]);
  },
  invalid: { "params.grant_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a colleague's app", async ({ testApp, neighbor }) => ({ params: { grant_id: (await insertApp(testApp, neighbor.id, ["account:read"])).grantId } }), 404],
    ["an API token", async ({ testApp, member }) => ({ params: { grant_id: (await createApiToken(testApp, member)).id } }), 404],
  ],
  edgeCases: {},
};
