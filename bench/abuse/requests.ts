/** Bounded loops of requests, and raw connections that misbehave. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

/** How many requests had which outcome: a status, "closed" or an error's code. */
export type Outcomes = Record<string, number>;

export const count = (outcomes: Outcomes, outcome: string | number, times = 1): void => void (outcomes[outcome] = (outcomes[outcome] ?? 0) + times);

export interface RequestInput {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}
export type Send = (input: RequestInput) => Promise<{ status: number; text: string }>;

/** Returns a function that sends a request and counts its outcome, and one that closes the connections. */
export function createSender(base: string, outcomes: Outcomes): { send: Send; close(): Promise<void> } {
  const pool = new Pool(base, { connections: 200, headersTimeout: 60_000, bodyTimeout: 60_000 });
  return {
    async send({ method, path, headers = {}, body }) {
      try {
        const isJson = body !== undefined && !Buffer.isBuffer(body);
        const type = isJson ? "application/json" : "application/octet-stream";
        const payload = isJson ? JSON.stringify(body) : body;
        const reply = await pool.request({
          method,
          path,
          headers: { ...(payload === undefined ? {} : { "content-type": type }), ...headers },
          body: payload ?? null,
        });
        const text = await reply.body.text();
        count(outcomes, reply.statusCode);
        return { status: reply.statusCode, text };
      } catch (error) {
        count(outcomes, (error as NodeJS.ErrnoException).code ?? "error");
        return { status: 0, text: "" };
      }
    },
    close: () => pool.destroy(),
  };
}

/** Starts `work` so many times a second for the given time, whether or not earlier ones have ended, and waits for all. */
export async function repeat(perSecond: number, seconds: number, work: (index: number) => Promise<unknown>): Promise<void> {
  const pending: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const waitMs = startedAt + (index * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    pending.push(work(index));
  }
  await Promise.all(pending);
}

/** A connection that counts the status line it receives, or that it was closed without one. */
export function openRaw(base: string, outcomes: Outcomes, head: string, { reads = true } = {}): Socket {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(head);
  socket.on("error", () => {});
  if (reads)
    socket.on("data", (chunk) => {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1")) ?? [];
      if (!status || answered.has(socket)) return;
      answered.add(socket);
      count(outcomes, status);
    });
  socket.on("close", () => {
    if (!answered.has(socket) && !ended.has(socket)) count(outcomes, "closed");
  });
  return socket;
}

const answered = new WeakSet<Socket>();
const ended = new WeakSet<Socket>();

/** Ends connections that are still open and counts those that have not been answered. */
export function endAll(sockets: readonly Socket[], outcomes: Outcomes, outcome: string): void {
  for (const socket of sockets) {
    if (!socket.destroyed && socket.readyState !== "closed" && !answered.has(socket)) count(outcomes, outcome);
    ended.add(socket);
    socket.destroy();
  }
}

export function requestHead(method: string, path: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
