import { expect, test } from "vitest";
import { filterIn, withParam } from "./address.ts";

const read = (query: string) => filterIn(new URLSearchParams(query));
const ALL = { type: null, state: null, time: null };

test("the filter in the address is read, and what nobody understands is no filter", () => {
  expect(read("type=task.closed&state=held&time=7d")).toEqual({ type: "task.closed", state: "held", time: "7d" });
  expect(read("time=2026-11-17").time).toBe("2026-11-17");
  expect(read("type=nothing&state=odd&time=2026-99-99&x=1")).toEqual(ALL);
  expect(read("time=toString&type=constructor")).toEqual(ALL);
  expect(read("")).toEqual(ALL);
});

test("one parameter is set or taken away, the others stay", () => {
  const search = new URLSearchParams("type=task.closed&state=held");
  expect(withParam(search, "state", "failed").toString()).toBe("type=task.closed&state=failed");
  expect(withParam(search, "state", null).toString()).toBe("type=task.closed");
  expect(search.toString()).toBe("type=task.closed&state=held");
});
