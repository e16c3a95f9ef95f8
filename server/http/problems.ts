/** Every failure leaves as RFC 9457 `application/problem+json`; what is our fault says nothing of our insides. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../contract/records.ts";
import { isDiskFull, isUnavailable } from "../db/engine-errors.ts";
import { Fault, titleOf } from "../lib/faults.ts";

/** What the caller may know about an error; null: a fault of ours. */
export function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (isDiskFull(error) || (error as NodeJS.ErrnoException).code === "ENOSPC") {
    return new Fault(507, "The disk of the service is full. Nothing was saved; try again when there is room.");
  }
  if (isUnavailable(error)) return new Fault(503, "The database cannot be reached or is locked. Nothing was saved; try again.", { retryAfter: 5 });
  const { statusCode, code, message } = error as Partial<FastifyError>;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Fault(413, "The body is larger than 256 KiB.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Fault(415, "Send the body as application/json.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Fault(400, "The body is shorter or longer than its Content-Length.");
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Fault(statusCode, message ?? titleOf(statusCode));
  return null;
}

function send(reply: FastifyReply, request: FastifyRequest, fault: Fault): FastifyReply {
  const problem: Problem = {
    object: "error",
    type: "about:blank",
    status: fault.status,
    title: fault.title,
    detail: fault.message,
    request_id: request.id,
    ...(fault.errors ? { errors: fault.errors } : {}),
  };
  if (fault.retryAfter !== undefined) reply.header("Retry-After", String(fault.retryAfter));
  // JSON.stringify writes lone surrogates as escapes, so no hostile text can break the answer.
  return reply.code(fault.status).header("Cache-Control", "no-store").type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
}

export function handleProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const fault = faultOf(error);
    if (!fault) request.log.error({ err: error }, "unexpected failure");
    else if (fault.status >= 500) request.log.warn({ err: error }, "refused for now");
    return send(reply, request, fault ?? new Fault(500, `Please try again. If it stays, give your operator this number: ${request.id}`));
  });
}

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(reply, request, new Fault(404, `There is nothing at ${request.method} ${request.url.split("?")[0]?.slice(0, 200)}.`));
