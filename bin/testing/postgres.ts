/** Runs a temporary PostgreSQL cluster for the tests in its own folder, never as root, and deletes it afterwards. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runQuietly } from "../lib/child.mjs";
import { lastOutputLines } from "../lib/failure.mjs";
import { findFreePort } from "./service-start.ts";

const START_TIMEOUT_SECONDS = 60;
/** Settings that favor speed over durability, for a cluster that need not survive a crash. */
const FAST_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
const SETTINGS = ["jit=off", "max_connections=200", "shared_buffers=64MB", "listen_addresses=127.0.0.1"];

export interface Cluster {
  /** Connection URL of an administrator's database. */
  url: string;
  /** Ends all its processes at once, as a crash would, and starts them again, which recovers what was committed. */
  crash(): Promise<void>;
  stop(): void;
}

interface User {
  uid: number;
  gid: number;
}

/** Returns the folder with `initdb` and `pg_ctl` of the newest PostgreSQL on this machine, or null. */
export function postgresPrograms(debianFolder = "/usr/lib/postgresql", path = process.env["PATH"] ?? ""): string | null {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).filter((name) => /^\d+$/.test(name)) : [];
  const folders = [
    ...versions.toSorted((left, right) => Number(right) - Number(left)).map((version) => join(debianFolder, version, "bin")),
    ...path.split(delimiter),
  ];
  return folders.find((folder) => folder !== "" && ["initdb", "pg_ctl", "postgres"].every((program) => existsSync(join(folder, program)))) ?? null;
}

/** Returns the user to run PostgreSQL as, because it refuses to run as root: `postgres`, or else `nobody`. */
function unprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout?.trim() || Number.NaN));
    if (uid && gid) return { uid, gid };
  }
  throw new Error("there is no user postgres and no user nobody to run it as");
}

/** Creates and starts a cluster; a durable one loses no commit in a crash. Throws if PostgreSQL is missing or does not start. */
export async function startCluster({ isDurable = false } = {}): Promise<Cluster> {
  const programs = postgresPrograms();
  if (!programs) throw new Error("PostgreSQL is not installed");
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "talkback-postgres-"));
  const data = join(folder, "data");
  const secret = join(folder, "secret");
  const password = randomBytes(16).toString("hex");
  const options = { cwd: folder, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" }, ...user };
  let running = false;
  const stop = () => {
    if (running) spawnSync(join(programs, "pg_ctl"), ["stop", "-D", data, "-m", "immediate", "-w", "-t", "10"], { ...options, stdio: "ignore" });
    running = false;
    rmSync(folder, { recursive: true, force: true });
    process.off("exit", stop);
  };
  process.on("exit", stop);

  async function run(program: string, args: readonly string[]): Promise<void> {
    const { code, output } = await runQuietly(join(programs ?? "", program), args, { ...options, timeoutMs: (START_TIMEOUT_SECONDS + 30) * 1000 });
    if (code !== 0) throw new Error(`${program} failed: ${lastOutputLines(output, 5)}`);
  }
  try {
    writeFileSync(secret, password, { mode: 0o600 });
    if (user) for (const path of [folder, secret]) chownSync(path, user.uid, user.gid);
    await run("initdb", ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256", `--pwfile=${secret}`, "--no-sync"]);
    const port = await findFreePort();
    const flags = [`-p ${port}`, `-k ${folder}`, ...[...SETTINGS, ...(isDurable ? [] : FAST_SETTINGS)].map((setting) => `-c ${setting}`)].join(" ");
    running = true;
    const startArgs = ["-D", data, "-l", join(folder, "log"), "-o", flags, "-w", "-t", String(START_TIMEOUT_SECONDS)];
    await run("pg_ctl", ["start", ...startArgs]);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      crash: () => run("pg_ctl", ["restart", "-m", "immediate", ...startArgs]),
      stop,
    };
  } catch (error) {
    stop();
    throw error;
  }
}
