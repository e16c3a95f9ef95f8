/**
 * A budget that processes on one PostgreSQL share without writing to it: each counts by itself, and tells the others every half second what the busiest keys
 * have spent, which they take from the same key. Decision 080 says how exact that is.
 */
import * as z from "zod/mini";
import { MAX_NOTIFICATION_BYTES } from "../events/notifier.ts";
import type { Peers } from "../events/peers.ts";
import { type Budget, type BudgetOptions, createBudget } from "./budget.ts";

const REPORT_INTERVAL_MS = 500;
/** Keys that spend less than this share of their capacity are not reported: they are far from their limit, and most people are. */
const REPORTED_SHARE = 1 / 50;
/** Keys per interval. Further ones are reported in the next one. */
const MAX_KEYS_PER_REPORT = 2_000;

const spentMessage = z.object({ budget: z.string(), spent: z.array(z.tuple([z.string(), z.number().check(z.positive())])) });

export interface SharedBudget extends Pick<Budget, "spend"> {
  stop(): void;
}

/** `name`: the same in all processes. */
export function createSharedBudget(name: string, options: BudgetOptions, peers: Peers, intervalMs = REPORT_INTERVAL_MS): SharedBudget {
  const budget = createBudget(options);
  if (!peers.isShared || options.capacity === 0) return { spend: budget.spend, stop() {} };
  /** Keys that were used since they were reported, in the order of their use. */
  const used = new Set<string>();

  peers.onMessage("spent", (data) => {
    const { success, data: received } = spentMessage.safeParse(data);
    if (success && received.budget === name) for (const [key, points] of received.spent) budget.charge(key, points);
  });

  function report(): void {
    const spent: [string, number][] = [];
    for (const key of used) {
      if (spent.length >= MAX_KEYS_PER_REPORT) break;
      used.delete(key);
      const points = budget.report(key, options.capacity * REPORTED_SHARE);
      if (points > 0) spent.push([key, Math.ceil(points * 100) / 100]);
    }
    for (const part of splitByBytes(spent)) peers.send("spent", { budget: name, spent: part });
  }
  const timer = setInterval(report, intervalMs).unref();

  return {
    spend(key, cost) {
      const seconds = budget.spend(key, cost);
      if (seconds === 0) used.add(key);
      return seconds;
    },
    stop: () => clearInterval(timer),
  };
}

/** Leaves space for the rest of a message. */
const MAX_PART_BYTES = MAX_NOTIFICATION_BYTES - 500;

function splitByBytes(spent: readonly [string, number][]): [string, number][][] {
  const parts: [string, number][][] = [];
  let bytes = Infinity;
  for (const entry of spent) {
    const length = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes + length > MAX_PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(entry);
    bytes += length;
  }
  return parts;
}
