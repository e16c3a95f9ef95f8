/** Describes the machine and the state of the code that results belong to. */
import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "../../bin/lib/paths.mjs";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  /** Of the last minute, when the run began. */
  load: number;
  node: string;
  engine: string;
  date: string;
  /** Empty outside a clone; "+" marks uncommitted changes. */
  commit: string;
}

function git(...args: string[]): string {
  try {
    return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

function readSqliteVersion(): string {
  const database = new DatabaseSync(":memory:");
  const { version } = database.prepare("select sqlite_version() as version").get() as { version: string };
  database.close();
  return version;
}

export function describeMachine(): Machine {
  const commit = git("rev-parse", "--short", "HEAD");
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
    node: process.version,
    engine: `SQLite ${readSqliteVersion()}`,
    date: new Date().toISOString(),
    commit: commit && git("status", "--porcelain", "-uno") ? `${commit}+` : commit,
  };
}

export const formatMachine = ({ cpu, cores, memoryGb, load, node, engine, date, commit }: Machine): string =>
  `${date.slice(0, 16).replace("T", " ")} UTC, ${cpu}, ${cores} cores, ${memoryGb} GB, load ${load}, Node ${node}, ${engine}${commit ? `, commit ${commit}` : ""}`;
