/** Runs one attack against a running service and measures what others notice of it. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { readMemoryUsage } from "../../server/testing/service-process.ts";
import { percentile } from "../lib/statistics.ts";
import { type Attack, runAttack } from "./attack.ts";
import type { ProbeOptions, ProbeResult } from "./probe.ts";
import type { Outcomes } from "./requests.ts";
import type { Target } from "./target.ts";

/** Milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  max: number;
}
export interface Phase {
  reads: Latency;
  writes: Latency;
  requests: number;
  failures: Record<string, number>;
}
export interface Measurement {
  before: Phase;
  during: Phase;
  after: Phase;
  /** Megabytes of resident memory of the service: before, the most during the attack, and at the end. */
  memory: { before: number; during: number; after: number };
  outcomes: Outcomes;
}

const MEMORY_POLL_MS = 100;
const MEGABYTE = 1024 * 1024;

const latencyOf = (durations: number[]): Latency => ({ p50: percentile(durations, 0.5), p95: percentile(durations, 0.95), max: Math.max(0, ...durations) });

const summarize = ({ reads, writes, failures }: ProbeResult): Phase => ({
  reads: latencyOf(reads),
  writes: latencyOf(writes),
  requests: reads.length + writes.length + Object.values(failures).reduce((sum, count) => sum + count, 0),
  failures,
});

/** `seconds`: of the attack; `restSeconds`: of the phases before and after it. */
export async function measureAttack(
  attack: Attack,
  target: Target,
  { seconds, restSeconds, scale }: { seconds: number; restSeconds: number; scale: number },
): Promise<Measurement> {
  const options: ProbeOptions = { base: target.service.base, project: target.project, callers: target.others };
  const probe = new Worker(new URL("probe.ts", import.meta.url), { workerData: options });
  const endPhase = async (): Promise<Phase> => {
    probe.postMessage("end", []);
    const [result] = (await once(probe, "message")) as [ProbeResult];
    return summarize(result);
  };
  const memory = () => Math.round(readMemoryUsage(target.service).now / MEGABYTE);
  try {
    // The first requests open connections.
    await sleep(1_000);
    await endPhase();
    await sleep(restSeconds * 1_000);
    const [before, memoryBefore] = [await endPhase(), memory()];
    let memoryDuring = memoryBefore;
    const timer = setInterval(() => (memoryDuring = Math.max(memoryDuring, memory())), MEMORY_POLL_MS);
    const outcomes = await runAttack(attack, target, { seconds, scale });
    const during = await endPhase();
    clearInterval(timer);
    await sleep(restSeconds * 1_000);
    const after = await endPhase();
    return { before, during, after, memory: { before: memoryBefore, during: memoryDuring, after: memory() }, outcomes };
  } finally {
    await probe.terminate();
  }
}
