/** Lets pages of listed origins call the API with a bearer token, and those of every origin what needs no authorization. Browsers send such requests without cookies, because credentials are never allowed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "If-Range",
  "Range",
  "Tus-Resumable",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
];
const EXPOSED_HEADERS = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Location",
  "RateLimit-Limit",
  "Retry-After",
  "Tus-Resumable",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
  "WWW-Authenticate",
].join(", ");
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/** Must run before the hooks that reject requests, so that pages can read errors too. `origins`: empty for none. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    const isAllowedForAll = app.allowsAnyOrigin(request);
    const isListed = origin !== undefined && origins.includes(origin);
    if (isAllowedForAll) reply.header("Access-Control-Allow-Origin", "*");
    else if (origins.length > 0) reply.header("Vary", "Origin");
    if (!isAllowedForAll && isListed) reply.header("Access-Control-Allow-Origin", origin);
    if (isAllowedForAll || isListed) reply.header("Access-Control-Expose-Headers", EXPOSED_HEADERS);
    done();
  });
}

/** Answers a preflight from a listed origin. Returns false for any other request, also for a preflight to an unknown path. */
export function sendPreflight(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): boolean {
  const { method, url, headers } = request;
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined && reply.hasHeader("Access-Control-Allow-Origin");
  const methods = isPreflight ? app.allowedMethods(url) : [];
  if (methods.length === 0) return false;
  void reply
    .removeHeader("Access-Control-Expose-Headers")
    .headers({
      "Access-Control-Allow-Methods": methods.join(", "),
      // Clients of the authorization server send headers of their own protocols. The asterisk does not include Authorization.
      "Access-Control-Allow-Headers": app.allowsAnyOrigin(request) ? "*, Authorization" : REQUEST_HEADERS.join(", "),
      "Access-Control-Max-Age": PREFLIGHT_MAX_AGE_SECONDS,
      Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    })
    .code(204)
    .send();
  return true;
}
