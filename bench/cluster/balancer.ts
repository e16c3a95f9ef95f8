/** The one address of a cluster: hands each connection to the next service, and to another one where a service does not accept it. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Balancer {
  port: number;
  /** Returns the index of the service that has the connection from this local port of a client; undefined once it has ended. */
  serviceOf(clientPort: number | undefined): number | undefined;
  close(): void;
}

/** Connects to the first of these ports that accepts; null if none does. */
async function connectToAny(ports: readonly number[], first: number): Promise<{ socket: Socket; index: number } | null> {
  for (let tried = 0; tried < ports.length; tried += 1) {
    const index = (first + tried) % ports.length;
    const socket = connect({ port: ports[index]!, host: "127.0.0.1", noDelay: true });
    try {
      await once(socket, "connect");
      return { socket, index };
    } catch {
      socket.destroy();
    }
  }
  return null;
}

/** Forwards bytes, so that requests, uploads and WebSockets are the same to it. */
export async function startBalancer(ports: readonly number[], port = 0): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const serviceByPort = new Map<number, number>();
  let next = 0;

  async function forward(client: Socket): Promise<void> {
    const target = await connectToAny(ports, (next += 1) % ports.length);
    if (!target || client.destroyed) {
      target?.socket.destroy();
      client.destroy();
      return;
    }
    const { socket: service, index } = target;
    const { remotePort = 0 } = client;
    serviceByPort.set(remotePort, index);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    client.once("close", () => {
      if (serviceByPort.get(remotePort) === index) serviceByPort.delete(remotePort);
    });
  }

  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    client.on("error", () => client.destroy());
    forward(client).catch(() => client.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    serviceOf: (clientPort) => (clientPort === undefined ? undefined : serviceByPort.get(clientPort)),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
