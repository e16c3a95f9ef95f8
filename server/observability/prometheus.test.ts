import { expect, it } from "vitest";
import { createRegistry } from "./prometheus.ts";

it("writes the text format, with labels escaped, and leaves out what has no value yet", () => {
  const registry = createRegistry();
  const counter = registry.counter("requests_total", "Requests.");
  registry.counter("never_total", "Nothing.");
  counter.add({ path: 'a"b\\c\nd' });
  counter.add({ path: 'a"b\\c\nd' }, 2);
  counter.add();
  const gauge = registry.gauge("waiting", "What waits.");
  gauge.set(3, { kind: "old" });
  gauge.reset();
  gauge.set(Infinity, { kind: "new" });
  expect(registry.render()).toBe(
    [
      "# HELP requests_total Requests.",
      "# TYPE requests_total counter",
      String.raw`requests_total{path="a\"b\\c\nd"} 3`,
      "requests_total 1",
      "# HELP waiting What waits.",
      "# TYPE waiting gauge",
      'waiting{kind="new"} +Inf',
      "",
    ].join("\n"),
  );
});

it("counts each value of a histogram in its bucket and all larger ones", () => {
  const registry = createRegistry();
  const histogram = registry.histogram("wait_seconds", "Waits.", [0.1, 1, 10]);
  for (const value of [0.05, 0.1, 0.5, 5, 50]) histogram.observe(value, { kind: "x" });
  expect(registry.render().split("\n").slice(2, -1)).toEqual([
    'wait_seconds_bucket{kind="x",le="0.1"} 2',
    'wait_seconds_bucket{kind="x",le="1"} 3',
    'wait_seconds_bucket{kind="x",le="10"} 4',
    'wait_seconds_bucket{kind="x",le="+Inf"} 5',
    'wait_seconds_sum{kind="x"} 55.65',
    'wait_seconds_count{kind="x"} 5',
  ]);
});

it("refuses a second metric of the same name", () => {
  const registry = createRegistry();
  registry.counter("a_total", "A.");
  expect(() => registry.gauge("a_total", "A.")).toThrow("There is a metric a_total already");
});
