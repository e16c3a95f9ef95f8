/** The process that serves the yardsticks' pages as the service serves the client: compressed beforehand. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { generateChat } from "../data/generated-chat.ts";
import { provide } from "./helper.ts";

const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json" };
const bodies = new Map<string, Buffer>();
let root = "";

const server = createServer((request, response) => {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  try {
    const body = bodies.get(path) ?? brotliCompressSync(readFileSync(join(root, path)));
    bodies.set(path, body);
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "content-encoding": "br", "content-length": body.length });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

const calls = {
  /** Serves a folder, and at `/bodies.json` the texts of so many messages. Returns the address. */
  serve({ folder, messages }: { folder: string; messages: number }): string {
    root = folder;
    const texts = [...generateChat(messages, ["Ana"], Date.parse("2026-11-01T18:00:00Z"))].map(({ body }) => body);
    bodies.set("/bodies.json", brotliCompressSync(JSON.stringify(texts), { params: { 1: 4 } }));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

export type PageCalls = typeof calls;

provide(calls);
