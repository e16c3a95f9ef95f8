/** `/openapi.json` and its readable form at `/docs`. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { openApiDocument } from "./openapi.ts";
import { docsPage } from "./page.ts";

export function docsRoutes(app: FastifyInstance, publicUrl: string, version: string): void {
  // Made at the first request: a start should not wait for it.
  let made: { json: string; page: string; style: string } | undefined;
  const make = () => {
    if (made) return made;
    const document = openApiDocument(publicUrl, version);
    made = { json: JSON.stringify(document), page: docsPage(document), style: readFileSync(new URL("style.css", import.meta.url), "utf8") };
    return made;
  };
  const serve = (path: string, type: string, text: () => string) =>
    app.get(path, async (_request, reply) => reply.header("Cache-Control", "no-cache").type(type).send(text()));
  serve("/openapi.json", "application/json; charset=utf-8", () => make().json);
  serve("/docs", "text/html; charset=utf-8", () => make().page);
  serve("/docs/style.css", "text/css; charset=utf-8", () => make().style);
}
