/** Tests that startup fails for an operation without authorization, and how many requests of one caller run at a time. */
import Fastify from "fastify";
import { expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { operation, type Operation } from "../../contract/define-operation.ts";
import { operations } from "../../contract/operations/all.ts";
import { can, type Actor } from "../access/access.ts";
import type { Authenticator } from "./authenticator.ts";
import { createRouter, assertOperationComplete } from "./route.ts";
import { createServer } from "./server.ts";

const validOperation: Operation = operation({
  method: "GET",
  path: "/api/v2/probe",
  group: "Service",
  summary: "A probe",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: z.looseObject({ object: z.literal("probe") }),
});

it.each([
  ["without a rule", { rule: undefined }, /has no rule/],
  ["with an unknown rule", { rule: "whatever" }, /has no rule/],
  ["without a scope", { scope: undefined }, /has no scope/],
  ["with a rule and a null scope", { scope: null }, /only an open one, has no scope/],
  ["with the open rule and a scope", { rule: "open" }, /only an open one, has no scope/],
])("an operation %s fails the start", (_title, change, message) => {
  expect(() => assertOperationComplete(validOperation)).not.toThrow();
  expect(() => assertOperationComplete({ ...validOperation, ...change } as Operation)).toThrow(message);
});

it("an operation without a route fails the start and is named", () => {
  const { assertComplete } = createRouter(Fastify(), {} as Authenticator);
  expect(assertComplete).toThrow(new RegExp(`Operations without a route: .*${Object.keys(operations)[0]}`));
});

it("a route under the API's paths that no operation describes fails the start", () => {
  const app = Fastify();
  createRouter(app, {} as Authenticator);
  expect(() => app.get("/api/v2/back-door", async () => "open")).toThrow(/in no operations table/);
  expect(() => app.post("/v1/account/back_door", async () => "open")).toThrow(/in no operations table/);
  expect(() => app.get("/docs/elsewhere", async () => "fine")).not.toThrow();
});

const createActor = (): Actor => ({
  accountId: 1,
  organisationId: 1,
  role: "owner",
  scopes: null,
  sessionId: 1,
  tokenId: null,
  address: null,
  checkedRules: new Set(),
});
const authenticator: Authenticator = { publicUrl: "http://here", identify: async () => createActor(), limitRate: () => {}, stop: () => {} };

it("a route that does not check its rule returns 500 without data", async () => {
  const server = await createServer({ publicUrl: "http://here", logLevel: "silent", trustProxy: [] });
  const { route } = createRouter(server, authenticator, { checkResponses: true });
  route({ ...validOperation, path: "/asks" }, async ({ actor }) => {
    can(actor, "self");
    return { object: "probe" } as never;
  });
  route({ ...validOperation, path: "/forgets" }, async () => ({ object: "probe", secret: "kept" }) as never);
  route({ ...validOperation, path: "/asks-another" }, async ({ actor }) => {
    can(actor, "chat.read");
    return { object: "probe", secret: "kept" } as never;
  });
  expect((await server.inject("/asks")).statusCode).toBe(200);
  for (const url of ["/forgets", "/asks-another"]) {
    const reply = await server.inject(url);
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain("kept");
    expect(reply.body).not.toContain("rule");
  }
});

it.each([
  { kind: "an account", limit: 6, caller: () => ({ account: 1 }), other: { account: 2 } },
  { kind: "the accounts of an organization", limit: 120, caller: (index: number) => ({ account: index }), other: { account: 1, organization: 2 } },
  { kind: "an IPv4 address", limit: 6, caller: () => ({ address: "192.0.2.1" }), other: { address: "192.0.2.2" } },
  { kind: "a /64", limit: 6, caller: (index: number) => ({ address: `2001:db8::${index}` }), other: { address: "2001:db8:0:1::1" } },
  { kind: "a /56", limit: 12, caller: (index: number) => ({ address: `2001:db8:0:${index}::1` }), other: { address: "2001:db8:0:100::1" } },
  { kind: "a /48", limit: 24, caller: (index: number) => ({ address: `2001:db8:0:${index}00::1` }), other: { address: "2001:db8:1::1" } },
])("of $kind, $limit requests run at a time", async ({ limit, caller, other }) => {
  const server = await createServer({ publicUrl: "http://here", logLevel: "silent", trustProxy: [] });
  const identify: Authenticator["identify"] = async ({ headers }) => ({
    ...createActor(),
    accountId: Number(headers["x-account"]),
    organisationId: Number(headers["x-organization"]),
  });
  const { route } = createRouter(server, { ...authenticator, identify });
  const running: (() => void)[] = [];
  const handle = async (actor: Actor | null) => {
    if (actor) can(actor, "self");
    await new Promise<void>((resolve) => void running.push(resolve));
    return { object: "probe" } as never;
  };
  route({ ...validOperation, path: "/guarded" }, async ({ actor }) => handle(actor));
  route({ ...validOperation, path: "/open", rule: "open", scope: null }, async () => handle(null));
  const send = ({ account, organization = 1, address }: { account?: number; organization?: number; address?: string }) =>
    server.inject({
      url: account === undefined ? "/open" : "/guarded",
      headers: { "x-account": String(account), "x-organization": String(organization) },
      ...(address ? { remoteAddress: address } : {}),
    });
  const replies = Array.from({ length: limit + 1 }, (_, index) => send(caller(index + 1)));
  await vi.waitUntil(() => running.length >= limit);
  const further = send(other);
  await vi.waitUntil(() => running.length > limit);
  running[limit]?.();
  expect((await further).statusCode).toBe(200);
  expect(running).toHaveLength(limit + 1);
  running[0]?.();
  await vi.waitUntil(() => running.length === limit + 2);
  running.forEach((finish) => finish());
  expect((await Promise.all(replies)).map(({ statusCode }) => statusCode)).toEqual(Array(limit + 1).fill(200));
  await server.close();
});
