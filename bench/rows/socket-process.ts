/** The process with the readers' sockets: it counts what arrives and measures how long it took. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { provide } from "../lib/helper.ts";
import { machineTime } from "../lib/machine-time.ts";
import { percentile } from "../lib/statistics.ts";

/** The sender writes the time into the text. */
const SENT_AT = /sent at (\d+\.\d+) #(\d+)/;
/** Silence after which nothing more is expected. */
const QUIET_MS = 3_000;

let sockets: WebSocket[] = [];
let latencies: number[] = [];
let doubled = 0;
let lastArrival = 0;
let lastText = "";

function open(url: string, headers: Record<string, string>, greeting: string | null): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const seen = new Set<string>();
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => (greeting === null ? resolve(socket) : socket.send(greeting)));
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (greeting !== null && text.startsWith('{"subscribed"')) return resolve(socket);
      const [, sentAt, number] = (text.includes("message.created") && SENT_AT.exec(text)) || [];
      if (sentAt === undefined) return;
      lastArrival = machineTime();
      lastText = text;
      latencies.push(lastArrival - Number(sentAt));
      if (seen.has(number!)) doubled += 1;
      seen.add(number!);
    });
  });
}

const calls = {
  /** Opens a socket for each of the headers, and subscribes each to the topic, if there is one. */
  async open({ url, headers, topic }: { url: string; headers: Record<string, string>[]; topic: string | null }): Promise<void> {
    sockets = [];
    const greeting = topic === null ? null : JSON.stringify({ subscribe: { topic } });
    // A few at a time, as people arrive.
    for (let offset = 0; offset < headers.length; offset += 20)
      sockets.push(...(await Promise.all(headers.slice(offset, offset + 20).map((one) => open(url, one, greeting)))));
  },
  begin(): void {
    [latencies, doubled, lastArrival] = [[], 0, machineTime()];
  },
  /** Waits until so many messages have arrived, or none for a while. */
  async finish(expected: number): Promise<{ arrived: number; doubled: number; p50: number; p99: number }> {
    while (latencies.length < expected && machineTime() - lastArrival < QUIET_MS) await new Promise((resolve) => setTimeout(resolve, 20));
    return { arrived: latencies.length, doubled, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  },
  /** The last event that arrived. */
  lastText: (): string => lastText,
  async close(): Promise<void> {
    await Promise.all(
      sockets.map(async (socket) => {
        socket.terminate();
        if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close");
      }),
    );
  },
};

export type SocketCalls = typeof calls;

provide(calls);
