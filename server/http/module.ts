/** What each module of the service hands to the composition root. */
import type { FastifyInstance } from "fastify";
import type { FileFetcher } from "../delivery/fetch-file.ts";
import type { ScheduledJobs } from "../jobs/scheduled-jobs.ts";
import type { SessionCookie } from "./authenticator.ts";
import type { AuthorizedCaller, Route } from "./route.ts";

/** What every module needs to register its routes. The command line and the worker use modules without registering them. */
export interface RouteContext {
  server: FastifyInstance;
  route: Route;
  /** For paths that share the operation of another one. */
  authorizedCaller: AuthorizedCaller;
  cookie: SessionCookie;
  /** Fetches files from URLs that callers name. */
  fetcher: FileFetcher;
  /** For the response to `GET /api/v2/service`. */
  serviceInfo: { version: string; features: readonly string[]; maxUploadBytes: number };
}

export interface ServiceModule<Services> {
  services: Services;
  /** Entries of `features` in `GET /api/v2/service`. */
  features: readonly string[];
  /** Registers the module's routes and returns its hourly jobs, by their names in the log. */
  register(context: RouteContext): ScheduledJobs | Promise<ScheduledJobs>;
}
