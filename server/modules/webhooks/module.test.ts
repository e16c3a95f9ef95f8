import { expect, test } from "vitest";
import { webhookFeatures } from "./module.ts";

test("webhookFeatures reports whether http and local addresses are allowed", () => {
  expect(webhookFeatures({ allowHttp: false, allowCidrs: [] })).toEqual(["webhooks"]);
  expect(webhookFeatures({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] })).toEqual(["webhooks", "webhooks-http", "webhooks-local"]);
});
