/** Configuration by environment: one table that start-up checks and the README is made from. */
import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import ipaddr from "ipaddr.js";

export interface Config {
  host: string;
  port: number;
  /** Where people reach the service; no slash at the end. Decides cookies, links and the origin that may write. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  logLevel: LogLevel;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-*` headers are believed. */
  trustProxy: string[];
  masterKey: Buffer | null;
  /** Requests a minute for one account, or one address that is not signed in. 0: no limit. */
  ratePerMinute: number;
  /** One file, in bytes. */
  uploadBytes: number;
  /** All files of an organisation, in bytes. 0: no limit. */
  organisationBytes: number;
  /** Says genres, moods and instruments; null: nobody does. */
  taggingModel: TaggingModel | null;
  /** Whether this process sends webhooks. */
  delivery: boolean;
  /** What webhook endpoints may be besides public and https. */
  webhooks: { allowHttp: boolean; allowCidrs: string[] };
}

/** `folder`: where the operator put it; null: it is fetched from its public home under `name`. */
export interface TaggingModel {
  folder: string | null;
  name: string;
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

interface Setting<T> {
  name: string;
  fallback: string;
  /** One line for the README; Markdown. */
  about: string;
  read(text: string): T;
}

const setting = <T>(one: Setting<T>): Setting<T> => one;

function readBytes(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error("must be a whole number of bytes");
  return Number(text);
}

function readTaggingModel(text: string): TaggingModel | null {
  if (text === "") return null;
  const [, name] = /^hub:(.*)$/.exec(text) ?? [];
  if (name === undefined) return { folder: dirname(resolve(text)), name: basename(resolve(text)) };
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) throw new Error("must be a folder, or hub:owner/name");
  return { folder: null, name };
}

function readUrl(text: string): string | null {
  if (text === "") return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be an address that starts with http:// or https://");
  if (url.pathname !== "/" || url.search || url.hash || url.username) throw new Error("must be only scheme, host and port, such as https://talkback.example");
  return url.origin;
}

function readSwitch(text: string): boolean {
  if (text !== "on" && text !== "off") throw new Error("must be on or off");
  return text === "on";
}

const readList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

function readNetworks(text: string): string[] {
  const parts = readList(text);
  for (const part of parts) {
    if (!ipaddr.isValid(part) && !ipaddr.isValidCIDR(part)) throw new Error(`"${part}" is neither an address nor a network such as 10.0.0.0/8`);
  }
  return parts;
}

