/** Tests what the RFCs ask of responses in general, and what clients of OAuth 2.1 and of the Model Context Protocol send. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession } from "../../../contract/operations/session.ts";
import { HOUR, MINUTE } from "../../lib/clock.ts";
import { ANONYMOUS, type Reply } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { authorizationParameters, connectApp, createVerifier, redirectParameters, registerApp, REDIRECT_URI, requestCode } from "../../testing/oauth.ts";
import { bearerCaller, PUBLIC_URL } from "../../testing/test-app.ts";

/** RFC 6749, 4.1.2.1 and 5.2. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;
/** Of a page of another origin. */
const FOREIGN = { origin: "https://app.test", "sec-fetch-site": "cross-site" };

describe.each(ENGINES)("the protocol of OAuth on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const token = (body: Record<string, unknown>, options = {}) => fixtures.testApp.callUntyped(ANONYMOUS, oauth.issueToken, { body }, options);
  const bodyOf = ({ text }: Reply<unknown>) => JSON.parse(text) as Record<string, string>;
  async function start() {
    const [client, verifier] = [await registerApp(fixtures.testApp), createVerifier()];
    const code = await requestCode(fixtures.testApp, fixtures.member, client, verifier, ["account:read"]);
    return { client, valid: { grant_type: "authorization_code", client_id: client.id, code, code_verifier: verifier } };
  }

  it("exchanges a code without redirect_uri, as clients of OAuth 2.1 do, and refuses a wrong one", async () => {
    const { valid } = await start();
    const reply = await token(valid);
    expect(reply.status).toBe(200);
    expect((await fixtures.testApp.call(bearerCaller("app", bodyOf(reply)["access_token"] ?? ""), getSession)).status).toBe(200);
    expect(bodyOf(await token({ ...(await start()).valid, redirect_uri: `${REDIRECT_URI}/` }))["error"]).toBe("invalid_grant");
  });

  it("checks a resource that only one of the two requests has", async () => {
    const { client, valid } = await start();
    expect((await token({ ...valid, resource: `${PUBLIC_URL}/` })).status).toBe(200);
    const verifier = createVerifier();
    const body = { ...authorizationParameters(client, verifier), resource: PUBLIC_URL, decision: "allow" };
    const { code } = redirectParameters(await fixtures.testApp.call(fixtures.member, oauth.confirmConsent, { body }));
    expect((await token({ ...valid, code, code_verifier: verifier })).status).toBe(200);
    for (const resource of ["https://other.test", `${PUBLIC_URL}/v1`, "talkback"])
      expect(bodyOf(await token({ ...(await start()).valid, resource }))["error"]).toBe("invalid_target");
  });

  it("allows no response to be stored", async () => {
    const { client, valid } = await start();
    const replies = [
      await token(valid),
      await token(valid),
      await fixtures.testApp.callUntyped(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: [REDIRECT_URI] } }),
      await fixtures.testApp.callUntyped(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: "x", client_id: client.id } }),
      await fixtures.testApp.callUntyped(ANONYMOUS, oauth.authorize, { query: authorizationParameters(client, createVerifier()) }),
    ];
    expect(replies.map(({ status, headers }) => [status, headers["cache-control"]])).toEqual([200, 400, 201, 200, 302].map((status) => [status, "no-store"]));
  });

  it("describes errors in the characters that the RFC allows, also where a request has others", async () => {
    const { client, valid } = await start();
    const hostile = '\\"é\u2028<script>';
    const replies = [
      await token({ ...valid, grant_type: hostile }),
      await token({ ...valid, client_id: hostile }),
      await token({ ...valid, scope: hostile }),
      await token({ ...valid, resource: hostile }),
      await token({ ...valid, code_verifier: hostile }),
      await fixtures.testApp.callUntyped(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: [hostile] } }),
      await fixtures.testApp.callUntyped(ANONYMOUS, oauth.registerClient, { body: { redirect_uris: [REDIRECT_URI], grant_types: [hostile] } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 401, 400, 400, 400, 400, 400]);
    for (const reply of replies) expect(bodyOf(reply)["error_description"]).toMatch(DESCRIPTION);
    const confirm = async (change: Record<string, string>) =>
      redirectParameters(
        await fixtures.testApp.call(fixtures.member, oauth.confirmConsent, {
          body: { ...authorizationParameters(client, createVerifier()), decision: "allow", ...change },
        }),
      );
    for (const [name, value] of [
      ["scope", hostile],
      ["resource", hostile],
      ["response_type", hostile],
      ["decision", "deny"],
    ] as const)
      expect((await confirm({ [name]: value }))["error_description"]).toMatch(DESCRIPTION);
  });

  it("refuses clients that authenticate, at every endpoint for tokens", async () => {
    const { client, valid } = await start();
    for (const secret of ["", "secret"]) {
      const headers = { ...FOREIGN, authorization: `Basic ${btoa(`${client.id}:${secret}`)}` };
      for (const reply of [
        await token(valid, { headers }),
        await fixtures.testApp.callUntyped(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: "x" } }, { headers }),
      ])
        expect([reply.status, bodyOf(reply)["error"], reply.headers["www-authenticate"], reply.headers["access-control-allow-origin"]]).toEqual([
          401,
          "invalid_client",
          'Basic realm="talkback"',
          "*",
        ]);
    }
  });

  it("revokes nothing, and says so with a 200, for the token of another server, however long", async () => {
    const { client } = await start();
    const reply = await fixtures.testApp.callUntyped(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: `eyJ${"x".repeat(4_000)}`, client_id: client.id } });
    expect([reply.status, bodyOf(reply)]).toEqual([200, {}]);
  });

  it("answers HEAD for the metadata, and 404 for those of OpenID Connect and of other paths", async () => {
    const send = (method: "GET" | "HEAD", url: string) => fixtures.testApp.send(ANONYMOUS, { method, url, headers: FOREIGN });
    for (const { path } of [oauth.getAuthServerMetadata, oauth.getProtectedResourceMetadata]) {
      const { status, headers, text } = await send("HEAD", path);
      expect([status, headers["content-type"], headers["access-control-allow-origin"], text]).toEqual([200, "application/json; charset=utf-8", "*", ""]);
      // Clients that were given an address with a path ask here first, and then at the root.
      expect((await send("GET", `${path}/v1`)).status).toBe(404);
    }
    expect((await send("GET", "/.well-known/openid-configuration")).status).toBe(404);
  });

  it("shows when access ends: soon for an app without refresh tokens", async () => {
    const { testApp, member } = fixtures;
    const expiry = async (grant_types?: string[]) => {
      const body = { redirect_uris: [REDIRECT_URI], ...(grant_types ? { grant_types } : {}) };
      const { client_id } = (await testApp.call(ANONYMOUS, oauth.registerClient, { body })).response;
      const query = authorizationParameters({ id: client_id, redirectUri: REDIRECT_URI }, createVerifier());
      return Date.parse((await testApp.call(member, oauth.getConsent, { query })).response.data.expires_at) - testApp.clock.now();
    };
    expect([await expiry(), await expiry(["authorization_code", "refresh_token"])]).toEqual([HOUR + MINUTE, 90 * 24 * HOUR]);
  });

  it("ignores an access token in the query", async () => {
    const { accessToken } = await connectApp(fixtures.testApp, fixtures.member);
    const { status } = await fixtures.testApp.send(ANONYMOUS, { method: "GET", url: `${getSession.path}?access_token=${accessToken}` });
    expect(status).toBe(401);
  });

  it("is published with the members that a client must send, and a guide with this service's address", async () => {
    interface Published {
      paths: Record<string, { post: { requestBody: { content: Record<string, { schema: { required?: string[] } }> } } }>;
      tags: { name: string; description: string }[];
    }
    const { paths, tags } = JSON.parse((await fixtures.testApp.send(ANONYMOUS, { method: "GET", url: "/openapi.json" })).text) as Published;
    const required = ({ path }: { path: string }) => Object.values(paths[path]?.post.requestBody.content ?? {}).map(({ schema }) => schema.required);
    expect([required(oauth.registerClient), required(oauth.issueToken), required(oauth.revokeOAuthToken)]).toEqual([
      [["redirect_uris"]],
      [["grant_type"]],
      [["token"]],
    ]);
    const { description } = tags.find(({ name }) => name === "OAuth") ?? expect.fail("There is no guide");
    for (const text of [`curl -X POST ${PUBLIC_URL}${oauth.issueToken.path}`, oauth.revokeOAuthToken.path, "error_description"])
      expect(description).toContain(text);
  });
});
