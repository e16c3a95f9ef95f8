/** Thread of `sqlite-thread.ts`: runs the statements that it receives on a connection of its own, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";

export interface ThreadOptions extends SqliteOptions {
  file: string;
}
/** null: the thread closes its connection and ends. "more": the receiver has taken the rows so far. */
export type ThreadRequest = { sql: string; parameters: readonly unknown[] } | "more" | null;
export type ThreadReply =
  | { rows: unknown[]; isLast: boolean; outcome?: { numAffectedRows: bigint; insertId: bigint } }
  | { error: { message: string; code: unknown; errcode: unknown; errstr: unknown } };

/** Rows per message. The receiver asks for each further one, so that taking a large result does not block it for long. */
const ROWS_PER_MESSAGE = 250;

const port = parentPort!;
const { file, ...options } = workerData as ThreadOptions;
const connection = openSqlite(file, options);
let remainingRows: unknown[] = [];

function sendRows(): void {
  const rows = remainingRows.slice(0, ROWS_PER_MESSAGE);
  remainingRows = remainingRows.slice(ROWS_PER_MESSAGE);
  port.postMessage({ rows, isLast: remainingRows.length === 0 } satisfies ThreadReply);
}

function execute(sql: string, parameters: readonly unknown[]): void {
  const statement = connection.prepare(sql);
  if (statement.reader) {
    remainingRows = statement.all(parameters);
    return sendRows();
  }
  const { changes, lastInsertRowid } = statement.run(parameters);
  port.postMessage({ rows: [], isLast: true, outcome: { numAffectedRows: changes, insertId: lastInsertRowid } } satisfies ThreadReply);
}

port.on("message", (request: ThreadRequest) => {
  if (request === null) {
    connection.close();
    port.close();
    return;
  }
  try {
    if (request === "more") sendRows();
    else execute(request.sql, request.parameters);
  } catch (error) {
    const { message, code, errcode, errstr } = error as Error & { code?: unknown; errcode?: unknown; errstr?: unknown };
    port.postMessage({ error: { message, code, errcode, errstr } } satisfies ThreadReply);
  }
});