export const SETTINGS = {
  host: setting({
    name: "HOST",
    fallback: "127.0.0.1",
    about: "Address to listen on. `0.0.0.0` opens it to the network: set `PUBLIC_URL` too, and put https in front.",
    read(text) {
      if (text !== "localhost" && !ipaddr.isValid(text)) throw new Error("must be an IP address or localhost");
      return text;
    },
  }),
  port: setting({
    name: "PORT",
    fallback: "3000",
    about: "Port to listen on.",
    read(text) {
      if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) throw new Error("must be a number from 1 to 65535");
      return Number(text);
    },
  }),
  publicUrl: setting({
    name: "PUBLIC_URL",
    fallback: "",
    about: "Address under which people reach Talkback, such as `https://talkback.example`. Default: `http://HOST:PORT`.",
    read: readUrl,
  }),
  dataDir: setting({
    name: "DATA_DIR",
    fallback: "./data",
    about: "Folder for the database, files and the master key. Back it up.",
    read: (text) => resolve(text),
  }),
  databaseUrl: setting({
    name: "DATABASE_URL",
    fallback: "",
    about: "`postgres://…` to use PostgreSQL instead of the built-in SQLite.",
    read(text) {
      if (text === "") return null;
      if (!/^postgres(ql)?:\/\/.+/.test(text)) throw new Error("must start with postgres://");
      return text;
    },
  }),
  logLevel: setting({
    name: "LOG_LEVEL",
    fallback: "warn",
    about: `How much is logged: \`${LOG_LEVELS.join("`, `")}\`.`,
    read(text) {
      const level = LOG_LEVELS.find((one) => one === text);
      if (!level) throw new Error(`must be one of ${LOG_LEVELS.join(", ")}`);
      return level;
    },
  }),
  trustProxy: setting({
    name: "TRUST_PROXY",
    fallback: "",
    about: "Addresses or networks of your reverse proxies, separated by commas, such as `127.0.0.1,10.0.0.0/8`.",
    read: readNetworks,
  }),
  masterKey: setting({
    name: "MASTER_KEY",
    fallback: "",
    about:
      "32 bytes in base64 from which the service derives its keys. Default: made at first start in `DATA_DIR/master.key`. Several processes need the same.",
    read(text) {
      if (text === "") return null;
      const key = Buffer.from(text, "base64");
      if (key.length !== 32) throw new Error("must be 32 bytes in base64 (try: openssl rand -base64 32)");
      return key;
    },
  }),
  ratePerMinute: setting({
    name: "RATE_LIMIT",
    fallback: "1200",
    about: "Requests a minute for one account, or for one address that is not signed in. `0`: no limit.",
    read(text) {
      if (!/^\d{1,7}$/.test(text)) throw new Error("must be a whole number");
      return Number(text);
    },
  }),
  uploadBytes: setting({
    name: "MAX_UPLOAD_BYTES",
    fallback: "2147483648",
    about: "The largest file that may be uploaded, in bytes.",
    read: readBytes,
  }),
  organisationBytes: setting({
    name: "QUOTA_BYTES",
    fallback: "0",
    about: "Room for all files of an organisation, in bytes. `0`: no limit.",
    read: readBytes,
  }),
  taggingModel: setting({
    name: "TAGGING_MODEL",
    fallback: "",
    about:
      "Folder with a CLAP model in ONNX form for genres, moods and instruments, or `hub:owner/name` to let the service fetch one. Needs `npm install --no-save @huggingface/transformers`.",
    read: readTaggingModel,
  }),
  delivery: setting({
    name: "DELIVERY",
    fallback: "on",
    about: "`off`: this process sends no webhooks, since `npm run worker` does (PostgreSQL only).",
    read: readSwitch,
  }),
  webhookAllowHttp: setting({
    name: "WEBHOOK_ALLOW_HTTP",
    fallback: "off",
    about: "`on`: webhooks may go to http:// addresses too.",
    read: readSwitch,
  }),
  webhookAllowCidrs: setting({
    name: "WEBHOOK_ALLOW_CIDRS",
    fallback: "",
    about:
      "Addresses or networks that webhooks may reach although they are not public, separated by commas. `npm start -- --allow-local-webhooks` allows this machine.",
    read: readNetworks,
  }),
} satisfies Record<string, Setting<unknown>>;

export class ConfigError extends Error {}

/** Reads and checks everything; a `ConfigError` names all faults, one a line. Empty values count as not set. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [member, one] of Object.entries(SETTINGS)) {
    const text = environment[one.name]?.trim() || one.fallback;
    try {
      values[member] = one.read(text);
    } catch (error) {
      const shown = one.name === "DATABASE_URL" || one.name === "MASTER_KEY" ? "" : ` (it is "${text}")`;
      faults.push(`${one.name} ${(error as Error).message}${shown}`);
    }
  }
  if (values["delivery"] === false && values["databaseUrl"] === null)
    faults.push("DELIVERY=off needs DATABASE_URL: workers share PostgreSQL with the service, and without them nothing would be sent");
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  const { webhookAllowHttp: allowHttp, webhookAllowCidrs: allowCidrs, ...rest } = values;
  const config = { ...rest, webhooks: { allowHttp, allowCidrs } } as Config;
  if (!config.publicUrl) {
    const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host.includes(":") ? `[${config.host}]` : config.host;
    config.publicUrl = `http://${host}:${config.port}`;
  }
  return config;
}

/** The README's table. */
export function configTable(): string {
  const rows = Object.values(SETTINGS).map(({ name, fallback, about }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${about} |`);
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Version in package.json. */
export const VERSION = (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
