/** Composition root: wires storage into the domain and the domain into routes. Tests inject their replacements here. */
import fastifyCookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canSeeProject, loadVisibility } from "./access/visibility.ts";
import { type Config, VERSION } from "./config.ts";
import { createServices, deriveSetupToken } from "./create-services.ts";
import type { Database } from "./db/database.ts";
import { createFileFetcher, type FileFetcher } from "./delivery/fetch-file.ts";
import { createGuard } from "./delivery/guard.ts";
import { topicOf } from "./events/log.ts";
import { openHub } from "./events/open-hub.ts";
import { RETENTION, prune } from "./events/retention.ts";
import { createAuthenticator } from "./http/authenticator.ts";
import { registerBodyParsers } from "./http/body.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import type { LiveTiming } from "./http/live/live.ts";
import { registerLive, isLiveUpgrade } from "./http/live/plugin.ts";
import { registerErrorHandler, rejectMalformedRequest, sendProblem } from "./http/problems.ts";
import { createRouter } from "./http/route.ts";
import { createSessionCookie } from "./http/session-cookie.ts";
import { addSecurityHeaders, serveClient } from "./http/web-client.ts";
import type { ScheduledJobs } from "./jobs/scheduled-jobs.ts";
import { HOUR, systemClock, type Clock } from "./lib/clock.ts";
import { newRequestId } from "./lib/crypto.ts";
import type { MediaLimits } from "./media/analyze.ts";
import { accountRoutes, apiTokenRoutes, peopleRoutes, sessionRoutes } from "./modules/accounts/routes.ts";
import { SESSION_MAX_AGE_MS, SESSION_IDLE_MS } from "./modules/accounts/sessions.ts";
import { eraseDeletedComments, eraseDeletedMessages } from "./modules/conversation/retention.ts";
import { chatRoutes, chatSearchRoutes, commentRoutes, messageRoutes, readMarkerRoutes } from "./modules/conversation/routes.ts";
import type { StartDemo } from "./modules/demo/demos.ts";
import { createDemoRunner, demoRoutes } from "./modules/demo/module.ts";
import { createExamine, type Analyze } from "./modules/files/examine.ts";
import { startMediaWorkers } from "./modules/files/module.ts";
import { createProcessing } from "./modules/files/processing.ts";
import { purgeDeletedFiles } from "./modules/files/retention.ts";
import { fileResourceRoutes, fileRoutes, tagRoutes } from "./modules/files/routes.ts";
import { tusRoutes } from "./modules/files/tus-routes.ts";
import { filesViewRoutes } from "./modules/files/view-routes.ts";
import { projectResourceRoutes, projectRoutes, teamRoutes } from "./modules/projects/routes.ts";
import { statusRoutes } from "./modules/statuses/routes.ts";
import { taskResourceRoutes, taskRoutes } from "./modules/tasks/routes.ts";
import { TEST_WAIT_MS, webhookFeatures } from "./modules/webhooks/module.ts";
import { deleteOldDeliveries } from "./modules/webhooks/retention.ts";
import { webhookRoutes } from "./modules/webhooks/routes.ts";
import { reclaimDeliveries, startDelivery } from "./modules/webhooks/start-delivery.ts";
import type { Services } from "./services.ts";

export interface AppOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  clock?: Clock;
  /** Validates every response with the contract's schema (tests). */
  checkResponses?: boolean;
  /** Folder with the built client. */
  clientFolder?: string;
  /** Intervals of the live channel (tests). */
  liveTiming?: LiveTiming;
  /** Fetches files from external URLs (tests allow it to reach their own receivers). */
  fetcher?: FileFetcher;
  /** How long a test event waits for the receiver's response (tests). */
  testWaitMs?: number;
  /** Replaces the separate process that creates the demo (tests). */
  startDemo?: StartDemo;
  /** Resource limits of media processing (tests). */
  mediaLimits?: Partial<MediaLimits>;
  /** Replaces the analysis that runs in one process per file (tests). */
  analyze?: Analyze;
}

export interface App {
  server: FastifyInstance;
  services: Services;
  /** Required to create the first owner; the setup link in the log contains it. */
  setupToken: string;
  /** Removes leftovers of a killed process and reclaims its jobs and deliveries. Only for the sole process that uses the data folder. */
  recoverFromCrash(): Promise<void>;
  /** Starts the worker that processes uploads. Returns a function that stops it. */
  startMedia(): () => Promise<void>;
  /** Starts sending webhooks. Returns a function that stops it. */
  startDelivery(): () => Promise<void>;
  /** Jobs that run every hour. */
  scheduledJobs: ScheduledJobs;
}

const DEFAULT_CLIENT_FOLDER = fileURLToPath(new URL("../dist", import.meta.url));

const publicFetcher = (): FileFetcher => createFileFetcher(createGuard({ allowHttp: false, allowCidrs: [] }));

