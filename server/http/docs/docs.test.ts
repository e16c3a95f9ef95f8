/** Tests that the OpenAPI document and the docs page cover every operation. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../../contract/operations/all.ts";
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp("sqlite")), 60_000);
afterAll(() => testApp.close());

test.each(["/openapi.json", "/docs"])("%s lists every operation without a sign-in", async (url) => {
  const { status, text } = await testApp.send(ANONYMOUS, { method: "GET", url });
  expect(status, text.slice(0, 300)).toBe(200);
  for (const name of Object.keys(operations)) expect(text).toContain(name);
});

test.each(["/openapi.json", "/docs"])("%s describes every webhook event and its payload", async (url) => {
  const { text } = await testApp.send(ANONYMOUS, { method: "GET", url });
  for (const type of WEBHOOK_EVENT_TYPES) expect(text).toContain(type);
  for (const term of ["webhook-signature", "change_status_time", "old_status", "closed_at", "new_name"]) expect(text).toContain(term);
});

test("every schema that the OpenAPI document references exists", async () => {
  const document = JSON.parse((await testApp.send(ANONYMOUS, { method: "GET", url: "/openapi.json" })).text) as {
    components: { schemas: object };
    webhooks: object;
  };
  const referencedNames = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(referencedNames).toContain("WebhookEvent");
  for (const name of new Set(referencedNames)) expect(Object.keys(document.components.schemas)).toContain(name);
  expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENT_TYPES]);
});
