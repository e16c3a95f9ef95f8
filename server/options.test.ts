import { expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { withOptions } from "./options.ts";

it("allows receivers on this machine, besides what the operator allows anyway", () => {
  expect(readConfig({}).webhooks).toEqual({ allowHttp: false, allowCidrs: [] });
  expect(readConfig(withOptions({}, ["--allow-local-webhooks"])).webhooks).toEqual({ allowHttp: true, allowCidrs: ["127.0.0.0/8", "::1/128"] });
  expect(readConfig(withOptions({ WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16" }, ["--allow-local-webhooks"])).webhooks.allowCidrs).toEqual([
    "10.1.0.0/16",
    "127.0.0.0/8",
    "::1/128",
  ]);
});

it("says so where there is no such option", () => {
  expect(() => withOptions({}, ["--allow-local-webhook"])).toThrow(ConfigError);
  expect(() => withOptions({}, ["--help"])).toThrow(/no option --help. There is: --allow-local-webhooks/);
});
