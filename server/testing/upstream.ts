/** Starts clients in front of other services, and stand-ins for those that misbehave. */
import type { FastifyInstance } from "fastify";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { parseUpstream } from "../upstream/address.ts";
import { createUpstreamServer, type UpstreamServerOptions } from "../upstream/server.ts";

export const closers: (() => Promise<unknown> | unknown)[] = [];
/** Ends everything that a test has started. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Starts the stand-in for the other service. Its connections end with the test. */
export async function startStandIn(respond: RequestListener, server: Server = createServer()): Promise<{ server: Server; base: string }> {
  const sockets = new Set<Socket>();
  server.on("request", respond).on("connection", (socket) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, base: `http://127.0.0.1:${portOf(server)}` };
}

/** Starts the client in front of an address, and returns where it listens. */
export async function startInFront(address: string, options: Partial<UpstreamServerOptions> = {}): Promise<{ server: FastifyInstance; base: string }> {
  const config = { publicUrl: "http://127.0.0.1:4000", logLevel: "silent" as const, trustProxy: [], connectionsPerNetwork: 500 };
  const server = await createUpstreamServer({ config, upstream: parseUpstream(address), clientFolder: "/nowhere", ...options });
  await server.listen({ host: "127.0.0.1", port: 0 });
  closers.push(() => server.close());
  return { server, base: `http://127.0.0.1:${portOf(server.server)}` };
}

export const startPair = async (respond: RequestListener, options?: Partial<UpstreamServerOptions>, path = "") => {
  const standIn = await startStandIn(respond);
  return { standIn, ...(await startInFront(standIn.base + path, options)) };
};
