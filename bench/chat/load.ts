/** Asks an address again and again over some connections, and says how often it answered and how quickly. */
import { Pool } from "undici";

export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface Ask {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** A new one for each request. */
  body(): string;
}

export async function measure(base: string, ask: Ask, { connections = 10, seconds = 5 } = {}): Promise<Load> {
  const pool = new Pool(base, { connections, pipelining: 1 });
  const took: number[] = [];
  const run = async (until: number, keep: boolean) => {
    while (performance.now() < until) {
      const since = performance.now();
      const { statusCode, body } = await pool.request({
        method: ask.method,
        path: ask.path,
        headers: ask.headers,
        body: ask.method === "GET" ? null : ask.body(),
      });
      await body.dump({ limit: 10_000_000 });
      if (statusCode !== 200) throw new Error(`${ask.path} answered ${statusCode}`);
      if (keep) took.push(performance.now() - since);
    }
  };
  const all = (ms: number, keep: boolean) => Promise.all(Array.from({ length: connections }, () => run(performance.now() + ms, keep)));
  try {
    await all(1_000, false);
    const since = performance.now();
    await all(seconds * 1_000, true);
    const elapsed = (performance.now() - since) / 1_000;
    took.sort((a, b) => a - b);
    const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
    return { perSecond: took.length / elapsed, p50: at(0.5), p99: at(0.99) };
  } finally {
    await pool.close();
  }
}
