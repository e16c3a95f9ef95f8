/** Thread that makes a cheap request every 20 ms, from another address than the attacks, and measures each: four that read, then one that writes. */
import { parentPort, workerData } from "node:worker_threads";
import { Pool } from "undici";

export interface ProbeOptions {
  base: string;
  /** The project whose read markers are asked for, and in which messages are sent. */
  project: number;
  /** Used in turn. */
  callers: Record<string, string>[];
}
/** Milliseconds of the successful requests, and the others by status or error. */
export interface ProbeResult {
  reads: number[];
  writes: number[];
  failures: Record<string, number>;
}

const INTERVAL_MS = 20;
/** A person who waits this long has given up. */
const TIMEOUT_MS = 20_000;

const REQUESTS_PER_WRITE = 5;

const { base, project, callers } = workerData as ProbeOptions;
const pool = new Pool(base, { connections: 50, connect: { localAddress: "127.0.0.2" }, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
const emptyResult = (): ProbeResult => ({ reads: [], writes: [], failures: {} });
let result = emptyResult();
let count = 0;

async function probe(): Promise<void> {
  const into = result;
  count += 1;
  const headers = callers[count % callers.length] ?? {};
  const isWrite = count % REQUESTS_PER_WRITE === 0;
  const startedAt = performance.now();
  let failure: string;
  try {
    const { statusCode, body } = await (isWrite
      ? pool.request({
          method: "POST",
          path: `/api/v2/projects/${project}/messages`,
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify({ body: `Message ${count}` }),
        })
      : pool.request({ method: "GET", path: `/api/v2/projects/${project}/read`, headers }));
    await body.dump({ limit: 10_000_000 });
    if (statusCode === 200) return void (isWrite ? into.writes : into.reads).push(performance.now() - startedAt);
    failure = String(statusCode);
  } catch (error) {
    failure = (error as NodeJS.ErrnoException).code ?? "error";
  }
  into.failures[failure] = (into.failures[failure] ?? 0) + 1;
}

let pending: Promise<void>[] = [];
setInterval(() => void pending.push(probe()), INTERVAL_MS);

// Any message ends a phase: its requests are awaited while those of the next phase go on.
parentPort!.on("message", async () => {
  const [ended, requests] = [result, pending];
  result = emptyResult();
  pending = [];
  await Promise.all(requests);
  parentPort!.postMessage(ended, []);
});
