/** Tests whose turn it is: organizations in turn, accounts in turn within them, and no more of one account at once than allowed. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { runForCaller } from "../lib/current-caller.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Records who enters, and ends a turn on request. */
function createLog(options: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(options);
  const entered: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = async (name: string): Promise<void> => {
    const leave = await queue.enter();
    entered.push(name);
    leaves.push(leave);
  };
  return {
    entered,
    enter: (organisationId: number, accountId: number) =>
      void runForCaller({ organisationId, accountId }, () => enter(`organization ${organisationId}, account ${accountId}`)),
    enterService: () => void enter("service"),
    /** Ends the oldest turn, if one has begun, and lets the next ones begin. */
    async endOldest() {
      leaves.shift()?.();
      await setImmediate();
    },
  };
}

async function drain(log: ReturnType<typeof createLog>, turns: number): Promise<string[]> {
  await setImmediate();
  for (let count = 0; count < turns; count += 1) await log.endOldest();
  return log.entered;
}

it("an organization with many accounts gets one turn for each of another's", async () => {
  const log = createLog({ atOnce: 1, atOncePerAccount: 1 });
  for (const account of [1, 2, 3, 4]) log.enter(1, account);
  log.enter(2, 9);
  log.enter(2, 9);
  expect(await drain(log, 6)).toEqual([
    "organization 1, account 1",
    "organization 2, account 9",
    "organization 1, account 2",
    "organization 2, account 9",
    "organization 1, account 3",
    "organization 1, account 4",
  ]);
});

it("an account with many operations gets one turn for each of its colleagues'", async () => {
  const log = createLog({ atOnce: 1, atOncePerAccount: 1 });
  for (let count = 0; count < 3; count += 1) log.enter(1, 1);
  log.enter(1, 2);
  expect(await drain(log, 4)).toEqual(["organization 1, account 1", "organization 1, account 2", "organization 1, account 1", "organization 1, account 1"]);
});

it("an account has no more turns at once than allowed, even if nobody else waits; the service has as many as there are", async () => {
  const log = createLog({ atOnce: 4, atOncePerAccount: 2 });
  for (let count = 0; count < 3; count += 1) log.enter(1, 1);
  await setImmediate();
  expect(log.entered).toHaveLength(2);
  for (let count = 0; count < 3; count += 1) log.enterService();
  await setImmediate();
  expect(log.entered.filter((name) => name === "service")).toHaveLength(2);
  expect(await drain(log, 6)).toHaveLength(6);
});
