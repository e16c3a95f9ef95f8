/** A service for programs, over connections that a test can cut. */
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { findFreePort } from "../../bin/testing/service-start.ts";
import { createProject } from "../../contract/operations/projects.ts";
import { listTeams } from "../../contract/operations/teams.ts";
import { createApiToken, setUpOwner } from "./people.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

function createCuttableProxy() {
  const sockets = new Set<Socket>();
  let target = 0;
  let isDown = false;
  /** Cuts connections once this many further bytes have gone through in either direction. */
  let bytesUntilCut = Infinity;
  const track = (socket: Socket) => void sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    if (isDown) return void client.destroy();
    const service = connect(target, "127.0.0.1");
    track(client);
    track(service);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.on("data", (chunk) => {
        to.write(chunk);
        bytesUntilCut -= chunk.length;
        if (bytesUntilCut > 0) return;
        bytesUntilCut = Infinity;
        setImmediate(cut);
      });
      from.once("close", () => to.destroy());
    }
  });
  return {
    listen: async (port: number, targetPort: number) => {
      target = targetPort;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    cutAfter: (bytes: number) => void (bytesUntilCut = bytes),
    down: () => {
      isDown = true;
      cut();
    },
    up: () => void (isDown = false),
    close: () => (cut(), server.close()),
  };
}

export interface CuttableService {
  testApp: TestApp;
  baseUrl: string;
  token: string;
  team: number;
  project: number;
  /** The project's root folder. */
  root: number;
  /** What lies between the program and the service. */
  network: ReturnType<typeof createCuttableProxy>;
  close(): Promise<void>;
}

/** Starts a service with an owner, a token of theirs with all scopes, and a project. */
export async function startCuttableService(): Promise<CuttableService> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const testApp = await startTestApp("sqlite", { environment: { PUBLIC_URL: baseUrl } });
  await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  const network = createCuttableProxy();
  await network.listen(port, (testApp.app.server.server.address() as AddressInfo).port);
  const owner = await setUpOwner(testApp);
  const caller = await createApiToken(testApp, { ...owner, headers: { ...owner.headers, origin: baseUrl } });
  const team = (await testApp.call(caller, listTeams, { body: {} })).response.data[0]?.id ?? 0;
  const project = (await testApp.call(caller, createProject, { body: { name: "Programs", team_id: team } })).response.data;
  return {
    testApp,
    baseUrl,
    token: caller.headers["authorization"]?.slice("Bearer ".length) ?? "",
    team,
    project: project.id,
    root: project.root_folder_id ?? 0,
    network,
    async close() {
      network.close();
      await testApp.close();
    },
  };
}

/** Starts a service that only the test answers for, at a base address with a path. */
export async function startStubService(respond: RequestListener): Promise<{ baseUrl: string; close(): void }> {
  const server = createHttpServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns what a promise rejects with; throws if it resolves. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("It did not reject");
    },
    (error: unknown) => error,
  );
