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
/** The rows of the current statement, and how many of them are sent. */
let [resultRows, sentCount]: [unknown[], number] = [[], 0];

function sendRows(): void {
  const rows = resultRows.slice(sentCount, sentCount + ROWS_PER_MESSAGE);
  sentCount += rows.length;
  const isLast = sentCount === resultRows.length;
  if (isLast) resultRows = [];
  port.postMessage({ rows, isLast } satisfies ThreadReply);
}

function execute(sql: string, parameters: readonly unknown[]): void {
  const statement = connection.prepare(sql);
  if (statement.reader) {
    [resultRows, sentCount] = [statement.all(parameters), 0];
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
