/** A zip, made while it is sent: one file open at a time, nothing kept, and it ends when the reader goes. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Archive } from "../../domain/files/archive.ts";
import { MINUTE } from "../../lib/clock.ts";
import { zipBytes, zipLength, type ZipEntry } from "../../lib/zip.ts";
import type { Storage } from "../../storage/storage.ts";
import { contentDisposition } from "./disposition.ts";

/** Bytes that wait for a slow reader. */
const BUFFER_BYTES = 256 * 1024;
/** So long its reader may pause: unlike a file's bytes it cannot be gone on with by a range, it would begin anew. */
const READER_TIMEOUT_MS = 30 * MINUTE;

export async function sendArchive(storage: Storage, { name, entries }: Archive, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const zipEntries = entries.map(({ key, ...entry }): ZipEntry => ({ ...entry, open: key === null ? null : () => storage.open(key) }));
  reply
    .header("Cache-Control", "private, no-store")
    .header("Content-Security-Policy", "sandbox; default-src 'none'")
    .header("Content-Disposition", contentDisposition("attachment", name))
    .header("Content-Length", String(zipLength(zipEntries)))
    .type("application/zip");
  // For this answer: for what is asked next on the connection, Node sets its own again.
  const { socket } = request.raw;
  // Injected requests come over none.
  if (typeof socket.setTimeout === "function") socket.setTimeout(READER_TIMEOUT_MS);
  return reply.send(Readable.from(request.method === "HEAD" ? [] : zipBytes(zipEntries), { objectMode: false, highWaterMark: BUFFER_BYTES }));
}
