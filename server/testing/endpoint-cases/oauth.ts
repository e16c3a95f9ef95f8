import { expect } from "vitest";
import { SCOPES } from "../../../contract/define-operation.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { ANONYMOUS, type Caller, type Reply } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { authorizationParameters, connectApp, createVerifier, insertApp, REDIRECT_URI, redirectParameters, registerApp, requestCode } from "../oauth.ts";
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
      expect(await errorOf({})).toBe("invalid_redirect_uri");
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

const request = async ({ testApp }: Fixtures) => authorizationParameters(await registerApp(testApp), verifier, ["chat:read"]);
const repeated = async (fixtures: Fixtures, name: string) => {
  const parameters = await request(fixtures);
  return `${new URLSearchParams(parameters)}&${new URLSearchParams({ [name]: (parameters as Record<string, string>)[name] ?? "x" })}`;
};
const tooLong = (name: string): string => "x".repeat(name === "state" ? 8_193 : 2_049);
/** Values that stop a request before it is known where its response goes. */
const badParameters = (part: "query" | "body"): EndpointCase["invalid"] => ({
  [`${part}.client_id`]: ["", "unknown", "x".repeat(101), "nul \0"],
  [`${part}.redirect_uri`]: [
    "",
    "https://app.test/callback/",
    "https://app.test/",
    "https://app.test:8443/callback",
    `${REDIRECT_URI}?a=b`,
    "//evil.test",
    "nul \0",
  ],
  ...Object.fromEntries(
    ["response_type", "response_mode", "code_challenge", "code_challenge_method", "scope", "state", "resource"].map((name) => [
      `${part}.${name}`,
      [tooLong(name), "nul \0"],
    ]),
  ),
});
const REQUEST_ERRORS: [Record<string, string>, string][] = [
  [{ response_type: "" }, "invalid_request"],
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ response_mode: "fragment" }, "invalid_request"],
  [{ code_challenge: "" }, "invalid_request"],
  [{ code_challenge: "short" }, "invalid_request"],
  [{ code_challenge_method: "" }, "invalid_request"],
  [{ code_challenge_method: "plain" }, "invalid_request"],
  [{ scope: "everything" }, "invalid_scope"],
  [{ scope: " " }, "invalid_scope"],
  [{ resource: "https://other.test" }, "invalid_target"],
];
const HTML = { headers: { accept: "text/html,*/*" } };
const locationOf = ({ headers }: Reply<unknown>): string => String(headers["location"]);

export const authorize: EndpointCase = {
  caller: anonymous,
  status: 302,
  valid: async (fixtures) => ({ query: await request(fixtures) }),
  assertResponse: ({ reply, input }) => expect(locationOf(reply)).toBe(`/authorize?${new URLSearchParams(sorted(input.query as Record<string, string>))}`),
  invalid: badParameters("query"),
  rejectedRequests: [["an invalid request", async (f) => ({ query: { ...(await request(f)), scope: "everything" } }), 400]],
  edgeCases: {
    "leads nowhere but to the page, also somebody who is signed in": async (fixtures) => {
      const { testApp, member } = fixtures;
      for (const [change, error] of [
        ...REQUEST_ERRORS,
        [{ client_id: "unknown" }, "invalid_client"],
        [{ redirect_uri: "https://evil.test/" }, "invalid_request"],
      ] as const) {
        const query = { ...(await request(fixtures)), ...change };
        const program = await testApp.callUntyped(member, oauth.authorize, { query });
        expect([program.status, JSON.parse(program.text)], JSON.stringify(change)).toMatchObject([400, { error }]);
        const browser = await testApp.callUntyped(member, oauth.authorize, { query }, HTML);
        expect([browser.status, locationOf(browser)]).toEqual([302, expect.stringMatching(/^\/authorize\?/)]);
        expect(redirectParameters(browser)).toEqual(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")));
      }
    },
    "shows a browser errors from before the handler too": async (fixtures) => {
      const query = await repeated(fixtures, "scope");
      const send = (search: string) => fixtures.testApp.send(ANONYMOUS, { method: "GET", url: `${oauth.authorize.path}?${search}`, ...HTML });
      expect(new URL(locationOf(await send(query)), PUBLIC_URL).searchParams.getAll("scope")).toEqual(["chat:read", "chat:read"]);
      expect((await send(`state=${"x".repeat(8_193)}`)).status).toBe(302);
    },
    "refuses repeated parameters": async (fixtures) => {
      for (const name of ["client_id", "redirect_uri", "state", "scope", "code_challenge", "resource"]) {
        const query = await repeated(fixtures, name);
        const first = name === "resource" ? `${query}&resource=${PUBLIC_URL}` : query;
        const reply = await fixtures.testApp.send(fixtures.member, { method: "GET", url: `${oauth.authorize.path}?${first}` });
        expect([reply.status, JSON.parse(reply.text)], name).toEqual([400, { error: "invalid_request", error_description: expect.any(String) }]);
      }
    },
  },
};
/** In the order in which the consent page gets them. */
const sorted = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    ["client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method"].flatMap((name) =>
      query[name] === undefined ? [] : [[name, query[name]]],
    ),
  );

