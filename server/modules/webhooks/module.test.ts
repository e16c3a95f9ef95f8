import { expect, test } from "vitest";
import { webhookFeatures } from "./module.ts";

test("a page learns whether the operator allows http and addresses that are not public", () => {
  expect(webhookFeatures({ allowHttp: false, allowCidrs: [] })).toEqual(["webhooks"]);
  expect(webhookFeatures({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] })).toEqual(["webhooks", "webhooks-http", "webhooks-local"]);
});
