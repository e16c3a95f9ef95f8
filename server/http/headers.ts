/** Security headers for every response. */
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Hash of the only style sheet that the page injects: wavesurfer's at a height of 128 pixels. Another wavesurfer version needs another hash. */
export const WAVEFORM_STYLE_HASH = "'sha256-gXnHDepVZ6KF6fKGOD+GVc9BynM50JQqht95p3HpemI='";

export async function addSecurityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  const isHttps = publicUrl.startsWith("https:");
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", WAVEFORM_STYLE_HASH],
        fontSrc: ["'self'"],
        // blob: for previews of images before upload.
        imgSrc: ["'self'", "blob:"],
        // blob: for recordings before they are sent.
        mediaSrc: ["'self'", "blob:"],
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
}
