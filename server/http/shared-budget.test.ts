/** Tests that processes share a budget by messages, and how much more than one process alone they let pass. */
import { expect, it, vi, onTestFinished } from "vitest";
import type { Peers } from "../events/peers.ts";
import { createSharedBudget } from "./shared-budget.ts";

const MINUTE_CAPACITY = 1_200;
const PER_SECOND = 20;
const INTERVAL_MS = 500;

/** Processes whose messages arrive at once, unless `isCut`. */
function createProcesses(count: number, capacity = MINUTE_CAPACITY) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const network = { isCut: false, messages: [] as string[] };
  const listeners: ((data: unknown, origin: string) => void)[] = [];
  const processes = Array.from({ length: count }, (_, index) => {
    const peers: Peers = {
      isShared: true,
      send(_kind, data) {
        const text = JSON.stringify(data);
        network.messages.push(text);
        if (!network.isCut) for (const [other, listener] of listeners.entries()) if (other !== index) listener(JSON.parse(text), String(index));
      },
      onMessage: (_kind, listener) => void (listeners[index] = listener),
      receive() {},
    };
    const budget = createSharedBudget("accounts", { capacity, perSecond: PER_SECOND, maxKeys: 10_000, now: () => Date.now() }, peers, INTERVAL_MS);
    onTestFinished(() => budget.stop());
    return budget;
  });
  return { network, processes };
}

/** Uses a key in all processes as fast as they allow for `seconds`. Returns how many uses they allowed. */
function flood(processes: readonly { spend(key: string): number }[], seconds: number, key = "account 1"): number {
  let allowed = 0;
  for (let ms = 0; ms < seconds * 1_000; ms += 10) {
    for (const { spend } of processes) for (let use = 0; use < 10; use += 1) if (spend(key) === 0) allowed += 1;
    vi.advanceTimersByTime(10);
  }
  return allowed;
}

it("three processes together allow what one allows, and at most what they let pass before they hear of each other", () => {
  const { processes } = createProcesses(3);
  // In the first half second each of them lets 500 uses pass.
  const first = flood(processes, 60);
  expect(first).toBeGreaterThan(MINUTE_CAPACITY);
  expect(first).toBeLessThan(MINUTE_CAPACITY + 60 * PER_SECOND + 3 * 600);
  // From then on no more than the limit.
  const next = flood(processes, 300);
  expect(next / 300).toBeLessThan(PER_SECOND * 1.05);
  expect(next / 300).toBeGreaterThan(PER_SECOND * 0.9);
});

it("without each other's messages each process counts alone, and goes on sharing when they arrive again", () => {
  const { processes, network } = createProcesses(2);
  flood(processes, 60);
  network.isCut = true;
  expect(flood(processes, 60) / 60).toBeGreaterThan(PER_SECOND * 1.9);
  network.isCut = false;
  flood(processes, 60);
  expect(flood(processes, 60) / 60).toBeLessThan(PER_SECOND * 1.05);
});

it("a key that is far from its limit is never sent, and one that spends much is sent once for each interval", () => {
  const { processes, network } = createProcesses(2);
  for (let second = 0; second < 60; second += 1) {
    for (let use = 0; use < 10; use += 1) processes[second % 2]!.spend("account 1");
    vi.advanceTimersByTime(1_000);
  }
  expect(network.messages).toEqual([]);
  for (let use = 0; use < 100; use += 1) processes[0]!.spend("account 2");
  vi.advanceTimersByTime(3 * INTERVAL_MS);
  expect(network.messages.map((text) => JSON.parse(text))).toEqual([{ budget: "accounts", spent: [["account 2", 100]] }]);
});

it("many busy keys are sent in messages that PostgreSQL accepts, all of them in the end", () => {
  const { processes, network } = createProcesses(2, 50);
  const keys = Array.from({ length: 5_000 }, (_, index) => `organization ${index} of a network with a long name 2001:db8:${index}::/48`);
  for (const key of keys) for (let use = 0; use < 50; use += 1) processes[0]!.spend(key);
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(network.messages.every((text) => text.length < 7_500)).toBe(true);
  const sent = () => new Set(network.messages.flatMap((text) => (JSON.parse(text) as { spent: [string, number][] }).spent.map(([key]) => key))).size;
  expect(sent()).toBe(2_000);
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  expect(sent()).toBe(5_000);
});

it("ignores what is no message of a budget", () => {
  const received: { listener?: (data: unknown, origin: string) => void } = {};
  const peers: Peers = { isShared: true, send() {}, onMessage: (_kind, listener) => void (received.listener = listener), receive() {} };
  const budget = createSharedBudget("accounts", { capacity: 10, perSecond: 1, maxKeys: 10 }, peers);
  onTestFinished(() => budget.stop());
  for (const data of [
    null,
    "x",
    {},
    { budget: "accounts" },
    { budget: "networks", spent: [["a", 10]] },
    { budget: "accounts", spent: [["a", -10]] },
    { budget: "accounts", spent: [["a", "10"]] },
  ])
    received.listener?.(data, "other");
  for (let use = 0; use < 10; use += 1) expect(budget.spend("a")).toBe(0);
  received.listener?.({ budget: "accounts", spent: [["b", 10]] }, "other");
  expect(budget.spend("b")).toBeGreaterThan(0);
});