export async function buildApp({
  config,
  database,
  masterKey,
  clock = systemClock,
  checkResponses = false,
  clientFolder = DEFAULT_CLIENT_FOLDER,
  liveTiming,
  fetcher = publicFetcher(),
  testWaitMs = TEST_WAIT_MS,
  mediaLimits,
  analyze,
  startDemo,
}: AppOptions): Promise<App> {
  const server = Fastify({
    logger: { level: config.logLevel, redact: ["req.headers.authorization", "req.headers.cookie"] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: 256 * 1024,
    // An upload may take hours; the socket timeout ends idle ones.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    genReqId: () => newRequestId(),
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, shouldUpgradeCallback: isLiveUpgrade },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
    frameworkErrors: sendProblem,
    clientErrorHandler: rejectMalformedRequest,
  });
  server.server.maxConnections = 10_000;
  registerErrorHandler(server);
  registerBodyParsers(server);
  await addSecurityHeaders(server, config.publicUrl);
  await server.register(fastifyCookie);
  await server.register(rateLimit, { global: false });

  const setupToken = deriveSetupToken(masterKey);
  const services = createServices({ database, clock, config, masterKey, testWaitMs });
  const cookie = createSessionCookie(config.publicUrl);
  const authenticator = createAuthenticator(server, services.authentication, cookie, {
    publicUrl: config.publicUrl,
    ratePerMinute: config.ratePerMinute,
    checkResponses,
  });

  const { route, authorize, assertComplete } = createRouter(server, authenticator);
  chatRoutes(route, services);
  chatSearchRoutes(route, services);
  projectRoutes(route, services);
  teamRoutes(route, services);
  accountRoutes(route, services);
  server.addHook("onClose", () => fetcher.close());
  fileRoutes(route, services, { present: services.deps.present, fetcher });
  fileResourceRoutes(route, services, services.deps.present, services.deps.storage, config.publicUrl);
  filesViewRoutes(route, services, services.deps.present, services.deps.storage);
  const resumableUploads = tusRoutes(server, route, authorize, { services, folder: join(config.dataDir, "files"), uploadBytes: config.uploadBytes });
  taskRoutes(route, services);
  taskResourceRoutes(route, services);
  commentRoutes(route, services);
  statusRoutes(route, services);
  tagRoutes(route, services, services.deps.present);
  readMarkerRoutes(route, services);
  messageRoutes(route, services);
  projectResourceRoutes(route, services);
  peopleRoutes(route, services);
  apiTokenRoutes(route, services);
  webhookRoutes(route, services);
  const demoRunner = createDemoRunner({ config, database, masterKey }, (error, message) => server.log.error({ err: error }, message));
  server.addHook("onClose", () => demoRunner.stop());
  demoRoutes(route, services, startDemo ?? demoRunner.start);
  sessionRoutes(route, services, cookie, {
    version: VERSION,
    features: [
      "chat",
      "messages",
      "chat-search",
      "projects",
      "members",
      "api-tokens",
      "live",
      "files",
      "files-view",
      "comments",
      "tasks",
      ...webhookFeatures(config.webhooks),
    ],
    uploadBytes: config.uploadBytes,
  });
  assertComplete();
  const warn = (error: unknown, message: string) => server.log.warn({ err: error }, message);
  const hub = openHub(services.deps, warn);
  server.addHook("onClose", () => hub.close());
  await registerLive(server, {
    deps: {
      eventSource: hub,
      signals: services.deps.signals,
      rights: {
        reauthenticate: (actor) => services.authentication.reauthenticate(actor),
        loadVisibility: (actor) => loadVisibility(database, actor),
        canSeeProject: (actor, projectId) => canSeeProject(database, actor, projectId),
      },
      warn,
    },
    authenticator,
    redeem: (ticket) => services.tickets.redeem(ticket),
    timing: liveTiming,
  });
  docsRoutes(server, config.publicUrl, VERSION);
  await serveClient(server, clientFolder);
  return {
    server,
    services,
    setupToken,
    async recoverFromCrash() {
      await services.deps.storage.removeStale(0);
      await services.deps.queue.reclaim(clock.now());
      await reclaimDeliveries(services.deps);
    },
    startMedia() {
      const processing = createProcessing(services.deps, createExamine(config.taggingModel, mediaLimits, analyze), (projectId, progress) =>
        hub.sendLocalSignal({ topic: topicOf.project(projectId), type: "file.progress", data: { project_id: projectId, ...progress } }),
      );
      return startMediaWorkers(services.deps, processing.run, (error) => server.log.error({ err: error }, "a media job failed unexpectedly"));
    },
    startDelivery: () => startDelivery({ webhookDeps: services.webhookDeps, guardOptions: config.webhooks, warn }),
    scheduledJobs: {
      "deleting old records": () => prune({ database, clock }, { ...RETENTION, sessionIdleMs: SESSION_IDLE_MS, sessionMs: SESSION_MAX_AGE_MS }),
      // Active uploads and media work write continuously, so they never become stale.
      "clearing away broken-off uploads": () => services.deps.storage.removeStale(HOUR),
      "forgetting uploads that nobody finished": () => resumableUploads.expire(),
      "removing the bytes of deleted files": () => purgeDeletedFiles(services.deps),
      "forgetting deleted comments": () => eraseDeletedComments({ database, clock }),
      "emptying deleted messages": () => eraseDeletedMessages({ database, clock }),
      "forgetting old webhook deliveries": () => deleteOldDeliveries({ database, clock }),
    },
  };
}
