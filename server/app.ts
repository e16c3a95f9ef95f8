/** The composition root: wires storage into the domain and the domain into routes. Tests inject here. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyCookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { ABSOLUTE_MS, IDLE_MS } from "./domain/accounts/sessions.ts";
import { emptyDeleted } from "./domain/chat/retention.ts";
import { forgetComments } from "./domain/comments/retention.ts";
import type { StartDemo } from "./domain/demo/service.ts";
import { seesProject, sightOf } from "./domain/sight.ts";
import { reclaimDeliveries, startDelivery } from "./delivery-room.ts";
import { createFileFetcher, type FileFetcher } from "./delivery/fetch-file.ts";
import { createGuard } from "./delivery/guard.ts";
import { removeDeleted } from "./domain/files/removal.ts";
import { forgetDeliveries } from "./domain/webhooks/retention.ts";
import type { Chores } from "./jobs/chores.ts";
import { createProcessing } from "./domain/files/processing.ts";
import { createDemoRoom } from "./demo-room.ts";
import { startMediaWork } from "./files-room.ts";
import { createExamine, type Analyse } from "./media-room.ts";
import { createServices, setupTokenOf } from "./services-room.ts";
import { TEST_WAIT_MS, webhookFeatures } from "./webhook-room.ts";
import type { MediaLimits } from "./media/analyse.ts";
import type { Config } from "./config.ts";
import { VERSION } from "./config.ts";
import type { Database } from "./db/database.ts";
import { topicOf } from "./events/log.ts";
import { KEEP, prune } from "./events/retention.ts";
import { openHub } from "./events/open-hub.ts";
import { acceptJson } from "./http/body.ts";
import { docsRoutes } from "./http/docs/routes.ts";
import { serveClient } from "./http/client.ts";
import { sessionCookie } from "./http/cookies.ts";
import { createGate } from "./http/gate.ts";
import { addHeaders } from "./http/headers.ts";
import type { LiveTiming } from "./http/live/live.ts";
import { serveLive, wantsLive } from "./http/live/plugin.ts";
import { handleProblems, refuseMalformed, sendProblem } from "./http/problems.ts";
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
import { createServing } from "./http/serve.ts";
import type { Services } from "./http/services.ts";
import { HOUR, systemClock, type Clock } from "./lib/clock.ts";
import { newRequestId } from "./lib/secrets.ts";

export interface AppOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  clock?: Clock;
  /** Parse every answer with the contract's schema (tests). */
  checkAnswers?: boolean;
  /** Folder with the built client. */
  clientFolder?: string;
  /** Intervals of the live channel (tests). */
  liveTiming?: LiveTiming;
  /** Fetches files from elsewhere (tests let it reach their own receivers). */
  fetcher?: FileFetcher;
  /** How long a test event waits for what comes back (tests). */
  testWaitMs?: number;
  /** Makes the demo in another way than in a process of its own (tests). */
  startDemo?: StartDemo;
  /** What media work may take (tests). */
  mediaLimits?: Partial<MediaLimits>;
  /** Looks into files in another way than in a process for each (tests). */
  analyse?: Analyse;
}

export interface App {
  server: FastifyInstance;
  services: Services;
  /** What the first owner needs; the link in the log carries it. */
  setupToken: string;
  /** Clears away what a killed process was storing and takes up what it was processing. Only for who is alone in its folder. */
  cleanStart(): Promise<void>;
  /** Starts the worker that looks into uploads. Answers the way to stop it. */
  startMedia(): () => Promise<void>;
  /** Starts sending webhooks. Answers the way to stop it. */
  startDelivery(): () => Promise<void>;
  /** What is to be done every hour. */
  chores: Chores;
}

const DEFAULT_CLIENT = fileURLToPath(new URL("../dist", import.meta.url));

const publicFetcher = (): FileFetcher => createFileFetcher(createGuard({ allowHttp: false, allowCidrs: [] }));

