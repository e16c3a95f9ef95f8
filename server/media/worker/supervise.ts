/** Starts the media process, limits its time, memory and results, and turns every abnormal exit into one typed failure. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputLimit } from "../engine/budget.ts";
import { fromWire, MediaFailure } from "../failure.ts";
import type { Probe } from "../types.ts";
import { parseChildMessage } from "./message-schema.ts";
import type { ChildMessage, Job } from "./messages.ts";
import type { MediaSandbox } from "./sandbox.ts";

interface TimeLimits {
  /** Maximum time without a progress message. */
  stallTimeoutMs: number;
  /** Maximum total time for any file; most files get less (`wallLimitMs`). */
  wallTimeoutMs: number;
}

export interface MediaLimits extends TimeLimits {
  /** Resident memory of the process, including about 100 MB of engine code. */
  rssBytes: number;
  /** Space for the results on the disk and in the organization's quota. The size of the file limits them too (`outputLimit`). */
  outputBytes: number;
}

const MINUTE_MS = 60_000;
export const DEFAULT_LIMITS: MediaLimits = {
  stallTimeoutMs: 10 * MINUTE_MS,
  wallTimeoutMs: 12 * 60 * MINUTE_MS,
  rssBytes: 1_500 * 1024 * 1024,
  outputBytes: Number.POSITIVE_INFINITY,
};

/** Time for every file, and for its bytes at the pace of a slow machine. */
const BASE_MS = 10 * MINUTE_MS;
const BYTES_PER_MS = 200;
/** A document stops by itself before, unless one of its pages takes that long. */
const DOCUMENT_MS = 4 * MINUTE_MS;
/** Time for each second of the recording once it is known: encoding a video at a tenth of its speed, or audio at ten times its speed. */
const MS_PER_SECOND = { video: 10_000, audio: 100 };

/** Returns the time that processing may take in all: by the size of the file, and by its duration once it is probed. */
export function wallLimitMs(bytes: number, probe: Pick<Probe, "kind" | "audio" | "video"> | null): number {
  if (probe?.kind === "document") return DOCUMENT_MS;
  const { audio, video } = probe ?? {};
  const durationMs = video ? video.duration * MS_PER_SECOND.video : (audio?.duration ?? 0) * MS_PER_SECOND.audio;
  return BASE_MS + bytes / BYTES_PER_MS + durationMs;
}

interface SuperviseOptions {
  limits?: Partial<MediaLimits>;
  /** Isolates the process; without it, the process can do what the service can. */
  sandbox?: MediaSandbox | null;
  signal?: AbortSignal;
  onMessage(message: ChildMessage): void;
  /** Called with the process id once the process runs. */
  onStart?(pid: number): void;
}

interface Watchdog {
  /** Restarts the stall timer after progress. */
  reset(): void;
  /** Sets the total time, counted from the start. */
  setWallTimeout(ms: number): void;
  stop(): void;
}

const CHILD_PATH = fileURLToPath(new URL("child.ts", import.meta.url));
const HEAP_MB = 512;
const NODE_ARGS = [`--max-old-space-size=${HEAP_MB}`, "--disable-warning=ExperimentalWarning", CHILD_PATH];
const MEMORY_POLL_MS = 50;
const OUTPUT_POLL_MS = 250;
const MAX_STDERR_CHARACTERS = 4_000;

