/** Runs the media process without a network, other processes and any file but its own, where the system allows an ordinary user to do that. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { access, constants, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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
  /** Replaces the cache of compiled modules (tests). */
  compileCache?: string;
}

type Sandbox = (job: Job, nodeArgs: readonly string[], writablePath?: string) => MediaCommand;

const NAMESPACES = ["--user", "--map-root-user", "--net", "--mount"];
/**
 * Hides the other processes, which the program could end otherwise, since they have the same user. The program is a child of `unshare` then and ends with
 * it; the kernel must tell which one it is, because its memory is watched.
 */
const PROCESS_NAMESPACE = existsSync(`/proc/${process.pid}/task/${process.pid}/children`) ? ["--pid", "--fork", "--kill-child"] : [];

/** Returns the sandbox, or the reason why there is none. Tries it once. */
export async function openMediaSandbox({
  dataDir,
  readablePaths = [],
  compileCache = COMPILE_CACHE,
}: SandboxOptions): Promise<MediaSandbox | { reason: string }> {
  const unshare = UNSHARE.find((path) => existsSync(path));
  if (process.platform !== "linux") return { reason: "only Linux can do that" };
  if (!unshare) return { reason: "the program unshare (util-linux) is missing" };
  const wanted = [...READABLE_PATHS, process.execPath, ...readablePaths];
  const readable = wanted.filter((path) => !["/usr", ...wanted].some((other) => other !== path && isBelow(path, other)));
  const isFree = (point: string): boolean => existsSync(point) && [...wanted, dataDir, tmpdir()].every((path) => !isBelow(path, point));
  const mountPoint = MOUNT_POINTS.find(isFree);
  if (!mountPoint) return { reason: `none of the folders ${MOUNT_POINTS.join(", ")} can be used to hide the others` };
  const createSandbox =
    (namespaces: readonly string[]): Sandbox =>
    (job, nodeArgs, writablePath = "") => {
      const script = ["/bin/sh", SCRIPT, mountPoint, job.outputs, job.input, readable.join("\n"), writablePath, process.execPath, ...nodeArgs];
      return { program: unshare, args: [...namespaces, "--", ...script], job: { ...job, input: "/job/input", outputs: "/job/outputs" } };
    };
  const writableCache = await createCacheFolder(compileCache);
  let reason: string | null = null;
  // An old unshare, or a kernel without namespaces of processes, still hides files and network.
  for (const extra of new Set([PROCESS_NAMESPACE, []])) {
    const sandbox = createSandbox([...NAMESPACES, ...extra]);
    const escape = await findEscape(sandbox, dataDir, writableCache);
    if (escape === null) return (job, nodeArgs) => sandbox(job, nodeArgs);
    reason ??= escape;
  }
  return { reason: reason! };
}

/** Returns the folder, or "" if the program's folder is read-only: the media process then starts without compiled modules. */
async function createCacheFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
    return path;
  } catch {
    return "";
  }
}

/** Runs a check inside the sandbox, which also fills the cache of compiled modules. Returns null if nothing but the job's own files can be reached. */
async function findEscape(sandbox: Sandbox, dataDir: string, writableCache: string): Promise<string | null> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "talkback-sandbox-"));
    await writeFile(join(folder, "input"), "readable");
    await mkdir(join(folder, "outputs"));
    const job: Job = { input: join(folder, "input"), outputs: join(folder, "outputs"), request: { steps: [] } };
    const { program, args } = sandbox(job, ["--disable-warning=ExperimentalWarning", CHECK, dataDir, folder], writableCache);
    const { stdout } = await promisify(execFile)(program, args, { env: {}, timeout: CHECK_TIMEOUT_MS });
    return stdout.trim() === "isolated" ? null : `a check inside it said: ${stdout.trim()}`;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim().split("\n")[0] || message.split("\n")[0] || "it did not start";
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
