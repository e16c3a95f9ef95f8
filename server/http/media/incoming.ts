/** Bytes that arrive as a request's body, and what is left of them when the answer is out. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../../lib/faults.ts";

/** How long a sender may go on after it was answered: long enough to read the answer. */
const LINGER_MS = 5_000;

export const isStream = (body: unknown): body is Readable => body instanceof Readable;

/** The body's bytes. Whoever stops reading does not cut the connection, so that the sender can be told why. */
export async function* readBytes(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch {
    throw new HttpError(400, "The connection ended before the upload did. Nothing was kept.");
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean => headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Reads on for a moment what nobody wanted, since a connection that is cut at once takes the answer with it. */
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
