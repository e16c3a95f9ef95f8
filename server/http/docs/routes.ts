/** Routes for `/openapi.json` and the HTML documentation at `/docs`. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { createOpenApiDocument } from "./openapi.ts";
import { renderDocsPage } from "./page.ts";

export function docsRoutes(app: FastifyInstance, publicUrl: string, version: string): void {
  // Rendered at the first request, so that it does not delay startup.
  let cached: { json: string; page: string; style: string } | undefined;
  const render = () => {
    if (cached) return cached;
    const document = createOpenApiDocument(publicUrl, version);
    cached = { json: JSON.stringify(document), page: renderDocsPage(document), style: readFileSync(new URL("style.css", import.meta.url), "utf8") };
    return cached;
  };
  const addRoute = (path: string, type: string, text: () => string) =>
    app.get(path, async (_request, reply) => reply.header("Cache-Control", "no-cache").type(type).send(text()));
  addRoute("/openapi.json", "application/json; charset=utf-8", () => render().json);
  addRoute("/docs", "text/html; charset=utf-8", () => render().page);
  addRoute("/docs/style.css", "text/css; charset=utf-8", () => render().style);
}
