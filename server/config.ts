/** Configuration from environment variables: one table that validates settings at startup and generates the README's table. */
import ipaddr from "ipaddr.js";
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { MAIL_SETTINGS, type MailConfig, type MailValues, readMailConfig } from "./mail-settings.ts";
import { MODEL_SETTINGS, type ModelConfig, type ModelValues, readModelConfig } from "./model-settings.ts";
import { findS3Issues, readS3Config, S3_SECRETS, S3_SETTINGS, type S3Config, type S3Values } from "./s3-settings.ts";
import {
  OBSERVABILITY_SETTINGS,
  observabilityIssues,
  type ObservabilityConfig,
  type ObservabilityValues,
  readObservabilityConfig,
} from "./observability-settings.ts";
import { defineSetting, parseBytes, parseCount, parseNetworks, parseOrigins, parseSwitch, parseUrl, type Setting } from "./setting.ts";

export interface Config {
  host: string;
  port: number;
  /** Where people reach the service, without a trailing slash. Determines cookies, links and the origin that may write. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  logLevel: LogLevel;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  trustProxy: string[];
  /** Origins whose pages may call the API with a bearer token. */
  corsOrigins: string[];
  masterKey: Buffer | null;
  /** Requests per minute for one account, or for one address without a sign-in. 0: no limit. */
  maxRequestsPerMinute: number;
  /** Connections, and requests under way, of one network that is not signed in. */
  connectionsPerNetwork: number;
  /** Uploads, downloads and media that one account, or one network that is not signed in, has under way. */
  streamsPerCaller: number;
  /** Maximum size of one file, in bytes. */
  maxUploadBytes: number;
  /** Maximum size of all files of an organization, in bytes. 0: no limit. */
  quotaBytes: number;
  /** Disk space that uploads and processing leave free, in bytes. 0: none; null: a default that depends on the disk. */
  diskReserveBytes: number | null;
  /** Store for the bytes of files; null: the local disk. */
  s3: S3Config | null;
  /** Model for genres, moods and instruments; null disables tagging. */
  taggingModel: TaggingModel | null;
  /** Whether this process sends webhooks, push messages and emails. */
  isDeliveryEnabled: boolean;
  /** Whether this process processes uploads. */
  isMediaEnabled: boolean;
  /** Exceptions to the rule that webhook endpoints and push services are public and https. */
  webhooks: { allowHttp: boolean; allowCidrs: string[] };
  /** null: no emails are sent. */
  mail: MailConfig | null;
  /** null: agents have no language model. */
  model: ModelConfig | null;
  observability: ObservabilityConfig;
}

/** `folder`: local folder of the model; null: the model is downloaded from the public hub under `name`. */
export interface TaggingModel {
  folder: string | null;
  name: string;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

function parseTaggingModel(text: string): TaggingModel | null {
  if (text === "") return null;
  const [, name] = /^hub:(.*)$/.exec(text) ?? [];
  if (name === undefined) return { folder: dirname(resolve(text)), name: basename(resolve(text)) };
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) throw new Error("must be a folder, or hub:owner/name");
  return { folder: null, name };
}

