/** Tests how long a media job keeps its worker: what else its account has running and waiting decides, and nothing is interrupted while nobody else waits. */
import { afterEach, expect, it } from "vitest";
import type { Job, JobOwner } from "../../jobs/queue.ts";
import { SECOND } from "../../lib/clock.ts";
import { createTimeSlices } from "./time-slices.ts";

let stop = async (): Promise<void> => {};
afterEach(() => stop());

/** Runs jobs of these accounts, which all begin at 0 and end only by giving way. */
function runJobs(accounts: number[], waitingAccounts: number[]) {
  let [now, checks] = [0, 0];
  const waiting: JobOwner[] = waitingAccounts.map((account_id) => ({ account_id, organisation_id: 1 }));
  const slices = createTimeSlices({
    queue: {
      async waitingOwners() {
        checks += 1;
        return waiting;
      },
    },
    clock: { now: () => now },
    checkMs: 5,
    onError(error) {
      throw error;
    },
  });
  const ended: number[] = [];
  for (const [id, account_id] of accounts.entries())
    void slices
      .run({ id, account_id, kind: "media" } as Job, (givesWay) => new Promise<void>((resolve) => givesWay.addEventListener("abort", () => resolve())))
      .then(() => ended.push(id));
  stop = () => slices.stop();
  return {
    /** Returns the jobs that have given way once it has been checked twice at this time. */
    async endedAt(seconds: number): Promise<number[]> {
      now = seconds * SECOND;
      const before = checks;
      await expect.poll(() => checks, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 2);
      return ended;
    },
  };
}

it("three minutes for the only job of an account", async () => {
  const jobs = runJobs([1, 2], [3]);
  expect(await jobs.endedAt(179)).toEqual([]);
  expect(await jobs.endedAt(180)).toEqual([0, 1]);
});

it("45 seconds for one whose account has more waiting", async () => {
  const jobs = runJobs([1, 2], [2, 3]);
  expect(await jobs.endedAt(44)).toEqual([]);
  expect(await jobs.endedAt(179)).toEqual([1]);
});

it("10 seconds for one whose account has another worker", async () => {
  const jobs = runJobs([1, 1], [3]);
  expect(await jobs.endedAt(10)).toEqual([1]);
  expect(await jobs.endedAt(179)).toEqual([1]);
});

it("any time while nobody else waits", async () => {
  expect(await runJobs([1, 1], []).endedAt(3_600)).toEqual([]);
  await stop();
  expect(await runJobs([1, 1], [1]).endedAt(3_600)).toEqual([]);
});
