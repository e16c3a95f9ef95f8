/** The log: one entry per line, as JSON or for people, without what must stay secret. */
import { type Logger, pino, stdSerializers } from "pino";

export type Log = Logger;
export type LogFormat = "text" | "json";

export interface LogOptions {
  level: string;
  format?: LogFormat | undefined;
  /** Receives each entry as JSON instead of standard output (tests). */
  stream?: { write(line: string): void } | undefined;
}

const REDACTED = ["req.headers.authorization", "req.headers.cookie", 'res.headers["set-cookie"]', "res.headers.location", "req.body"];

/** An error without its other members: those of a database or a mail server may contain rows, addresses and texts. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return stdSerializers.err(error as Error);
  const { code, cause } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(cause instanceof Error ? { cause: serializeError(cause) } : {}),
  };
}

/** Queries have codes, tickets, signatures and states; bodies and redirects have tokens. */
const SERIALIZERS = {
  err: serializeError,
  req: ({ method, url, ip }: { method?: string; url?: string; ip?: string }) => ({ method, path: url?.split("?", 1)[0], remoteAddress: ip }),
  res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
};

/** Formats an entry for people: time, level, message, and the other members; the stack of an error follows on lines of its own. */
export function formatEntry(line: string): string {
  const { level, time, msg, pid: _pid, err, ...rest } = JSON.parse(line) as Record<string, unknown> & { err?: { message?: string; stack?: string } };
  const given = Object.entries(rest).filter(([, value]) => value !== null);
  const members = given.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const head = [String(time).slice(0, 19).replace("T", " "), String(level).toUpperCase().padEnd(5), msg, ...members].filter(Boolean).join(" ");
  return err ? `${head}\n${(err.stack ?? err.message ?? "").replaceAll(/^/gm, "    ")}\n` : `${head}\n`;
}

/** Writes entries of at least this level (the names of pino, or `silent`). */
export function createLog({ level, format = "json", stream }: LogOptions): Log {
  const options = {
    level,
    base: { pid: process.pid },
    redact: REDACTED,
    serializers: SERIALIZERS,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (stream) return pino(options, stream);
  return format === "json" ? pino(options) : pino(options, { write: (line: string) => void process.stdout.write(formatEntry(line)) });
}
