import { expect, test } from "vitest";
import { buildListQuery } from "./entry.fixture.ts";
import { pollInterval, toFilesQuery } from "./file-list-queries.ts";

test("listings are polled only without the live connection, long ones less often", () => {
  expect([pollInterval(true), pollInterval(true, 10_000)]).toEqual([false, false]);
  expect([pollInterval(false), pollInterval(false, 100), pollInterval(false, 10_000)]).toEqual([15_000, 15_000, 300_000]);
});

test("the query contains only what is searched for", () => {
  expect(Object.entries(toFilesQuery(buildListQuery())).filter(([, value]) => value !== undefined)).toEqual([
    ["folder_id", "1"],
    ["sort", "name"],
    ["order", "asc"],
  ]);
  expect(toFilesQuery(buildListQuery({ q: "mix", status: [3, "none"], bpmMin: 118, sort: "size", order: "desc" }))).toMatchObject({
    deep: "true",
    q: "mix",
    status_id: "3,none",
    bpm_min: 118,
    sort: "size",
    order: "desc",
  });
  expect(toFilesQuery(buildListQuery({ isFlat: true, sort: "changed", order: "desc" }))).toMatchObject({ deep: "true", kind: "audio,video,image,document" });
  expect(toFilesQuery(buildListQuery({ isFlat: true, kind: "audio" }))).toMatchObject({ deep: "true", kind: "audio" });
});