export const SETTINGS = {
  host: defineSetting({
    name: "HOST",
    defaultText: "127.0.0.1",
    description: "Address to listen on. `0.0.0.0` opens it to the network: set `PUBLIC_URL` too, and put https in front.",
    parse(text) {
      if (text !== "localhost" && !ipaddr.isValid(text)) throw new Error("must be an IP address or localhost");
      return text;
    },
  }),
  port: defineSetting({
    name: "PORT",
    defaultText: "3000",
    description: "Port to listen on.",
    parse(text) {
      if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) throw new Error("must be a number from 1 to 65535");
      return Number(text);
    },
  }),
  publicUrl: defineSetting({
    name: "PUBLIC_URL",
    defaultText: "",
    description: "Address under which people reach Talkback, such as `https://talkback.example`. Default: `http://HOST:PORT`.",
    parse: parseUrl,
  }),
  dataDir: defineSetting({
    name: "DATA_DIR",
    defaultText: "./data",
    description: "Folder for the database, files and the master key. Back it up.",
    parse: (text) => resolve(text),
  }),
  databaseUrl: defineSetting({
    name: "DATABASE_URL",
    defaultText: "",
    description: "`postgres://…` to use PostgreSQL instead of the built-in SQLite.",
    parse(text) {
      if (text === "") return null;
      if (!/^postgres(ql)?:\/\/.+/.test(text)) throw new Error("must start with postgres://");
      return text;
    },
  }),
  logLevel: defineSetting({
    name: "LOG_LEVEL",
    defaultText: "warn",
    description: `How much is logged: \`${LOG_LEVELS.join("`, `")}\`.`,
    parse(text) {
      const level = LOG_LEVELS.find((name) => name === text);
      if (!level) throw new Error(`must be one of ${LOG_LEVELS.join(", ")}`);
      return level;
    },
  }),
  trustProxy: defineSetting({
    name: "TRUST_PROXY",
    defaultText: "",
    description: "Addresses or networks of your reverse proxies, separated by commas, such as `127.0.0.1,10.0.0.0/8`.",
    parse: parseNetworks,
  }),
  corsOrigins: defineSetting({
    name: "CORS_ORIGINS",
    defaultText: "",
    description:
      "Origins of other sites whose pages may call the API with a token, separated by commas, such as `https://tools.example`. Cookies are never accepted from them.",
    parse: parseOrigins,
  }),
  masterKey: defineSetting({
    name: "MASTER_KEY",
    defaultText: "",
    description:
      "32 bytes in base64 from which the service derives its keys. Default: generated at first start in `DATA_DIR/master.key`. All processes must use the same key.",
    parse(text) {
      if (text === "") return null;
      const key = Buffer.from(text, "base64");
      if (key.length !== 32) throw new Error("must be 32 bytes in base64 (try: openssl rand -base64 32)");
      return key;
    },
  }),
  maxRequestsPerMinute: defineSetting({
    name: "RATE_LIMIT",
    defaultText: "1200",
    description:
      "Requests per minute of one account, or of one network that is not signed in; expensive ones count more (`x-cost` in the API reference). An organization has 20 times as many. `0`: no limit.",
    parse(text) {
      if (!/^\d{1,7}$/.test(text)) throw new Error("must be a whole number");
      return Number(text);
    },
  }),
  connectionsPerNetwork: defineSetting({
    name: "CONNECTIONS_PER_NETWORK",
    defaultText: "500",
    description:
      "Connections, and concurrent requests, of one IPv4 address or IPv6 /64 without a sign-in; beyond this number the oldest are closed. Raise it if the log reports it and many people share an address.",
    parse: parseCount,
  }),
  streamsPerCaller: defineSetting({
    name: "STREAMS_PER_CALLER",
    defaultText: "60",
    description:
      "Concurrent uploads, downloads and media streams of one account, or of one address through signed URLs; as many more are queued. An organization has 20 times as many. Raise it for an integration that serves many listeners.",
    parse: parseCount,
  }),
  maxUploadBytes: defineSetting({
    name: "MAX_UPLOAD_BYTES",
    defaultText: "2147483648",
    description: "The largest file that may be uploaded, in bytes.",
    parse: parseBytes,
  }),
  quotaBytes: defineSetting({
    name: "QUOTA_BYTES",
    defaultText: "0",
    description: "Storage limit for all files of an organization, in bytes. `0`: no limit.",
    parse: parseBytes,
  }),
  diskReserveBytes: defineSetting({
    name: "DISK_RESERVE_BYTES",
    defaultText: "",
    description:
      "Disk space that uploads and media processing leave free, in bytes, so that chat and everything else goes on when the disk is nearly full. `0`: none. Default: 1 GB, or 2 % of a smaller disk.",
    parse: (text) => (text === "" ? null : parseBytes(text)),
  }),
  taggingModel: defineSetting({
    name: "TAGGING_MODEL",
    defaultText: "",
    description:
      "Folder with a CLAP model in ONNX form for genres, moods and instruments, which `npm run admin -- install-model` installs, or `hub:owner/name` to let the media process fetch one.",
    parse: parseTaggingModel,
  }),
  isDeliveryEnabled: defineSetting({
    name: "DELIVERY",
    defaultText: "on",
    description: "`off`: this process sends no webhooks, push messages and emails, and leaves them to `npm run worker` (PostgreSQL only).",
    parse: parseSwitch,
  }),
  isMediaEnabled: defineSetting({
    name: "MEDIA",
    defaultText: "on",
    description: "`off`: this process processes no uploads, and leaves them to `npm run worker -- --media` (PostgreSQL only).",
    parse: parseSwitch,
  }),
  webhookAllowHttp: defineSetting({
    name: "WEBHOOK_ALLOW_HTTP",
    defaultText: "off",
    description: "`on`: also allows webhooks to http:// URLs.",
    parse: parseSwitch,
  }),
  webhookAllowCidrs: defineSetting({
    name: "WEBHOOK_ALLOW_CIDRS",
    defaultText: "",
    description:
      "Addresses or networks that webhooks may reach although they are not public, separated by commas. `npm start -- --allow-local-webhooks` allows this machine.",
    parse: parseNetworks,
  }),
  ...S3_SETTINGS,
  ...MAIL_SETTINGS,
  ...MODEL_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
} satisfies Record<string, Setting<unknown>>;
/** Settings whose values are not shown, and may come from files. */
export const SECRETS: readonly string[] = [
  "DATABASE_URL",
  "MASTER_KEY",
  "SMTP_URL",
  "TALKBACK_MODEL_URL",
  "TALKBACK_MODEL_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  ...S3_SECRETS,
];

