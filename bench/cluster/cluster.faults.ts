/** The short form of `npm run cluster-demo`, for `npm run faults`: each part of a small cluster is killed once under load. */
import { expect, it } from "vitest";
import { postgresPrograms } from "../../bin/testing/postgres.ts";
import { startCluster } from "./cluster.ts";
import { formatCounts, isBad } from "./counts.ts";
import { runFaults } from "./run.ts";

it.skipIf(postgresPrograms() === null)("a cluster whose parts are killed loses nothing and doubles nothing", { timeout: 300_000 }, async () => {
  const cluster = await startCluster({ services: 2, deliveryWorkers: 1, mediaWorkers: 1, port: 0, onProgress() {} });
  try {
    const counts = await runFaults(cluster, { seconds: 25, onProgress: console.log });
    console.log(formatCounts(counts));
    expect(counts.filter(isBad)).toEqual([]);
  } finally {
    await cluster.close();
  }
});
