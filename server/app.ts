/** The composition root: wires storage into the domain and the domain into routes. Tests inject here. */
import { fileURLToPath } from "node:url";
import fastifyCookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { createAuthentication } from "./domain/accounts/authenticate.ts";
import { createInvites } from "./domain/accounts/invites.ts";
import { createMembers } from "./domain/accounts/members.ts";
import { createSessions } from "./domain/accounts/sessions.ts";
import { createSignIn } from "./domain/accounts/sign-in.ts";
import { createTickets } from "./domain/accounts/tickets.ts";
import { createTokens } from "./domain/accounts/tokens.ts";
import { createChat } from "./domain/chat/service.ts";
import { createProjects } from "./domain/projects/service.ts";
import { addDefaultStatuses, createStatuses } from "./domain/statuses/service.ts";
import { seesProject, sightOf } from "./domain/sight.ts";
import { createTeams } from "./domain/teams/service.ts";
import type { DomainDeps } from "./domain/deps.ts";
import type { Config } from "./config.ts";
import { VERSION } from "./config.ts";
import type { Database } from "./db/database.ts";
import { createEventLog } from "./events/log.ts";
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
import { chatRoutes } from "./http/routes/v1/chat.ts";
import { projectRoutes } from "./http/routes/v1/projects.ts";
import { teamRoutes } from "./http/routes/v1/teams.ts";
import { apiTokenRoutes } from "./http/routes/v2/api-tokens.ts";
import { peopleRoutes } from "./http/routes/v2/people.ts";
import { projectResourceRoutes } from "./http/routes/v2/projects.ts";
import { readMarkerRoutes } from "./http/routes/v2/read-markers.ts";
import { sessionRoutes } from "./http/routes/v2/session.ts";
import { createServing } from "./http/serve.ts";
import type { Services } from "./http/services.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import { deriveKey, newRequestId } from "./lib/secrets.ts";

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
}

export interface App {
  server: FastifyInstance;
  services: Services;
  /** What the first owner needs; the link in the log carries it. */
  setupToken: string;
}

const DEFAULT_CLIENT = fileURLToPath(new URL("../dist", import.meta.url));

/** Domain services over a database; the command line uses them without HTTP. */
export function createServices(database: Database, clock: Clock, publicUrl: string, setupToken: string): Services & { deps: DomainDeps } {
  const deps: DomainDeps = { database, clock, publicUrl, events: createEventLog(database, clock) };
  return {
    deps,
    authentication: createAuthentication(deps),
    signIn: createSignIn(deps, { setupToken, teamCreated: addDefaultStatuses }),
    sessions: createSessions(deps),
    tokens: createTokens(deps),
    invites: createInvites(deps),
    members: createMembers(deps),
    tickets: createTickets(deps),
    teams: createTeams(deps),
    projects: createProjects(deps),
    chat: createChat(deps),
    statuses: createStatuses(deps),
  };
}

/** Stable for one master key, so that every process and every restart accepts the same link until it was used. */
export const setupTokenOf = (masterKey: Buffer): string => deriveKey(masterKey, "setup").toString("base64url");

export async function buildApp({
  config,
  database,
  masterKey,
  clock = systemClock,
  checkAnswers = false,
  clientFolder = DEFAULT_CLIENT,
  liveTiming,
}: AppOptions): Promise<App> {
  const server = Fastify({
    logger: { level: config.logLevel, redact: ["req.headers.authorization", "req.headers.cookie"] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
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
  const services = createServices(database, clock, config.publicUrl, setupToken);
  const cookie = sessionCookie(config.publicUrl);
  const gate = createGate(server, services.authentication, cookie, { publicUrl: config.publicUrl, ratePerMinute: config.ratePerMinute, checkAnswers });

  const { serve, finish } = createServing(server, gate);
  chatRoutes(serve, services);
  projectRoutes(serve, services);
  teamRoutes(serve, services);
  accountRoutes(serve, services);
  readMarkerRoutes(serve, services);
  projectResourceRoutes(serve, services);
  peopleRoutes(serve, services);
  apiTokenRoutes(serve, services);
  sessionRoutes(serve, services, cookie, { version: VERSION, features: ["chat", "projects", "members", "api-tokens", "live"] });
  finish();
  const warn = (error: unknown, message: string) => server.log.warn({ err: error }, message);
  const hub = openHub(services.deps, warn);
  server.addHook("onClose", () => hub.close());
  await serveLive(server, {
    deps: {
      feed: hub,
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
  return { server, services, setupToken };
}
