import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import * as session from "../../../contract/operations/session.ts";
import { ANONYMOUS } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { createPushTarget, mailTokenOf, subscribeBrowser } from "../notification-delivery.ts";
import { createSession } from "../people.ts";
import { BAD_BOOLEAN, BAD_ID_IN_PATH, BAD_SECRET, type EndpointCase } from "./case.ts";
import { extraMember } from "./helpers.ts";

const listIds = async ({ testApp, member }: Fixtures) => (await testApp.call(member, delivery.listPushSubscriptions)).response.data.map(({ id }) => id);
const otherSubscriptions: EndpointCase["rejectedRequests"] = [
  ["a colleague's browser", async ({ testApp, guest }) => ({ params: { subscription_id: (await subscribeBrowser(testApp, guest.id)).id } }), 404],
  [
    "a browser of another organization",
    async ({ testApp, foreignOwner }) => ({ params: { subscription_id: (await subscribeBrowser(testApp, foreignOwner.id)).id } }),
    404,
  ],
];

export const getPushKey: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ data }) => expect(Buffer.from(data.public_key, "base64url")).toHaveLength(65),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const listPushSubscriptions: EndpointCase = {
  caller: async ({ testApp, member }) => (await subscribeBrowser(testApp, member.id)).caller,
  valid: () => ({}),
  assertResponse: ({ response }) => {
    expect(response.data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    expect(JSON.stringify(response)).not.toContain("push.example");
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const createPushSubscription: EndpointCase = {
  caller: ({ testApp, member }) => createSession(testApp, member.id, "browser"),
  valid: () => ({ body: createPushTarget() }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ id: expect.any(Number), current: true }),
  invalid: {
    "body.endpoint": [
      5,
      null,
      "",
      "push.example",
      "http://push.example/x",
      "https://user:word@push.example/x",
      "https://127.0.0.1/x",
      "https://push.internal/x",
      `https://push.example/${"x".repeat(2_000)}`,
    ],
    "body.keys": [
      null,
      "x",
      {},
      { ...createPushTarget().keys, auth: "short" },
      { ...createPushTarget().keys, p256dh: "short" },
      // No point of the curve.
      { ...createPushTarget().keys, p256dh: Buffer.alloc(65, 4).toString("base64url") },
    ],
  },
  rejectedRequests: [],
  edgeCases: {
    "replaces the subscription of the session, and one of the same browser for somebody else": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const target = createPushTarget();
      const first = await subscribeBrowser(testApp, guest.id, target);
      const { id, caller } = await subscribeBrowser(testApp, member.id, target);
      expect((await testApp.call(first.caller, delivery.listPushSubscriptions)).response.data.map((one) => one.id)).not.toContain(first.id);
      const again = (await testApp.call(caller, delivery.createPushSubscription, { body: createPushTarget() })).response.data.id;
      expect(await listIds(fixtures)).toContain(again);
      expect(await listIds(fixtures)).not.toContain(id);
    },
    "ends with its session": async (fixtures) => {
      const { id, caller } = await subscribeBrowser(fixtures.testApp, fixtures.member.id);
      expect(await listIds(fixtures)).toContain(id);
      await fixtures.testApp.call(caller, session.signOut);
      expect(await listIds(fixtures)).not.toContain(id);
    },
    "stores address and keys encrypted": async ({ testApp, member }) => {
      const target = createPushTarget();
      const { id } = await subscribeBrowser(testApp, member.id, target);
      const row = await testApp.database.read.selectFrom("push_subscriptions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      for (const secret of [target.endpoint, target.keys.auth, target.keys.p256dh]) expect(JSON.stringify(row)).not.toContain(secret);
    },
  },
};

export const testPushSubscription: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => ({ params: { subscription_id: (await subscribeBrowser(testApp, member.id)).id } }),
  assertResponse: async ({ input, fixtures: { testApp } }) => {
    const id = Number(input.params?.["subscription_id"]);
    const queued = await testApp.database.read.selectFrom("notification_deliveries").selectAll().where("subscription_id", "=", id).execute();
    expect(queued).toMatchObject([{ is_test: 1, state: "pending", next_attempt_at: testApp.clock.now() }]);
  },
  invalid: { "params.subscription_id": BAD_ID_IN_PATH },
  rejectedRequests: otherSubscriptions,
  edgeCases: {},
};

export const deletePushSubscription: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => ({ params: { subscription_id: (await subscribeBrowser(testApp, member.id)).id } }),
  assertResponse: async ({ input, fixtures }) => expect(await listIds(fixtures)).not.toContain(input.params?.["subscription_id"]),
  invalid: { "params.subscription_id": BAD_ID_IN_PATH },
  rejectedRequests: otherSubscriptions,
  edgeCases: {},
};

export const getMailSettings: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ data, fixtures }) => expect(data).toEqual({ email: fixtures.guest.email, enabled: true, address_status: expect.any(String) }),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const updateMailSettings: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({ body: { enabled: true } }),
  assertResponse: ({ data, fixtures }) => expect(data).toEqual({ email: fixtures.guest.email, enabled: true, address_status: expect.any(String) }),
  invalid: { "body.enabled": BAD_BOOLEAN },
  rejectedRequests: [],
  edgeCases: {
    "unsubscribes, twice with the same result, and subscribes again": async ({ testApp, guest }) => {
      for (const enabled of [false, false, true, true]) {
        expect((await testApp.call(guest, delivery.updateMailSettings, { body: { enabled } })).response.data.enabled).toBe(enabled);
        expect((await testApp.call(guest, delivery.getMailSettings)).response.data.enabled).toBe(enabled);
      }
    },
  },
};

