/** Routes for `/openapi.json` and the API reference at `/docs`: Scalar's viewer, served from here, with a page and a start script of our own. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import Fastify, { type FastifyInstance } from "fastify";
import { keepCompressed } from "../compression.ts";
import { createOpenApiDocument } from "./openapi.ts";

/** The viewer's style sheet is added by its script, with the nonce of the page. */
const pageHtml = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light">
<meta property="csp-nonce" content="${nonce}">
<title>Talkback API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<div id="app"></div>
<script src="/docs/viewer.js" nonce="${nonce}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>`;

/** Returns the viewer's compressed script, which its package offers only through a plugin that also has a page with inline scripts. */
async function loadViewer(): Promise<{ script: Buffer; etag: string }> {
  const { default: reference } = await import("@scalar/fastify-api-reference");
  const app = Fastify();
  await app.register(reference, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
  const { body } = await app.inject("/docs/js/scalar.js");
  await app.close();
  const script = await promisify(gzip)(body, { level: 9 });
  return { script, etag: `"${createHash("sha256").update(script).digest("base64url")}"` };
}

export function docsRoutes(app: FastifyInstance, publicUrl: string, version: string): void {
  // Made at the first request, so that it does not delay startup.
  let document: Buffer | undefined;
  let viewer: ReturnType<typeof loadViewer> | undefined;
  const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const config = { cost: 5 };
  const addRoute = (path: string, type: string, content: () => string | Buffer) =>
    app.get(path, { config }, async (_request, reply) => reply.header("Cache-Control", "no-cache").type(type).send(content()));
  // All responses share these bytes, however long they take to be read.
  addRoute(
    "/openapi.json",
    "application/json; charset=utf-8",
    () => (document ??= keepCompressed(Buffer.from(JSON.stringify(createOpenApiDocument(publicUrl, version))))),
  );
  addRoute("/docs/viewer.js", "text/javascript; charset=utf-8", () => file("viewer.js"));
  addRoute("/docs/style.css", "text/css; charset=utf-8", () => file("style.css"));
  app.get("/docs/scalar.js", { config }, async (request, reply) => {
    viewer ??= loadViewer();
    // Another request tries again after a failure, for example with too many open files.
    viewer.catch(() => (viewer = undefined));
    const { script, etag } = await viewer;
    reply.header("Cache-Control", "no-cache").header("ETag", etag);
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.header("Content-Encoding", "gzip").type("text/javascript; charset=utf-8").send(script);
  });
  app.get("/docs", { config }, async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    const policy = String(reply.getHeader("Content-Security-Policy")).replace("style-src ", `style-src-attr 'unsafe-inline';style-src 'nonce-${nonce}' `);
    return reply.header("Content-Security-Policy", policy).header("Cache-Control", "no-store").type("text/html; charset=utf-8").send(pageHtml(nonce));
  });
}
