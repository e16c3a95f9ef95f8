/** Tests, with random changes, that the oldest entry of whoever has most ends. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createEvictingCounts, type Entry } from "./evicting-counts.ts";

interface Known {
  group: string;
  member: string;
  entry: Entry;
}

const change = fc.record({
  action: fc.constantFrom("add", "add", "add", "identify", "identify", "release", "evict"),
  index: fc.nat(100),
  address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "2001:db8:1::1"),
  accountId: fc.integer({ min: 1, max: 4 }),
});
const memberOf = (address: string): string => (address === "2001:db8:0:1::1" ? "2001:db8::1" : address);

const countBy = (entries: readonly Known[], key: "group" | "member"): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry[key], (counts.get(entry[key]) ?? 0) + 1);
  return counts;
};
const hasMost = (entries: readonly Known[], key: "group" | "member", value: string): boolean => {
  const counts = countBy(entries, key);
  return counts.get(value) === Math.max(...counts.values());
};

it("the oldest entry ends of the account or network that has most, in the organization, or among strangers, that have most", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      let entries: Known[] = [];
      let evicted: Known | null = null;
      const counts = createEvictingCounts({ perNetwork: 1_000, perAccount: 1_000, perOrganization: 1_000, onEvicted: () => {} });
      for (const { action, index, address, accountId } of changes) {
        const chosen = entries[index % (entries.length || 1)];
        if (action === "add") {
          const known: Known = { group: "strangers", member: memberOf(address), entry: counts.add(address, () => (evicted = known)) };
          entries.push(known);
        } else if (action === "release" && chosen) {
          chosen.entry.release();
          entries = entries.filter((entry) => entry !== chosen);
        } else if (action === "identify" && chosen) {
          const organisationId = accountId % 2;
          chosen.entry.countFor({ accountId, organisationId });
          if (chosen.group !== "strangers") continue;
          entries = [
            ...entries.filter((entry) => entry !== chosen),
            Object.assign(chosen, { group: `organization ${organisationId}`, member: `account ${accountId}` }),
          ];
        } else if (action === "evict") {
          evicted = null;
          counts.evictFromLargest();
          const ended = evicted as Known | null;
          expect(ended === null).toBe(entries.length === 0);
          if (!ended) continue;
          expect(hasMost(entries, "group", ended.group)).toBe(true);
          const ofGroup = entries.filter(({ group }) => group === ended.group);
          expect(hasMost(ofGroup, "member", ended.member)).toBe(true);
          expect(ofGroup.find(({ member }) => member === ended.member)).toBe(ended);
          entries = entries.filter((entry) => entry !== ended);
        }
        expect(counts.size()).toBe(entries.length);
      }
    }),
    { numRuns: 200 },
  );
});