/** A token of the right form with a wrong signature, and one for an account that does not exist. */
const forgedTokens = async (fixtures: Fixtures): Promise<string[]> => {
  const token = await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id);
  return [`${token.slice(0, -1)}${token.endsWith("A") ? "Q" : "A"}`, token.replace(/^\d+/, "999999999")];
};
const badTokensIn = (part: "query" | "body", rest: object = {}): EndpointCase["rejectedRequests"] =>
  ["a wrong signature", "an unknown account"].map((name, index) => [
    name,
    async (fixtures) => ({ [part]: { token: (await forgedTokens(fixtures))[index], ...rest } }),
    404,
  ]);
const linkOfExtra = async (fixtures: Fixtures) => {
  const token = await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id);
  return (await fixtures.testApp.call(ANONYMOUS, delivery.previewMailLink, { body: { token } })).response.data;
};
const subscribeExtra = async (fixtures: Fixtures) => {
  const token = await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id);
  await fixtures.testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled: true } });
};

export const openMailLink: EndpointCase = {
  caller: () => ANONYMOUS,
  status: 302,
  valid: async (fixtures) => ({ query: { token: await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id) } }),
  assertResponse: async ({ reply, input, fixtures }) => {
    expect(reply.headers["location"]).toBe(`/unsubscribe#${String(input.query?.["token"])}`);
    // Mail programs and scanners open links; only a person decides.
    expect(await linkOfExtra(fixtures)).toMatchObject({ enabled: true });
  },
  invalid: { "query.token": ["", "x".repeat(257)] },
  rejectedRequests: [],
  edgeCases: {
    "whatever else is in the address leads to the page too": async ({ testApp }) => {
      const reply = await testApp.callUntyped(ANONYMOUS, delivery.openMailLink, { query: { token: "\u{1F600}\r\n" } });
      expect([reply.status, reply.headers["location"]]).toEqual([302, "/unsubscribe#%F0%9F%98%80%0D%0A"]);
    },
  },
};

export const unsubscribeByMailLink: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async (fixtures) => {
    await subscribeExtra(fixtures);
    return { query: { token: await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id) } };
  },
  assertResponse: async ({ fixtures }) => {
    expect(await linkOfExtra(fixtures)).toMatchObject({ enabled: false });
    await subscribeExtra(fixtures);
  },
  invalid: { "query.token": ["", "x".repeat(257)] },
  rejectedRequests: badTokensIn("query"),
  edgeCases: {
    "takes a form of either kind from another site, as mail programs send it": async (fixtures) => {
      const { testApp } = fixtures;
      const url = `${delivery.unsubscribeByMailLink.path}?token=${await mailTokenOf(testApp, (await extraMember(fixtures)).id)}`;
      const multipart = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
      const forms = { "application/x-www-form-urlencoded": "List-Unsubscribe=One-Click", "multipart/form-data; boundary=x": multipart };
      for (const [type, payload] of Object.entries(forms)) {
        await subscribeExtra(fixtures);
        const headers = { "content-type": type, origin: "https://mail.example", "sec-fetch-site": "cross-site" };
        expect((await testApp.app.server.inject({ method: "POST", url, headers, payload })).statusCode, type).toBe(204);
        expect(await linkOfExtra(fixtures), type).toMatchObject({ enabled: false });
      }
      await subscribeExtra(fixtures);
    },
    "ends when the account gets another address": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await extraMember(fixtures);
      const token = await mailTokenOf(testApp, person.id);
      await testApp.call(person, accounts.updateAccount, { body: { email: "moved@talkback.test" } });
      expect((await testApp.call(ANONYMOUS, delivery.unsubscribeByMailLink, { query: { token } })).status).toBe(404);
      await testApp.call(person, accounts.updateAccount, { body: { email: person.email } });
      expect((await testApp.call(ANONYMOUS, delivery.previewMailLink, { body: { token } })).status).toBe(200);
    },
  },
};

export const previewMailLink: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async (fixtures) => ({ body: { token: await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id) } }),
  assertResponse: async ({ data, fixtures }) => expect(data).toEqual({ organisation: "Northwind", email: (await extraMember(fixtures)).email, enabled: true }),
  invalid: { "body.token": BAD_SECRET },
  rejectedRequests: badTokensIn("body"),
  edgeCases: {},
};

export const applyMailLink: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async (fixtures) => ({ body: { token: await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id), enabled: true } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ organisation: "Northwind", enabled: true }),
  invalid: { "body.token": BAD_SECRET, "body.enabled": BAD_BOOLEAN },
  rejectedRequests: badTokensIn("body", { enabled: false }),
  edgeCases: {
    "unsubscribes and subscribes again": async (fixtures) => {
      const token = await mailTokenOf(fixtures.testApp, (await extraMember(fixtures)).id);
      for (const enabled of [false, true]) {
        await fixtures.testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled } });
        expect(await linkOfExtra(fixtures)).toMatchObject({ enabled });
      }
    },
  },
};
