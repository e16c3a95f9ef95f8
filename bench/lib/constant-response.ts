/** Baseline of the benchmarks of the service: a Fastify route that returns the bytes of a file. Prints its port. */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";

const bytes = readFileSync(process.argv[2] ?? "");
const server = Fastify();
server.post("/constant", (_request, reply) => reply.type("application/json; charset=utf-8").send(bytes));
await server.listen({ host: "127.0.0.1", port: 0 });
console.log((server.server.address() as AddressInfo).port);
