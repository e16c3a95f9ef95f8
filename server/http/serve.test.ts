/** Start-up fails rather than serving an operation that nobody guards. */
import Fastify from "fastify";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { operation, type Operation } from "../../contract/define.ts";
import { operations } from "../../contract/operations/all.ts";
import { can, type Actor } from "../domain/access.ts";
import { handleProblems } from "./problems.ts";
import { createServing, demandComplete, type Gate } from "./serve.ts";

const sound: Operation = operation({
  method: "GET",
  path: "/api/v2/probe",
  group: "Service",
  summary: "A probe",
  source: "extension",
  scope: "account:read",
  rule: "self",
  answer: z.looseObject({ object: z.literal("probe") }),
});

it.each([
  ["without a rule", { rule: undefined }, /has no rule/],
  ["with a rule that nobody wrote", { rule: "whatever" }, /has no rule/],
  ["without a scope", { scope: undefined }, /has no scope/],
  ["that is open by its scope alone", { scope: null }, /only an open one, has no scope/],
  ["that is open by its rule alone", { rule: "open" }, /only an open one, has no scope/],
])("an operation %s stops the start", (_what, change, message) => {
  expect(() => demandComplete(sound)).not.toThrow();
  expect(() => demandComplete({ ...sound, ...change } as Operation)).toThrow(message);
});

it("an operation without a route stops the start, by name", () => {
  const { finish } = createServing(Fastify(), {} as Gate);
  expect(finish).toThrow(new RegExp(`Operations without a route: .*${Object.keys(operations)[0]}`));
});

it("a route under the API's paths that no operation describes stops the start", () => {
  const app = Fastify();
  createServing(app, {} as Gate);
  expect(() => app.get("/api/v2/back-door", async () => "open")).toThrow(/in no operations table/);
  expect(() => app.post("/v1/account/back_door", async () => "open")).toThrow(/in no operations table/);
  expect(() => app.get("/docs/elsewhere", async () => "fine")).not.toThrow();
});

const someone = (): Actor => ({ accountId: 1, organisationId: 1, role: "owner", scopes: null, sessionId: 1, tokenId: null, asked: new Set() });
const gate: Gate = { publicUrl: "http://here", checkAnswers: true, identify: async () => someone(), pace: async () => {} };

it("a route that never asks its rule answers nothing", async () => {
  const server = Fastify();
  handleProblems(server);
  const { serve } = createServing(server, gate);
  serve({ ...sound, path: "/asks" }, async ({ actor }) => {
    can(actor, "self");
    return { object: "probe" } as never;
  });
  serve({ ...sound, path: "/forgets" }, async () => ({ object: "probe", secret: "kept" }) as never);
  serve({ ...sound, path: "/asks-another" }, async ({ actor }) => {
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
