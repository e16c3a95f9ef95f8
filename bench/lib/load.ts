/** Measures throughput and latency of repeated requests to an address over several connections, and starts a server to compare with. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "undici";
import { percentile } from "./statistics.ts";

export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface LoadRequest {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** Returns a new body for each request. */
  body(): string;
}

export async function measureLoad(base: string, request: LoadRequest, { connections = 10, seconds = 5 } = {}): Promise<LoadResult> {
  const pool = new Pool(base, { connections, pipelining: 1 });
  const durations: number[] = [];
  const run = async (until: number, isRecorded: boolean) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const { statusCode, body } = await pool.request({
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: request.method === "GET" ? null : request.body(),
      });
      await body.dump({ limit: 10_000_000 });
      if (statusCode !== 200) throw new Error(`${request.path} returned ${statusCode}`);
      if (isRecorded) durations.push(performance.now() - startedAt);
    }
  };
  const runAll = (ms: number, isRecorded: boolean) => Promise.all(Array.from({ length: connections }, () => run(performance.now() + ms, isRecorded)));
  try {
    await runAll(1_000, false);
    const startedAt = performance.now();
    await runAll(seconds * 1_000, true);
    const elapsed = (performance.now() - startedAt) / 1_000;
    return { perSecond: durations.length / elapsed, p50: percentile(durations, 0.5), p99: percentile(durations, 0.99) };
  } finally {
    await pool.close();
  }
}

/** Starts a server in another process that responds to `POST /constant` with these bytes. */
export async function startConstantServer(folder: string, bytes: string): Promise<{ base: string; stop(): void }> {
  const file = join(folder, "page.json");
  writeFileSync(file, bytes);
  const child = spawn(process.execPath, ["bench/lib/constant-response.ts", file], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { base: `http://127.0.0.1:${port.toString().trim()}`, stop: () => void child.kill() };
}