export const getConsent: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ query: { ...(await request(fixtures)), resource: `${PUBLIC_URL}/` } }),
  assertResponse: ({ data }) =>
    expect(data).toEqual({
      client: { name: "Cutlist", redirect_host: "app.test", is_local: false, is_verified: false, registered_at: expect.any(String) },
      scopes: ["chat:read"],
      resource: PUBLIC_URL,
      expires_at: expect.any(String),
    }),
  invalid: badParameters("query"),
  rejectedRequests: REQUEST_ERRORS.map(([change, error]) => [
    `${error}: ${JSON.stringify(change)}`,
    async (fixtures) => ({ query: { ...(await request(fixtures)), ...change } }),
    400,
  ]),
  edgeCases: {
    "names the error": async (fixtures) => {
      const reply = await fixtures.testApp.callUntyped(fixtures.member, oauth.getConsent, { query: { ...(await request(fixtures)), client_id: "unknown" } });
      expect(reply.problem).toMatchObject({ status: 400, error: "invalid_client" });
      expect(reply.problem).not.toHaveProperty("return_url");
    },
    "builds the link that hands the error to the client, if its address is valid": async (fixtures) => {
      for (const [change, error] of REQUEST_ERRORS) {
        const query = { ...(await request(fixtures)), state: "s".repeat(8_192), ...change };
        const { problem } = await fixtures.testApp.callUntyped(fixtures.member, oauth.getConsent, { query });
        expect(problem).toMatchObject({ status: 400, error, return_url: expect.stringMatching(/^https:\/\/app\.test\/callback\?/) });
        const parameters = Object.fromEntries(new URL(String(problem?.return_url)).searchParams);
        expect(parameters).toEqual({ error, error_description: problem?.detail, state: "s".repeat(8_192), iss: PUBLIC_URL });
      }
    },
  },
};

