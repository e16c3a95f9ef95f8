/** Media process: runs one job and exits, so that a hostile file can only end this process. */
import { enableCompileCache } from "node:module";
import { toWire } from "../failure.ts";
import type { ChildMessage, Job } from "./messages.ts";
import { COMPILE_CACHE } from "./sandbox.ts";

/** Minimum interval between progress messages. */
const PROGRESS_MS = 200;

// Caches compiled engine modules, because compiling them takes longer than analyzing a small file. The cache lives beside
// the code, since anyone who can write there controls the code already.
enableCompileCache(COMPILE_CACHE);

/** Returns null where the sandbox hides it; the service reads it there. */
function residentBytes(): number | null {
  try {
    return process.memoryUsage.rss();
  } catch {
    return null;
  }
}

const send = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send!(message, undefined, undefined, () => resolve()) : resolve()));

// Exits when the service has ended, which closes the IPC channel.
process.on("disconnect", () => process.exit(1));

process.once("message", (job: Job) => {
  void runJob(job).then(
    () => sendAndExit({ type: "finished" }),
    (error: unknown) => sendAndExit({ type: "failed", failure: toWire(error) }),
  );
});

async function sendAndExit(message: ChildMessage): Promise<void> {
  await send(message);
  process.exit(0);
}

async function runJob(job: Job): Promise<void> {
  let lastSentAt = 0;
  // Imported here, after the compile cache is enabled.
  const { runSteps } = await import("./steps.ts");
  await runSteps(job, {
    done: (done) => void send({ type: "step", done }),
    progress(progress) {
      const now = performance.now();
      if (now - lastSentAt < PROGRESS_MS) return;
      lastSentAt = now;
      void send({ type: "progress", progress, rss: residentBytes() });
    },
  });
}
