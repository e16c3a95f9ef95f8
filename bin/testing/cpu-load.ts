/** Keeps every CPU core busy, so that tests encounter the races of a slow machine. */
import { spawn } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";

/**
 * Priority of the service's media processes (`server/media/worker/supervise.ts`). At a higher priority the load would
 * starve them, and processing each audio file would take minutes.
 */
const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;

/** Starts one busy process per core and returns a function that stops them. They end with this process at the latest. */
export function startLoad(cores = availableParallelism()): () => void {
  // A busy process checks its standard input between bursts of work and exits when its parent is gone.
  const busyScript =
    "process.stdin.on('end', () => process.exit()).resume(); (function burst() { for (const until = Date.now() + 50; Date.now() < until;); setImmediate(burst); })()";
  const children = Array.from({ length: cores }, () => spawn(process.execPath, ["-e", busyScript], { stdio: ["pipe", "ignore", "ignore"] }));
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, NICENESS);
  const stop = () => {
    for (const child of children) child.kill("SIGKILL");
    process.off("exit", stop);
  };
  process.on("exit", stop);
  return stop;
}
