/** Classifies the error codes of both database engines. */

/** The thread that ran a statement of SQLite ended before the result. */
export class DatabaseThreadError extends Error {
  constructor(cause: unknown) {
    super("A thread of the database ended unexpectedly", { cause });
  }
}

const sqliteCode = (error: unknown): number => (error as { errcode?: number } | null)?.errcode ?? 0;
const postgresCode = (error: unknown): string => (error as { code?: string } | null)?.code ?? "";

export const isUniqueViolation = (error: unknown): boolean => [1555, 2067].includes(sqliteCode(error)) || postgresCode(error) === "23505";

/** A row still refers to the one that was to be deleted, or is to refer to one that does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean => sqliteCode(error) === 787 || postgresCode(error) === "23503";

/** SQLite names the column in its message, PostgreSQL in the constraint's name. */
export const isUniqueViolationOf = (error: unknown, column: string): boolean =>
  isUniqueViolation(error) && `${(error as Error).message} ${(error as { constraint?: string }).constraint ?? ""}`.includes(column);

/** SQLite has no code of its own for it. */
export const isMissingTable = (error: unknown): boolean =>
  postgresCode(error) === "42P01" || (sqliteCode(error) === 1 && /no such table/.test((error as Error).message));

/** PostgreSQL does not let this user in, or has no such database. */
export const isRefusedConnection = (error: unknown): boolean => /^(28|3D)/.test(postgresCode(error));

/** Another process holds the lock (SQLITE_BUSY, SQLITE_LOCKED and their extended codes). */
export const isBusy = (error: unknown): boolean => [5, 6].includes(sqliteCode(error) & 0xff);

/** The engine aborted the transaction in favor of another one and a retry can succeed (deadlock, serialization failure). */
export const isTransient = (error: unknown): boolean => ["40P01", "40001"].includes(postgresCode(error));

/** The database's disk is full. */
export const isDiskFull = (error: unknown): boolean => (sqliteCode(error) & 0xff) === 13 || postgresCode(error) === "53100" || postgresCode(error) === "ENOSPC";

/** Errors of connections to the database. The same codes also belong to connections of clients, which say nothing about the database. */
const connectionErrors = new WeakSet<Error>();

/** Runs a call to the database's driver and marks its error as one of the database. */
export async function markConnectionErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error) connectionErrors.add(error);
    throw error;
  }
}

const CONNECTION_CODES = ["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
const CONNECTION_MESSAGE = /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;
const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && connectionErrors.has(error) && (CONNECTION_CODES.includes(postgresCode(error)) || CONNECTION_MESSAGE.test(error.message));

/** The database cannot be reached or written at the moment. */
export const isUnavailable = (error: unknown): boolean =>
  isBusy(error) ||
  error instanceof DatabaseThreadError ||
  [8, 10, 14].includes(sqliteCode(error) & 0xff) ||
  isTransient(error) ||
  // 55P03: timed out waiting for a row that another transaction has locked.
  /^(08|57P|53|55P03)/.test(postgresCode(error)) ||
  isConnectionError(error);
