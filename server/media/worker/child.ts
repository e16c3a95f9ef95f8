/** The media process: one job, then gone. Whatever a hostile file does to it, the service only sees it end. */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { toWire } from "../failure.ts";
import type { ChildMessage, Job } from "./messages.ts";

/** Between two progress messages. */
const PROGRESS_MS = 200;

// Compiling the engine's modules anew takes longer than looking at a small file. Beside the code, since whoever may write there owns it anyway.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/talkback-media", import.meta.url)));

const send = (message: ChildMessage): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send!(message, undefined, undefined, () => resolve()) : resolve()));

// Nobody is left to work for.
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
  // Loaded here, after the cache above is in use.
  const { runSteps } = await import("./steps.ts");
  await runSteps(job, {
    done: (done) => void send({ type: "step", done }),
    progress(progress) {
      const now = performance.now();
      if (now - lastSentAt < PROGRESS_MS) return;
      lastSentAt = now;
      void send({ type: "progress", progress, rss: process.memoryUsage.rss() });
    },
  });
}
