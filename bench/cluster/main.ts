/** Entry point of `npm run cluster-demo`: a whole cluster on this machine, under load, whose parts are killed one after the other. */
import { parseArgs } from "node:util";
import { startCluster, type Cluster } from "./cluster.ts";
import { formatCounts, isBad } from "./counts.ts";
import { runFaults } from "./run.ts";

function exitWithUsage(message: string): never {
  console.error(`\n${message}\nnpm run cluster-demo -- --help lists the options.\n`);
  process.exit(1);
}

function parseNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) exitWithUsage(`--${name} ${text}: must be a whole number from ${min} to ${max}.`);
  return number;
}

function readArgs(): { seconds: number; port: number; staysUp: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: "string", default: "70" },
        port: { type: "string", default: "0" },
        "demo-keep-running": { type: "boolean", default: false },
      },
    });
    return {
      seconds: parseNumber("seconds", values.seconds, 10, 600),
      port: parseNumber("port", values.port, 0, 65_535),
      staysUp: values["demo-keep-running"],
    };
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
}

const startedAt = performance.now();
const report = (text: string): void => console.log(`  ${String(Math.round((performance.now() - startedAt) / 1_000)).padStart(4)} s  ${text}`);

async function waitForSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

async function run(): Promise<number> {
  const { seconds, port, staysUp } = readArgs();
  console.log("\n  A cluster of three services, two delivery workers and two media workers, on this machine only\n");
  let cluster: Cluster | undefined;
  const stop = async (): Promise<void> => {
    await cluster?.close();
    process.exit(130);
  };
  const onSignal = (): void => void stop();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  try {
    cluster = await startCluster({ services: 3, deliveryWorkers: 2, mediaWorkers: 2, port, onProgress: report });
    const counts = await runFaults(cluster, { seconds, onProgress: report });
    const bad = counts.filter(isBad);
    console.log(formatCounts(counts));
    console.log(
      bad.length === 0 ? "\n  Nothing was lost, and nothing was doubled.\n" : `\n  Failed: ${bad.map(({ group, name }) => `${group} ${name}`).join("; ")}\n`,
    );
    if (staysUp) {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
      console.log(`  Open      http://127.0.0.1:${cluster.balancer.port}   (owner / correct horse battery)`);
      console.log(`  Services  ${cluster.servicePorts.map((own) => `http://127.0.0.1:${own}`).join("  ")}\n\n  Stop with Ctrl+C\n`);
      await waitForSignal();
    }
    return bad.length === 0 ? 0 : 1;
  } finally {
    await cluster?.close();
  }
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`\nThe cluster demo failed: ${(error as Error).message}\n`);
    process.exit(1);
  },
);
