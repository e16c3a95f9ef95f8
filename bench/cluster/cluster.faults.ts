/** The short form of `npm run cluster-demo`, for `npm run faults`: each part of a small cluster is killed once under load. */
import { expect, it } from "vitest";
import { postgresPrograms } from "../../bin/testing/postgres.ts";
import { reportFaults } from "../../server/testing/fault-counts.ts";
import { startCluster } from "./cluster.ts";
import { formatCounts, isBad, toFaultReports } from "./counts.ts";
import { KILLS, runFaults } from "./run.ts";

it.skipIf(postgresPrograms() === null)("a cluster whose parts are killed loses nothing and doubles nothing", { timeout: 300_000 }, async () => {
  const cluster = await startCluster({ services: 2, deliveryWorkers: 1, mediaWorkers: 1, port: 0, onProgress() {} });
  try {
    const counts = await runFaults(cluster, { seconds: 25, onProgress: console.log });
    console.log(formatCounts(counts));
    const kills = counts.find(({ name }) => name === KILLS)?.value ?? 0;
    for (const { fault, on, counts: row } of toFaultReports(counts, kills)) reportFaults(fault, on, row);
    expect(counts.filter(isBad)).toEqual([]);
  } finally {
    await cluster.close();
  }
});
