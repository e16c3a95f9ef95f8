/** A page that follows a project: it reconnects whenever its connection ends, goes on after the last event that it has, and records what it gets. */
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { LiveEvent, ServerFrame } from "../../contract/events.ts";
import type { Headers } from "./requests.ts";

const RECONNECT_MS = 150;

export interface LiveReader {
  /** Index of the service; null: connected through the balancer. */
  service: number | null;
  events: LiveEvent[];
  /** Positions that followed no other position by one. */
  gaps: number;
  resets: number;
  connections: number;
  present: readonly number[];
  close(): Promise<void>;
}

export function startLiveReader({ port, service, topic, headers }: { port: number; service: number | null; topic: string; headers: Headers }): LiveReader {
  let isClosed = false;
  let lastSeq = 0;
  let socket: WebSocket | null = null;
  const reader: Omit<LiveReader, "close"> = { service, events: [], gaps: 0, resets: 0, connections: 0, present: [] };

  function receive(frame: ServerFrame): void {
    if ("event" in frame) {
      const event = frame.event as LiveEvent;
      if (event.seq !== lastSeq + 1) reader.gaps += 1;
      lastSeq = event.seq;
      reader.events.push(event);
    } else if ("reset" in frame) {
      reader.resets += 1;
      lastSeq = (frame.reset as { seq: number }).seq;
    } else if ("signal" in frame) {
      const { type, data } = frame.signal as { type: string; data: { account_ids?: number[] } };
      if (type === "presence") reader.present = data.account_ids ?? [];
    }
  }

  /** Resolves when the connection ends. */
  const connect = (): Promise<void> =>
    new Promise((resolve) => {
      const current = (socket = new WebSocket(`ws://127.0.0.1:${port}/api/v2/live`, { headers, perMessageDeflate: false }));
      current.on("open", () => {
        reader.connections += 1;
        current.send(JSON.stringify({ subscribe: { topic, since: lastSeq } }));
      });
      current.on("message", (data) => receive(JSON.parse(String(data)) as ServerFrame));
      current.on("error", () => {});
      current.on("close", () => resolve());
    });
  const running = (async () => {
    for (; !isClosed; await sleep(RECONNECT_MS)) await connect();
  })();
  return Object.assign(reader, {
    async close() {
      isClosed = true;
      socket?.close();
      setTimeout(() => socket?.terminate(), 500).unref();
      await running;
    },
  });
}
