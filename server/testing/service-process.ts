/** Runs the real service as a separate process, so that tests can kill it and measure its memory. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { NODE_FLAGS } from "../../bin/lib/runtime.mjs";
import { findFreePort, stopProcess, waitForStart } from "../../bin/testing/service-start.ts";
import { SCOPES } from "../../contract/define-operation.ts";
import { readConfig } from "../config.ts";
import { createModules } from "../create-modules.ts";
import { openPostgresDatabase, openSqliteDatabase } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../lib/clock.ts";
import { loadMasterKey } from "../master-key.ts";
import { issueToken } from "../modules/accounts/api-tokens.ts";
import type { Caller } from "./client.ts";
import { bearerCaller } from "./test-app.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Far more than a start takes on a quiet machine: on a busy one, beside other processes that start, it has taken a minute. */
const START_TIMEOUT_MS = 180_000;

export interface ServiceProcess {
  base: string;
  child: ChildProcess;
  /** Kills the process with SIGKILL, so that nothing is finished or cleaned up. */
  kill(): Promise<void>;
}

export type Environment = Record<string, string>;
export const serviceEnvironment = (dataDir: string, overrides: Environment) => ({
  PATH: process.env["PATH"] ?? "",
  // The launcher sets this too; it halves the startup time.
  NODE_COMPILE_CACHE: join(ROOT, "node_modules", ".cache", "compiled"),
  DATA_DIR: dataDir,
  RATE_LIMIT: "0",
  LOG_LEVEL: "fatal",
  ...overrides,
});

const spawnAt = (port: number, dataDir: string, overrides: Environment): ChildProcess =>
  spawn(process.execPath, [...NODE_FLAGS, "server/main.ts"], {
    cwd: ROOT,
    env: { ...serviceEnvironment(dataDir, overrides), PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });

/** Starts the service without waiting for it, so that a test can kill it while it starts. */
export const spawnService = async (dataDir: string, overrides: Environment): Promise<ChildProcess> => spawnAt(await findFreePort(), dataDir, overrides);

/** `port`: the one of an earlier process, for clients that come back to it. */
export async function startService(dataDir: string, overrides: Environment = {}, port?: number): Promise<ServiceProcess> {
  port ??= await findFreePort();
  const child = spawnAt(port, dataDir, overrides);
  const base = `http://127.0.0.1:${port}`;
  await waitForStart(child, waitForResponse(child, base), START_TIMEOUT_MS);
  return {
    base,
    child,
    kill: () => stopProcess(child, "SIGKILL"),
  };
}

async function waitForResponse(child: ChildProcess, base: string): Promise<void> {
  const isResponding = () =>
    fetch(`${base}/api/v2/service`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && child.signalCode === null && !(await isResponding())) await sleep(50);
}

/** Starts `npm run worker` with `args` next to services on PostgreSQL; resolves once it is running. `errors`: file descriptor for its warnings. */
export async function startWorkerProcess(
  dataDir: string,
  overrides: Environment,
  { args = [], errors = "inherit" }: { args?: readonly string[]; errors?: number | "inherit" } = {},
): Promise<Pick<ServiceProcess, "child" | "kill">> {
  const child = spawn(process.execPath, ["server/worker.ts", ...args], {
    cwd: ROOT,
    env: serviceEnvironment(dataDir, overrides),
    stdio: ["ignore", "pipe", errors],
  });
  await waitForStart(child, once(child.stdout!, "data"), START_TIMEOUT_MS);
  return { child, kill: () => stopProcess(child, "SIGKILL") };
}

/** Runs the admin CLI and returns its output. */
export async function runCli(dataDir: string, overrides: Environment, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/main.ts", ...args], { cwd: ROOT, env: serviceEnvironment(dataDir, overrides) });
  return stdout.trim();
}

const OWNER = { organisation: "Northwind", username: "owner", email: "owner@talkback.test", password: "correct horse battery" };

/** Creates an organization with an owner and an API token through the CLI. */
export async function createOwnerByCli(dataDir: string, overrides: Environment = {}): Promise<Caller> {
  await runCli(dataDir, overrides, "create-owner", ...Object.entries(OWNER).flatMap(([name, value]) => [`--${name}`, value]));
  return bearerCaller("owner", await runCli(dataDir, overrides, "create-token", "--username", OWNER.username, "--name", "test"));
}

/** Creates the same as `createOwnerByCli` in this process, which saves the startup time of two CLI processes. */
export async function createOwner(dataDir: string, overrides: Environment = {}): Promise<Caller> {
  const config = readConfig({ DATA_DIR: dataDir, ...overrides });
  const database = config.databaseUrl ? openPostgresDatabase(config.databaseUrl) : openSqliteDatabase(dataDir);
  try {
    await migrate(database, systemClock);
    const { services } = createModules({ database, clock: systemClock, config, masterKey: loadMasterKey(config) });
    const { id } = await services.signIn.createOrganisation(OWNER);
    const { token } = await database.write((tx) => issueToken(tx, systemClock.now(), id, { name: "test", scopes: [...SCOPES], expiresAt: null }));
    return bearerCaller(OWNER.username, token);
  } finally {
    await database.close();
  }
}

/** Returns current and peak resident memory in bytes (Linux only). */
export function readMemoryUsage({ child }: ServiceProcess): { now: number; peak: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const readBytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1_024;
  return { now: readBytes("VmRSS"), peak: readBytes("VmHWM") };
}

/** Rounds of a fault test: few in `npm test`, since each service start takes time, and many in `npm run faults`. */
export const getFaultRounds = (defaultRounds: number): number => Number(process.env["TALKBACK_FAULT_ROUNDS"] ?? defaultRounds);
