/** The process of the webhook receivers, and of a sender without a database. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, request } from "undici";
import { sign } from "../../server/delivery/request.ts";
import { provide } from "../lib/helper.ts";
import { machineTime } from "../lib/machine-time.ts";

const ids = new Set<string>();
let [arrived, first, last] = [0, 0, 0];
const server = createServer((incoming, response) => {
  incoming.resume().on("end", () => {
    last = machineTime();
    if (arrived === 0) first = last;
    arrived += 1;
    ids.add(`${incoming.url} ${String(incoming.headers["webhook-id"])}`);
    response.writeHead(200, { "content-type": "application/json" }).end('{"received":true}');
  });
});
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
const calls = {
  /** Forgets what has arrived, and returns the address. */
  reset(): string {
    ids.clear();
    [arrived, first, last] = [0, 0, 0];
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  /** Waits until so many requests have arrived. Times are of the machine. */
  async waitFor(count: number): Promise<{ arrived: number; distinct: number; first: number; last: number }> {
    while (arrived < count) await new Promise((resolve) => setTimeout(resolve, 1));
    return { arrived, distinct: ids.size, first, last };
  },
};

/** Posts signed bodies as the delivery engine does, without recording anything. Returns the posts per second. */
const senderCalls = {
  async post({ base, paths, count, concurrency, body }: { base: string; paths: string[]; count: number; concurrency: number; body: string }): Promise<number> {
    const agent = new Agent({ pipelining: 1 });
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    let next = 0;
    const loop = async () => {
      while (next < count) {
        const number = (next += 1);
        const headers = { "content-type": "application/json", ...sign(`evt_${number}`, Date.now(), body, [secret]) };
        const response = await request(base + paths[number % paths.length]!, { dispatcher: agent, method: "POST", headers, body });
        await response.body.text();
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: concurrency }, loop));
    const perSecond = count / ((performance.now() - startedAt) / 1_000);
    await agent.close();
    return perSecond;
  },
};

export type ReceiverCalls = typeof calls & typeof senderCalls;

provide({ ...calls, ...senderCalls });