export const confirmConsent: EndpointCase = {
  caller: anonymous,
  status: 302,
  valid: async (fixtures) => {
    const token = await createApiToken(fixtures.testApp, fixtures.member, ["chat:read"]);
    return { body: { ...(await request(fixtures)), decision: "allow", api_token: String(token.headers["authorization"]).slice("Bearer ".length) } };
  },
  assertResponse: ({ reply }) => {
    expect(locationOf(reply)).toMatch(/^https:\/\/app\.test\/callback\?/);
    expect(redirectParameters(reply)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state: "a state", iss: PUBLIC_URL });
    expect(reply.headers["cache-control"]).toBe("no-store");
  },
  invalidStatus: 400,
  invalid: {
    ...badParameters("body"),
    "body.decision": ["", "yes", "allow ", "x".repeat(11)],
    "body.account_id": ["x".repeat(21), "nul \0"],
    "body.api_token": ["x".repeat(201), "nul \0"],
  },
  rejectedRequests: [
    ["nobody", async (fixtures) => ({ body: { ...(await request(fixtures)), decision: "allow" } }), 401],
    ["nobody who denies", async (fixtures) => ({ body: { ...(await request(fixtures)), decision: "deny" } }), 401],
    ["an unknown API token", async (f) => ({ body: { ...(await request(f)), decision: "allow", api_token: `tb_pat_00000000_${"x".repeat(43)}` } }), 401],
    [
      "the access token of another app",
      async (fixtures) => {
        const { headers } = await insertApp(fixtures.testApp, fixtures.member.id, SCOPES);
        return { body: { ...(await request(fixtures)), decision: "allow", api_token: String(headers["authorization"]).slice("Bearer ".length) } };
      },
      401,
    ],
  ],
  edgeCases: {
    denies: async (fixtures) => {
      const reply = await fixtures.testApp.call(fixtures.member, oauth.confirmConsent, { body: { ...(await request(fixtures)), decision: "deny" } });
      expect(redirectParameters(reply)).toEqual({ error: "access_denied", error_description: expect.any(String), state: "a state", iss: PUBLIC_URL });
    },
    "refuses an account that is no longer the one of the page": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const body = { ...(await request(fixtures)), decision: "allow", account_id: String(member.id) };
      expect((await testApp.call(guest, oauth.confirmConsent, { body })).status).toBe(401);
      expect((await testApp.call(member, oauth.confirmConsent, { body })).status).toBe(302);
    },
    "sends a browser that it refuses back to the page, with the status": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const parameters = await request(fixtures);
      const confirm = (caller: Caller, change: Record<string, string>) =>
        testApp.callUntyped(caller, oauth.confirmConsent, { body: { ...parameters, decision: "allow", ...change } }, HTML);
      const refusals: [Caller, Record<string, string>, string | undefined][] = [
        [ANONYMOUS, {}, "401"],
        [guest, { account_id: String(member.id) }, "401"],
        [{ name: "browser", headers: { cookie: member.headers["cookie"] ?? "" } }, {}, "403"],
        [member, { decision: "perhaps" }, undefined],
        [member, { client_id: "unknown" }, undefined],
      ];
      for (const [caller, change, refused] of refusals) {
        const reply = await confirm(caller, change);
        const kept = { ...parameters, ...(change["client_id"] ? { client_id: change["client_id"] } : {}) };
        expect([reply.status, locationOf(reply).split("?")[0], redirectParameters(reply), reply.text]).toEqual([
          302,
          "/authorize",
          { ...kept, ...(refused === undefined ? {} : { refused }) },
          "",
        ]);
      }
      const program = await confirm(ANONYMOUS, { api_token: "tb_pat_x" });
      expect([program.status, JSON.parse(program.text)]).toMatchObject([401, { error: "access_denied" }]);
    },
    "accepts the session only from our own page": async (fixtures) => {
      const { testApp, member } = fixtures;
      const body = { ...(await request(fixtures)), decision: "allow" };
      const { cookie = "" } = member.headers;
      const origins: Record<string, string>[] = [
        {},
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.test" },
        { origin: "null" },
      ];
      for (const headers of origins)
        expect((await testApp.call({ name: "browser", headers: { cookie, ...headers } }, oauth.confirmConsent, { body })).status).toBe(403);
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
    "body.redirect_uri": ["", tooLong("resource")],
    "body.code_verifier": ["", "short", "x".repeat(129), "x".repeat(42), `${"x".repeat(43)}!`, `${"x".repeat(43)} `],
    "body.refresh_token": ["x".repeat(201), "nul \0"],
    "body.scope": ["everything", tooLong("resource")],
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
    "body.token": ["", "x".repeat(201), "nul \0"],
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
