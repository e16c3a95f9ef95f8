import { expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { applyOptions } from "./options.ts";

it("--allow-local-webhooks allows receivers on this machine in addition to the configured networks", () => {
  expect(readConfig({}).webhooks).toEqual({ allowHttp: false, allowCidrs: [] });
  expect(readConfig(applyOptions({}, ["--allow-local-webhooks"])).webhooks).toEqual({ allowHttp: true, allowCidrs: ["127.0.0.0/8", "::1/128"] });
  expect(readConfig(applyOptions({ WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16" }, ["--allow-local-webhooks"])).webhooks.allowCidrs).toEqual([
    "10.1.0.0/16",
    "127.0.0.0/8",
    "::1/128",
  ]);
});

it("rejects an unknown option and lists the available ones", () => {
  expect(() => applyOptions({}, ["--allow-local-webhook"])).toThrow(ConfigError);
  expect(() => applyOptions({}, ["--help"])).toThrow(/Unknown option --help. Available options: --allow-local-webhooks/);
});
