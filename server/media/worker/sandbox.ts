/** Runs the media process without a network and without any file but its own, where the system allows an ordinary user to do that. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Job } from "./messages.ts";

export interface MediaCommand {
  program: string;
  args: string[];
  /** The job with the paths that the program sees. */
  job: Job;
}

/** Returns the command that runs Node with these arguments for the job. */
export type MediaSandbox = (job: Job, nodeArgs: readonly string[]) => MediaCommand;

const projectPath = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SCRIPT = fileURLToPath(new URL("sandbox.sh", import.meta.url));
const CHECK = fileURLToPath(new URL("sandbox-check.ts", import.meta.url));
/** Where Node keeps compiled modules of the media process. */
export const COMPILE_CACHE = projectPath("node_modules/.cache/talkback-media");
const READABLE_PATHS = ["server/media", "server/lib", "node_modules", "package.json"].map(projectPath);

const UNSHARE = ["/usr/bin/unshare", "/bin/unshare"];
/** Empty folders that every Linux system has; the one used is hidden from the program. */
const MOUNT_POINTS = ["/mnt", "/media", "/srv", "/opt"];
const CHECK_TIMEOUT_MS = 20_000;

const isBelow = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

interface SandboxOptions {
  /** Folder of the data, which the program must not see. */
  dataDir: string;
  /** Further paths to read, such as a tagging model. */
  readablePaths?: readonly string[];
}

/** Returns the sandbox, or the reason why there is none. Tries it once. */
export async function openMediaSandbox({ dataDir, readablePaths = [] }: SandboxOptions): Promise<MediaSandbox | { reason: string }> {
  const unshare = UNSHARE.find((path) => existsSync(path));
  if (process.platform !== "linux") return { reason: "only Linux can do that" };
  if (!unshare) return { reason: "the program unshare (util-linux) is missing" };
  const wanted = [...READABLE_PATHS, process.execPath, ...readablePaths];
  const readable = wanted.filter((path) => !["/usr", ...wanted].some((other) => other !== path && isBelow(path, other)));
  const isFree = (point: string): boolean => existsSync(point) && [...wanted, dataDir, tmpdir()].every((path) => !isBelow(path, point));
  const mountPoint = MOUNT_POINTS.find(isFree);
  if (!mountPoint) return { reason: `none of the folders ${MOUNT_POINTS.join(", ")} can be used to hide the others` };
  const sandbox = (job: Job, nodeArgs: readonly string[], writablePath = ""): MediaCommand => {
    const script = ["/bin/sh", SCRIPT, mountPoint, job.outputs, job.input, readable.join("\n"), writablePath, process.execPath, ...nodeArgs];
    return {
      program: unshare,
      args: ["--user", "--map-root-user", "--net", "--mount", "--", ...script],
      job: { ...job, input: "/job/input", outputs: "/job/outputs" },
    };
  };
  const reason = await findEscape(sandbox, dataDir);
  return reason === null ? (job, nodeArgs) => sandbox(job, nodeArgs) : { reason };
}

/** Runs a check inside the sandbox, which also fills the cache of compiled modules. Returns null if nothing but the job's own files can be reached. */
async function findEscape(sandbox: (job: Job, nodeArgs: readonly string[], writablePath: string) => MediaCommand, dataDir: string): Promise<string | null> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "talkback-sandbox-"));
    await writeFile(join(folder, "input"), "readable");
    await mkdir(join(folder, "outputs"));
    await mkdir(COMPILE_CACHE, { recursive: true });
    const job: Job = { input: join(folder, "input"), outputs: join(folder, "outputs"), request: { steps: [] } };
    const { program, args } = sandbox(job, ["--disable-warning=ExperimentalWarning", CHECK, dataDir, folder], COMPILE_CACHE);
    const { stdout } = await promisify(execFile)(program, args, { env: {}, timeout: CHECK_TIMEOUT_MS });
    return stdout.trim() === "isolated" ? null : `a check inside it said: ${stdout.trim()}`;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim().split("\n")[0] || message.split("\n")[0] || "it did not start";
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
