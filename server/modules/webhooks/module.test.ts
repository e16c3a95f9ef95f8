import { expect, test } from "vitest";
import { webhookFeatures } from "./module.ts";

test("webhookFeatures reports whether http and local addresses are allowed", () => {
  expect(webhookFeatures({ allowHttp: false, allowCidrs: [] })).toEqual(["webhooks", "webhooks-check-url", "webhooks-projects"]);
  expect(webhookFeatures({ allowHttp: true, allowCidrs: ["127.0.0.0/8"] })).toEqual([
    "webhooks",
    "webhooks-check-url",
    "webhooks-projects",
    "webhooks-http",
    "webhooks-local",
  ]);
});
