/** `import-chat`: reads a file of message records line by line and writes them in batches, so that a running chat is not blocked. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { formatCount } from "../../contract/text.ts";
import type { Services } from "../create-modules.ts";
import { MAX_RETRY_DELAY_MS } from "../db/sqlite-writes.ts";
import type { ImportedIds, ImportedMessage } from "../modules/conversation/chat-import.ts";
import { createAuthorResolver, type LineError, parseRecord, type SourceRecord } from "./chat-records.ts";
import { UsageError } from "./command.ts";

export interface ImportChatInput {
  projectId: number;
  file: string;
  /** Author of messages that match no account of the organization. */
  fallback: { id: number; organisation_id: number } | null;
  dryRun: boolean;
  /** Aborts the import between two batches. */
  signal?: AbortSignal;
  progress(line: string): void;
}

/**
 * Messages per transaction: about 50 ms on a small machine with SQLite, about 200 ms with PostgreSQL. A message sent
 * meanwhile waits for one batch, at most for two.
 */
const BATCH_SIZE = 1_000;
/**
 * The import leaves the database idle between batches for this share of the batch duration, and at least for
 * `MIN_IDLE_MS`, which exceeds the retry delay of writers waiting on SQLite.
 */
const IDLE_SHARE = 0.2;
const MIN_IDLE_MS = 2 * MAX_RETRY_DELAY_MS;
const PROGRESS_EVERY = 50_000;
const MAX_SHOWN_ERRORS = 20;

interface ImportCounts {
  lines: number;
  written: number;
  alreadyImported: number;
  deleted: number;
  empty: number;
  attachments: number;
  withoutParent: number;
  byFallback: number;
}

/**
 * Imports the file and returns the lines to print. The first invalid line ends the import. Messages written before it
 * stay, are published to open clients, and are skipped by the next run.
 */
