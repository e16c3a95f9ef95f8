/** Serves the built client: immutable caching for hashed assets, and index.html for every path that the client routes itself. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { sendNotFound } from "./problems.ts";

const YEAR_MS = 365 * 86_400_000;
const API_PATTERN = /^\/(v1|api|openapi\.json|docs|assets)(\/|$|\?)/;

export async function serveClient(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, "index.html"));
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      wildcard: false,
      index: ["index.html"],
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashedAsset = path.includes(join(folder, "assets"));
        reply.header("Cache-Control", isHashedAsset ? `public, max-age=${YEAR_MS / 1_000}, immutable` : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const wantsPage =
      (request.method === "GET" || request.method === "HEAD") && !API_PATTERN.test(request.url) && !/\.\w+$/.test(request.url.split("?")[0] ?? "");
    if (wantsPage && isBuilt) return reply.sendFile("index.html");
    return sendNotFound(request, reply);
  });
}
