/** A zip, made while it is sent: one file open at a time, nothing kept, and it ends when the reader goes. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Packing } from "../../domain/files/archive.ts";
import { zipBytes, zipLength, type ZipEntry } from "../../lib/zip.ts";
import type { Storage } from "../../storage/storage.ts";
import { disposition } from "./disposition.ts";

/** Bytes that wait for a slow reader. */
const WAITING = 256 * 1024;

export async function sendArchive(storage: Storage, { name, entries }: Packing, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const zipped = entries.map(({ key, ...entry }): ZipEntry => ({ ...entry, open: key === null ? null : () => storage.open(key) }));
  reply
    .header("Cache-Control", "private, no-store")
    .header("Content-Security-Policy", "sandbox; default-src 'none'")
    .header("Content-Disposition", disposition("attachment", name))
    .header("Content-Length", String(zipLength(zipped)))
    .type("application/zip");
  return reply.send(Readable.from(request.method === "HEAD" ? [] : zipBytes(zipped), { objectMode: false, highWaterMark: WAITING }));
}
