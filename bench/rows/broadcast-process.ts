/** The process of a bare WebSocket server: what is posted to it goes to all sockets, inside the same bytes as the service's event; echo pages get theirs back. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";
import { provide } from "../lib/helper.ts";

/** `{body}` stands for what was posted. */
let frame = "{body}";
const page = readFileSync(new URL("../pages/echo.html", import.meta.url));
const broadcast = (data: string) => {
  for (const client of sockets.clients) client.send(data);
};
const server = createServer(async (request, response) => {
  if (request.method === "GET") return void response.setHeader("content-type", "text/html").end(page);
  const { body } = JSON.parse(await text(request)) as { body: string };
  broadcast(frame.replace("{body}", body));
  response.end("{}");
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => socket.on("message", (data: Buffer) => broadcast(data.toString())));
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

const calls = {
  /** Returns the port. */
  useFrame(next: string): number {
    frame = next;
    return (server.address() as AddressInfo).port;
  },
};

export type BroadcastCalls = typeof calls;

provide(calls);
