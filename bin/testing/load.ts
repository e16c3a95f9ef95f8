/** Keeps every core of the machine busy, so that tests meet the races of a slow machine. */
import { spawn } from "node:child_process";
import { availableParallelism, setPriority } from "node:os";

/** The busy processes give way a little: at full priority a round of `review/` took six times as long as a quiet one. */
const NICENESS = 5;

/** Starts one busy process for each core. Returns the way to stop them; they end with this process at the latest. */
export function startLoad(cores = availableParallelism()): () => void {
  // A process whose parent is gone ends by itself: it looks at its standard input between two bursts of work.
  const busy =
    "process.stdin.on('end', () => process.exit()).resume(); (function burst() { for (const until = Date.now() + 50; Date.now() < until;); setImmediate(burst); })()";
  const children = Array.from({ length: cores }, () => spawn(process.execPath, ["-e", busy], { stdio: ["pipe", "ignore", "ignore"] }));
  for (const { pid } of children) if (pid !== undefined) setPriority(pid, NICENESS);
  const stop = () => {
    for (const child of children) child.kill("SIGKILL");
    process.off("exit", stop);
  };
  process.on("exit", stop);
  return stop;
}
