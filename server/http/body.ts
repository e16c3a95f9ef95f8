/** Reads request bodies: JSON and forms must be valid UTF-8 of at most 256 KiB that arrives in time, an empty body counts as none, and byte streams pass through unread. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { LIMITS } from "../../contract/limits.ts";
import { SECOND } from "../lib/clock.ts";
import { createCounts } from "../lib/counts.ts";
import { HttpError } from "../lib/errors.ts";
import { clientAddress, toNetworkLimits } from "../lib/network.ts";

export interface BodyLimits {
  /** How long a JSON body may take after the request's headers. With the limit on headers, a request arrives within 30 seconds. */
  jsonMs: number;
  /** JSON bodies of one IPv4 address or IPv6 /64 that are being received without a sign-in; twice as many of a /56, four times of a /48. Those of an account are limited by its running requests. */
  unfinishedPerNetwork: number;
  /** How long an unread body is drained after the response, so that the sender has time to read the response. */
  lingerMs: number;
}
export const BODY_LIMITS: BodyLimits = { jsonMs: 20 * SECOND, unfinishedPerNetwork: 50, lingerMs: 5 * SECOND };

export function registerBodyParsers(app: FastifyInstance, limits: BodyLimits): void {
  const unfinished = createCounts();
  app.removeAllContentTypeParsers();
  drainUnreadBodies(app, limits.lingerMs);
  // The handler streams these bytes to disk. tus uses a content type of its own.
  app.addContentTypeParser(["application/octet-stream", "application/offset+octet-stream", "text/csv"], (_request, payload, done) => done(null, payload));
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    assertForm(request, "json");
    return parseJson(await readLimited(request, payload));
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", async (request: FastifyRequest, payload: IncomingMessage) => {
    assertForm(request, "form");
    return parseForm(decode(await readLimited(request, payload)));
  });
  // Mail programs send it to unsubscribe.
  app.addContentTypeParser("multipart/form-data", async (request: FastifyRequest, payload: IncomingMessage) => {
    assertForm(request, "multipart");
    await readLimited(request, payload);
    return undefined;
  });

  async function readLimited(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
    if (request.routeOptions.config.operation?.rule !== "open") return readText(request, payload, limits.jsonMs);
    const networks = toNetworkLimits(clientAddress(request), limits.unfinishedPerNetwork);
    if (networks.some(({ network, limit }) => unfinished.get(network) >= limit))
      throw new HttpError(429, "Too many unfinished requests from your network. Try again in 5 s.", { retryAfter: 5 });
    const releases = networks.map(({ network }) => unfinished.add(network));
    return readText(request, payload, limits.jsonMs).finally(() => releases.forEach((release) => release()));
  }
}

/** Throws a 415 for a form where JSON is expected and the reverse. */
function assertForm({ routeOptions }: FastifyRequest, sent: "json" | "form" | "multipart"): void {
  const { form, bytes } = routeOptions.config.operation ?? {};
  const isExpected = form === undefined ? sent === "json" : sent === "form" || (sent === "multipart" && form === "unread");
  if (isExpected) return;
  const expected = form !== undefined ? "application/x-www-form-urlencoded" : bytes === "body" ? "application/octet-stream" : "application/json";
  throw new HttpError(415, `Send the body as ${expected}.`);
}

const tooLarge = (): HttpError => new HttpError(413, `The body is larger than ${LIMITS.json_bytes / 1024} KiB.`);

/** Collects a body of JSON or of a form. Rejects with a 400, 408 or 413 when the client ends early, takes too long or sends too much. */
function readText({ headers }: FastifyRequest, payload: IncomingMessage, maxMs: number): Promise<Buffer> {
  const declared = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  if (declared !== null && declared > LIMITS.json_bytes) return Promise.reject(tooLarge());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let received = 0;
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= LIMITS.json_bytes) return void chunks.push(chunk);
    stop();
    reject(tooLarge());
  };
  const stop = (): void => {
    clearTimeout(timer);
    payload.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
  };
  const onEnd = (): void => {
    stop();
    if (declared !== null && declared !== received) reject(new HttpError(400, "The body is shorter or longer than its Content-Length."));
    else resolve(Buffer.concat(chunks, received));
  };
  const onBroken = (): void => {
    stop();
    reject(closedEarly());
  };
  const timer = setTimeout(() => {
    stop();
    reject(new HttpError(408, `The body did not arrive within ${maxMs / SECOND} seconds. Nothing was saved. Try again.`));
  }, maxMs).unref();
  payload.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  if (payload.destroyed && !payload.readableEnded) onBroken();
  return promise;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new HttpError(400, "The body is not valid UTF-8.");
  }
}

/** Returns the members of a form by name; a repeated one is an array, which no schema allows. Members without a value count as missing (RFC 6749, 3.2). */
function parseForm(text: string): Record<string, string | string[]> {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].flatMap((name): [string, string | string[]][] => {
      const [first = "", ...repeated] = form.getAll(name);
      if (repeated.length > 0) return [[name, [first, ...repeated]]];
      return first === "" ? [] : [[name, first]];
    }),
  );
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = decode(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

const closedEarly = (): HttpError => new HttpError(400, "The connection closed before the request was complete. Nothing was saved.");

/** Throws a 415 for a body that is compressed or in another encoding than UTF-8, which would be read as something else. */
export function assertReadableEncoding({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "") throw new HttpError(415, "Send the body without Content-Encoding. Compressed bodies are not read.");
  const [, charset] = /;\s*charset="?([^";\s]*)/i.exec(headers["content-type"] ?? "") ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new HttpError(415, "Send the body as UTF-8. Other charsets are not read.");
}

export const isStream = (body: unknown): body is Readable => body instanceof Readable;

/** Yields the body's bytes. Ending the iteration early keeps the connection open, so that the sender can receive the error. */
export async function* readBytes(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw closedEarly();
  }
}

/** True while bytes of the request's body may still arrive. */
export const hasUnreadBody = (raw: IncomingMessage): boolean =>
  !raw.complete && !raw.readableEnded && !raw.destroyed && (raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0);

/** Drains an unread body for a moment after the response, since closing the connection at once could lose the response. */
function drainUnreadBodies(app: FastifyInstance, lingerMs: number): void {
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    done();
    if (!hasUnreadBody(raw)) return;
    raw.on("error", () => {});
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
    raw.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  });
}
