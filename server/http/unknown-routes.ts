/** Rejects requests that no route matches: 405 with `Allow` where the path has other methods, otherwise 404. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import { HttpError } from "../lib/errors.ts";
import { rejectMalformedRequest, rejectOnSocket, unknownPath } from "./problems.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Returns the methods that the path of this URL has routes for. */
    allowedMethods(url: string): string[];
    /** Returns whether pages of every origin may call the operations at the path of this request. */
    allowsAnyOrigin(request: FastifyRequest): boolean;
  }
}

/** Returns the path as the router compares it. */
function pathOf(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const notAllowed = (method: string, methods: string[]): HttpError =>
  new HttpError(405, `${method} is not supported here. Supported methods: ${methods.join(", ")}.`, { headers: { Allow: methods.join(", ") } });

/** Learns the methods of each path. Must run before the routes are registered. */
export function trackRoutes(app: FastifyInstance): void {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string>; anyOrigin: boolean }>();
  app.addHook("onRoute", ({ url, method, config }) => {
    const pattern = new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, "[^/]+")}$`);
    const path = paths.get(url) ?? { pattern, methods: new Set(), anyOrigin: config?.operation?.anyOrigin ?? false };
    for (const name of [method].flat()) path.methods.add(name.toUpperCase());
    paths.set(url, path);
  });
  const find = (url: string) => {
    const path = pathOf(url);
    return [...paths.values()].filter(({ pattern }) => pattern.test(path));
  };
  app.decorate("allowedMethods", (url) => [...new Set(find(url).flatMap((known) => [...known.methods]))].sort());
  app.decorate("allowsAnyOrigin", ({ is404, url, routeOptions }) =>
    is404 ? find(url).some(({ anyOrigin }) => anyOrigin) : (paths.get(routeOptions.url ?? "")?.anyOrigin ?? false),
  );
}

/** Rejects a request without a route before its body is read. What remains goes to the handler that serves the web client's page. */
export function rejectUnknownRoute(app: FastifyInstance, { is404, method, url }: FastifyRequest): void {
  if (!is404) return;
  const methods = app.allowedMethods(url);
  if (methods.length > 0) throw notAllowed(method, methods);
  if (method !== "GET" && method !== "HEAD") throw unknownPath(method, url);
}

/** Responds to input that Node's HTTP parser rejects. A well-formed request line with an unknown method gets the response of any other method. */
export function rejectUnparsedRequest(app: FastifyInstance, error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  const [, method, url] =
    error.code === "HPE_INVALID_METHOD" && Buffer.isBuffer(error.rawPacket)
      ? (/^([A-Z-]{1,20}) (\/\S*) HTTP\/1\.[01]\r\n/.exec(error.rawPacket.toString("latin1", 0, 4_096)) ?? [])
      : [];
  if (!method || !url || !socket.writable) return rejectMalformedRequest(error, socket);
  const methods = app.allowedMethods(url);
  rejectOnSocket(methods.length > 0 ? notAllowed(method, methods) : unknownPath(method, url), socket);
}
