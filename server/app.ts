/** Composition root: wires storage into the domain and the domain into routes. Tests inject their replacements here. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyCookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { SESSION_MAX_AGE_MS, SESSION_IDLE_MS } from "./domain/accounts/sessions.ts";
import { eraseDeletedMessages } from "./domain/chat/retention.ts";
import { eraseDeletedComments } from "./domain/comments/retention.ts";
import type { StartDemo } from "./domain/demo/service.ts";
import { canSeeProject, loadVisibility } from "./domain/sight.ts";
import { reclaimDeliveries, startDelivery } from "./delivery-room.ts";
import { createFileFetcher, type FileFetcher } from "./delivery/fetch-file.ts";
import { createGuard } from "./delivery/guard.ts";
import { purgeDeletedFiles } from "./domain/files/removal.ts";
import { deleteOldDeliveries } from "./domain/webhooks/retention.ts";
import type { ScheduledJobs } from "./jobs/chores.ts";
import { createProcessing } from "./domain/files/processing.ts";
import { createDemoRunner } from "./demo-room.ts";
import { startMediaWorkers } from "./files-room.ts";
import { createExamine, type Analyze } from "./media-room.ts";
import { createServices, deriveSetupToken } from "./services-room.ts";
import { TEST_WAIT_MS, webhookFeatures } from "./webhook-room.ts";
import type { MediaLimits } from "./media/analyse.ts";
import type { Config } from "./config.ts";
import { VERSION } from "./config.ts";
import type { Database } from "./db/database.ts";
import { topicOf } from "./events/log.ts";
import { RETENTION, prune } from "./events/retention.ts";
import { openHub } from "./events/open-hub.ts";
import { registerBodyParsers } from "./http/body.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import { serveClient } from "./http/client.ts";
import { createSessionCookie } from "./http/cookies.ts";
import { createAuthenticator } from "./http/gate.ts";
import { addSecurityHeaders } from "./http/headers.ts";
import type { LiveTiming } from "./http/live/live.ts";
import { registerLive, isLiveUpgrade } from "./http/live/plugin.ts";
import { registerErrorHandler, rejectMalformedRequest, sendProblem } from "./http/problems.ts";
import { accountRoutes } from "./http/routes/v1/account.ts";
import { chatSearchRoutes } from "./http/routes/v2/chat-search.ts";
import { chatRoutes } from "./http/routes/v1/chat.ts";
import { fileRoutes } from "./http/routes/v1/files.ts";
import { projectRoutes } from "./http/routes/v1/projects.ts";
import { taskRoutes } from "./http/routes/v1/tasks.ts";
import { teamRoutes } from "./http/routes/v1/teams.ts";
import { apiTokenRoutes } from "./http/routes/v2/api-tokens.ts";
import { messageRoutes } from "./http/routes/v2/messages.ts";
import { commentRoutes } from "./http/routes/v2/comments.ts";
import { fileResourceRoutes } from "./http/routes/v2/files.ts";
import { filesViewRoutes } from "./http/routes/v2/files-view.ts";
import { peopleRoutes } from "./http/routes/v2/people.ts";
import { demoRoutes } from "./http/routes/v2/demo.ts";
import { projectResourceRoutes } from "./http/routes/v2/projects.ts";
import { readMarkerRoutes } from "./http/routes/v2/read-markers.ts";
import { sessionRoutes } from "./http/routes/v2/session.ts";
import { statusRoutes } from "./http/routes/v2/statuses.ts";
import { tagRoutes } from "./http/routes/v2/tags.ts";
import { taskResourceRoutes } from "./http/routes/v2/tasks.ts";
import { webhookRoutes } from "./http/routes/v2/webhooks.ts";
import { tusRoutes } from "./http/media/tus.ts";
import { createRouter } from "./http/serve.ts";
import type { Services } from "./http/services.ts";
import { HOUR, systemClock, type Clock } from "./lib/clock.ts";
import { newRequestId } from "./lib/secrets.ts";

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
