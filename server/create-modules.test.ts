import { expect, test } from "vitest";
import { FEATURES } from "../contract/define-operation.ts";
import { getService } from "../contract/operations/session.ts";
import { ANONYMOUS } from "./testing/client.ts";
import { startTestApp } from "./testing/test-app.ts";

test("the service lists every feature that an operation can belong to, once", async () => {
  const testApp = await startTestApp("sqlite");
  const { features } = (await testApp.call(ANONYMOUS, getService)).response.data;
  expect(features.toSorted()).toEqual(FEATURES.toSorted());
  await testApp.close();
});
