/** Tests whose budget a request is taken from. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import type { Actor } from "../access/access.ts";
import { createAuthenticator } from "./authenticator.ts";

const createLimiter = (maxRequestsPerMinute: number) =>
  createAuthenticator(
    { bySession: async () => null, byBearer: async () => null },
    { read: () => undefined, set: () => {}, clear: () => {} },
    {
      publicUrl: "http://talkback.test",
      maxRequestsPerMinute,
      peers: { isShared: false, send() {}, onMessage() {}, receive() {} },
    },
  );
const actor = (accountId: number, organisationId = 1): Actor => ({
  accountId,
  organisationId,
  role: "member",
  scopes: null,
  sessionId: 1,
  tokenId: null,
  address: null,
  checkedRules: new Set(),
});
const from = (ip: string) => ({ ip }) as FastifyRequest;
const reply = { header: () => reply } as unknown as FastifyReply;

it("an account has one budget wherever it comes from, and each network one for strangers", () => {
  const { limitRate } = createLimiter(3);
  for (const ip of ["192.0.2.1", "192.0.2.2", "2001:db8::1"]) limitRate(from(ip), reply, actor(1));
  expect(() => limitRate(from("192.0.2.4"), reply, actor(1))).toThrow(expect.objectContaining({ status: 429, retryAfter: 20 }));
  limitRate(from("192.0.2.1"), reply, actor(2));
  for (const ip of ["2001:db8::1", "2001:db8::2", "2001:db8::3"]) limitRate(from(ip), reply, null);
  expect(() => limitRate(from("2001:db8::4"), reply, null)).toThrow(expect.objectContaining({ status: 429 }));
  limitRate(from("2001:db8:0:1::1"), reply, null);
});

it("an organization has the budget of 20 accounts, however many it has", () => {
  const { limitRate } = createLimiter(3);
  for (let accountId = 1; accountId <= 30; accountId += 1) for (let count = 0; count < 2; count += 1) limitRate(from("192.0.2.1"), reply, actor(accountId));
  const refusal = { status: 429, message: "Rate limit of 60 requests per minute of your organization exceeded. Try again in 1 s." };
  expect(() => limitRate(from("192.0.2.1"), reply, actor(31))).toThrow(expect.objectContaining(refusal));
  limitRate(from("192.0.2.1"), reply, actor(1, 2));
});

it("expensive requests take more", () => {
  const { limitRate } = createLimiter(60);
  for (let count = 0; count < 3; count += 1) limitRate(from("192.0.2.1"), reply, actor(1), 20);
  expect(() => limitRate(from("192.0.2.1"), reply, actor(1), 20)).toThrow(expect.objectContaining({ status: 429, retryAfter: 20 }));
});

it("strangers from many networks give an account no new budget", () => {
  const { limitRate } = createLimiter(1);
  limitRate(from("192.0.2.1"), reply, actor(1));
  for (let network = 0; network < 120_000; network += 1) limitRate(from(`10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`), reply, null);
  expect(() => limitRate(from("192.0.2.1"), reply, actor(1))).toThrow(expect.objectContaining({ status: 429 }));
});
