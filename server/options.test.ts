import { expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { readOptions, readWorkerOptions } from "./options.ts";

it("--allow-local-webhooks allows receivers on this machine in addition to the configured networks", () => {
  expect(readConfig({}).webhooks).toEqual({ allowHttp: false, allowCidrs: [] });
  expect(readConfig(readOptions({}, ["--allow-local-webhooks"]).environment).webhooks).toEqual({ allowHttp: true, allowCidrs: ["127.0.0.0/8", "::1/128"] });
  expect(readConfig(readOptions({ WEBHOOK_ALLOW_CIDRS: "10.1.0.0/16" }, ["--allow-local-webhooks"]).environment).webhooks.allowCidrs).toEqual([
    "10.1.0.0/16",
    "127.0.0.0/8",
    "::1/128",
  ]);
});

it("a worker delivers, processes uploads, or both", () => {
  expect(readWorkerOptions([])).toEqual({ work: ["delivery"], rest: [] });
  expect(readWorkerOptions(["--media"])).toEqual({ work: ["media"], rest: [] });
  expect(readWorkerOptions(["--media", "--allow-local-webhooks", "--delivery"])).toEqual({ work: ["delivery", "media"], rest: ["--allow-local-webhooks"] });
});

it("rejects an unknown option and lists the available ones", () => {
  expect(() => readOptions({}, ["--allow-local-webhook"])).toThrow(ConfigError);
  expect(() => readOptions({}, ["--help"])).toThrow(/Unknown option --help. Available options: --allow-local-webhooks/);
});

it("--upstream takes an address with or without a path, and leaves the settings of the listener as they are", () => {
  const read = (...args: string[]) => readOptions({ PORT: "4000", PUBLIC_URL: "" }, args);
  expect(read().upstream).toBeNull();
  expect(read("--upstream", "https://service.example").upstream).toEqual({
    baseUrl: "https://service.example",
    origin: "https://service.example",
    basePath: "",
  });
  expect(read("--upstream=http://127.0.0.1:3000/talk/back/")).toEqual({
    environment: { PORT: "4000", PUBLIC_URL: "" },
    upstream: { baseUrl: "http://127.0.0.1:3000/talk/back", origin: "http://127.0.0.1:3000", basePath: "/talk/back" },
  });
});

it.each([
  [["--upstream"], {}, /needs the address of a service/],
  [["--upstream", "--allow-local-webhooks"], {}, /needs the address of a service/],
  [["--upstream="], {}, /needs the address of a service/],
  [["--upstream", "service.example"], {}, /must be an address that starts with https/],
  [["--upstream", "ftp://service.example"], {}, /must be an address that starts with https/],
  [["--upstream", "https://ana:secret@service.example"], {}, /must not contain a name or password/],
  [["--upstream", "https://service.example/?a=1"], {}, /must be only scheme, host, port and path/],
  [["--upstream=https://a.example", "--upstream=https://b.example"], {}, /only once/],
  [["--upstream=https://a.example", "--allow-local-webhooks"], {}, /cannot be combined with --allow-local-webhooks/],
  [["--upstream=https://a.example"], { DATABASE_URL: "postgres://a/b", DATA_DIR: "./data", PORT: "80" }, /Unset them: DATA_DIR, DATABASE_URL\.$/],
])("refuses %j with %j", (args, environment, message) => {
  expect(() => readOptions(environment, args)).toThrow(ConfigError);
  expect(() => readOptions(environment, args)).toThrow(message);
});
