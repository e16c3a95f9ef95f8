/** Settings of the log, the metrics and the traces. */
import ipaddr from "ipaddr.js";
import type { LogFormat } from "./lib/log.ts";
import { defineSetting } from "./setting.ts";

export interface ObservabilityConfig {
  logFormat: LogFormat;
  /** Who reads metrics must send this token; null: nobody needs one. */
  metricsToken: string | null;
  /** Where metrics have an address of their own; null: nowhere. */
  metricsAddress: { host: string; port: number } | null;
  /** Base address of the collector of traces; null: none are made. */
  tracesEndpoint: string | null;
  /** Share of traces that are recorded, 0 to 1. */
  tracesRatio: number;
  /** Milliseconds that a stopping process goes on serving while it is not ready. */
  drainMs: number;
}

const MIN_TOKEN_CHARACTERS = 16;

export const OBSERVABILITY_SETTINGS = {
  logFormat: defineSetting({
    name: "LOG_FORMAT",
    defaultText: "text",
    description: "`text` for people, `json` for programs: then all that the service prints is one JSON object per line.",
    parse(text): LogFormat {
      if (text !== "text" && text !== "json") throw new Error("must be text or json");
      return text;
    },
  }),
  metricsToken: defineSetting({
    name: "METRICS_TOKEN",
    defaultText: "",
    description:
      "Token for `/metrics`, sent as `Authorization: Bearer …`, of at least 16 characters. Without it metrics are only at `METRICS_PORT` on this machine ([more](docs/monitoring.md)).",
    parse(text) {
      if (text === "") return null;
      if (!/^[\x21-\x7e]+$/.test(text) || text.length < MIN_TOKEN_CHARACTERS)
        throw new Error(`must be at least ${MIN_TOKEN_CHARACTERS} visible ASCII characters (try: openssl rand -hex 24)`);
      return text;
    },
  }),
  metricsPort: defineSetting({
    name: "METRICS_PORT",
    defaultText: "",
    description: "Port of its own for `/metrics`, `/health` and `/ready`, also of `npm run worker`. Default: none.",
    parse(text) {
      if (text === "") return null;
      if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) throw new Error("must be a number from 1 to 65535");
      return Number(text);
    },
  }),
  metricsHost: defineSetting({
    name: "METRICS_HOST",
    defaultText: "127.0.0.1",
    description: "Address for `METRICS_PORT`. One that other machines reach requires `METRICS_TOKEN`.",
    parse(text) {
      if (!ipaddr.isValid(text)) throw new Error("must be an IP address");
      return text;
    },
  }),
  tracesEndpoint: defineSetting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    defaultText: "",
    description: "Address of an OpenTelemetry collector for traces, such as `http://127.0.0.1:4318` (OTLP over HTTP). Without it none are made.",
    parse(text) {
      if (text === "") return null;
      const url = URL.canParse(text) ? new URL(text) : null;
      if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be a URL that starts with http:// or https://");
      return text;
    },
  }),
  tracesRatio: defineSetting({
    name: "OTEL_TRACES_SAMPLER_ARG",
    defaultText: "1",
    description: "Share of traces that are recorded, from 0 to 1.",
    parse(text) {
      if (!/^(0|1|0?\.\d{1,9})$/.test(text)) throw new Error("must be a number from 0 to 1");
      return Number(text);
    },
  }),
  drainMs: defineSetting({
    name: "DRAIN_SECONDS",
    defaultText: "0",
    description: "Seconds that a stopping process goes on serving while `/ready` says 503, so that a load balancer sends requests to others first.",
    parse(text) {
      if (!/^\d{1,3}$/.test(text)) throw new Error("must be a whole number of seconds up to 999");
      return Number(text) * 1_000;
    },
  }),
};

export type ObservabilityValues = { [Key in keyof typeof OBSERVABILITY_SETTINGS]: ReturnType<(typeof OBSERVABILITY_SETTINGS)[Key]["parse"]> };

/** What is wrong with the combination of settings; empty: nothing. */
export function observabilityIssues({ metricsToken, metricsPort, metricsHost }: Partial<ObservabilityValues>): string[] {
  if (metricsPort === undefined || metricsPort === null || metricsHost === undefined || metricsToken !== null) return [];
  const isOwnMachine = ipaddr.process(metricsHost).range() === "loopback";
  return isOwnMachine ? [] : ["METRICS_HOST is reached from other machines, so METRICS_TOKEN is required"];
}

export const readObservabilityConfig = ({ metricsPort, metricsHost, ...rest }: ObservabilityValues): ObservabilityConfig => ({
  ...rest,
  metricsAddress: metricsPort === null ? null : { host: metricsHost, port: metricsPort },
});
