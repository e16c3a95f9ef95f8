/** Parses request bodies: JSON must be valid UTF-8 of at most 256 KiB, an empty body counts as none, and byte streams pass through unread. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { HttpError } from "../lib/errors.ts";

/** How long an unread body is drained after the response, so that the sender has time to read the response. */
const LINGER_MS = 5_000;

export function registerBodyParsers(app: FastifyInstance): void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  drainUnreadBodies(app);
  // The handler streams these bytes to disk. tus uses a content type of its own.
  app.addContentTypeParser(["application/octet-stream", "application/offset+octet-stream"], (_request, payload, done) => done(null, payload));
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = decoder.decode(body as Buffer);
    } catch {
      return done(new HttpError(400, "The body is not valid UTF-8."));
    }
    try {
      return done(null, JSON.parse(text));
    } catch (error) {
      return done(new HttpError(400, `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`));
    }
  });
}

export const isStream = (body: unknown): body is Readable => body instanceof Readable;

/** Yields the body's bytes. Ending the iteration early keeps the connection open, so that the sender can receive the error. */
export async function* readBytes(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw new HttpError(400, "The connection closed before the upload was complete. Nothing was saved.");
  }
}

/** Drains an unread body for a moment after the response, since closing the connection at once could lose the response. */
function drainUnreadBodies(app: FastifyInstance): void {
  app.addHook("onResponse", async (request) => {
    const { raw } = request;
    if (raw.complete || raw.readableEnded || raw.destroyed || !hasBody(request)) return;
    raw.on("error", () => {});
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), LINGER_MS).unref();
    raw.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  });
}

const hasBody = ({ headers }: FastifyRequest): boolean => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
