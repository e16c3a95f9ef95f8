import { expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { applyOptions } from "./options.ts";

it("allows receivers on this machine, besides what the operator allows anyway", () => {
  expect(readConfig({}).webhooks).toEqual({ allowHttp: false, allowCidrs: [] });
  expect(readConfig(applyOptions({}, ["--allow-local-webhooks"])).webhooks).toEqual({ allowHttp: true, allowCidrs: ["127.0.0.0/8", "::1/128"] });
  expect(readConfig(applyOptions({ WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16" }, ["--allow-local-webhooks"])).webhooks.allowCidrs).toEqual([
    "10.1.0.0/16",
    "127.0.0.0/8",
    "::1/128",
  ]);
});

it("says so where there is no such option", () => {
  expect(() => applyOptions({}, ["--allow-local-webhook"])).toThrow(ConfigError);
  expect(() => applyOptions({}, ["--help"])).toThrow(/Unknown option --help. Available options: --allow-local-webhooks/);
});
