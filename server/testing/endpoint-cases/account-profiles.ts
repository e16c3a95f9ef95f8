import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as profiles from "../../../contract/operations/account-profiles.ts";
import { createApiToken } from "../people.ts";
import { insertAvatar, PICTURE } from "../pictures.ts";
import { BAD_EMAIL, BAD_ID_IN_PATH, badLine, badText, withoutNull, type EndpointCase } from "./case.ts";
import { extraMember } from "./helpers.ts";

const PROFILE = { time_zone: "Europe/Zagreb", locale: "en-IE", working_hours: { days: [5, 1], start: "22:00", end: "06:30" } };

export const getOwnAccount: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ id: fixtures.guest.id, username: "guest", avatar_url: null, time_zone: null }),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const getAccountV2: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ member }) => ({ params: { account_id: member.id } }),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ id: fixtures.member.id, email: fixtures.member.email, working_hours: null }),
  invalid: { "params.account_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a person who shares no project with a guest", ({ neighbor }) => ({ params: { account_id: neighbor.id } }), 404],
    ["a person of another organization", ({ foreignMember }) => ({ params: { account_id: foreignMember.id } }), 404],
    ["an account that does not exist", () => ({ params: { account_id: 999_999 } }), 404],
  ],
  edgeCases: {},
};

export const updateAccount: EndpointCase = {
  caller: extraMember,
  valid: () => ({ body: { username: " Extra ", email: "extra@talkback.test", user_info: "Mixes\nat night", ...PROFILE } }),
  assertResponse: ({ data }) =>
    expect(data).toMatchObject({
      username: "Extra",
      user_info: "Mixes\nat night",
      ...PROFILE,
      working_hours: { days: [1, 5], start: "22:00", end: "06:30" },
    }),
  invalid: {
    "body.username": [...badLine(60), "owner", "a@b.test"],
    "body.email": [...BAD_EMAIL, "OWNER@talkback.test"],
    "body.user_info": badText(500),
    "body.time_zone": [...withoutNull(badLine(64)), "Europe/Atlantis", "+02:00", "../etc/passwd", "Europe/Zagreb "],
    "body.locale": [...withoutNull(badLine(64)), "e", "EN-gb", "en_GB", "en-GB@posix"],
    "body.working_hours": [
      5,
      [],
      {},
      ...[[], [0], [8], [1, 1], [1.5], "weekdays"].map((days) => ({ ...PROFILE.working_hours, days })),
      ...["24:00", "9:00", "09:60", "", 9, null].map((start) => ({ ...PROFILE.working_hours, start })),
      { days: [1], start: "09:00", end: "09:00" },
    ],
  },
  rejectedRequests: [],
  edgeCases: {
    "accepts the caller's current name": async ({ testApp, member }) =>
      expect((await testApp.call(member, accounts.updateAccount, { body: { username: "Member" } })).response.data.username).toBe("Member"),
    "null removes a value, and what is left out stays": async (fixtures) => {
      const person = await extraMember(fixtures);
      await fixtures.testApp.call(person, accounts.updateAccount, { body: PROFILE });
      const reply = await fixtures.testApp.call(person, accounts.updateAccount, { body: { locale: null } });
      expect(reply.response.data).toMatchObject({ time_zone: "Europe/Zagreb", locale: null, working_hours: { start: "22:00" } });
    },
    "a token changes the profile, but not what its person signs in with": async (fixtures) => {
      const { testApp } = fixtures;
      const token = await createApiToken(testApp, await extraMember(fixtures), ["account:read", "account:write"]);
      expect((await testApp.call(token, accounts.updateAccount, { body: { user_info: "x" } })).status).toBe(200);
      for (const body of [{ username: "somebody new" }, { email: "new@talkback.test" }])
        expect((await testApp.call(token, accounts.updateAccount, { body })).status).toBe(403);
    },
  },
};

export const getAvatar: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, member }) => {
    await insertAvatar(testApp, member.id);
    return { params: { account_id: member.id }, query: { size: "large", version: "1" } };
  },
  assertResponse: ({ reply }) => {
    expect(reply.text).toBe("large");
    expect(reply.headers).toMatchObject({
      "content-type": "image/webp",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, max-age=86400",
    });
  },
  invalid: { "params.account_id": BAD_ID_IN_PATH, "query.size": ["", "huge", "__proto__"], "query.version": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a person without a picture", ({ owner }) => ({ params: { account_id: owner.id } }), 404],
    [
      "a person who shares no project with a guest",
      async ({ testApp, neighbor }) => {
        await insertAvatar(testApp, neighbor.id);
        return { params: { account_id: neighbor.id } };
      },
      404,
    ],
    ["a person of another organization", ({ foreignMember }) => ({ params: { account_id: foreignMember.id } }), 404],
  ],
  edgeCases: {
    "returns the medium size, which browsers ask for again without a version": async ({ testApp, member }) => {
      await insertAvatar(testApp, member.id);
      const reply = await testApp.call(member, profiles.getAvatar, { params: { account_id: member.id }, query: {} });
      expect(reply.text).toBe("medium");
      expect(reply.headers["cache-control"]).toBe("private, no-cache");
    },
  },
};

export const setAvatar: EndpointCase = {
  caller: ({ member }) => member,
  valid: () => ({ bytes: PICTURE }),
  assertResponse: async ({ data, caller, fixtures: { testApp } }) => {
    expect(data.avatar_url).toMatch(new RegExp(`/api/v2/accounts/${data.id}/avatar\\?version=\\d+$`));
    const reply = await testApp.send(caller, { method: "GET", url: data.avatar_url.replace(/^https?:\/\/[^/]+/, "") });
    expect(reply.headers["content-type"]).toBe("image/webp");
  },
  invalid: {},
  rejectedRequests: [
    ["an empty body", () => ({ bytes: Buffer.alloc(0) }), 400],
    ["a text", () => ({ bytes: Buffer.from("no picture") }), 400],
    ["an SVG, which may contain scripts", () => ({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }), 400],
    ["a picture that ends early", () => ({ bytes: PICTURE.subarray(0, 60) }), 400],
    ["more bytes than a picture may have", () => ({ bytes: Buffer.concat([PICTURE, Buffer.alloc(5_000_000)]) }), 413],
    ["JSON", () => ({ body: {} }), 415],
  ],
  edgeCases: {},
};

export const removeAvatar: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => {
    await insertAvatar(testApp, member.id);
    return {};
  },
  assertResponse: ({ data }) => expect(data.avatar_url).toBeNull(),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "does nothing without a picture": async ({ testApp, member }) => {
      await testApp.call(member, profiles.removeAvatar);
      expect((await testApp.call(member, profiles.removeAvatar)).response.data.avatar_url).toBeNull();
    },
  },
};
