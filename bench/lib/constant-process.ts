/** The process with a Fastify route that returns the same bytes each time, which reads are compared with. */
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { provide } from "./helper.ts";

let bytes = Buffer.alloc(0);
const server = Fastify();
server.route({ method: ["GET", "POST"], url: "/constant", handler: (_request, reply) => reply.type("application/json; charset=utf-8").send(bytes) });
await server.listen({ host: "127.0.0.1", port: 0 });

const calls = {
  /** Returns the address of a route with these bytes. */
  respondWith(text: string): string {
    bytes = Buffer.from(text);
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  },
};

export type ConstantCalls = typeof calls;

provide(calls);
