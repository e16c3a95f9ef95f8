import { expect, test } from "vitest";
import { deliveryPath, endpointPath, isEndpointPath, parseFilter, withParam } from "./page-urls.ts";

const parse = (query: string) => parseFilter(new URLSearchParams(query));
const NO_FILTER = { type: null, state: null, time: null };

test("the filter is read from the URL, and invalid values are ignored", () => {
  expect(parse("type=task.closed&state=held&time=7d")).toEqual({ type: "task.closed", state: "held", time: "7d" });
  expect(parse("time=2026-11-17").time).toBe("2026-11-17");
  expect(parse("type=nothing&state=odd&time=2026-99-99&x=1")).toEqual(NO_FILTER);
  expect(parse("time=toString&type=constructor")).toEqual(NO_FILTER);
  expect(parse("")).toEqual(NO_FILTER);
});

test("one parameter is set or removed, and the others stay", () => {
  const search = new URLSearchParams("type=task.closed&state=held");
  expect(withParam(search, "state", "failed").toString()).toBe("type=task.closed&state=failed");
  expect(withParam(search, "state", null).toString()).toBe("type=task.closed");
  expect(search.toString()).toBe("type=task.closed&state=held");
});

test("the pages of an endpoint are its own and those of its deliveries", () => {
  expect([endpointPath(12), deliveryPath(12, 3)].map((path) => isEndpointPath(path, 12))).toEqual([true, true]);
  expect(["/settings/webhooks", endpointPath(1), endpointPath(123), deliveryPath(1, 12)].some((path) => isEndpointPath(path, 12))).toBe(false);
});
