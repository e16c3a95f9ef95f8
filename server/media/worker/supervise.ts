/** Starts the media process, limits its time and memory, and turns every abnormal exit into one typed failure. */
import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { fromWire, MediaFailure } from "../failure.ts";
import type { ChildMessage, Job } from "./messages.ts";

interface TimeLimits {
  /** Maximum time without a progress message. */
  stallTimeoutMs: number;
  /** Maximum total time, in case a file never ends; long enough for hours of video on a slow machine. */
  wallTimeoutMs: number;
}

export interface MediaLimits extends TimeLimits {
  /** Resident memory of the process, including about 100 MB of engine code. */
  rssBytes: number;
}

export const DEFAULT_LIMITS: MediaLimits = { stallTimeoutMs: 10 * 60_000, wallTimeoutMs: 12 * 60 * 60_000, rssBytes: 1_500 * 1024 * 1024 };

interface SuperviseOptions {
  limits?: Partial<MediaLimits>;
  signal?: AbortSignal;
  onMessage(message: ChildMessage): void;
  /** Called with the process id once the process runs. */
  onStart?(pid: number): void;
}

interface Watchdog {
  /** Restarts the stall timer after progress. */
  reset(): void;
  stop(): void;
}

const CHILD_PATH = fileURLToPath(new URL("child.ts", import.meta.url));
const HEAP_MB = 512;
const MEMORY_POLL_MS = 50;
const MAX_STDERR_CHARACTERS = 4_000;

/** Resolves when the job has finished and rejects only with a `MediaFailure`. The process has exited by then. */
export function supervise(job: Job, { limits: overrides, signal, onMessage, onStart }: SuperviseOptions): Promise<void> {
  const limits = { ...DEFAULT_LIMITS, ...overrides };
  if (signal?.aborted) return Promise.reject(new MediaFailure("aborted"));
  return new Promise((resolve, reject) => {
    const child: ChildProcess = fork(CHILD_PATH, [], {
      env: emptyEnvironment(),
      execPath: process.execPath,
      execArgv: [`--max-old-space-size=${HEAP_MB}`, "--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "json",
    });
    let outcome: MediaFailure | "finished" | null = null;
    let stderr = "";
    const fail = (failure: MediaFailure): void => {
      outcome ??= failure;
      child.kill("SIGKILL");
    };
    const abort = (): void => fail(new MediaFailure("aborted"));
    const watchdog = startWatchdog(limits, {
      onStall: () => fail(new MediaFailure("stalled", `${limits.stallTimeoutMs} ms`)),
      onTimeout: () => fail(new MediaFailure("too-long", `${limits.wallTimeoutMs} ms`)),
    });
    const checkMemory = (bytes: number | null): void => {
      if (bytes !== null && bytes > limits.rssBytes) fail(new MediaFailure("out-of-memory", `${bytes} bytes`));
    };
    const memoryPoll = setInterval(() => void (child.pid && residentBytes(child.pid).then(checkMemory)), MEMORY_POLL_MS);
    signal?.addEventListener("abort", abort, { once: true });
    child.stderr?.on("data", (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-MAX_STDERR_CHARACTERS)));
    child.on("message", (message: ChildMessage) => {
      if (outcome) return;
      watchdog.reset();
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
      child.send(job, (error) => error && fail(new MediaFailure("crashed", error.message)));
    });
  });
}

/** Returns only the environment variables without which the platform cannot start a process. */
const emptyEnvironment = (): NodeJS.ProcessEnv => (process.platform === "win32" ? { SystemRoot: process.env["SystemRoot"] } : {});

/** Reads the resident memory from /proc on Linux. Returns null elsewhere, where the process's own reports are used. */
async function residentBytes(pid: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes ? Number(kilobytes) * 1024 : null;
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
  const wallTimer = setTimeout(handlers.onTimeout, wallTimeoutMs);
  const stallTimer = setTimeout(handlers.onStall, stallTimeoutMs);
  return {
    reset: () => void stallTimer.refresh(),
    stop() {
      clearTimeout(wallTimer);
      clearTimeout(stallTimer);
    },
  };
}