/** Resolves when the job has finished and rejects only with a `MediaFailure`. The process has exited by then. */
export function supervise(job: Job, { limits: overrides, sandbox, signal, onMessage, onStart }: SuperviseOptions): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...overrides };
  if (signal?.aborted) return Promise.reject(new MediaFailure("aborted"));
  return new Promise((resolve, reject) => {
    const command = sandbox?.(job, NODE_ARGS) ?? { program: process.execPath, args: NODE_ARGS, job };
    const child: ChildProcess = spawn(command.program, command.args, {
      env: emptyEnvironment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "json",
    });
    const inputBytes = statSync(job.input, { throwIfNoEntry: false })?.size ?? 0;
    let outcome: MediaFailure | "finished" | null = null;
    let stderr = "";
    const fail = (failure: MediaFailure): void => {
      outcome ??= failure;
      killProgram(child);
    };
    const abort = (): void => fail(new MediaFailure("aborted"));
    const setWallTimeout = (probe: Probe | null): void => watchdog.setWallTimeout(Math.min(limits.wallTimeoutMs, wallLimitMs(inputBytes, probe)));
    const watchdog = startWatchdog(limits, {
      onStall: () => fail(new MediaFailure("stalled", `${limits.stallTimeoutMs} ms`)),
      onTimeout: () => fail(new MediaFailure("too-long")),
    });
    setWallTimeout(null);
    const checkMemory = (bytes: number | null): void => {
      if (bytes !== null && bytes > limits.rssBytes) fail(new MediaFailure("out-of-memory", `${bytes} bytes`));
    };
    const checkOutput = (bytes: number): void => {
      if (bytes > outputLimit(inputBytes)) fail(new MediaFailure("too-much-output", `${bytes} bytes`));
      else if (bytes > limits.outputBytes) fail(new MediaFailure("disk-full", `${bytes} bytes`));
    };
    const memoryPoll = setInterval(() => void (child.pid && residentBytes(child.pid).then(checkMemory)), MEMORY_POLL_MS);
    const outputPoll = setInterval(() => void sizeOf(job.outputs).then(checkOutput), OUTPUT_POLL_MS);
    signal?.addEventListener("abort", abort, { once: true });
    child.stderr?.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS)));
    child.on("message", (received) => {
      if (outcome) return;
      const parsed = parseChildMessage(received);
      if ("fault" in parsed) return fail(new MediaFailure("crashed", `invalid message: ${parsed.fault}`));
      const { message } = parsed;
      watchdog.reset();
      if (message.type === "step" && message.done.step === "probe") setWallTimeout(message.done.value);
      if (message.type === "finished") outcome = "finished";
      else if (message.type === "failed") outcome = fromWire(message.failure);
      else if (message.type === "progress") checkMemory(message.rss);
      if (!outcome || outcome === "finished") onMessage(message);
    });
    let isSettled = false;
    const settle = (fallback: () => MediaFailure): void => {
      if (isSettled) return;
      isSettled = true;
      watchdog.stop();
      clearInterval(memoryPoll);
      clearInterval(outputPoll);
      signal?.removeEventListener("abort", abort);
      if (outcome === "finished") resolve();
      else reject(outcome ?? fallback());
    };
    child.on("error", (error) => settle(() => new MediaFailure("crashed", error.message)));
    child.on("close", (code, exitSignal) => settle(() => classifyExit(code, exitSignal, stderr)));
    child.on("spawn", () => {
      try {
        // Gives the service priority over media work.
        setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
      } catch {
        // Lowering the priority is not permitted everywhere and is optional.
      }
      onStart?.(child.pid!);
      child.send(command.job, (error) => error && fail(new MediaFailure("crashed", error.message)));
    });
  });
}

/** Returns only the environment variables without which the platform cannot start a process. */
const emptyEnvironment = (): NodeJS.ProcessEnv => (process.platform === "win32" ? { SystemRoot: process.env["SystemRoot"] } : {});

/** Returns the child in which a sandbox runs the program, if there is one. */
function sandboxedIds(pid: number): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Kills the program itself where a sandbox has started it, so that the sandbox, its parent, removes it from the list of processes and ends too. */
function killProgram(child: ChildProcess): void {
  const [program] = child.pid === undefined ? [] : sandboxedIds(child.pid);
  try {
    if (program !== undefined) return void process.kill(program, "SIGKILL");
  } catch {
    // It has just ended.
  }
  child.kill("SIGKILL");
}

/**
 * Reads the resident memory from /proc on Linux, with that of the child in which a sandbox runs the program. Returns null elsewhere, where the process's own
 * reports are used.
 */
async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const statuses = await Promise.all([pid, ...sandboxedIds(pid)].map((id) => readFile(`/proc/${id}/status`, "utf8").catch(() => "")));
  const kilobytes = statuses.map((status) => Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0));
  return kilobytes.some((size) => size > 0) ? kilobytes.reduce((sum, size) => sum + size, 0) * 1024 : null;
}

/** Returns the bytes of the files in the folder, which may disappear meanwhile. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Classifies an exit that the process did not report itself. */
function classifyExit(code: number | null, signal: NodeJS.Signals | null, stderr: string): MediaFailure {
  const detail = `exit ${code ?? "-"} signal ${signal ?? "-"} ${stderr.trim()}`.trim();
  if (/heap out of memory|bad_alloc|Cannot allocate memory|Array buffer allocation failed/i.test(stderr)) return new MediaFailure("out-of-memory", detail);
  if (signal === "SIGKILL" || signal === "SIGTERM" || signal === "SIGINT") return new MediaFailure("killed", detail);
  return new MediaFailure("crashed", detail);
}

/** Watches a job for stalls and for its total time. */
export function startWatchdog({ stallTimeoutMs, wallTimeoutMs }: TimeLimits, handlers: { onStall(): void; onTimeout(): void }): Watchdog {
  const startedAt = performance.now();
  let wallTimer = setTimeout(handlers.onTimeout, wallTimeoutMs);
  const stallTimer = setTimeout(handlers.onStall, stallTimeoutMs);
  return {
    reset: () => void stallTimer.refresh(),
    setWallTimeout(ms) {
      clearTimeout(wallTimer);
      wallTimer = setTimeout(handlers.onTimeout, startedAt + ms - performance.now());
    },
    stop() {
      clearTimeout(wallTimer);
      clearTimeout(stallTimer);
    },
  };
}
