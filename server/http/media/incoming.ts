/** Reads bytes from request bodies, and drains unread bodies after the response. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../../lib/faults.ts";

/** How long a sender may continue after the response: long enough to read it. */
const LINGER_MS = 5_000;

export const isStream = (body: unknown): body is Readable => body instanceof Readable;

/** Yields the body's bytes. Ending the iteration early keeps the connection open, so that the sender can receive the error. */
export async function* readBytes(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw new HttpError(400, "The connection closed before the upload was complete. Nothing was saved.");
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Drains an unread body for a moment after the response, since closing the connection at once could lose the response. */
export function drainUnreadBodies(app: FastifyInstance): void {
  app.addHook("onResponse", async (request) => {
    const { raw } = request;
    if (raw.complete || raw.readableEnded || raw.destroyed || !hasBody(request)) return;
    raw.on("error", () => {});
    raw.resume();
    const timer = setTimeout(() => raw.destroy(), LINGER_MS).unref();
    raw.once("close", () => clearTimeout(timer)).once("end", () => clearTimeout(timer));
  });
}
