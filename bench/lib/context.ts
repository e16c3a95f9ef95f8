/** What all benchmarks of a run share: a folder, the data set, the service, helpers, a browser, progress, and cleaning up. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../bin/lib/paths.mjs";
import { startService } from "../../server/testing/service-process.ts";
import { type DataSet, FULL_SIZES, QUICK_SIZES, readDataSet, seedDataSet } from "../data/data-set.ts";
import { uploadHour } from "../data/hour.ts";
import type { BenchContext, Steps } from "./bench-context.ts";
import { launchBrowser } from "./browser.ts";
import { startHelper } from "./helper.ts";
import type { LoadCalls } from "./load-process.ts";

/** Git ignores it. It is on the disk of the project, because the system's temporary folder may be in memory. */
export const BENCH_FOLDER = join(ROOT, ".cache", "bench");
/** Webhooks may reach receivers on this machine; requests are not limited. */
export const SERVICE_SETTINGS = { WEBHOOK_ALLOW_HTTP: "on", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" };

export interface RunningContext extends BenchContext {
  /** Prefixes progress with the name of what runs. */
  setName(name: string): void;
  elapsedSeconds(): number;
  isClosed(): boolean;
  close(): Promise<void>;
}

const once = <T>(open: () => Promise<T>): (() => Promise<T>) => {
  let opened: Promise<T> | undefined;
  return () => (opened ??= open());
};

export function createContext({ isQuick, keep }: { isQuick: boolean; keep: boolean }): RunningContext {
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000;
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const folder = mkdtempSync(join(BENCH_FOLDER, "run-"));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  let closing: Promise<void> | undefined;
  let name = "";
  const log = (step: string) => console.log(`${elapsedSeconds().toFixed(1).padStart(6)} s  ${name.padEnd(15)} ${step}`);

  async function openData(): Promise<DataSet> {
    const target = join(folder, "data");
    const sizes = isQuick ? QUICK_SIZES : FULL_SIZES;
    const kept = join(BENCH_FOLDER, isQuick ? "data-quick" : "data");
    if (!keep) return seedDataSet(target, sizes, log);
    const isKept = existsSync(kept) && readDataSet(kept) !== null;
    if (!isKept) {
      rmSync(kept, { recursive: true, force: true });
      await seedDataSet(kept, sizes, log);
    }
    log(`data set: a copy of ${isKept ? "the one kept by an earlier run" : "the new one"}`);
    cpSync(kept, target, { recursive: true });
    return { ...readDataSet(kept)!, folder: target };
  }

  const context: RunningContext = {
    folder,
    isQuick,
    log,
    onEnd: (end) => void ends.push(end),
    rounds: (count) => (isQuick ? Math.min(count, 2) : count),
    seconds: (seconds) => (isQuick ? Math.min(seconds / 4, 2) : seconds),
    async inTurn<K extends string, T>(rounds: number, steps: Steps<K, T>) {
      const entries = Object.entries(steps) as [K, (round: number) => Promise<T>][];
      const results = Object.fromEntries(entries.map(([step]) => [step, []])) as unknown as Record<K, T[]>;
      for (let round = 0; round < rounds; round += 1) {
        log(`round ${round + 1} of ${rounds}: ${entries.map(([step]) => step).join(", ")}`);
        for (const [step, run] of entries) results[step].push(await run(round));
      }
      return results;
    },
    data: once(openData),
    service: once(async () => {
      const { folder: dataFolder } = await context.data();
      const service = await startService(dataFolder, SERVICE_SETTINGS);
      ends.push(() => service.kill());
      return service;
    }),
    async helper(file) {
      if (closing) throw new Error("The run has ended");
      const helper = await startHelper(file);
      ends.push(() => helper.stop());
      return helper;
    },
    load: once(() => context.helper<LoadCalls>(new URL("load-process.ts", import.meta.url))),
    browser: once(async () => {
      const browser = await launchBrowser(log);
      ends.push(() => browser.close());
      return browser;
    }),
    hour: once(() => uploadHour(context)),
    setName: (next) => void (name = next),
    elapsedSeconds,
    isClosed: () => closing !== undefined,
    close: () =>
      (closing ??= (async () => {
        for (const end of ends.toReversed()) {
          try {
            await end();
          } catch (error) {
            console.error(error);
          }
        }
      })()),
  };
  return context;
}
