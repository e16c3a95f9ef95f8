import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConfigError, readConfig, SECRETS, SETTINGS } from "./config.ts";

it("listens on loopback without any configuration", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    publicUrl: "http://127.0.0.1:3000",
    databaseUrl: null,
    trustProxy: [],
    maxRequestsPerMinute: 1200,
  });
});

it("reports all invalid settings at once by name, without secrets", () => {
  const wrong = {
    HOST: "here",
    PORT: "70000",
    PUBLIC_URL: "https://talkback.example/chat",
    DATABASE_URL: "mysql://someone:hunter2@db",
    LOG_LEVEL: "loud",
    TRUST_PROXY: "10.0.0.0/8, nobody",
    CORS_ORIGINS: "https://tools.example, *",
    MASTER_KEY: "c2hvcnQ=",
    RATE_LIMIT: "-1",
    TAGGING_MODEL: "hub:../../etc",
    DELIVERY: "perhaps",
    WEBHOOK_ALLOW_HTTP: "1",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/33",
    SMTP_URL: "https://someone:swordfish@mail.example",
    MAIL_FROM: "Talkback",
    MAIL_REPLY_TO: "a@b, c@d",
    MAIL_DELAY: "soon",
    TALKBACK_MODEL_URL: "https://someone:marmalade@api.example/v1",
    TALKBACK_MODEL_KEY: "sk marmalade",
    TALKBACK_MODEL_TIMEOUT: "0",
    TALKBACK_MODEL_INPUT: "100",
    LOG_FORMAT: "xml",
    METRICS_TOKEN: "marmalade",
    METRICS_PORT: "0",
    METRICS_HOST: "everywhere",
    OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://someone:marmalade@collector",
    OTEL_TRACES_SAMPLER_ARG: "2",
    DRAIN_SECONDS: "-1",
  };
  let message = "";
  try {
    readConfig(wrong);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(
    message
      .split("\n")
      .map((line) => line.split(" ")[0])
      .sort(),
  ).toEqual(Object.keys(wrong).sort());
  expect(message).not.toContain("hunter2");
  expect(message).not.toContain("swordfish");
  expect(message).not.toContain("marmalade");
  expect(message).not.toContain("c2hvcnQ=");
});

it("allows MEDIA=off only with DATABASE_URL", () => {
  expect(() => readConfig({ MEDIA: "off" })).toThrow(/^MEDIA=off requires DATABASE_URL/);
  expect(readConfig({ MEDIA: "off", DATABASE_URL: "postgres://localhost/talkback" }).isMediaEnabled).toBe(false);
  expect(readConfig({}).isMediaEnabled).toBe(true);
});
it("allows DELIVERY=off only with DATABASE_URL", () => {
  expect(() => readConfig({ DELIVERY: "off" })).toThrow(/^DELIVERY=off requires DATABASE_URL/);
  expect(readConfig({ DELIVERY: "off", DATABASE_URL: "postgres://db/talkback" }).isDeliveryEnabled).toBe(false);
});

it.each([
  ["PUBLIC_URL", "javascript:alert(1)"],
  ["PUBLIC_URL", "https://user:word@host"],
  ["PUBLIC_URL", "https://host/?x=1"],
  ["PORT", "0"],
  ["PORT", "3000 x"],
  ["PORT", "1e3"],
  ["TRUST_PROXY", "true"],
  ["RATE_LIMIT", "many"],
  ["CORS_ORIGINS", "https://tools.example/"],
  ["CORS_ORIGINS", "tools.example"],
  ["CORS_ORIGINS", "null"],
  ["CORS_ORIGINS", "https://*.example"],
])("rejects %s=%s", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `));
});

it.each([
  [{ HOST: "0.0.0.0", PORT: "8080" }, "http://localhost:8080"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ PUBLIC_URL: "https://Talkback.example:443/" }, "https://talkback.example"],
])("%j yields the public URL %s", (environment, url) => {
  expect(readConfig(environment).publicUrl).toBe(url);
});

it("treats an empty value of any setting as not set", () => {
  const empty = Object.fromEntries(Object.values(SETTINGS).map(({ name }) => [name, "  "]));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

it("reads the tagging model as a local folder, or as a name to download with the prefix hub:", () => {
  expect(readConfig({}).taggingModel).toBeNull();
  expect(readConfig({ TAGGING_MODEL: "/models/clap/" }).taggingModel).toEqual({ folder: "/models", name: "clap" });
  expect(readConfig({ TAGGING_MODEL: "hub:owner/clap" }).taggingModel).toEqual({ folder: null, name: "owner/clap" });
});

it("sends emails only with an SMTP server and an address that they come from", () => {
  expect(readConfig({}).mail).toBeNull();
  expect(readConfig({ MAIL_FROM: "talkback@studio.example" }).mail).toBeNull();
  expect(() => readConfig({ SMTP_URL: "smtp://mail.example" })).toThrow(/^SMTP_URL requires MAIL_FROM/);
  const settings = { SMTP_URL: "smtps://user:word@mail.example:465", MAIL_FROM: "Studio Nord <talkback@studio.example>" };
  const from = { name: "Studio Nord", address: "talkback@studio.example" };
  expect(readConfig(settings).mail).toEqual({ smtpUrl: settings.SMTP_URL, from, replyTo: from, delayMs: 60_000 });
  expect(readConfig({ ...settings, MAIL_REPLY_TO: "desk@studio.example", MAIL_DELAY: "0" }).mail).toMatchObject({
    replyTo: { name: "", address: "desk@studio.example" },
    delayMs: 0,
  });
});

it("has a model only with an address and a name", () => {
  expect(readConfig({}).model).toBeNull();
  expect(readConfig({ TALKBACK_MODEL_KEY: "sk-1", TALKBACK_MODEL_NAME: "m" }).model).toBeNull();
  expect(() => readConfig({ TALKBACK_MODEL_URL: "https://api.example/v1" })).toThrow(/^TALKBACK_MODEL_URL requires TALKBACK_MODEL_NAME/);
  const local = { TALKBACK_MODEL_URL: "http://127.0.0.1:11434/v1/", TALKBACK_MODEL_NAME: "m" };
  expect(readConfig(local).model).toEqual({ url: "http://127.0.0.1:11434/v1", key: null, name: "m", timeoutMs: 120_000, inputCharacters: 24_000 });
  expect(readConfig({ ...local, TALKBACK_MODEL_KEY: "sk-1", TALKBACK_MODEL_TIMEOUT: "30" }).model).toMatchObject({ key: "sk-1", timeoutMs: 30_000 });
});

it("reads secrets from files, without the line break at their end", () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-secrets-"));
  const file = join(folder, "database-url");
  writeFileSync(file, "postgres://someone:hunter2@db/talkback\n");
  expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe("postgres://someone:hunter2@db/talkback");
  expect(() => readConfig({ DATABASE_URL_FILE: join(folder, "missing") })).toThrow(/^DATABASE_URL_FILE cannot be read: ENOENT/);
  expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: "postgres://other" })).toThrow(/^DATABASE_URL and DATABASE_URL_FILE are both set/);
  writeFileSync(file, "mysql://someone:hunter2@db");
  expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(/^DATABASE_URL must start with postgres:\/\/$/);
  writeFileSync(file, "\n");
  for (const name of SECRETS) expect(() => readConfig({ [`${name}_FILE`]: file }), name).toThrow(`${name}_FILE must not be an empty file (it is "${file}")`);
  rmSync(folder, { recursive: true });
});

it("opens a port for metrics to other machines only with a token", () => {
  expect(() => readConfig({ METRICS_PORT: "9464", METRICS_HOST: "0.0.0.0" })).toThrow(
    "METRICS_HOST is reached from other machines, so METRICS_TOKEN is required",
  );
  expect(readConfig({ METRICS_PORT: "9464" }).observability.metricsAddress).toEqual({ host: "127.0.0.1", port: 9464 });
  expect(readConfig({ METRICS_PORT: "9464", METRICS_HOST: "::", METRICS_TOKEN: "0123456789abcdef" }).observability.metricsAddress?.host).toBe("::");
  expect(readConfig({}).observability).toMatchObject({ metricsToken: null, metricsAddress: null, tracesEndpoint: null });
});
