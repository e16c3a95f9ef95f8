/** Sends every error as RFC 9457 `application/problem+json`; an internal error reveals no details. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import type { Problem } from "../../contract/records.ts";
import { isDiskFull, isUnavailable } from "../db/engine-errors.ts";
import { HttpError, statusTitle } from "../lib/errors.ts";

export const MAX_PATH_SEGMENT_CHARACTERS = 200;

/** Converts an error into what the caller may know about it; null: an internal error. */
export function toHttpError(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  if (isDiskFull(error) || (error as NodeJS.ErrnoException).code === "ENOSPC") {
    return new HttpError(507, "The server's disk is full. Nothing was saved. Try again once there is free space.");
  }
  if (isUnavailable(error)) return new HttpError(503, "The database is unavailable or locked. Nothing was saved. Try again.", { retryAfter: 5 });
  const { statusCode, code, message } = error as Partial<FastifyError>;
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new HttpError(415, "Send the body as application/json, the bytes of a file as application/octet-stream.");
    case "FST_ERR_BAD_URL":
      return new HttpError(400, "The path has a % that does not begin a valid UTF-8 escape, such as %C3%A9. Write a percent sign as %25.");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new HttpError(414, `A segment of the path is longer than ${MAX_PATH_SEGMENT_CHARACTERS} characters.`);
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new HttpError(statusCode, message ?? statusTitle(statusCode));
  return null;
}

export const toProblem = (httpError: HttpError, requestId?: string): Problem => ({
  object: "error",
  type: "about:blank",
  status: httpError.status,
  title: httpError.title,
  detail: httpError.message,
  ...(requestId === undefined ? {} : { request_id: requestId }),
  ...(httpError.errors ? { errors: httpError.errors } : {}),
  ...httpError.extensions,
});

/** Error codes of RFC 6749 for failures that have none of their own. */
const OAUTH_ERRORS: Record<number, string> = { 401: "invalid_client", 403: "access_denied", 429: "temporarily_unavailable", 503: "temporarily_unavailable" };

/** The form of RFC 6749, 5.2, whose description excludes quotes and backslashes and is ASCII. */
const toOAuthError = ({ status, message, extensions }: HttpError, invalid: string) => ({
  error: extensions["error"] ?? OAUTH_ERRORS[status] ?? (status < 500 ? invalid : "server_error"),
  error_description: message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, "?"),
});

function sendHttpError(reply: FastifyReply, request: FastifyRequest, httpError: HttpError): FastifyReply {
  // The connection closes after an unread body has been drained, not before the sender could read the response.
  reply.removeHeader("Connection").headers(httpError.headers);
  if (httpError.retryAfter !== undefined) reply.header("Retry-After", String(httpError.retryAfter));
  const oauthCode = (request.routeOptions as FastifyRequest["routeOptions"] | undefined)?.config?.operation?.oauthErrors;
  // JSON.stringify escapes lone surrogates, so hostile text cannot break the response.
  return reply
    .code(httpError.status)
    .header("Cache-Control", "no-store")
    .type(oauthCode ? "application/json; charset=utf-8" : "application/problem+json; charset=utf-8")
    .send(JSON.stringify(oauthCode ? toOAuthError(httpError, oauthCode) : toProblem(httpError, request.id)));
}

/** Responds to any error, including errors from before routing such as a URL with invalid percent escapes. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const httpError = toHttpError(error);
  if (!httpError) request.log.error({ err: error }, "unexpected failure");
  else if (httpError.status >= 500) request.log.warn({ err: error }, "request failed temporarily");
  return sendHttpError(
    reply,
    request,
    httpError ?? new HttpError(500, `Try again. If the problem persists, give your administrator this request ID: ${request.id}`),
  );
}

export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
}

const PARSER_ERRORS: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, "The headers are larger than 16 KiB."),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, "The request did not arrive in time."),
};

/** Responds on the raw socket to input that Node's HTTP parser rejects, since it never becomes a request, and closes the socket. */
export function rejectMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  rejectOnSocket(PARSER_ERRORS[error.code ?? ""] ?? new HttpError(400, "This is not a valid HTTP request."), socket);
}

/** Sends an error to a socket without a request, and closes it. */
export function rejectOnSocket(httpError: HttpError, socket: Socket): void {
  const body = JSON.stringify(toProblem(httpError));
  const head = [
    `HTTP/1.1 ${httpError.status} ${httpError.title}`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(httpError.headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

export const unknownPath = (method: string, url: string): HttpError => new HttpError(404, `Nothing found at ${method} ${url.split("?", 1)[0]?.slice(0, 200)}.`);

export const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendHttpError(reply, request, unknownPath(request.method, request.url));
