/** `import-chat`: reads a file of message records line by line and writes them in batches, so that the chat beside it goes on. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_PAUSE_MS } from "../db/database.ts";
import type { ImportedMessage } from "../domain/chat/import.ts";
import type { Services } from "../http/services.ts";
import { recordOf, type LineFault, type SourceRecord } from "./chat-records.ts";
import { authorsOf } from "./chat-authors.ts";
import { UsageError } from "./usage-error.ts";

export interface ImportWish {
  projectId: number;
  file: string;
  /** Writes what nobody of the organisation wrote. */
  fallback: { id: number; organisation_id: number } | null;
  dryRun: boolean;
  /** Ends it between two batches. */
  signal?: AbortSignal;
  progress(line: string): void;
}

/** Messages of one transaction: some 50 ms on a small machine with SQLite, some 200 with PostgreSQL. A message that somebody sends waits for one, at most for two. */
const BATCH = 1_000;
/** Of the time that a batch took the data is free for others, and so long at least: longer than those who wait on SQLite pause between two tries. */
const FREE_SHARE = 0.2;
const FREE_MS = 2 * LONGEST_PAUSE_MS;
const PROGRESS_EVERY = 50_000;
const FAULTS_TOLD = 20;

const count = (number: number): string => number.toLocaleString("en");

interface Sums {
  lines: number;
  written: number;
  before: number;
  deleted: number;
  empty: number;
  attachments: number;
  withoutParent: number;
  byFallback: number;
}

/** Imports, and returns the lines to print. A wrong line ends it; what was written before stays, is told to open windows, and is known the next time. */
export async function importChat(service: Services["chatImport"], wish: ImportWish): Promise<string[]> {
  const { projectId, file, fallback, dryRun, signal, progress } = wish;
  const project = await service.project(projectId);
  if (fallback && fallback.organisation_id !== project.organisation_id) throw new UsageError("--author must be somebody of the project's organisation.");
  const authorOf = authorsOf(await service.people(project.organisation_id), fallback?.id ?? null);
  const imported = await service.imported(projectId);
  const started = performance.now();
  const sums: Sums = { lines: 0, written: 0, before: 0, deleted: 0, empty: 0, attachments: 0, withoutParent: 0, byFallback: 0 };
  const faults: LineFault[] = [];
  const seen = new Set<string>();
  let batch: ImportedMessage[] = [];

  function add(written: number): void {
    sums.written += written;
    if (Math.floor(sums.written / PROGRESS_EVERY) > Math.floor((sums.written - written) / PROGRESS_EVERY)) progress(`${count(sums.written)} messages …`);
  }

  /** The data is free for others until then; the next batch is read meanwhile. */
  let free: Promise<unknown> = Promise.resolve();
  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    if (!dryRun) {
      await free;
      const began = performance.now();
      const { written, before, withoutParent } = await service.write(projectId, imported, batch);
      sums.withoutParent += withoutParent;
      sums.before += before;
      add(written);
      free = sleep(Math.max(FREE_MS, (performance.now() - began) * FREE_SHARE));
    } else add(batch.length);
    batch = [];
  }

  function take(record: SourceRecord): string | null {
    if (seen.has(record.id)) return `id ${record.id} stands in the file twice`;
    seen.add(record.id);
    sums.attachments += record.attachments;
    if (record.deleted) sums.deleted += 1;
    else if (imported.ids.has(record.id)) sums.before += 1;
    else if (record.body.trim() === "") sums.empty += 1;
    else {
      const author = authorOf(record);
      if (author === null) return `nobody of the organisation is ${record.author || "named as the author"}; name somebody with --author`;
      if (author.fallback) sums.byFallback += 1;
      const parentId = record.parentId === null ? null : { sourceId: record.parentId };
      batch.push({ sourceId: record.id, accountId: author.id, body: record.body, createdAt: record.createdAt, editedAt: record.editedAt, parentId });
    }
    return null;
  }

  const kept = () =>
    dryRun
      ? "Nothing was written."
      : `${count(sums.written)} messages before it are imported, and will not be imported twice. Correct the file and run it again.`;
  const stop = (): never => {
    const told = faults.slice(0, FAULTS_TOLD).map(({ line, what }) => `Line ${count(line)}: ${what}.`);
    throw new UsageError([...told, faults.length > FAULTS_TOLD ? `… ${count(faults.length - FAULTS_TOLD)} more` : "", kept()].filter(Boolean).join("\n"));
  };

  async function readAll(): Promise<void> {
    const lines = createInterface({ input: await opened(file), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const text of lines) {
      if (signal?.aborted) throw new UsageError(`Stopped. ${count(sums.written)} messages are imported; run it again for the rest.`);
      sums.lines += 1;
      if (text.trim() === "") continue;
      const record = recordOf(sums.lines === 1 ? text.replace(/^\uFEFF/, "") : text);
      const what = typeof record === "string" ? record : take(record);
      if (what !== null) faults.push({ line: sums.lines, what });
      if (faults.length > 0 && !dryRun) {
        await flush();
        stop();
      }
      if (batch.length >= BATCH) await flush();
    }
    await flush();
    if (faults.length > 0) stop();
  }

  async function tell(): Promise<void> {
    // Also where only an earlier run wrote: it may have been killed before it could tell.
    if (!dryRun && sums.written + sums.before > 0) await service.finish(projectId, project.organisation_id, { messages: sums.written, before: sums.before });
  }

  try {
    await readAll();
  } catch (error) {
    // Whoever started it has to hear why it ended, whatever comes on top of that.
    await tell().catch(() => {});
    throw error;
  }
  await tell();
  return report(sums, dryRun, (performance.now() - started) / 1_000);
}

/** Opened before the first line is asked for, so that a missing file is told as such. */
async function opened(file: string) {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", ({ message }) => reject(new UsageError(`The file cannot be read: ${message}`)));
  });
  return stream;
}

function report(sums: Sums, dryRun: boolean, seconds: number): string[] {
  const notes: [number, string][] = [
    [sums.before, "were imported before"],
    [sums.deleted, "are deleted and were left out"],
    [sums.empty, "have no text and were left out"],
    [sums.withoutParent, "reply to a message that is not before them, and stand as messages of their own"],
    [sums.byFallback, "are by nobody of the organisation, and stand under --author"],
  ];
  return [
    `${dryRun ? "To import" : "Imported"}: ${count(sums.written)} messages (${seconds.toFixed(1)} s).`,
    ...notes.filter(([many]) => many > 0).map(([many, what]) => `  ${count(many)} ${what}`),
    ...(sums.attachments > 0 ? [`  ${count(sums.attachments)} attachments were left out: files are not in the records`] : []),
  ];
}
