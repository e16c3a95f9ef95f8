/** Composition root: creates the server and the modules, registers what each module returns, and opens the live channel. Tests inject their replacements here. */
import type { FastifyInstance } from "fastify";
import { createVisibility } from "./access/visibility.ts";
import { VERSION } from "./config.ts";
import { createModules, type ModulesOptions, type Services } from "./create-modules.ts";
import { createPublicFetcher, type FileFetcher } from "./delivery/fetch-file.ts";
import { openHub } from "./events/open-hub.ts";
import { createPeers } from "./events/peers.ts";
import { prune, RETENTION } from "./events/retention.ts";
import { createAuthenticator, createSessionCookie } from "./http/authenticator.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import type { LiveTiming } from "./http/live/live.ts";
import { registerLive } from "./http/live/plugin.ts";
import { createRouter } from "./http/route.ts";
import { createServer, type ServerLimits } from "./http/server.ts";
import { serveClient } from "./http/web-client.ts";
import type { ScheduledJobs } from "./jobs/scheduled-jobs.ts";
import { systemClock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import type { MediaLimits } from "./media/analyze.ts";
import type { MediaSandbox } from "./media/worker/sandbox.ts";
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from "./modules/accounts/authentication.ts";
import { startDelivering } from "./modules/agent-subscriptions/start-delivering.ts";
import { startAgentRuns } from "./modules/agent-tasks/start-runs.ts";
import type { OpenApp } from "./modules/demo/create-demo.ts";
import { createUploadAnalyzer, type Analyze } from "./modules/files/analyze-upload.ts";
import type { FilesDeps } from "./modules/files/deps.ts";
import { startMediaWorkers } from "./modules/files/processing.ts";
import { releaseReservations } from "./modules/files/quota.ts";
import { releaseAbandonedNotifications, startSendingNotifications } from "./modules/notification-delivery/start-sending.ts";
import { releaseAbandonedDeliveries } from "./modules/webhooks/start-delivery.ts";

export interface AppOptions extends Omit<ModulesOptions, "openApp"> {
  /** Fetches files from external URLs (tests allow it to reach their own receivers). */
  fetcher?: FileFetcher;
  /** Folder with the built client. */
  clientFolder?: string;
  /** Limits on connections and bodies (tests). */
  serverLimits?: Partial<ServerLimits>;
  /** Replaces a log of `LOG_LEVEL` in JSON. */
  log?: Log;
  /** Receives the log of the server (tests). */
  logStream?: { write(line: string): void };
  /** Intervals of the live channel (tests). */
  liveTiming?: Partial<LiveTiming>;
  /** Resource limits of media processing (tests). */
  mediaLimits?: Partial<MediaLimits>;
  /** Replaces the analysis that runs in one process per file (tests). */
  analyze?: Analyze;
}

export interface App {
  server: FastifyInstance;
  services: Services;
  /** What the modules share. */
  deps: FilesDeps;
  /** Required to create the first owner; the setup link in the log contains it. */
  setupToken: string;
  /** Removes leftovers of a killed process and reclaims its jobs and deliveries. Only for the sole process that uses the data folder. */
  recoverFromCrash(): Promise<void>;
  /** Starts the workers that process uploads, isolated if there is a sandbox. Returns a function that stops them. */
  startMedia(sandbox?: MediaSandbox | null): () => Promise<void>;
  /** Starts sending webhooks, push messages and emails. Returns a function that stops it. */
  startDelivery(): () => Promise<void>;
  /** Starts executing runs of agent tasks. Returns a function that stops it. */
  startAgentRuns(options?: { intervalMs?: number; leaseMs?: number }): () => Promise<void>;
  /** Starts removing demos. Returns a function that stops it. */
  startDemoRemoval(): () => Promise<void>;
  /** Jobs that run every hour. */
  scheduledJobs: ScheduledJobs;
  /** Open live connections and their subscriptions. */
  countLive(): { sockets: number; subscriptions: number };
}

/** Returns a function that opens another app over the same data, without a client to serve. */
export const createOpenApp =
  (data: Pick<AppOptions, "database" | "masterKey">): OpenApp =>
  (overrides) =>
    buildApp({ ...data, ...overrides, clientFolder: "/nowhere" });

export async function buildApp(options: AppOptions): Promise<App> {
  const { config, database, masterKey, clock = systemClock, fetcher = createPublicFetcher() } = options;
  const { publicUrl, maxRequestsPerMinute, maxUploadBytes } = config;
  const { modules, services, deps, agentTaskDeps, webhookDeps, notificationDeliveryDeps, setupToken } = createModules({
    ...options,
    openApp: createOpenApp({ database, masterKey }),
  });
  const server = await createServer({
    ...config,
    mediaOrigin: deps.storage.browserOrigin,
    limits: options.serverLimits,
    logStream: options.logStream,
    log: options.log,
  });
  const warn = (error: unknown, message: string) => server.log.warn({ err: error }, message);

  const peers = createPeers(database, deps.events.origin, warn);
  const cookie = createSessionCookie(publicUrl, SESSION_MAX_AGE_MS);
  const authenticator = createAuthenticator(services.authentication, cookie, { publicUrl, maxRequestsPerMinute, peers });
  server.addHook("onClose", async () => authenticator.stop());
  const { route, authorizedCaller, assertComplete } = createRouter(server, authenticator, {
    streamsPerCaller: config.streamsPerCaller,
    checkResponses: options.checkResponses,
  });
  const serviceInfo = { version: VERSION, features: modules.flatMap(({ features }) => features), maxUploadBytes };
  server.addHook("onClose", () => fetcher.close());
  const scheduledJobs: ScheduledJobs[] = [];
  for (const module of modules) scheduledJobs.push(await module.register({ server, route, authorizedCaller, cookie, fetcher, serviceInfo }));
  assertComplete();

  const hub = openHub({ ...deps, peers }, warn);
  server.addHook("onClose", () => hub.close());
  // Rate limits of other processes arrive by the hub's connection, also while nobody has a live connection.
  if (database.engine === "postgres") server.addHook("onListen", () => void hub.ready());
  const live = await registerLive(server, {
    deps: {
      hub,
      signals: deps.signals,
      peers,
      permissionLookup: { reauthenticate: services.authentication.reauthenticate, ...createVisibility(database) },
      warn,
    },
    authenticator,
    redeem: (ticket) => services.tickets.redeem(ticket),
    timing: options.liveTiming,
  });
  docsRoutes(server, publicUrl, VERSION);
  await serveClient(server, { publicUrl, folder: options.clientFolder });

  return {
    server,
    services,
    countLive: () => live.count(),
    deps,
    setupToken,
    async recoverFromCrash() {
      await deps.storage.removeStale(0);
      await deps.queue.reclaim(clock.now());
      await releaseReservations(deps);
      await releaseAbandonedDeliveries(deps);
      await releaseAbandonedNotifications(deps);
    },
    startMedia: (sandbox = null) =>
      startMediaWorkers(deps, {
        analyzeUpload: createUploadAnalyzer({
          taggingModel: config.taggingModel,
          sandbox,
          limits: options.mediaLimits,
          analyzeFile: options.analyze,
        }),
        onError: (error) => server.log.error({ err: error }, "a media job failed unexpectedly"),
      }),
    startDelivery() {
      const stops = [
        startDelivering({ webhookDeps, guardOptions: config.webhooks, warn }),
        startSendingNotifications({ deps: notificationDeliveryDeps, warn }),
      ];
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
    startAgentRuns: (runOptions) =>
      startAgentRuns(
        { ...agentTaskDeps, ...services },
        { ...runOptions, onError: (error) => server.log.error({ err: error }, "a run of an agent task failed unexpectedly") },
      ),
    startDemoRemoval: () => services.demoRemoval.start((error) => server.log.error({ err: error }, "removing the demo failed")),
    scheduledJobs: Object.assign(
      { "delete old records": () => prune({ database, clock }, { ...RETENTION, sessionIdleMs: SESSION_IDLE_MS, sessionMs: SESSION_MAX_AGE_MS }) },
      ...scheduledJobs,
    ) as ScheduledJobs,
  };
}
