/** Tests that startup fails for an operation without authorization. */
import Fastify from "fastify";
import { expect, it } from "vitest";
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
const authenticator: Authenticator = { publicUrl: "http://here", identify: async () => createActor(), limitRate: () => {} };

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
