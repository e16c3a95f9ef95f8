/** The process that sends requests: as many as possible over some connections, at an interval, or one after the other. */
import { Pool } from "undici";
import { provide } from "./helper.ts";
import { machineTime } from "./machine-time.ts";
import { percentile } from "./statistics.ts";

export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** "{n}" stands for what differs in each request, "{t}" for the machine's time in milliseconds. */
  body?: string;
  /** In `path` and `body`, "{spread}" stands for whole numbers from here on, in an order in which neighbors do not follow each other. */
  spread?: { from: number; count: number };
}

/** Milliseconds. */
export interface Latencies {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface LoadResult extends Latencies {
  perSecond: number;
}

const summarize = (durations: readonly number[]): Latencies => ({
  count: durations.length,
  p50: percentile(durations, 0.5),
  p95: percentile(durations, 0.95),
  p99: percentile(durations, 0.99),
  max: Math.max(0, ...durations),
});

const pools = new Map<string, Pool>();
const openPool = (base: string, connections: number): Pool => {
  const key = `${base} ${connections}`;
  const pool = pools.get(key) ?? new Pool(base, { connections, pipelining: 1 });
  pools.set(key, pool);
  return pool;
};

let count = 0;

/** Returns the milliseconds until the whole response was there. Throws unless its status is 200. */
async function send(pool: Pool, { method, path, headers, body, spread }: LoadRequest): Promise<number> {
  count += 1;
  // A prime that divides none of the counts in use, so that each number comes once before any comes twice.
  const number = spread ? String(spread.from + ((count * 7_919) % spread.count)) : "";
  const startedAt = performance.now();
  const text = body?.replaceAll("{n}", `${process.pid}${count}`).replace("{t}", machineTime().toFixed(3)).replace('"{spread}"', number) ?? null;
  const response = await pool.request({ method, path: path.replace("{spread}", number), headers, body: text });
  if (response.statusCode !== 200) throw new Error(`${method} ${path} returned ${response.statusCode} ${await response.body.text()}`);
  await response.body.dump({ limit: 100_000_000 });
  return performance.now() - startedAt;
}

const stopping = { probe: false };
let probing: Promise<Latencies> | null = null;

const calls = {
  /** Sends as many requests as possible; those of `warmUpSeconds` do not count. */
  async load({ base, request, connections = 10, seconds, warmUpSeconds = 0.3 }: LoadOptions): Promise<LoadResult> {
    const pool = openPool(base, connections);
    const run = async (until: number, durations: number[]) => {
      while (performance.now() < until) durations.push(await send(pool, request));
    };
    const runAll = (ms: number, durations: number[]) => Promise.all(Array.from({ length: connections }, () => run(performance.now() + ms, durations)));
    await runAll(warmUpSeconds * 1_000, []);
    const durations: number[] = [];
    const startedAt = performance.now();
    await runAll(seconds * 1_000, durations);
    return { perSecond: durations.length / ((performance.now() - startedAt) / 1_000), ...summarize(durations) };
  },
  /** Sends the requests one after the other, all of them `times` times. Returns the milliseconds of each. */
  async sequence({ base, requests, times, warmUps = 1 }: { base: string; requests: LoadRequest[]; times: number; warmUps?: number }): Promise<number[][]> {
    const pool = openPool(base, 1);
    const results: number[][] = [];
    for (const request of requests) {
      const durations: number[] = [];
      for (let time = -warmUps; time < times; time += 1) {
        const duration = await send(pool, request);
        if (time >= 0) durations.push(duration);
      }
      results.push(durations);
    }
    return results;
  },
  /** Sends `count` requests, one every `intervalMs` whether or not earlier ones have ended. */
  async paced({ base, request, count: total, intervalMs }: { base: string; request: LoadRequest; count: number; intervalMs: number }): Promise<Latencies> {
    const pool = openPool(base, 20);
    const startedAt = performance.now();
    const pending: Promise<number>[] = [];
    for (let sent = 0; sent < total; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + sent * intervalMs - performance.now())));
      pending.push(send(pool, request));
    }
    return summarize(await Promise.all(pending));
  },
  /** Returns the megabytes per second of a response. */
  async download({ base, request }: { base: string; request: LoadRequest }): Promise<number> {
    const startedAt = performance.now();
    const { statusCode, body } = await openPool(base, 1).request({ method: request.method, path: request.path, headers: request.headers });
    if (statusCode !== 200) throw new Error(`${request.path} returned ${statusCode}`);
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    return bytes / 1e6 / ((performance.now() - startedAt) / 1_000);
  },
  /** Starts sending a request every `intervalMs`, until `endProbe`. */
  startProbe({ base, request, intervalMs }: { base: string; request: LoadRequest; intervalMs: number }): void {
    stopping.probe = false;
    const [pool, durations]: [Pool, number[]] = [openPool(base, 20), []];
    probing = new Promise((resolve, reject) => {
      const pending: Promise<unknown>[] = [];
      const timer = setInterval(() => {
        if (!stopping.probe) return void pending.push(send(pool, request).then((duration) => durations.push(duration)));
        clearInterval(timer);
        Promise.all(pending).then(() => resolve(summarize(durations)), reject);
      }, intervalMs);
    });
    probing.catch(() => {});
  },
  endProbe(): Promise<Latencies> {
    stopping.probe = true;
    return probing!;
  },
};

interface LoadOptions {
  base: string;
  request: LoadRequest;
  connections?: number;
  seconds: number;
  warmUpSeconds?: number;
}

export type LoadCalls = typeof calls;

provide(calls);
