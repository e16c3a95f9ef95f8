import { expect } from "vitest";
import { SCOPES } from "../../../contract/define-operation.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { ANONYMOUS, type Caller, type Reply } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { authorizationParameters, createVerifier, insertApp, REDIRECT_URI, redirectParameters, registerApp } from "../oauth.ts";
import { createApiToken } from "../people.ts";
import { PUBLIC_URL } from "../test-app.ts";
import type { EndpointCase } from "./case.ts";

const verifier = createVerifier();
const anonymous = () => ANONYMOUS;

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
        const unchanged = { ...parameters, ...(change["client_id"] ? { client_id: change["client_id"] } : {}) };
        expect([reply.status, locationOf(reply).split("?")[0], redirectParameters(reply), reply.text]).toEqual([
          302,
          "/authorize",
          { ...unchanged, ...(refused === undefined ? {} : { refused }) },
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
