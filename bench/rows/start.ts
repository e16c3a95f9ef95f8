/** The start of the program and its memory. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../../bin/lib/paths.mjs";
import { NODE_FLAGS } from "../../bin/lib/runtime.mjs";
import { findFreePort, stopProcess } from "../../bin/testing/service-start.ts";
import { createOwnerByCli, readMemoryUsage, serviceEnvironment } from "../../server/testing/service-process.ts";
import type { Benchmark } from "../lib/benchmark.ts";
import type { BenchContext } from "../lib/bench-context.ts";

const BARE = "require('node:http').createServer((request, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1')";
/** After it, startup work has ended. */
const REST_MS = 3_000;

interface Start {
  ms: number;
  /** Bytes at rest. */
  memory: number;
}

/** Starts a program, waits for its first response, and stops it. */
async function measureStart(context: BenchContext, args: readonly string[], env: Record<string, string>, rests: boolean): Promise<Start> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...env, PORT: String(port) }, stdio: "ignore" });
  context.onEnd(() => stopProcess(child, "SIGKILL"));
  const isAnswering = () =>
    fetch(`http://127.0.0.1:${port}/api/v2/service`).then(
      async (response) => response.text().then(() => response.ok),
      () => false,
    );
  while (!(await isAnswering())) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
    await sleep(5);
  }
  const ms = performance.now() - startedAt;
  if (rests) await sleep(REST_MS);
  const memory = rests ? readMemoryUsage({ child, base: "", kill: async () => {} }).now : 0;
  await stopProcess(child, "SIGKILL");
  return { ms, memory };
}

export const start: Benchmark = {
  name: "start",
  title: "npm start to the first response, and memory at rest and after the other rows, against a bare http server",
  async run(context) {
    const folder = join(context.folder, "start");
    await createOwnerByCli(folder);
    // `npm start` runs this script; npm itself takes as long for every program.
    const launcher = [...NODE_FLAGS, join("bin", "talkback.mjs")];
    const env = { ...serviceEnvironment(folder, {}) };
    // Runs until the service has written its compiled code to the disk, for the starts that are measured.
    await measureStart(context, launcher, env, true);
    const measured = await context.inTurn(context.rounds(5), {
      "node -e": (round) => measureStart(context, ["-e", BARE], env, round === 0),
      "npm start": (round) => measureStart(context, launcher, env, round === 0),
    });
    const service = await context.service();
    const megabytes = (list: readonly Start[]) => [list[0]!.memory / 1e6];
    return [
      {
        work: "warm start to the first response",
        unit: "ms",
        values: measured["npm start"].map(({ ms }) => ms),
        yardstick: { name: "node -e http server", values: measured["node -e"].map(({ ms }) => ms) },
        goal: { of: "value", better: "lower", must: 2_000, aim: 700 },
      },
      {
        work: "memory at rest",
        unit: "MB",
        values: megabytes(measured["npm start"]),
        yardstick: { name: "node -e http server", values: megabytes(measured["node -e"]) },
        goal: { of: "value", better: "lower", must: 150, aim: 100 },
      },
      {
        work: "memory of the service after the other rows of this run",
        unit: "MB",
        values: [readMemoryUsage(service).now / 1e6],
        goal: { of: "value", better: "lower", must: 150, aim: 100 },
        note: `at most ${Math.round(readMemoryUsage(service).peak / 1e6)} MB`,
      },
    ];
  },
};
