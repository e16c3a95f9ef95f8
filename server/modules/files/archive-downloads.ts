/** Sends zips of files and folders. Their contents are in memory from the first to the last byte, so each account can have a few, and they are planned one by one. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { formatCount } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import { createConcurrencyLimit } from "../../http/concurrency-limit.ts";
import { MINUTE } from "../../lib/clock.ts";
import { HttpError } from "../../lib/errors.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Archive } from "./archive.ts";
import { createArchiveStream } from "./archive-stream.ts";
import { contentDisposition } from "../../http/send-bytes.ts";

/** How long the client of a zip may pause. A zip cannot be resumed with a range request like a file, so a timeout would mean starting over. */
const READER_TIMEOUT_MS = 30 * MINUTE;
/** Zips that one account may have planned at a time; further requests wait. */
const ACCOUNT_PLANNING = { maxRunning: 1, maxQueued: 20 };
/** Over all accounts. Planning reads up to 50,000 rows, and other long reads need a connection too. Each account has at most one in this queue. */
const PLANNING = { maxRunning: 1, maxQueued: Number.POSITIVE_INFINITY };
const MAX_DOWNLOADS_PER_ACCOUNT = 5;
/** An entry takes about 700 bytes of memory while its zip is sent. */
const MAX_ENTRIES_PER_ACCOUNT = 100_000;

type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

export function createArchiveDownloads({ storage }: { storage: Storage }) {
  const [accountPlanning, planning] = [createConcurrencyLimit(ACCOUNT_PLANNING), createConcurrencyLimit(PLANNING)];
  /** Numbers of entries of the zips that each account is downloading. */
  const downloads = new Map<number, number[]>();

  function assertCapacity(accountId: number, entryCount: number): void {
    const counts = downloads.get(accountId) ?? [];
    const advice = "Wait until one of them is finished, or cancel it.";
    if (counts.length >= MAX_DOWNLOADS_PER_ACCOUNT)
      throw new HttpError(429, `You are downloading ${MAX_DOWNLOADS_PER_ACCOUNT} zips already. ${advice}`, { retryAfter: 10 });
    if (counts.reduce((sum, count) => sum + count, entryCount) > MAX_ENTRIES_PER_ACCOUNT)
      throw new HttpError(429, `The zips that you are downloading have more than ${formatCount(MAX_ENTRIES_PER_ACCOUNT)} files together. ${advice}`, {
        retryAfter: 10,
      });
  }

  function countDownload(accountId: number, entryCount: number, { raw }: FastifyReply): void {
    downloads.set(accountId, [...(downloads.get(accountId) ?? []), entryCount]);
    raw.once("close", () => {
      const counts = downloads.get(accountId) ?? [];
      const rest = counts.toSpliced(counts.indexOf(entryCount), 1);
      if (rest.length > 0) downloads.set(accountId, rest);
      else downloads.delete(accountId);
    });
  }

  /** Streams a zip that is built while it is sent: one file open at a time, nothing stored, and it stops when the client disconnects. `pack` plans it. */
  async function send({ accountId }: Actor, pack: () => Promise<Archive>, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    assertCapacity(accountId, 0);
    const { name, archive } = await runInSlot(accountPlanning, String(accountId), reply, () =>
      runInSlot(planning, "", reply, async () => {
        const { name: archiveName, entries } = await pack();
        assertCapacity(accountId, entries.length);
        const stream = await createArchiveStream(storage, entries);
        // Counted before the next one is planned.
        if (request.method !== "HEAD" && !reply.raw.destroyed) countDownload(accountId, entries.length, reply);
        return { name: archiveName, archive: stream };
      }),
    );
    reply
      .header("Cache-Control", "private, no-store")
      .header("Content-Security-Policy", "sandbox; default-src 'none'")
      .header("Content-Disposition", contentDisposition("attachment", name))
      .header("Content-Length", String(archive.length))
      .type("application/zip");
    // Applies to this response only; Node resets the timeout for the next request on the connection.
    const { socket } = request.raw;
    // Injected requests have no real socket.
    if (typeof socket.setTimeout === "function") socket.setTimeout(READER_TIMEOUT_MS);
    return reply.send(request.method === "HEAD" ? Readable.from([]) : archive.start());
  }
  return { send };
}

/** Runs `work` once the key has a free slot, or not at all if the client disconnects before. Work that has begun keeps its slot, since it cannot be stopped. */
async function runInSlot<T>(limit: ConcurrencyLimit, key: string, { raw }: FastifyReply, work: () => Promise<T>): Promise<T> {
  let release = (): void => {};
  let hasStarted = false;
  const onClose = (): void => {
    if (!hasStarted) release();
  };
  const { started } = limit.acquire(key, (callback) => (release = callback));
  raw.once("close", onClose);
  try {
    await started;
    hasStarted = true;
    return await work();
  } finally {
    raw.off("close", onClose);
    release();
  }
}
