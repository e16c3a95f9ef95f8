/** Keeps every core of the machine busy, so that tests meet the races of a slow machine. */
import { spawn } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";

/** The priority of the service's media processes (`server/media/worker/supervise.ts`): with a higher one the load would starve them, and every sound would take minutes. */
const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;

/** Starts one busy process for each core. Returns the way to stop them; they end with this process at the latest. */
export function startLoad(cores = availableParallelism()): () => void {
  // A process whose parent is gone ends by itself: it looks at its standard input between two bursts of work.
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
