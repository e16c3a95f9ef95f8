/** Serves the built client, and sets the security headers of every response. */
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import helmet from "helmet";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { allowServices, type ClientSettings, parseClientSettings } from "./page-policy.ts";
import { sendNotFound } from "./problems.ts";

const DEFAULT_FOLDER = fileURLToPath(new URL("../../dist", import.meta.url));
const YEAR_MS = 365 * 86_400_000;
/** Paths that never show the page, so that programs and monitors get a clear 404. */
const API_PATTERN = /^\/(v1|api|openapi\.json|docs|assets|\.well-known|health|ready|metrics)(\/|$)/i;
/** Hashes of the style sheets that libraries add to the page. Another version of a library may need other hashes. */
export const STYLE_HASHES = {
  /** wavesurfer's, at a height of 128 pixels. */
  waveform: "'sha256-gXnHDepVZ6KF6fKGOD+GVc9BynM50JQqht95p3HpemI='",
  /** react-aria's for the page behind a dialog on iOS. */
  dialog: "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
};

/** What the browser offers to pages and ours does not use. Recording uses the microphone and keeps the screen on. Only features that Chrome knows, since it logs the others as errors. */
const UNUSED_FEATURES =
  "accelerometer camera display-capture encrypted-media gamepad geolocation gyroscope hid idle-detection local-fonts magnetometer midi payment publickey-credentials-create publickey-credentials-get serial sync-xhr usb xr-spatial-tracking";
const PERMISSIONS_POLICY = ["microphone=(self)", "screen-wake-lock=(self)", ...UNUSED_FEATURES.split(" ").map((feature) => `${feature}=()`)].join(", ");

interface ClientOptions {
  publicUrl: string;
  /** The built client. */
  folder?: string | undefined;
  /** Replaces the client's own `config.json`, which is read once. */
  settings?: ClientSettings;
}

/** Serves hashed assets with immutable caching, and index.html for every path that the client routes itself. */
export async function serveClient(app: FastifyInstance, { publicUrl, folder = DEFAULT_FOLDER, settings: givenSettings }: ClientOptions): Promise<void> {
  const isBuilt = existsSync(join(folder, "index.html"));
  const settings = givenSettings ?? (await readFile(join(folder, "config.json"), "utf8").then(parseClientSettings, () => parseClientSettings("")));
  app.get("/config.json", (_request, reply) => reply.header("Cache-Control", "no-cache").send(settings));
  if (isBuilt) {
    app.addHook("onRequest", (request, reply, done) => {
      const path = request.routeOptions.config.operation ? null : plainPath(request.url);
      if (path !== null && isPagePath(path)) allowServices(request, reply, path, settings, publicUrl.startsWith("https:"));
      done();
    });
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      wildcard: false,
      globIgnore: ["config.json"],
      index: ["index.html"],
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashedAsset = path.includes(join(folder, "assets"));
        reply.header("Cache-Control", isHashedAsset ? `public, max-age=${YEAR_MS / 1_000}, immutable` : "no-cache");
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === "GET" || request.method === "HEAD") && isPagePath(plainPath(request.url));
    if (wantsPage && isBuilt) return reply.sendFile("index.html");
    return sendNotFound(request, reply);
  });
}

/** Returns whether a decoded path shows the page, unless it is that of a file. */
const isPagePath = (path: string): boolean => path === "/index.html" || (!API_PATTERN.test(path) && !/\.\w+$/.test(path));

/** Returns the path of a URL without escapes, dot segments, repeated slashes and backslashes, so that no spelling of an API path shows the page. */
function plainPath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  try {
    return posix.normalize(decodeURIComponent(path).replaceAll("\\", "/"));
  } catch {
    return path;
  }
}

/** Returns the headers of every response by their names. They are the same for all, so they are made once. */
function securityHeaders(publicUrl: string, mediaOrigin: string | null): [string, string][] {
  const media = mediaOrigin === null ? [] : [mediaOrigin];
  const isHttps = publicUrl.startsWith("https:");
  const headers = new Map([["Permissions-Policy", PERMISSIONS_POLICY]]);
  const response = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader: (name: string) => headers.delete(name) };
  const setAll = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...Object.values(STYLE_HASHES)],
        fontSrc: ["'self'"],
        // blob: for previews of images before upload.
        imgSrc: ["'self'", "blob:", ...media],
        // blob: for recordings before they are sent.
        mediaSrc: ["'self'", "blob:", ...media],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    hsts: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "no-referrer" },
    xFrameOptions: { action: "deny" },
    originAgentCluster: true,
  });
  setAll({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return [...headers];
}

/** `mediaOrigin`: where redirects to media lead; null if there are none. */
export function addSecurityHeaders(app: FastifyInstance, publicUrl: string, mediaOrigin: string | null = null): void {
  const headers = securityHeaders(publicUrl, mediaOrigin);
  app.addHook("onRequest", (_request, { raw }, done) => {
    for (const [name, value] of headers) raw.setHeader(name, value);
    done();
  });
}