export class ConfigError extends Error {}

/**
 * Returns the environment with secrets read from the files that `NAME_FILE` names, as Docker and systemd provide them. Adds to `issues`: an empty file is
 * a mistake, because the service would start without the setting.
 */
function readSecretFiles(environment: Record<string, string | undefined>, issues: string[]): Record<string, string | undefined> {
  const result = { ...environment };
  for (const name of SECRETS) {
    const path = environment[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (environment[name]?.trim()) issues.push(`${name} and ${name}_FILE are both set: set one of them`);
    try {
      const text = readFileSync(path, "utf8").trim();
      if (text === "") issues.push(`${name}_FILE must not be an empty file (it is "${path}")`);
      result[name] = text;
    } catch (error) {
      issues.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
    }
  }
  return result;
}

/** Reads and validates all settings; a `ConfigError` lists every issue, one per line. Empty values count as unset. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const issues: string[] = [];
  const values: Record<string, unknown> = {};
  const texts = readSecretFiles(environment, issues);
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const text = texts[setting.name]?.trim() || setting.defaultText;
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      const valueHint = SECRETS.includes(setting.name) ? "" : ` (it is "${text}")`;
      issues.push(`${setting.name} ${(error as Error).message}${valueHint}`);
    }
  }
  if (values["isDeliveryEnabled"] === false && values["databaseUrl"] === null)
    issues.push("DELIVERY=off requires DATABASE_URL: workers share PostgreSQL with the service, and without them no webhooks are sent");
  if (values["isMediaEnabled"] === false && values["databaseUrl"] === null)
    issues.push("MEDIA=off requires DATABASE_URL: workers share PostgreSQL with the service, and without them no uploads are processed");
  if (values["smtpUrl"] && !values["mailFrom"])
    issues.push("SMTP_URL requires MAIL_FROM: the address that emails come from, such as Talkback <talkback@studio.example>");
  if (values["modelUrl"] && !values["modelName"]) issues.push("TALKBACK_MODEL_URL requires TALKBACK_MODEL_NAME: the name of the model");
  if (issues.length === 0) issues.push(...findS3Issues(values as unknown as S3Values, values["publicUrl"] as string | null));
  issues.push(...observabilityIssues(values));
  if (issues.length > 0) throw new ConfigError(issues.join("\n"));
  const { webhookAllowHttp: allowHttp, webhookAllowCidrs: allowCidrs, smtpUrl, mailFrom, mailReplyTo, mailDelayMs, ...others } = values;
  const { modelUrl, modelKey, modelName, modelTimeoutMs, modelInputCharacters, ...withoutModel } = others;
  const { logFormat, metricsToken, metricsPort, metricsHost, tracesEndpoint, tracesRatio, drainMs, ...withS3 } = withoutModel;
  const rest = Object.fromEntries(Object.entries(withS3).filter(([key]) => !(key in S3_SETTINGS)));
  const mail = readMailConfig({ smtpUrl, mailFrom, mailReplyTo, mailDelayMs } as MailValues);
  const model = readModelConfig({ modelUrl, modelKey, modelName, modelTimeoutMs, modelInputCharacters } as ModelValues);
  const traces = { tracesEndpoint, tracesRatio };
  const observability = readObservabilityConfig({ logFormat, metricsToken, metricsPort, metricsHost, ...traces, drainMs } as ObservabilityValues);
  const s3 = readS3Config(values as unknown as S3Values);
  const config = { ...rest, webhooks: { allowHttp, allowCidrs }, mail, model, observability, s3 } as Config;
  if (!config.publicUrl) {
    const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host.includes(":") ? `[${config.host}]` : config.host;
    config.publicUrl = `http://${host}:${config.port}`;
  }
  return config;
}

/** Returns a table of settings: those of S3 for docs/storage.md, all others for the README. */
export function configTable(of: "README" | "S3"): string {
  const rows = Object.entries(SETTINGS).flatMap(([key, { name, defaultText, description }]) =>
    key in S3_SETTINGS === (of === "S3") ? [`| \`${name}\` | ${defaultText ? `\`${defaultText}\`` : ""} | ${description} |`] : [],
  );
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Version in package.json. */
export const VERSION = (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
