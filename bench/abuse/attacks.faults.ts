/**
 * The short form of the attacks, for `npm run faults`: whoever uses the service beside one of them is served, and the attack gets the refusals that it should.
 * Latency is printed, not asserted; `bench/abuse/service.ts` measures it.
 */
import { describe, expect, it } from "vitest";
import { reportFaults } from "../../server/testing/fault-counts.ts";
import { ATTACKS } from "./all-attacks.ts";
import { measureAttack } from "./measure.ts";
import { startTarget } from "./target.ts";

const SHORT = { seconds: 3, restSeconds: 1, scale: 0.5 };
const AMOUNTS = { files: 10_000, folders: 2_000, messages: 200 };

describe("others are served beside", { timeout: 120_000 }, () => {
  it.each(ATTACKS)("$title", async (attack) => {
    const target = await startTarget(AMOUNTS, attack.settings);
    try {
      const { during, after, outcomes } = await measureAttack(attack, target, SHORT);
      const [reads, writes] = [during.reads, during.writes].map(({ p95 }) => Math.round(p95));
      console.log(`${attack.name}: reads ${reads} ms, writes ${writes} ms (p95)`, outcomes);
      const failureCount = [during.failures, after.failures].flatMap((failures) => Object.values(failures)).reduce((sum, count) => sum + count, 0);
      const servedCount = during.requests + after.requests - failureCount;
      reportFaults("attacks: others", "sqlite", { broken: 1, acknowledged: servedCount, lost: failureCount });
      expect([during.failures, after.failures]).toEqual([{}, {}]);
      expect(during.requests).toBeGreaterThan(20);
      expect(attack.findProblem?.(outcomes) ?? null).toBeNull();
    } finally {
      await target.close();
    }
  });
});
