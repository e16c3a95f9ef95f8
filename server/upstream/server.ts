/** Serves the client and forwards its API requests to another service, without a database or data of its own. */
import type { FastifyInstance } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { isSameOriginRequest } from "../http/authenticator.ts";
import { rejectOnSocket } from "../http/problems.ts";
import { createServer, type ServerLimits } from "../http/server.ts";
import { serveClient } from "../http/web-client.ts";
import { HttpError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { isForwardedPath, staysBelowBase, type Upstream } from "./address.ts";
import { createForwarder, FORWARD_LIMITS, type ForwardLimits } from "./forward.ts";
import { createHeaderTranslation } from "./headers.ts";

export interface UpstreamServerOptions {
  config: Pick<Config, "publicUrl" | "logLevel" | "trustProxy" | "connectionsPerNetwork">;
  upstream: Upstream;
  /** Replaces a log of the configured level in JSON. */
  log?: Log | undefined;
  /** Folder with the built client. */
  clientFolder?: string;
  /** Replace some of the limits (tests). */
  limits?: Partial<ForwardLimits>;
  serverLimits?: Partial<ServerLimits>;
}

export async function createUpstreamServer({ config, upstream, log, clientFolder, limits, serverLimits }: UpstreamServerOptions): Promise<FastifyInstance> {
  const { publicUrl, logLevel, trustProxy, connectionsPerNetwork } = config;
  const isUpgrade = ({ headers, url = "" }: IncomingMessage) => headers.upgrade?.toLowerCase() === "websocket" && isForwardedPath(url);
  const server = await createServer({ publicUrl, logLevel, trustProxy, connectionsPerNetwork, limits: serverLimits, log, isUpgrade });
  const translation = createHeaderTranslation({ upstream, publicUrl, isFromOurPage: (headers) => isSameOriginRequest(headers, publicUrl) });
  const forwarder = createForwarder(upstream, translation, { ...FORWARD_LIMITS, ...limits });

  await server.register(async (scope) => {
    // The body stays unread, whatever its type and length.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const url of ["/v1/*", "/api/v2/*"]) {
      scope.all(url, async (request, reply) => {
        if (!isForwardedPath(request.raw.url ?? "")) throw new HttpError(400, "The path has segments that leave it.");
        await forwarder.forward(request.raw, reply.raw, () => reply.hijack());
      });
    }
  });
  // Files may have any address of the other service. Only the client's scripts add its token, never a link or a form, so the response is no page of this origin.
  server.addHook("onRequest", async ({ is404, method, headers, raw }, reply) => {
    if (!is404 || method !== "GET" || !/^Bearer /i.test(headers.authorization ?? "")) return;
    if (!staysBelowBase(raw.url ?? "")) throw new HttpError(400, "The path has segments that leave it.");
    await forwarder.forward(raw, reply.raw, () => reply.hijack());
  });
  server.server.on("upgrade", (request, socket, head) => {
    forwarder.forwardUpgrade(request, request.socket, head).catch((error: unknown) => {
      if (error instanceof HttpError && socket.writable) rejectOnSocket(error, request.socket);
      else socket.destroy();
    });
  });
  server.addHook("preClose", async () => forwarder.close());
  // The client asks this server, whatever its built settings say. It needs the other address to recognize the URLs in records.
  await serveClient(server, { publicUrl, folder: clientFolder, settings: { service_url: "", upstream: upstream.baseUrl } });
  return server;
}
