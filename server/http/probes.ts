/** What monitors ask: `/health` (the process responds), `/ready` (it can do its work), and `/metrics` for Prometheus. They cost no budget, so that a busy network does not make the service look dead. */
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { secretsEqual } from "../lib/crypto.ts";
import { HttpError } from "../lib/errors.ts";
import { sendNotFound, sendProblem } from "./problems.ts";

/** Returns what keeps the process from doing its work (empty: nothing), and what else does not work, as sentences without details. */
export type CheckReadiness = () => Promise<{ reasons: readonly string[]; warnings: readonly string[] }>;

export interface Probes {
  checkReadiness: CheckReadiness;
  /** Returns the metrics in the text format of Prometheus. */
  renderMetrics(): Promise<string>;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Monitors ask every few seconds, so they are neither counted nor logged. */
const PROBE = { config: { cost: 0, isProbe: true } };

const withoutCache = (reply: FastifyReply): FastifyReply => reply.header("Cache-Control", "no-store");

export function registerHealth(server: FastifyInstance): void {
  server.get("/health", PROBE, (_request, reply) => withoutCache(reply).send({ status: "ok" }));
}

export function registerReadiness(server: FastifyInstance, checkReadiness: CheckReadiness): void {
  server.get("/ready", PROBE, async (_request, reply) => {
    const { reasons, warnings } = await checkReadiness();
    const state = reasons.length > 0 ? { status: "not ready", reasons } : { status: "ready" };
    return withoutCache(reply)
      .code(reasons.length > 0 ? 503 : 200)
      .send(warnings.length > 0 ? { ...state, warnings } : state);
  });
}

/** `token`: what readers must send; null: nothing. */
export function registerMetrics(server: FastifyInstance, renderMetrics: Probes["renderMetrics"], token: string | null): void {
  server.get("/metrics", PROBE, async ({ headers }, reply) => {
    const [, sent] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
    if (token !== null && (sent === undefined || !secretsEqual(sent, token))) {
      reply.header("WWW-Authenticate", 'Bearer realm="metrics"');
      throw new HttpError(401, "Send the token of METRICS_TOKEN as Authorization: Bearer <token>.");
    }
    return withoutCache(reply)
      .type(METRICS_TYPE)
      .send(await renderMetrics());
  });
}

/** Creates the server of `METRICS_PORT`, which has nothing but these three. */
export function createProbeServer({ checkReadiness, renderMetrics }: Probes, token: string | null): FastifyInstance {
  const server = Fastify({ logger: false, forceCloseConnections: true, requestTimeout: 10_000, connectionTimeout: 30_000 });
  server.setErrorHandler(sendProblem);
  server.setNotFoundHandler(sendNotFound);
  registerHealth(server);
  registerReadiness(server, checkReadiness);
  registerMetrics(server, renderMetrics, token);
  return server;
}
