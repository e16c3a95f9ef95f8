/** Starts what lets others watch a process: its log of work, readiness, metrics and traces. The service and the worker share it. */
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, ConfigError, VERSION } from "./config.ts";
import type { Database } from "./db/database.ts";
import { createProbeServer, type Probes, registerMetrics, registerReadiness } from "./http/probes.ts";
import type { Clock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import { logWork } from "./observability/log-work.ts";
import { type MetricsOptions, startMetrics } from "./observability/metrics.ts";
import { createReadiness, type ReadinessState } from "./observability/readiness.ts";
import { startTracing } from "./observability/tracing.ts";
import type { Storage } from "./storage/storage.ts";

export interface ObservabilityOptions {
  config: Pick<Config, "observability" | "dataDir">;
  database: Database;
  clock: Clock;
  log: Log;
  /** Name of this kind of process in traces. */
  serviceName: string;
  /** Undefined in a process that stores no files. */
  storage?: Storage;
  countLive?: MetricsOptions["countLive"];
  /** Replaces how long a reading of what waits counts (tests). */
  backlogMaxAgeMs?: number;
  /** Replaces the time between two exports of traces (tests). */
  tracesDelayMs?: number;
}

export interface Observability {
  /** Adds `/ready`, and `/metrics` if there is a token for it, to the service's own server. Call it before the server listens. */
  addTo(server: Parameters<typeof registerReadiness>[0]): void;
  /** Until this is called, the process is not ready. */
  markStarted(): void;
  /** From now on the process is not ready. Resolves once load balancers have had the time to notice (`DRAIN_SECONDS`). */
  drain(): Promise<void>;
  stop(): Promise<void>;
  /** Where `METRICS_PORT` listens; null if it does not. */
  address(): string | AddressInfo | null;
}

export async function startObservability({
  config,
  database,
  clock,
  log,
  serviceName,
  storage,
  countLive,
  backlogMaxAgeMs,
  tracesDelayMs,
}: ObservabilityOptions): Promise<Observability> {
  const { metricsToken, metricsAddress, tracesEndpoint, tracesRatio, drainMs } = config.observability;
  const warn = (error: unknown, message: string): void => log.warn({ err: error }, message);
  const readiness = createReadiness({ database, storage, warn });
  const metrics =
    metricsToken === null && metricsAddress === null
      ? null
      : startMetrics({
          database,
          clock,
          version: VERSION,
          dataDir: config.dataDir,
          countLive,
          isStorageUp: readiness.isStorageUp,
          backlogMaxAgeMs,
          onError: (error) => warn(error, "the backlog could not be read for the metrics"),
        });
  let isStarting = true;
  const checkReadiness = async (): Promise<ReadinessState> => (isStarting ? { reasons: ["The service is starting."], warnings: [] } : readiness.check());
  const probes: Probes = { checkReadiness, renderMetrics: async () => metrics?.render() ?? "" };
  const probeServer = metricsAddress && createProbeServer(probes, metricsToken);
  const stopLogging = log.isLevelEnabled("info") ? logWork(log) : () => {};
  const stopTracing = tracesEndpoint
    ? await startTracing({
        endpoint: tracesEndpoint,
        version: VERSION,
        serviceName: process.env["OTEL_SERVICE_NAME"] ?? serviceName,
        sampleRatio: tracesRatio,
        delayMs: tracesDelayMs,
      })
    : async () => {};
  if (probeServer)
    await probeServer.listen(metricsAddress).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "EADDRINUSE" ? new ConfigError(`METRICS_PORT ${metricsAddress.port} is in use. Choose another port.`) : error;
    });
  return {
    addTo(server) {
      registerReadiness(server, probes.checkReadiness);
      if (metricsToken !== null) registerMetrics(server, probes.renderMetrics, metricsToken);
    },
    markStarted() {
      isStarting = false;
    },
    async drain() {
      readiness.drain();
      await sleep(drainMs);
    },
    address: () => probeServer?.server.address() ?? null,
    async stop() {
      metrics?.stop();
      stopLogging();
      await Promise.all([probeServer?.close(), stopTracing()]);
    },
  };
}
