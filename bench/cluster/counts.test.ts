import { expect, it } from "vitest";
import { type Count, toFaultReports } from "./counts.ts";

it("counts of a cluster become rows of the faults' table, by group", () => {
  const counts: Count[] = [
    { group: "live events", name: "out of order", value: 1, must: "zero", column: "misplaced" },
    { group: "live events", name: "positions reset", value: 2, must: "zero", column: "misplaced" },
    { group: "live events", name: "connections", value: 9 },
    { group: "messages", name: "acknowledged", value: 7, must: "some", column: "acknowledged" },
  ];
  expect(toFaultReports(counts, 5)).toEqual([
    { fault: "cluster: live events", on: "postgres", counts: { broken: 5, misplaced: 3 } },
    { fault: "cluster: messages", on: "postgres", counts: { broken: 5, acknowledged: 7 } },
  ]);
});
