/** Tests that the published OpenAPI document is complete, and valid in the eyes of two independent tools. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { compileErrors, validate } from "@readme/openapi-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EVENT_DATA } from "../../../contract/events.ts";
import { operations } from "../../../contract/operations/all.ts";
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { startTestApp } from "../../testing/test-app.ts";

interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId: string; summary: string; description: string; tags: string[]; responses: object }>>;
  webhooks: Record<string, object>;
  components: { schemas: Record<string, any> };
}

const folder = mkdtempSync(join(tmpdir(), "talkback-openapi-"));
const path = join(folder, "openapi.json");
let document: Document;
beforeAll(async () => {
  const testApp = await startTestApp("sqlite");
  const { text } = await testApp.send(ANONYMOUS, { method: "GET", url: "/openapi.json" });
  writeFileSync(path, text);
  document = JSON.parse(text) as Document;
  await testApp.close();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const described = () => Object.values(document.paths).flatMap((item) => Object.values(item).filter(({ operationId }) => operationId !== undefined));

test("describes every operation, the requests of an upload, and the live channel", () => {
  const names = [...Object.keys(operations), "continueUpload", "getUploadOffset", "cancelUpload", "live"];
  expect(
    described()
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual(names.sort());
  const tags = new Set(described().flatMap((operation) => operation.tags));
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...tags].sort());
});

test("titles are short, and the explanation of an operation is in its description", () => {
  for (const { operationId, summary } of described()) expect(summary.length, operationId).toBeLessThan(70);
  const invite = described().find(({ operationId }) => operationId === "inviteMember")!;
  expect(invite.summary).toBe("Make a link with which one person joins");
  expect(invite.description).toBe("It is shown this once, and works once, for 7 days. Extension. A token needs the scope `admin`.");
});

test("has the data of every event", () => {
  const mapping = (name: string) => Object.keys(document.components.schemas[name].discriminator.mapping);
  expect(mapping("LiveEvent").sort()).toEqual([...Object.keys(EVENT_DATA), "withheld"].sort());
  expect(mapping("WebhookEvent")).toEqual(Object.keys(document.webhooks));
  expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENT_TYPES]);
  const { properties } = document.components.schemas["FileStatusChangedWebhook"];
  expect(properties.data.required).toEqual(expect.arrayContaining(["old_status", "new_status", "change_status_time", "changed_by_account_id", "team_id"]));
});

test("is valid for @readme/openapi-parser", async () => {
  const result = await validate(structuredClone(document) as never);
  expect(result.valid ? result.warnings : compileErrors(result)).toEqual([]);
});

/** What Redocly's recommended rules report. No rule is switched off. */
const ACCEPTED_PROBLEMS = [
  // A WebSocket begins with 101, which is no 2xx.
  "operation-2xx-response #/paths/~1api~1v2~1live/get/responses",
  // OpenAPI has no place that could refer to the frames of a WebSocket.
  "no-unused-components #/components/schemas/ClientFrame",
  "no-unused-components #/components/schemas/ServerFrame",
  // Each webhook refers to the schema of its own type; this one is for receivers of several types.
  "no-unused-components #/components/schemas/WebhookEvent",
  // The browser is redirected, so a success is a 302.
  "operation-2xx-response #/paths/~1api~1v2~1oauth~1authorize/get/responses",
  "operation-2xx-response #/paths/~1api~1v2~1oauth~1confirm/post/responses",
  "operation-2xx-response #/paths/~1api~1v2~1mail~1unsubscribe/get/responses",
];

test("is valid for Redocly's recommended rules", { timeout: 60_000 }, async () => {
  const cli = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin", "cli.js");
  const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const lint = promisify(execFile)(process.execPath, [cli, "lint", path, "--extends=recommended", "--format=json"], { cwd: folder, env: environment });
  const { problems } = JSON.parse((await lint).stdout) as { problems: { ruleId: string; location: { pointer: string }[] }[] };
  expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`).sort()).toEqual(ACCEPTED_PROBLEMS.sort());
});
