/** Streams a zip that is built while it is sent: one file open at a time, nothing stored, and it stops when the client disconnects. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Archive } from "../../domain/files/archive.ts";
import { MINUTE } from "../../lib/clock.ts";
import { zipBytes, zipLength, type ZipEntry } from "../../lib/zip.ts";
import type { Storage } from "../../storage/storage.ts";
import { contentDisposition } from "./disposition.ts";

/** Bytes buffered for a slow client. */
const BUFFER_BYTES = 256 * 1024;
/** How long the client may pause. A zip cannot be resumed with a range request like a file, so a timeout would mean starting over. */
const READER_TIMEOUT_MS = 30 * MINUTE;

export async function sendArchive(storage: Storage, { name, entries }: Archive, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const zipEntries = entries.map(({ key, ...entry }): ZipEntry => ({ ...entry, open: key === null ? null : () => storage.open(key) }));
  reply
    .header("Cache-Control", "private, no-store")
    .header("Content-Security-Policy", "sandbox; default-src 'none'")
    .header("Content-Disposition", contentDisposition("attachment", name))
    .header("Content-Length", String(zipLength(zipEntries)))
    .type("application/zip");
  // Applies to this response only; Node resets the timeout for the next request on the connection.
  const { socket } = request.raw;
  // Injected requests have no real socket.
  if (typeof socket.setTimeout === "function") socket.setTimeout(READER_TIMEOUT_MS);
  return reply.send(Readable.from(request.method === "HEAD" ? [] : zipBytes(zipEntries), { objectMode: false, highWaterMark: BUFFER_BYTES }));
}