export async function buildApp({
  config,
  database,
  masterKey,
  clock = systemClock,
  checkAnswers = false,
  clientFolder = DEFAULT_CLIENT,
  liveTiming,
  fetcher = publicFetcher(),
  testWaitMs = TEST_WAIT_MS,
  mediaLimits,
  analyse,
  startDemo,
}: AppOptions): Promise<App> {
  const server = Fastify({
    logger: { level: config.logLevel, redact: ["req.headers.authorization", "req.headers.cookie"] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: 256 * 1024,
    // An upload may take hours; what is idle is ended by the socket timeout.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    genReqId: () => newRequestId(),
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, shouldUpgradeCallback: wantsLive },
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: "idle",
    frameworkErrors: sendProblem,
    clientErrorHandler: refuseMalformed,
  });
  server.server.maxConnections = 10_000;
  handleProblems(server);
  acceptJson(server);
  await addHeaders(server, config.publicUrl);
  await server.register(fastifyCookie);
  await server.register(rateLimit, { global: false });

  const setupToken = setupTokenOf(masterKey);
  const services = createServices({ database, clock, config, masterKey, testWaitMs });
  const cookie = sessionCookie(config.publicUrl);
  const gate = createGate(server, services.authentication, cookie, { publicUrl: config.publicUrl, ratePerMinute: config.ratePerMinute, checkAnswers });

  const { serve, admit, finish } = createServing(server, gate);
  chatRoutes(serve, services);
  chatSearchRoutes(serve, services);
  projectRoutes(serve, services);
  teamRoutes(serve, services);
  accountRoutes(serve, services);
  server.addHook("onClose", () => fetcher.close());
  fileRoutes(serve, services, { present: services.deps.present, fetcher });
  fileResourceRoutes(serve, services, services.deps.present, services.deps.storage, config.publicUrl);
  filesViewRoutes(serve, services, services.deps.present, services.deps.storage);
  const resumable = tusRoutes(server, serve, admit, { services, folder: join(config.dataDir, "files"), uploadBytes: config.uploadBytes });
  taskRoutes(serve, services);
  taskResourceRoutes(serve, services);
  commentRoutes(serve, services);
  statusRoutes(serve, services);
  tagRoutes(serve, services, services.deps.present);
  readMarkerRoutes(serve, services);
  messageRoutes(serve, services);
  projectResourceRoutes(serve, services);
  peopleRoutes(serve, services);
  apiTokenRoutes(serve, services);
  webhookRoutes(serve, services);
  const makers = createDemoRoom({ config, database, masterKey }, (error, message) => server.log.error({ err: error }, message));
  server.addHook("onClose", () => makers.stop());
  demoRoutes(serve, services, startDemo ?? makers.start);
  sessionRoutes(serve, services, cookie, {
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
  finish();
  const warn = (error: unknown, message: string) => server.log.warn({ err: error }, message);
  const hub = openHub(services.deps, warn);
  server.addHook("onClose", () => hub.close());
  await serveLive(server, {
    deps: {
      feed: hub,
      words: services.deps.words,
      rights: {
        again: (actor) => services.authentication.again(actor),
        sight: (actor) => sightOf(database, actor),
        sees: (actor, projectId) => seesProject(database, actor, projectId),
      },
      warn,
    },
    gate,
    redeem: (ticket) => services.tickets.redeem(ticket),
    timing: liveTiming,
  });
  docsRoutes(server, config.publicUrl, VERSION);
  await serveClient(server, clientFolder);
  return {
    server,
    services,
    setupToken,
    async cleanStart() {
      await services.deps.storage.clean(0);
      await services.deps.queue.reclaim(clock.now());
      await reclaimDeliveries(services.deps);
    },
    startMedia() {
      const processing = createProcessing(services.deps, createExamine(config.taggingModel, mediaLimits, analyse), (projectId, progress) =>
        hub.hint({ topic: topicOf.project(projectId), type: "file.progress", data: { project_id: projectId, ...progress } }),
      );
      return startMediaWork(services.deps, processing.run, (error) => server.log.error({ err: error }, "a media job broke off"));
    },
    startDelivery: () => startDelivery({ hooks: services.hooks, rules: config.webhooks, warn }),
    chores: {
      "deleting old records": () => prune({ database, clock }, { ...KEEP, sessionIdleMs: IDLE_MS, sessionMs: ABSOLUTE_MS }),
      // What is under way, an upload or media work, is written to all the time.
      "clearing away broken-off uploads": () => services.deps.storage.clean(HOUR),
      "forgetting uploads that nobody finished": () => resumable.expire(),
      "removing the bytes of deleted files": () => removeDeleted(services.deps),
      "forgetting deleted comments": () => forgetComments({ database, clock }),
      "emptying deleted messages": () => emptyDeleted({ database, clock }),
      "forgetting old webhook deliveries": () => forgetDeliveries({ database, clock }),
    },
  };
}
