import { expect, test } from "vitest";
import { FEATURES } from "../contract/define-operation.ts";
import { getService } from "../contract/operations/session.ts";
import { WEBHOOK_FEATURES } from "../contract/webhook-features.ts";
import { ANONYMOUS } from "./testing/client.ts";
import { startTestApp } from "./testing/test-app.ts";

test("the service lists every feature that an operation can belong to, once", async () => {
  const testApp = await startTestApp("sqlite");
  const { features } = (await testApp.call(ANONYMOUS, getService)).response.data;
  // What endpoints can have is listed beside the features that operations belong to.
  const details: string[] = Object.values(WEBHOOK_FEATURES).filter((name) => name !== WEBHOOK_FEATURES.webhooks);
  expect(features.filter((name) => !details.includes(name)).toSorted()).toEqual(FEATURES.toSorted());
  expect(new Set(features).size).toBe(features.length);
  await testApp.close();
});
