/** A Talkback of several processes on this machine: PostgreSQL, a store, services behind one address, delivery workers and media workers. */
import { randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresPrograms, startCluster as startPostgres } from "../../bin/testing/postgres.ts";
import { findFreePort } from "../../bin/testing/service-start.ts";
import { startService, startWorkerProcess, type Environment, type ServiceProcess } from "../../server/testing/service-process.ts";
import { startBalancer, type Balancer } from "./balancer.ts";
import { startStore } from "./store.ts";

/** How long a killed process stays away. */
const DOWN_MS = 2_000;

/** Part of the cluster that can break. */
export interface Part {
  name: string;
  /** Kills it with SIGKILL (PostgreSQL: all its processes at once), and starts it again. */
  killAndRestart(): Promise<void>;
  /** True if it ended without having been killed. */
  hasEnded(): boolean;
}

export interface ClusterOptions {
  services: number;
  deliveryWorkers: number;
  mediaWorkers: number;
  /** Port of the one address; 0: a free one. */
  port: number;
  /** URL of a PostgreSQL database to use; without it, one is started. */
  databaseUrl?: string | undefined;
  onProgress(text: string): void;
}

export interface Cluster {
  balancer: Balancer;
  /** Ports of the services themselves. */
  servicePorts: readonly number[];
  parts: readonly Part[];
  environment: Environment;
  /** Data folder of a process beside the others, for what a test does itself. */
  dataDir: string;
  databaseUrl: string;
  close(): Promise<void>;
}

type Process = Pick<ServiceProcess, "child" | "kill">;

async function createPart(name: string, start: () => Promise<Process>): Promise<Part & Pick<Process, "kill">> {
  const startNamed = (): Promise<Process> =>
    start().catch((error: unknown) => {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    });
  let process = await startNamed();
  return {
    name,
    kill: () => process.kill(),
    hasEnded: () => process.child.exitCode !== null || process.child.signalCode !== null,
    async killAndRestart() {
      await process.kill();
      await sleep(DOWN_MS);
      process = await startNamed();
    },
  };
}

export async function startCluster({ services, deliveryWorkers, mediaWorkers, port, databaseUrl, onProgress }: ClusterOptions): Promise<Cluster> {
  if (databaseUrl === undefined && postgresPrograms() === null)
    throw new Error("PostgreSQL is not installed. Install its server, for example with: sudo apt-get install postgresql");
  const dataDir = mkdtempSync(join(tmpdir(), "talkback-cluster-"));
  const closings: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closing of closings.splice(0).toReversed()) await closing();
  };
  try {
    const postgres = databaseUrl === undefined ? await startPostgres({ isDurable: true }) : null;
    if (postgres) {
      closings.push(postgres.stop);
      onProgress("PostgreSQL is running");
    }
    const url = postgres?.url ?? databaseUrl ?? "";
    const store = await startStore(dataDir);
    closings.push(() => store.close());
    onProgress(`files are stored in ${store.name}`);
    const servicePorts = [];
    for (let count = 0; count < services; count += 1) servicePorts.push(await findFreePort());
    const balancer = await startBalancer(servicePorts, port);
    closings.push(() => balancer.close());
    const environment: Environment = {
      DATABASE_URL: url,
      MASTER_KEY: randomBytes(32).toString("base64"),
      PUBLIC_URL: `http://127.0.0.1:${balancer.port}`,
      DELIVERY: "off",
      MEDIA: "off",
      WEBHOOK_ALLOW_HTTP: "on",
      WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      RATE_LIMIT: "1200",
      ...store.environment,
    };
    // What workers warn of while others are killed would hide the progress.
    const errors = openSync(join(dataDir, "workers.log"), "a");
    closings.push(() => closeSync(errors));
    const starts: [name: string, start: () => Promise<Process>][] = [
      ...servicePorts.map((own, index): [string, () => Promise<Process>] => [
        `service ${index + 1}`,
        () => startService(store.folderOf(`service ${index + 1}`), environment, own),
      ]),
      ...numbered("delivery worker", deliveryWorkers, (name) => startWorkerProcess(store.folderOf(name), environment, { args: ["--delivery"], errors })),
      ...numbered("media worker", mediaWorkers, (name) => startWorkerProcess(store.folderOf(name), environment, { args: ["--media"], errors })),
    ];
    // The services start at the same time, and one of them creates the tables and the key.
    const [first, rest] = [starts.slice(0, services), starts.slice(services)];
    const parts: (Part & Pick<Process, "kill">)[] = [];
    for (const group of [first, rest]) {
      const started = await Promise.allSettled(group.map(([name, start]) => createPart(name, start)));
      for (const result of started) if (result.status === "fulfilled") closings.push(() => result.value.kill());
      for (const result of started) {
        if (result.status === "rejected") throw result.reason;
        parts.push(result.value);
        onProgress(`${result.value.name} is running`);
      }
    }
    const database: Part[] = postgres ? [{ name: "PostgreSQL", killAndRestart: () => postgres.crash(), hasEnded: () => false }] : [];
    return { balancer, servicePorts, parts: [...parts, ...database], environment, dataDir: store.folderOf("test"), databaseUrl: url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const numbered = (kind: string, count: number, start: (name: string) => Promise<Process>): [string, () => Promise<Process>][] =>
  Array.from({ length: count }, (_, index) => [`${kind} ${index + 1}`, () => start(`${kind} ${index + 1}`)]);
