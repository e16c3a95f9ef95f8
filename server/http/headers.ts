/** Security headers of every answer. */
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** The one style sheet that the page writes itself: wavesurfer's, drawn 128 pixels high. Another version of it has another hash. */
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
        // blob: for the preview of a picture before it is uploaded.
        imgSrc: ["'self'", "blob:"],
        // blob: for what was recorded, before it is sent.
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