export async function importChat(service: Services["chatImport"], input: ImportChatInput): Promise<string[]> {
  const { projectId, file, fallback, dryRun, signal } = input;
  const project = await service.loadProject(projectId);
  if (fallback && fallback.organisation_id !== project.organisation_id) throw new UsageError("--author must be a member of the project's organization.");
  const resolveAuthor = createAuthorResolver(await service.listAccounts(project.organisation_id), fallback?.id ?? null);
  const imported = await service.loadImportedIds(projectId);
  const startedAt = performance.now();
  const counts: ImportCounts = { lines: 0, written: 0, alreadyImported: 0, deleted: 0, empty: 0, attachments: 0, withoutParent: 0, byFallback: 0 };
  const toMessage = createMessageConverter(imported, resolveAuthor, counts);
  const writer = createBatchWriter(service, input, imported, counts);
  const errors: LineError[] = [];

  async function readAll(): Promise<void> {
    const lines = createInterface({ input: await openFile(file), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const text of lines) {
      if (signal?.aborted) throw new UsageError(`Stopped. ${formatCount(counts.written)} messages were imported. Run the import again to continue.`);
      counts.lines += 1;
      if (text.trim() === "") continue;
      const record = parseRecord(counts.lines === 1 ? text.replace(/^\uFEFF/, "") : text);
      const message = typeof record === "string" ? record : toMessage(record);
      if (typeof message === "string") errors.push({ line: counts.lines, message });
      else if (message) writer.add(message);
      if (errors.length > 0 && !dryRun) break;
      if (writer.isFull()) await writer.flush();
    }
    await writer.flush();
    if (errors.length > 0) throw new UsageError(formatErrors(errors, counts, dryRun));
  }

  async function publishImport(): Promise<void> {
    // Publishes also if only an earlier run wrote messages, because that run may have been killed before publishing.
    if (!dryRun && counts.written + counts.alreadyImported > 0)
      await service.finish(projectId, project.organisation_id, { messages: counts.written, before: counts.alreadyImported });
  }

  try {
    await readAll();
  } catch (error) {
    // Rethrows the original error even if publishing fails too.
    await publishImport().catch(() => {});
    throw error;
  }
  await publishImport();
  return formatReport(counts, dryRun, (performance.now() - startedAt) / 1_000);
}

/** Returns a function that counts a record and converts it: into a message, null if it is skipped, or a text that describes why it is invalid. */
function createMessageConverter(imported: ImportedIds, resolveAuthor: ReturnType<typeof createAuthorResolver>, counts: ImportCounts) {
  const seenIds = new Set<string>();
  return (record: SourceRecord): ImportedMessage | string | null => {
    if (seenIds.has(record.id)) return `id ${record.id} appears twice in the file`;
    seenIds.add(record.id);
    counts.attachments += record.attachments;
    if (record.deleted) counts.deleted += 1;
    else if (imported.ids.has(record.id)) counts.alreadyImported += 1;
    else if (record.body.trim() === "") counts.empty += 1;
    else {
      const author = resolveAuthor(record);
      if (author === null) return record.author ? `no member of the organization matches ${record.author}; set --author` : "no author is named; set --author";
      if (author.fallback) counts.byFallback += 1;
      const parentId = record.parentId === null ? null : { sourceId: record.parentId };
      return { sourceId: record.id, accountId: author.id, body: record.body, createdAt: record.createdAt, editedAt: record.editedAt, parentId };
    }
    return null;
  };
}

/** Collects messages and writes them in batches; a dry run only counts them. */
function createBatchWriter(service: Services["chatImport"], { projectId, dryRun, progress }: ImportChatInput, imported: ImportedIds, counts: ImportCounts) {
  let batch: ImportedMessage[] = [];
  /** Leaves the database idle for other writers while the next batch is read. */
  let idlePause: Promise<unknown> = Promise.resolve();

  function addWritten(writtenCount: number): void {
    counts.written += writtenCount;
    if (Math.floor(counts.written / PROGRESS_EVERY) > Math.floor((counts.written - writtenCount) / PROGRESS_EVERY))
      progress(`${formatCount(counts.written)} messages …`);
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    if (!dryRun) {
      await idlePause;
      const batchStartedAt = performance.now();
      const { written, alreadyImported, withoutParent } = await service.writeBatch(projectId, imported, batch);
      counts.withoutParent += withoutParent;
      counts.alreadyImported += alreadyImported;
      addWritten(written);
      idlePause = sleep(Math.max(MIN_IDLE_MS, (performance.now() - batchStartedAt) * IDLE_SHARE));
    } else addWritten(batch.length);
    batch = [];
  }

  return {
    add: (message: ImportedMessage): void => void batch.push(message),
    isFull: (): boolean => batch.length >= BATCH_SIZE,
    flush,
  };
}

function formatErrors(errors: readonly LineError[], counts: ImportCounts, dryRun: boolean): string {
  const messages = errors.slice(0, MAX_SHOWN_ERRORS).map(({ line, message }) => `Line ${formatCount(line)}: ${message}.`);
  const moreErrors = errors.length > MAX_SHOWN_ERRORS ? `… ${formatCount(errors.length - MAX_SHOWN_ERRORS)} more` : "";
  const writtenSummary = dryRun
    ? "Nothing was written."
    : `${formatCount(counts.written)} messages before it were imported and will be skipped next time. Fix the file and run the import again.`;
  return [...messages, moreErrors, writtenSummary].filter(Boolean).join("\n");
}

/** Opens the file before reading the first line, so that a missing file is reported as such. */
async function openFile(file: string) {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", ({ message }) => reject(new UsageError(`The file cannot be read: ${message}`)));
  });
  return stream;
}

function formatReport(counts: ImportCounts, dryRun: boolean, seconds: number): string[] {
  const remarks: [number, string][] = [
    [counts.alreadyImported, "were already imported"],
    [counts.deleted, "are deleted and were skipped"],
    [counts.empty, "have no text and were skipped"],
    [counts.withoutParent, "reply to a message that does not precede them, and were imported as normal messages"],
    [counts.byFallback, "have no matching member and were attributed to --author"],
  ];
  return [
    `${dryRun ? "To import" : "Imported"}: ${formatCount(counts.written)} messages (${seconds.toFixed(1)} s).`,
    ...remarks.filter(([count]) => count > 0).map(([count, message]) => `  ${formatCount(count)} ${message}`),
    ...(counts.attachments > 0 ? [`  ${formatCount(counts.attachments)} attachments were skipped: the records contain no files`] : []),
  ];
}
